/* The private work folder. */
#include "grader/base/workdir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/walls/privileges.h"

enum {
    NAME_RANDOM = 6, /* as mkdtemp has it */
    MAX_DEPTH = 200, /* what only somebody hostile nests deeper stays */
    MAX_ATTEMPTS = 50,
};

struct workdir {
    char *path;
    int fd; /* locked */
    pid_t watcher;
    int alive; /* the watcher waits for the other end of this to close */
};

static DIR *open_folder_at(int parent, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(parent, name, flags);
    if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0)
        fd = openat(parent, name, flags);
    if (fd < 0)
        return NULL;
    DIR *folder = fdopendir(fd);
    if (!folder)
        close(fd);
    return folder;
}

/* Empty a folder; closes it. Links are removed, never followed. */
static void empty_folder(DIR *folder, unsigned depth)
{
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (unlinkat(dirfd(folder), name, 0) == 0 || depth >= MAX_DEPTH)
            continue;
        DIR *inner = open_folder_at(dirfd(folder), name);
        if (inner)
            empty_folder(inner, depth + 1);
        unlinkat(dirfd(folder), name, AT_REMOVEDIR);
    }
    closedir(folder);
}

/* Remove the folder behind `fd`, which is named `name` in `parent`. Keeps fd, and with it the lock, until
 * done. */
static void remove_folder(int parent, const char *name, int fd)
{
    DIR *folder = open_folder_at(fd, ".");
    if (folder)
        empty_folder(folder, 0);
    unlinkat(parent, name, AT_REMOVEDIR);
}

static bool is_ours(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0 || strlen(name) != length + NAME_RANDOM)
        return false;
    for (const char *c = name + length; *c; c++) {
        if (!isalnum((unsigned char)*c))
            return false;
    }
    return true;
}

/* A folder whose owner has been killed: ours by name and by owner, and not locked. The lock is held while it
 * goes, so that whoever has just created it and not locked it yet sees that it is lost (see create_once). */
static void sweep(const char *base, const char *prefix)
{
    DIR *folder = opendir(base);
    const struct dirent *entry;
    uid_t nobody;
    gid_t group;
    unprivileged_user(&nobody, &group);
    while (folder && (entry = readdir(folder))) {
        struct stat info;
        if (!is_ours(entry->d_name, prefix))
            continue;
        int fd = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (fstat(fd, &info) == 0 &&
            (info.st_uid == geteuid() || (geteuid() == 0 && info.st_uid == nobody)) &&
            flock(fd, LOCK_EX | LOCK_NB) == 0)
            remove_folder(dirfd(folder), entry->d_name, fd);
        close(fd);
    }
    if (folder)
        closedir(folder);
}

/* What may fail, and what to do then. */
struct step {
    const char *verb, *advice;
};
static const struct step makes = {"create",
                                  "make room there, or set TMPDIR to a folder that you can write to"},
                         opens = {"open", "are too many files open here?"},
                         locks = {"lock", "set TMPDIR to a folder on a file system with flock"};

/* The locked folder's descriptor. -1: what failed is *step, with errno, and no folder is left; or NULL where
 * somebody's sweep was faster, so that another name will do. */
static int create_once(char *path, const struct step **step)
{
    struct stat info = {.st_nlink = 1};
    *step = &makes;
    if (!mkdtemp(path))
        return -1;
    *step = &opens;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        *step = &locks;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &info) == 0 && info.st_nlink > 0)
            return fd;
    }
    const int why = errno;
    if (fd < 0 ? why == ENOENT : why == EWOULDBLOCK || info.st_nlink == 0)
        *step = NULL;
    if (fd >= 0)
        close(fd);
    if (*step)
        rmdir(path);
    errno = why;
    return -1;
}

