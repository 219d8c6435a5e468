/* A roster as it is read, and joined. */
#ifndef CYCLELAB_GRADE_ROSTER_INTERNAL_H
#define CYCLELAB_GRADE_ROSTER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include "harness/base/error.h"

enum { MOST_COLUMNS = 1000 };
enum column { ID, ALSO, NAME, EMAIL, SECTION, PSEUDONYM, COLUMNS };

struct row {
    char *cells[COLUMNS];  /* in the roster's text; "" where there is none */
    unsigned line, claims; /* submissions that the current way leads here */
    bool joined, contested;
    bool unsure; /* a submission that is nobody's could be this student's */
};

struct roster {
    const char *file;
    char *text;
    char separator;
    enum column at[MOST_COLUMNS]; /* COLUMNS: one that is passed over */
    unsigned columns;
    struct row *rows; /* in order of their ids' bytes */
    size_t count;
};

/* Read roster->file; all else is zero before. `anonymous`: each row has to have a pseudonym of its own. False
 * with err, which names the line; to be freed in any case. */
bool roster_read(struct roster *roster, bool anonymous, struct error *err);
void roster_free(struct roster *roster);

/* Two rows, by their ids' bytes. */
int roster_compare(const void *a, const void *b);

#endif
