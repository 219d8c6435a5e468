/* This machine's processors and caches, by hwloc, without a word on standard error: where there is no /sys,
 * as in some containers, hwloc complains there, and then asks the CPU itself. */
#ifndef CYCLELAB_TOPOLOGY_H
#define CYCLELAB_TOPOLOGY_H

#include <hwloc.h>
#include <stdbool.h>

/* Load it with caches of all kinds; call hwloc_topology_destroy when done. False: nothing to destroy. */
bool topology_load(hwloc_topology_t *topology);

#endif
