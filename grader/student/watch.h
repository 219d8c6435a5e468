/* Noticing that somebody saves a file. By looking at the folder again and again: that works on every file
 * system, also where no events come (network, overlay, a folder of the host in a container), and an editor
 * may write in place or rename. */
#ifndef CYCLELAB_WATCH_H
#define CYCLELAB_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/error.h"

enum { WATCH_TICK_MS = 50 }; /* between two looks */

struct watch {
    char folder[4096];
    uint64_t latest; /* what was there at the last look */
    int64_t since;   /* ms: when that was first seen */
    bool pending;    /* it has not been told */
};

/* From now on, saves in `folder` and in its subfolders of ISAs count. False with err. */
bool watch_open(struct watch *watch, const char *folder, struct error *err);

/* Look. True once for each change, some 100 ms after the last step of it: editors write a file in several.
 * Files whose names begin with a dot or end in ~ are the editor's own. `now`: watch_now(). */
bool watch_changed(struct watch *watch, int64_t now);
int64_t watch_now(void); /* ms, of a clock that is never set */

/* Look until there is a change. */
void watch_wait(struct watch *watch);

#endif
