/* Usage texts, from the rows of commands.c and options.c. */
#ifndef CYCLELAB_HELP_H
#define CYCLELAB_HELP_H

#include <stdio.h>
#include "grader/commands.h"

/* `cyclelab help`: the program's commands, a line each. */
void help_usage(FILE *out);

/* `cyclelab help COMMAND`: one with all its options. */
void help_command(FILE *out, const struct command *command);

/* "check [EX] [OPTIONS]": what a usage line says behind `cyclelab`. */
void help_synopsis(FILE *out, const struct command *command);

/* Words in lines of at most `width` characters, each but the first with `indent` blanks in front; `used`
 * characters are on the first line already. Ends with a newline. */
void help_wrap(FILE *out, const char *text, size_t used, size_t indent, size_t width);

#endif
