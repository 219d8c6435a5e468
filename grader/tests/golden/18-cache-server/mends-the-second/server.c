/* Exercise 18: a table of bands in the place of branches, and nothing else. */
#include "exercise.h"

enum { BUCKETS = 1024, END = -1 };

/* Records of the same bucket are chained: the first one, and for each record the next. */
struct index {
    int32_t *first, *next;
};

static size_t hash(uint64_t key)
{
    return key % BUCKETS;
}

static __attribute__((noinline)) struct index index(const struct store *store)
{
    struct index made = {.first = store->scratch};
    made.next = made.first + BUCKETS;
    for (size_t b = 0; b < BUCKETS; b++)
        made.first[b] = END;
    for (size_t i = 0; i < store->count; i++) {
        const size_t b = hash(store->records[i].key);
        made.next[i] = made.first[b];
        made.first[b] = (int32_t)i;
    }
    return made;
}

static __attribute__((noinline)) uint64_t find(const struct store *store, struct index index, uint64_t key)
{
    for (int32_t i = index.first[hash(key)]; i != END; i = index.next[i]) {
        if (store->records[i].key == key)
            return store->records[i].size;
    }
    return NO_RECORD;
}

static __attribute__((noinline)) uint64_t scan(const struct store *store, size_t first, size_t last)
{
    uint64_t sum = 0;
    for (size_t i = first; i < last; i++)
        sum += store->records[i].size;
    return sum;
}

/* For each level of a sample, what it adds to the counts. */
static void make_table(const uint8_t *limits, uint64_t *adds)
{
    uint64_t add = 1;
    size_t band = 0;
    for (size_t level = 0; level < LEVELS; level++) {
        for (; band < BANDS - 1 && level >= limits[band]; band++)
            add <<= 8;
        adds[level] = add;
    }
}

static uint64_t count(const uint64_t *adds, const uint8_t *samples)
{
    uint64_t even = 0, odd = 0;
    for (size_t i = 0; i < BATCH; i += 2) {
        even += adds[samples[i]];
        odd += adds[samples[i + 1]];
    }
    return even + odd;
}

static __attribute__((noinline)) uint64_t check(const uint32_t *words, uint32_t modulus)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < BATCH; i++)
        sum = (sum + words[i]) % modulus;
    return sum;
}

void serve(const struct store *store, const struct request *requests, size_t n, uint64_t *answers)
{
    const struct index made = index(store);
    uint64_t adds[LEVELS];
    make_table(store->limits, adds);
    for (size_t i = 0; i < n; i++) {
        const struct request *request = &requests[i];
        switch (request->kind) {
        case GET:
            answers[i] = find(store, made, request->key);
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
