/* A YAML file for a person to have made mistakes in: libcyaml loads it, and whatever is wrong is told with
 * the file's name, the line and the key's path. libcyaml by itself names no file, gives an unknown or missing
 * key the line of another one, and takes `1.5x` and `010` for numbers; so values are loaded as strings,
 * numbers are read here, and lines come from libyaml's tree.
 *
 * A path is "title", "correctness.points", "bounds[2].permille"; items are counted from 1. */
#ifndef CYCLELAB_YAMLDOC_H
#define CYCLELAB_YAMLDOC_H

#include <stdbool.h>
#include <stdint.h>
#include <cyaml/cyaml.h>
#include "harness/error.h"

struct yamldoc;

/* Read the file: one document, no aliases. NULL with err. */
struct yamldoc *yamldoc_open(const char *file, struct error *err);
void yamldoc_close(struct yamldoc *doc);

/* Load it by a schema whose top level is a CYAML_FLAG_POINTER mapping. Unknown and doubled keys are refused.
 * Make keys optional in the schema and ask for them by yamldoc_wrong, which has the better message. */
bool yamldoc_load(const struct yamldoc *doc, const cyaml_schema_value_t *schema, void **data,
                  struct error *err);
void yamldoc_free(const cyaml_schema_value_t *schema, void *data);

/* "FILE:LINE: PATH: TEXT", the line being that of the path, or of the nearest thing around it. Returns false.
 */
bool yamldoc_wrong(const struct yamldoc *doc, struct error *err, const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The line of a path, or of the nearest thing around it; from 1. */
unsigned yamldoc_line(const struct yamldoc *doc, const char *path);

/* Is the key there? A list without items is loaded as if it were not. */
bool yamldoc_has(const struct yamldoc *doc, const char *path);

/* A whole number in plain decimal from low to high. text NULL: the key is missing. */
bool yamldoc_number(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                    uint32_t low, uint32_t high, uint32_t *value);

/* "true" or "false". */
bool yamldoc_bool(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                  bool *value);

/* One of `count` words: *index says which. */
bool yamldoc_word(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                  const char *const *words, unsigned count, unsigned *index);

#endif
