/* What is to be checked, each named by all that its outcome follows from. */
#include "grader/class/grade_internal.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/build/build_cache.h"
#include "grader/base/cache.h"
#include "grader/exercise/layout.h"
#include "grader/machine/cpu.h"
#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "harness/emu/emulator.h"

enum { MOST_DEPTH = 4 };

/* ---- the suite's side of a key ---- */

static bool add_file(struct sha256 *hash, const char *path)
{
    sha256_words(hash, textfile_base_name(path));
    return sha256_file(hash, path);
}

/* What a lesson says changes no grade; nor do backups. */
static bool is_of_no_weight(const char *name)
{
    const char *end = strrchr(name, '.');
    return *name == '.' || strcmp(name, "README.md") == 0 || strstr(name, ".bak") ||
           (end && !strcmp(end, ".md"));
}

static void add_folder(struct sha256 *hash, const char *folder, unsigned depth)
{
    DIR *directory = opendir(folder);
    struct strings names = {0};
    const struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (!is_of_no_weight(entry->d_name))
            strings_add(&names, "%s", entry->d_name);
    if (directory)
        closedir(directory);
    strings_sort(&names);
    for (size_t i = 0; i < names.count; i++) {
        struct stat info;
        char *path = textfile_join(folder, names.item[i]);
        if (path && stat(path, &info) == 0 && S_ISDIR(info.st_mode) && depth < MOST_DEPTH)
            add_folder(hash, path, depth + 1);
        else if (path && S_ISREG(info.st_mode))
            add_file(hash, path);
        free(path);
    }
    strings_free(&names);
}

/* What translates and executes: the compilers, the emulators, and natively the processor. */
static void add_machine(const struct grading *g, struct sha256 *hash)
{
    build_identify_compiler(hash, ISA_AARCH64);
    build_identify_tool(hash, "qemu-aarch64");
    sha256_number(hash, emulator_version());
    if (strcmp(g->on, "native") != 0)
        return;
    if (isa_native() != ISA_AARCH64)
        build_identify_compiler(hash, isa_native());
    build_identify_tool(hash, "qemu-x86_64");
    sha256_words(hash, cpu_name());
}

static bool add_suite(struct grading *g, struct sha256 *hash, struct error *err)
{
    struct sha256 tools = sha256_new();
    if (!cache_key(hash)) {
        *hash = sha256_new();
        if (!add_file(hash, "/proc/self/exe"))
            return error_set(err, "cannot read this very program: %s", strerror(errno));
    }
    char *glue = textfile_join(g->request->root, "harness/runner/glue.h"); /* compiled into each glue */
    const bool good = glue && add_file(hash, glue);
    free(glue);
    if (!good)
        return error_set(err, "cannot read harness/runner/glue.h");
    sha256_text(hash, g->suite);
    add_machine(g, &tools);
    sha256_text(&tools, g->tools);
    sha256_words(hash, "grade 2");
    sha256_words(hash, g->on);
    sha256_words(hash, g->tools);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        char *runner = runner_object(isa, "runner.o");
        if (runner)
            add_file(hash, runner);
        free(runner);
    }
    return true;
}

static void add_number(struct sha256 *hash, struct course_number number)
{
    sha256_number(hash, number.given);
    sha256_number(hash, number.value);
}

static void add_exercise(const struct grading *g, const struct grade_exercise *exercise, struct sha256 *hash)
{
    const struct course_exercise *settings = exercise->settings;
    char cases[PATH_MAX];
    add_folder(hash, exercise->exercise->folder, 0);
    add_folder(hash, exercise->exercise->solution, 0);
    case_table_path(g->request->build, exercise->exercise->id, cases, sizeof cases);
    add_file(hash, cases);
    add_number(hash, settings->correctness);
    add_number(hash, settings->largest);
    sha256_number(hash, settings->cases_count);
    for (unsigned i = 0; i < settings->cases_count; i++)
        sha256_words(hash, settings->cases[i]);
    sha256_number(hash, settings->bounds_count);
    for (unsigned i = 0; i < settings->bounds_count; i++) {
        sha256_words(hash, settings->bounds[i].name);
        add_number(hash, settings->bounds[i].limit);
        add_number(hash, settings->bounds[i].points);
        add_number(hash, settings->bounds[i].elements);
    }
}

/* The course's side for one core and seed. It reads the core's file: once an exercise. */
static void add_trial(const struct grading *g, const char *core, const char *seed, struct sha256 *hash)
{
    char *file;
    sha256_words(hash, core ? core : "");
    if (core && asprintf(&file, "%s/harness/model/cores/%s.yml", g->request->root, core) >= 0) {
        add_file(hash, file);
        free(file);
    }
    if (strcmp(g->on, "native") != 0)
        sha256_words(hash, seed);
}

/* All that the course and the exercise's files say: to the jobs' keys, for the history, and without the
 * course's secrets, which could be tried out, for the student. */
