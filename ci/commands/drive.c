/* What is made from the rows of grader/commands.c and grader/options.c: `commands-drive PART` to standard
 * output. ci/commands/write.sh puts the parts where they belong. */
#include <stdio.h>
#include <string.h>

#include "grader/commands.h"
#include "grader/help.h"

enum { WIDTH = 80, NAME_WIDTH = 20, MOST_TEXT = 2000 };

static bool is_program(const struct command *command)
{
    return command->kind & IN_PROGRAM;
}

/* The program has it, and make hands over the options. */
static bool is_handed_over(const struct command *command)
{
    return is_program(command) && !(command->kind & IN_MAKE);
}

/* ---- ci/commands.mk: what make knows ---- */

static void print_names(const char *variable, bool (*is)(const struct command *command))
{
    printf("%s :=", variable);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (is(&commands[i]))
            printf(" %s", commands[i].name);
    putchar('\n');
}

static bool is_any(const struct command *command)
{
    return command != NULL;
}

static bool is_built(const struct command *command)
{
    return command->kind & IS_BUILT;
}

static bool is_for_tests(const struct command *command)
{
    return command->kind & IS_FOR_TESTS;
}

/* Some rows share a variable: the first names it. */
static bool is_first(enum option_id id)
{
    const char *name = option_rows[id].variable;
    for (enum option_id i = OPTION_END + 1; i < id; i++)
        if (option_rows[i].variable && strcmp(option_rows[i].variable, name) == 0)
            return false;
    return true;
}

