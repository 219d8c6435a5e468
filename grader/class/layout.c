#include "grader/class/layout.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/class/unpack.h"

enum { GROUPS = 7 };

/* A row for each kind of name: which part of the pattern is what, 0 for none. Rows of a service stand
 * together, the first that fits counts. To add a platform: add its rows, and a test. */
struct layout {
    const char *service; /* NULL: nobody's in particular */
    enum layout_kind kind;
    const char *pattern;
    unsigned char name, id, order, file;
};

/* Canvas takes the first two parts of digits alone for the student's and the file's ids, and so do we. */
#define CANVAS_NAME "([^_]+(_[0-9]*[^_0-9][^_]*|_)*)"
#define MOODLE_PART "_assignsubmission_[a-z]+"

static const struct layout layouts[] = {
    {"Canvas", LAYOUT_FILE, "^" CANVAS_NAME "_([0-9]+)_([0-9]+)_(.+)$", 1, 3, 4, 5},
    {"Canvas", LAYOUT_FILE, "^" CANVAS_NAME "_([0-9]+)_(text\\.html|link\\.html)$", 1, 3, 0, 4},
    {"Canvas", LAYOUT_FILE, "^((LATE_)?anon_[[:alnum:]]+)_([0-9]+)_(.+)$", 1, 1, 3, 4},
    {"Moodle", LAYOUT_FOLDER, "^(.+)_([0-9]+)" MOODLE_PART "_?$", 1, 2, 0, 0},
    {"Moodle", LAYOUT_FOLDER, "^(.+)" MOODLE_PART "_?$", 1, 1, 0, 0}, /* who is in no group */
    {"Moodle", LAYOUT_FILE, "^(.+)_([0-9]+)" MOODLE_PART "_(.+)$", 1, 2, 0, 3},
    {"Moodle", LAYOUT_FILE, "^(.+)" MOODLE_PART "_(.+)$", 1, 1, 0, 2},
    {NULL, LAYOUT_FOLDER, "^(.+)$", 1, 1, 0, 0},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static bool is_of(const struct layout *layout, const char *service)
{
    return layout->service ? service && strcmp(layout->service, service) == 0 : !service;
}

static bool fits(const struct layout *layout, const char *name, regmatch_t parts[GROUPS])
{
    regex_t pattern;
    if (regcomp(&pattern, layout->pattern, REG_EXTENDED) != 0)
        return false;
    const bool good = regexec(&pattern, name, GROUPS, parts, 0) == 0;
    regfree(&pattern);
    return good;
}

static const struct layout *find(const char *service, const char *name, enum layout_kind kind,
                                 regmatch_t parts[GROUPS])
{
    for (size_t i = 0; i < LAYOUTS; i++)
        if (is_of(&layouts[i], service) && layouts[i].kind == kind && fits(&layouts[i], name, parts))
            return &layouts[i];
    return NULL;
}

size_t layout_fitting(const char *service, const char *const *names, const enum layout_kind *kinds,
                      size_t count, const char **example)
{
    regmatch_t parts[GROUPS];
    size_t fitting = 0;
    *example = NULL;
    for (size_t k = 0; k < count; k++) {
        if (!find(service, names[k], kinds[k], parts))
            continue;
        *example = fitting++ == 0 ? names[k] : *example;
    }
    return fitting;
}

const char *layout_service(const char *const *names, const enum layout_kind *kinds, size_t count)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        const char *example;
        if (!layouts[i].service || (i > 0 && layouts[i].service == layouts[i - 1].service))
            continue;
        if (2 * layout_fitting(layouts[i].service, names, kinds, count, &example) > count)
            return layouts[i].service;
    }
    return NULL;
}

static char *part_of(const char *name, const regmatch_t *parts, unsigned part)
{
    return part == 0 ? strdup("")
                     : strndup(name + parts[part].rm_so, (size_t)(parts[part].rm_eo - parts[part].rm_so));
}

/* Canvas has LATE behind the name, or before an anonymous one. */
static bool cut_late(char *name)
{
    static const char mark[] = "LATE";
    const size_t size = sizeof mark - 1, length = strlen(name);
    if (strncmp(name, "LATE_anon_", size + 6) == 0) {
        memmove(name, name + size + 1, length - size);
        return true;
    }
    if (length <= size + 1 || strcmp(name + length - size, mark) != 0 || name[length - size - 1] != '_')
        return false;
    name[length - size - 1] = '\0';
    return true;
}

bool layout_read(const char *service, const char *name, enum layout_kind kind, struct layout_name *read)
{
    regmatch_t parts[GROUPS];
    const struct layout *layout = find(service, name, kind, parts);
    *read = (struct layout_name){0};
    if (!layout && !service && kind == LAYOUT_FILE && unpack_is_archive(name)) {
        read->file = strdup(name);
        read->name = strndup(name, strlen(name) - unpack_ending(name));
        read->id = read->name ? strdup(read->name) : NULL;
    } else if (layout) {
        read->name = part_of(name, parts, layout->name);
        read->id = part_of(name, parts, layout->id);
        read->file = part_of(name, parts, layout->file);
        if (layout->order)
            read->order = strtoull(name + parts[layout->order].rm_so, NULL, 10);
        if (read->name && service && strcmp(service, "Canvas") == 0)
            read->late = cut_late(read->name);
        if (read->id && read->late && layout->id == layout->name)
            cut_late(read->id);
    }
    if (read->name && read->id && read->file)
        return true;
    layout_free(read);
    return false;
}

void layout_free(struct layout_name *read)
{
    free(read->id);
    free(read->name);
    free(read->file);
    *read = (struct layout_name){0};
}

bool layout_is_noise(const char *name)
{
    static const char *const noise[] = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"};
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (strcasecmp(name, noise[i]) == 0)
            return true;
    return strncmp(name, "._", 2) == 0;
}

char *layout_first_name(const char *file)
{
    const char *end = strrchr(file, '.'), *dash = NULL;
    end = end ? end : file + strlen(file);
    for (const char *c = end; c > file && isdigit((unsigned char)c[-1]); c--)
        dash = c - 1;
    if (!dash || dash <= file + 1 || dash[-1] != '-')
        return NULL;
    char *first = strdup(file);
    if (first)
        memmove(first + (dash - 1 - file), end, strlen(end) + 1);
    return first;
}
