/* bubblewrap: for the compiler a file system, a network and process numbers of its own. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/descriptors.h"
#include "harness/walls/isolation_internal.h"
#include "harness/walls/privileges.h"

enum { MOST_ARGUMENTS = 160 };

struct arguments {
    char **item;
    size_t count;
    bool failed;
};

static void add_all(struct arguments *to, const char *const *items)
{
    for (; *items && !to->failed; items++) {
        if (to->count + 1 == MOST_ARGUMENTS || !(to->item[to->count] = strdup(*items)))
            to->failed = true;
        else
            to->count++;
    }
}

#define ADD(TO, ...) add_all(TO, (const char *const[]){__VA_ARGS__, NULL})

/* /lib is a folder on one system, a link to usr/lib on another. */
static void add_path(struct arguments *to, const char *path)
{
    struct stat info;
    char target[256];
    if (lstat(path, &info) != 0)
        return;
    ssize_t length = S_ISLNK(info.st_mode) ? readlink(path, target, sizeof target - 1) : -1;
    if (length > 0) {
        target[length] = '\0';
        ADD(to, "--symlink", target, path);
    } else {
        ADD(to, "--ro-bind", path, path);
    }
}

char **bubblewrap_arguments(const struct isolation_config *config, const char *const *own, int filter)
{
    struct arguments to = {.item = calloc(MOST_ARGUMENTS, sizeof *to.item)};
    char number[16];
    if (!to.item)
        return NULL;
    ADD(&to, "bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--dev-bind", "/dev/null",
        "/dev/null");
    for (const char *const *path = isolation_system_paths(config->kind); *path; path++)
        add_path(&to, *path);
    for (; own && *own; own++)
        ADD(&to, "--ro-bind-try", *own, *own);
    for (const char *const *path = config->readable; path && *path; path++)
        ADD(&to, "--ro-bind-try", *path, *path);
    if (config->writable)
        ADD(&to, "--bind", config->writable, config->writable);
    ADD(&to, "--remount-ro", "/");
    if (config->folder)
        ADD(&to, "--chdir", config->folder);
    if (filter >= 0) {
        snprintf(number, sizeof number, "%d", filter);
        ADD(&to, "--seccomp", number);
    }
    ADD(&to, "--");
    if (!to.failed)
        return to.item;
    bubblewrap_free(to.item);
    return NULL;
}

void bubblewrap_free(char **arguments)
{
    for (size_t i = 0; arguments && arguments[i]; i++)
        free(arguments[i]);
    free(arguments);
}

/* GCOVR_EXCL_START: children run these, and count nothing */
/* bubblewrap's inner process waits for the outer one before it dies with it. So whoever tries it has a group
 * of its own, led by this process: it ends them all, itself too, when nobody holds the pipe any more. */
static _Noreturn void watch(int alive)
{
    char nothing;
    setpgid(0, 0);
    if (alive != 0 && dup2(alive, 0) != 0)
        _exit(1);
    descriptors_close_from(1);
    while (read(0, &nothing, 1) < 0 && errno == EINTR)
        ;
    kill(0, SIGKILL);
    _exit(1);
}

static _Noreturn void try_it(char **arguments, int output, pid_t watcher)
{
    int null = open("/dev/null", O_RDWR);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (setpgid(0, watcher) != 0 || null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 ||
        dup2(output, 2) < 0 || !drop_privileges() || chdir("/") != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        _exit(99);
    descriptors_close_from(3);
    execvp(arguments[0], arguments);
    int failure = errno;
    const char *text = failure == ENOENT ? "is not installed (package bubblewrap)" : strerror(failure);
    if (write(1, text, strlen(text)) < 0)
        _exit(98);
    _exit(97);
}
/* GCOVR_EXCL_STOP */

static int wait_for(pid_t pid)
{
    int status = 1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

bool bubblewrap_usable(char *why, size_t size)
{
    const struct isolation_config config = {.kind = ISOLATION_COMPILER, .folder = "/"};
    char **arguments = bubblewrap_arguments(&config, NULL, -1);
    int output[2] = {-1, -1}, alive[2] = {-1, -1}, status = 1;
    size_t end = 0;
    ssize_t length = 0;
    pid_t watcher = -1, pid = -1;
    snprintf(why, size, "cannot be tried: %s", strerror(ENOMEM));
    if (!arguments || pipe2(output, O_CLOEXEC) != 0 || pipe2(alive, O_CLOEXEC) != 0)
        goto done;
    while (arguments[end])
        end++;
    arguments[end] = strdup("true");
    if ((watcher = fork()) == 0)
        watch(alive[0]);
    if (watcher < 0)
        goto done;
    setpgid(watcher, watcher); /* whoever comes first */
    if ((pid = fork()) == 0)
        try_it(arguments, output[1], watcher);
    close(output[1]);
    output[1] = -1;
    length = read(output[0], why, size - 1);
    status = wait_for(pid);
    why[length > 0 ? length : 0] = '\0';
    why[strcspn(why, "\n")] = '\0';
    if (why[0] == '\0')
        snprintf(why, size, "does not work here");
done:
    if (watcher > 0) {
        kill(-watcher, SIGKILL);
        wait_for(watcher);
    }
    for (int i = 0; i < 2; i++) {
        if (output[i] >= 0)
            close(output[i]);
        if (alive[i] >= 0)
            close(alive[i]);
    }
    bubblewrap_free(arguments);
    if (pid > 0 && status == 0)
        why[0] = '\0';
    return pid > 0 && status == 0;
}
