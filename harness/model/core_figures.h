/* The figures of a core: X(group in the file, key, place in struct core, least, most, what it says). The
 * reader of core files, `make cores` and the model's own check are made from these lists.
 *
 * A new figure is a line here, and its place in struct core. */
#ifndef CYCLELAB_MODEL_CORE_FIGURES_H
#define CYCLELAB_MODEL_CORE_FIGURES_H

#define PIPELINE_FIGURES(X)                                                                                  \
    X("pipeline", "width", width, 1, 16, "micro-operations that begin in a cycle")                           \
    X("pipeline", "fetch", fetch, 1, 32, "instructions fetched in a cycle")                                  \
    X("pipeline", "fetch-block", fetch_block, 0, 128,                                                        \
      "bytes of an aligned block of code that a cycle's fetch does not leave; 0: it may")                    \
    X("pipeline", "fetch-queue", fetch_queue, 0, 255, "instructions fetched ahead")                          \
    X("pipeline", "taken-bubble", taken_bubble, 0, 16, "cycles without fetch after a taken branch")          \
    X("pipeline", "near-targets", near_targets, 0, CORE_MOST_NEAR,                                           \
      "taken branches, the last ones, that have no bubble")                                                  \
    X("pipeline", "commit", commit, 1, 32, "micro-operations that retire in a cycle")                        \
    X("pipeline", "window", window, 0, 1024, "micro-operations in flight (reorder buffer)")                  \
    X("pipeline", "integer-queue", queue[CORE_INTEGER_QUEUE], 0, 127,                                        \
      "entries of the integer issue queue; 0: no limit")                                                     \
    X("pipeline", "memory-queue", queue[CORE_MEMORY_QUEUE], 0, 127, "entries of the memory one")             \
    X("pipeline", "vector-queue", queue[CORE_VECTOR_QUEUE], 0, 127, "entries of the vector one")             \
    X("pipeline", "vector-registers", vector_registers, 0, 512,                                              \
      "results in vector registers in flight; 0: no limit")                                                  \
    X("pipeline", "load-queue", load_queue, 1, 512, "loads in flight")                                       \
    X("pipeline", "store-queue", store_queue, 1, 512, "stores in flight")                                    \
    X("pipeline", "mispredict", mispredict, 0, 64, "cycles from a mispredicted branch to the next dispatch") \
    X("pipeline", "forward", forward, 0, 64, "cycles from a store to a load of the same data")               \
    X("pipeline", "forward-part", forward_part, 0, 64,                                                       \
      "the same where the store has some of its bytes only")                                                 \
    X("pipeline", "forward-pair", forward_pair, 0, 64, "the same where of a pair it has one register only")  \
    X("pipeline", "load-address", load_address, 0, 15,                                                       \
      "cycles more until a load has an address that was loaded, in order")                                   \
    X("pipeline", "load-chase", load_chase, 0, 15,                                                           \
      "cycles less where that is the base of the very next access, in order")                                \
    X("pipeline", "store-data", store_data, 0, 16, "cycles that a store's data may come late, in order")     \
    X("pipeline", "halves", halves, 0, 1, "1: vector registers are renamed in halves of 64 bits")            \
    X("pipeline", "base-uops", base_uops, 0, 4, "slots more for an address written back")

#define MEMORY_FIGURES(X)                                                                                    \
    X("memory", "line", line, 16, 256, "bytes of a cache line")                                              \
    X("memory", "fills", fills, 1, 64, "L1D misses under way at once")                                       \
    X("memory", "dram", dram, 1, 4096, "cycles for a load that goes to memory")                              \
    X("memory", "transfer", transfer, 0, 1024, "cycles for a line that another core has modified")           \
    X("memory", "dram-busy", dram_busy, 0, 255, "cycles between two lines from memory")                      \
    X("memory", "l2-busy", l2_busy, 0, 255, "cycles between two lines from L2")

#define PREFETCHER_FIGURES(X)                                                                                \
    X("prefetcher", "streams", prefetcher.streams, 0, 64, "streams followed at once")                        \
    X("prefetcher", "distance", prefetcher.distance, 0, 64, "lines ahead")                                   \
    X("prefetcher", "degree", prefetcher.degree, 0, 16, "lines asked for at a time")

#define TLB_FIGURES(X)                                                                                       \
    X("tlb", "entries", tlb.entries, 0, 4096, "pages that the first level knows")                            \
    X("tlb", "second-entries", tlb.second_entries, 0, 32768, "pages that the second knows")                  \
    X("tlb", "second-ways", tlb.second_ways, 0, 16, "of the second level")                                   \
    X("tlb", "second-latency", tlb.second_latency, 0, 255,                                                   \
      "cycles more for a page that only the second knows")                                                   \
    X("tlb", "walk", tlb.walk, 0, 1024, "cycles more for a page that neither knows")

#define PREDICTOR_FIGURES(X)                                                                                 \
    X("predictor", "base-bits", predictor.base_bits, 1, 16, "log2 of the entries of the base table")         \
    X("predictor", "tables", predictor.tables, 0, 8, "tagged tables")                                        \
    X("predictor", "table-bits", predictor.table_bits, 1, 16, "log2 of the entries of each of them")         \
    X("predictor", "return-stack", predictor.return_stack, 0, 64, "calls remembered")                        \
    X("predictor", "target-bits", predictor.target_bits, 0, 16,                                              \
      "log2 of the targets of indirect branches remembered")

/* What stands in the file beside these lists. */
enum {
    CORE_MOST_KIB = 65536,
    CORE_MOST_WAYS = 16,
    CORE_MOST_LATENCY = 1024, /* of a cache */
    CORE_MOST_CYCLES = 200,   /* of a class: latency, busy */
    CORE_MOST_UOPS = 32,
    CORE_MOST_NEAR = 128,    /* taken branches in the small buffer of targets */
    CORE_MOST_REGISTERS = 4, /* that an instruction moves */
    CORE_MOST_LATE = 3,      /* cycles that operands may be late */
    CORE_ONE_ACCESS = 8,     /* bytes up to which a pair is read at once, as one register is */
};

#endif
