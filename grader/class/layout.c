#include "grader/class/layout.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/strings.h"
#include "grader/class/unpack.h"

enum { GROUPS = 5 };

const struct layout_service layout_services[LAYOUT_SERVICES] = {
    {"Moodle", .numbers = true},
    {"Gradescope", .whole = true},
    {"Brightspace", .whole = true, .numbers = true},
    {"Blackboard", .whole = true},
    {"Canvas", .numbers = true}, /* last: two numbers in a name are soon somebody's own */
};

/* A row for each kind of name: the mark that the platform puts between a student's name and what the student
 * called the file, and which part of it is what; 0, or a part that is not there: for the name what is before
 * the mark, for the id the name, for the file what is behind the mark. The first mark in a name counts:
 * platforms take care that names hold none, but behind it all is the student's own. Rows of a service stand
 * together, the first that fits counts. To add a platform: add its rows, and a test. */
struct layout {
    const char *service;
    enum layout_kind kind;
    const char *mark;
    unsigned char id, order, file, name, time;
    const char *called; /* what the name has to be; NULL: anything */
};

#define MOODLE_MARK      "(_([0-9]+))?_assignsubmission_[a-z]+_"
#define CANVAS_NOBODY    "^(LATE_)?anon_[[:alnum:]]+$"
#define BRIGHTSPACE_TIME "[A-Z][a-z]+ [0-9]{1,2}, [0-9]{4} [0-9]{3,4} [AP]M"
#define BLACKBOARD_TIME  "[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{2}"

