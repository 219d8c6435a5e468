/* A YAML file as libyaml's tree, and where things stand in it. schema.h reads one into a struct.
 *
 * A path is "title", "correctness.points", "bounds[2].share"; items are counted from 1. */
#ifndef CYCLELAB_YAMLDOC_H
#define CYCLELAB_YAMLDOC_H

#include <stdbool.h>
#include "harness/base/error.h"

struct yamldoc;
struct yaml_node_s; /* libyaml's yaml_node_t */

/* Read the file: one document that is not empty, without aliases, at most 256 KiB. NULL with err. */
struct yamldoc *yamldoc_open(const char *file, struct error *err);
void yamldoc_close(struct yamldoc *doc);

/* The node of this index in libyaml's tree; 0: the root. */
const struct yaml_node_s *yamldoc_node(const struct yamldoc *doc, int index);

/* "FILE:LINE: PATH: TEXT", the line being that of the path, or of the nearest thing around it. Returns false.
 */
bool yamldoc_wrong(const struct yamldoc *doc, struct error *err, const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
