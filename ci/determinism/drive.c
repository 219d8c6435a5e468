/* What the model counts in given programs, so that two systems can be compared by the very same ones.
 *
 *   determinism-drive build FOLDER   FOLDER/ID/VARIANT: baseline, reference and stub of each exercise, as
 * AArch64 determinism-drive count FOLDER   all counters of each of them in each bound's case on each core, a
 * line each
 *
 * In this project's folder; the exercises' cases lie beside this program. Exit status: 0, or 4 with a
 * message. */
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/textfile.h"
#include "grader/build/build.h"
#include "grader/core/core_file.h"
#include "grader/base/sha256.h"
#include "grader/check/model_bench.h"
#include "harness/base/seed.h"

enum { BUDGET = 40 * 1000 * 1000 }; /* a stub may take longer than an answer */

static const char root[] = ".";
static const char *const variants[VARIANT_COUNT] = {"baseline", "stub", "reference"};

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "determinism: %s: %s\n", what, why);
    exit(4);
}

/* ---- build ---- */

static void keep(const char *program, const char *path)
{
    char buffer[65536];
    size_t size;
    FILE *from = fopen(program, "rb"), *to = fopen(path, "wb");
    if (!from || !to)
        give_up(path, "cannot be written");
    while ((size = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, size, to);
    if (ferror(from) || ferror(to) || fclose(to) != 0)
        give_up(path, "cannot be written");
    fclose(from);
}

static void build_exercise(struct workdir *workdir, const struct exercise *exercise, const char *folder)
{
    static const char *const defines[] = {"-DCYCLELAB_PMU=1", NULL}; /* as a check does */
    char path[PATH_MAX];
    struct selection stub;
    snprintf(path, sizeof path, "%s/stub", exercise->folder);
    build_select(exercise, path, ISA_AARCH64, &stub);
    for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
        struct build_result built;
        if (variant == VARIANT_BASELINE && !exercise->baseline)
            continue;
        build_variant(workdir, root, exercise, variant, &stub, ISA_AARCH64, defines, &built);
        snprintf(path, sizeof path, "%s/%s/%s", folder, exercise->id, variants[variant]);
        if (built.outcome != BUILD_OK)
            give_up(path, built.diagnostics);
        keep(built.program, path);
        build_result_free(&built);
    }
    selection_free(&stub);
}

/* ---- count ---- */

/* Everything that the model knows of each instruction, in one word: where each cycle went. */
static void hash_sites(void *state, const struct model_task *task, struct emulator *emulator)
{
    struct sha256 hash = sha256_new();
    size_t count;
    (void)task;
    (void)emulator_code(emulator, &count);
    sha256_part(&hash, model_sites(emulator_model(emulator)), count * sizeof(struct model_site));
    sha256_text(&hash, state);
}

static void count_task(struct arena *arena, const char *program, struct model_task *task)
{
    static const char *const outcomes[] = {"right", "wrong", "broke", "long", "rule", "error"};
    char sites[SHA256_TEXT] = "-";
    struct model_measured measured;
    struct fault_text text;

    task->inspect = hash_sites;
    task->state = sites;
    enum model_outcome outcome = model_measure(task, program, arena, &measured, &text);
    if (outcome == MODEL_WRONG) { /* a stub: what it does counts all the same */
        task->unverified = true;
        model_measure(task, program, arena, &measured, &text);
        task->unverified = false;
    }
    if (outcome == MODEL_ERROR)
        give_up(program, text.message);
    printf(" %s value=%.17g", outcomes[outcome], measured.value);
    for (enum model_event event = 0; event < MODEL_EVENT_COUNT; event++)
        printf(" %s=%" PRIu64, model_event_name(event), measured.counts.value[event]);
    printf(" sites=%.16s\n", sites);
}

static void count_exercise(struct arena *arena, const struct case_table *cases,
                           const struct exercise *exercise, const char *folder, char **cores)
{
    for (; *cores; cores++) {
        struct core core;
        struct error err;
        if (!core_read(root, *cores, &core, &err))
            give_up(*cores, err.text);
        for (unsigned i = 0; i < exercise->bounds_count; i++) {
            const struct bound_spec *bound = &exercise->bounds[i];
            struct model_task task = {.def = case_find(cases, bound->case_name),
                                      .core = &core,
                                      .size = bound->model,
                                      .seed = seed_derive(1, 1000 + i),
                                      .budget = BUDGET};
            for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
                char program[PATH_MAX];
                snprintf(program, sizeof program, "%s/%s/%s", folder, exercise->id, variants[variant]);
                if (variant == VARIANT_BASELINE && !exercise->baseline)
                    continue;
                printf("%s %s %s %s", exercise->id, bound->name, variants[variant], *cores);
                count_task(arena, program, &task);
            }
        }
    }
}

/* ---- all exercises ---- */

static const char *beside(void)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        give_up("/proc/self/exe", "cannot be read");
    path[length] = '\0';
    return dirname(path);
}

static void count_all(char **ids, const char *folder)
{
    struct error err;
    struct arena *arena = arena_create(&err);
    char **cores = arena ? core_list(root, &err) : NULL;
    const char *build = beside();
    if (!cores)
        give_up("the arena or the cores", err.text);
    for (; *ids; ids++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/exercises/%s/cases.so", build, *ids);
        const struct case_table *cases = case_table_load(path, &err);
        struct exercise *exercise = cases ? exercise_read(root, *ids, &err) : NULL;
        if (!exercise)
            give_up(*ids, err.text);
        count_exercise(arena, cases, exercise, folder, cores);
        exercise_free(exercise);
    }
    textfile_names_free(cores);
    arena_destroy(arena);
}

static void build_all(char **ids, const char *folder)
{
    struct error err;
    struct workdir *workdir = workdir_create(&err);
    if (!workdir)
        give_up("the work folder", err.text);
    mkdir(folder, 0755);
    for (; *ids; ids++) {
        char path[PATH_MAX];
        struct exercise *exercise = exercise_read(root, *ids, &err);
        if (!exercise)
            give_up(*ids, err.text);
        snprintf(path, sizeof path, "%s/%s", folder, *ids);
        mkdir(path, 0755);
        build_exercise(workdir, exercise, folder);
        exercise_free(exercise);
    }
    workdir_destroy(workdir);
}

int main(int argc, char **argv)
{
    struct error err;
    char **ids = exercise_list(root, &err);
    if (argc != 3)
        give_up("usage", "determinism-drive build|count FOLDER");
    if (!ids)
        give_up("exercises", err.text);
    if (strcmp(argv[1], "build") == 0)
        build_all(ids, argv[2]);
    else
        count_all(ids, argv[2]);
    textfile_names_free(ids);
    return 0;
}
