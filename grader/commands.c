#include "grader/commands.h"

#include <string.h>

#include "grader/base/strings.h"

const char *const command_groups[GROUP_COUNT] = {
    [GROUP_BEGIN] = "To begin",
    [GROUP_STUDENTS] = "For students",
    [GROUP_INSTRUCTORS] = "For instructors",
    [GROUP_SUITE] = "For those who work on the suite",
};

const struct command commands[COMMAND_COUNT] = {
    [COMMAND_HELP] = {.name = "help",
                      .group = GROUP_BEGIN,
                      .kind = IN_PROGRAM | IN_MAKE,
                      .takes = {OPTION_COMMAND},
                      .summary = "show this list",
                      .more = "`cyclelab help COMMAND` shows all options of one command."},
    [COMMAND_SETUP] =
        {.name = "setup",
         .group = GROUP_BEGIN,
         .kind = IN_MAKE,
         .takes = {OPTION_FOR},
         .summary = "install the packages that are needed (Debian, Ubuntu) or list them; combine it with "
                    "others: make setup check EX=3, make setup test",
         .more = "It installs what `ci/packages.txt` lists, and does nothing if all of it is installed."},

    [COMMAND_BEGIN] =
        {.name = "begin",
         .group = GROUP_STUDENTS,
         .kind = IN_PROGRAM,
         .takes = {OPTION_EX, OPTION_WORK},
         .example = "EX=3",
         .summary = "copy the exercise's stub to work/03-branch-elimination/ for you to edit",
         .more = "`check` and `watch` of an exercise do this too. Your files are never overwritten."},
    [COMMAND_CHECK] =
        {.name = "check",
         .group = GROUP_STUDENTS,
         .kind = IN_PROGRAM | IS_BUILT,
         .takes = {OPTION_EX_OR_BEGUN, OPTION_ON, OPTION_CORE, OPTION_SRC, OPTION_WORK, OPTION_SUBMISSION,
                   OPTION_COURSE, OPTION_SEED, OPTION_PATIENCE, OPTION_TURNS, OPTION_REPORT},
         .example = "EX=3",
         .summary = "build and grade an exercise (3, 03 or its name); without EX, all that you have begun",
         .more = "With `SUBMISSION`, `EX` may name several: `EX='3 4'`."},
    [COMMAND_HINT] = {.name = "hint",
                      .group = GROUP_STUDENTS,
                      .kind = IN_PROGRAM,
                      .takes = {OPTION_EX, OPTION_WORK},
                      .example = "EX=3",
                      .summary = "show the next hint; the last one is nearly the answer"},
    [COMMAND_STATUS] = {.name = "status",
                        .group = GROUP_STUDENTS,
                        .kind = IN_PROGRAM,
                        .takes = {OPTION_WORK},
                        .summary = "show your progress"},
    [COMMAND_RESET] = {.name = "reset",
                       .group = GROUP_STUDENTS,
                       .kind = IN_PROGRAM,
                       .takes = {OPTION_EX, OPTION_WORK},
                       .example = "EX=3",
                       .summary = "restore the stub; your edited files become NAME.bak"},
    [COMMAND_SOLUTION] = {.name = "solution",
                          .group = GROUP_STUDENTS,
                          .kind = IN_PROGRAM,
                          .takes = {OPTION_EX, OPTION_WORK, OPTION_FORCE},
                          .example = "EX=3",
                          .summary =
                              "show the reference solution after you have passed (with FORCE=1: before)"},
    [COMMAND_WATCH] = {.name = "watch",
                       .group = GROUP_STUDENTS,
                       .kind = IN_PROGRAM | IS_BUILT,
                       .takes = {OPTION_EX_OR_NEXT, OPTION_ON, OPTION_CORE, OPTION_SRC, OPTION_WORK,
                                 OPTION_SEED, OPTION_PATIENCE, OPTION_REPORT},
                       .summary =
                           "check again each time you save a file, with a key for hint, explain, sweep, "
                           "predict, list and next; without EX, the next exercise not passed"},
    [COMMAND_PREDICT] = {.name = "predict",
                         .group = GROUP_STUDENTS,
                         .kind = IN_PROGRAM,
                         .takes = {OPTION_EX, OPTION_WORK},
                         .example = "EX=4",
                         .summary = "guess a figure before you measure it; the next check tells how near "
                                    "you were, and why"},
    [COMMAND_RUN] = {.name = "run",
                     .group = GROUP_STUDENTS,
                     .kind = IN_PROGRAM | IS_BUILT,
                     .takes = {OPTION_EX, OPTION_SRC, OPTION_WORK, OPTION_CASE, OPTION_VARIANT,
                               OPTION_RUN_SECONDS},
                     .example = "EX=3",
                     .summary = "make your answer a program that runs one case again and again, for gdb, "
                                "perf and other tools, and run it"},
    [COMMAND_PERF] = {.name = "perf",
                      .group = GROUP_STUDENTS,
                      .kind = IN_PROGRAM | IS_BUILT,
                      .takes = {OPTION_EX, OPTION_SRC, OPTION_WORK, OPTION_CASE, OPTION_VARIANT,
                                OPTION_RUN_SECONDS},
                      .example = "EX=3",
                      .summary = "the same with this machine's counters, and what they say to look at"},
    [COMMAND_DEBUG] = {.name = "debug",
                       .group = GROUP_STUDENTS,
                       .kind = IN_PROGRAM | IS_BUILT,
                       .takes = {OPTION_EX, OPTION_ON, OPTION_SRC, OPTION_WORK, OPTION_GDB},
                       .example = "EX=3",
                       .summary = "gdb at the call that the last check found wrong; ON=qemu: the AArch64 "
                                  "build under qemu-aarch64"},
    [COMMAND_EXPLAIN] = {.name = "explain",
                         .group = GROUP_STUDENTS,
                         .kind = IN_PROGRAM | IS_BUILT,
                         .takes = {OPTION_EX, OPTION_CORE, OPTION_SRC, OPTION_WORK, OPTION_CASE,
                                   OPTION_VARIANT, OPTION_SEED},
                         .example = "EX=3",
                         .summary = "show where the cycles go on a model core, and what bounds the loop",
                         .more = "docs/explain.md explains how to read it."},
    [COMMAND_TRACE] = {.name = "trace",
                       .group = GROUP_STUDENTS,
                       .kind = IN_PROGRAM | IS_BUILT,
                       .takes = {OPTION_EX, OPTION_CORE, OPTION_SRC, OPTION_WORK, OPTION_CASE, OPTION_VARIANT,
                                 OPTION_SEED, OPTION_COUNT_OF, OPTION_PICTURE},
                       .example = "EX=4",
                       .summary = "show the model's pipeline, instruction by instruction: as text, a picture "
                                  "or a log for Konata",
                       .more = "docs/trace.md explains how to read it."},
    [COMMAND_SWEEP] =
        {.name = "sweep",
         .group = GROUP_STUDENTS,
         .kind = IN_PROGRAM | IS_BUILT,
         .takes = {OPTION_EX, OPTION_ON, OPTION_CORE, OPTION_SEED, OPTION_PLOT},
         .example = "EX=4",
         .summary = "measure the reference over a range of the exercise's parameter, natively or on a model "
                    "core, as a table and a plot",
         .more = "An exercise without a parameter says so. docs/explain.md shows an example."},
    [COMMAND_DRILL] =
        {.name = "drill",
         .group = GROUP_STUDENTS,
         .kind = IN_PROGRAM,
         .takes = {OPTION_CORE, OPTION_WORK, OPTION_SEED, OPTION_QUESTIONS, OPTION_SHEET},
         .example = "QUESTIONS=5",
         .summary = "answer short questions about loops; what was wrong comes back",
         .more = "The answers are the core model's. `SHEET=1` prints questions with answers instead."},
    [COMMAND_WORKSHEET] =
        {.name = "worksheet",
         .group = GROUP_STUDENTS,
         .kind = IN_MAKE,
         .takes = {OPTION_WORKSHEET_OUT, OPTION_WORK},
         .example = "OUT=worksheet.html",
         .summary = "make a page to write investigations down in; it downloads as Word, Excel and PDF",
         .more = "It works without a network. To build it takes Node and npm."},
    [COMMAND_SITE] =
        {.name = "site",
         .group = GROUP_STUDENTS,
         .kind = IN_MAKE | IS_FOR_TESTS,
         .takes = {OPTION_SITE_OUT},
         .example = "OUT=dir",
         .summary = "make web pages of the docs, lessons and drills, with a search, to read offline",
         .more = "It takes pandoc and Python. A link that leads nowhere is told with file and line."},
    [COMMAND_INFO] = {.name = "info",
                      .group = GROUP_STUDENTS,
                      .kind = IN_PROGRAM,
                      .summary =
                          "show this machine: clocks, counters, caches, and how to get better verdicts"},
    [COMMAND_CORES] = {.name = "cores",
                       .group = GROUP_STUDENTS,
                       .kind = IN_PROGRAM,
                       .takes = {OPTION_ONE_CORE},
                       .summary =
                           "list the model cores; with CORE=cortex-a55 all figures of one and their sources"},

    [COMMAND_GRADE] = {.name = "grade",
                       .group = GROUP_INSTRUCTORS,
                       .kind = IN_PROGRAM | IS_BUILT,
                       .takes = {OPTION_EX_LIST, OPTION_SUBMISSIONS, OPTION_OUT, OPTION_COURSE,
                                 OPTION_ON_CLASS, OPTION_CORE, OPTION_JOBS, OPTION_ISOLATION, OPTION_SLICE,
                                 OPTION_ONLY, OPTION_DRY_RUN, OPTION_PLAN, OPTION_GATHER},
                       .example = "SUBMISSIONS=dir OUT=dir",
                       .summary = "grade a class: a folder for each student gives a gradebook and reports",
                       .more = "With `EX` only these exercises are graded; earlier grades of the others in "
                               "`OUT` stay in the gradebook. docs/course.md explains the rest."},
    [COMMAND_COURSE] = {.name = "course",
                        .group = GROUP_INSTRUCTORS,
                        .kind = IN_PROGRAM | IS_BUILT,
                        .takes = {OPTION_COURSE, OPTION_EX_LIST, OPTION_ON_CLASS, OPTION_CORE, OPTION_JOBS,
                                  OPTION_ISOLATION},
                        .example = "COURSE=file",
                        .summary =
                            "prove a course's rules before term: by them every reference has to get all "
                            "points, and no stub to pass"},
    [COMMAND_FORGET] = {.name = "forget",
                        .group = GROUP_INSTRUCTORS,
                        .kind = IN_PROGRAM,
                        .takes = {OPTION_OUT_THERE, OPTION_STUDENT},
                        .example = "OUT=dir STUDENT=folder",
                        .summary = "remove one student's data from the folder of a class's grades",
                        .more = "The submission itself is yours to remove: as long as it is there, `grade` "
                                "grades it again."},
    [COMMAND_SLURM] =
        {.name = "slurm",
         .group = GROUP_INSTRUCTORS,
         .kind = IN_MAKE,
         .takes = {OPTION_EX_LIST, OPTION_SUBMISSIONS, OPTION_OUT, OPTION_COURSE, OPTION_ON_CLASS,
                   OPTION_CORE, OPTION_JOBS, OPTION_ISOLATION, OPTION_SLICES, OPTION_FEATURE},
         .example = "SUBMISSIONS=dir OUT=dir",
         .summary = "grade a class on a cluster, as a job array",
         .more = "`JOBS` is the number of CPUs of each slice. docs/instructors.md explains the rest."},
    [COMMAND_SAMPLE_CLASS] = {.name = "sample-class",
                              .group = GROUP_INSTRUCTORS,
                              .kind = IN_MAKE,
                              .takes = {OPTION_SAMPLE},
                              .example = "OUT=dir",
                              .summary = "write eight submissions to try grading with"},
    [COMMAND_GRADESCOPE] = {.name = "gradescope",
                            .group = GROUP_INSTRUCTORS,
                            .kind = IN_MAKE,
                            .takes = {OPTION_EX_LIST, OPTION_COURSE, OPTION_ON_SERVICE, OPTION_CORE,
                                      OPTION_SEED_OF_ALL},
                            .example = "EX=3",
                            .summary = "make build/gradescope.zip, an autograder to upload"},
    [COMMAND_PRAIRIELEARN] =
        {.name = "prairielearn",
         .group = GROUP_INSTRUCTORS,
         .kind = IN_MAKE,
         .takes = {OPTION_EX_LIST, OPTION_COURSE, OPTION_ON_SERVICE, OPTION_CORE, OPTION_SEED_OF_ALL},
         .example = "EX=3",
         .summary = "make build/prairielearn/, the image of an external grader for PrairieLearn"},
    [COMMAND_AUTOLAB] = {.name = "autolab",
                         .group = GROUP_INSTRUCTORS,
                         .kind = IN_MAKE,
                         .takes = {OPTION_EX_LIST, OPTION_COURSE, OPTION_ON_SERVICE, OPTION_CORE,
                                   OPTION_SEED_OF_ALL},
                         .example = "EX=3",
                         .summary = "make build/autolab/, the files of an Autolab assessment"},
    [COMMAND_CLASSROOM50] = {.name = "classroom50",
                             .group = GROUP_INSTRUCTORS,
                             .kind = IN_MAKE,
                             .takes = {OPTION_EX_LIST, OPTION_COURSE, OPTION_ON_SERVICE, OPTION_CORE,
                                       OPTION_SEED_OF_ALL},
                             .example = "EX=3",
                             .summary =
                                 "make build/classroom50/, an assignment's autograder for Classroom 50"},

    [COMMAND_NEW] = {.name = "new",
                     .group = GROUP_SUITE,
                     .kind = IN_MAKE,
                     .takes = {OPTION_EX_NEW},
                     .example = "EX=19-slug",
                     .summary = "write a new exercise that builds, to be filled in (docs/authoring.md)"},
    [COMMAND_ALL] = {.name = "all", .group = GROUP_SUITE, .kind = IN_MAKE, .summary = "build everything"},
    [COMMAND_TEST] = {.name = "test",
                      .group = GROUP_SUITE,
                      .kind = IN_MAKE | IS_FOR_TESTS,
                      .summary = "run everything: tests, sanitizers, coverage and lint"},
    [COMMAND_UNIT] = {.name = "unit",
                      .group = GROUP_SUITE,
                      .kind = IN_MAKE | IS_FOR_TESTS,
                      .takes = {OPTION_TEST},
                      .summary =
                          "run the unit tests, or with TEST=suite/name those of this name (* for any)"},
    [COMMAND_SCRIPT] = {.name = "script",
                        .group = GROUP_SUITE,
                        .kind = IN_MAKE | IS_FOR_TESTS,
                        .takes = {OPTION_TEST, OPTION_ONLY_TESTS},
                        .example = "TEST=grade",
                        .summary =
                            "run one script of ci/tests; with ONLY=words only its tests with these words in "
                            "their names"},
    [COMMAND_COVERAGE] = {.name = "coverage",
                          .group = GROUP_SUITE,
                          .kind = IN_MAKE | IS_FOR_TESTS,
                          .summary = "run the tests with coverage; it must reach 90 % of the lines"},
    [COMMAND_ACCURACY] = {.name = "accuracy",
                          .group = GROUP_SUITE,
                          .kind = IN_MAKE | IS_FOR_TESTS,
                          .summary =
                              "compare the core model with published figures and llvm-mca; writes the tables "
                              "in docs/model.md"},
    [COMMAND_HARDWARE] =
        {.name = "hardware",
         .group = GROUP_SUITE,
         .kind = IN_MAKE | IS_FOR_TESTS,
         .takes = {OPTION_MANIFEST, OPTION_CODE, OPTION_WRITE},
         .summary = "compare the core model with kernels measured on hardware: its own (writes a table in "
                    "docs/model.md), or a manifest's"},
    [COMMAND_FIGURES] =
        {.name = "figures",
         .group = GROUP_SUITE,
         .kind = IN_MAKE | IS_FOR_TESTS,
         .takes = {OPTION_ONLY_TESTS, OPTION_WRITE},
         .example = "ONLY=errata",
         .summary =
             "make the figures of docs/ and the lessons' pictures again, and hold the pages against them"},
    [COMMAND_DECODE] = {.name = "decode",
                        .group = GROUP_SUITE,
                        .kind = IN_MAKE | IS_FOR_TESTS,
                        .summary = "compare the AArch64 decoder with the emulator on the exercises, libc and "
                                   "random words; list what is not modelled"},
    [COMMAND_BENCH] =
        {.name = "bench",
         .group = GROUP_SUITE,
         .kind =
             IN_MAKE | IS_FOR_TESTS,
         .takes = {OPTION_RUNS},
         .example = "RUNS=80",
         .summary =
             "measure the CPU time of whole checks, and the core model's speed relative to plain emulation"},
    [COMMAND_FUZZ] = {.name = "fuzz",
                      .group = GROUP_SUITE,
                      .kind = IN_MAKE | IS_FOR_TESTS,
                      .takes = {OPTION_TARGET, OPTION_SECONDS},
                      .example = "TARGET=course SECONDS=1200",
                      .summary =
                          "run libFuzzer on the parsers of people's files; every target for a minute by "
                          "default"},
    [COMMAND_TRUST] =
        {.name = "trust",
         .group = GROUP_SUITE,
         .kind =
             IN_MAKE | IS_FOR_TESTS,
         .takes = {OPTION_EX_OR_ALL, OPTION_RUNS, OPTION_BOUNDS, OPTION_TWINS, OPTION_TRUST_PATIENCE,
                   OPTION_RECORD, OPTION_TRUST_SEED},
         .example = "RUNS=10",
         .summary = "count wrong verdicts under memory load, sitting after sitting (docs/methodology.md)"},
    [COMMAND_LINT] = {.name = "lint",
                      .group = GROUP_SUITE,
                      .kind = IN_MAKE | IS_FOR_TESTS,
                      .takes = {OPTION_LINT_WORK},
                      .summary = "check formatting, static analysis and the project's own rules"},
    [COMMAND_FORMAT] = {.name = "format",
                        .group = GROUP_SUITE,
                        .kind = IN_MAKE | IS_FOR_TESTS,
                        .summary = "run clang-format on every C file"},
    [COMMAND_COMPILE_COMMANDS] =
        {.name = "compile_commands.json",
         .group = GROUP_SUITE,
         .kind = IN_MAKE,
         .summary = "write the compiler's arguments for each file, for editors and clang's tools"},
    [COMMAND_GENERATED] = {.name = "generated",
                           .group = GROUP_SUITE,
                           .kind = IN_MAKE,
                           .summary =
                               "write the files that come from the table of commands: make's part of it, "
                               "this list, the docs and the man page"},
    [COMMAND_CLEAN] = {.name = "clean",
                       .group = GROUP_SUITE,
                       .kind = IN_MAKE,
                       .summary = "remove what was built (not work/)"},
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

const char *command_nearest(const char *typed)
{
    const char *nearest = NULL;
    size_t least = 3; /* that many letters wrong is another word */
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        size_t distance = strings_distance(typed, commands[i].name);
        if (distance < least && distance < strlen(commands[i].name)) {
            least = distance;
            nearest = commands[i].name;
        }
    }
    return nearest;
}

bool command_takes(const struct command *command, enum option_id option)
{
    for (size_t i = 0; i < COMMAND_TAKES && command->takes[i] != OPTION_END; i++)
        if (command->takes[i] == option)
            return true;
    return false;
}

const struct option_row *command_option(const struct command *command, size_t i)
{
    return i < COMMAND_TAKES && command->takes[i] != OPTION_END ? &option_rows[command->takes[i]] : NULL;
}
