/* Every command that people type, to make or to the program, and the options that each takes: one row each.
 * From these rows come the program's parser and usage texts, and by `make generated` what make knows of them
 * (ci/commands.mk), `make help`, docs/commands.md, the table in README.md and the man page.
 *
 * To add a command: a name in enum command_id and a row in commands.c; then what runs it: a function in
 * main.c's table `runs`, or a rule in the Makefile. To add an option: a name in enum option_id, a row in
 * options.c, and the name in the `takes` of each command that understands it. Then `make generated`. */
#ifndef CYCLELAB_COMMANDS_H
#define CYCLELAB_COMMANDS_H

#include <stdbool.h>
#include "grader/options.h"

enum command_id {
    COMMAND_HELP,
    COMMAND_SETUP,
    COMMAND_BEGIN,
    COMMAND_CHECK,
    COMMAND_HINT,
    COMMAND_STATUS,
    COMMAND_RESET,
    COMMAND_SOLUTION,
    COMMAND_WATCH,
    COMMAND_PREDICT,
    COMMAND_RUN,
    COMMAND_PERF,
    COMMAND_DEBUG,
    COMMAND_EXPLAIN,
    COMMAND_TRACE,
    COMMAND_SWEEP,
    COMMAND_DRILL,
    COMMAND_WORKSHEET,
    COMMAND_SITE,
    COMMAND_INFO,
    COMMAND_CORES,
    COMMAND_GRADE,
    COMMAND_COURSE,
    COMMAND_FORGET,
    COMMAND_SLURM,
    COMMAND_SAMPLE_CLASS,
    COMMAND_GRADESCOPE,
    COMMAND_PRAIRIELEARN,
    COMMAND_AUTOLAB,
    COMMAND_CLASSROOM50,
    COMMAND_NEW,
    COMMAND_ALL,
    COMMAND_TEST,
    COMMAND_UNIT,
    COMMAND_SCRIPT,
    COMMAND_COVERAGE,
    COMMAND_ACCURACY,
    COMMAND_HARDWARE,
    COMMAND_FIGURES,
    COMMAND_DECODE,
    COMMAND_BENCH,
    COMMAND_FUZZ,
    COMMAND_TRUST,
    COMMAND_LINT,
    COMMAND_FORMAT,
    COMMAND_COMPILE_COMMANDS,
    COMMAND_GENERATED,
    COMMAND_CLEAN,
    COMMAND_COUNT
};

enum command_group { GROUP_BEGIN, GROUP_STUDENTS, GROUP_INSTRUCTORS, GROUP_SUITE, GROUP_COUNT };

/* What a command is, as bits. */
enum command_kind {
    IN_PROGRAM = 1,   /* `cyclelab NAME`; make hands the options over, unless IN_MAKE is set too */
    IN_MAKE = 2,      /* the Makefile has a rule of its own */
    IS_BUILT = 4,     /* needs the exercises' cases and the runners */
    IS_FOR_TESTS = 8, /* with setup, it takes the packages that only tests need */
};

enum { COMMAND_TAKES = 16 };

struct command {
    const char *name;
    enum command_group group;
    unsigned kind;
    enum option_id takes[COMMAND_TAKES]; /* OPTION_END behind the last */
    const char *example;                 /* its options, as `make help` shows them: "EX=3"; NULL: none */
    const char *summary;                 /* what it does, for `make help` and all others */
    const char *more;                    /* sentences for its own page; NULL: none */
};

extern const struct command commands[COMMAND_COUNT];
extern const char *const command_groups[GROUP_COUNT]; /* their titles */

/* The command of this name; NULL if there is none. */
const struct command *command_find(const char *name);

/* The name that comes nearest to what was typed, of all commands; NULL when none is near. */
const char *command_nearest(const char *typed);

bool command_takes(const struct command *command, enum option_id option);

/* The row of its i-th option; NULL behind the last. */
const struct option_row *command_option(const struct command *command, size_t i);

#endif
