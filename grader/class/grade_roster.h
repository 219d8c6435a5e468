/* Who is in a course: roster.csv, and the submissions joined with it. */
#ifndef CYCLELAB_GRADE_ROSTER_H
#define CYCLELAB_GRADE_ROSTER_H

#include <stdbool.h>
#include "grader/class/grade_find.h"

/* Read `file`, whose first line names its columns (id, and any of name, email, section, pseudonym, also;
 * others are passed over), and join: a submission is a student's by its id, by an id or name listed in
 * `also`, by its id as an e-mail address, or by a name that only one has, however a platform spells it. Who
 * handed nothing in is added. `anonymous`: everybody is called by the pseudonym. Several classes joined with
 * one roster have the same ids. False with err, which names the line. */
bool grade_join_roster(struct grade_class *class, const char *file, bool anonymous, struct error *err);

/* Could `name` be what a student of the roster is called: by id, address, name, in `also`, or by the login at
 * its end? False of a roster that cannot be read: grade_join_roster() tells why. */
bool grade_roster_has(const char *file, const char *name);

#endif
