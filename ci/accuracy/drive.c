/* Drives the core model with small loops, for ci/accuracy/accuracy.py.
 *
 * drive CORE CODE < list: CODE holds AArch64 instructions, a line of the list is `name offset bytes warm
 * measured`. Each loop is executed in QEMU's CPU emulator from its first instruction on, which counts as the
 * begin of an iteration. After `warm` iterations, `measured` ones are counted: a line `name counter=value
 * ...` each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>
#include "grader/core/core_file.h"
#include "harness/emu/decode.h"
#include "harness/model/model.h"
#include "harness/base/rng.h"

enum { MOST_INSTRUCTIONS = 256, PAGE = 4096, WORDS = 1 << 20 };

/* What the registers named in kernels.txt point to. */
static const uint64_t code_base = 0x10000, code_bytes = 0x40000;
static const uint64_t buffers = 0x40000000; /* x0, x1: zeros; x2: words that hold x2 */
static const uint64_t numbers = 0x40100000; /* x3: random words */
static const uint64_t array = 0x41000000;   /* x22: 4 MiB */
static const uint64_t indices = 0x42000000; /* x23: a permutation of its words' indices */

struct loop {
    char name[64];
    uint64_t begin;
    uint32_t count;
    uint64_t warm, measured;
};

struct drive {
    uc_engine *uc;
    struct model *model;
    const struct loop *loop;
    struct op ops[MOST_INSTRUCTIONS];
    uint64_t addresses[MOST_INSTRUCTIONS];
    uint32_t first, pending, accesses; /* executed and not handed to the model yet */
    bool expected;                     /* the access of the latest instruction has not been seen */
    uint64_t iterations;
    struct model_counts before, after;
};

_Noreturn static void die(const char *what, const char *detail)
{
    fprintf(stderr, "drive: %s: %s\n", what, detail);
    exit(4);
}

static void must(uc_err status, const char *what)
{
    if (status != UC_ERR_OK)
        die(what, uc_strerror(status));
}

static void hand_over(struct drive *drive, uint64_t next)
{
    if (drive->pending > 0)
        model_run(drive->model, drive->first, drive->pending, drive->addresses, next);
    drive->pending = drive->accesses = 0;
}

static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct drive *drive = user;
    (void)size;
    const uint32_t index = (uint32_t)(address - drive->loop->begin) / 4;
    if (index >= drive->loop->count)
        die(drive->loop->name, "it left its loop");
    const uint32_t previous = drive->first + drive->pending;
    if (drive->pending > 0 && (index != previous || drive->ops[previous - 1].branch != OP_NO_BRANCH))
        hand_over(drive, address);
    if (index == 0) {
        hand_over(drive, address);
        if (drive->iterations == drive->loop->warm)
            model_count(drive->model, &drive->before);
        if (drive->iterations == drive->loop->warm + drive->loop->measured) {
            model_count(drive->model, &drive->after);
            uc_emu_stop(uc);
            return;
        }
        drive->iterations++;
    }
    if (drive->pending == 0)
        drive->first = index;
    drive->pending++;
    drive->expected = drive->ops[index].memory != OP_NO_MEMORY;
}

/* Of a pair the first address stands for both. */
static void on_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
    struct drive *drive = user;
    (void)uc, (void)type, (void)size, (void)value;
    if (!drive->expected)
        return;
    drive->addresses[drive->accesses++] = address;
    drive->expected = false;
}

static void write_memory(uc_engine *uc, uint64_t address, const void *data, size_t bytes)
{
    must(uc_mem_write(uc, address, data, bytes), "memory");
}

static void set(uc_engine *uc, int reg, uint64_t value)
{
    must(uc_reg_write(uc, reg, &value), "register");
}

/* The same state before each loop. */
static void prepare(uc_engine *uc)
{
    static uint64_t page[PAGE / 8];
    static uint32_t words[1 << 18];
    struct rng rng = {7};
    memset(page, 0, sizeof page);
    write_memory(uc, buffers, page, sizeof page);
    write_memory(uc, buffers + PAGE, page, sizeof page);
    for (size_t i = 0; i < PAGE / 8; i++)
        page[i] = buffers + 2 * PAGE;
    write_memory(uc, buffers + 2 * PAGE, page, sizeof page);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        words[i] = (uint32_t)rng_next(&rng);
    write_memory(uc, numbers, words, sizeof words);
    for (int i = 4; i < 28; i++)
        set(uc, UC_ARM64_REG_X0 + i, rng_next(&rng) | 1);
    for (int i = 0; i < 3; i++)
        set(uc, UC_ARM64_REG_X0 + i, buffers + (uint64_t)i * PAGE);
    set(uc, UC_ARM64_REG_X3, numbers);
    set(uc, UC_ARM64_REG_X17, 8);
    set(uc, UC_ARM64_REG_X18, 0);
    set(uc, UC_ARM64_REG_X22, array);
    set(uc, UC_ARM64_REG_X23, indices);
    set(uc, UC_ARM64_REG_X24, UINT32_C(1) << 30);
    set(uc, UC_ARM64_REG_X25, UINT32_C(3) << 30); /* as a signed word: the same, negative */
    set(uc, UC_ARM64_REG_X28, UINT32_C(1) << 30);
    for (int i = 0; i < 32; i++)
        set(uc, UC_ARM64_REG_D0 + i, 0);
}

