/* One student's data removed from OUT. class.json goes last: it says who the student is in the other files,
 * so that the same command goes on when it was stopped. */
#include "grader/class/grade_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "grader/reports/clean.h"
#include "grader/base/csv.h"
#include "grader/reports/digest.h"

enum { MOST_BYTES = 256 << 20, MOST_CELLS = 8, MOST_CELL = 300 };

struct forgetting {
    const char *out, *folder;
    char *name, *roster_id, *platform_id; /* "" where nothing says */
    FILE *said;
    size_t found; /* places where there was something */
};

static void tell(struct forgetting *f, const char *where, size_t count, const char *what)
{
    if (count == 0)
        return;
    f->found++;
    fprintf(f->said, "  %s: %zu %s%s\n", where, count, what, count == 1 ? "" : "s");
}

static const cJSON *at(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* OUT/name: its text and size; NULL where there is none, or with err where it cannot be read. */
static char *read_file(const struct forgetting *f, const char *name, char path[PATH_MAX], size_t *size,
                       struct error *err)
{
    snprintf(path, PATH_MAX, "%s/%s", f->out, name);
    if (access(path, F_OK) != 0)
        return NULL;
    return textfile_read(path, MOST_BYTES, size, err);
}

/* ---- files of lines ---- */

/* Cut the first cells out of a copy of a line. */
static void cut(char *line, const char *cells[MOST_CELLS])
{
    char *place = line;
    for (size_t i = 0; i < MOST_CELLS; i++) {
        const char *cell = place ? csv_take_own_cell(&place) : NULL;
        cells[i] = cell ? cell : "";
    }
}

/* As a cell has it. */
static bool is_cell(const char *cell, const char *text)
{
    char *line = clean_line(text, MOST_CELL);
    const bool is = line && strcmp(cell, line) == 0;
    free(line);
    return is;
}

static bool in_gradebook(const struct forgetting *f, const char *const cells[MOST_CELLS])
{
    return is_cell(cells[1], f->folder);
}

static bool in_history(const struct forgetting *f, const char *const cells[MOST_CELLS])
{
    return strcmp(cells[2], f->folder) == 0;
}

static bool in_canvas(const struct forgetting *f, const char *const cells[MOST_CELLS])
{
    return *f->name && is_cell(cells[0], f->name) && (!*cells[1] || is_cell(cells[1], f->platform_id)) &&
           (!*cells[2] || is_cell(cells[2], f->roster_id));
}

static bool in_moodle(const struct forgetting *f, const char *const cells[MOST_CELLS])
{
    return *f->roster_id && is_cell(cells[0], f->roster_id);
}

static bool in_worksheet(const struct forgetting *f, const char *const cells[MOST_CELLS])
{
    char participant[MOST_CELL];
    snprintf(participant, sizeof participant, "Participant %s", f->platform_id);
    return *f->platform_id && strcmp(cells[0], participant) == 0;
}

static const struct table {
    const char *name;
    bool (*is_theirs)(const struct forgetting *f, const char *const cells[MOST_CELLS]);
    const char *what;
} tables[] = {
    {"gradebook.csv", in_gradebook, "line"},
    {"history.csv", in_history, "line"},
    {"canvas.csv", in_canvas, "line"},
    {"moodle.csv", in_moodle, "line"},
    {"moodle-worksheet.csv", in_worksheet, "line"},
    {"index.html", NULL, "row"}, /* those with a link to the student */
};

static bool is_theirs(const struct forgetting *f, const struct table *table, const char *line)
{
    const char *cells[MOST_CELLS];
    char link[PATH_MAX], *copy = strdup(line);
    snprintf(link, sizeof link, "\"students/%s/", f->folder);
    bool is = false;
    if (copy && table->is_theirs) {
        cut(copy, cells);
        is = table->is_theirs(f, cells);
    } else if (copy) {
        is = strstr(line, link) != NULL;
    }
    free(copy);
    return is;
}

/* ---- what is counted ---- */

static const char counts_begin[] = "<!-- counts -->", counts_end[] = "<!-- /counts -->";

void grade_begin_counts(FILE *out)
{
    fprintf(out, "%s\n", counts_begin);
}

void grade_end_counts(FILE *out)
{
    fprintf(out, "%s\n", counts_end);
}

/* Does this line belong to what is counted? *blocks: how many there are up to here; in the place of the first
 * one it is said that they are gone. */
static bool is_counted(const char *line, bool *inside, size_t *blocks, FILE *out)
{
    const bool begins = strcmp(line, counts_begin) == 0, ends = *inside && strcmp(line, counts_end) == 0;
    const bool is = begins || *inside;
    if (begins && ++*blocks == 1)
        fputs("<p class=\"note\">A student was removed. What is counted of the class stands here again after "
              "the next <code>make grade</code>.</p>\n",
              out);
    *inside = begins || (*inside && !ends);
    return is;
}

/* All lines but the student's, and what counts the student too. */
static bool forget_lines(struct forgetting *f, const struct table *table, struct error *err)
{
    char path[PATH_MAX];
    size_t size = 0, gone = 0, blocks = 0;
    bool inside = false;
    struct digest_text text;
    char *whole = read_file(f, table->name, path, &size, err);
    if (!whole)
        return !*err->text;
    if (!digest_open(&text)) {
        free(whole);
        return error_set(err, "out of memory");
    }
    for (char *line = whole; *line;) {
        char *end = strchr(line, '\n'), *next = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        if (is_theirs(f, table, line))
            gone++;
        else if (table->is_theirs || !is_counted(line, &inside, &blocks, text.out))
            fprintf(text.out, "%s%s", line, end ? "\n" : "");
        line = next;
    }
    fflush(text.out);
    size = text.size;
    char *left = digest_close(&text);
    bool good = left ? gone == 0 || textfile_replace(path, left, size, err) : error_set(err, "out of memory");
    if (good) {
        tell(f, table->name, gone, table->what);
        if (gone > 0 && blocks > 0)
            fprintf(f->said, "  %s: what is counted of the class\n", table->name);
    }
    free(left);
    free(whole);
    return good;
}

/* ---- whole files ---- */

/* The files of a folder, not of those in it, and the folder. */
static size_t remove_folder(const char *path)
{
    size_t gone = 0;
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        gone += unlinkat(dirfd(folder), entry->d_name, 0) == 0;
    if (folder)
        closedir(folder);
    rmdir(path);
    return gone;
}

static void forget_files(struct forgetting *f)
{
    static const char *const files[] = {"moodle-feedback.zip", ".work/log"};
    char path[PATH_MAX], name[PATH_MAX];
    snprintf(name, sizeof name, "students/%.300s", f->folder);
    snprintf(path, sizeof path, "%s/%.350s", f->out, name);
    tell(f, name, remove_folder(path), "file");
    snprintf(path, sizeof path, "%s/.work/pages/%.300s", f->out, f->folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/.work/slurm", f->out);
    tell(f, ".work/slurm", remove_folder(path), "log");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", f->out, files[i]);
        if (unlink(path) == 0)
            tell(f, files[i], 1, "file, to be made anew");
    }
}

/* ---- what is kept between runs ---- */

static bool names_folder(const cJSON *list, const char *folder)
{
    for (const cJSON *one = list ? list->child : NULL; one; one = one->next)
        if (cJSON_IsString(one) && strcmp(one->valuestring, folder) == 0)
            return true;
    return false;
}

/* Those who were told to be like the student. */
static size_t forget_pairs(const struct forgetting *f, cJSON *list)
{
    size_t gone = 0;
    for (int i = cJSON_GetArraySize(list) - 1; i >= 0; i--) {
        const cJSON *pair = cJSON_GetArrayItem(list, i);
        if (names_folder(at(pair, "folders"), f->folder) || names_folder(at(pair, "like"), f->folder)) {
            cJSON_DeleteItemFromArray(list, i);
            gone++;
        }
    }
    return gone;
}

/* Take the student out of one exercise's record; `keys` gets what gave the others' grades. */
static bool forget_record(struct forgetting *f, const char *path, struct strings *keys, size_t *gone,
                          struct error *err)
{
    char *text = textfile_read(path, MOST_BYTES, NULL, err);
    cJSON *whole = text ? cJSON_Parse(text) : NULL;
    free(text);
    if (!whole)
        return error_set(err, "%s cannot be read: grade again first", path);
    cJSON *students = cJSON_GetObjectItemCaseSensitive(whole, "students");
    const size_t pairs = forget_pairs(
        f, cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(whole, "similar"), "pairs"));
    bool good = true;
    if (pairs > 0 || at(students, f->folder)) {
        cJSON_DeleteItemFromObjectCaseSensitive(students, f->folder);
        char *left = cJSON_PrintUnformatted(whole);
        good = left ? textfile_replace(path, left, strlen(left), err) : error_set(err, "out of memory");
        free(left);
        ++*gone;
    }
    for (const cJSON *one = students ? students->child : NULL; one; one = one->next) {
        const cJSON *checks = at(one, "checks");
        for (const cJSON *check = checks ? checks->child : NULL; check; check = check->next)
            if (cJSON_IsString(at(check, "key")))
                strings_add(keys, "%s", at(check, "key")->valuestring);
    }
    cJSON_Delete(whole);
    return good && (!keys->failed || error_set(err, "out of memory"));
}

