/* The figures of a core's file: pipeline, memory, caches, prefetcher, TLB, predictor. */
#include "grader/core_file_internal.h"

#include <stdio.h>
#include <string.h>

static void keep_figure(struct core_reading *r, struct core_figure figure)
{
    if (r->file->figure_count < CORE_FIGURES)
        r->file->figures[r->file->figure_count++] = figure;
}

static bool take_figure(struct core_reading *r, const char *group, const char *key,
                        const struct raw_figure *raw, uint32_t low, uint32_t high, const char *says,
                        uint32_t *value)
{
    struct core_path path = core_path(group, key);
    if (!raw)
        return yamldoc_wrong(r->doc, r->err, path.text,
                             "is missing: expected {is: a whole number from %u to %u, source: ...} (%s)", low,
                             high, says);
    if (!yamldoc_number(r->doc, r->err, core_path(path.text, "is").text, raw->is, low, high, value) ||
        !core_check_source(r, path.text, raw->source))
        return false;
    struct core_figure figure = {
        .group = group, .key = key, .says = says, .source = raw->source, .note = raw->note};
    snprintf(figure.value, sizeof figure.value, "%u", *value);
    keep_figure(r, figure);
    return true;
}

/* A whole group of figures, each into its place. */
#define TAKE_FIGURE(KEY, NAME, PLACE, LOW, HIGH, SAYS)                                                       \
    if (!take_figure(r, group, KEY, raw->NAME, LOW, HIGH, SAYS, &value))                                     \
        return false;                                                                                        \
    (PLACE) = (__typeof__(PLACE))value;

#define TAKE_GROUP(FUNCTION, TYPE, MEMBER, KEY, FIGURES)                                                     \
    static bool FUNCTION(struct core_reading *r)                                                             \
    {                                                                                                        \
        static const struct TYPE none;                                                                       \
        static const char group[] = KEY;                                                                     \
        const struct TYPE *raw = r->raw->MEMBER ? r->raw->MEMBER : &none;                                    \
        struct core *core = &r->file->core;                                                                  \
        uint32_t value = 0;                                                                                  \
        FIGURES(TAKE_FIGURE)                                                                                 \
        return true;                                                                                         \
    }

TAKE_GROUP(take_pipeline_figures, raw_pipeline, pipeline, "pipeline", PIPELINE_FIGURES)
TAKE_GROUP(take_memory_figures, raw_memory, memory, "memory", MEMORY_FIGURES)
TAKE_GROUP(take_prefetcher_figures, raw_prefetcher, prefetcher, "prefetcher", PREFETCHER_FIGURES)
TAKE_GROUP(take_tlb_figures, raw_tlb, tlb, "tlb", TLB_FIGURES)
TAKE_GROUP(take_predictor_figures, raw_predictor, predictor, "predictor", PREDICTOR_FIGURES)

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static void join(char *text, size_t size, char *const *words, unsigned count)
{
    *text = '\0';
    for (unsigned i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? " " : "", words[i]);
    }
}

static bool take_base_ports(struct core_reading *r)
{
    static const struct raw_list none;
    const struct raw_list *raw =
        r->raw->pipeline && r->raw->pipeline->base_ports ? r->raw->pipeline->base_ports : &none;
    struct core_path path = core_path("pipeline", "base-ports");
    if (!core_take_port_names(r, core_path(path.text, "is").text, raw->is, raw->is_count,
                              &r->file->core.base_ports) ||
        !core_check_source(r, path.text, raw->source))
        return false;
    struct core_figure figure = {.group = "pipeline",
                                 .key = "base-ports",
                                 .says = "ports that add up an address to write back",
                                 .source = raw->source,
                                 .note = raw->note};
    join(figure.value, sizeof figure.value, raw->is, raw->is_count);
    keep_figure(r, figure);
    return true;
}

bool core_take_pipeline(struct core_reading *r)
{
    const struct core *core = &r->file->core;
    if (!take_pipeline_figures(r) || !take_base_ports(r))
        return false;
    if (core->kind == CORE_IN_ORDER && core->window != 0)
        return core_wrong(r, core_path("pipeline", "window.is"), "expected 0 with `kind: in-order`");
    if (core->kind == CORE_OUT_OF_ORDER && core->window < core->width)
        return core_wrong(r, core_path("pipeline", "window.is"), "expected at least the width");
    return true;
}

bool core_take_memory(struct core_reading *r)
{
    return take_memory_figures(r) &&
           (is_power_of_two(r->file->core.line) ||
            core_wrong(r, core_path("memory", "line.is"), "expected a power of two"));
}

bool core_take_prefetcher(struct core_reading *r)
{
    return take_prefetcher_figures(r);
}

