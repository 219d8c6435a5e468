/* Exercise 14: inputs and oracle. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

static const uint32_t polynomial = 0x82f63b78;

/* ---- the oracle: slicing by eight with tables of its own, made from the definition ---- */

typedef uint32_t slices[8][256];

static bool make_tables(struct lab *lab)
{
    slices *const tables = lab_memory(lab, 0, sizeof(slices));
    if (!tables)
        return false;
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int place = 0; place < 8; place++) {
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
            (*tables)[place][b] = crc;
        }
    }
    return true;
}

static uint32_t crc_of(const struct lab *lab, uint32_t crc, const uint8_t *data, size_t n)
{
    const slices *const tables = lab->memory[0];
    for (; n >= 8; n -= 8, data += 8) {
        uint64_t word;
        memcpy(&word, data, sizeof word);
        word ^= crc;
        crc = 0;
        for (int k = 0; k < 8; k++)
            crc ^= (*tables)[7 - k][word >> 8 * k & 255];
    }
    for (; n > 0; n--)
        crc = (*tables)[0][(crc ^ *data++) & 255] ^ crc >> 8;
    return crc;
}

/* ---- inputs ---- */

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n, 1, PLAN_READ) && call_shadow(call, sizeof(uint32_t));
}

enum { ROUND = 3 * CRC32C_BLOCK, BESIDE = 8, AROUND = 2 * BESIDE + 1 };

/* The smallest n stand for one and two rounds of three blocks, exactly or with up to BESIDE bytes more or
 * fewer; what is left behind whole rounds is nothing else in hardly any call. */
static bool allocate_rounds(struct lab *lab, struct call *call)
{
    if (call->n < 2 * AROUND)
        call->n = ROUND * (1 + call->n / AROUND) + call->n % AROUND - BESIDE;
    return allocate(lab, call);
}

static void finish(struct lab *lab, struct call *call, uint32_t crc)
{
    *(uint32_t *)call->shadow = crc_of(lab, crc, call->buffer[0], call->n);
    *(struct crc_args *)call->args = (struct crc_args){.data = call->buffer[0], .n = call->n, .crc = crc};
}

static void fill_random(struct lab *lab, struct call *call)
{
    uint8_t *data = call->buffer[0];
    size_t i = 0;
    for (; i + 8 <= call->n; i += 8) {
        const uint64_t r = draw_next(&lab->draw);
        memcpy(data + i, &r, sizeof r);
    }
    for (; i < call->n; i++)
        data[i] = (uint8_t)draw_next(&lab->draw);
    finish(lab, call, (uint32_t)draw_next(&lab->draw));
}

/* Zeros, which the register alone tells apart. */
static void fill_zeros(struct lab *lab, struct call *call)
{
    if (call->n > 0)
        memset(call->buffer[0], 0, call->n);
    finish(lab, call, (uint32_t)draw_next(&lab->draw) | 1);
}

/* One bit is set, of the data or, without any, of the register. */
static void fill_one_bit(struct lab *lab, struct call *call)
{
    uint8_t *data = call->buffer[0];
    if (call->n > 0) {
        memset(data, 0, call->n);
        data[draw_below(&lab->draw, call->n)] = (uint8_t)(1 << draw_below(&lab->draw, 8));
    }
    finish(lab, call, call->n > 0 ? 0 : UINT32_C(1) << draw_below(&lab->draw, 32));
}

/* All bits set, as the register is where a checksum begins in practice. */
static void fill_ones(struct lab *lab, struct call *call)
{
    if (call->n > 0)
        memset(call->buffer[0], 255, call->n);
    finish(lab, call, UINT32_MAX);
}

/* ---- wrong answers that are known ---- */

/* Three streams, whose registers go past so many blocks before they are joined. */
typedef unsigned past_blocks[3];
static const past_blocks right = {2, 1, 0},
                         wrong[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {0, 1, 2}, {1, 2, 0}};

static uint32_t joined(const struct lab *lab, const struct crc_args *args, const past_blocks past, bool anew)
{
    static const uint8_t zeros[CRC32C_BLOCK];
    const uint8_t *data = args->data;
    uint32_t crc = args->crc;
    size_t n = args->n;
    for (; n >= 3 * CRC32C_BLOCK; n -= 3 * CRC32C_BLOCK) {
        uint32_t all = 0;
        for (unsigned block = 0; block < 3; block++, data += CRC32C_BLOCK) {
            uint32_t one = crc_of(lab, block > 0 && anew ? 0 : crc, data, CRC32C_BLOCK);
            for (unsigned k = 0; k < past[block]; k++)
                one = crc_of(lab, one, zeros, CRC32C_BLOCK);
            all ^= one;
        }
        crc = all;
    }
    return crc_of(lab, crc, data, n);
}

/* Slicing that looks the first byte up in the first table. */
static uint32_t turned(const struct lab *lab, uint32_t crc, const uint8_t *data, size_t n)
{
    const slices *const tables = lab->memory[0];
    for (; n >= 8; n -= 8, data += 8) {
        uint64_t word;
        memcpy(&word, data, sizeof word);
        word ^= crc;
        crc = 0;
        for (int k = 0; k < 8; k++)
            crc ^= (*tables)[k][word >> 8 * k & 255];
    }
    return crc_of(lab, crc, data, n);
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct crc_args *args = call->args; /* read-only for the machine */
    const uint8_t *data = call->buffer[0];
    const uint32_t expected = *(const uint32_t *)call->shadow, found = *(const uint32_t *)call->result;
    if (found == expected)
        return true;
    char text[100];
    const char *reason = "";
    if (found == ~expected)
        reason = ". All bits are inverted: here nothing is inverted before or after";
    else if (call->n % 8 != 0 && found == crc_of(lab, args->crc, data, call->n - call->n % 8))
        reason = ". That is the register without the last n % 8 bytes";
    else if (found == crc_of(lab, 0, data, call->n))
        reason = ". That is what begins with a register of 0, not with `crc`";
    else if (call->n >= 8 && found == turned(lab, args->crc, data, call->n))
        reason = ". That is slicing with the tables in the opposite order";
    else if (call->n >= 3 * CRC32C_BLOCK && found == joined(lab, args, right, false))
        reason = ". That is three streams that all begin with `crc`";
    for (size_t k = 0; call->n >= 3 * CRC32C_BLOCK && !*reason && k < sizeof wrong / sizeof *wrong; k++)
        if (found == joined(lab, args, wrong[k], true)) {
            snprintf(text, sizeof text,
                     ". That is three streams whose registers went past %u, %u and %u blocks, not 2, 1 and 0",
                     wrong[k][0], wrong[k][1], wrong[k][2]);
            reason = text;
        }
    return finding(why,
                   "crc32c: the register is 0x%08" PRIx32 " before and 0x%08" PRIx32
                   " after the %zu bytes: found 0x%08" PRIx32 "%s",
                   args->crc, expected, call->n, found, reason);
}

#define CASE(NAME, ALLOCATE, FILL)                                                                           \
    .name = (NAME), .args_size = sizeof(struct crc_args), .result_size = sizeof(uint32_t),                   \
    .setup = make_tables, .allocate = (ALLOCATE), .fill = (FILL), .verify = verify, .buffers = {"data"},     \
    .reads_whole = 1

static const struct case_def defs[] = {
    {CASE("random", allocate, fill_random)},        {CASE("zeros", allocate, fill_zeros)},
    {CASE("one-bit", allocate, fill_one_bit)},      {CASE("ones", allocate, fill_ones)},
    {CASE("rounds", allocate_rounds, fill_random)},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