/* Results that are not behind somebody else's grade; older ones are nobody's to tell, and go too. */
static size_t forget_results(const struct forgetting *f, const struct strings *keys)
{
    size_t gone = 0;
    for (unsigned i = 0; i < 256; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/.work/results/%02x", f->out, i);
        DIR *folder = opendir(path);
        const struct dirent *entry;
        while (folder && (entry = readdir(folder))) {
            char key[SHA256_TEXT];
            snprintf(key, sizeof key, "%.64s", entry->d_name);
            if (!strings_has(keys, key))
                gone += unlinkat(dirfd(folder), entry->d_name, 0) == 0;
        }
        if (folder)
            closedir(folder);
    }
    return gone;
}

static bool forget_kept(struct forgetting *f, struct error *err)
{
    struct strings keys = {0};
    char path[PATH_MAX], file[PATH_MAX];
    size_t gone = 0;
    bool good = true;
    snprintf(path, sizeof path, "%s/.work/graded", f->out);
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (good && folder && (entry = readdir(folder))) {
        if (*entry->d_name == '.')
            continue;
        snprintf(file, sizeof file, "%.3800s/%s", path, entry->d_name);
        good = forget_record(f, file, &keys, &gone, err);
    }
    if (folder)
        closedir(folder);
    if (good) {
        tell(f, ".work/graded", gone, "record");
        if (f->found > 0)
            tell(f, ".work/results", forget_results(f, &keys), "kept result");
    }
    strings_free(&keys);
    return good;
}

