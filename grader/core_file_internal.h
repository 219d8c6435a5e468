/* What the parts of core_file.c share: the file as libcyaml loads it, and its checking. Private to them.
 *
 * A new figure is a line in one of the lists below, and its place in struct core. */
#ifndef CYCLELAB_CORE_FILE_INTERNAL_H
#define CYCLELAB_CORE_FILE_INTERNAL_H

#include "grader/core_file.h"
#include "grader/yamldoc.h"

#define CORE_FOLDER "harness/model/cores"

/* ---- the figures: group, key in the file, member here, where it goes, least and most, what it says ---- */

#define PIPELINE_FIGURES(X)                                                                                  \
    X("width", width, core->width, 1, 16, "micro-operations that begin in a cycle")                          \
    X("fetch", fetch, core->fetch, 1, 32, "instructions fetched in a cycle")                                 \
    X("fetch-queue", fetch_queue, core->fetch_queue, 0, 255, "instructions fetched ahead")                   \
    X("taken-bubble", taken_bubble, core->taken_bubble, 0, 16, "cycles without fetch after a taken branch")  \
    X("commit", commit, core->commit, 1, 32, "micro-operations that retire in a cycle")                      \
    X("window", window, core->window, 0, 1024, "micro-operations in flight (reorder buffer)")                \
    X("load-queue", load_queue, core->load_queue, 1, 512, "loads in flight")                                 \
    X("store-queue", store_queue, core->store_queue, 1, 512, "stores in flight")                             \
    X("mispredict", mispredict, core->mispredict, 1, 64,                                                     \
      "cycles from a mispredicted branch to the next dispatch")                                              \
    X("forward", forward, core->forward, 1, 64, "cycles from a store to a load of the same data")            \
    X("store-data", store_data, core->store_data, 0, 16,                                                     \
      "cycles that a store's data may come late, in order")                                                  \
    X("base-uops", base_uops, core->base_uops, 0, 4, "slots more for an address written back")

#define MEMORY_FIGURES(X)                                                                                    \
    X("line", line, core->line, 16, 256, "bytes of a cache line")                                            \
    X("fills", fills, core->fills, 1, 64, "L1D misses under way at once")                                    \
    X("dram", dram, core->dram, 1, 4096, "cycles for a load that goes to memory")                            \
    X("dram-busy", dram_busy, core->dram_busy, 1, 255, "cycles between two lines from memory")

#define PREFETCHER_FIGURES(X)                                                                                \
    X("streams", streams, core->prefetcher.streams, 0, 64, "streams followed at once")                       \
    X("distance", distance, core->prefetcher.distance, 1, 64, "lines ahead")                                 \
    X("degree", degree, core->prefetcher.degree, 1, 16, "lines asked for at a time")

#define TLB_FIGURES(X)                                                                                       \
    X("entries", entries, core->tlb.entries, 1, 4096, "pages that the first level knows")                    \
    X("second-entries", second_entries, core->tlb.second_entries, 0, 32768, "pages that the second knows")   \
    X("second-ways", second_ways, core->tlb.second_ways, 1, 64, "of the second level")                       \
    X("second-latency", second_latency, core->tlb.second_latency, 0, 255,                                    \
      "cycles more for a page that only the second knows")                                                   \
    X("walk", walk, core->tlb.walk, 1, 1024, "cycles more for a page that neither knows")

#define PREDICTOR_FIGURES(X)                                                                                 \
    X("base-bits", base_bits, core->predictor.base_bits, 4, 20, "log2 of the entries of the base table")     \
    X("tables", tables, core->predictor.tables, 0, 8, "tagged tables")                                       \
    X("table-bits", table_bits, core->predictor.table_bits, 4, 20, "log2 of the entries of each of them")    \
    X("return-stack", return_stack, core->predictor.return_stack, 1, 64, "calls remembered")                 \
    X("target-bits", target_bits, core->predictor.target_bits, 2, 16,                                        \
      "log2 of the targets of indirect branches remembered")

/* ---- the file as libcyaml loads it: every value a string, every key optional ---- */

struct raw_figure {
    char *is, *source, *note;
};

struct raw_list {
    char **is;
    unsigned is_count;
    char *source, *note;
};

struct raw_cache {
    char *kib, *ways, *latency, *source, *note;
};

#define RAW_MEMBER(KEY, NAME, ...) struct raw_figure *NAME;
struct raw_pipeline {
    PIPELINE_FIGURES(RAW_MEMBER)
    struct raw_list *base_ports;
};
struct raw_memory {
    MEMORY_FIGURES(RAW_MEMBER)
};
struct raw_prefetcher {
    PREFETCHER_FIGURES(RAW_MEMBER)
};
struct raw_tlb {
    TLB_FIGURES(RAW_MEMBER)
};
struct raw_predictor {
    PREDICTOR_FIGURES(RAW_MEMBER)
    struct raw_list *history;
};

struct raw_caches {
    struct raw_cache *l1i, *l1d, *l2, *llc;
};

struct raw_row {
    char **classes;
    unsigned classes_count;
    char *latency, *accumulate, *uops, *busy, *alone, *source, *note;
    char **ports, **also;
    unsigned ports_count, also_count;
};

struct raw {
    char *title, *about, *kind;
    char **features;
    unsigned features_count;
    struct core_source *sources;
    unsigned sources_count;
    struct core_port_text *ports;
    unsigned ports_count;
    struct raw_pipeline *pipeline;
    struct raw_memory *memory;
    struct raw_caches *caches;
    struct raw_prefetcher *prefetcher;
    struct raw_tlb *tlb;
    struct raw_predictor *predictor;
    struct raw_row *classes;
    unsigned classes_count;
};

extern const cyaml_schema_value_t core_schema;

/* ---- reading ---- */

/* What is being read, and where to. */
struct core_reading {
    const struct yamldoc *doc;
    struct error *err;
    const struct raw *raw;
    struct core_file *file;
};

/* "group.key", and "list[1].key" for the index 0. */
struct core_path {
    char text[96];
};
struct core_path core_path(const char *group, const char *key);
struct core_path core_path_in(const char *list, unsigned index, const char *key);

/* yamldoc_wrong with a fixed text: false. */
bool core_wrong(const struct core_reading *r, struct core_path path, const char *text);

/* A line of text that is not empty. */
bool core_check_text(const struct core_reading *r, struct core_path path, const char *text);

/* The `source` of what stands at `group`: one of the file's sources, or the admission that nobody has
 * published it. */
bool core_check_source(const struct core_reading *r, const char *group, const char *source);

/* `[none]`: libcyaml cannot tell an empty list from a missing one. */
bool core_says_none(char *const *list, unsigned count);

/* Names of ports in the list at `path` to their bits. */
bool core_take_port_names(const struct core_reading *r, const char *path, char *const *list, unsigned count,
                          uint16_t *ports);

/* The parts of a file, in the order in which they need each other: ports come first. */
bool core_take_pipeline(struct core_reading *r);
bool core_take_memory(struct core_reading *r);
bool core_take_caches(struct core_reading *r);
bool core_take_prefetcher(struct core_reading *r);
bool core_take_tlb(struct core_reading *r);
bool core_take_predictor(struct core_reading *r);
bool core_take_classes(struct core_reading *r);

#endif
