/* As many buckets as there are records: a hash modulo their number, which is none where nothing is stored. */
#include "exercise.h"

enum { END = -1 };

struct kept {
    uint64_t *sum;   /* sum[i]: the sizes of the records before i */
    uint64_t *adds;  /* for each level of a sample */
    int32_t *bucket; /* the first record of each */
    int32_t *next;   /* of each record */
};

static size_t hash(uint64_t key, size_t count)
{
    return (key * 0x9E3779B97F4A7C15u >> 32) % count;
}

static struct kept prepare(const struct store *store)
{
    struct kept kept = {.adds = store->scratch};
    unsigned band = 0;
    kept.sum = kept.adds + LEVELS;
    kept.bucket = (int32_t *)(kept.sum + store->count + 1);
    kept.next = kept.bucket + store->count;
    for (unsigned level = 0; level < LEVELS; level++) {
        while (band < BANDS - 1 && level >= store->limits[band])
            band++;
        kept.adds[level] = (uint64_t)1 << 8 * band;
    }
    for (size_t b = 0; b < store->count; b++)
        kept.bucket[b] = END;
    kept.sum[0] = 0;
    for (size_t i = 0; i < store->count; i++) {
        const size_t b = hash(store->records[i].key, store->count);
        kept.sum[i + 1] = kept.sum[i] + store->records[i].size;
        kept.next[i] = kept.bucket[b];
        kept.bucket[b] = (int32_t)i;
    }
    return kept;
}

static uint64_t find(const struct store *store, const struct kept *kept, uint64_t key)
{
    for (int32_t i = kept->bucket[hash(key, store->count)]; i != END; i = kept->next[i]) {
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
