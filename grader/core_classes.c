/* The table of classes in a core's file. */
#include "grader/core_file_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool row_number(const struct core_reading *r, unsigned row, const char *key, const char *text,
                       uint32_t low, uint32_t high, uint8_t *value)
{
    uint32_t number = 0;
    if (!yamldoc_number(r->doc, r->err, core_path_in("classes", row, key).text, text, low, high, &number))
        return false;
    *value = (uint8_t)number;
    return true;
}

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

/* Which row a class got its timing from, from 1; 0: none yet. */
struct given {
    unsigned row[OP_CLASS_COUNT][2];
};

static bool row_classes(const struct core_reading *r, unsigned i, const struct core_class *timing,
                        struct given *given)
{
    const struct raw_row *raw = &r->raw->classes[i];
    if (raw->classes_count == 0)
        return core_wrong(r, core_path_in("classes", i, "for"), "is missing: expected a list of classes");
    for (unsigned j = 0; j < raw->classes_count; j++) {
        char key[32];
        unsigned op_class = 0, wide = 0;
        snprintf(key, sizeof key, "for[%u]", j + 1);
        struct core_path path = core_path_in("classes", i, key);
        if (!find_class(raw->classes[j], &op_class, &wide))
            return yamldoc_wrong(r->doc, r->err, path.text,
                                 "there is no class `%.40s`; harness/model/op.h lists them", raw->classes[j]);
        if (given->row[op_class][wide])
            return yamldoc_wrong(r->doc, r->err, path.text, "`%.40s` has its row already: classes[%u]",
                                 raw->classes[j], given->row[op_class][wide]);
        given->row[op_class][wide] = i + 1;
        r->file->core.classes[op_class][wide] = *timing;
    }
    return true;
}

static bool take_row(struct core_reading *r, unsigned i, struct given *given)
{
    const struct raw_row *raw = &r->raw->classes[i];
    struct core_row *row = &r->file->rows[i];
    struct core_class *timing = &row->timing;
    *timing = (struct core_class){.uops = 1, .busy = 1};
    if (!row_number(r, i, "latency", raw->latency, 0, 200, &timing->latency) ||
        (raw->accumulate &&
         !row_number(r, i, "accumulate", raw->accumulate, 1, timing->latency, &timing->accumulate)) ||
        (raw->uops && !row_number(r, i, "uops", raw->uops, 0, 32, &timing->uops)) ||
        (raw->busy && !row_number(r, i, "busy", raw->busy, 1, 200, &timing->busy)) ||
        (raw->alone && !yamldoc_bool(r->doc, r->err, core_path_in("classes", i, "alone").text, raw->alone,
                                     &timing->alone)) ||
        !core_take_port_names(r, core_path_in("classes", i, "ports").text, raw->ports, raw->ports_count,
                              &timing->ports) ||
        (raw->also && !core_take_port_names(r, core_path_in("classes", i, "also").text, raw->also,
                                            raw->also_count, &timing->also_ports)) ||
        !core_check_source(r, core_path_in("classes", i, "").text, raw->source))
        return false;
    row->classes = raw->classes;
    row->class_count = raw->classes_count;
    row->source = raw->source;
    row->note = raw->note;
    return row_classes(r, i, timing, given);
}

bool core_take_classes(struct core_reading *r)
{
    static const struct given nothing;
    struct given given = nothing;
    struct core *core = &r->file->core;
    r->file->row_count = r->raw->classes_count;
    r->file->rows = calloc(r->raw->classes_count + 1, sizeof *r->file->rows);
    if (!r->file->rows)
        return error_set(r->err, "out of memory");
    for (unsigned i = 0; i < r->raw->classes_count; i++)
        if (!take_row(r, i, &given))
            return false;
    for (unsigned c = 0; c < OP_CLASS_COUNT; c++) {
        if (!given.row[c][0])
            return yamldoc_wrong(r->doc, r->err, "classes",
                                 "no row is for `%s`: every class needs its latency and ports",
                                 op_class_name((enum op_class)c));
        if (!given.row[c][1]) /* 128 bits are as 64 unless the file says otherwise */
            core->classes[c][1] = core->classes[c][0];
    }
    return true;
}
