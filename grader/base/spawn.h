/* Running a command that may be hostile (a compiler fed with a student's source): in a folder, walled in
 * (harness/walls/isolation.h), as the unprivileged user when root, its output captured. Several can run
 * at once: start all, then finish each. */
#ifndef CYCLELAB_SPAWN_H
#define CYCLELAB_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include "harness/base/error.h"

enum {
    SPAWN_PATIENCE = 3,
    SPAWN_OUTPUT = 64 << 10,    /* bytes of output that are kept; the rest is read and dropped */
    SPAWN_FILE_SIZE = 64 << 20, /* largest file that it can write */
};

#define SPAWN_MEMORY ((size_t)2 << 30) /* of address space, for each of its processes */

struct spawn_config {
    const char *const *argv; /* argv[0] is looked up in PATH; NULL-terminated */
    const char *folder;      /* where it runs */
    const char *tmpdir;      /* its TMPDIR, the one folder that it can write to */
    const char *readable;    /* a folder that it can read; NULL: the one where it runs */
    bool trusted;            /* what it reads is ours: no bubblewrap, which takes some ms */
    size_t output;           /* bytes of output that are kept; 0: SPAWN_OUTPUT */
    size_t file_size;        /* of the largest file that it can write; 0: SPAWN_FILE_SIZE */
    unsigned wall_ms; /* killed after this, and after SPAWN_PATIENCE times this where others have the CPU */
    unsigned cpu_seconds; /* killed after this much CPU time of any one of its processes */
};

enum spawn_outcome { SPAWN_EXITED, SPAWN_SIGNALED, SPAWN_TIMEOUT };

struct spawn_result {
    enum spawn_outcome outcome;
    int code;     /* exit status, or the signal */
    bool starved; /* SPAWN_TIMEOUT: it did not even get half of a CPU in that time */
    char *output; /* standard output and error as they came, NUL-terminated; NULL when out of memory */
    size_t length;
    bool truncated; /* there was more */
};

struct spawn;

/* Is there such a command in PATH? */
bool spawn_finds(const char *command);

/* The same, and where. */
bool spawn_find(const char *command, char *path, size_t size);

/* NULL with err when it cannot be started. This process becomes the parent of orphans among what descends
 * from it (PR_SET_CHILD_SUBREAPER); so wait for children by their numbers, never for any. */
struct spawn *spawn_start(const struct spawn_config *config, struct error *err);

/* Wait for the end, or bring it about; afterwards nothing of its process group is left. Frees `spawn`. */
void spawn_finish(struct spawn *spawn, struct spawn_result *result);
void spawn_result_free(struct spawn_result *result);

#endif
