/* Which skill is asked next: what was wrong soon, what was right some days later, then later still (Leitner's
 * boxes). */
#ifndef CYCLELAB_DRILL_SCHEDULE_H
#define CYCLELAB_DRILL_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include "grader/drill/drill_question.h"
#include "harness/base/error.h"

enum { DRILL_BOXES = 6 };

/* Of one skill. Never asked: all zero. */
struct drill_memory {
    uint8_t box;  /* 0: wrong the last time, or new; each right answer moves it up */
    uint32_t due; /* the day from which on it comes again, in days since 1970 */
    uint32_t asked, right;
};

struct drill_schedule {
    struct drill_memory skills[DRILL_SKILLS];
};

/* What is kept in `folder`; nothing where there is no file. False with err where there is one that cannot be
 * used: what it holds is then set aside by the next write. */
bool drill_schedule_read(const char *folder, struct drill_schedule *schedule, struct error *err);
bool drill_schedule_write(const char *folder, const struct drill_schedule *schedule, struct error *err);

/* The skill to ask on this day, other than `last` (DRILL_SKILLS: any): the due one that is in the lowest box;
 * where none is due the easiest that was never asked, if those before it are known a little; else the one
 * that is due soonest. */
unsigned drill_schedule_next(const struct drill_schedule *schedule, uint32_t today, unsigned last);

/* It was answered. Right: it comes again after 1, 2, 4, 8, 16 days. Wrong: today, from the lowest box. */
void drill_schedule_answered(struct drill_schedule *schedule, unsigned skill, uint32_t today, bool right);

#endif
