/* Points in time as people and platforms write them. */
#ifndef CYCLELAB_WHEN_H
#define CYCLELAB_WHEN_H

#include <stdbool.h>
#include <time.h>

/* "2026-11-30", "2026-11-30 23:59", "2026-11-30T23:59:59.5 +01:00", "… Z", "… UTC", "… -0800": seconds since
 * 1970. A day alone is its end; without a zone the time is the machine's. There an hour that is doubled when
 * clocks go back is the later of the two, and one that is skipped goes on by the clock before. False: it is
 * no such text.
 */
bool when_read(const char *text, time_t *when);

/* By how many seconds `came` is later than `due`; 0: it is not. Where `due` has no zone, as clocks on the
 * wall count: from one evening to the next is a day, also when clocks are changed in that night. Else what
 * has gone by. False: one of them is no time. */
bool when_late(const char *due, const char *came, time_t *seconds);

#endif
