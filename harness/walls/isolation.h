/* Walls around what is not ours: the compiler while it reads a student's source, and the processes that run
 * what came of it. Limits, no new privileges, Landlock (files, network, signals) and seccomp (system calls)
 * need no root; bubblewrap comes on top for the compiler where it is installed and usable. What a kernel
 * lacks is left out, and isolation_state() says so.
 */
#ifndef CYCLELAB_ISOLATION_H
#define CYCLELAB_ISOLATION_H

#include <stdbool.h>
#include <stddef.h>
#include "harness/base/error.h"
#include "harness/walls/lent.h"

/* What is in force here for both the compiler and the native runner. */
struct isolation_state {
    bool limits;            /* setrlimit: CPU, memory, processes, file size, core, open files */
    bool no_new_privileges; /* nothing set-user-ID gains anything */
    int landlock;           /* the ABI's version; 0: the kernel has none or has it switched off */
    bool seccomp;
    bool bubblewrap;   /* for the compiler */
    bool unprivileged; /* student code runs as a user who is not root */
    char bubblewrap_why[160], landlock_why[160], seccomp_why[160]; /* "" or why not, for a person */
};

/* Tried in short-lived children at the first call, then remembered. Takes a few ms. */
const struct isolation_state *isolation_state(void);

enum isolation_level {
    ISOLATION_BEST,   /* whatever there is */
    ISOLATION_STRICT, /* limits, no new privileges, Landlock, seccomp and no root: all of them */
};

/* "best" or "strict". False for any other word. */
bool isolation_level_parse(const char *text, enum isolation_level *level);

/* Is as much in force as `level` asks for? If not, err says what is missing and what to do. */
bool isolation_require(enum isolation_level level, struct error *err);

/* ---- for those who start processes ---- */

enum isolation_kind {
    ISOLATION_COMPILER, /* compilers and other tools that read what a student wrote */
    ISOLATION_RUNNER,   /* the native runner */
    ISOLATION_EMULATOR, /* the runner under qemu-user, which itself needs files and threads */
    ISOLATION_DEBUGGED, /* one's own code under gdb: limits alone */
};

/* A child that cannot exec may write to this descriptor to say so; nothing else is there after exec. */
enum { ISOLATION_REPORT_FD = 5 };

struct isolation_limits {
    unsigned cpu_seconds; /* 0: no limit; at the end comes SIGXCPU, a second later SIGKILL */
    size_t memory;        /* bytes of address space; 0: no limit */
    size_t file_size;     /* bytes of the largest file that it can write */
    unsigned processes;   /* more than there are already (the kernel counts per user); 0: none at all */
    unsigned files;       /* open at a time */
};

struct isolation_config {
    enum isolation_kind kind;
    const char *command;         /* path of the program that is executed */
    const char *const *readable; /* files and folders, NULL-terminated, or NULL; those of the system that such
                                    a program needs are there already */
    const char *writable;        /* a folder, or NULL */
    const char *folder;          /* ISOLATION_COMPILER: where it runs */
    bool trusted;                /* what it reads is ours: without bubblewrap, which takes some ms */
    unsigned lent;               /* system calls that a runner, or qemu-user, has besides: lent.h */
    struct isolation_limits limits;
};

struct isolation;

/* Before fork. NULL with err when memory or descriptors are out. */
struct isolation *isolation_prepare(const struct isolation_config *config, struct error *err);

/* In the child, as its last act but exec, with its final user: from here on only what is listed can be
 * reached. False with errno. */
bool isolation_enter(const struct isolation *isolation);

/* What to execute: `argv` itself, or with what goes before it where bubblewrap is used. Good as long as both
 * are. NULL: no memory. */
char *const *isolation_command(struct isolation *isolation, const char *const *argv);

/* Is it so? Then an end by signal n comes as exit status 128 + n. */
bool isolation_wraps(const struct isolation *isolation);

void isolation_free(struct isolation *isolation);

/* The names of the calls that may be lent, in the order of their bits; ends with NULL. */
extern const char *const isolation_lent[LENT_COUNT + 1];

/* The name of a system call of this processor, for a message; "" when it is not known. */
void isolation_call_name(int number, char *name, size_t size);

#endif
