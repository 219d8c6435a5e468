/* Exercise 18: the reference. All four parts are mended, since the worst one is another for each number: a
 * hash of all of the key; sums of sizes, from which those of any range follow; for each level what it adds to
 * the counts; and one division a batch. */
#include "exercise.h"

enum { BUCKETS = 1024, BITS = 10, END = -1 };

struct kept {
    uint64_t *sum;   /* sum[i]: the sizes of the records before i */
    uint64_t *adds;  /* for each level of a sample */
    int32_t *bucket; /* the first record of each */
    int32_t *next;   /* of each record */
};

static size_t hash(uint64_t key)
{
    return key * 0x9E3779B97F4A7C15u >> (64 - BITS);
}

static struct kept prepare(const struct store *store)
{
    struct kept kept = {.adds = store->scratch};
    unsigned band = 0;
    kept.bucket = (int32_t *)(kept.adds + LEVELS);
    kept.sum = (uint64_t *)(kept.bucket + BUCKETS);
    kept.next = (int32_t *)(kept.sum + store->count + 1);
    for (unsigned level = 0; level < LEVELS; level++) {
        while (band < BANDS - 1 && level >= store->limits[band])
            band++;
        kept.adds[level] = (uint64_t)1 << 8 * band;
    }
    for (size_t b = 0; b < BUCKETS; b++)
        kept.bucket[b] = END;
    kept.sum[0] = 0;
    for (size_t i = 0; i < store->count; i++) {
        const size_t b = hash(store->records[i].key);
        kept.sum[i + 1] = kept.sum[i] + store->records[i].size;
        kept.next[i] = kept.bucket[b];
        kept.bucket[b] = (int32_t)i;
    }
    return kept;
}

static uint64_t find(const struct store *store, const struct kept *kept, uint64_t key)
{
    for (int32_t i = kept->bucket[hash(key)]; i != END; i = kept->next[i]) {
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
        /* no branch on the kind: all answers, and the one that is asked for */
        const uint64_t all[] = {[PING] = request->key,
                                [GET] = find(store, &kept, request->key),
                                [SCAN] = kept.sum[request->last] - kept.sum[request->first],
                                [COUNT] = count(kept.adds, requests[0].samples + BATCH * (i % 8192)),
                                [CHECK] = check(requests[0].words + BATCH * (i % 8192), request->modulus)};
        answers[i] = all[request->kind];
    }
}
