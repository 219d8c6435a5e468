#include "grader/class/layout.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/class/unpack.h"

enum { GROUPS = 4 };

/* A row for each kind of name: the mark that the platform puts between a student's name and what the student
 * called the file, and which part of it is what; 0, or a part that is not there: for the id the name, for the
 * file what is behind the mark. The first mark in a name counts: platforms take care that names hold none,
 * but behind it all is the student's own. Rows of a service stand together, the first that fits counts. To
 * add a platform: add its rows, and a test. */
struct layout {
    const char *service;
    enum layout_kind kind;
    const char *mark;
    unsigned char id, order, file;
    const char *name; /* what the name has to be; NULL: anything */
};

#define MOODLE_MARK   "(_([0-9]+))?_assignsubmission_[a-z]+_"
#define CANVAS_NOBODY "^(LATE_)?anon_[[:alnum:]]+$"

static const struct layout layouts[] = {
    {"Canvas", LAYOUT_FILE, "_([0-9]+)_([0-9]+)_", 1, 2, 0, NULL},
    {"Canvas", LAYOUT_FILE, "_([0-9]+)_((text|link)\\.html)$", 1, 0, 2, NULL},
    {"Canvas", LAYOUT_FILE, "_([0-9]+)_", 0, 1, 0, CANVAS_NOBODY},
    {"Canvas", LAYOUT_FILE, "_((text|link)\\.html)$", 0, 0, 1, CANVAS_NOBODY},
    {"Moodle", LAYOUT_FOLDER, MOODLE_MARK "?$", 2, 0, 0, NULL}, /* without a number: who is in no group */
    {"Moodle", LAYOUT_FILE, MOODLE_MARK, 2, 0, 0, NULL},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static bool matches(const char *pattern, const char *text, regmatch_t parts[GROUPS])
{
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED) != 0)
        return false;
    const bool good = regexec(&compiled, text, GROUPS, parts, 0) == 0;
    regfree(&compiled);
    return good;
}

static char *part_of(const char *name, regoff_t begin, regoff_t end)
{
    return strndup(name + begin, (size_t)(end - begin));
}

/* parts[0] is the mark: the name is before it, and a file behind it, and neither is empty. */
static bool fits(const struct layout *layout, const char *name, regmatch_t parts[GROUPS])
{
    regmatch_t ignored[GROUPS];
    if (!matches(layout->mark, name, parts) || parts[0].rm_so == 0 ||
        (layout->kind == LAYOUT_FILE && !layout->file && !name[parts[0].rm_eo]))
        return false;
    char *who = layout->name ? part_of(name, 0, parts[0].rm_so) : NULL;
    const bool good = !layout->name || (who && matches(layout->name, who, ignored));
    free(who);
    return good;
}

static const struct layout *find(const char *service, const char *name, enum layout_kind kind,
                                 regmatch_t parts[GROUPS])
{
    for (size_t i = 0; service && i < LAYOUTS; i++)
        if (strcmp(layouts[i].service, service) == 0 && layouts[i].kind == kind &&
            fits(&layouts[i], name, parts))
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
        if (i > 0 && layouts[i].service == layouts[i - 1].service)
            continue;
        if (2 * layout_fitting(layouts[i].service, names, kinds, count, &example) > count)
            return layouts[i].service;
    }
    return NULL;
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
    if (layout) {
        const regmatch_t *id = &parts[layout->id], *file = &parts[layout->file];
        read->name = part_of(name, 0, parts[0].rm_so);
        read->late = read->name && strcmp(service, "Canvas") == 0 && cut_late(read->name);
        read->id = layout->id && id->rm_so >= 0 ? part_of(name, id->rm_so, id->rm_eo)
                   : read->name                 ? strdup(read->name)
                                                : NULL;
        read->file = layout->file                  ? part_of(name, file->rm_so, file->rm_eo)
                     : layout->kind == LAYOUT_FILE ? strdup(name + parts[0].rm_eo)
                                                   : strdup("");
        if (layout->order)
            read->order = strtoull(name + parts[layout->order].rm_so, NULL, 10);
    } else if (!service && kind == LAYOUT_FOLDER) {
        read->file = strdup("");
        read->name = strdup(name);
        read->id = strdup(name);
    } else if (!service && unpack_is_archive(name)) {
        read->file = strdup(name);
        read->name = strndup(name, strlen(name) - unpack_ending(name));
        read->id = read->name ? strdup(read->name) : NULL;
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
