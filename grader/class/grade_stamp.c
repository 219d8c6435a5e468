/* Whether a student's pages are what they would be made to: then none is made again. OUT/.work/pages/NAME has
 * a hash of all that they are made of, and of which files they are. */
#include "grader/class/grade_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/base/textfile.h"
#include "grader/base/version.h"

static void add_text(struct sha256 *hash, const char *text)
{
    sha256_words(hash, text ? text : "");
}

static void add_points(struct sha256 *hash, double points)
{
    sha256_part(hash, &points, sizeof points);
}

static void add_mark(const struct grading *g, size_t s, size_t e, struct sha256 *hash)
{
    const struct grade_exercise *exercise = &g->exercises[e];
    const struct grade_entry *entry = &g->class->students[s].entries[e];
    const struct grade_mark mark = grade_mark(g, s, e);
    const struct grade_lateness late = grade_lateness(g, s, e);
    char override[400], by[GRADE_BY];
    const char *const texts[] = {
        exercise->exercise->id,
        exercise->exercise->title,
        exercise->cores.name[0],
        grade_rules(g, s, e),
        entry->folder,
        entry->hash,
        entry->note,
        mark.word,
        mark.job ? mark.job->core : NULL,
        mark.job ? mark.job->outcome.kept : NULL,
        mark.job ? mark.job->outcome.headline : NULL,
        grade_override_text(&mark, override),
        late.reason,
        grade_by(g, s, e, by),
    };
    const uint64_t numbers[] = {exercise->exercise->number,
                                entry->found,
                                mark.trials,
                                late.hours,
                                late.grace,
                                late.percent,
                                late.extension};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(hash, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sha256_number(hash, numbers[i]);
    add_points(hash, mark.score);
    add_points(hash, mark.most);
}

/* Everything that grade_report.c asks for. */
static struct sha256 hash_of(const struct grading *g, size_t s)
{
    const struct grade_student *student = &g->class->students[s];
    struct sha256 hash = sha256_new();
    char version[VERSION_TEXT];
    const char *const texts[] = {
        "pages 2",     g->suite,         g->tools,           version_read(g->request->build, version),
        g->on,         isa_name(g->isa), g->course->title,   g->course->due,
        student->name, student->id,      student->roster_id, student->section,
        student->time, student->note};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(&hash, texts[i]);
    sha256_number(&hash, g->exercises_count);
    for (size_t e = 0; e < g->exercises_count; e++)
        add_mark(g, s, e, &hash);
    return hash;
}

/* Which files they are, as the file system has it. False: one is not there. */
static bool add_files(const struct grading *g, size_t s, struct sha256 *hash)
{
    for (size_t i = 0; i < GRADE_PAGES; i++) {
        struct stat info;
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/students/%s/%s", g->request->out, g->class->students[s].safe,
                 grade_pages[i]);
        if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
            return false;
        const uint64_t numbers[] = {info.st_ino,
                                    (uint64_t)info.st_size,
                                    (uint64_t)info.st_mtim.tv_sec,
                                    (uint64_t)info.st_mtim.tv_nsec,
                                    (uint64_t)info.st_ctim.tv_sec,
                                    (uint64_t)info.st_ctim.tv_nsec};
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            sha256_number(hash, numbers[n]);
    }
    return true;
}

static void path_of(const struct grading *g, const char *safe, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/pages/%s", g->work, safe);
}

/* What the file has to hold; false: the pages are not all there. */
static bool make(const struct grading *g, size_t s, char stamp[SHA256_TEXT])
{
    struct sha256 hash = hash_of(g, s);
    const bool there = add_files(g, s, &hash);
    sha256_text(&hash, stamp);
    return there;
}

bool grade_stamp_holds(const struct grading *g, size_t student)
{
    struct error ignored;
    char path[PATH_MAX], stamp[SHA256_TEXT];
    size_t size;
    path_of(g, g->class->students[student].safe, path);
    char *text = textfile_read(path, SHA256_TEXT, &size, &ignored);
    const bool holds = text && make(g, student, stamp) && strcmp(text, stamp) == 0;
    free(text);
    return holds;
}

bool grade_stamp(const struct grading *g, size_t student, struct error *err)
{
    char path[PATH_MAX], stamp[SHA256_TEXT];
    path_of(g, "", path);
    bool good = textfile_make_folder(path, err);
    path_of(g, g->class->students[student].safe, path);
    return good && (!make(g, student, stamp) || textfile_replace(path, stamp, strlen(stamp), err));
}