static const struct layout layouts[] = {
    {"Canvas", LAYOUT_FILE, "_([0-9]+)_([0-9]+)_", .id = 1, .order = 2},
    {"Canvas", LAYOUT_FILE, "_([0-9]+)_((text|link)\\.html)$", .id = 1, .file = 2},
    {"Canvas", LAYOUT_FILE, "_([0-9]+)_", .order = 1, .called = CANVAS_NOBODY},
    {"Canvas", LAYOUT_FILE, "_((text|link)\\.html)$", .file = 1, .called = CANVAS_NOBODY},
    {"Moodle", LAYOUT_FOLDER, MOODLE_MARK "?$", .id = 2}, /* without a number: who is in no group */
    {"Moodle", LAYOUT_FILE, MOODLE_MARK, .id = 2},
    {"Brightspace", LAYOUT_FOLDER, "^([0-9]+)-[0-9]+ - (.+) - (" BRIGHTSPACE_TIME ")$", .id = 1, .name = 2,
     .time = 3},
    /* the name is the assignment's and the login, until the text beside it tells them apart */
    {"Blackboard", LAYOUT_FILE, "_attempt_(" BLACKBOARD_TIME ")_", .time = 1},
    {"Blackboard", LAYOUT_FILE, "_attempt_((" BLACKBOARD_TIME ")\\.txt)$", .file = 1, .time = 2},
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

/* parts[0] is the mark, and neither name nor file is empty. */
static bool fits(const struct layout *layout, const char *name, regmatch_t parts[GROUPS])
{
    regmatch_t ignored[GROUPS];
    if (!matches(layout->mark, name, parts) || (!layout->name && parts[0].rm_so == 0) ||
        (layout->kind == LAYOUT_FILE && !layout->file && !name[parts[0].rm_eo]))
        return false;
    char *who = layout->called ? part_of(name, 0, parts[0].rm_so) : NULL;
    const bool good = !layout->called || (who && matches(layout->called, who, ignored));
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

/* How many have one before them that is the same. */
static size_t repeated(struct strings *list)
{
    size_t count = 0;
    strings_sort(list);
    for (size_t i = 1; i < list->count; i++)
        count += strcmp(list->item[i - 1], list->item[i]) == 0;
    return count;
}

size_t layout_fitting(const char *service, const char *not_of, const char *const *names,
                      const enum layout_kind *kinds, size_t count, const char **example)
{
    regmatch_t parts[GROUPS], ignored[GROUPS];
    struct strings numbers = {0};
    size_t fitting = 0;
    *example = NULL;
    for (size_t k = 0; k < count; k++) {
        const struct layout *layout = find(service, names[k], kinds[k], parts);
        if (!layout || find(not_of, names[k], kinds[k], ignored))
            continue;
        if (layout->order)
            strings_add(&numbers, "%.*s", (int)(parts[0].rm_eo - parts[0].rm_so), names[k] + parts[0].rm_so);
        *example = fitting++ == 0 ? names[k] : *example;
    }
    const size_t again = repeated(&numbers);
    strings_free(&numbers);
    return fitting - again;
}

const struct layout_service *layout_service_of(const char *name)
{
    for (size_t i = 0; name && i < LAYOUT_SERVICES; i++)
        if (strcmp(layout_services[i].name, name) == 0)
            return &layout_services[i];
    return NULL;
}

const char *layout_leading(const char *const *names, const enum layout_kind *kinds, size_t count,
                           size_t *fitting, const char **example)
{
    const char *leading = NULL;
    *fitting = 0;
    *example = NULL;
    for (size_t i = 0; i < LAYOUT_SERVICES; i++) {
        const char *first, *service = layout_services[i].name;
        const size_t fit = layout_fitting(service, NULL, names, kinds, count, &first);
        if (fit <= *fitting)
            continue;
        leading = service;
        *fitting = fit;
        *example = first;
    }
    return leading;
}

const char *layout_service(const char *const *names, const enum layout_kind *kinds, size_t count)
{
    const char *example;
    size_t fitting;
    const char *leading = layout_leading(names, kinds, count, &fitting, &example);
    return 2 * fitting > count ? leading : NULL;
}

/* "Nov 20, 2026 1000 AM" and "2026-11-20-10-00-00" as when_read() takes them; "" where it is another text. */
static char *time_of(const char *text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char month[4] = "", half = ' ', *time = NULL;
    unsigned year, number = 0, day, hour, minute = 0, second = 0;
    if (sscanf(text, "%4u-%2u-%2u-%2u-%2u-%2u", &year, &number, &day, &hour, &minute, &second) < 6) {
        if (sscanf(text, "%3[A-Za-z]%*[a-z] %u, %u %u %c", month, &day, &year, &hour, &half) < 5 &&
            sscanf(text, "%3s %u, %u %u %c", month, &day, &year, &hour, &half) < 5)
            return strdup("");
        const char *at = strstr(months, month);
        number = at && strlen(month) == 3 ? (unsigned)(at - months) / 3 + 1 : 0;
        minute = hour % 100;
        hour = hour / 100 % 12 + (half == 'P' ? 12 : 0);
    }
    return asprintf(&time, "%04u-%02u-%02u %02u:%02u:%02u", year, number, day, hour, minute, second) < 0
               ? NULL
               : time;
}

/* A part that is not there is what stands there by itself. */
static char *take(const char *text, const regmatch_t *parts, unsigned char part, char *otherwise)
{
    if (part == 0 || parts[part].rm_so < 0)
        return otherwise;
    free(otherwise);
    return part_of(text, parts[part].rm_so, parts[part].rm_eo);
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
        read->name = take(name, parts, layout->name, part_of(name, 0, parts[0].rm_so));
        read->late = read->name && strcmp(service, "Canvas") == 0 && cut_late(read->name);
        read->id = take(name, parts, layout->id, read->name ? strdup(read->name) : NULL);
        read->file =
            take(name, parts, layout->file, strdup(kind == LAYOUT_FILE ? name + parts[0].rm_eo : ""));
        if (layout->order)
            read->order = strtoull(name + parts[layout->order].rm_so, NULL, 10);
        char *time = take(name, parts, layout->time, strdup(""));
        read->time = time ? time_of(time) : NULL;
        free(time);
    } else if (!service && kind == LAYOUT_FOLDER) {
        read->file = strdup("");
        read->name = strdup(name);
        read->id = strdup(name);
    } else if (!service && unpack_is_archive(name)) {
        read->file = strdup(name);
        read->name = strndup(name, strlen(name) - unpack_ending(name));
        read->id = read->name ? strdup(read->name) : NULL;
    }
    if (!layout && read->file)
        read->time = strdup("");
    if (read->name && read->id && read->file && read->time)
        return true;
    layout_free(read);
    return false;
}

void layout_free(struct layout_name *read)
{
    free(read->id);
    free(read->name);
    free(read->file);
    free(read->time);
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
