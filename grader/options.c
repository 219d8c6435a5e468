/* The command line. Long because: it is one table, with a row for each option. */
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

#include "grader/base/textfile.h"
#include "grader/base/seed_text.h"
#include "grader/class/grade.h"
#include "grader/commands.h"
#include "grader/trace/trace.h"
#include "grader/base/strings.h"

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

bool options_find_folders(struct options *options)
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
    if (!options->work)
        options->work = textfile_join(options->root, "work");
    return options->work != NULL;
}

static int parse_patience(const char *value, struct options *options)
{
    char *end;
    options->patience = strtod(value, &end);
    return end != value && *end == '\0' && options->patience >= 1 && options->patience <= 3600
               ? 0
               : complain(EXIT_USAGE, "PATIENCE: expected 1 to 3600 seconds, found `%s`", value);
}

static int parse_seed(const char *value, struct options *options)
{
    options->seed = value;
    return seed_is_good(value)
               ? 0
               : complain(EXIT_USAGE, "SEED: expected 1 to %d letters, digits or hyphens, found `%s`",
                          SEED_MOST, value);
}

static int parse_jobs(const char *value, struct options *options)
{
    char *end;
    options->jobs = (unsigned)strtoul(value, &end, 10);
    if (*value >= '1' && *value <= '9' && *end == '\0' && options->jobs <= 256)
        return 0;
    return complain(EXIT_USAGE, "JOBS: expected a number from 1 to 256, found `%s`", value);
}

static int parse_questions(const char *value, struct options *options)
{
    char *end;
    options->questions = (unsigned)strtoul(value, &end, 10);
    if (*value >= '1' && *value <= '9' && *end == '\0' && options->questions <= 10000)
        return 0;
    return complain(EXIT_USAGE, "QUESTIONS: expected a number from 1 to 10000, found `%s`", value);
}

static int parse_seconds(const char *value, struct options *options)
{
    char *end;
    options->seconds = (unsigned)strtoul(value, &end, 10);
    if (*value >= '1' && *value <= '9' && *end == '\0' && options->seconds <= 3600)
        return 0;
    return complain(EXIT_USAGE, "SECONDS: expected a number from 1 to 3600, found `%s`", value);
}

static int parse_instructions(const char *value, struct options *options)
{
    char *end;
    unsigned long count = strtoul(value, &end, 10);
    options->instructions = (uint32_t)count;
    if (*value >= '1' && *value <= '9' && *end == '\0' && count <= TRACE_MOST)
        return 0;
    return complain(EXIT_USAGE, "N: expected a number of instructions from 1 to %d, found `%s`", TRACE_MOST,
                    value);
}

