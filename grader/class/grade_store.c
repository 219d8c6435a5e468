/* What is kept in OUT/.work, and the lock on it. */
#include "grader/class/grade_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/reports/jsonparts.h"
#include "grader/reports/report.h"
#include "grader/base/textfile.h"

enum { MOST_BYTES = 4 << 20, LOCK_TRIES = 30, LOCK_PAUSE_MS = 100 };

/* ---- OUT ---- */

/* The path as it will be, though its last folders may not be there yet. */
static char *whole_path(const char *path)
{
    char *copy = strdup(path), *found = NULL;
    size_t length = copy ? strlen(copy) : 0;
    while (copy && !(found = realpath(*copy ? copy : ".", NULL)) && errno == ENOENT && *copy) {
        char *slash = strrchr(copy, '/');
        if (slash && slash != copy)
            *slash = '\0';
        else
            copy[slash == copy] = '\0';
    }
    char *whole = NULL;
    if (found) {
        size_t used = strlen(copy);
        const char *rest = path + used + strspn(path + used, "/");
        if (used >= length)
            rest = "";
        if (asprintf(&whole, "%s%s%s", found, *rest && strcmp(found, "/") != 0 ? "/" : "", rest) < 0)
            whole = NULL;
    }
    free(found);
    free(copy);
    return whole;
}

static bool is_within(const char *inner, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 &&
           (inner[length] == '/' || inner[length] == '\0' || strcmp(outer, "/") == 0);
}

static bool check_places(const struct grade_request *request, struct error *err)
{
    char *out = whole_path(request->out), *submissions = whole_path(request->submissions);
    bool good = true;
    if (!out)
        good = error_set(err, "OUT: %s: %s", request->out, strerror(errno));
    else if (submissions && strcmp(out, submissions) == 0)
        good = error_set(err, "OUT: expected another folder than SUBMISSIONS, found %s for both", out);
    else if (submissions && is_within(out, submissions))
        good = error_set(err, "OUT: %s lies in SUBMISSIONS (%s): grades do not belong between submissions",
                         out, submissions);
    else if (submissions && is_within(submissions, out))
        good = error_set(err, "OUT: SUBMISSIONS (%s) lies in it (%s): name a folder of its own", submissions,
                         out);
    free(out);
    free(submissions);
    return good;
}

/* Ours, or empty: nothing of anybody's is overwritten. */
static bool is_ours(const char *out, const char *work)
{
    DIR *folder = opendir(out);
    const struct dirent *entry;
    bool empty = true;
    while (folder && (entry = readdir(folder)))
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    if (folder)
        closedir(folder);
    return empty || access(work, F_OK) == 0;
}

