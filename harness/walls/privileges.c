#include "harness/walls/privileges.h"

#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <unistd.h>

enum { NOBODY = 65534 }; /* the kernel's overflow uid */

void unprivileged_user(uid_t *uid, gid_t *gid)
{
    static bool known;
    static uid_t user = NOBODY;
    static gid_t group = NOBODY;
    if (!known) {
        const struct passwd *nobody = getpwnam("nobody");
        if (nobody) {
            user = nobody->pw_uid;
            group = nobody->pw_gid;
        }
        known = true;
    }
    *uid = user;
    *gid = group;
}

/* GCOVR_EXCL_START: only a child runs this, and it ends without counting */
bool drop_privileges(void)
{
    uid_t uid;
    gid_t gid;
    if (geteuid() != 0)
        return true;
    unprivileged_user(&uid, &gid);
    return setgroups(0, NULL) == 0 && setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0;
}
/* GCOVR_EXCL_STOP */