/* ---- class.json ---- */

static bool forget_in_class(struct forgetting *f, cJSON *class, struct error *err)
{
    cJSON *students = cJSON_GetObjectItemCaseSensitive(class, "students"),
          *similar = cJSON_GetObjectItemCaseSensitive(class, "similar");
    char path[PATH_MAX];
    size_t gone = 0;
    for (int i = cJSON_GetArraySize(students) - 1; i >= 0; i--) {
        const char *folder = cJSON_GetStringValue(at(cJSON_GetArrayItem(students, i), "folder"));
        if (folder && strcmp(folder, f->folder) == 0) {
            cJSON_DeleteItemFromArray(students, i);
            gone++;
        }
    }
    gone += forget_pairs(f, similar);
    if (gone == 0)
        return true;
    char *text = cJSON_Print(class);
    snprintf(path, sizeof path, "%s/class.json", f->out);
    const bool good =
        text ? textfile_replace(path, text, strlen(text), err) : error_set(err, "out of memory");
    free(text);
    if (good)
        tell(f, "class.json", gone, "part");
    return good;
}

static char *text_of(const cJSON *student, const char *key)
{
    const char *text = cJSON_GetStringValue(at(student, key));
    return strdup(text ? text : "");
}

/* The roster's id of the student who has this folder, by OUT's records; "" where none says. malloc'ed; NULL:
 * out of memory. */