static void add_rules(const struct grading *g, struct grade_exercise *exercise, struct sha256 *base)
{
    struct sha256 hash = sha256_new();
    char asked[SHA256_TEXT], points[32];
    add_exercise(g, exercise, &hash);
    sha256_text(&hash, asked);
    sha256_words(base, asked);
    sha256_words(&hash, grade_points(points, exercise->points));
    for (unsigned c = 0; c < exercise->cores.count; c++)
        add_trial(g, exercise->cores.name[c], "", &hash);
    sha256_text(&hash, exercise->public_rules);
    const struct course_seeds *seeds = &exercise->settings->seeds;
    for (unsigned s = 0; s < seeds->count; s++)
        sha256_words(&hash, seeds->name[s]);
    sha256_text(&hash, exercise->rules);
}

/* ---- jobs ---- */

struct known {
    char key[SHA256_TEXT];
    size_t index;
};

static int compare_known(const void *a, const void *b)
{
    return strcmp(((const struct known *)a)->key, ((const struct known *)b)->key);
}

/* The job with this key, a new one if there is none; SIZE_MAX: out of memory. */
static size_t find_job(struct grading *g, void **tree, const struct grade_job *job)
{
    struct known *known = calloc(1, sizeof *known);
    if (!known)
        return SIZE_MAX;
    memcpy(known->key, job->key, sizeof known->key);
    known->index = g->jobs_count;
    struct known **found = tsearch(known, tree, compare_known);
    if (!found || *found != known) {
        free(known);
        return found ? (*found)->index : SIZE_MAX;
    }
    struct grade_job *more = realloc(g->jobs, (g->jobs_count + 1) * sizeof *more);
    if (!more)
        return SIZE_MAX;
    g->jobs = more;
    g->jobs[g->jobs_count] = *job;
    return g->jobs_count++;
}

/* `trials`: what the keys of this exercise begin with, for each core and each seed. */
static bool add_cell(struct grading *g, void **tree, size_t student, size_t e, const struct sha256 *trials)
{
    const struct grade_exercise *exercise = &g->exercises[e];
    const struct grade_entry *entry = &g->class->students[student].entries[e];
    struct grade_cell *cell = grade_cell(g, student, e);
    const struct course_seeds *seeds = &exercise->settings->seeds;
    if (entry->found != FOUND_FILES)
        return true;
    cell->jobs = calloc((size_t)exercise->cores.count * seeds->count + 1, sizeof *cell->jobs);
    if (!cell->jobs)
        return false;
    for (unsigned c = 0; c < exercise->cores.count; c++) {
        for (unsigned s = 0; s < seeds->count; s++) {
            struct grade_job job = {.student = student,
                                    .exercise = e,
                                    .core = exercise->cores.name[c],
                                    .seed = seeds->name[s],
                                    .outcome = {.score = NAN}};
            struct sha256 hash = *trials++;
            sha256_words(&hash, entry->hash);
            sha256_text(&hash, job.key);
            size_t index = find_job(g, tree, &job);
            if (index == SIZE_MAX)
                return false;
            cell->jobs[cell->count++] = index;
            g->jobs[index].ours = g->jobs[index].ours || g->asked[student];
        }
    }
    return true;
}

/* What is kept already. What had no score is tried again: natively a bound can be missed beside one that was
 * too noisy to tell. */
static void look_up(struct grading *g)
{
    for (size_t i = 0; i < g->jobs_count; i++) {
        struct grade_job *job = &g->jobs[i];
        grade_look_up(g, job);
        if (!isfinite(job->outcome.score))
            job->outcome.known = job->outcome.known && !job->ours;
    }
}

static bool add_cells(struct grading *g, void **tree, size_t e, const struct sha256 *suite)
{
    struct grade_exercise *exercise = &g->exercises[e];
    const struct course_seeds *seeds = &exercise->settings->seeds;
    struct sha256 base = *suite;
    struct sha256 *trials = calloc((size_t)exercise->cores.count * seeds->count, sizeof *trials),
                  *next = trials;
    bool good = trials != NULL;
    add_rules(g, exercise, &base);
    for (unsigned c = 0; good && c < exercise->cores.count; c++) {
        for (unsigned s = 0; s < seeds->count; s++) {
            *next = base;
            add_trial(g, exercise->cores.name[c], seeds->name[s], next++);
        }
    }
    for (size_t s = 0; good && s < g->class->students_count; s++)
        good = add_cell(g, tree, s, e, trials);
    free(trials);
    return good;
}

bool grade_make_jobs(struct grading *g, struct error *err)
{
    struct sha256 suite;
    void *tree = NULL;
    if (!add_suite(g, &suite, err))
        return false;
    g->cells = calloc(g->class->students_count * g->exercises_count, sizeof *g->cells);
    bool good = g->cells != NULL;
    for (size_t e = 0; good && e < g->exercises_count; e++)
        good = g->exercises[e].before || add_cells(g, &tree, e, &suite);
    tdestroy(tree, free);
    if (!good)
        return error_set(err, "out of memory");
    grade_take_slice(g);
    look_up(g);
    return grade_recall(g, err);
}

void grade_free_jobs(struct grading *g)
{
    for (size_t i = 0; i < g->jobs_count + g->before_count; i++)
        free(g->jobs[i].outcome.headline);
    for (size_t i = 0; g->cells && i < g->class->students_count * g->exercises_count; i++)
        free(g->cells[i].jobs);
    free(g->jobs);
    free(g->cells);
}
