#include "grader/options.h"

#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/grade.h"

int complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("cyclelab: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return status;
}

/* Where this program lies: build/, and the project's folder above it. */
static bool find_folders(struct options *options)
{
    static char build[PATH_MAX], root[PATH_MAX];
    char here[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", build, sizeof build - 1);
    if (length < 0)
        return false;
    build[length] = '\0';
    options->build = dirname(build);
    if (!options->root) {
        snprintf(root, sizeof root, "%s", options->build);
        options->root = dirname(root);
        char probe[PATH_MAX + 16];
        snprintf(probe, sizeof probe, "%s/solutions", options->root); /* build/ has an exercises/ too */
        bool elsewhere = access(probe, F_OK) != 0;                    /* BUILD=... */
        if (elsewhere || (getcwd(here, sizeof here) && strcmp(here, options->root) == 0))
            options->root = "."; /* messages then name files as people do */
    }
    return true;
}

static int parse_seed(const char *value, struct options *options)
{
    char *end;
    errno = 0;
    options->seed = strtoull(value, &end, 0);
    options->has_seed = true;
    if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0)
        return 0;
    return complain(EXIT_USAGE, "SEED: expected a number from 0 to 2^64 - 1, found `%s`", value);
}

static int parse_force(const char *value, struct options *options)
{
    (void)value;
    options->force = true;
    return 0;
}

static int parse_jobs(const char *value, struct options *options)
{
    char *end;
    options->jobs = (unsigned)strtoul(value, &end, 10);
    if (*value >= '1' && *value <= '9' && *end == '\0' && options->jobs <= 256)
        return 0;
    return complain(EXIT_USAGE, "JOBS: expected a number from 1 to 256, found `%s`", value);
}

static int parse_isolation(const char *value, struct options *options)
{
    if (strcmp(value, "strict") != 0 && strcmp(value, "best") != 0)
        return complain(EXIT_USAGE, "--isolation: expected strict or best, found `%s`", value);
    options->isolation = *value == 's' ? ISOLATION_STRICT : ISOLATION_BEST;
    return 0;
}

static int parse_only(const char *value, struct options *options)
{
    if (options->only_count == ONLY_MAX)
        return complain(EXIT_USAGE, "--only: expected at most %d students", ONLY_MAX);
    options->only[options->only_count++] = value;
    return 0;
}

static int parse_slice(const char *value, struct options *options)
{
    options->plan = false;
    if (grade_parse_slice(value, &options->slice, &options->slices))
        return 0;
    return complain(EXIT_USAGE, "--slice: expected I/N, like 2/8, found `%s`", value);
}

static int parse_slices(const char *name, const char *value, struct options *options)
{
    options->slice = 0;
    if (grade_parse_slices(value, &options->slices))
        return 0;
    return complain(EXIT_USAGE, "--%s: expected the number of slices, from 1 to 1000, found `%s`", name,
                    value);
}

static int parse_plan(const char *value, struct options *options)
{
    options->plan = true;
    return parse_slices("plan", value, options);
}

static int parse_gather(const char *value, struct options *options)
{
    options->plan = false;
    return parse_slices("gather", value, options);
}

/* Taken as it is, to `at`; or by a function: 0, or the exit status after a complaint. */
static const struct {
    const char *name;
    size_t at;
    int (*parse)(const char *value, struct options *options);
} known[] = {
#define TEXT(name, field)                                                                                    \
    {                                                                                                        \
        name, offsetof(struct options, field), NULL                                                          \
    }
    TEXT("root", root),
    TEXT("src", source),
    TEXT("report", report),
    TEXT("on", on),
    TEXT("core", core),
    TEXT("gdb", gdb),
    TEXT("variant", variant),
    TEXT("case", case_name),
    TEXT("out", out),
    TEXT("submissions", submissions),
    TEXT("submission", submission),
    TEXT("course", course),
#undef TEXT
    {"seed", 0, parse_seed},
    {"force", 0, parse_force},
    {"jobs", 0, parse_jobs},
    {"isolation", 0, parse_isolation},
    {"only", 0, parse_only},
    {"slice", 0, parse_slice},
    {"plan", 0, parse_plan},
    {"gather", 0, parse_gather},
};
enum { KNOWN = sizeof known / sizeof *known };

int options_parse(int argc, char **argv, struct options *options)
{
    struct option list[KNOWN + 1] = {{0}};
    int found;
    for (int i = 0; i < KNOWN; i++)
        list[i] = (struct option){known[i].name,
                                  known[i].parse == parse_force ? no_argument : required_argument, NULL, i};
    opterr = 0; /* it would speak of things that nobody typed */
    while ((found = getopt_long(argc, argv, "", list, NULL)) != -1) {
        if (found == '?')
            return complain(EXIT_USAGE, "what is `%s`? Try `make help`, or `cyclelab help`",
                            argv[optind - 1]);
        int status = known[found].parse ? known[found].parse(optarg, options) : 0;
        if (status != 0)
            return status;
        if (!known[found].parse)
            memcpy((char *)options + known[found].at, &optarg, sizeof optarg);
    }
    if (optind < argc)
        options->exercise = argv[optind++];
    if (optind < argc)
        return complain(EXIT_USAGE, "one exercise at a time, or none for all: what is `%s`?", argv[optind]);
    if (!find_folders(options))
        return complain(EXIT_SUITE, "cannot find out where this program lies: %s", strerror(errno));
    return 0;
}
