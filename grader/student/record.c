#include "grader/student/record.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "grader/base/textfile.h"
#include "grader/check/correctness.h"

enum { SCHEMA = 1, MAX_BYTES = 64 << 10, MOST_FILLINGS = 1024 /* no check comes to half of it */ };
#define MOST       1e6 /* of whatever is counted */
#define MOST_CACHE (UINT64_C(1) << 40)

char *record_folder(const char *work)
{
    return textfile_join(work, ".state");
}

static char *file_of(const char *folder, const char *id)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s.json", folder, id) < 0 ? NULL : path;
}

/* A whole number in 0..MOST; false if it is missing or anything else. */
static bool get_count(const cJSON *object, const char *key, unsigned *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= MOST) ||
        item->valuedouble != floor(item->valuedouble))
        return false;
    *value = (unsigned)item->valuedouble;
    return true;
}

/* {"score": number or null, "max_score": count} */
static bool get_score(const cJSON *object, double *score, uint32_t *most)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "score");
    if (cJSON_IsNull(item))
        *score = NAN;
    else if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= MOST)
        *score = item->valuedouble;
    else
        return false;
    return get_count(object, "max_score", most);
}

static bool get_verdict(const cJSON *object, enum verdict *verdict)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "verdict"));
    for (int v = VERDICT_PASS; name && v <= VERDICT_REJECTED; v++) {
        if (strcmp(name, verdict_name((enum verdict)v)) == 0) {
            *verdict = (enum verdict)v;
            return true;
        }
    }
    return false;
}

/* A finite number in 0..MOST. */
static bool get_figure(const cJSON *object, const char *key, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    *value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    return *value >= 0 && *value <= MOST;
}

static bool get_bench(const cJSON *object, char on[RECORD_BENCH])
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "on"));
    for (const char *c = name; c && *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-. ", *c))
            return false;
    return name && (size_t)snprintf(on, RECORD_BENCH, "%s", name) < RECORD_BENCH;
}

/* A double holds no 64 bits: they are text. */
static bool get_number(const cJSON *object, const char *key, uint64_t *number)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    char *end;
    errno = 0;
    *number = text ? strtoull(text, &end, 10) : 0;
    return text && *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* The keys of a struct failing, and where they are in it. */
static const struct {
    const char *key;
    size_t at;
    uint64_t most;
} failing_numbers[] = {
    {"seed", offsetof(struct failing, seed), UINT64_MAX},
    {"largest", offsetof(struct failing, largest), CORRECTNESS_MOST},
    {"once", offsetof(struct failing, once), UINT32_MAX},
    {"cache-bytes", offsetof(struct failing, cache_bytes), MOST_CACHE},
    {"call", offsetof(struct failing, call), UINT32_MAX},
    {"elements", offsetof(struct failing, elements), UINT32_MAX},
    {"calls", offsetof(struct failing, calls), CORRECTNESS_MOST},
    {"student", offsetof(struct failing, student), UINT32_MAX},
    {"filling", offsetof(struct failing, filling), MOST_FILLINGS},
};
enum { FAILING_NUMBERS = sizeof failing_numbers / sizeof *failing_numbers };

/* Whatever is missing, another version has written the rest: it cannot be laid out again. */
static bool is_whole(const cJSON *object)
{
    bool whole = true;
    for (size_t i = 0; i < FAILING_NUMBERS; i++)
        whole = whole && cJSON_GetObjectItemCaseSensitive(object, failing_numbers[i].key);
    return whole;
}

static bool get_failing(const cJSON *object, struct failing *failing)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "case"));
    const cJSON *aarch64 = cJSON_GetObjectItemCaseSensitive(object, "aarch64"),
                *modelled = cJSON_GetObjectItemCaseSensitive(object, "modelled");
    if (!is_whole(object))
        return true;
    bool good = name && cJSON_IsBool(aarch64) && cJSON_IsBool(modelled) &&
                (size_t)snprintf(failing->case_name, sizeof failing->case_name, "%s", name) <
                    sizeof failing->case_name;
    for (size_t i = 0; good && i < FAILING_NUMBERS; i++) {
        uint64_t *number = (uint64_t *)(void *)((char *)failing + failing_numbers[i].at);
        good = get_number(object, failing_numbers[i].key, number) && *number <= failing_numbers[i].most;
    }
    failing->aarch64 = cJSON_IsTrue(aarch64);
    failing->modelled = cJSON_IsTrue(modelled);
    return good;
}

/* What earlier versions did not write may be missing; what is there has to be good. */
static bool get_figures(const cJSON *object, struct record *p)
{
    const cJSON *item, *guess = cJSON_GetObjectItemCaseSensitive(object, "guess");
    p->has_guess = guess != NULL;
    if (guess && !get_figure(object, "guess", &p->guess))
        return false;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "guesses"))
    {
        struct record_guess *to = &p->guesses[p->guesses_count];
        if (p->guesses_count == RECORD_GUESSES || !get_figure(item, "guess", &to->guess) ||
            !get_figure(item, "measured", &to->measured) || !get_bench(item, to->on))
            return false;
        p->guesses_count++;
    }
    if (!get_failing(cJSON_GetObjectItemCaseSensitive(object, "failing"), &p->failing))
        return false;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "reached"))
    {
        struct record_reached *to = &p->reached[p->reached_count];
        if (p->reached_count == RECORD_REACHED || !get_figure(item, "cycles", &to->cycles) ||
            !get_figure(item, "reference", &to->reference) || !get_bench(item, to->on))
            return false;
        p->reached_count++;
    }
    return true;
}

