#include "grader/help.h"

#include <string.h>

enum { WIDTH = 80, NAME_WIDTH = 15, OPTION_WIDTH = 24 };

void help_wrap(FILE *out, const char *text, size_t used, size_t indent, size_t width)
{
    bool first = true; /* on its line */
    while (*text) {
        size_t length = strcspn(text, " ");
        if (!first && used + 1 + length > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            used = indent;
            first = true;
        }
        used += (size_t)fprintf(out, "%s%.*s", first ? "" : " ", (int)length, text);
        first = false;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

void help_synopsis(FILE *out, const struct command *command)
{
    const struct option_row *row;
    bool flags = false;
    fputs(command->name, out);
    for (size_t i = 0; (row = command_option(command, i)); i++) {
        flags = flags || row->flag;
        if (row->argument)
            fprintf(out, " %s", row->argument);
    }
    if (flags)
        fputs(" [OPTIONS]", out);
}

/* `  left   text`, the text wrapped in a column of its own. */
static void print_row(FILE *out, const char *left, size_t width, const char *text)
{
    bool below = (size_t)fprintf(out, "  %-*s", (int)width, left) > width + 2;
    fprintf(out, below ? "\n%*s" : "%*s", (int)(below ? width + 3 : 1), "");
    help_wrap(out, text, width + 3, width + 3, WIDTH);
}

void help_usage(FILE *out)
{
    fputs("usage: cyclelab COMMAND [ARGUMENT] [OPTIONS]\n", out);
    for (enum command_group group = 0; group < GROUP_COUNT; group++) {
        bool any = false;
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            const struct command *command = &commands[i];
            if (command->group != group || !(command->kind & IN_PROGRAM))
                continue;
            if (!any)
                fprintf(out, "\n%s\n", command_groups[group]);
            any = true;
            print_row(out, command->name, NAME_WIDTH, command->summary);
        }
    }
    fputc('\n', out);
    help_wrap(out,
              "`cyclelab help COMMAND` tells what one takes, `cyclelab --version` which cyclelab this is. "
              "Under make options are variables: `make help` lists them.",
              0, 0, WIDTH);
}

static void print_option(FILE *out, const struct option_row *row, bool program)
{
    char left[80];
    if (!program)
        snprintf(left, sizeof left, "%s=%s", row->variable, row->example);
    else if (row->flag)
        snprintf(left, sizeof left, "--%s%s%s", row->flag, row->value ? " " : "",
                 row->value ? row->value : "");
    else
        snprintf(left, sizeof left, "%s", row->argument);
    print_row(out, left, OPTION_WIDTH, row->help);
}

/* How make is told the same. */
static void print_make(FILE *out, const struct command *command)
{
    const struct option_row *row;
    bool any = false;
    char text[1024];
    int used = snprintf(text, sizeof text, "with make: make %s", command->name);
    for (size_t i = 0; (row = command_option(command, i)); i++) {
        if (!row->variable || used < 0 || (size_t)used >= sizeof text)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, " %s%s=%s", any ? "" : "[", row->variable,
                         row->example);
        any = true;
    }
    if (any && used > 0 && (size_t)used < sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, "]");
    fputc('\n', out);
    help_wrap(out, text, 0, 4, WIDTH);
}

void help_command(FILE *out, const struct command *command)
{
    const struct option_row *row;
    bool program = command->kind & IN_PROGRAM;
    if (program) {
        fputs("usage: cyclelab ", out);
        help_synopsis(out, command);
        fputc('\n', out);
    } else {
        fprintf(out, "usage: make %s [OPTIONS]\n", command->name);
    }
    fputc('\n', out);
    help_wrap(out, command->summary, 0, 0, WIDTH);
    if (command->more)
        help_wrap(out, command->more, 0, 0, WIDTH);
    fputc('\n', out);
    for (size_t i = 0; (row = command_option(command, i)); i++)
        print_option(out, row, program);
    for (enum option_id id = 1; program && id < OPTION_COUNT; id++)
        if (option_rows[id].reach == OF_EVERY_COMMAND)
            print_option(out, &option_rows[id], program);
    if (program)
        print_make(out, command);
}
