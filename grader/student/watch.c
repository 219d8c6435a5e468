#include "grader/student/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/build/build.h"

enum { SETTLED_MS = 100 };
#define FNV_START 0xcbf29ce484222325U
#define FNV_PRIME 0x100000001b3U

static uint64_t hash(uint64_t value, uint64_t part)
{
    return (value ^ part) * FNV_PRIME;
}

static bool is_of_interest(const char *name)
{
    return name[0] != '.' && name[strlen(name) - 1] != '~';
}

/* The files of one folder. A sum: the order in which they are listed is of no matter. */
static uint64_t look_at(const char *path)
{
    uint64_t sum = 0;
    DIR *folder = opendir(path);
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat is;
        if (!is_of_interest(entry->d_name) || fstatat(dirfd(folder), entry->d_name, &is, 0) != 0 ||
            S_ISDIR(is.st_mode))
            continue;
        uint64_t file = FNV_START;
        for (const char *c = entry->d_name; *c; c++)
            file = hash(file, (unsigned char)*c);
        file = hash(hash(file, (uint64_t)is.st_mtim.tv_sec), (uint64_t)is.st_mtim.tv_nsec);
        sum += hash(hash(file, (uint64_t)is.st_size), is.st_ino);
    }
    closedir(folder);
    return sum;
}

static uint64_t look(const char *folder)
{
    uint64_t seen = look_at(folder);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", folder, isa_name(isa));
        seen = seen * FNV_PRIME + look_at(path); /* there need not be one */
    }
    return seen;
}

bool watch_open(struct watch *watch, const char *folder, struct error *err)
{
    if (access(folder, R_OK | X_OK) != 0)
        return error_set(err, "cannot watch %s: %s", folder, strerror(errno));
    if ((size_t)snprintf(watch->folder, sizeof watch->folder, "%s", folder) >= sizeof watch->folder)
        return error_set(err, "cannot watch %.80s...: the name is too long", folder);
    watch->latest = look(folder);
    watch->pending = false;
    return true;
}

int64_t watch_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool watch_changed(struct watch *watch, int64_t now)
{
    uint64_t seen = look(watch->folder);
    if (seen != watch->latest) {
        watch->latest = seen;
        watch->since = now;
        watch->pending = true;
    }
    bool settled = watch->pending && now - watch->since >= SETTLED_MS;
    watch->pending = watch->pending && !settled;
    return settled;
}

void watch_wait(struct watch *watch)
{
    const struct timespec tick = {.tv_nsec = WATCH_TICK_MS * 1000000L};
    while (!watch_changed(watch, watch_now()))
        nanosleep(&tick, NULL);
}
