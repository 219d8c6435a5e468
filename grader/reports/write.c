/* Where reports go: REPORT=FORMAT:FILE,FORMAT:FILE. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/reports/formats.h"
#include "grader/base/strings.h"
#include "grader/base/textfile.h"

/* The format that `text` begins with, "json:"; *after is what follows the colon. */
static const struct format *format_at(const char *text, const char **after)
{
    size_t count;
    const struct format *const *all = report_formats(&count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(all[i]->name);
        if (strncmp(text, all[i]->name, length) == 0 && text[length] == ':') {
            *after = text + length + 1;
            return all[i];
        }
    }
    return NULL;
}

struct place {
    const struct format *format;
    char *file;
};

/* A comma in a file's name is none that a word and a colon follow: those are the next format, or one
 * mistyped. */
static const char *end_of(const char *file)
{
    const char *comma = file;
    while ((comma = strchr(comma, ','))) {
        const char *word = comma + 1 + strspn(comma + 1, " \t"), *end = word;
        while (isalnum((unsigned char)*end) || *end == '_' || *end == '-')
            end++;
        if (end > word && *end == ':')
            return comma;
        comma++;
    }
    return file + strlen(file);
}

static bool refuse(const char *spec, struct error *err)
{
    char known[512] = "";
    size_t count;
    const struct format *const *all = report_formats(&count);
    for (size_t i = 0; i < count; i++)
        strings_append(known, sizeof known, ", ", all[i]->name);
    return error_set(err, "REPORT: expected FORMAT:FILE with one of the formats %s, found `%.80s`", known,
                     spec);
}

/* The next report of *rest, which moves on. False with err; place->file is NULL when there is none left. */
static bool next_place(const char **rest, struct place *place, struct error *err)
{
    const char *file;
    *place = (struct place){NULL, NULL};
    if (!*rest)
        return true;
    place->format = format_at(*rest, &file);
    const char *end = place->format ? end_of(file) : NULL;
    if (!end || end == file)
        return refuse(*rest, err);
    place->file = strndup(file, (size_t)(end - file));
    *rest = *end ? end + 1 : NULL;
    return place->file ? true : error_set(err, "REPORT: out of memory");
}

/* The folder that holds `file`, malloc'ed. */
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    if (!slash)
        return strdup(".");
    return slash == file ? strdup("/") : strndup(file, (size_t)(slash - file));
}

static bool is_stdout(const char *file)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(file, names[i]) == 0)
            return true;
    return false;
}

/* Standard output, a device or a pipe is written to; everything else is replaced. */
static bool is_stream(const char *file)
{
    struct stat info;
    if (is_stdout(file) || strncmp(file, "/dev/fd/", 8) == 0 || strncmp(file, "/dev/std", 8) == 0 ||
        strncmp(file, "/proc/", 6) == 0)
        return true;
    return stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static bool check_place(const char *file, struct error *err)
{
    struct stat info;
    if (is_stream(file))
        return true;
    if (stat(file, &info) == 0 && S_ISDIR(info.st_mode))
        return error_set(err, "REPORT: %s is a folder: expected a file's name", file);
    char *folder = folder_of(file);
    if (!folder)
        return error_set(err, "REPORT: out of memory");
    bool there = stat(folder, &info) == 0, ok = false;
    if (there && !S_ISDIR(info.st_mode))
        error_set(err, "REPORT: %s is a file: expected a folder for the report", folder);
    else if (there && access(folder, W_OK | X_OK) == 0)
        ok = true;
    else if (errno == ENOENT)
        error_set(err, "REPORT: there is no folder %s for the report: create it first", folder);
    else
        error_set(err, "REPORT: no file can be written in %s: %s", folder, strerror(errno));
    free(folder);
    return ok;
}

static bool write_stream(FILE *out, const char *name, const char *text, struct error *err)
{
    bool ok = fputs(text, out) >= 0 && fputc('\n', out) >= 0 && fflush(out) == 0;
    return ok || error_set(err, "REPORT: %s: cannot be written: %s", name, strerror(errno));
}

static bool open_stream(const char *file, const char *text, struct error *err)
{
    FILE *out = fopen(file, "we");
    if (!out)
        return error_set(err, "REPORT: %s: cannot be written: %s", file, strerror(errno));
    bool ok = write_stream(out, file, text, err);
    if (fclose(out) != 0 && ok)
        ok = error_set(err, "REPORT: %s: cannot be written: %s", file, strerror(errno));
    return ok;
}

static bool replace(const char *file, char *text, struct error *err)
{
    struct error why = {""};
    char *target =
        realpath(file, NULL); /* through a link, to keep the link; NULL where there is no file yet */
    size_t size = strlen(text);
    text[size] = '\n'; /* in the NUL's place: the length is given */
    bool ok = textfile_replace(target ? target : file, text, size + 1, &why);
    text[size] = '\0';
    free(target);
    return ok || error_set(err, "REPORT: %.900s", why.text);
}

static bool write_one(const struct place *place, struct result *const *results, size_t count,
                      struct error *err)
{
    if (!check_place(place->file, err))
        return false;
    char *text = place->format->make(results, count);
    if (!text)
        return error_set(err, "REPORT: out of memory");
    bool ok = is_stdout(place->file)   ? write_stream(stdout, "standard output", text, err)
              : is_stream(place->file) ? open_stream(place->file, text, err)
                                       : replace(place->file, text, err);
    free(text);
    return ok;
}

/* All of `spec`, and what is done with each. */
enum action { PARSE, WRITE_EARLY, WRITE };

static bool act(const char *spec, enum action action, struct result *const *results, size_t count,
                struct error *err)
{
    struct place place;
    bool ok = true;
    while (ok && next_place(&spec, &place, err) && place.file) {
        if (action == PARSE)
            ok = check_place(place.file, err);
        else if (action == WRITE || (place.format->early && !is_stream(place.file)))
            ok = write_one(&place, results, count, err);
        free(place.file);
    }
    return ok && !spec;
}

bool report_parse(const char *spec, struct error *err)
{
    return act(spec, PARSE, NULL, 0, err);
}

bool report_write(const char *spec, struct result *const *results, size_t count, struct error *err)
{
    return act(spec, WRITE, results, count, err);
}

bool report_write_early(const char *spec, struct result *const *results, size_t count, struct error *err)
{
    return act(spec, WRITE_EARLY, results, count, err);
}

bool report_takes_stdout(const char *spec)
{
    struct place place;
    struct error err;
    bool takes = false;
    while (!takes && next_place(&spec, &place, &err) && place.file) {
        takes = is_stdout(place.file);
        free(place.file);
    }
    return takes;
}

bool report_asks_for(const char *spec, const char *format)
{
    struct place place;
    struct error err;
    bool asks = false;
    while (!asks && next_place(&spec, &place, &err) && place.file) {
        asks = strcmp(place.format->name, format) == 0;
        free(place.file);
    }
    return asks;
}
