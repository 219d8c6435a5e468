#include "grader/student/watch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "grader/build/build.h"

enum { SETTLED_MS = 100, EVENTS = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE };

int watch_open(const char *folder, struct error *err)
{
    int watch = inotify_init1(IN_CLOEXEC);
    if (watch < 0 || inotify_add_watch(watch, folder, EVENTS) < 0) {
        error_set(err, "cannot watch %s: %s", folder, strerror(errno));
        if (watch >= 0)
            close(watch);
        return -1;
    }
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, isa_name(isa));
        inotify_add_watch(watch, path, EVENTS); /* there need not be one */
    }
    return watch;
}

static bool is_of_interest(const struct inotify_event *event)
{
    size_t length = event->len ? strlen(event->name) : 0;
    return length > 0 && event->name[0] != '.' && event->name[length - 1] != '~';
}

/* Take what is there; did any of it matter? */
static bool take(int watch, bool *mattered)
{
    _Alignas(struct inotify_event) char buffer[4096];
    ssize_t size = read(watch, buffer, sizeof buffer);
    if (size <= 0)
        return false;
    for (char *at = buffer; at < buffer + size;) {
        const struct inotify_event *event = (const struct inotify_event *)(void *)at;
        *mattered = *mattered || is_of_interest(event);
        at += sizeof *event + event->len;
    }
    return true;
}

bool watch_wait(int watch, struct error *err)
{
    struct pollfd ready = {.fd = watch, .events = POLLIN};
    bool saved = false;
    for (;;) {
        int count = poll(&ready, 1, saved ? SETTLED_MS : -1);
        if (count == 0)
            return true;
        if (count < 0 || !take(watch, &saved))
            return error_set(err, "cannot watch for saves: %s", strerror(errno));
    }
}
