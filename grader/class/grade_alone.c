#include "grader/class/grade_alone.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/names.h"
#include "grader/base/textfile.h"
#include "grader/class/grade_find.h"
#include "grader/class/grade_roster.h"

enum { MOST_BYTES = 64 << 20 };

static void add_text(struct strings *list, const cJSON *record, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, key));
    if (text && *text)
        strings_add(list, "%s", text);
}

/* A record that is damaged is told where it is needed. */
static void add_students(struct strings *list, const char *path)
{
    struct error ignored;
    char *text = textfile_read(path, MOST_BYTES, NULL, &ignored);
    cJSON *record = text ? cJSON_Parse(text) : NULL;
    const cJSON *students = cJSON_GetObjectItemCaseSensitive(record, "students");
    for (const cJSON *one = students ? students->child : NULL; one; one = one->next) {
        strings_add(list, "%s", one->string);
        add_text(list, one, "id");
        add_text(list, one, "name");
        add_text(list, one, "roster_id");
    }
    cJSON_Delete(record);
    free(text);
}

static bool read_wrappers(const char *path, struct strings *wrappers, struct error *err)
{
    if (access(path, F_OK) != 0)
        return true;
    char *text = textfile_read(path, MOST_BYTES, NULL, err);
    cJSON *list = text ? cJSON_Parse(text) : NULL;
    if (text && !cJSON_IsArray(list))
        error_set(err, "%s is damaged: remove it", path);
    const bool good = cJSON_IsArray(list);
    for (const cJSON *one = list && good ? list->child : NULL; one; one = one->next)
        if (cJSON_IsString(one))
            strings_add(wrappers, "%s", one->valuestring);
    cJSON_Delete(list);
    free(text);
    return good;
}

static void path_of(const char *out, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/.work/around.json", out);
}

bool grade_alone_read(const char *out, const char *roster, struct grade_alone *alone, struct error *err)
{
    char path[PATH_MAX], file[PATH_MAX];
    const struct dirent *entry;
    *alone = (struct grade_alone){.roster = roster};
    snprintf(path, sizeof path, "%s/.work/graded", out);
    DIR *records = opendir(path);
    while (records && (entry = readdir(records))) {
        snprintf(file, sizeof file, "%.3800s/%s", path, entry->d_name);
        if (*entry->d_name != '.')
            add_students(&alone->students, file);
    }
    if (records)
        closedir(records);
    path_of(out, path);
    return read_wrappers(path, &alone->wrappers, err) &&
           ((!alone->students.failed && !alone->wrappers.failed) || error_set(err, "out of memory"));
}

void grade_alone_free(struct grade_alone *alone)
{
    strings_free(&alone->students);
    strings_free(&alone->wrappers);
}

static bool is_graded(const struct grade_alone *alone, const char *id)
{
    char *safe = grade_safe_name(id);
    bool is = safe && strings_has(&alone->students, safe);
    for (size_t i = 0; !is && i < alone->students.count; i++)
        is = strcmp(alone->students.item[i], id) == 0 || name_is_same(alone->students.item[i], id);
    free(safe);
    return is;
}

/* The roster is the instructor's, and goes first. A wrapper that was once looked into can be called as one of
 * those who were in it. */
enum alone grade_alone_is(const struct grade_alone *alone, const char *id, const char *file)
{
    if (alone->roster && grade_roster_has(alone->roster, id))
        return ALONE_STUDENT;
    if (strings_has(&alone->wrappers, file))
        return ALONE_WRAPPER;
    if (is_graded(alone, id))
        return ALONE_STUDENT;
    return alone->students.count > 0 && !alone->roster ? ALONE_UNKNOWN : ALONE_WRAPPER;
}

bool grade_alone_keep(const char *out, const struct strings *wrappers, struct error *err)
{
    struct strings all = {0};
    char path[PATH_MAX];
    path_of(out, path);
    if (wrappers->count == 0)
        return true;
    bool good = read_wrappers(path, &all, err);
    const size_t before = all.count;
    for (size_t i = 0; i < wrappers->count; i++)
        if (!strings_has(&all, wrappers->item[i]))
            strings_add(&all, "%s", wrappers->item[i]);
    if (good && all.count > before) {
        cJSON *list = cJSON_CreateStringArray((const char *const *)all.item, (int)all.count);
        char *text = list && !all.failed ? cJSON_PrintUnformatted(list) : NULL;
        good = text ? textfile_replace(path, text, strlen(text), err) : error_set(err, "out of memory");
        cJSON_Delete(list);
        free(text);
    }
    strings_free(&all);
    return good;
}
