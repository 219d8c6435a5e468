/* Runs a kernel on a core model, warm, for ci/hardware/hardware.py.
 *
 * drive PROGRAM CORE ARGUMENT...: PROGRAM is the kernel linked with stub.S and the runner. An argument is a
 * number, or one of
 *
 *     buffer BYTES [WORD...]    the address of so many bytes; the words:
 *         zero                  its contents (if nothing is said, random bytes)
 *         floats                random floats from -1 to 1
 *         below N, halves N     random words below N, of 32 and of 16 bits
 *         chain WIDTH           elements of WIDTH bytes with the place of the next each, in the order of a
 *                               counter with its bits reversed: pointers (8), or offsets in bytes (4)
 *         pointers K STRIDE     K addresses, STRIDE bytes apart, of random bytes behind them
 *         align N, offset N     where it begins: N bytes behind a multiple of N (64 and 0 without these)
 *         words N...            these 64-bit words, to the end of the argument; @K or @K+N is the address of
 *                               argument K, a buffer, and N bytes
 *     same K [N]                the address of argument K, a buffer, and N bytes
 *
 * Prints `calls K` and what the model counted in K calls together, back to back, after as many: an event's
 * name and its count, then the next (`cycles C instructions I ...`). Or it prints `refused
 * NAME`: an instruction that is not modelled, or not by this core. Exit status 4: it could not run, and why
 * stands in stderr. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/core/core_file.h"
#include "harness/base/rng.h"
#include "harness/emu/emulator.h"

enum { ARGUMENTS = 8, WORDS = 20 };
enum { ALIGN = 64, GAP = 64 };                 /* between buffers: no two share a line */
enum { INSTRUCTIONS = 300000, CALLS_FEW = 4 }; /* about so many before, and so many measured */
enum { MEMORY = 64 << 20, BUDGET = 1 << 30 };

/* What stub.S is given. */
struct call {
    uint64_t count;
    uint64_t arguments[ARGUMENTS];
};

struct buffer {
    unsigned char *bytes;
    size_t size;
};

/* The arguments under way: one region for all, so that buffers lie as close together as a program's. */
struct memory {
    unsigned char *free, *end;
    struct buffer buffers[ARGUMENTS];
    struct rng rng;
};

_Noreturn static void die(const char *what, const char *detail)
{
    fprintf(stderr, "drive: %s: %s\n", what, detail);
    exit(4);
}

static uint64_t number(const char *text)
{
    char *end;
    uint64_t value = text ? strtoull(text, &end, 0) : 0;
    if (!text || end == text || *end)
        die(text ? text : "an argument", "expected a number");
    return value;
}

/* ---- buffers ---- */

static unsigned char *take(struct memory *memory, size_t bytes, size_t align, size_t offset)
{
    if (align == 0 || (align & (align - 1)))
        die("align", "expected a power of two");
    uintptr_t start = ((uintptr_t)memory->free + align - 1) / align * align + offset;
    if (start + bytes + GAP > (uintptr_t)memory->end)
        die("buffer", "expected at most 64 MiB of buffers");
    memory->free = (unsigned char *)start + bytes + GAP;
    return (unsigned char *)start;
}

static void fill_bytes(struct memory *memory, unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(rng_next(&memory->rng) >> 32);
}

static void fill_below(struct memory *memory, struct buffer buffer, uint64_t below, size_t width)
{
    for (size_t i = 0; i + width <= buffer.size; i += width) {
        const uint32_t value = (uint32_t)rng_below(&memory->rng, below);
        memcpy(buffer.bytes + i, &value, width); /* little-endian, as AArch64 is */
    }
}

static void fill_floats(struct memory *memory, struct buffer buffer)
{
    for (size_t i = 0; i + sizeof(float) <= buffer.size; i += sizeof(float)) {
        const float value = (float)rng_below(&memory->rng, 1 << 24) / (float)(1 << 23) - 1;
        memcpy(buffer.bytes + i, &value, sizeof value);
    }
}

static size_t reverse_bits(size_t value, size_t count)
{
    size_t reversed = 0;
    for (; count > 1; count /= 2, value /= 2)
        reversed = 2 * reversed + value % 2;
    return reversed;
}

