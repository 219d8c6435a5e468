/* make bench, the second half: how fast is the model? Loops of kernels.S, emulated plainly, with hooks that
 * do nothing (the floor), without a core, and with cores in order and out of order; side by side and in turn,
 * since the machine is never as fast as it was a second ago. Best of all rounds. A model has a thread of its
 * own where there are two CPUs. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grader/core/core_file.h"
#include "harness/emu/emulator_internal.h"
#include "harness/base/progress.h"
#include "harness/base/rng.h"
#include "harness/runner/target/runner.h"

enum {
    COUNT = 1 << 16, /* elements a run: some milliseconds, that one may fall between two disturbances */
    WALK = 1 << 20 /* elements: 4 MiB, as in exercise 2 */,
    LOW = 300,
    HIGH = 700,
    BELOW = 1000
};
enum { ROUNDS = 80, FEATURES = 255 };

struct bench_args {
    int32_t *values;
    const uint32_t *index;
    uint64_t count;
    int32_t low, high;
};

/* In the order of plan_entries in kernels.S. */
static const struct {
    const char *name;
    bool far;          /* all over the whole of the array */
    unsigned least[2]; /* percent of the floor that a core in order and one out of order should reach; 0: none
                          asked */
} kernels[] = {{"load, select, store", false, {40, 35}},
               {"load, add, store", false, {40, 35}},
               {"registers only", false, {0, 0}},
               {"random branches", false, {20, 20}},
               {"shuffled walk", true, {35, 35}}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

enum mode { PLAIN, HOOKS, NO_CORE, IN_ORDER, OUT_OF_ORDER, MODES };
static const char *const mode_names[MODES] = {"plain", "hooks", "no core", "cortex-a55", "neoverse-n1"};

static struct arena *arena;
static struct bench_args *args;

static void give_up(const char *text)
{
    fprintf(stderr, "bench: %s\n", text);
    exit(4);
}

static void fill(unsigned kernel)
{
    static struct rng rng = {1}; /* new contents each time: the model is not to learn them by heart */
    for (uint32_t i = 0; i < COUNT; i++)
        args->values[i] = (int32_t)rng_below(&rng, BELOW);
    uint32_t *index = (uint32_t *)args->index;
    for (uint32_t i = 0; i < COUNT; i++)
        index[i] = kernels[kernel].far ? (uint32_t)rng_below(&rng, WALK) : i;
}

static void lay_out(void)
{
    args = arena_alloc(arena, sizeof *args, 64, PLAN_READ, ARENA_AT_START);
    int32_t *values = arena_alloc(arena, WALK * sizeof *values, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    uint32_t *index = arena_alloc(arena, COUNT * sizeof *index, 64, PLAN_READ, ARENA_AT_START);
    void *result = arena_alloc(arena, 64, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    if (!args || !values || !index || !result)
        give_up("no room in the arena");
    *args = (struct bench_args){values, index, COUNT, LOW, HIGH};
    struct plan *plan = arena_plan(arena);
    plan->calls = 1;
    plan->args = (uint64_t)args;
    plan->results = (uint64_t)result;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Unicorn by itself ---- */

static uint64_t counted;

static void empty_code(uc_engine *uc, uint64_t address, uint32_t size, void *context)
{
    (void)uc;
    (void)address;
    (void)size;
    (void)context;
    counted++;
}

static void empty_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                         void *context)
{
    (void)uc;
    (void)type;
    (void)address;
    (void)size;
    (void)value;
    (void)context;
}

static uc_engine *plain_machine(const struct image *image, bool hooks)
{
    uc_engine *uc;
    uc_hook hook;
    const struct plan *plan = arena_plan(arena);
    if (uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &uc) != UC_ERR_OK)
        give_up("Unicorn does not start");
    uc_ctl_set_cpu_model(uc, UC_CPU_ARM64_MAX);
    for (unsigned i = 0; i < image->segment_count; i++)
        uc_mem_map_ptr(uc, image->segments[i].address, image->segments[i].size, UC_PROT_READ | UC_PROT_EXEC,
                       image->segments[i].bytes);
    for (unsigned i = 0; i < plan->region_count; i++) {
        const struct plan_region *region = &plan->regions[i];
        void *bytes = (void *)region->address;
        if (hooks && (region->access & PLAN_WRITE))
            map_writable(uc, region->address, region->size, bytes);
        else
            uc_mem_map_ptr(uc, region->address, region->size, UC_PROT_READ | UC_PROT_WRITE, bytes);
    }
    uc_mem_map(uc, RETURN_ADDRESS, IMAGE_PAGE, UC_PROT_EXEC);
    map_widely(uc, plan->regions, plan->region_count);
    if (hooks) {
        uc_hook_add(uc, &hook, UC_HOOK_CODE, (void *)empty_code, NULL, UINT64_C(1), UINT64_C(0));
        uc_hook_add(uc, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)empty_access, NULL, UINT64_C(1),
                    UINT64_C(0));
    }
    return uc;
}

static void run_plain(uc_engine *uc, const struct image *image, unsigned kernel)
{
    uint64_t x0 = (uint64_t)args, link = RETURN_ADDRESS;
    uc_reg_write(uc, UC_ARM64_REG_X0, &x0);
    uc_reg_write(uc, UC_ARM64_REG_X30, &link);
    if (uc_emu_start(uc, image->entries[kernel], RETURN_ADDRESS, 0, 0) != UC_ERR_OK)
        give_up("a kernel does not run");
}

/* ---- */

static struct emulator *machine(const char *program, const char *core_name)
{
    struct error err;
    struct core core;
    if (core_name && !core_read(".", core_name, &core, &err))
        give_up(err.text);
    const struct emulator_config config = {
        .program = program, .core = core_name ? &core : NULL, .features = FEATURES, .budget = UINT64_MAX};
    struct emulator *emulator = emulator_open(&config, arena, &err);
    if (!emulator)
        give_up(err.text);
    return emulator;
}

struct bench {
    struct image image;
    uc_engine *plain[2];
    struct emulator *emulators[3];
    double best[KERNELS][MODES];
    uint64_t instructions[KERNELS];
};

static void measure(struct bench *bench, unsigned kernel, enum mode mode)
{
    struct emulator_run run;
    fill(kernel);
    arena_plan(arena)->entry = kernel;
    double start = seconds_now();
    if (mode == PLAIN || mode == HOOKS) {
        run_plain(bench->plain[mode], &bench->image, kernel);
    } else {
        emulator_execute(bench->emulators[mode - NO_CORE], 0, 1, &run);
        if (run.outcome != EMULATOR_DONE)
            give_up(run.name);
        bench->instructions[kernel] = run.instructions;
    }
    double seconds = seconds_now() - start;
    if (bench->best[kernel][mode] == 0 || seconds < bench->best[kernel][mode])
        bench->best[kernel][mode] = seconds;
}

static double rate(const struct bench *bench, unsigned kernel, enum mode mode)
{
    return (double)bench->instructions[kernel] / bench->best[kernel][mode] / 1e6;
}

static void print_row(const struct bench *bench, unsigned kernel)
{
    printf("%-20s", kernels[kernel].name);
    for (enum mode mode = PLAIN; mode <= HOOKS; mode++)
        printf(" %8.1f", rate(bench, kernel, mode));
    for (enum mode mode = NO_CORE; mode < MODES; mode++) {
        const double share = 100 * bench->best[kernel][HOOKS] / bench->best[kernel][mode];
        const unsigned least = mode >= IN_ORDER ? kernels[kernel].least[mode - IN_ORDER] : 0;
        printf(" %9.0f %%", share);
        if (mode >= IN_ORDER && least > 0)
            printf(" %s %2u", share >= least ? ">=" : "< ", least);
        else if (mode >= IN_ORDER)
            printf("      ");
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct error err;
    int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
    if (argc < 2 || rounds < 1)
        give_up("usage: bench KERNELS [ROUNDS]");
    arena = arena_create(&err);
    if (!arena || !image_open(&bench.image, argv[1], &err))
        give_up(err.text);
    lay_out();
    bench.plain[PLAIN] = plain_machine(&bench.image, false);
    bench.plain[HOOKS] = plain_machine(&bench.image, true);
    for (unsigned i = 0; i < 3; i++)
        bench.emulators[i] = machine(argv[1], i == 0 ? NULL : mode_names[NO_CORE + i]);
    for (int round = 0; round <= rounds; round++) {
        progress("the core model in loops: round %d of %d", round, rounds);
        for (unsigned kernel = 0; kernel < KERNELS; kernel++) {
            for (unsigned i = 0; i < MODES; i++)
                measure(&bench, kernel, (enum mode)((i + (unsigned)round) % MODES));
        }
        if (round == 0) /* translated, warm */
            memset(bench.best, 0, sizeof bench.best);
    }
    progress_end();
    printf("The core model in loops, the best of %d rounds: million instructions a second of plain emulation "
           "and with\n"
           "hooks that do nothing, which is the floor; then shares of the floor's rate, and the share that "
           "is asked for.\n\n"
           "%-20s %8s %8s %11s %17s %17s\n",
           rounds, "", "plain", "floor", mode_names[NO_CORE], mode_names[IN_ORDER], mode_names[OUT_OF_ORDER]);
    for (unsigned kernel = 0; kernel < KERNELS; kernel++)
        print_row(&bench, kernel);
    for (unsigned i = 0; i < 3; i++)
        emulator_close(bench.emulators[i]);
    uc_close(bench.plain[PLAIN]);
    uc_close(bench.plain[HOOKS]);
    image_close(&bench.image);
    arena_destroy(arena);
    return 0;
}