static int parse_isolation(const char *value, struct options *options)
{
    return isolation_level_parse(value, &options->isolation)
               ? 0
               : complain(EXIT_USAGE, "ISOLATION: expected strict or best, found `%s`", value);
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

#define TEXT(field) .at = offsetof(struct options, field)
#define FLAG(field) TEXT(field) /* a bool: without a `value` it is there or not */
#define BUILDS(name, shown, text)                                                                            \
    {                                                                                                        \
        .variable = (name), .example = (shown), .help = (text), .reach = OF_EVERY_GOAL                       \
    }
const struct option_row option_rows[OPTION_COUNT] = {
    [OPTION_EX] = {.argument = "EX",
                   .variable = "EX",
                   .example = "3",
                   .help = "the exercise: 3, 03 or branch-elimination",
                   TEXT(exercise)},
    [OPTION_EX_OR_ALL] = {.argument = "[EX]",
                          .variable = "EX",
                          .example = "3",
                          .help = "one exercise, 3, 03 or branch-elimination; all without it",
                          TEXT(exercise)},
    [OPTION_EX_OR_BEGUN] = {.argument = "[EX]",
                            .variable = "EX",
                            .example = "3",
                            .help =
                                "one exercise, 3, 03 or branch-elimination; without it, all that you have "
                                "begun (with SUBMISSION: all)",
                            TEXT(exercise)},
    [OPTION_EX_OR_NEXT] = {.argument = "[EX]",
                           .variable = "EX",
                           .example = "3",
                           .help =
                               "this exercise, 3, 03 or branch-elimination; without it, the next one that "
                               "is not passed",
                           TEXT(exercise)},
    [OPTION_EX_LIST] = {.argument = "[EX]",
                        .variable = "EX",
                        .example = "'3 4'",
                        .help = "some exercises only; all without it",
                        TEXT(exercise)},
    [OPTION_EX_NEW] = {.argument = "EX",
                       .variable = "EX",
                       .example = "19-slug",
                       .help = "the new exercise: two digits and a name in lower case",
                       TEXT(exercise)},
    [OPTION_ONE_CORE] = {.argument = "[CORE]",
                         .variable = "CORE",
                         .example = "cortex-a55",
                         .help = "all figures of this one",
                         TEXT(core)},
    [OPTION_COMMAND] = {.argument = "[COMMAND]", .help = "show all options of this command", TEXT(command)},
    [OPTION_ON] = {.flag = "on",
                   .variable = "ON",
                   .value = "native|qemu",
                   .example = "native",
                   .help =
                       "the bench: native (the default) is this machine, qemu a model core (AArch64, exact)",
                   TEXT(on)},
    [OPTION_ON_CLASS] = {.flag = "on",
                         .variable = "ON",
                         .value = "native|qemu",
                         .example = "native",
                         .help = "the bench: native is this machine, qemu a model core (AArch64, exact); "
                                 "default: what the course says, else qemu",
                         TEXT(on)},
    [OPTION_ON_SERVICE] = {.variable = "ON",
                           .example = "native",
                           .help = "the bench: native is the service's machine, qemu (the default) a model "
                                   "core (AArch64, exact)"},
    [OPTION_CORE] = {.flag = "core",
                     .variable = "CORE",
                     .value = "NAME",
                     .example = "cortex-a55",
                     .help = "the model core (ON=qemu), if not the one that the exercise names",
                     TEXT(core)},
    [OPTION_SRC] = {.flag = "src",
                    .variable = "SRC",
                    .value = "DIR",
                    .example = "dir",
                    .help = "another folder with your files, named as in the stub",
                    TEXT(source)},
    [OPTION_WORK] = {.flag = "work",
                     .variable = "WORK",
                     .value = "DIR",
                     .example = "dir",
                     .help = "the folder for your files and your progress (default: work/)",
                     TEXT(work)},
    [OPTION_SUBMISSION] =
        {.flag = "submission",
         .variable = "SUBMISSION",
         .value = "DIR",
         .example = "dir",
         .help = "a student's submission, in any folder (EX may name several exercises: EX='3 4')",
         TEXT(submission)},
    [OPTION_COURSE] = {.flag = "course",
                       .variable = "COURSE",
                       .value = "FILE",
                       .example = "file",
                       .help = "an instructor's rules for submissions: docs/course.md",
                       TEXT(course)},
    [OPTION_QUESTIONS] = {.flag = "questions",
                          .variable = "QUESTIONS",
                          .value = "N",
                          .example = "5",
                          .help = "so many questions (10)",
                          .parse = parse_questions},
    [OPTION_SHEET] = {.flag = "sheet",
                      .variable = "SHEET",
                      .example = "1",
                      .help = "print questions and answers, and ask nothing",
                      FLAG(sheet)},
    [OPTION_SEED] = {.flag = "seed",
                     .variable = "SEED",
                     .value = "TEXT",
                     .example = "text",
                     .help = "repeat the inputs of an earlier run of the same code",
                     .parse = parse_seed},
    [OPTION_SEED_OF_ALL] = {.variable = "SEED",
                            .example = "text",
                            .help = "the seed of every check; without it, a model core's is always the same, "
                                    "and a native check has a new one each time"},
    [OPTION_TRUST_SEED] = {.variable = "SEED",
                           .example = "7",
                           .help = "repeat the order and the inputs of an earlier run"},
    [OPTION_PATIENCE] = {.flag = "patience",
                         .variable = "PATIENCE",
                         .value = "SECONDS",
                         .example = "60",
                         .help = "seconds of native timing (without it, what building leaves of 4 to 9): "
                                 "more for a noisy machine",
                         .parse = parse_patience},
    [OPTION_TRUST_PATIENCE] = {.variable = "PATIENCE",
                               .example = "30",
                               .help = "no students: how far the references' speedups wander, with so many "
                                       "seconds for each check"},
    [OPTION_TURNS] = {.flag = "turns",
                      .value = "FILE",
                      .help = "write every slice of native timing to this file (docs/methodology.md)",
                      TEXT(turns)},
    [OPTION_REPORT] = {.flag = "report",
                       .variable = "REPORT",
                       .value = "FORMAT:FILE",
                       .example = "json:FILE",
                       .help = "the result as JSON too (or junit:FILE, tap:FILE, ...: docs/formats.md)",
                       TEXT(report)},
    [OPTION_FORCE] = {.flag = "force",
                      .variable = "FORCE",
                      .example = "1",
                      .help = "even before you have passed",
                      FLAG(force)},
    [OPTION_GDB] = {.flag = "gdb", .value = "PROGRAM", .help = "a gdb other than gdb-multiarch", TEXT(gdb)},
    [OPTION_CASE] = {.flag = "case",
                     .variable = "CASE",
                     .value = "NAME",
                     .example = "name",
                     .help = "a case other than that of the bound of most points",
                     TEXT(case_name)},
    [OPTION_VARIANT] = {.flag = "variant",
                        .variable = "VARIANT",
                        .value = "student|baseline|reference",
                        .example = "reference",
                        .help = "the baseline or the reference instead of your files",
                        TEXT(variant)},
    [OPTION_RUN_SECONDS] = {.flag = "seconds",
                            .variable = "SECONDS",
                            .value = "N",
                            .example = "10",
                            .help = "how long it runs (3)",
                            .parse = parse_seconds},
    [OPTION_PLOT] = {.flag = "out",
                     .variable = "OUT",
                     .value = "FILE.svg",
                     .example = "FILE.svg",
                     .help = "where the plot goes",
                     TEXT(out)},
    [OPTION_COUNT_OF] = {.flag = "count",
                         .variable = "N",
                         .value = "N",
                         .example = "40",
                         .help = "number of instructions (default 40)",
                         .parse = parse_instructions},
    [OPTION_PICTURE] = {.flag = "out",
                        .variable = "OUT",
                        .value = "FILE.svg|.html|.kanata",
                        .example = "FILE.html",
                        .help = "a picture, or a log for Konata, by the file's ending",
                        TEXT(out)},
    [OPTION_SUBMISSIONS] =
        {.flag = "submissions",
         .variable = "SUBMISSIONS",
         .value = "DIR|FILE.zip",
         .example = "dir",
         .help = "a folder for each student, or what Canvas, Moodle, Brightspace and others export",
         TEXT(submissions)},
    [OPTION_WORKSHEET_OUT] = {.variable = "OUT",
                              .example = "worksheet.html",
                              .help = "the page's file (worksheet.html)"},
    [OPTION_SITE_OUT] = {.variable = "OUT",
                         .example = "dir",
                         .help =
                             "the pages' folder (build/site): a new one, an empty one or an earlier site"},
    [OPTION_OUT] = {.flag = "out",
                    .variable = "OUT",
                    .value = "DIR",
                    .example = "dir",
                    .help = "the output folder; grades of earlier runs stay in it",
                    TEXT(out)},
    [OPTION_SAMPLE] = {.variable = "OUT",
                       .example = "dir",
                       .help = "the folder that the submissions are written to: a new one, or an empty one"},
    [OPTION_JOBS] = {.flag = "jobs",
                     .variable = "JOBS",
                     .value = "N",
                     .example = "n",
                     .help = "number of checks that run at the same time",
                     .parse = parse_jobs},
    [OPTION_ISOLATION] = {.flag = "isolation",
                          .variable = "ISOLATION",
                          .value = "strict|best",
                          .example = "strict",
                          .help =
                              "strict: do not start without limits, Landlock, seccomp and an unprivileged "
                              "user (make info lists them)",
                          .parse = parse_isolation},
    [OPTION_ONLY] = {.flag = "only",
                     .value = "STUDENT",
                     .help = "this student's work only; again for more of them",
                     .again = true,
                     .parse = parse_only},
    [OPTION_SLICE] = {.flag = "slice",
                      .variable = "SLICE",
                      .value = "I/N",
                      .example = "1/8",
                      .help = "one of N parts, without pages",
                      .parse = parse_slice},
    [OPTION_DRY_RUN] = {.flag = "dry-run",
                        .variable = "DRY_RUN",
                        .example = "1",
                        .help = "check nothing and change no page: tell what would be checked anew, and why",
                        FLAG(dry_run)},
    [OPTION_STUDENT] = {.flag = "student",
                        .variable = "STUDENT",
                        .value = "FOLDER",
                        .example = "folder",
                        .help = "the student's folder in OUT/students, as the gradebook has it",
                        TEXT(student)},
    [OPTION_OUT_THERE] = {.flag = "out",
                          .variable = "OUT",
                          .value = "DIR",
                          .example = "dir",
                          .help = "the folder of an earlier grading",
                          TEXT(out)},
    [OPTION_PLAN] = {.flag = "plan",
                     .value = "N",
                     .help = "check nothing: tell what each of N parts lacks",
                     .parse = parse_plan},
    [OPTION_GATHER] = {.flag = "gather",
                       .value = "N",
                       .help = "check nothing: make pages of what N parts left",
                       .parse = parse_gather},
    [OPTION_ROOT] = {.flag = "root",
                     .value = "DIR",
                     .help = "the project's folder, if it is not found from where this program lies",
                     .reach = OF_EVERY_COMMAND,
                     TEXT(root)},
    [OPTION_HELP] = {.flag = "help",
                     .help = "what this command takes",
                     .reach = OF_EVERY_COMMAND,
                     FLAG(help)},

    [OPTION_SLICES] = {.variable = "SLICES", .example = "10", .help = "in so many parts"},
    [OPTION_FEATURE] = {.variable = "FEATURE",
                        .example = "name",
                        .help = "only nodes that have this feature"},
    [OPTION_FOR] = {.variable = "FOR",
                    .example = "grading",
                    .help = "grading: no more than grading a class needs; tests: what the tests need, too"},
    [OPTION_RUNS] = {.variable = "RUNS", .example = "80", .help = "how often each is measured"},
    [OPTION_BOUNDS] = {.variable = "BOUNDS",
                       .example = "main",
                       .help = "of each exercise only the bound of the most points"},
    [OPTION_RECORD] = {.variable = "RECORD",
                       .example = "file",
                       .help = "where each check is noted, to go on from (trust.jsonl)"},
    [OPTION_TWINS] = {.variable = "TWINS",
                      .example = "500",
                      .help = "no students: so many checks of the same code against itself (A/A)"},
    [OPTION_TARGET] = {.variable = "TARGET", .example = "course", .help = "one harness of ci/fuzz"},
    [OPTION_SECONDS] = {.variable = "SECONDS", .example = "1200", .help = "for so long"},
    [OPTION_MANIFEST] = {.variable = "MANIFEST",
                         .example = "file",
                         .help = "other kernels, as ci/hardware describes them"},
    [OPTION_CODE] = {.variable = "CODE", .example = "dir", .help = "where the manifest's checkouts lie"},
    [OPTION_WRITE] = {.variable = "WRITE",
                      .example = "docs/model.md",
                      .help = "where tables go: a page (hardware), or 1: into their pages (figures)"},
    [OPTION_LINT_WORK] = {.variable = "LINT_WORK",
                          .example = "",
                          .help = "empty: do not ask that nothing in work/ is tracked"},
    [OPTION_TEST] = {.variable = "TEST", .example = "name", .help = "of this name only"},
    [OPTION_ONLY_TESTS] = {.variable = "ONLY",
                           .example = "words",
                           .help = "only tests that have this in their names (figures: or pages; or tables, "
                                   "pictures, transcripts, natives)"},

    [OPTION_V] = BUILDS("V", "1", "show the commands that build; V=0: a line for each file"),
    [OPTION_BUILD] = BUILDS("BUILD", "dir", "another folder than build/ for all that is built"),
    [OPTION_CC] = BUILDS("CC", "clang", "another compiler for the suite"),
    [OPTION_CFLAGS] = BUILDS("CFLAGS", "'-O0 -g'", "its flags"),
    [OPTION_LDFLAGS] = BUILDS("LDFLAGS", "flags", "the linker's"),
    [OPTION_SANITIZE] = BUILDS("SANITIZE", "-fsanitize=address", "flags for both"),
};

/* ---- parsing ---- */

static bool is_for(const struct command *command, enum option_id id)
{
    return option_rows[id].reach == OF_EVERY_COMMAND || command_takes(command, id);
}

/* "EX, --on, --core"; "" where it takes nothing. */
static void list_options(const struct command *command, char *text, size_t size)
{
    const struct option_row *row;
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; used < size && (row = command_option(command, i)); i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", i > 0 ? ", " : "", row->flag ? "--" : "",
                                 row->flag ? row->flag : row->argument);
    }
}

