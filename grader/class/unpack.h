/* Archives from outside, unpacked. Everything in them is taken for hostile. */
#ifndef CYCLELAB_UNPACK_H
#define CYCLELAB_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/base/error.h"

struct unpack_limits {
    uint64_t bytes;       /* of all contents */
    uint64_t file;        /* a file that is larger is kept as nothing but its size, unless it is an archive */
    uint64_t archive;     /* the same of an archive */
    bool kept_alone;      /* `bytes` are of what is kept, and paths that are too deep are left out: what one
                             student      has too much is no other's matter */
    uint32_t entries;     /* files and folders */
    unsigned cpu_seconds; /* of the unpacking */
};

/* What was unpacked so far of what the limits are for, which can be several archives. */
struct unpack_used {
    uint64_t bytes;
    uint32_t entries;
    unsigned cpu_seconds;
};

/* For what a platform exports of a whole class, and for what one student hands in. */
extern const struct unpack_limits unpack_class, unpack_student;

/* Is it called like an archive that can be unpacked? */
bool unpack_is_archive(const char *name);

/* How long the ending is by which it is one: 4 of "a.zip", 7 of "a.tar.gz"; 0: it is none. */
size_t unpack_ending(const char *name);

enum unpacked {
    UNPACK_DONE,    /* `said`, if not "", is what was left out */
    UNPACK_REFUSED, /* `said`: what is wrong with the archive. What is in the folder by then is a part */
    UNPACK_FAILED,  /* `said`: what is wrong with this machine */
};

/* Unpack the open file into an empty folder, in a process that can reach nothing else. Of what is neither an
 * archive nor C, assembly, YAML or text the size is kept alone, and takes no room. Hidden files are left out,
 * and links and devices are, which is said. A path that leads out, or is too deep where it is not left out, a
 * password or more than `limits` leave of what is used: nothing of that archive is to be used. `said` is a
 * sentence without its subject, which is the archive. */
enum unpacked unpack(int archive, const char *folder, const struct unpack_limits *limits,
                     struct unpack_used *used, struct error *said);

enum unpack_left_out { UNPACK_LINK = 'l', UNPACK_DEEP = 'd' };

/* What "is left out" is, as the end of a sentence: "a link or a device". */
const char *unpack_why(enum unpack_left_out kind);

/* Where limits->kept_alone: what was left out, each as its kind, its path and a NUL; not all that lies
 * together. The folder above is there. The list is hidden in `folder`, and gone from there after this.
 * malloc'ed; NULL: nothing was left out. */
char *unpack_take_left_out(const char *folder, size_t *size);

#endif
