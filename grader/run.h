/* What runs the commands, and what they share. */
#ifndef CYCLELAB_RUN_H
#define CYCLELAB_RUN_H

#include <stdbool.h>
#include "grader/exercise/exercise.h"
#include "grader/options.h"

/* Standard output is a terminal that shows colours, and nobody has asked for none. */
bool colour_wanted(void);

/* `cyclelab check`. The exit status. */
int command_check(struct options *options);

/* `cyclelab watch`. The exit status. */
int command_watch(struct options *options);

/* An exercise that is not begun gets its stub; `asked`: it was for that that the command was called. The exit
 * status. */
int begin(const struct options *options, const struct exercise *exercise, bool asked, struct error *err);

#endif
