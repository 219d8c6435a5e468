/* The compiler's output depends on files, a command and the compiler only, so a hash of these names it in the
 * cache. The glue of an exercise is the same in every check; its object is cached here. */
#include "grader/build/build_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/base/cache.h"
#include "grader/base/spawn.h"
#include "grader/base/textfile.h"

static const char *folder_in_use;

void build_cache_use(const char *folder)
{
    folder_in_use = folder;
}

/* ---- keys ---- */

bool build_cache_add_folder(struct sha256 *key, const char *folder)
{
    DIR *directory = opendir(folder);
    struct strings names = {0};
    const struct dirent *entry;
    bool good = true;
    while (directory && (entry = readdir(directory))) {
        struct stat info; /* not every file system tells d_type, and a link may be to a file */
        if (entry->d_type == DT_REG ||
            ((entry->d_type == DT_UNKNOWN || entry->d_type == DT_LNK) &&
             fstatat(dirfd(directory), entry->d_name, &info, 0) == 0 && S_ISREG(info.st_mode)))
            strings_add(&names, "%s", entry->d_name);
    }
    if (directory)
        closedir(directory);
    strings_sort(&names);
    for (size_t i = 0; i < names.count && good; i++) {
        char *path = textfile_join(folder, names.item[i]);
        sha256_words(key, names.item[i]);
        good = path && sha256_file(key, path);
        free(path);
    }
    good = good && !names.failed;
    strings_free(&names);
    return good;
}

/* Its file is not read, but an update changes its time. */
static bool add_tool(struct sha256 *key, const char *name)
{
    char path[4096];
    struct stat info;
    if (!spawn_find(name, path, sizeof path) || stat(path, &info) != 0)
        return false;
    sha256_words(key, path);
    sha256_number(key, (uint64_t)info.st_size);
    sha256_number(key, (uint64_t)info.st_mtim.tv_sec);
    sha256_number(key, (uint64_t)info.st_mtim.tv_nsec);
    return true;
}

enum { TOOLS = 3 };

static void name_tools(enum isa isa, char names[TOOLS][64])
{
    static const char *const tools[TOOLS] = {"gcc", "as", "ld"};
    for (size_t i = 0; i < TOOLS; i++) {
        if (isa == isa_native())
            snprintf(names[i], sizeof names[i], "%s", tools[i]);
        else
            snprintf(names[i], sizeof names[i], "%s-linux-gnu-%s", isa_name(isa), tools[i]);
    }
}

bool build_cache_add_compiler(struct sha256 *key, enum isa isa)
{
    char names[TOOLS][64];
    bool good = true;
    name_tools(isa, names);
    for (size_t i = 0; good && i < TOOLS; i++)
        good = add_tool(key, names[i]);
    return good;
}

void build_identify_tool(struct sha256 *key, const char *name)
{
    char path[4096];
    sha256_words(key, name);
    if (!spawn_find(name, path, sizeof path) || !sha256_file(key, path))
        sha256_words(key, "none");
}

/* What a command of ours says; "" where it cannot. */
static void first_line(const char *command, char *line, size_t size)
{
    FILE *from = popen(command, "re");
    if (!from || !fgets(line, (int)size, from))
        *line = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (from)
        pclose(from);
}

void build_identify_compiler(struct sha256 *key, enum isa isa)
{
    char names[TOOLS][64], command[160], line[4096];
    struct stat info;
    name_tools(isa, names);
    for (size_t i = 0; i < TOOLS; i++)
        build_identify_tool(key, names[i]);
    /* gcc may be a script, or ccache, that has another one behind it */
    snprintf(command, sizeof command, "%s --version 2>/dev/null </dev/null", names[0]);
    first_line(command, line, sizeof line);
    sha256_words(key, line);
    snprintf(command, sizeof command, "%s -print-prog-name=cc1 2>/dev/null </dev/null", names[0]);
    first_line(command, line, sizeof line);
    sha256_number(key, stat(line, &info) == 0 ? (uint64_t)info.st_size : 0);
}

bool build_cache_write(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool good = fd >= 0 && fchmod(fd, 0644) == 0 && textfile_write(fd, data, size);
    if (fd >= 0 && close(fd) != 0)
        good = false;
    if (!good && fd >= 0)
        unlink(path);
    return good;
}

bool build_cache_take(const char *folder, const struct sha256 *key, const char *path)
{
    size_t size;
    void *kept = cache_get(folder, key, &size);
    bool good = kept && build_cache_write(path, kept, size);
    free(kept);
    return good;
}

void build_cache_keep(const char *folder, const struct sha256 *key, const char *path)
{
    struct error ignored;
    size_t size;
    char *fresh = textfile_read(path, CACHE_ENTRY_LIMIT, &size, &ignored);
    if (fresh)
        cache_put(folder, key, fresh, size);
    free(fresh);
}

/* ---- the glue ---- */

static bool glue_key(const struct stage *stage, enum isa isa, const struct strings *command,
                     struct sha256 *key)
{
    static const char *const folders[] = {"glue", "include", "include/harness/runner"};
    bool good = folder_in_use && cache_key(key) && build_cache_add_compiler(key, isa);
    for (size_t i = 0; good && i < command->count; i++)
        sha256_words(key, command->item[i]);
    for (size_t i = 0; good && i < sizeof folders / sizeof *folders; i++) {
        char *path = textfile_join(stage->folder, folders[i]);
        good = path && build_cache_add_folder(key, path);
        free(path);
    }
    return good;
}

bool glue_from_cache(const struct stage *stage, enum isa isa, const struct strings *command)
{
    struct sha256 key;
    char *path = glue_key(stage, isa, command, &key) ? textfile_join(stage->folder, "out/glue.o") : NULL;
    bool done = path && build_cache_take(folder_in_use, &key, path);
    free(path);
    return done;
}

void glue_to_cache(const struct stage *stage, enum isa isa, const struct strings *command)
{
    struct sha256 key;
    char *path = glue_key(stage, isa, command, &key) ? textfile_join(stage->folder, "out/glue.o") : NULL;
    if (path)
        build_cache_keep(folder_in_use, &key, path);
    free(path);
}
