#include "grader/drill/drill_schedule.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"

enum { SCHEMA = 1, MAX_BYTES = 1 << 16, FIELDS = 4 };

static const uint32_t days_of_box[DRILL_BOXES] = {0, 1, 2, 4, 8, 16};

static bool get_memory(const cJSON *row, struct drill_memory *memory)
{
    uint32_t fields[FIELDS];
    if (cJSON_GetArraySize(row) != FIELDS)
        return false;
    for (int i = 0; i < FIELDS; i++) {
        const cJSON *field = cJSON_GetArrayItem(row, i);
        if (!cJSON_IsNumber(field) || !(field->valuedouble >= 0 && field->valuedouble < 1e6) ||
            field->valuedouble != floor(field->valuedouble))
            return false;
        fields[i] = (uint32_t)field->valuedouble;
    }
    if (fields[0] >= DRILL_BOXES)
        return false;
    *memory = (struct drill_memory){(uint8_t)fields[0], fields[1], fields[2], fields[3]};
    return true;
}

static bool from_text(const char *text, struct drill_schedule *schedule)
{
    cJSON *object = cJSON_Parse(text);
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(object, "schema");
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(object, "skills");
    bool ok =
        cJSON_IsNumber(schema) && schema->valuedouble == SCHEMA && cJSON_GetArraySize(rows) == DRILL_SKILLS;
    for (unsigned i = 0; ok && i < DRILL_SKILLS; i++)
        ok = get_memory(cJSON_GetArrayItem(rows, (int)i), &schedule->skills[i]);
    cJSON_Delete(object);
    return ok;
}

static char *file_in(const char *folder)
{
    return textfile_join(folder, "drill.json");
}

bool drill_schedule_read(const char *folder, struct drill_schedule *schedule, struct error *err)
{
    memset(schedule, 0, sizeof *schedule);
    char *file = file_in(folder);
    if (!file)
        return error_set(err, "out of memory");
    errno = 0;
    char *text = textfile_read(file, MAX_BYTES, NULL, err);
    bool ok = !text && (errno == ENOENT || errno == ENOTDIR);
    if (text && !(ok = from_text(text, schedule))) {
        error_set(err, "%s: not a file of drills that this version can read", file);
        memset(schedule, 0, sizeof *schedule);
    }
    free(text);
    free(file);
    return ok;
}

static char *to_text(const struct drill_schedule *schedule)
{
    cJSON *object = cJSON_CreateObject(), *rows = NULL;
    bool ok = object && cJSON_AddNumberToObject(object, "schema", SCHEMA) &&
              (rows = cJSON_AddArrayToObject(object, "skills"));
    for (unsigned i = 0; ok && i < DRILL_SKILLS; i++) {
        const struct drill_memory *memory = &schedule->skills[i];
        const double fields[FIELDS] = {memory->box, memory->due, memory->asked, memory->right};
        ok = cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(fields, FIELDS));
    }
    char *text = ok ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    return text;
}

bool drill_schedule_write(const char *folder, const struct drill_schedule *schedule, struct error *err)
{
    struct drill_schedule before;
    struct error ignored;
    if (!textfile_make_folder(folder, err))
        return false;
    char *file = file_in(folder), *text = to_text(schedule), *aside = NULL;
    if (file && !drill_schedule_read(folder, &before, &ignored) && asprintf(&aside, "%s.bak", file) >= 0) {
        rename(file, aside);
        free(aside);
    }
    bool ok =
        file && text ? textfile_replace(file, text, strlen(text), err) : error_set(err, "out of memory");
    free(text);
    free(file);
    return ok;
}

/* Is `a` to be asked rather than `b`? */
static bool before(const struct drill_memory *a, const struct drill_memory *b, uint32_t today)
{
    const bool a_due = a->due <= today, b_due = b->due <= today;
    if (a_due != b_due)
        return a_due;
    if (a_due && a->box != b->box)
        return a->box < b->box;
    return a->due < b->due;
}

unsigned drill_schedule_next(const struct drill_schedule *schedule, uint32_t today, unsigned last)
{
    unsigned best = DRILL_SKILLS, fresh = DRILL_SKILLS;
    struct drill_skill skill;
    for (unsigned i = 0; i < DRILL_SKILLS; i++) {
        const struct drill_memory *memory = &schedule->skills[i];
        if (!drill_skill_at(i, &skill) || i == last)
            continue;
        if (memory->asked == 0)
            fresh = fresh < DRILL_SKILLS ? fresh : i;
        else if (best == DRILL_SKILLS || before(memory, &schedule->skills[best], today))
            best = i;
    }
    const bool is_due = best < DRILL_SKILLS && schedule->skills[best].due <= today;
    return fresh < DRILL_SKILLS && !is_due ? fresh : best < DRILL_SKILLS ? best : fresh;
}

void drill_schedule_answered(struct drill_schedule *schedule, unsigned skill, uint32_t today, bool right)
{
    struct drill_memory *memory = &schedule->skills[skill];
    memory->asked++;
    memory->right += right;
    memory->box = !right ? 0 : memory->box + 1 < DRILL_BOXES ? memory->box + 1 : memory->box;
    memory->due = today + days_of_box[memory->box];
}