static int complain_of_option(const struct command *command, const char *typed)
{
    char list[400];
    list_options(command, list, sizeof list);
    return complain(EXIT_USAGE, "`%s` does not take `%s`; it takes %s (`cyclelab help %s` tells more)",
                    command->name, typed, *list ? list : "nothing", command->name);
}

/* make says --force=1 for FORCE=1. */
static int take_bool(const struct option_row *row, const char *value, struct options *options)
{
    const bool yes = true;
    if (value && strcmp(value, "1") != 0)
        return complain(EXIT_USAGE, "%s: expected 1, or no %s at all, found `%s`", row->variable,
                        row->variable, value);
    memcpy((char *)options + row->at, &yes, sizeof yes);
    return 0;
}

static int take(enum option_id id, char *value, struct options *options)
{
    const struct option_row *row = &option_rows[id];
    if (row->parse)
        return row->parse(value, options);
    if (!row->value && !row->argument)
        return take_bool(row, value, options);
    memcpy((char *)options + row->at, &value, sizeof value);
    return 0;
}

enum { FIRST = 256 }; /* no character: what getopt calls our options from here on */

/* A second one would take the first one's place in silence. */
static int take_flag(const struct command *command, enum option_id id, bool *given, struct options *options)
{
    if (given[id] && option_rows[id].value && !option_rows[id].again)
        return complain(EXIT_USAGE, "`--%s` is there twice: `%s` takes one", option_rows[id].flag,
                        command->name);
    given[id] = true;
    return take(id, optarg, options);
}