static void print_variables(const char *variable, bool every_goal)
{
    printf("%s :=", variable);
    for (enum option_id id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (option_rows[id].variable && (option_rows[id].reach == OF_EVERY_GOAL) == every_goal &&
            is_first(id))
            printf(" %s", option_rows[id].variable);
    putchar('\n');
}

/* As the shell hands it on when it is set and not empty. */
static void print_argument(const struct option_row *row)
{
    const char *name = row->variable;
    if (row->argument)
        printf(" $${%s:+\"$$%s\"}", name, name);
    else if (row->value)
        printf(" $${%s:+--%s \"$$%s\"}", name, row->flag, name);
    else
        printf(" $${%s:+--%s=\"$$%s\"}", name, row->flag, name);
}

static void print_make_of(const struct command *command)
{
    const struct option_row *row;
    printf("TAKES_%s :=", command->name);
    for (size_t i = 0; (row = command_option(command, i)); i++)
        if (row->variable)
            printf(" %s", row->variable);
    putchar('\n');
    if (!is_handed_over(command))
        return;
    printf("ARGUMENTS_%s =", command->name);
    for (size_t i = 0; (row = command_option(command, i)); i++)
        if (row->variable)
            print_argument(row);
    putchar('\n');
}

static void print_make(void)
{
    puts("# Commands and options, as the Makefile needs them. Written by `make generated` from "
         "grader/commands.c\n"
         "# and grader/options.c.");
    print_names("COMMANDS", is_any);
    print_names("PROGRAM_COMMANDS", is_handed_over);
    print_names("BUILT_COMMANDS", is_built);
    print_names("TEST_COMMANDS", is_for_tests);
    print_variables("OPTIONS", false);
    print_variables("BUILD_OPTIONS", true);
    puts("\n# What each takes, and how the shell hands it on to the program.");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        print_make_of(&commands[i]);
}

/* ---- ci/help.txt: make help ---- */

/* What `example` does not show already: " [ON= CORE=]". */
static void add_options(char text[MOST_TEXT], const struct command *command)
{
    const struct option_row *row;
    const char *before = " [";
    size_t used = strlen(text);
    for (size_t i = 0; (row = command_option(command, i)); i++) {
        char shown[40];
        snprintf(shown, sizeof shown, "%s=", row->variable ? row->variable : "");
        if (!row->variable || (command->example && strstr(command->example, shown)) ||
            strstr(command->summary, shown))
            continue;
        used += (size_t)snprintf(text + used, MOST_TEXT - used, "%s%s", before, shown);
        before = " ";
    }
    if (*before == ' ' && before[1] == '\0')
        snprintf(text + used, MOST_TEXT - used, "]");
}

static void print_help_row(const char *left, size_t width, const char *text)
{
    bool below = (size_t)printf("  %-*s", (int)width, left) > width + 2;
    printf(below ? "\n%*s" : "%*s", (int)(below ? width + 3 : 1), "");
    help_wrap(stdout, text, width + 3, width + 3, WIDTH);
}

static void print_help_of(const struct command *command)
{
    char left[120], text[MOST_TEXT];
    snprintf(left, sizeof left, "make %s%s%s", command->name, command->example ? " " : "",
             command->example ? command->example : "");
    snprintf(text, sizeof text, "%s", command->summary);
    if (command != &commands[COMMAND_CHECK])
        add_options(text, command);
    print_help_row(left, NAME_WIDTH, text);
}

static void print_help_option(const struct option_row *row)
{
    char left[120];
    if (!row->variable) /* the program alone has it */
        return;
    snprintf(left, sizeof left, "%s=%s", row->variable, row->example);
    print_help_row(left, NAME_WIDTH, row->help);
}

static void print_help(void)
{
    const struct option_row *row;
    for (enum command_group group = 0; group < GROUP_COUNT; group++) {
        printf("\n%s\n", command_groups[group]);
        for (size_t i = 0; i < COMMAND_COUNT; i++)
            if (commands[i].group == group)
                print_help_of(&commands[i]);
        if (group != GROUP_STUDENTS)
            continue;
        puts("\nOptions of check, and of others that have them in brackets (what else is in\nbrackets: "
             "`build/cyclelab help COMMAND`, or docs/commands.md)");
        for (size_t i = 1; (row = command_option(&commands[COMMAND_CHECK], i)); i++)
            print_help_option(row);
    }
    puts("\nOptions of all");
    for (enum option_id id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (option_rows[id].reach == OF_EVERY_GOAL)
            print_help_option(&option_rows[id]);
    puts("\ndocs/commands.md has all options of each.");
}

/* ---- Markdown ---- */

/* Names of pages become links; `here` is the folder that they are linked from. A bar would end a table's
 * cell. */
static void print_linked(const char *text, const char *here)
{
    size_t skipped = strlen(here);
    while (*text) {
        size_t page = strncmp(text, "docs/", 5) == 0 ? strspn(text, "abcdefghijklmnopqrstuvwxyz/.") : 0;
        while (page > 0 && text[page - 1] != 'd')
            page--;
        if (page > 8) {
            printf("[%.*s](%.*s)", (int)(page - skipped), text + skipped, (int)(page - skipped),
                   text + skipped);
            text += page;
        } else {
            fputs(*text == '|' ? "\\|" : (char[]){*text, '\0'}, stdout);
            text++;
        }
    }
}

static void print_sentence(const char *text, const char *more, const char *here)
{
    print_linked(text, here);
    if (more) {
        fputs(". ", stdout);
        print_linked(more, here);
    }
}

static void print_markdown_option(const struct option_row *row, bool program)
{
    fputs("| ", stdout);
    if (row->variable)
        printf("`%s=%s`", row->variable, row->example);
    if (program && row->flag) {
        char flag[80];
        snprintf(flag, sizeof flag, "--%s%s%s", row->flag, row->value ? " " : "",
                 row->value ? row->value : "");
        fputs(" | `", stdout);
        print_linked(flag, "");
        putchar('`');
    } else if (program) {
        printf(" | `%s`", row->argument);
    }
    fputs(" | ", stdout);
    print_linked(row->help, "docs/");
    puts(" |");
}

static void print_markdown_of(const struct command *command)
{
    const struct option_row *row;
    bool program = is_program(command);
    printf("\n### %s\n\n`make %s%s%s`", command->name, command->name, command->example ? " " : "",
           command->example ? command->example : "");
    if (program) {
        fputs(" or `cyclelab ", stdout);
        help_synopsis(stdout, command);
        putchar('`');
    }
    fputs(": ", stdout);
    print_sentence(command->summary, command->more, "docs/");
    putchar('\n');
    if (command_option(command, 0))
        puts(program ? "\n| make | cyclelab | |\n|---|---|---|" : "\n| make | |\n|---|---|");
    for (size_t i = 0; (row = command_option(command, i)); i++)
        print_markdown_option(row, program);
}

static void print_markdown(void)
{
    puts("# Commands and options\n\n"
         "`make generated` writes this page, `make help`, the man page [cyclelab.1](cyclelab.1) and the "
         "README's table from\n"
         "`grader/commands.c` and `grader/options.c`.\n\n"
         "`make COMMAND OPTION=value` is the way to use the suite: it builds what is missing first. "
         "`build/cyclelab COMMAND\n"
         "--option value` does the same with what is built. Words that nothing understands are refused "
         "before anything is\n"
         "done.");
    for (enum command_group group = 0; group < GROUP_COUNT; group++) {
        printf("\n## %s\n", command_groups[group]);
        for (size_t i = 0; i < COMMAND_COUNT; i++)
            if (commands[i].group == group)
                print_markdown_of(&commands[i]);
    }
    puts("\n## Options of all commands\n\n| make | |\n|---|---|");
    for (enum option_id id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (option_rows[id].reach == OF_EVERY_GOAL)
            print_markdown_option(&option_rows[id], false);
    puts("\n| cyclelab | |\n|---|---|");
    for (enum option_id id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (option_rows[id].reach == OF_EVERY_COMMAND)
            printf("| `--%s%s%s` | %s |\n", option_rows[id].flag, option_rows[id].value ? " " : "",
                   option_rows[id].value ? option_rows[id].value : "", option_rows[id].help);
    puts("| `cyclelab --version` | the version and the commit that it was built from |");
}

/* The README's table: what a student types. */
static void print_readme(void)
{
    const struct option_row *row;
    puts("| command | does |\n|---|---|");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command *command = &commands[i];
        if (command->group != GROUP_BEGIN && command->group != GROUP_STUDENTS)
            continue;
        printf("| `make %s%s%s` | ", command->name, command->example ? " " : "",
               command->example ? command->example : "");
        print_sentence(command->summary, command->more, "");
        puts(" |");
        for (size_t j = 1; command == &commands[COMMAND_CHECK] && (row = command_option(command, j)); j++) {
            if (!row->variable) /* the program alone has it */
                continue;
            printf("| `… %s=%s` | ", row->variable, row->example);
            print_linked(row->help, "");
            puts(" |");
        }
    }
}

/* ---- docs/cyclelab.1 ---- */

static void print_roff(const char *text)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            putchar('\\');
        if (*text != '`')
            fputs(*text == '\\' ? "e" : *text == '\'' ? "\\(aq" : (char[]){*text, '\0'}, stdout);
    }
}

static void print_man_option(const struct option_row *row)
{
    puts(".TP");
    if (row->flag) {
        fputs("\\fB\\-\\-", stdout);
        print_roff(row->flag);
        fputs("\\fR", stdout);
    }
    if (row->value) {
        fputs(" \\fI", stdout);
        print_roff(row->value);
        fputs("\\fR", stdout);
    }
    if (row->argument)
        printf("\\fI%s\\fR", row->argument);
    putchar('\n');
    print_roff(row->help);
    if (row->variable)
        printf(" (make: %s=)", row->variable);
    putchar('\n');
}

static void print_man_command(const struct command *command)
{
    const struct option_row *row;
    fputs(".SS ", stdout);
    help_synopsis(stdout, command);
    putchar('\n');
    print_roff(command->summary);
    puts(".");
    if (command->more) {
        print_roff(command->more);
        putchar('\n');
    }
    for (size_t i = 0; (row = command_option(command, i)); i++)
        print_man_option(row);
}

static void print_man(void)
{
    puts(".\\\" Written by `make generated` from grader/commands.c and grader/options.c.\n"
         ".TH CYCLELAB 1 \"\" cyclelab \"User Commands\"\n"
         ".SH NAME\n"
         "cyclelab \\- grade exercises in CPU micro\\-optimization\n"
         ".SH SYNOPSIS\n"
         ".B cyclelab\n"
         ".I COMMAND\n"
         ".RI [ ARGUMENT ]\n"
         ".RI [ OPTIONS ]\n"
         ".br\n"
         ".B make\n"
         ".I COMMAND\n"
         ".RI [ OPTION=value ]...\n"
         ".SH DESCRIPTION\n"
         "Each exercise asks for a function in C or assembly that is correct and fast. cyclelab builds it, "
         "checks its\n"
         "results, measures it on this machine or on a model of an Arm core, and says why it is slow.\n"
         ".PP\n"
         "The program is built by make in the suite\\(aqs folder, as build/cyclelab. There, make with the "
         "same command builds\n"
         "what is missing first, and options are given as variables.\n"
         ".SH COMMANDS");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (is_program(&commands[i]))
            print_man_command(&commands[i]);
    puts(".SH OPTIONS\nThese go with every command.");
    for (enum option_id id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (option_rows[id].reach == OF_EVERY_COMMAND)
            print_man_option(&option_rows[id]);
    puts(".TP\n\\fBcyclelab \\-\\-version\\fR\nthe version and the commit that it was built from\n"
         ".SH \"EXIT STATUS\"\n"
         ".TP\n0\npass\n"
         ".TP\n1\nfail: wrong, slow or rejected\n"
         ".TP\n2\nusage or configuration\n"
         ".TP\n3\nno verdict: unstable, or something has no grade\n"
         ".TP\n4\nthe suite could not run\n"
         ".SH ENVIRONMENT\n"
         ".TP\nNO_COLOR\nnot empty: no colours\n"
         ".SH \"SEE ALSO\"\n"
         "README.md and docs/ in the suite\\(aqs folder");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } parts[] = {{"make", print_make},
                 {"help", print_help},
                 {"markdown", print_markdown},
                 {"readme", print_readme},
                 {"man", print_man}};
    for (size_t i = 0; argc == 2 && i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(argv[1], parts[i].name) != 0)
            continue;
        parts[i].print();
        return fflush(stdout) != 0;
    }
    fputs("usage: commands-drive make|help|markdown|readme|man\n", stderr);
    return 2;
}
