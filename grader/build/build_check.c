/* The rules that hold for all objects of a student together. */
#include "grader/build/build_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/build/objects.h"

static void add_text(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

/* Findings of one more file. */
static void add_lines(char *text, size_t size, const char *more)
{
    if (*text && *more)
        add_text(text, size, "\n");
    add_text(text, size, more);
}

/* What all objects have more of than they may; "" for nothing. */
static void tell_size(const struct object_report *sum, const char *sources, char *text, size_t size)
{
    const struct {
        uint64_t found, most;
        const char *what;
    } sizes[] = {{sum->code, OBJECTS_CODE_MOST, "code and its alignment take"},
                 {sum->loaded, OBJECTS_LOADED_MOST, "code, constants and their alignment take"},
                 {sum->file, OBJECTS_FILES_MOST, "what the compiler made of them takes"}};
    text[0] = '\0';
    for (size_t i = 0; !text[0] && i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].found > sizes[i].most)
            snprintf(text, size, "%s: %s more than %llu KiB", sources, sizes[i].what,
                     (unsigned long long)sizes[i].most >> 10);
}

bool objects_allowed(const struct stage *stage, const struct exercise *exercise, enum isa isa,
                     struct build_result *result)
{
    char refused[4096] = "", strays[4096] = "", names[1024] = "", unresolved[4096] = "", sources[1024] = "",
         large[1280];
    struct object_report sum = {0};
    bool *defined = calloc(exercise->functions_count + 1U, sizeof *defined);
    struct object_report *report = calloc(1, sizeof *report);
    bool readable = defined && report;
    struct error err = {.text = "out of memory"};
    for (size_t i = 0; readable && i < stage->count; i++) {
        const struct unit *unit = &stage->units[i];
        char path[4096];
        snprintf(path, sizeof path, "%s/out/%s", stage->folder, unit->object);
        readable = object_inspect(path, unit->origin, exercise, isa, defined, report, &err);
        sum.code += report->code;
        sum.loaded += report->loaded;
        sum.file += report->file;
        add_lines(refused, sizeof refused, report->refused);
        add_lines(strays, sizeof strays, report->strays);
        add_text(names, sizeof names, report->stray_names);
        add_lines(unresolved, sizeof unresolved, report->unresolved);
        add_text(sources, sizeof sources, i == 0 ? "" : ", ");
        add_text(sources, sizeof sources, unit->origin);
    }
    tell_size(&sum, sources, large, sizeof large);
    unsigned missing = 0;
    while (readable && missing < exercise->functions_count && defined[missing])
        missing++;
    if (!readable)
        build_set(result, BUILD_ERROR, "%s", err.text);
    else if (refused[0])
        build_set(result, BUILD_REJECTED, "%s", refused);
    else if (large[0])
        build_set(result, BUILD_REJECTED, "%s", large);
    else if (missing < exercise->functions_count)
        build_set(result, BUILD_FAILED, "%s%s %s `%s`%s%s", stage->count > 1 ? "none of " : "", sources,
                  stage->count > 1 ? "defines" : "does not define", exercise->functions[missing],
                  names[0] ? "; what is defined there is" : "", names);
    else if (strays[0])
        build_set(result, BUILD_REJECTED, "%s", strays);
    else if (unresolved[0])
        build_set(result, BUILD_FAILED, "%s", unresolved);
    bool good = readable && !refused[0] && !large[0] && missing == exercise->functions_count && !strays[0] &&
                !unresolved[0];
    free(defined);
    free(report);
    return good;
}