static uc_engine *machine(const char *code_file, uint8_t *code, size_t *bytes)
{
    FILE *file = fopen(code_file, "rb");
    if (file == NULL)
        die(code_file, "cannot be opened");
    *bytes = fread(code, 1, code_bytes, file);
    fclose(file);
    uc_engine *uc;
    must(uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &uc), "unicorn");
    must(uc_mem_map(uc, code_base, code_bytes, UC_PROT_READ | UC_PROT_EXEC), "code");
    must(uc_mem_map(uc, buffers, UINT64_C(0x200000), UC_PROT_READ | UC_PROT_WRITE), "buffers");
    must(uc_mem_map(uc, array, 4 * (uint64_t)WORDS, UC_PROT_READ | UC_PROT_WRITE), "array");
    must(uc_mem_map(uc, indices, 4 * (uint64_t)WORDS, UC_PROT_READ | UC_PROT_WRITE), "indices");
    write_memory(uc, code_base, code, *bytes);
    uint32_t *shuffled = calloc(WORDS, sizeof(uint32_t));
    if (shuffled == NULL)
        die("shuffled indices", "no memory");
    struct rng rng = {11};
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t other = (uint32_t)rng_below(&rng, i + 1);
        shuffled[i] = shuffled[other];
        shuffled[other] = i;
    }
    write_memory(uc, indices, shuffled, sizeof(uint32_t) * WORDS);
    free(shuffled);
    return uc;
}

static void decode_loop(struct drive *drive, const uint8_t *code)
{
    for (uint32_t i = 0; i < drive->loop->count; i++) {
        struct decoded decoded;
        uint32_t word;
        const uint64_t address = drive->loop->begin + 4 * (uint64_t)i;
        memcpy(&word, code + (address - code_base), sizeof word);
        decode(word, address, &decoded);
        if (decoded.verdict != DECODE_OK) {
            char detail[64];
            snprintf(detail, sizeof detail, "instruction %" PRIu32 " (%08" PRIx32 ") is not known", i, word);
            die(drive->loop->name, detail);
        }
        drive->ops[i] = decoded.op;
        drive->ops[i].quotient = 0; /* no kernel has a division of integers */
    }
}

static void measure(struct drive *drive, const struct core *core, const uint8_t *code)
{
    struct error err;
    const struct loop *loop = drive->loop;
    decode_loop(drive, code);
    drive->model = model_create(core, NULL, drive->ops, loop->count, &err);
    if (drive->model == NULL)
        die(loop->name, err.text);
    prepare(drive->uc);
    drive->pending = drive->accesses = 0;
    drive->iterations = 0;
    drive->expected = false;
    must(uc_emu_start(drive->uc, loop->begin, 0, 0, 0), loop->name);
    printf("%s", loop->name);
    for (unsigned event = 0; event < MODEL_EVENT_COUNT; event++)
        printf(" %s=%" PRIu64, model_event_name((enum model_event)event),
               drive->after.value[event] - drive->before.value[event]);
    printf("\n");
    model_destroy(drive->model);
}

int main(int argc, char **argv)
{
    static uint8_t code[0x40000];
    static struct drive drive;
    struct core core;
    struct error err;
    struct loop loop;
    size_t bytes;
    uint64_t offset;
    if (argc != 3)
        die("usage", "drive CORE CODE < list");
    if (!core_read(".", argv[1], &core, &err))
        die("core", err.text);
    drive.uc = machine(argv[2], code, &bytes);
    drive.loop = &loop;
    uc_hook instruction, access;
    must(uc_hook_add(drive.uc, &instruction, UC_HOOK_CODE, (void *)on_instruction, &drive, 1, 0), "hook");
    must(
        uc_hook_add(drive.uc, &access, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)on_access, &drive, 1, 0),
        "hook");
    while (scanf("%63s %" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu64, loop.name, &offset, &loop.count,
                 &loop.warm, &loop.measured) == 5) {
        if (loop.count % 4 || loop.count / 4 > MOST_INSTRUCTIONS || offset + loop.count > bytes)
            die(loop.name, "no such code");
        loop.count /= 4;
        loop.begin = code_base + offset;
        measure(&drive, &core, code);
    }
    uc_close(drive.uc);
    return 0;
}
