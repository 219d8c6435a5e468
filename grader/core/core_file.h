/* The model cores: harness/model/cores/NAME.yml, one page of YAML each, read and checked. Every figure in
 * such a file carries where it is from: the name of an entry in its `sources`, or `estimate`.
 * docs/model.md tells how to read one and how to add one. */
#ifndef CYCLELAB_CORE_FILE_H
#define CYCLELAB_CORE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/pool.h"
#include "harness/base/error.h"
#include "harness/model/core.h"

/* Read the core's file below `root`. False with err, which names file, line, key and what was expected, or
 * what cores there are. */
bool core_read(const char *root, const char *name, struct core *core, struct error *err);

/* The names of all cores below `root`, in alphabetical order (NULL-terminated; textfile_names_free). NULL
 * with err. */
char **core_list(const char *root, struct error *err);

/* Is there a core of this name? If not, err lists those that there are. */
bool core_exists(const char *root, const char *name, struct error *err);

/* ---- the same with all that people want to read: strings belong to the file ---- */

enum { CORE_FIGURES = 56 };

/* A source, or a port: its name in the file, and what it is; of a port, its issue queue. */
struct core_named {
    char *name, *is;
    enum core_queue queue;
};

struct core_figure {
    char *group;         /* "pipeline" */
    const char *key;     /* "width" */
    const char *meaning; /* what it means, in a few words */
    char value[64];
    char *source;
    char *note; /* or NULL */
};

/* A row of the table of classes, as it stands in the file. */
struct core_row {
    char **classes; /* "fp-add", "v-alu.q" */
    unsigned classes_count;
    struct core_class timing;
    char *source;
    char *note; /* or NULL */
};

struct core_file {
    struct core core;
    char *about;
    struct core_named *sources;
    unsigned sources_count;
    struct core_named *ports;
    unsigned ports_count;
    struct core_figure figures[CORE_FIGURES];
    unsigned figure_count;
    struct core_row *rows;
    unsigned rows_count;
    struct pool *pool; /* what the strings are in */
};

struct core_file *core_file_open(const char *root, const char *name, struct error *err);
void core_file_close(struct core_file *file);

/* "v0 v1", the ports of these bits. */
void core_port_names(const struct core *core, unsigned ports, char *text, size_t size);

/* "lse", ...: the name of one feature bit (enum decode_feature), NULL where there is none. */
const char *core_feature_name(unsigned bit);

#endif
