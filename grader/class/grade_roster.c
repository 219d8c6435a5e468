/* Submissions joined with the rows of a roster. */
#include "grader/class/grade_roster.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/names.h"
#include "grader/base/strings.h"
#include "grader/class/grade_find_internal.h"
#include "grader/class/grade_roster_internal.h"
#include "grader/class/layout.h"

enum { MOST_HYPHENS = 32 };

/* ---- whose a text is ---- */

static bool is_exactly(const char *cell, const char *text)
{
    return strcmp(cell, text) == 0;
}

static bool is_in_small(const char *cell, const char *text)
{
    return strcasecmp(cell, text) == 0;
}

/* Is it one of those in the list, which have semicolons between? */
static bool is_listed(const char *list, const char *text)
{
    const size_t length = strlen(text);
    for (const char *at = list; *at;) {
        at += strspn(at, " ;");
        size_t size = strcspn(at, ";");
        const char *next = at + size;
        while (size > 0 && at[size - 1] == ' ')
            size--;
        if (size == length && size > 0 && memcmp(at, text, size) == 0)
            return true;
        at = next;
    }
    return false;
}

/* How a submission's student is sought, the surest first: each looks at those that were not found before. */
enum by { BY_ID, BY_PLATFORM_ID, BY_LOGIN, BY_NAME };
static const struct way {
    enum column column;
    enum by by;
    bool (*is)(const char *cell, const char *text);
} ways[] = {
    {ID, BY_ID, is_exactly},    {ALSO, BY_ID, is_listed},    {ALSO, BY_PLATFORM_ID, is_listed},
    {ALSO, BY_NAME, is_listed}, {EMAIL, BY_ID, is_in_small}, {NAME, BY_NAME, name_is_same},
    {ID, BY_LOGIN, is_exactly}, {ALSO, BY_LOGIN, is_listed},
};

enum found { NOT_FOUND, IS_FOUND, SEVERAL, SHARED, TAKEN, OTHER_NAME };

struct claim {
    enum found found;
    struct row *row;   /* that the current way leads to; NULL: none */
    unsigned line;     /* for the note */
    const char *login; /* in the submission's name; "" where none is known */
    uint32_t logins;   /* a bit each: is what stands behind this hyphen a login of the roster's? */
};

static const char *text_of(const struct grade_student *student, enum by by, const char *login)
{
    switch (by) {
    case BY_NAME:
        return student->name;
    case BY_PLATFORM_ID:
        return student->platform_id;
    case BY_LOGIN:
        return login;
    default:
        return student->id;
    }
}

/* The one row that the way leads to. */
static void claim_by(const struct roster *roster, const struct way *way, const char *text,
                     struct claim *claim)
{
    claim->row = NULL;
    for (size_t i = 0; *text && i < roster->count; i++) {
        struct row *row = &roster->rows[i];
        if (!way->is(row->cells[way->column], text))
            continue;
        if (claim->row) {
            claim->found = SEVERAL;
            claim->row = NULL;
            return;
        }
        claim->row = row;
    }
}

static bool replace(char **text, const char *by)
{
    char *copy = strdup(by);
    if (!copy)
        return false;
    free(*text);
    *text = copy;
    return true;
}

static bool hide_names(const struct grade_class *class, struct grade_student *student, const struct row *row)
{
    const char *const names[] = {student->name,  student->platform_id, row->cells[NAME],
                                 row->cells[ID], row->cells[EMAIL],    row->cells[ALSO]};
    return find_hide_names(student, class->exercises_count, names, sizeof names / sizeof *names,
                           row->cells[PSEUDONYM]);
}

static bool name_student(const struct grade_class *class, struct grade_student *student,
                         const struct row *row, bool anonymous)
{
    if (anonymous && !hide_names(class, student, row))
        return false;
    const char *id = row->cells[anonymous ? PSEUDONYM : ID], *name = row->cells[anonymous ? PSEUDONYM : NAME];
    free(student->safe);
    student->safe = grade_safe_name(id);
    return student->safe && replace(&student->id, id) && replace(&student->name, *name ? name : id) &&
           replace(&student->email, anonymous ? "" : row->cells[EMAIL]) &&
           replace(&student->section, anonymous ? "" : row->cells[SECTION]) &&
           replace(&student->roster_id, row->cells[ID]) && replace(&student->roster_name, row->cells[NAME]);
}

/* ---- logins ---- */

/* The one row that has the login. */
static const struct row *row_of_login(const struct roster *roster, const char *login)
{
    struct claim claim = {.found = NOT_FOUND};
    for (size_t w = 0; !claim.row && w < sizeof ways / sizeof *ways; w++)
        if (ways[w].by == BY_LOGIN)
            claim_by(roster, &ways[w], login, &claim);
    return claim.row;
}

