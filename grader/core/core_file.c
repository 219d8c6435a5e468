#include "grader/core/core_file_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "harness/emu/decode.h"
#include "harness/model/core_figures.h"

static const char *const kinds[] = {[CORE_IN_ORDER] = "in-order", [CORE_OUT_OF_ORDER] = "out-of-order", NULL};
static const char *const queues[] = {[CORE_NO_QUEUE] = "none",
                                     [CORE_INTEGER_QUEUE] = "integer",
                                     [CORE_MEMORY_QUEUE] = "memory",
                                     [CORE_VECTOR_QUEUE] = "vector",
                                     [CORE_QUEUES] = NULL};

#define FEATURE_NAME(feature, bit, text, title) [bit] = (text),
static const char *const feature_names[] = {DECODE_FEATURES(FEATURE_NAME) NULL};
enum { MOST_TABLES = sizeof((struct core *)0)->predictor.history };

const char *core_feature_name(unsigned bit)
{
    for (unsigned i = 0; feature_names[i]; i++)
        if (bit == 1u << i)
            return feature_names[i];
    return NULL;
}

/* ---- names of sources, ports and features ---- */

static bool is_source(const char *text)
{
    return strings_is_kebab(text) && strcmp(text, "estimate") != 0;
}

static bool is_port(const char *text)
{
    return strings_is_kebab(text) && strlen(text) < sizeof((struct core *)0)->port_name[0];
}

static const struct schema_rule source_name = {
    is_source, "a short name: words of a-z and 0-9 joined by hyphens, not `estimate`"};
static const struct schema_rule port_name = {is_port, "a name of at most 7 letters and digits, like `v0`"};

const char *core_source_word(struct schema_reader *r, const void *place, unsigned i)
{
    const struct core_file *file = ((struct core_reading *)r->context)->file;
    (void)place;
    return i == 0 ? "estimate" : i <= file->sources_count ? file->sources[i - 1].name : NULL;
}

const char *core_port_word(struct schema_reader *r, const void *place, unsigned i)
{
    const struct core *core = &((struct core_reading *)r->context)->file->core;
    (void)place;
    return i < core->port_count ? core->port_name[i] : NULL;
}

/* ---- figures: `{is: ..., source: ..., note: ...}`, caches with other keys ---- */

static const struct schema_row history_row = {
    .kind = SCHEMA_NUMBER, .size = sizeof(uint8_t), .least = 1, .most = UINT8_MAX};
static const struct schema_row history_rows[] = {
    {"is", SCHEMA_LIST, 0, MOST_TABLES, .fixed = true, .item = &history_row, .item_size = sizeof(uint8_t),
     .least = 0, .most = MOST_TABLES, .order = SCHEMA_RISING, .meaning = "rising numbers"},
    CORE_SOURCE_ROWS,
    SCHEMA_END,
};
static const struct schema_row base_ports_rows[] = {
    CORE_PORTS_ROW("is", 0, .optional = false),
    CORE_SOURCE_ROWS,
    SCHEMA_END,
};

/* The bytes are KiB until check_cache has seen them. The latency of a first level is that of a load. */
#define CACHE_ROWS(LEAST, FIRST)                                                                             \
    {                                                                                                        \
        {"kib", SCHEMA_NUMBER, SCHEMA_AT(struct core_cache, bytes), .least = (LEAST),                        \
         .most = CORE_MOST_KIB},                                                                             \
            {"ways", SCHEMA_NUMBER, SCHEMA_AT(struct core_cache, ways), .least = 1, .most = CORE_MOST_WAYS}, \
            {"latency",           SCHEMA_NUMBER, SCHEMA_AT(struct core_cache, latency),                      \
             .optional = (FIRST), .least = 0,    .most = CORE_MOST_LATENCY},                                 \
            CORE_SOURCE_ROWS, SCHEMA_END,                                                                    \
    }
static const struct schema_row first_rows[] = CACHE_ROWS(1, true), cache_rows[] = CACHE_ROWS(0, false);

static void print_cache(const struct core_cache *cache, char *text, size_t size)
{
    int used = snprintf(text, size, "%u KiB, %u ways", cache->bytes, cache->ways);
    if (cache->bytes == 0)
        snprintf(text, size, "none");
    else if (cache->latency)
        snprintf(text + used, size - (size_t)used, ", %u cycles", cache->latency);
}

void core_port_names(const struct core *core, unsigned ports, char *text, size_t size)
{
    *text = '\0';
    for (unsigned port = 0; port < core->port_count; port++)
        if (ports >> port & 1)
            strings_append(text, size, " ", core->port_name[port]);
}

