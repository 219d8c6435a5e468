/* What can be asked of cyclelab on its command line: the rows of all options, and what they are parsed to. */
#ifndef CYCLELAB_OPTIONS_H
#define CYCLELAB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/walls/isolation.h"

enum { EXIT_USAGE = 2, EXIT_SUITE = 4, ONLY_MAX = 1000 };

enum option_id {
    OPTION_END,
    OPTION_EX,          /* one exercise */
    OPTION_EX_OR_ALL,   /* one, or all without it */
    OPTION_EX_OR_BEGUN, /* one, or all that the student has begun */
    OPTION_EX_OR_NEXT,  /* one, or the next that is not passed */
    OPTION_EX_LIST,     /* some, or all without it */
    OPTION_EX_NEW,      /* one that is not there yet */
    OPTION_ONE_CORE,
    OPTION_COMMAND,
    OPTION_ON,
    OPTION_ON_CLASS,   /* of a class */
    OPTION_ON_SERVICE, /* for a service to grade on */
    OPTION_CORE,
    OPTION_SRC,
    OPTION_WORK,
    OPTION_SUBMISSION,
    OPTION_COURSE,
    OPTION_QUESTIONS,
    OPTION_SHEET,
    OPTION_SEED,
    OPTION_SEED_OF_ALL, /* of all that a service grades */
    OPTION_TRUST_SEED,
    OPTION_PATIENCE,
    OPTION_TRUST_PATIENCE,
    OPTION_TURNS,
    OPTION_REPORT,
    OPTION_FORCE,
    OPTION_GDB,
    OPTION_CASE,
    OPTION_VARIANT,
    OPTION_RUN_SECONDS,
    OPTION_PLOT,
    OPTION_COUNT_OF,
    OPTION_PICTURE,
    OPTION_SUBMISSIONS,
    OPTION_WORKSHEET_OUT,
    OPTION_SITE_OUT,
    OPTION_OUT,
    OPTION_SAMPLE, /* where to write the sample class */
    OPTION_JOBS,
    OPTION_ISOLATION,
    OPTION_ONLY,
    OPTION_SLICE,
    OPTION_PLAN,
    OPTION_DRY_RUN,
    OPTION_STUDENT,
    OPTION_OUT_THERE,
    OPTION_GATHER,
    OPTION_ROOT,
    OPTION_HELP,
    OPTION_SLICES,
    OPTION_FEATURE,
    OPTION_FOR,
    OPTION_RUNS,
    OPTION_BOUNDS,
    OPTION_RECORD,
    OPTION_TWINS,
    OPTION_TARGET,
    OPTION_SECONDS,
    OPTION_MANIFEST,
    OPTION_CODE,
    OPTION_WRITE,
    OPTION_LINT_WORK,
    OPTION_TEST,
    OPTION_ONLY_TESTS,
    OPTION_V,
    OPTION_BUILD,
    OPTION_CC,
    OPTION_CFLAGS,
    OPTION_LDFLAGS,
    OPTION_SANITIZE,
    OPTION_COUNT
};

struct options {
    const char *exercise; /* as typed, or NULL: all */
    const char *root, *build, *source, *report, *on, *core;
    const char *work; /* where the student works */
    const char *gdb, *variant, *case_name, *out;
    const char *submissions, *submission, *course;
    const char *command; /* that help is wanted for */
    const char *only[ONLY_MAX + 1];
    unsigned only_count;
    unsigned jobs, slice, slices;
    uint32_t instructions; /* of a trace; 0: as many as usual */
    bool plan, dry_run;
    const char *student;
    enum isolation_level isolation;
    bool force, help;
    const char *seed;
    bool seed_given;    /* by whoever called, not drawn */
    unsigned questions; /* 0: not given */
    unsigned seconds;   /* of `run`; 0: not given */
    bool sheet;
    double patience; /* seconds; 0: not given */
    const char *turns;
};

/* Who understands an option. */
enum option_reach {
    OF_COMMANDS,      /* those that have it in their `takes` */
    OF_EVERY_COMMAND, /* of the program */
    OF_EVERY_GOAL,    /* of make */
};

struct option_row {
    const char *flag;     /* "src" for --src; NULL: none */
    const char *argument; /* "EX": it stands behind the command without a flag; NULL: it does not */
    const char *variable; /* "SRC" for make; NULL: the program alone has it */
    const char *value;    /* what a usage line calls the flag's value; NULL: it has none */
    const char *example;  /* a value to show, for make */
    const char *help;
    enum option_reach reach;
    bool again; /* may be given more than once */
    size_t at;  /* the value as it is, or true, goes here in struct options, unless there is a parser, */
    int (*parse)(const char *value, struct options *options); /* 0, or the exit status after a complaint */
};

extern const struct option_row option_rows[OPTION_COUNT];

struct command;

/* argv[0] is the command; root and build are found if they are not given. 0, or the exit status after a
 * complaint. */
int options_parse(const struct command *command, int argc, char **argv, struct options *options);

/* Where this program lies: build, and the project's folder above it as root, unless that is given. False with
 * errno. */
bool options_find_folders(struct options *options);

/* "cyclelab: ..." on the standard error; gives back `status`. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