/* How many submissions are called so up to this hyphen, and have a login behind it? */
static size_t count_called(const struct grade_class *class, const struct claim *claims, const char *name,
                           size_t length, unsigned hyphen)
{
    size_t count = 0;
    for (size_t i = 0; i < class->students_count; i++)
        count += claims[i].logins >> hyphen & 1 && strncmp(class->students[i].platform_id, name, length) == 0;
    return count;
}

/* Repositories of an assignment are called "lab-3-" and the login. What most are called in front, of those
 * that have a login behind it, is the assignment's, and of equals the shortest; but where equals lead to two
 * students, it is not known which. */
static void find_login(const struct grade_class *class, const struct roster *roster,
                       const struct claim *claims, size_t student, struct claim *claim)
{
    const char *name = class->students[student].platform_id, *at = name;
    size_t most = 0;
    for (unsigned hyphen = 0; hyphen < MOST_HYPHENS && (at = strchr(at, '-')); hyphen++) {
        const size_t count = count_called(class, claims, name, (size_t)(++at - name), hyphen);
        if (count > most)
            *claim = (struct claim){.login = at, .logins = claim->logins};
        else if (count > 0 && count == most && claim->logins >> hyphen & 1 &&
                 row_of_login(roster, claim->login) &&
                 row_of_login(roster, at) != row_of_login(roster, claim->login))
            *claim = (struct claim){.found = SEVERAL, .login = "", .logins = claim->logins};
        most = count > most ? count : most;
    }
}

/* Platforms have ids in place of logins. */
static void find_logins(const struct grade_class *class, const struct roster *roster, struct claim *claims)
{
    for (size_t i = 0; i < class->students_count; i++) {
        const char *at = class->students[i].platform_id;
        claims[i].login = "";
        for (unsigned hyphen = 0; !class->service && hyphen < MOST_HYPHENS && (at = strchr(at, '-'));
             hyphen++)
            claims[i].logins |= (uint32_t)(row_of_login(roster, ++at) != NULL) << hyphen;
    }
    for (size_t i = 0; i < class->students_count; i++)
        find_login(class, roster, claims, i, &claims[i]);
}

/* ---- joining ---- */

/* For all who were not found yet: a student's own id counts before another's address or name. Whose row two
 * submissions lead to, none of them is. */
static bool join_by(struct grade_class *class, const struct roster *roster, const struct way *way,
                    bool anonymous, struct claim *claims)
{
    bool enough = true;
    for (size_t i = 0; i < roster->count; i++)
        roster->rows[i].claims = 0;
    for (size_t i = 0; i < class->students_count; i++) {
        if (claims[i].found == IS_FOUND)
            continue;
        claim_by(roster, way, text_of(&class->students[i], way->by, claims[i].login), &claims[i]);
        if (claims[i].row)
            claims[i].row->claims++;
    }
    for (size_t i = 0; enough && i < class->students_count; i++) {
        struct row *row = claims[i].row;
        if (claims[i].found == IS_FOUND || !row)
            continue;
        claims[i].line = row->line;
        claims[i].found = row->joined ? TAKEN : row->claims > 1 || row->contested ? SHARED : IS_FOUND;
        row->contested = row->contested || claims[i].found == SHARED;
        if (claims[i].found != IS_FOUND)
            continue;
        row->joined = true;
        enough = name_student(class, &class->students[i], row, anonymous);
    }
    return enough;
}

static void mark_by(const struct roster *roster, const struct way *way, const char *text)
{
    for (size_t i = 0; *text && i < roster->count; i++) {
        struct row *row = &roster->rows[i];
        row->unsure = row->unsure || (!row->joined && way->is(row->cells[way->column], text));
    }
}

/* Nobody has the submission: whose it could be is not somebody who handed nothing in. */
static void mark_unsure(const struct roster *roster, const struct grade_student *student)
{
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        if (ways[w].by != BY_LOGIN)
            mark_by(roster, &ways[w], text_of(student, ways[w].by, ""));
        for (const char *at = student->platform_id; ways[w].by == BY_LOGIN && (at = strchr(at, '-'));)
            mark_by(roster, &ways[w], ++at);
    }
}

/* Why it is not known whose the submission is. */
static void note_stranger(struct grade_student *student, const struct claim *claim)
{
    switch (claim->found) {
    case SEVERAL:
        find_note(&student->note, "several of the roster are called so");
        break;
    case SHARED:
        find_note(&student->note,
                  "another submission is called so too, and both lead to line %u of the roster", claim->line);
        break;
    case TAKEN:
        find_note(&student->note, "the student of line %u of the roster has another submission", claim->line);
        break;
    case OTHER_NAME:
        find_note(&student->note, "not in the roster: its line %u has this number as an id, but another name",
                  claim->line);
        break;
    default:
        find_note(&student->note, "not in the roster");
    }
}

