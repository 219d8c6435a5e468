/* What the parts of core_file.c share: the tables that read a core's file. Private to them. */
#ifndef CYCLELAB_CORE_FILE_INTERNAL_H
#define CYCLELAB_CORE_FILE_INTERNAL_H

#include "grader/base/schema.h"
#include "grader/core/core_file.h"

#define CORE_FOLDER "harness/model/cores"

/* What is being read. */
struct core_reading {
    struct core_file *file;
    unsigned class_row[OP_CLASS_COUNT][2]; /* which row of the file a class is from, from 1; 0: none yet */
    char *source, *note;                   /* of what is at hand */
};

/* Keys of all that has a source: one of the file's sources, or the admission that nobody has published it.
 * They go to the reading. */
#define CORE_SOURCE_ROWS                                                                                     \
    {"source",                                                                                               \
     SCHEMA_TEXT,                                                                                            \
     SCHEMA_AT(struct core_reading, source),                                                                 \
     .in_context = true,                                                                                     \
     .word = core_source_word,                                                                               \
     .meaning = "where this figure is from: one of `sources`, or estimate"},                                 \
    {                                                                                                        \
        "note", SCHEMA_TEXT, SCHEMA_AT(struct core_reading, note), .in_context = true, .optional = true      \
    }
const char *core_source_word(struct schema_reader *reader, const void *place, unsigned i);

/* Bits of ports. */
#define CORE_PORTS_ROW(KEY, OFFSET, ...)                                                                     \
    {                                                                                                        \
        KEY, SCHEMA_BITS, (OFFSET), sizeof(uint16_t), .word = core_port_word,                                \
                                                      .meaning = "a list, `[none]` for none", __VA_ARGS__    \
    }
const char *core_port_word(struct schema_reader *reader, const void *place, unsigned i);

/* The table of classes, to the file's rows. */
extern const struct schema_row core_class_rows[];
bool core_settle_row(struct schema_reader *reader, void *place);
extern const struct core_row core_row_before;

/* Once the table is read: every class has its timing. */
bool core_check_classes(struct schema_reader *reader, void *place);

#endif
