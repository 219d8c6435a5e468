/* Small text files: read whole with a limit, and replaced whole or not at all. */
#ifndef CYCLELAB_TEXTFILE_H
#define CYCLELAB_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include "harness/base/error.h"

/* The whole of a regular file of at most `limit` bytes, NUL-terminated (*size without the NUL; may be NULL).
 * malloc'ed. NULL with err, and errno as the system left it (ENOENT, ...; EFBIG when too large). */
char *textfile_read(const char *path, size_t limit, size_t *size, struct error *err);

/* Put `size` bytes at `path`: written beside it, synced and renamed, so that a reader sees the old or the new
 * text, never a part. What stands at `path` itself is replaced, a link included. False with err; nothing is
 * left behind then. */
bool textfile_replace(const char *path, const void *data, size_t size, struct error *err);

/* Can a file be written at `path`, which an option of this name has? False with err, which names both. Ask
 * before work is done for it. */
bool textfile_has_folder(const char *path, const char *option, struct error *err);

/* All of `data` to an open file. False with errno. */
bool textfile_write(int fd, const void *data, size_t size);

/* Create a folder and those above it. False with err. */
bool textfile_make_folder(const char *path, struct error *err);

/* The names in ROOT/folder that `wanted` (of scandir) takes, without as many bytes at their ends as `ending`
 * has, in alphabetical order: NULL-terminated, for textfile_names_free. NULL with err where it cannot be read
 * or there are none: `expected` says what should be there, "files named like a.yml". */
struct dirent;
char **textfile_names(const char *root, const char *folder, int (*wanted)(const struct dirent *),
                      const char *ending, const char *expected, struct error *err);
void textfile_names_free(char **names);

/* "a/b" from "a" and "b"; just "b" where a is "" or ".". malloc'ed. */
char *textfile_join(const char *folder, const char *name);

/* "b" of "a/b": what is behind the last slash. */
const char *textfile_base_name(const char *path);

#endif
