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
    {"source", SCHEMA_HOOK, .hook = core_read_source},                                                       \
    {                                                                                                        \
        "note", SCHEMA_HOOK, .optional = true, .hook = core_read_note                                        \
    }

/* Hooks. */
bool core_read_source(struct schema_reader *reader, const struct schema_row *row,
                      const struct yaml_node_s *node, void *place);
bool core_read_note(struct schema_reader *reader, const struct schema_row *row,
                    const struct yaml_node_s *node, void *place);
/* A list of ports, to a uint16_t with their bits. */
bool core_read_ports(struct schema_reader *reader, const struct schema_row *row,
                     const struct yaml_node_s *node, void *place);
/* The table of classes, to the file's rows. */
extern const struct schema_row core_class_row;
extern const struct core_row core_row_before;

/* Once the table is read: every class has its timing. */
bool core_check_classes(struct schema_reader *reader, void *place);

#endif
