#include "harness/walls/privileges.h"

#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
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

bool privileges_can_be_dropped(struct error *err)
{
    uid_t uid;
    gid_t gid;
    int status = 0;
    if (geteuid() != 0)
        return true;
    unprivileged_user(&uid, &gid);
    FILE *file = tmpfile();
    bool can = !file || fchown(fileno(file), uid, gid) == 0;
    if (file)
        fclose(file);
    if (can) {
        const pid_t pid = fork();
        if (pid == 0)
            _exit(drop_privileges() ? 0 : 1);
        can = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return can ||
           error_set(err,
                     "this container's root may not become another user, as whom student code has to run: "
                     "give it the capabilities CHOWN, SETUID, SETGID and KILL, or run it as an ordinary user "
                     "(docker run --user 1000), which needs none");
}
