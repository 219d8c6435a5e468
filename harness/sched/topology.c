#include "harness/sched/topology.h"

#include <stdlib.h>

/* hwloc has no call for that: 2 hides errors, too. Who has set it wants to see them. */
#define QUIET "HWLOC_HIDE_ERRORS"

bool topology_load(hwloc_topology_t *topology)
{
    const bool ours = !getenv(QUIET) && setenv(QUIET, "2", 0) == 0;
    bool loaded = hwloc_topology_init(topology) == 0;
    if (loaded) {
        hwloc_topology_set_cache_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_ALL);
        hwloc_topology_set_icache_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_ALL);
        loaded = hwloc_topology_load(*topology) == 0;
        if (!loaded)
            hwloc_topology_destroy(*topology);
    }
    if (ours) /* no process that is started from here is to see it */
        unsetenv(QUIET);
    return loaded;
}
