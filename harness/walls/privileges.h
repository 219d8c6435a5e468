/* The unprivileged user that student code is compiled and run as, where the suite itself runs as root (limits
 * on processes do not bind root, for one). */
#ifndef CYCLELAB_PRIVILEGES_H
#define CYCLELAB_PRIVILEGES_H

#include <stdbool.h>
#include <sys/types.h>
#include "harness/base/error.h"

/* `nobody`, by name where there is one. */
void unprivileged_user(uid_t *uid, gid_t *gid);

/* For a child, before exec: become that user for good. No effect unless root. False with errno. */
bool drop_privileges(void);

/* Can a child of this process do that, and is it let have files? False with err, which says what to do. */
bool privileges_can_be_dropped(struct error *err);

#endif
