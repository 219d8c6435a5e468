/* Opening the debug information of one program or object, for elfutils' libdwfl. */
#ifndef CYCLELAB_DEBUG_INFO_H
#define CYCLELAB_DEBUG_INFO_H

#include <elfutils/libdwfl.h>

/* The file at `path` as a module on its own; dwfl_end() closes both. NULL where there is nothing to learn. */
Dwfl *debug_info_open(const char *path, Dwfl_Module **module);

#endif