static bool get_record(const cJSON *object, struct record *p)
{
    unsigned schema;
    const cJSON *last = cJSON_GetObjectItemCaseSensitive(object, "last");
    const cJSON *passed = cJSON_GetObjectItemCaseSensitive(object, "passed");
    p->has_last = cJSON_IsObject(last);
    p->passed = cJSON_IsTrue(passed);
    return get_count(object, "schema", &schema) && schema == SCHEMA &&
           get_count(object, "checks", &p->checks) && get_count(object, "hints", &p->hints) &&
           cJSON_IsBool(passed) &&
           get_score(cJSON_GetObjectItemCaseSensitive(object, "best"), &p->best_score, &p->best_max) &&
           get_figures(object, p) &&
           (!p->has_last || (get_verdict(last, &p->last) && get_score(last, &p->last_score, &p->last_max)));
}

bool record_read(const char *folder, const char *id, struct record *record, struct error *err)
{
    const struct record none = {.last_score = NAN, .best_score = NAN};
    *record = none;
    char *file = file_of(folder, id);
    if (!file)
        return error_set(err, "out of memory");

    errno = 0;
    char *text = textfile_read(file, MAX_BYTES, NULL, err);
    bool absent = !text && (errno == ENOENT || errno == ENOTDIR);
    bool ok = absent;
    if (text) {
        cJSON *object = cJSON_Parse(text);
        ok = object && get_record(object, record);
        cJSON_Delete(object);
        if (!ok) {
            error_set(err, "%s: not a progress file that this version can read", file);
            *record = none;
        }
    }
    free(text);
    free(file);
    return ok;
}

static bool add_score(cJSON *object, double score, uint32_t most)
{
    return cJSON_AddItemToObject(object, "score",
                                 isfinite(score) ? cJSON_CreateNumber(score) : cJSON_CreateNull()) &&
           cJSON_AddNumberToObject(object, "max_score", most);
}

static bool add_figures(cJSON *object, const struct record *p)
{
    cJSON *list, *item;
    bool ok = !p->has_guess || cJSON_AddNumberToObject(object, "guess", p->guess);
    ok = ok && (list = cJSON_AddArrayToObject(object, "guesses"));
    for (unsigned i = 0; ok && i < p->guesses_count; i++)
        ok = (item = cJSON_CreateObject()) && cJSON_AddItemToArray(list, item) &&
             cJSON_AddStringToObject(item, "on", p->guesses[i].on) &&
             cJSON_AddNumberToObject(item, "guess", p->guesses[i].guess) &&
             cJSON_AddNumberToObject(item, "measured", p->guesses[i].measured);
    ok = ok && (list = cJSON_AddArrayToObject(object, "reached"));
    for (unsigned i = 0; ok && i < p->reached_count; i++)
        ok = (item = cJSON_CreateObject()) && cJSON_AddItemToArray(list, item) &&
             cJSON_AddStringToObject(item, "on", p->reached[i].on) &&
             cJSON_AddNumberToObject(item, "cycles", p->reached[i].cycles) &&
             cJSON_AddNumberToObject(item, "reference", p->reached[i].reference);
    return ok;
}

static bool add_failing(cJSON *object, const struct failing *failing)
{
    cJSON *item = cJSON_AddObjectToObject(object, "failing");
    bool ok = item && cJSON_AddStringToObject(item, "case", failing->case_name) &&
              cJSON_AddBoolToObject(item, "aarch64", failing->aarch64) &&
              cJSON_AddBoolToObject(item, "modelled", failing->modelled);
    for (size_t i = 0; ok && i < FAILING_NUMBERS; i++) {
        char text[24];
        const void *at = (const char *)failing + failing_numbers[i].at;
        snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)at);
        ok = cJSON_AddStringToObject(item, failing_numbers[i].key, text);
    }
    return ok;
}

static char *to_text(const char *id, const struct record *p)
{
    cJSON *object = cJSON_CreateObject(), *item;
    bool ok = object && cJSON_AddNumberToObject(object, "schema", SCHEMA) &&
              cJSON_AddStringToObject(object, "id", id) &&
              cJSON_AddNumberToObject(object, "checks", p->checks) &&
              cJSON_AddNumberToObject(object, "hints", p->hints) &&
              cJSON_AddBoolToObject(object, "passed", p->passed) &&
              (item = cJSON_AddObjectToObject(object, "best")) && add_score(item, p->best_score, p->best_max);
    if (ok && p->has_last)
        ok = (item = cJSON_AddObjectToObject(object, "last")) &&
             cJSON_AddStringToObject(item, "verdict", verdict_name(p->last)) &&
             add_score(item, p->last_score, p->last_max);
    ok = ok && add_figures(object, p) && (!p->failing.case_name[0] || add_failing(object, &p->failing));
    char *text = ok ? cJSON_Print(object) : NULL;
    cJSON_Delete(object);
    return text;
}

/* What cannot be read may be another version's: it is put aside, not lost. */
static void put_aside(const char *folder, const char *id, const char *file)
{
    struct record before;
    struct error ignored;
    char *aside = NULL;
    if (!record_read(folder, id, &before, &ignored) && asprintf(&aside, "%s.bak", file) >= 0) {
        rename(file, aside);
        free(aside);
    }
}

bool record_write(const char *folder, const char *id, const struct record *record, struct error *err)
{
    if (!textfile_make_folder(folder, err))
        return false;
    char *file = file_of(folder, id), *text = to_text(id, record);
    if (file && text)
        put_aside(folder, id, file);
    bool ok =
        file && text ? textfile_replace(file, text, strlen(text), err) : error_set(err, "out of memory");
    free(text);
    free(file);
    return ok;
}

int record_lock(const char *folder)
{
    struct error ignored;
    if (!textfile_make_folder(folder, &ignored))
        return -1;
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && flock(lock, LOCK_EX) != 0) {
        close(lock);
        return -1;
    }
    return lock;
}

void record_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}