bool core_take_tlb(struct core_reading *r)
{
    const struct core *core = &r->file->core;
    if (!take_tlb_figures(r))
        return false;
    return (core->tlb.second_ways && core->tlb.second_entries % core->tlb.second_ways == 0) ||
           core_wrong(r, core_path("tlb", "second-entries.is"), "expected a multiple of second-ways");
}

/* ---- caches ---- */

static bool take_cache(struct core_reading *r, const char *key, const struct raw_cache *raw, bool first_level,
                       const char *says, struct core_cache *cache)
{
    struct core_path path = core_path("caches", key);
    uint32_t kib = 0, ways = 1, latency = 0;
    if (!raw)
        return core_wrong(r, path,
                          "is missing: expected {kib, ways, latency, source}; without it, {kib: 0, ...}");
    if (!yamldoc_number(r->doc, r->err, core_path(path.text, "kib").text, raw->kib, first_level ? 1 : 0,
                        65536, &kib) ||
        !yamldoc_number(r->doc, r->err, core_path(path.text, "ways").text, raw->ways, 1, 64, &ways) ||
        (!(first_level && !raw->latency) &&
         !yamldoc_number(r->doc, r->err, core_path(path.text, "latency").text, raw->latency, 0, 1024,
                         &latency)) ||
        !core_check_source(r, path.text, raw->source))
        return false;
    if (first_level && latency != 0)
        return core_wrong(r, core_path(path.text, "latency"),
                          "expected none: a hit in the first level is part of the latency of `load`");
    *cache = (struct core_cache){.bytes = kib << 10, .ways = (uint16_t)ways, .latency = (uint16_t)latency};
    uint32_t way = cache->bytes / ways;
    if (kib != 0 && (way * ways != cache->bytes || way < r->file->core.line || !is_power_of_two(way)))
        return core_wrong(r, core_path(path.text, "kib"),
                          "expected the ways times a power of two, at least a line for each way");
    struct core_figure figure = {
        .group = "caches", .key = key, .says = says, .source = raw->source, .note = raw->note};
    if (kib == 0)
        snprintf(figure.value, sizeof figure.value, "none");
    else if (latency == 0)
        snprintf(figure.value, sizeof figure.value, "%u KiB, %u ways", kib, ways);
    else
        snprintf(figure.value, sizeof figure.value, "%u KiB, %u ways, %u cycles", kib, ways, latency);
    keep_figure(r, figure);
    return true;
}

bool core_take_caches(struct core_reading *r)
{
    static const struct raw_caches none;
    const struct raw_caches *raw = r->raw->caches ? r->raw->caches : &none;
    struct core *core = &r->file->core;
    if (!take_cache(r, "l1i", raw->l1i, true, "instructions", &core->l1i) ||
        !take_cache(r, "l1d", raw->l1d, true, "data, first level", &core->l1d) ||
        !take_cache(r, "l2", raw->l2, false, "second level", &core->l2) ||
        !take_cache(r, "llc", raw->llc, false, "last level", &core->llc))
        return false;
    if (core->l2.bytes && core->llc.bytes && core->llc.latency <= core->l2.latency)
        return core_wrong(r, core_path("caches", "llc.latency"), "expected more than that of l2");
    if (core->dram <= core->llc.latency || core->dram <= core->l2.latency)
        return core_wrong(r, core_path("memory", "dram.is"),
                          "expected more than the latencies of the caches");
    return true;
}

/* ---- predictor ---- */

bool core_take_predictor(struct core_reading *r)
{
    const struct raw_list *history = r->raw->predictor ? r->raw->predictor->history : NULL;
    struct core *core = &r->file->core;
    struct core_path path = core_path("predictor", "history");
    if (!take_predictor_figures(r))
        return false;
    if (!history || history->is_count != core->predictor.tables)
        return yamldoc_wrong(
            r->doc, r->err, path.text,
            "%s: expected {is: [...], source: ...} with one number for each of the %u tables",
            history ? "has too few or too many" : "is missing", core->predictor.tables);
    struct core_figure figure = {.group = "predictor",
                                 .key = "history",
                                 .says = "branches of history that each tagged table looks at",
                                 .source = history->source,
                                 .note = history->note};
    for (unsigned i = 0; i < history->is_count; i++) {
        uint32_t least = i ? core->predictor.history[i - 1] + 1u : 1, value = 0;
        if (!yamldoc_number(r->doc, r->err, core_path_in("predictor.history.is", i, "").text, history->is[i],
                            least, 255, &value))
            return false;
        core->predictor.history[i] = (uint8_t)value;
    }
    join(figure.value, sizeof figure.value, history->is, history->is_count);
    keep_figure(r, figure);
    return core_check_source(r, path.text, history->source);
}
