/* The unprivileged user that student code is compiled and run as, where the suite itself runs as root (limits
 * on processes do not bind root, for one). */
#ifndef CYCLELAB_PRIVILEGES_H
#define CYCLELAB_PRIVILEGES_H

#include <stdbool.h>
#include <sys/types.h>

/* `nobody`, by name where there is one. */
void unprivileged_user(uid_t *uid, gid_t *gid);

/* For a child, before exec: become that user for good. No effect unless root. False with errno. */
bool drop_privileges(void);

#endif
