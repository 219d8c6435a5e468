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

#include "grader/base/seed_text.h"
#include "harness/base/descriptors.h"
#include "harness/walls/privileges.h"

enum {
    NAME_RANDOM = 6,
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

/* Remove a folder that nobody works in any more, if it is ours. With `unlocked` only if nobody has
 * locked it: the lock is held while it goes, so that whoever has just created it and not locked it yet sees
 * that it is lost (see make_and_lock). */
static void remove_left(int parent, const char *name, bool unlocked)
{
    struct stat info;
    uid_t nobody;
    gid_t group;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    unprivileged_user(&nobody, &group);
    if (fstat(fd, &info) == 0 && (info.st_uid == geteuid() || (geteuid() == 0 && info.st_uid == nobody)) &&
        (!unlocked || flock(fd, LOCK_EX | LOCK_NB) == 0))
        remove_folder(parent, name, fd);
    close(fd);
}

/* Folders whose owner has been killed, and the watcher with it: ours by name. */
static void sweep(const char *base, const char *prefix)
{
    DIR *folder = opendir(base);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        if (is_ours(entry->d_name, prefix))
            remove_left(dirfd(folder), entry->d_name, true);
    }
    if (folder)
        closedir(folder);
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
static _Noreturn void watch(const char *path, int alive)
{
    char nothing;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL); /* Ctrl-C is for the others */
    setsid();
    if (alive != 0 && dup2(alive, 0) != 0)
        _exit(1);
    descriptors_close_from(1);
    while (read(0, &nothing, 1) < 0 && errno == EINTR)
        ;
    for (int once = 0; once < 2; once++) { /* and one that was just being started */
        end_workers(path);
        remove_left(AT_FDCWD, path, false);
    }
    _exit(0);
}
/* GCOVR_EXCL_STOP */

/* A process that outlives a killed grader by as long as it takes to clear up. A sweep would come later only,
 * or never. */
static void watch_start(struct workdir *workdir)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    workdir->watcher = fork();
    if (workdir->watcher == 0)
        watch(workdir->path, ends[0]);
    close(ends[0]);
    workdir->alive = ends[1];
    if (workdir->watcher < 0)
        close(ends[1]);
}

static void watch_end(struct workdir *workdir)
{
    if (workdir->watcher <= 0)
        return;
    kill(workdir->watcher, SIGKILL);
    close(workdir->alive);
    while (waitpid(workdir->watcher, NULL, 0) < 0 && errno == EINTR)
        ;
    workdir->watcher = 0;
}

/* What may fail, and what to do then. */
struct step {
    const char *verb, *advice;
};
static const struct step makes = {"create",
                                  "make room there, or set TMPDIR to a folder that you can write to"},
                         opens = {"open", "are too many files open here?"},
                         locks = {"lock", "set TMPDIR to a folder on a file system with flock"};

/* Create the folder and lock it. False: what failed is *step, with errno, and nothing is left; or NULL where
 * somebody was faster, so that another name will do. */
static bool make_and_lock(struct workdir *workdir, const struct step **step)
{
    struct stat info = {.st_nlink = 1};
    *step = &makes;
    if (mkdir(workdir->path, 0700) != 0) {
        if (errno == EEXIST)
            *step = NULL;
        return false;
    }
    *step = &opens;
    workdir->fd = open(workdir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (workdir->fd >= 0) {
        *step = &locks;
        if (flock(workdir->fd, LOCK_EX | LOCK_NB) == 0 && fstat(workdir->fd, &info) == 0 && info.st_nlink > 0)
            return true;
    }
    const int why = errno;
    if (workdir->fd < 0 ? why == ENOENT : why == EWOULDBLOCK || info.st_nlink == 0)
        *step = NULL; /* a sweep */
    if (workdir->fd >= 0)
        close(workdir->fd);
    workdir->fd = -1;
    if (*step)
        rmdir(workdir->path);
    errno = why;
    return false;
}

/* The same with its watcher, who is there before the folder: nobody can be killed between the two. */
static bool create_once(struct workdir *workdir, const struct step **step)
{
    watch_start(workdir); /* without it, the next sweep does */
    if (make_and_lock(workdir, step))
        return true;
    const int why = errno;
    watch_end(workdir);
    errno = why;
    return false;
}

/* A name that nobody has; NULL where there is no memory or no randomness. */
static char *new_path(const char *base, const char *prefix)
{
    char random[SEED_TEXT], *path;
    struct error ignored;
    if (!seed_fresh(random, &ignored))
        return NULL;
    return asprintf(&path, "%s/%s%.*s", base, prefix, NAME_RANDOM, random) < 0 ? NULL : path;
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
        workdir->path = new_path(base, prefix);
        if (!workdir->path || create_once(workdir, &step))
            break;
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
    return workdir;
}

struct workdir *workdir_create(struct error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* nor is the watcher interrupted before it is one */
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