/* One who was killed may take a moment to be gone. */
static bool take_lock(int fd, int how)
{
    for (unsigned i = 0; i < LOCK_TRIES; i++) {
        if (flock(fd, how | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        nanosleep(&(struct timespec){0, LOCK_PAUSE_MS * 1000000L}, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

/* Slices share OUT with each other, but with no grading of all; each with itself never. */
static bool lock_work(struct grading *g, struct error *err)
{
    const struct grade_request *request = g->request;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/lock", g->work);
    g->locks[0] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    bool good = g->locks[0] >= 0 && take_lock(g->locks[0], request->slice ? LOCK_SH : LOCK_EX);
    if (good && request->slice) {
        snprintf(path, sizeof path, "%s/lock-%u-of-%u", g->work, request->slice, request->slices);
        g->locks[1] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        good = g->locks[1] >= 0 && take_lock(g->locks[1], LOCK_EX);
    }
    if (good)
        return true;
    if (errno == EWOULDBLOCK)
        return error_set(err, "OUT: another grading is at work in %s: wait for its end, or give another OUT",
                         request->out);
    return error_set(err, "OUT: %s: cannot be locked: %s", path, strerror(errno));
}

/* "report.json.tmp-4711-0", as textfile_replace calls them. */
static bool is_unfinished(const char *name)
{
    const char *mark = strstr(name, ".tmp-");
    if (!mark)
        return false;
    mark += strlen(".tmp-");
    mark += strspn(mark, "0123456789");
    return *mark == '-' && mark[1] && mark[1 + strspn(mark + 1, "0123456789")] == '\0';
}

void grade_sweep(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (is_unfinished(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

void grade_sweep_all(const char *out)
{
    static const char *const folders[] = {"", "/.work", "/.work/graded", "/.work/pages"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s%s", out, folders[i]);
        grade_sweep(path);
    }
    for (unsigned i = 0; i < 256; i++) {
        snprintf(path, sizeof path, "%s/.work/results/%02x", out, i);
        grade_sweep(path);
    }
}

bool grade_store_is_there(const struct grade_request *request)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/.work/lock", request->out);
    return access(path, F_OK) == 0;
}

bool grade_store_open(struct grading *g, struct error *err)
{
    static const char *const folders[] = {"", "/results"};
    struct error why;
    if (!check_places(g->request, err))
        return false;
    g->work = textfile_join(g->request->out, ".work");
    if (!g->work)
        return error_set(err, "out of memory");
    const bool fresh = access(g->request->out, F_OK) != 0;
    if (!is_ours(g->request->out, g->work))
        return error_set(
            err, "OUT: %s: expected an empty folder, or that of an earlier grading, found other files",
            g->request->out);
    if (g->request->dry_run && !grade_store_is_there(g->request))
        return true; /* a plan makes the place for its slices, closed to others */
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s%s", g->work, folders[i]);
        if (!textfile_make_folder(path, &why))
            return error_set(err, "OUT: %.900s", why.text);
        if (i == 0 && chmod(path, 0700) != 0 && errno != EPERM)
            return error_set(err, "OUT: %s: %s", path, strerror(errno));
        if (i == 0 && fresh && chmod(g->request->out, 0700) != 0 && errno != EPERM)
            return error_set(err, "OUT: %s: %s", g->request->out, strerror(errno));
    }
    if (!lock_work(g, err))
        return false;
    if (!g->request->slice)
        grade_sweep_all(g->request->out);
    return true;
}

void grade_store_close(struct grading *g)
{
    for (size_t i = 0; i < 2; i++) {
        if (g->locks[i] >= 0)
            close(g->locks[i]);
        g->locks[i] = -1;
    }
    free(g->work);
    g->work = NULL;
}

/* ---- entries ---- */

static const char magic[] = "cyclelab grade 1 ";

static char *path_of(const struct grading *g, const char *key)
{
    char *path;
    return asprintf(&path, "%s/results/%.2s/%s.json", g->work, key, key) < 0 ? NULL : path;
}

static void hash_of(const char *text, char hash[SHA256_TEXT])
{
    struct sha256 whole = sha256_new();
    sha256_bytes(&whole, text, strlen(text));
    sha256_text(&whole, hash);
}

/* Work folders of this run have random names: "/tmp/cyclelab-0-ab12CD/". */
static bool find_place(char *text, const char *start, char **at, size_t *length)
{
    enum { RANDOM = 6 };
    size_t known = strlen(start);
    for (*at = text; (*at = strstr(*at, start)); (*at)++) {
        const char *behind = *at + known;
        if (strspn(behind, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") < RANDOM)
            continue;
        *length = known + RANDOM + (behind[RANDOM] == '/');
        return true;
    }
    return false;
}

/* All strings, without the places where this run had its files: those are others each time. */
static void forget_places(cJSON *item, const char *start)
{
    for (; item; item = item->next) {
        char *at;
        size_t length;
        while (cJSON_IsString(item) && find_place(item->valuestring, start, &at, &length))
            memmove(at, at + length, strlen(at + length) + 1);
        forget_places(item->child, start);
    }
}

/* Neither seed nor time nor place: the same work has the same report, and seeds stay with the instructor. */
bool grade_make_neutral(cJSON *result, const char *source)
{
    return cJSON_ReplaceItemInObject(result, "seed", cJSON_CreateString("0")) &&
           cJSON_ReplaceItemInObject(result, "seconds", cJSON_CreateNumber(0)) &&
           cJSON_ReplaceItemInObject(result, "source", cJSON_CreateString(source));
}

static char *text_of(const struct result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    report_text_body(out, result, false);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static char *entry_of(const struct result *result, const char *source)
{
    struct result *const list[] = {(struct result *)result};
    char *report = report_json(list, 1), *body = text_of(result), *text = NULL;
    cJSON *whole = report ? cJSON_Parse(report) : NULL, *entry = cJSON_CreateObject();
    cJSON *one = cJSON_DetachItemFromArray(cJSON_GetObjectItem(whole, "results"), 0);
    char *start = strdup(source);
    if (start && strlen(start) > 6)
        start[strlen(start) - 6] = '\0';
    if (start && entry && body && one && grade_make_neutral(one, ".") && json_add(entry, "result", one) &&
        json_add_string(entry, "text", body)) {
        forget_places(entry->child, start);
        text = cJSON_PrintUnformatted(entry);
    }
    cJSON_Delete(entry);
    cJSON_Delete(whole);
    free(start);
    free(report);
    free(body);
    return text;
}

static bool sync_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

bool grade_store_put(const struct grading *g, const struct grade_job *job, const struct result *result,
                     const char *source, struct error *err)
{
    char hash[SHA256_TEXT], *text = entry_of(result, source), *path = path_of(g, job->key), *file = NULL;
    bool good = false;
    if (text && path) {
        hash_of(text, hash);
        if (asprintf(&file, "%s%s\n%s\n", magic, hash, text) < 0)
            file = NULL;
    }
    if (file) {
        char *slash = strrchr(path, '/');
        *slash = '\0';
        good = textfile_make_folder(path, err);
        *slash = '/';
        good = good && textfile_replace(path, file, strlen(file), err);
        *slash = '\0';
        if (good)
            sync_folder(path); /* not all file systems can */
    } else {
        error_set(err, "out of memory");
    }
    free(file);
    free(path);
    free(text);
    return good;
}

cJSON *grade_store_get(const struct grading *g, const char *key, char hash[SHA256_TEXT])
{
    const size_t head = sizeof magic - 1 + SHA256_TEXT;
    char *path = path_of(g, key), own[SHA256_TEXT];
    struct error ignored;
    size_t size = 0;
    char *text = path ? textfile_read(path, MOST_BYTES, &size, &ignored) : NULL;
    cJSON *kept = NULL;
    if (text && size > head && memcmp(text, magic, sizeof magic - 1) == 0 && text[size - 1] == '\n') {
        text[size - 1] = '\0';
        hash_of(text + head, own);
        if (memcmp(text + sizeof magic - 1, own, SHA256_TEXT - 1) == 0)
            kept = cJSON_Parse(text + head);
        if (kept && hash)
            memcpy(hash, own, sizeof own);
    }
    free(text);
    free(path);
    return kept;
}

/* ---- what the pages show of one ---- */

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static const char *string_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

static void summarize_check(const cJSON *check, const struct exercise *exercise,
                            struct grade_outcome *outcome)
{
    const char *kind = string_of(check, "kind"), *verdict = string_of(check, "verdict");
    if (strcmp(kind, "bound") != 0 && strcmp(kind, "mechanism") != 0)
        return;
    for (unsigned i = 0; i < exercise->bounds_count && i < GRADE_BOUNDS; i++) {
        if (strcmp(exercise->bounds[i].name, string_of(check, "name")) != 0)
            continue;
        if (strcmp(verdict, "skip") != 0)
            outcome->asked |= UINT64_C(1) << i;
        if (strcmp(verdict, "fail") == 0)
            outcome->missed |= UINT64_C(1) << i;
    }
}

void grade_summarize(const cJSON *kept, const struct exercise *exercise, struct grade_outcome *outcome)
{
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(kept, "result"), *check;
    const char *verdict = string_of(result, "verdict");
    free(outcome->headline);
    *outcome = (struct grade_outcome){.verdict = VERDICT_ERROR};
    for (enum verdict v = VERDICT_PASS; v < VERDICT_SKIP; v++) {
        if (strcmp(verdict, verdict_name(v)) != 0)
            continue;
        outcome->verdict = v;
        outcome->known = true;
    }
    outcome->score = number_of(result, "score");
    outcome->most = number_of(result, "max_score");
    const double number = number_of(result, "student_number");
    outcome->student_number = number >= 1 && number <= UINT32_MAX ? (uint32_t)number : 0;
    outcome->headline = strdup(string_of(result, "headline"));
    check = cJSON_GetObjectItemCaseSensitive(result, "checks");
    for (check = check ? check->child : NULL; check; check = check->next)
        summarize_check(check, exercise, outcome);
    outcome->right = outcome->asked != 0;
    for (unsigned i = 0; i < exercise->mistakes_count; i++)
        if (strcmp(exercise->mistakes[i].name, string_of(result, "mistake")) == 0)
            outcome->mistake = i + 1;
}

void grade_look_up(const struct grading *g, struct grade_job *job)
{
    char hash[SHA256_TEXT];
    cJSON *kept = grade_store_get(g, job->key, hash);
    if (!kept)
        return;
    grade_summarize(kept, g->exercises[job->exercise].exercise, &job->outcome);
    memcpy(job->outcome.kept, hash, sizeof hash);
    cJSON_Delete(kept);
}

/* ---- pages ---- */

bool grade_write(const char *path, const char *text, size_t size, struct error *err)
{
    struct error ignored;
    size_t there = 0;
    char *old = textfile_read(path, size, &there, &ignored);
    bool same = old && there == size && memcmp(old, text, size) == 0;
    free(old);
    return same || textfile_replace(path, text, size, err);
}
