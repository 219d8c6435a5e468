/* submission_metadata.yml of Gradescope's export: for each folder who submitted it, and when.
 *
 *   submission_4711:
 *     :submitters:
 *     - {:name: Ada, :sid: '1', :email: ada@example.org}
 *     :created_at: 2026-11-24 10:00:00 Z
 *     :history: [{...}, ...]                      the attempts before
 *
 * It holds all results besides, so it is read piece by piece, and what is not asked for is passed over. */
#include "grader/class/grade_find_internal.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MOST_DEPTH = 100, MOST_KEY = 128, MOST_SUBMITTERS = 100000 };

struct level {
    bool mapping, at_value;
    char key[MOST_KEY];
};

struct reading {
    struct gradescope *to;
    struct level levels[MOST_DEPTH];
    unsigned depth; /* 0: outside; 1: the folders; 2: what is known of one */
    size_t first;   /* submitter of this folder */
    char time[64];
    unsigned before; /* attempts */
    bool failed;
};

static bool is_at(const struct reading *r, unsigned depth, const char *key)
{
    return r->depth == depth && strcmp(r->levels[2].key, key) == 0;
}

static void set(char **text, const char *value)
{
    if (*value && strcmp(value, "~") != 0 && strcmp(value, "null") != 0) {
        free(*text);
        *text = strdup(value);
    }
}

static void add_submitter(struct reading *r)
{
    struct gradescope *to = r->to;
    struct gradescope_submitter *more =
        to->count < MOST_SUBMITTERS ? realloc(to->submitters, (to->count + 1) * sizeof *more) : NULL;
    if (!more) {
        r->failed = true;
        return;
    }
    to->submitters = more;
    to->submitters[to->count++] = (struct gradescope_submitter){.folder = strdup(r->levels[1].key)};
}

/* The end of what is known of one folder. */
static void end_folder(struct reading *r)
{
    for (size_t i = r->first; i < r->to->count; i++) {
        struct gradescope_submitter *one = &r->to->submitters[i];
        one->time = strdup(r->time);
        one->attempt = r->before + 1;
        if (!one->id)
            set(&one->id, one->folder ? one->folder : "");
        if (!one->name)
            set(&one->name, one->id ? one->id : "");
        r->failed = r->failed || !one->folder || !one->time || !one->id || !one->name;
    }
    r->first = r->to->count;
    r->time[0] = '\0';
    r->before = 0;
}

static void take_value(struct reading *r, const char *value)
{
    const char *key = r->levels[r->depth].key;
    if (is_at(r, 4, ":submitters") && r->to->count > r->first) {
        struct gradescope_submitter *one = &r->to->submitters[r->to->count - 1];
        if (strcmp(key, ":name") == 0)
            set(&one->name, value);
        else if (strcmp(key, ":sid") == 0 || (strcmp(key, ":email") == 0 && !one->id))
            set(&one->id, value);
    } else if (is_at(r, 2, ":created_at")) {
        snprintf(r->time, sizeof r->time, "%s", value);
    }
}

static void begin(struct reading *r, bool mapping)
{
    if (++r->depth >= MOST_DEPTH) {
        r->failed = true;
        return;
    }
    r->levels[r->depth] = (struct level){.mapping = mapping};
    if (mapping && is_at(r, 4, ":submitters"))
        add_submitter(r);
    else if (mapping && is_at(r, 4, ":history"))
        r->before++;
}

static void take_event(struct reading *r, const yaml_event_t *event)
{
    struct level *level = &r->levels[r->depth];
    const char *text = event->type == YAML_SCALAR_EVENT ? (const char *)event->data.scalar.value : "";
    switch (event->type) {
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        begin(r, event->type == YAML_MAPPING_START_EVENT);
        return;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        r->levels[r->depth].key[0] = '\0';
        if (--r->depth == 1)
            end_folder(r);
        r->levels[r->depth].at_value = false;
        return;
    case YAML_SCALAR_EVENT:
    case YAML_ALIAS_EVENT:
        if (level->mapping && !level->at_value) {
            snprintf(level->key, sizeof level->key, "%s", text);
            level->at_value = true;
        } else {
            take_value(r, text);
            level->at_value = false;
        }
        return;
    default:
        return;
    }
}

bool gradescope_read(const char *text, size_t size, struct gradescope *gradescope, struct error *err)
{
    struct reading *r = calloc(1, sizeof *r);
    yaml_parser_t parser;
    bool good = r && yaml_parser_initialize(&parser), end = !good;
    if (!good) {
        free(r);
        return error_set(err, "out of memory");
    }
    r->to = gradescope;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    while (!end) {
        yaml_event_t event;
        good = yaml_parser_parse(&parser, &event);
        if (!good) {
            error_set(err, "line %zu: %s", parser.problem_mark.line + 1,
                      parser.problem ? parser.problem : "no YAML");
            break;
        }
        end = event.type == YAML_STREAM_END_EVENT;
        take_event(r, &event);
        yaml_event_delete(&event);
        if (r->failed) {
            good = error_set(err, "nested too deep, or memory is short");
            break;
        }
    }
    yaml_parser_delete(&parser);
    free(r);
    return good;
}

void gradescope_free(struct gradescope *gradescope)
{
    for (size_t i = 0; i < gradescope->count; i++) {
        free(gradescope->submitters[i].folder);
        free(gradescope->submitters[i].id);
        free(gradescope->submitters[i].name);
        free(gradescope->submitters[i].time);
    }
    free(gradescope->submitters);
    *gradescope = (struct gradescope){0};
}
