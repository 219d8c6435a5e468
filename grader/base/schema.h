/* A table says what a YAML file may hold, and where in a struct it goes. Everything that is wrong with a file
 * is told with its name, the line, the key, what was expected and what was found.
 *
 *     struct thing { char *title; uint8_t width; };
 *     static const struct schema_row rows[] = {
 *         {"title", SCHEMA_TEXT, SCHEMA_AT(struct thing, title), .rule = &schema_line},
 *         {"width", SCHEMA_NUMBER, SCHEMA_AT(struct thing, width), .least = 1, .most = 16, .optional = true},
 *         SCHEMA_END,
 *     };
 *     bool good = schema_read_file(file, rows, &thing, &pool, context, check, err);
 *
 * To add a key: add its member to the struct and its row to the table; ranges and words stand there and
 * nowhere else. A key is required unless it is optional; members of optional keys keep what they were before.
 * Rows are read in the order of the table, not of the file: a row may rely on those before it. */
#ifndef CYCLELAB_SCHEMA_H
#define CYCLELAB_SCHEMA_H

#include <stddef.h>
#include <stdint.h>
#include "harness/base/pool.h"
#include "grader/base/yamldoc.h"

enum schema_kind {
    SCHEMA_TEXT,    /* char *, of the pool; with `fixed` an array in the struct */
    SCHEMA_NUMBER,  /* uint8_t, uint16_t or uint32_t */
    SCHEMA_BOOL,    /* bool */
    SCHEMA_WORD,    /* enum, its values the indices of `words` */
    SCHEMA_BITS,    /* a list of words, `[none]` for none; uint16_t, word i being bit i */
    SCHEMA_MAPPING, /* a struct with `rows`; with `pointer` a pointer to one, of the pool */
    SCHEMA_LIST,    /* a pointer to items, of the pool; with `fixed` an array of `most` items; without
                       SCHEMA_AT nothing: the items' checks take what they need */
    SCHEMA_HOOK,    /* whatever `hook` makes of it */
    SCHEMA_RENAMED, /* an old key: refused with the name of the new one */
};

/* What a text has to be. */
struct schema_rule {
    bool (*holds)(const char *text);
    const char *expected;
};

/* One line of printable text, not blank. */
extern const struct schema_rule schema_line;
/* Words of a-z and 0-9 joined by hyphens. */
extern const struct schema_rule schema_kebab;

/* A file that is being read. */
struct schema_reader {
    const struct yamldoc *doc;
    struct error *err;
    struct pool **pool;
    void *context;  /* the caller's */
    char path[240]; /* of what is being read: "bounds[2].share" */
};

struct schema_row {
    const char *key;
    enum schema_kind kind;
    size_t offset, size; /* SCHEMA_AT: of the member in its struct */
    bool optional;
    size_t given; /* offset of a bool that becomes true when the key is there; 0: none */

    /* Only where the enum at `offset` is `value`, which reads `text` in the file: "kind: counter". */
    struct {
        const char *text;
        size_t offset;
        unsigned value;
    } only;

    /* number: its range, as it is kept, in units of 10^-places: 2.5 is 25 with one place. list: its length,
     * no most if 0 */
    uint32_t least, most;
    unsigned places;
    /* word, bits, text: what it may be; ends with NULL. Or which is the i-th of them, NULL behind the last */
    const char *const *words;
    const char *(*word)(struct schema_reader *reader, const void *place, unsigned i);
    const struct schema_rule *rule; /* text */
    bool in_context;                /* its place is in the reader's context */

    const struct schema_row *rows; /* mapping; list: of each item, which is a mapping then */
    bool pointer;                  /* mapping: item_size and item_before are of the struct */

    const struct schema_row *item; /* list: the row of an item that is none, without key and offset */
    bool (*each)(struct schema_reader *reader, void *item); /* list: asked once an item is read */
    size_t item_size;
    const void *item_before; /* what an item is before it is read; NULL: zeros */
    size_t count;            /* list: offset of an unsigned for the number of items */
    bool fixed;              /* list, text: the array stands in the struct */
    const char *unique; /* list: no two items begin with the same text; "" or the text's key in the item */
    enum { SCHEMA_ANY_ORDER, SCHEMA_RISING, SCHEMA_FALLING } order; /* list of numbers */

    /* Asked once the value is in its place. */
    bool (*check)(struct schema_reader *reader, void *place);
    /* hook: node is NULL where the key is missing and not optional. */
    bool (*hook)(struct schema_reader *reader, const struct schema_row *row, const struct yaml_node_s *node,
                 void *place);

    const char
        *meaning; /* what a value means, for messages; renamed: the new key, as "`share`, in percent" */
    /* renamed: the new key for an example, whose number is the old one divided by this; 0: no number */
    const char *renamed;
    unsigned divided;
};

#define SCHEMA_AT(TYPE, MEMBER) offsetof(TYPE, MEMBER), sizeof(__typeof__(((TYPE *)0)->MEMBER))
/* A list that MEMBER points to, MEMBER_count items. */
#define SCHEMA_ITEMS(TYPE, MEMBER)                                                                           \
    SCHEMA_LIST, SCHEMA_AT(TYPE, MEMBER), .count = offsetof(TYPE, MEMBER##_count),                           \
                                          .item_size = sizeof *((TYPE *)0)->MEMBER
#define SCHEMA_END                                                                                           \
    {                                                                                                        \
        .key = NULL                                                                                          \
    }

/* Read the file, whose top level is a mapping with these rows. `done`, if not NULL, is asked at the end.
 * False with err. What was taken from the pool is the caller's in any case. */
bool schema_read_file(const char *file, const struct schema_row *rows, void *place, struct pool **pool,
                      void *context, bool (*done)(struct schema_reader *, void *), struct error *err);

/* 25 with one place is "2.5", 20 is "2". */
void schema_print_number(char *text, size_t size, uint32_t number, unsigned places);

/* ---- for checks and hooks ---- */

/* Read the mapping at the current path. */
bool schema_read(struct schema_reader *reader, const struct yaml_node_s *node, const struct schema_row *rows,
                 void *place);

/* Tell what is wrong with the current path (key ""), or with a key or an item of it ("[1]"). False. */
bool schema_wrong(const struct schema_reader *reader, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* False, with "out of memory". */
bool schema_no_memory(const struct schema_reader *reader);

#endif