/* What stands behind the command without a flag. */
static int take_argument(const struct command *command, char *value, struct options *options)
{
    const struct option_row *row;
    for (size_t i = 0; (row = command_option(command, i)); i++)
        if (row->argument)
            return take(command->takes[i], value, options);
    return complain_of_option(command, value);
}

static int kind_of_flag(const struct option_row *row)
{
    return row->value ? required_argument : row->variable ? optional_argument : no_argument;
}

/* An unknown one, as it was typed; of letters behind a single hyphen the one that is unknown. */
static int refuse_flag(const struct command *command, const char *word)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    return complain_of_option(command, optopt > 0 && optopt < FIRST ? letter : word);
}

int options_parse(const struct command *command, int argc, char **argv, struct options *options)
{
    struct option list[OPTION_COUNT + 1] = {{0}};
    bool given[OPTION_COUNT] = {false};
    int found, count = 0, status = 0;
    for (enum option_id id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (option_rows[id].flag && is_for(command, id))
            list[count++] =
                (struct option){option_rows[id].flag, kind_of_flag(&option_rows[id]), NULL, FIRST + (int)id};
    opterr = 0; /* it would speak of things that nobody typed */
    optind = 0;
    while (status == 0 && (found = getopt_long(argc, argv, ":", list, NULL)) != -1) {
        if (found == ':')
            status = complain(EXIT_USAGE, "`%s` needs a value behind it (`cyclelab help %s` tells more)",
                              argv[optind - 1], command->name);
        else if (found == '?')
            status = refuse_flag(command, argv[optind - 1]);
        else
            status = take_flag(command, (enum option_id)(found - FIRST), given, options);
    }
    if (status == 0 && optind < argc)
        status = take_argument(command, argv[optind++], options);
    if (status == 0 && optind < argc)
        status = complain(EXIT_USAGE, "one exercise at a time, or none for all: what is `%s`?", argv[optind]);
    if (status == 0 && !options_find_folders(options))
        status = complain(EXIT_SUITE,
                          "cannot find out where this program lies: /proc/self/exe: %s; is /proc mounted?",
                          strerror(errno));
    return status;
}
