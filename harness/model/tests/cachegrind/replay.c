/* The streams through the model's memory: replay D1-BYTES D1-WAYS LL-BYTES LL-WAYS LINE. A line a stream: its
 * name, misses of loads and of stores in the first level, misses in the second. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/model/memory.h"
#include "harness/model/op.h"

static struct memory *memory;
static uint64_t cycle;

static uint32_t access_memory(unsigned op_memory, uint64_t address)
{
    cycle += 1000;
    memory_data(memory, op_memory, 0, address, 4, cycle);
    return 0;
}

#define LOAD(address)  access_memory(OP_MEMORY_LOAD, address)
#define STORE(address) access_memory(OP_MEMORY_STORE, address)
#include "harness/model/tests/cachegrind/streams.h"

static void replay(const char *name, uint32_t (*stream)(void))
{
    memory_forget_counts(memory);
    stream();
    const struct memory_counts *counts = memory_counts(memory);
    printf("%s %llu %llu %llu\n", name, (unsigned long long)counts->l1d_load_misses,
           (unsigned long long)(counts->l1d_misses - counts->l1d_load_misses),
           (unsigned long long)counts->l2_misses);
}

int main(int argc, char **argv)
{
    struct error err;
    struct pool *pool = NULL;
    struct core core = {.fills = 1, .dram = 1};
    if (argc != 6) {
        fprintf(stderr, "usage: replay D1-BYTES D1-WAYS LL-BYTES LL-WAYS LINE\n");
        return 2;
    }
    core.l1d = (struct core_cache){(uint32_t)atoi(argv[1]), (uint16_t)atoi(argv[2]), 0};
    core.l2 = (struct core_cache){(uint32_t)atoi(argv[3]), (uint16_t)atoi(argv[4]), 0};
    core.line = (uint16_t)atoi(argv[5]);
    memory = memory_create(&core, NULL, &pool, &err);
    if (!memory) {
        fprintf(stderr, "replay: %s\n", err.text);
        return 1;
    }
#define REPLAY(name) replay(#name, stream_##name);
    STREAMS(REPLAY)
    pool_free(pool);
    return 0;
}
