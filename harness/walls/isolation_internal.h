/* What the parts of isolation share; nobody else's business. */
#ifndef CYCLELAB_ISOLATION_INTERNAL_H
#define CYCLELAB_ISOLATION_INTERNAL_H

#include <linux/filter.h>
#include <sys/types.h>
#include "harness/walls/isolation.h"

/* ---- landlock.c ---- */

/* The version of the kernel's ABI; 0 with errno where there is none. */
int landlock_version(void);

/* Has this version something to forbid, besides files or with them? A rule set without anything is refused:
 * what is about network comes with version 4, about signals with 6. */
bool landlock_forbids(int version, bool files);

/* A rule set that allows what `config` says and to execute what is in the folders `own`, or nothing of the
 * file system at all; a descriptor. With `files` false it is about network and signals alone. -1 with errno.
 */
int landlock_rules(const struct isolation_config *config, const char *const *own, bool files);

/* In a child: obey the rule set from now on. */
bool landlock_enter(int rules);

/* Paths of the system that a kind of process reads and executes from, NULL-terminated. */
const char *const *isolation_system_paths(enum isolation_kind kind);

/* ---- seccomp.c ---- */

/* The filter for a kind of process that is lent these calls, made once. NULL with err. */
const struct sock_fprog *seccomp_filter(enum isolation_kind kind, unsigned lent, struct error *err);

/* In a child: obey it from now on; what may be done to oneself only is allowed for this process. */
bool seccomp_enter(const struct sock_fprog *filter);

/* ---- bubblewrap.c ---- */

/* The arguments that go before the command's own, NULL-terminated, malloc'ed with all strings; `own` is more
 * that can be read and executed, `filter` the descriptor that it reads the filter from. NULL: no memory. */
char **bubblewrap_arguments(const struct isolation_config *config, const char *const *own, int filter);
void bubblewrap_free(char **arguments);

/* Does it work here, as the user that compilers run as? If not, why. */
bool bubblewrap_usable(char *why, size_t size);

/* ---- isolation.c ---- */

/* isolation_require for a state that need not be this machine's. */
bool isolation_judge(enum isolation_level level, const struct isolation_state *state, struct error *err);

#endif
