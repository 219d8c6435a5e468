/* What archives are called, and what is said of them. */
#include "grader/class/unpack.h"

#include <string.h>
#include <strings.h>

size_t unpack_ending(const char *name)
{
    static const char *const endings[] = {".zip",     ".tar",    ".tgz",    ".tar.gz",
                                          ".tar.bz2", ".tar.xz", ".tar.zst"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (length > size && strcasecmp(name + length - size, endings[i]) == 0)
            return size;
    }
    return 0;
}

bool unpack_is_archive(const char *name)
{
    return unpack_ending(name) > 0;
}

const char *unpack_why(enum unpack_left_out kind)
{
    return kind == UNPACK_LINK ? "a link or a device"
                               : "more than 24 folders deep, or has a name of more than 255 bytes";
}
