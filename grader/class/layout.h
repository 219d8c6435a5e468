/* How platforms lay out what they export of a class: names in, students out. No file is opened here. */
#ifndef CYCLELAB_LAYOUT_H
#define CYCLELAB_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

enum layout_kind { LAYOUT_FOLDER, LAYOUT_FILE };

/* What a name in an export says. All texts are malloc'ed, and not NULL. */
struct layout_name {
    char *id;                 /* what the platform calls the student by; here another one for each student */
    char *name;               /* for people */
    char *file;               /* as the student called it; "" for a folder, which is theirs as a whole */
    char *time;               /* when it was handed in, as when_read() takes it; "": not said */
    unsigned long long order; /* what is handed in later has a higher one; 0: not said */
    bool late;                /* the platform says so */
};

/* Platforms that export classes. Gradescope says in a file whose is what, so no name says it. */
enum { LAYOUT_SERVICES = 5 };
extern const struct layout_service {
    const char *name;
    bool whole;   /* each submission stands by itself: of several the latest counts */
    bool numbers; /* ids are numbers of the platform's own, which say nothing elsewhere */
} layout_services[LAYOUT_SERVICES];

/* NULL for NULL. */
const struct layout_service *layout_service_of(const char *name);

/* Whose names most of them are, how many, and the first of these; NULL with 0 and NULL: nobody's. A student
 * calls files as another platform would: names that fit two say nothing, as long as one of these leads. */
const char *layout_leading(const char *const *names, const enum layout_kind *kinds, size_t count,
                           size_t *fitting, const char **example);

/* Whose export this is: who leads, with more than half of the names; NULL for one folder or archive a
 * student. */
const char *layout_service(const char *const *names, const enum layout_kind *kinds, size_t count);

/* How many of the names are as one service gives them, and not as `not_of` does (NULL: whoever's else).
 * *example: the first, or NULL. */
size_t layout_fitting(const char *service, const char *not_of, const char *const *names,
                      const enum layout_kind *kinds, size_t count, const char **example);

/* Read a name in such an export. False: it belongs to nobody, or memory is short. */
bool layout_read(const char *service, const char *name, enum layout_kind kind, struct layout_name *read);
void layout_free(struct layout_name *read);

/* What systems leave in folders: no submission and no file of one. */
bool layout_is_noise(const char *name);

/* "clamp.c" of "clamp-1.c", as Canvas calls a file that is handed in again. malloc'ed; NULL when it is not
 * called so. */
char *layout_first_name(const char *file);

#endif
