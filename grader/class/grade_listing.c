/* What lies in a folder of a student's. */
#include "grader/class/grade_find_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/class/layout.h"

struct listing *find_list(int parent, const char *path)
{
    struct listing *listing = calloc(1, sizeof *listing);
    if (!listing)
        return NULL;
    int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder) {
        listing->error = errno;
        if (fd >= 0)
            close(fd);
        return listing;
    }
    const struct dirent *entry;
    for (;;) {
        struct stat info;
        errno = 0;
        if (listing->names.count == FIND_LISTED || listing->names.failed || !(entry = readdir(folder))) {
            listing->error = listing->names.failed ? 0 : errno;
            break;
        }
        if (*entry->d_name == '.' || layout_is_noise(entry->d_name))
            continue;
        if (fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno == ENOENT)
                continue;
            listing->error = errno;
            break;
        }
        strings_add(&listing->names, "%s", entry->d_name);
        if (S_ISDIR(info.st_mode) && !listing->names.failed) {
            listing->folders++;
            listing->folder = listing->names.item[listing->names.count - 1];
        }
    }
    closedir(folder);
    strings_sort(&listing->names);
    return listing;
}

void find_free_listing(struct listing *listing)
{
    if (listing)
        strings_free(&listing->names);
    free(listing);
}