/* One cycle through all elements, the next one always far away: pointers, or offsets of 32 bits. */
static void fill_chain(struct buffer buffer, size_t width)
{
    const size_t count = width == 4 || width == 8 ? buffer.size / width : 0;
    if (count == 0 || (count & (count - 1)))
        die("chain", "expected a power of two of elements of 4 or 8 bytes");
    for (size_t i = 0; i < count; i++) {
        const size_t next = reverse_bits((reverse_bits(i, count) + 1) % count, count);
        const uint64_t value = next * width + (width == 8 ? (uint64_t)buffer.bytes : 0);
        memcpy(buffer.bytes + i * width, &value, width);
    }
}

static void fill_pointers(struct memory *memory, struct buffer buffer, uint64_t count, uint64_t stride)
{
    if (count * sizeof(uint64_t) > buffer.size)
        die("pointers", "expected a buffer with room for them");
    unsigned char *bytes = take(memory, count * stride, ALIGN, 0);
    fill_bytes(memory, bytes, count * stride);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t address = (uint64_t)(bytes + i * stride);
        memcpy(buffer.bytes + i * sizeof address, &address, sizeof address);
    }
}

/* ---- arguments ---- */

static uint64_t word_after(char *const *words, const char *name, unsigned distance, uint64_t otherwise)
{
    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(words[i], name) == 0)
            return number(words[i + distance]);
    }
    return otherwise;
}

static bool has(char *const *words, const char *name)
{
    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(words[i], name) == 0)
            return true;
    }
    return false;
}

static void known_words(char *const *words)
{
    static const struct {
        const char *name;
        unsigned numbers;
    } known[] = {{"zero", 0},  {"floats", 0}, {"below", 1},    {"halves", 1},
                 {"chain", 1}, {"align", 1},  {"pointers", 2}, {"offset", 1}};
    for (unsigned i = 0, k; words[i]; i += 1 + known[k].numbers) {
        for (k = 0; k < sizeof known / sizeof *known && strcmp(words[i], known[k].name) != 0; k++)
            ;
        if (k == sizeof known / sizeof *known)
            die(words[i], "expected zero, floats, below, halves, words, chain, pointers, align or offset");
        for (unsigned j = 1; j <= known[k].numbers; j++)
            number(words[i + j]);
    }
}

static const struct buffer *earlier(const struct memory *memory, const char *which)
{
    const uint64_t k = number(which);
    if (k >= ARGUMENTS || !memory->buffers[k].bytes)
        die(which, "expected the number of an argument before this one that is a buffer");
    return &memory->buffers[k];
}

/* A number, @K or @K+N. */
static uint64_t read_word(const struct memory *memory, char *text)
{
    if (*text != '@')
        return number(text);
    char *plus = strchr(text, '+');
    if (plus)
        *plus = '\0';
    return (uint64_t)earlier(memory, text + 1)->bytes + (plus ? number(plus + 1) : 0);
}

static void fill_words(const struct memory *memory, struct buffer buffer, char **words)
{
    for (size_t i = 0; words[i]; i++) {
        const uint64_t value = read_word(memory, words[i]);
        if ((i + 1) * sizeof value > buffer.size)
            die("words", "expected a buffer with room for them");
        memcpy(buffer.bytes + i * sizeof value, &value, sizeof value);
    }
}

static uint64_t lay_buffer(struct memory *memory, struct buffer *buffer, char **words)
{
    char **list = NULL;
    buffer->size = number(words[0]);
    words++;
    for (unsigned i = 0; words[i] && !list; i++) {
        if (strcmp(words[i], "words") == 0) { /* to the end: others stand before it */
            list = words + i + 1;
            words[i] = NULL;
        }
    }
    known_words(words);
    buffer->bytes =
        take(memory, buffer->size, word_after(words, "align", 1, ALIGN), word_after(words, "offset", 1, 0));
    if (has(words, "chain"))
        fill_chain(*buffer, word_after(words, "chain", 1, 0));
    else if (list)
        fill_words(memory, *buffer, list);
    else if (has(words, "below") || has(words, "halves"))
        fill_below(memory, *buffer, word_after(words, "below", 1, word_after(words, "halves", 1, 1)),
                   has(words, "below") ? 4 : 2);
    else if (has(words, "floats"))
        fill_floats(memory, *buffer);
    else if (has(words, "pointers"))
        fill_pointers(memory, *buffer, word_after(words, "pointers", 1, 0),
                      word_after(words, "pointers", 2, 0));
    else if (!has(words, "zero"))
        fill_bytes(memory, buffer->bytes, buffer->size);
    return (uint64_t)buffer->bytes;
}

