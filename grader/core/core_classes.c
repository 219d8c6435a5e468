/* The table of classes in a core's file. */
#include "grader/core/core_file_internal.h"

#include <string.h>
#include "harness/model/core_figures.h"

/* The class that a name means, and whether it is the one on 128 bits: "v-alu.q". */
static bool find_class(const char *name, unsigned *op_class, unsigned *wide)
{
    size_t length = strlen(name);
    *wide = length > 2 && strcmp(name + length - 2, ".q") == 0;
    length -= *wide ? 2 : 0;
    for (*op_class = 0; *op_class < OP_CLASS_COUNT; ++*op_class) {
        const char *known = op_class_name((enum op_class) * op_class);
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return true;
    }
    return false;
}

static bool check_name(struct schema_reader *r, void *place)
{
    unsigned op_class, wide;
    const char *name = *(char **)place;
    return find_class(name, &op_class, &wide) ||
           schema_wrong(r, "", "there is no class `%.40s`; harness/model/op.h lists them", name);
}

/* The row is read: its timing is that of its classes. */
bool core_settle_row(struct schema_reader *r, void *place)
{
    struct core_reading *reading = r->context;
    struct core_row *row = place;
    unsigned op_class, wide, number = ++reading->file->rows_count;
    row->source = reading->source;
    row->note = reading->note;
    reading->note = NULL;
    if (row->timing.more_slots && row->timing.more_slots < row->timing.uops)
        return schema_wrong(r, "slots", "expected at least the `uops`, %u, found `%u`", row->timing.uops,
                            row->timing.more_slots);
    if (row->timing.more_slots) /* all of them, in the file */
        row->timing.more_slots = (uint8_t)(row->timing.more_slots - row->timing.uops);
    for (unsigned i = 0; i < row->classes_count && find_class(row->classes[i], &op_class, &wide); i++) {
        unsigned *given = &reading->class_row[op_class][wide];
        if (*given)
            return schema_wrong(r, "for", "`%.40s` has its row already: classes[%u]", row->classes[i],
                                *given);
        *given = number;
        reading->file->core.classes[op_class][wide] = row->timing;
    }
    return true;
}

bool core_check_classes(struct schema_reader *r, void *place)
{
    const struct core_reading *reading = r->context;
    struct core *core = &reading->file->core;
    (void)place;
    for (unsigned c = 0; c < OP_CLASS_COUNT; c++) {
        if (!reading->class_row[c][0])
            return schema_wrong(r, "", "no row is for `%s`: every class needs its latency and ports",
                                op_class_name((enum op_class)c));
        if (!reading->class_row[c][1]) /* 128 bits are as 64 unless the file says otherwise */
            core->classes[c][1] = core->classes[c][0];
    }
    return true;
}

static const struct schema_row name_row = {.kind = SCHEMA_TEXT, .check = check_name};

#define AT(MEMBER) SCHEMA_AT(struct core_row, MEMBER)
const struct schema_row core_class_rows[] = {
    {"for", SCHEMA_ITEMS(struct core_row, classes), .item = &name_row, .least = 1, .meaning = "classes"},
    {"latency", SCHEMA_NUMBER, AT(timing.latency), .least = 0, .most = CORE_MOST_CYCLES},
    {"accumulate", SCHEMA_NUMBER, AT(timing.accumulate), .optional = true, .least = 1,
     .most = CORE_MOST_CYCLES},
    {"most", SCHEMA_NUMBER, AT(timing.most), .optional = true, .most = CORE_MOST_CYCLES},
    {"digit", SCHEMA_NUMBER, AT(timing.digit), .optional = true, .least = 1, .most = 64},
    {"uops", SCHEMA_NUMBER, AT(timing.uops), .optional = true, .least = 0, .most = CORE_MOST_UOPS},
    {"each", SCHEMA_BOOL, AT(timing.each), .optional = true},
    {"slots", SCHEMA_NUMBER, AT(timing.more_slots), .optional = true, .most = CORE_MOST_UOPS},
    {"busy", SCHEMA_NUMBER, AT(timing.busy), .optional = true, .least = 1, .most = CORE_MOST_CYCLES},
    {"first", SCHEMA_BOOL, AT(timing.first), .optional = true},
    {"late", SCHEMA_NUMBER, AT(timing.late), .optional = true, .least = 1, .most = CORE_MOST_LATE},
    {"serial", SCHEMA_BOOL, AT(timing.serial), .optional = true},
    CORE_PORTS_ROW("ports", offsetof(struct core_row, timing.ports), .optional = false),
    CORE_PORTS_ROW("also", offsetof(struct core_row, timing.also_ports), .optional = true),
    CORE_SOURCE_ROWS,
    SCHEMA_END,
};
#undef AT

const struct core_row core_row_before = {.timing = {.uops = 1, .busy = 1}};
