#include "grader/base/cache.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/textfile.h"

static const char magic[8] = "cyclelab";
static const char suffix[] = ".entry";
static const char beside[] = ".XXXXXX"; /* behind the name of one that is being written */

/* In front of the data of each entry. */
struct header {
    char magic[8];
    char key[SHA256_TEXT + 7];
    uint64_t size;
    char check[SHA256_TEXT + 7]; /* hash of the data */
};

/* ---- the program's own build id ---- */

static bool find_build_id(const char *notes, size_t size, struct sha256 *key)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
        const ElfW(Nhdr) *note = (const void *)(notes + at);
        size_t name = at + sizeof *note, data = name + (note->n_namesz + 3U) / 4 * 4;
        at = data + (note->n_descsz + 3U) / 4 * 4;
        if (at > size)
            return false;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            sha256_part(key, notes + data, note->n_descsz);
            return true;
        }
    }
    return false;
}

/* The first object is the program itself. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *state)
{
    struct sha256 *key = state;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_NOTE &&
            find_build_id((const char *)(info->dlpi_addr + header->p_vaddr), header->p_memsz, key))
            return 1;
    }
    return -1;
}

bool cache_key(struct sha256 *key)
{
    *key = sha256_new();
    return dl_iterate_phdr(look_at_program, key) == 1;
}

/* ---- entries ---- */

char *cache_folder(const char *build)
{
    return textfile_join(build, "cache");
}

static char *path_of(const char *folder, const struct sha256 *key)
{
    char name[SHA256_TEXT], *path;
    sha256_text(key, name);
    return asprintf(&path, "%s/%s%s", folder, name, suffix) < 0 ? NULL : path;
}

static struct header header_of(const struct sha256 *key, const void *data, size_t size)
{
    struct header header = {.size = size};
    struct sha256 check = sha256_new();
    memcpy(header.magic, magic, sizeof magic);
    sha256_text(key, header.key);
    sha256_part(&check, data, size);
    sha256_text(&check, header.check);
    return header;
}

void *cache_get(const char *folder, const struct sha256 *key, size_t *size)
{
    struct error ignored;
    struct header header;
    size_t whole = 0;
    char *path = path_of(folder, key);
    char *file = path ? textfile_read(path, CACHE_ENTRY_LIMIT, &whole, &ignored) : NULL;
    free(path);
    if (!file)
        return NULL;
    if (whole >= sizeof header) {
        *size = whole - sizeof header;
        header = header_of(key, file + sizeof header, *size);
        if (memcmp(file, &header, sizeof header) == 0) {
            memmove(file, file + sizeof header, *size);
            return file;
        }
    }
    free(file);
    return NULL;
}

/* ---- keeping it small ---- */

struct entry {
    char name[SHA256_TEXT + sizeof suffix + sizeof beside];
    time_t time;
    off_t size;
};

static int by_age(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return a->time != b->time ? (a->time > b->time) - (a->time < b->time) : strcmp(a->name, b->name);
}

/* One of ours, or what is left of one that was being written. */
static bool is_entry(const char *name)
{
    return strlen(name) < sizeof((struct entry *)0)->name && strlen(name) > SHA256_TEXT &&
           strncmp(name + SHA256_TEXT - 1, suffix, sizeof suffix - 1) == 0;
}

static void trim(const char *folder)
{
    DIR *directory = opendir(folder);
    struct entry *entries = NULL;
    size_t count = 0;
    off_t total = 0;
    const struct dirent *file;
    if (!directory)
        return;
    while ((file = readdir(directory))) {
        struct stat info;
        if (!is_entry(file->d_name) || fstatat(dirfd(directory), file->d_name, &info, AT_SYMLINK_NOFOLLOW))
            continue;
        struct entry *more = realloc(entries, (count + 1) * sizeof *more);
        if (!more)
            break;
        entries = more;
        entries[count] = (struct entry){.time = info.st_mtime, .size = info.st_size};
        snprintf(entries[count++].name, sizeof entries->name, "%.*s", (int)sizeof entries->name - 1,
                 file->d_name);
        total += info.st_size;
    }
    if (total > CACHE_LIMIT)
        qsort(entries, count, sizeof *entries, by_age);
    for (size_t i = 0; i < count && total > CACHE_LIMIT; i++)
        if (unlinkat(dirfd(directory), entries[i].name, 0) == 0)
            total -= entries[i].size;
    free(entries);
    closedir(directory);
}

/* Beside its place and renamed. Not synced: what a power cut leaves is seen by its check. */
static bool write_entry(const char *path, const struct header *header, const void *data, size_t size)
{
    char *fresh;
    if (asprintf(&fresh, "%s%s", path, beside) < 0)
        return false;
    int fd = mkostemp(fresh, O_CLOEXEC);
    bool good = fd >= 0 && textfile_write(fd, header, sizeof *header) && textfile_write(fd, data, size);
    if (fd >= 0 && close(fd) != 0)
        good = false;
    good = good && rename(fresh, path) == 0;
    if (!good && fd >= 0)
        unlink(fresh);
    free(fresh);
    return good;
}

void cache_put(const char *folder, const struct sha256 *key, const void *data, size_t size)
{
    struct error ignored;
    if (size + sizeof(struct header) > CACHE_ENTRY_LIMIT || !textfile_make_folder(folder, &ignored))
        return;
    const struct header header = header_of(key, data, size);
    char *path = path_of(folder, key);
    if (path && write_entry(path, &header, data, size))
        trim(folder);
    free(path);
}