/* What stands at the place, for people. */
static void print_value(const struct core *core, const struct schema_row *row, const void *place, char *text,
                        size_t size)
{
    const uint8_t *bytes = place;
    uint32_t number = row->size == 2 ? *(const uint16_t *)place : *bytes;
    size_t used = 0;
    if (row->rows == first_rows || row->rows == cache_rows) {
        print_cache(place, text, size);
    } else if (row->rows == history_rows) {
        for (unsigned i = 0; i < MOST_TABLES && bytes[i]; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%u", i ? " " : "", bytes[i]);
    } else if (row->rows == base_ports_rows) {
        core_port_names(core, number, text, size);
        if (number == 0)
            snprintf(text, size, "none");
    } else {
        snprintf(text, size, "%u", number);
    }
}

static bool read_figure(struct schema_reader *r, const struct schema_row *row, const struct yaml_node_s *node,
                        void *place)
{
    const struct schema_row number_rows[] = {
        {"is", SCHEMA_NUMBER, 0, row->size, .least = row->least, .most = row->most},
        CORE_SOURCE_ROWS,
        SCHEMA_END,
    };
    struct core_reading *reading = r->context;
    struct core_file *file = reading->file;
    char is[64] = "[...]";
    reading->source = reading->note = NULL;
    if (!row->rows)
        snprintf(is, sizeof is, "a whole number from %u to %u", row->least, row->most);
    if (!node && (row->rows == first_rows || row->rows == cache_rows))
        return schema_wrong(r, "",
                            "is missing: expected {kib, ways, latency, source}; without it, {kib: 0, ...}");
    if (!node)
        return schema_wrong(r, "", "is missing: expected {is: %s, source: ...} (%s)", is, row->meaning);
    if (file->figure_count == CORE_FIGURES)
        return schema_wrong(r, "", "is one figure too many for CORE_FIGURES");
    if (!schema_read(r, node, row->rows ? row->rows : number_rows, place))
        return false;
    struct core_figure *figure = &file->figures[file->figure_count++];
    *figure = (struct core_figure){
        pool_copy(r->pool, r->path), row->key, row->meaning, "", reading->source, reading->note};
    if (!figure->group)
        return schema_no_memory(r);
    *strchr(figure->group, '.') = '\0';
    print_value(&file->core, row, place, figure->value, sizeof figure->value);
    return true;
}

static bool check_history(struct schema_reader *r, void *place)
{
    const struct core *core = &((struct core_reading *)r->context)->file->core;
    const uint8_t *history = place;
    unsigned count = 0;
    while (count < MOST_TABLES && history[count])
        count++;
    return count == core->predictor.tables ||
           schema_wrong(
               r, "",
               "has too few or too many: expected {is: [...], source: ...} with one number for each of "
               "the %u tables, found %u",
               core->predictor.tables, count);
}

static bool check_cache(struct schema_reader *r, void *place)
{
    ((struct core_cache *)place)->bytes <<= 10;
    (void)r;
    return true;
}

static bool check_first_level(struct schema_reader *r, void *place)
{
    const struct core_cache *cache = place;
    return check_cache(r, place) &&
           (cache->latency == 0 ||
            schema_wrong(
                r, "latency",
                "expected none: a hit in the first level is part of the latency of `load`, found `%u`",
                cache->latency));
}

/* ---- the file ---- */

static bool keep_ports(struct schema_reader *r, void *place)
{
    struct core_file *file = ((struct core_reading *)r->context)->file;
    (void)place;
    for (unsigned i = 0; i < file->ports_count; i++) {
        snprintf(file->core.port_name[i], sizeof file->core.port_name[i], "%s", file->ports[i].name);
        file->core.port_queue[i] = (uint8_t)file->ports[i].queue;
    }
    file->core.port_count = (uint8_t)file->ports_count;
    return true;
}

/* What the model asks for besides: a core whose file is taken is one that it can be. */
static bool check_whole(struct schema_reader *r, void *place)
{
    const struct core_reading *reading = r->context;
    const struct core_file *file = place;
    struct core_fault fault;
    struct error why;
    char key[64];
    if (file->core.kind == CORE_IN_ORDER && file->core.window != 0)
        return schema_wrong(r, "pipeline.window.is", "expected 0 with `kind: in-order`, found `%u`",
                            file->core.window);
    if (core_check(&file->core, &fault, &why))
        return true;
    snprintf(key, sizeof key, "%s", fault.key);
    if (fault.in_class) {
        unsigned row = reading->class_row[fault.op_class][fault.wide];
        snprintf(key, sizeof key, "classes[%u].%s", row ? row : reading->class_row[fault.op_class][0],
                 fault.key);
    }
    return schema_wrong(r, key, "%s", why.text);
}

#define AT(MEMBER) SCHEMA_AT(struct core_file, MEMBER)
#define FIGURE(GROUP, KEY, PLACE, LEAST, MOST, MEANING)                                                      \
    {KEY,                                                                                                    \
     SCHEMA_HOOK,                                                                                            \
     AT(core.PLACE),                                                                                         \
     .hook = read_figure,                                                                                    \
     .least = (LEAST),                                                                                       \
     .most = (MOST),                                                                                         \
     .meaning = (MEANING)},
static const struct schema_row pipeline_rows[] = {
    PIPELINE_FIGURES(FIGURE){"base-ports", SCHEMA_HOOK, AT(core.base_ports), .hook = read_figure,
                             .rows = base_ports_rows,
                             .meaning = "ports that add up an address to write back"},
    SCHEMA_END,
};
static const struct schema_row memory_rows[] = {MEMORY_FIGURES(FIGURE) SCHEMA_END};
static const struct schema_row prefetcher_rows[] = {PREFETCHER_FIGURES(FIGURE) SCHEMA_END};
static const struct schema_row tlb_rows[] = {TLB_FIGURES(FIGURE) SCHEMA_END};
static const struct schema_row predictor_rows[] = {
    PREDICTOR_FIGURES(FIGURE){"history", SCHEMA_HOOK, AT(core.predictor.history), .hook = read_figure,
                              .rows = history_rows, .check = check_history,
                              .meaning = "branches of history that each tagged table looks at"},
    SCHEMA_END,
};
#define FIRST_LEVEL .hook = read_figure, .rows = first_rows, .check = check_first_level
#define CACHE       .hook = read_figure, .rows = cache_rows, .check = check_cache
static const struct schema_row caches_rows[] = {
    {"l1i", SCHEMA_HOOK, AT(core.l1i), FIRST_LEVEL, .meaning = "instructions"},
    {"l1d", SCHEMA_HOOK, AT(core.l1d), FIRST_LEVEL, .meaning = "data, first level"},
    {"l2", SCHEMA_HOOK, AT(core.l2), CACHE, .meaning = "second level"},
    {"llc", SCHEMA_HOOK, AT(core.llc), CACHE, .meaning = "last level"},
    SCHEMA_END,
};

static const struct schema_row source_rows[] = {
    {"name", SCHEMA_TEXT, SCHEMA_AT(struct core_named, name), .rule = &source_name},
    {"is", SCHEMA_TEXT, SCHEMA_AT(struct core_named, is), .rule = &schema_line},
    SCHEMA_END,
};
static const struct schema_row port_rows[] = {
    {"name", SCHEMA_TEXT, SCHEMA_AT(struct core_named, name), .rule = &port_name},
    {"queue", SCHEMA_WORD, SCHEMA_AT(struct core_named, queue), .optional = true, .words = queues},
    {"is", SCHEMA_TEXT, SCHEMA_AT(struct core_named, is), .rule = &schema_line},
    SCHEMA_END,
};
#define NAMED(MEMBER, ROWS)                                                                                  \
    SCHEMA_ITEMS(struct core_file, MEMBER), .rows = (ROWS), .least = 1, .unique = "name",                    \
                                            .meaning = "{name: ..., is: ...}"

static const struct schema_row rows[] = {
    {"title", SCHEMA_TEXT, AT(core.title), .rule = &schema_line, .fixed = true},
    {"about", SCHEMA_TEXT, AT(about), .rule = &schema_line},
    {"kind", SCHEMA_WORD, AT(core.kind), .words = kinds},
    {"sources", NAMED(sources, source_rows)},
    {"features", SCHEMA_BITS, AT(core.features), .words = feature_names,
     .meaning = "a list, `[none]` for none"},
    {"ports", NAMED(ports, port_rows), .most = CORE_PORTS, .check = keep_ports},
    {"pipeline", SCHEMA_MAPPING, .rows = pipeline_rows},
    {"memory", SCHEMA_MAPPING, .rows = memory_rows},
    {"caches", SCHEMA_MAPPING, .rows = caches_rows},
    {"prefetcher", SCHEMA_MAPPING, .rows = prefetcher_rows},
    {"tlb", SCHEMA_MAPPING, .rows = tlb_rows},
    {"predictor", SCHEMA_MAPPING, .rows = predictor_rows},
    {"classes", SCHEMA_ITEMS(struct core_file, rows), .rows = core_class_rows, .each = core_settle_row,
     .item_before = &core_row_before, .check = core_check_classes},
    SCHEMA_END,
};

struct core_file *core_file_open(const char *root, const char *name, struct error *err)
{
    if (!core_exists(root, name, err))
        return NULL;
    char relative[256];
    snprintf(relative, sizeof relative, "%s/%.100s.yml", CORE_FOLDER, name);
    char *path = textfile_join(root, relative);
    struct core_file *file = calloc(1, sizeof *file);
    struct core_reading reading = {.file = file};
    bool good = false;
    if (path && file) {
        snprintf(file->core.name, sizeof file->core.name, "%s", name);
        good = schema_read_file(path, rows, file, &file->pool, &reading, check_whole, err);
    } else {
        error_set(err, "out of memory");
    }
    free(path);
    if (good)
        return file;
    core_file_close(file);
    return NULL;
}

void core_file_close(struct core_file *file)
{
    if (file)
        pool_free(file->pool);
    free(file);
}

bool core_read(const char *root, const char *name, struct core *core, struct error *err)
{
    struct core_file *file = core_file_open(root, name, err);
    if (!file)
        return false;
    *core = file->core;
    core_file_close(file);
    return true;
}