/* Canvas, Moodle and Brightspace count their users, and one of the roster's ids can be the same number by
 * chance: where the names differ, the number is not that id. */
static bool tell_numbers_apart(struct grade_class *class, const struct roster *roster, struct claim *claims)
{
    const struct layout_service *service = layout_service_of(class->service);
    for (size_t i = 0; roster->rows && service && service->numbers && i < class->students_count; i++) {
        struct grade_student *student = &class->students[i];
        const struct row key = {.cells = {[ID] = student->id}};
        const struct row *row = bsearch(&key, roster->rows, roster->count, sizeof key, roster_compare);
        char *own;
        if (!row || !*row->cells[NAME] || name_is_same(row->cells[NAME], student->name))
            continue;
        if (asprintf(&own, "%s_%s", student->name, student->id) < 0)
            return false;
        free(student->id);
        free(student->safe);
        student->id = own;
        student->safe = grade_safe_name(own);
        claims[i] = (struct claim){.found = OTHER_NAME, .line = row->line};
        if (!student->safe)
            return false;
    }
    return true;
}

static bool join_all(struct grade_class *class, const struct roster *roster, bool anonymous)
{
    struct claim *claims = calloc(class->students_count + 1, sizeof *claims);
    bool enough = claims && tell_numbers_apart(class, roster, claims);
    if (enough)
        find_logins(class, roster, claims);
    for (size_t i = 0; enough && i < sizeof ways / sizeof *ways; i++)
        enough = join_by(class, roster, &ways[i], anonymous, claims);
    for (size_t i = 0; enough && i < class->students_count; i++) {
        if (claims[i].found == IS_FOUND)
            continue;
        struct grade_student *student = &class->students[i];
        char *const of_files = student->note;
        class->strangers++;
        student->note = NULL;
        note_stranger(student, &claims[i]);
        if (of_files)
            find_note(&student->note, "%s", of_files);
        free(of_files);
        mark_unsure(roster, student);
    }
    free(claims);
    return enough;
}

static bool add_absent(struct grade_class *class, const struct roster *roster, bool anonymous)
{
    bool enough = true;
    for (size_t i = 0; enough && i < roster->count; i++) {
        if (roster->rows[i].joined)
            continue;
        struct grade_student *student = grade_add_student(class, roster->rows[i].cells[ID], "", "");
        enough = student && name_student(class, student, &roster->rows[i], anonymous) &&
                 replace(&student->platform_id, "");
        if (enough && roster->rows[i].unsure) {
            for (size_t e = 0; e < class->exercises_count; e++)
                student->entries[e].unsure = true;
            find_note(&student->note, "a submission that is nobody's could be theirs: no grade goes back");
        }
        class->absent++;
    }
    return enough;
}

/* A pseudonym may be what somebody else's folder is called. */
static bool check_distinct(const struct grade_class *class, const struct roster *roster, struct error *err)
{
    struct strings names = {0};
    for (size_t i = 0; i < class->students_count; i++)
        strings_add(&names, "%s", class->students[i].safe);
    strings_sort(&names);
    bool good = !names.failed || error_set(err, "out of memory");
    for (size_t i = 1; good && i < names.count; i++)
        if (strcmp(names.item[i], names.item[i - 1]) == 0)
            good = error_set(err,
                             "%s: `%.80s` is a pseudonym, and a submission of somebody who is not in the "
                             "roster is called so too: add them to the roster, or choose another pseudonym",
                             roster->file, names.item[i]);
    strings_free(&names);
    return good;
}

bool grade_join_roster(struct grade_class *class, const char *file, bool anonymous, struct error *err)
{
    struct roster roster = {.file = file};
    bool good = roster_read(&roster, anonymous, err);
    if (good && (!join_all(class, &roster, anonymous) || !add_absent(class, &roster, anonymous)))
        good = error_set(err, "out of memory");
    if (good) {
        grade_sort_students(class);
        good = check_distinct(class, &roster, err);
    }
    roster_free(&roster);
    return good;
}

bool grade_roster_has(const char *file, const char *name)
{
    struct roster roster = {.file = file};
    struct error ignored;
    bool has = false;
    if (roster_read(&roster, false, &ignored)) {
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            const bool by_login = ways[w].by == BY_LOGIN;
            for (const char *at = name; at && (!by_login || (at = strchr(at, '-')));
                 at = by_login ? at : NULL) {
                at += by_login;
                for (size_t i = 0; *at && i < roster.count; i++)
                    has = has || ways[w].is(roster.rows[i].cells[ways[w].column], at);
            }
        }
    }
    roster_free(&roster);
    return has;
}
