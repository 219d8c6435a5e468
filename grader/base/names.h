/* What people are called, however a system spells it. */
#ifndef CYCLELAB_NAMES_H
#define CYCLELAB_NAMES_H

#include <stdbool.h>

/* Could both be one person's name? Letters and digits alone count, large or small, composed or not, and the
 * last name may be in front: "de la Cruz, José", "José de la Cruz" and Canvas' "delacruzjosé" are one, and
 * "Pat O'Brien" is Moodle's "Pat OBrien". Names in UTF-8; other bytes are letters. False for two without
 * letters. */
bool name_is_same(const char *a, const char *b);

#endif