/* GCOVR_EXCL_START: the watcher runs this, and counts nothing */
/* Compilers that a killed grader left at work: whoever has its current folder in ours. */
static void end_workers(const char *path)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    size_t length = strlen(path);
    while (processes && (entry = readdir(processes))) {
        char link[300], folder[4096];
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 1 || pid == getpid())
            continue;
        snprintf(link, sizeof link, "/proc/%d/cwd", (int)pid);
        ssize_t size = readlink(link, folder, sizeof folder - 1);
        if (size > (ssize_t)length && memcmp(folder, path, length) == 0 && folder[length] == '/')
            kill(pid, SIGKILL);
    }
    if (processes)
        closedir(processes);
}

/* The watcher: waits for the end of a pipe that only the grader holds open, and clears up. */
static _Noreturn void watch(const struct workdir *workdir, int alive)
{
    char nothing;
    int lock = fcntl(workdir->fd, F_DUPFD_CLOEXEC, 10), pipe = fcntl(alive, F_DUPFD_CLOEXEC, 10);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL); /* Ctrl-C is for the others */
    setsid();
    if (lock < 0 || pipe < 0 || dup2(lock, 0) != 0 || dup2(pipe, 1) != 1 || close_range(2, ~0U, 0) != 0)
        _exit(1);
    while (read(1, &nothing, 1) < 0 && errno == EINTR)
        ;
    end_workers(workdir->path);
    remove_folder(AT_FDCWD, workdir->path, 0);
    end_workers(workdir->path); /* one that was just being started */
    remove_folder(AT_FDCWD, workdir->path, 0);
    _exit(0);
}
/* GCOVR_EXCL_STOP */

/* A process that outlives a killed grader by as long as it takes to clear up. A sweep would come later only,
 * or never. */
static bool watch_start(struct workdir *workdir)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    workdir->watcher = fork();
    if (workdir->watcher == 0)
        watch(workdir, ends[0]);
    close(ends[0]);
    workdir->alive = ends[1];
    if (workdir->watcher > 0)
        return true;
    close(ends[1]);
    return false;
}

static void watch_end(struct workdir *workdir)
{
    if (workdir->watcher <= 0)
        return;
    kill(workdir->watcher, SIGKILL);
    close(workdir->alive);
    while (waitpid(workdir->watcher, NULL, 0) < 0 && errno == EINTR)
        ;
}

static struct workdir *create(struct error *err)
{
    const char *base = getenv("TMPDIR");
    char prefix[64];
    if (!base || base[0] != '/')
        base = "/tmp";
    snprintf(prefix, sizeof prefix, "cyclelab-%u-", (unsigned)geteuid());
    sweep(base, prefix);

    struct workdir *workdir = calloc(1, sizeof *workdir);
    if (!workdir) {
        error_set(err, "out of memory");
        return NULL;
    }
    workdir->fd = -1;
    const struct step *step = NULL;
    for (int attempt = 0; workdir->fd < 0 && !step && attempt < MAX_ATTEMPTS; attempt++) {
        free(workdir->path);
        workdir->path = NULL;
        char *path = NULL;
        if (asprintf(&path, "%s/%sXXXXXX", base, prefix) < 0)
            break;
        workdir->path = path;
        workdir->fd = create_once(path, &step);
    }
    if (workdir->fd < 0) {
        step = step ? step : &makes;
        error_set(err, "cannot %s a work folder in %s: %s; %s", step->verb, base, strerror(errno),
                  step->advice);
        free(workdir->path);
        free(workdir);
        return NULL;
    }
    if (geteuid() == 0 &&
        fchmod(workdir->fd, 0711) != 0) { /* the unprivileged user has to get to what is in it */
        error_set(err, "cannot set the mode of %s: %s", workdir->path, strerror(errno));
        workdir_destroy(workdir);
        return NULL;
    }
    watch_start(workdir); /* without it, the next sweep does */
    return workdir;
}

struct workdir *workdir_create(struct error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* from the folder's first moment on there is a watcher */
    struct workdir *workdir = create(err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return workdir;
}

const char *workdir_path(const struct workdir *workdir)
{
    return workdir->path;
}

void workdir_destroy(struct workdir *workdir)
{
    if (!workdir)
        return;
    remove_folder(AT_FDCWD, workdir->path, workdir->fd);
    watch_end(workdir);
    close(workdir->fd);
    free(workdir->path);
    free(workdir);
}