static char *recorded_id(const char *out, const char *folder)
{
    char path[PATH_MAX], file[PATH_MAX], *id = NULL;
    struct error ignored;
    snprintf(path, sizeof path, "%s/.work/graded", out);
    DIR *records = opendir(path);
    const struct dirent *entry;
    while (records && !id && (entry = readdir(records))) {
        snprintf(file, sizeof file, "%.3800s/%s", path, entry->d_name);
        char *text = *entry->d_name == '.' ? NULL : textfile_read(file, MOST_BYTES, NULL, &ignored);
        cJSON *record = text ? cJSON_Parse(text) : NULL;
        const char *found = cJSON_GetStringValue(at(at(at(record, "students"), folder), "roster_id"));
        id = found && *found ? strdup(found) : NULL;
        cJSON_Delete(record);
        free(text);
    }
    if (records)
        closedir(records);
    return id ? id : strdup("");
}

static void know(struct forgetting *f, const cJSON *class)
{
    const cJSON *students = at(class, "students"), *found = NULL;
    for (const cJSON *one = students ? students->child : NULL; one; one = one->next) {
        const char *folder = cJSON_GetStringValue(at(one, "folder"));
        found = folder && strcmp(folder, f->folder) == 0 ? one : found;
    }
    f->name = text_of(found, "student");
    f->platform_id = text_of(found, "platform_id");
    /* class.json has a pseudonym in its place where the course is anonymous */
    f->roster_id = recorded_id(f->out, f->folder);
    if (f->roster_id && !*f->roster_id) {
        free(f->roster_id);
        f->roster_id = text_of(found, "id");
    }
}

static bool forget_all(struct forgetting *f, struct error *err)
{
    char path[PATH_MAX];
    size_t size;
    grade_sweep_all(f->out);
    char *text = read_file(f, "class.json", path, &size, err);
    cJSON *class = text ? cJSON_Parse(text) : NULL;
    know(f, class);
    bool good =
        !*err->text && ((f->name && f->roster_id && f->platform_id) || error_set(err, "out of memory"));
    for (size_t i = 0; good && i < sizeof tables / sizeof *tables; i++)
        good = forget_lines(f, &tables[i], err);
    good = good && forget_kept(f, err);
    if (good && f->found > 0)
        forget_files(f);
    good = good && class ? forget_in_class(f, class, err) : good;
    cJSON_Delete(class);
    free(text);
    free(f->name);
    free(f->roster_id);
    free(f->platform_id);
    return good;
}

enum grade_status grade_forget(const char *folder, const char *student, FILE *out, struct error *err)
{
    student += *student == '\''; /* a spreadsheet's mark, which no folder begins with */
    struct forgetting f = {.out = folder, .folder = student, .said = out};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/.work/lock", folder);
    const int lock = open(path, O_RDWR | O_CLOEXEC);
    enum grade_status status = GRADE_USAGE;
    const mode_t usual = umask(077); /* what is written anew is for the owner alone, as grade() left it */
    if (lock < 0)
        error_set(err, "OUT: expected the folder of an earlier grading, found none in %.800s", folder);
    else if (flock(lock, LOCK_EX | LOCK_NB) != 0)
        error_set(err, "OUT: a grading is at work in %.800s: wait for its end", folder);
    else if (!*student || *student == '.' || strchr(student, '/'))
        error_set(err, "STUDENT: expected a folder's name as in %.800s/students", folder);
    else if (!forget_all(&f, err))
        status = GRADE_FAILED;
    else if (f.found == 0)
        error_set(
            err, "STUDENT: there is no `%.80s` in %.800s: the column `folder` of gradebook.csv has the names",
            student, folder);
    else
        status = GRADE_DONE;
    if (status == GRADE_DONE)
        fprintf(
            out,
            "%s is removed from %s. The submission, roster and course.yml are yours to change: as long as "
            "it is there, `make grade` grades it again.\n",
            student, folder);
    if (lock >= 0)
        close(lock);
    umask(usual);
    return status;
}
