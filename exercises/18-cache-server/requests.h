/* What stands in a request beside what it asks for, where its batch lies, and what is counted there. */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "grader/exercise/cases.h"
#include "exercise.h"

/* What the oracle keeps of a call: request i has batch (times * i + from) % batches. */
struct served {
    size_t batches, times, from;
    uint64_t answers[];
};

static uint64_t *answers_of(const struct call *call)
{
    return ((struct served *)call->shadow)->answers;
}

/* In another order than that of the requests. The primes divide no number of batches, which are fewer; so
 * each batch has its turn. */
static void scatter_batches(struct draw *draw, struct served *served)
{
    static const size_t primes[] = {1000003, 1000033, 1000037, 1000039};
    served->times = primes[draw_below(draw, sizeof primes / sizeof *primes)];
    served->from = draw_below(draw, served->batches + 1);
}

static size_t batch_of(const struct served *served, size_t i)
{
    return (served->times * i + served->from) % served->batches;
}

/* A request that asks for nothing yet. What means nothing for its kind is anything, or 0: it is nothing to
 * divide by, and no place to read from. (It takes no draws of its own: nobody can gain by knowing it.) */
static struct request wild_request(enum kind kind, uint64_t key)
{
    const uint64_t wild = key * UINT64_C(0x9E3779B97F4A7C15) | 1, other = wild >> 17 | wild << 47;
    return (struct request){.kind = kind,
                            .modulus = wild >> 40 & 1 ? (uint32_t)other : 0,
                            .key = key,
                            .first = wild >> 41 & 1 ? (uint32_t)(wild >> 8) : 0,
                            .last = wild >> 42 & 1 ? (uint32_t)(other >> 8) : 0,
                            .samples = wild >> 43 & 1 ? (const uint8_t *)(uintptr_t)(wild >> 20) : NULL,
                            .words = wild >> 44 & 1 ? (const uint32_t *)(uintptr_t)(other >> 22 << 2) : NULL};
}

static uint64_t count_samples(const uint8_t *limits, const uint8_t *samples)
{
    uint64_t counts = 0;
    for (unsigned k = 0; k < BATCH; k++) {
        unsigned band = 0;
        for (unsigned b = 0; b < BANDS - 1; b++)
            band += samples[k] >= limits[b];
        counts += (uint64_t)1 << 8 * band;
    }
    return counts;
}

static uint64_t check_words(const uint32_t *words, uint32_t modulus)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < BATCH; k++)
        sum += words[k];
    return sum % modulus;
}

#endif