static uint64_t lay_argument(struct memory *memory, unsigned which, char *text)
{
    char *words[WORDS + 3] = {0};
    unsigned count = 0;
    for (char *word = strtok(text, " "); word && count < WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    if (count > 1 && strcmp(words[0], "buffer") == 0)
        return lay_buffer(memory, &memory->buffers[which], words + 1);
    if ((count == 2 || count == 3) && strcmp(words[0], "same") == 0)
        return (uint64_t)earlier(memory, words[1])->bytes + (count == 3 ? number(words[2]) : 0);
    return number(count == 1 ? words[0] : text);
}

/* ---- running ---- */

static struct arena *arena;
static struct call *call;

static void lay_out(int count, char **texts)
{
    struct error err;
    arena = arena_create(&err);
    if (!arena)
        die("arena", err.text);
    unsigned char *bytes = arena_alloc(arena, MEMORY, 4096, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    call = arena_alloc(arena, sizeof *call, 64, PLAN_READ, ARENA_AT_START);
    if (!bytes || !call)
        die("arena", "no room");
    if (count > ARGUMENTS)
        die("arguments", "expected at most 8");
    struct memory memory = {.free = bytes, .end = bytes + MEMORY, .rng = {1}};
    for (int i = 0; i < count; i++)
        call->arguments[i] = lay_argument(&memory, (unsigned)i, texts[i]);
    struct plan *plan = arena_plan(arena);
    plan->calls = 1;
    plan->args = (uint64_t)call;
    plan->results = (uint64_t)bytes; /* of no use here */
}

/* How many instructions; ends the program where a kernel does not run. */
static uint64_t run(struct emulator *emulator, uint64_t calls)
{
    struct emulator_run said;
    call->count = calls;
    emulator_execute(emulator, 0, 1, &said);
    if (said.outcome == EMULATOR_UNKNOWN || said.outcome == EMULATOR_FORBIDDEN) {
        printf("refused %s (%08" PRIx32 ")\n", said.name, said.word);
        exit(0);
    }
    if (said.outcome != EMULATOR_DONE) {
        char detail[200];
        snprintf(detail, sizeof detail, "outcome %d at 0x%" PRIx64 ", address 0x%" PRIx64 " %s",
                 (int)said.outcome, said.pc, said.address, said.name);
        die("the kernel failed", detail);
    }
    return said.instructions;
}

int main(int argc, char **argv)
{
    struct error err;
    struct core core;
    struct model_counts counts;
    if (argc < 3)
        die("usage", "drive PROGRAM CORE ARGUMENT...");
    if (!core_read(".", argv[2], &core, &err))
        die(argv[2], err.text);
    lay_out(argc - 3, argv + 3);
    const struct emulator_config config = {
        .program = argv[1], .core = &core, .features = core.features, .budget = BUDGET};
    struct emulator *emulator = emulator_open(&config, arena, &err);
    if (!emulator)
        die(argv[1], err.text);
    uint64_t calls = INSTRUCTIONS / (run(emulator, 1) + 1);
    calls = calls < CALLS_FEW ? CALLS_FEW : calls;
    run(emulator, calls);
    model_forget_counts(emulator_model(emulator));
    run(emulator, calls);
    model_count(emulator_model(emulator), &counts);
    printf("calls %" PRIu64, calls);
    for (enum model_event event = 0; event < MODEL_EVENT_COUNT; event++)
        printf(" %s %" PRIu64, model_event_name(event), counts.value[event]);
    printf("\n");
    emulator_close(emulator);
    arena_destroy(arena);
    return 0;
}
