/* A core's file for libcyaml: every value a string, every key optional. */
#include "grader/core_file_internal.h"

#include <stddef.h>
#include "grader/yamlschema.h"

static const cyaml_schema_field_t figure_fields[] = {
    TEXT("is", struct raw_figure, is),
    TEXT("source", struct raw_figure, source),
    TEXT("note", struct raw_figure, note),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t list_fields[] = {
    LIST("is", struct raw_list, is, &text_value),
    TEXT("source", struct raw_list, source),
    TEXT("note", struct raw_list, note),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t cache_fields[] = {
    TEXT("kib", struct raw_cache, kib),         TEXT("ways", struct raw_cache, ways),
    TEXT("latency", struct raw_cache, latency), TEXT("source", struct raw_cache, source),
    TEXT("note", struct raw_cache, note),       CYAML_FIELD_END,
};

#define FIGURE_FIELD(TYPE, KEY, NAME)    PART(KEY, TYPE, NAME, figure_fields),
#define PIPELINE_FIELD(KEY, NAME, ...)   FIGURE_FIELD(struct raw_pipeline, KEY, NAME)
#define MEMORY_FIELD(KEY, NAME, ...)     FIGURE_FIELD(struct raw_memory, KEY, NAME)
#define PREFETCHER_FIELD(KEY, NAME, ...) FIGURE_FIELD(struct raw_prefetcher, KEY, NAME)
#define TLB_FIELD(KEY, NAME, ...)        FIGURE_FIELD(struct raw_tlb, KEY, NAME)
#define PREDICTOR_FIELD(KEY, NAME, ...)  FIGURE_FIELD(struct raw_predictor, KEY, NAME)
static const cyaml_schema_field_t pipeline_fields[] = {
    PIPELINE_FIGURES(PIPELINE_FIELD) PART("base-ports", struct raw_pipeline, base_ports, list_fields),
    CYAML_FIELD_END};
static const cyaml_schema_field_t memory_fields[] = {MEMORY_FIGURES(MEMORY_FIELD) CYAML_FIELD_END};
static const cyaml_schema_field_t prefetcher_fields[] = {PREFETCHER_FIGURES(PREFETCHER_FIELD)
                                                             CYAML_FIELD_END};
static const cyaml_schema_field_t tlb_fields[] = {TLB_FIGURES(TLB_FIELD) CYAML_FIELD_END};
static const cyaml_schema_field_t predictor_fields[] = {
    PREDICTOR_FIGURES(PREDICTOR_FIELD) PART("history", struct raw_predictor, history, list_fields),
    CYAML_FIELD_END};

static const cyaml_schema_field_t caches_fields[] = {
    PART("l1i", struct raw_caches, l1i, cache_fields),
    PART("l1d", struct raw_caches, l1d, cache_fields),
    PART("l2", struct raw_caches, l2, cache_fields),
    PART("llc", struct raw_caches, llc, cache_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t named_fields[] = {
    /* of struct core_source and struct core_port_text */
    TEXT("name", struct core_source, name),
    TEXT("is", struct core_source, is),
    CYAML_FIELD_END,
};
_Static_assert(sizeof(struct core_source) == sizeof(struct core_port_text) &&
                   offsetof(struct core_source, is) == offsetof(struct core_port_text, is),
               "both are loaded by named_fields");

static const cyaml_schema_field_t row_fields[] = {
    LIST("for", struct raw_row, classes, &text_value),
    TEXT("latency", struct raw_row, latency),
    TEXT("accumulate", struct raw_row, accumulate),
    TEXT("uops", struct raw_row, uops),
    TEXT("busy", struct raw_row, busy),
    TEXT("alone", struct raw_row, alone),
    LIST("ports", struct raw_row, ports, &text_value),
    LIST("also", struct raw_row, also, &text_value),
    TEXT("source", struct raw_row, source),
    TEXT("note", struct raw_row, note),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t source_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct core_source, named_fields)};
static const cyaml_schema_value_t port_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct core_port_text, named_fields)};
static const cyaml_schema_value_t row_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_row, row_fields)};

static const cyaml_schema_field_t fields[] = {
    TEXT("title", struct raw, title),
    TEXT("about", struct raw, about),
    TEXT("kind", struct raw, kind),
    LIST("features", struct raw, features, &text_value),
    LIST("sources", struct raw, sources, &source_value),
    LIST("ports", struct raw, ports, &port_value),
    PART("pipeline", struct raw, pipeline, pipeline_fields),
    PART("memory", struct raw, memory, memory_fields),
    PART("caches", struct raw, caches, caches_fields),
    PART("prefetcher", struct raw, prefetcher, prefetcher_fields),
    PART("tlb", struct raw, tlb, tlb_fields),
    PART("predictor", struct raw, predictor, predictor_fields),
    LIST("classes", struct raw, classes, &row_value),
    CYAML_FIELD_END,
};

const cyaml_schema_value_t core_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw, fields)};
