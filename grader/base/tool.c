#include "grader/base/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "grader/base/spawn.h"
#include "grader/base/textfile.h"

enum { WALL_MS = 10000, CPU_SECONDS = 10, OUTPUT = 4 << 20 /* a disassembly is long */ };

static bool write_for_all(const char *path, const char *text, struct error *err)
{
    if (!textfile_replace(path, text, strlen(text), err))
        return false;
    return chmod(path, 0644) == 0 || error_set(err, "cannot set the mode of %s: %s", path, strerror(errno));
}

char *tool_folder(const struct workdir *workdir, const char *name, const char *text, struct error *err)
{
    static unsigned serial;
    char *folder = NULL, *path = NULL;
    if (asprintf(&folder, "%s/tool-%u", workdir_path(workdir), ++serial) < 0) {
        error_set(err, "out of memory");
        return NULL;
    }
    bool good = (mkdir(folder, 0755) == 0 && chmod(folder, 0755) == 0) ||
                error_set(err, "cannot create %s: %s", folder, strerror(errno));
    if (good && name) {
        path = textfile_join(folder, name);
        good = path ? write_for_all(path, text, err) : error_set(err, "out of memory");
        free(path);
    }
    if (!good) {
        free(folder);
        folder = NULL;
    }
    return folder;
}

char *tool_run(const char *const *argv, const char *folder, struct error *err)
{
    const struct spawn_config config = {.argv = argv,
                                        .folder = folder,
                                        .tmpdir = folder,
                                        .output = OUTPUT,
                                        .wall_ms = WALL_MS,
                                        .cpu_seconds = CPU_SECONDS};
    struct spawn_result result = {0};
    struct spawn *spawn = spawn_start(&config, err);
    if (!spawn)
        return NULL;
    spawn_finish(spawn, &result);
    if (result.outcome == SPAWN_EXITED && result.code == 0 && result.output && !result.truncated)
        return result.output;
    const char *said = result.output ? result.output : "";
    if (result.outcome == SPAWN_TIMEOUT)
        error_set(err, "%s was stopped after %d s", argv[0], WALL_MS / 1000);
    else if (result.truncated)
        error_set(err, "%s said more than %d bytes", argv[0], OUTPUT);
    else
        error_set(err, "%s failed: %.*s", argv[0], (int)strcspn(said, "\n"), said);
    spawn_result_free(&result);
    return NULL;
}

static char *read_all(FILE *from)
{
    char *text = NULL;
    size_t size, got;
    char buffer[4096];
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    while ((got = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, got, to);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

/* The path goes through the environment, so that no shell looks into it. */
char *tool_run_trusted(const char *command, const char *folder, const char *name, struct error *err)
{
    static const char variable[] = "CYCLELAB_TOOL_FILE";
    char *path = textfile_join(folder, name), *line = NULL, *said = NULL;
    if (!path || asprintf(&line, "exec %s \"$%s\" 2>&1 </dev/null", command, variable) < 0 ||
        setenv(variable, path, 1) != 0) {
        free(path);
        error_set(err, "out of memory");
        return NULL;
    }
    FILE *from = popen(line, "re");
    if (from) {
        said = read_all(from);
        if (pclose(from) != 0 || !said) {
            const char *words = said ? said : "";
            error_set(err, "%s failed: %.*s", command, (int)strcspn(words, "\n"), words);
            free(said);
            said = NULL;
        }
    } else {
        error_set(err, "cannot run %s: %s", command, strerror(errno));
    }
    unsetenv(variable);
    free(line);
    free(path);
    return said;
}
