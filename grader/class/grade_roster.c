#include "grader/class/grade_roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "grader/reports/clean.h"
#include "grader/base/csv.h"
#include "grader/base/names.h"
#include "grader/class/grade_find_internal.h"
#include "grader/class/layout.h"

enum { MOST_BYTES = 16 << 20, MOST_COLUMNS = 64 };
enum column { ID, ALSO, NAME, EMAIL, SECTION, PSEUDONYM, COLUMNS };
static const char *const column_names[COLUMNS] = {"id", "also", "name", "email", "section", "pseudonym"};

struct row {
    char *cells[COLUMNS];  /* in the roster's text; "" where there is none */
    unsigned line, claims; /* submissions that the current way leads here */
    bool joined, contested;
    bool unsure; /* a submission that is nobody's could be this student's */
};

struct roster {
    const char *file;
    char *text;
    char separator;
    enum column at[MOST_COLUMNS]; /* COLUMNS: one that is passed over */
    unsigned columns;
    struct row *rows; /* in order of their ids' bytes */
    size_t count;
};

/* ---- reading ---- */

/* Of blanks, and of those that spreadsheets do not break lines at. */
static size_t blank_at(const char *text)
{
    return *text && strchr(" \t\r\n", *text) ? 1 : strncmp(text, "\xc2\xa0", 2) == 0 ? 2 : 0;
}

/* Without those around it; a line's end in a cell is a blank. */
static void cut_blanks(char **cell)
{
    char *end;
    while (blank_at(*cell))
        *cell += blank_at(*cell);
    for (char *c = end = *cell; *c; c++) {
        if (blank_at(c))
            *c = blank_at(c) == 1 ? ' ' : *c;
        else if (!(*c == '\xa0' && c > *cell && c[-1] == '\xc2'))
            end = c + 1;
    }
    *end = '\0';
}

static bool read_head(struct roster *roster, char *line, struct error *err)
{
    bool has[COLUMNS + 1] = {false};
    roster->separator = csv_separator(line);
    for (char *cell; line && roster->columns < MOST_COLUMNS; roster->columns++) {
        if (!(cell = csv_take_cell(&line, roster->separator)))
            break;
        cut_blanks(&cell);
        enum column column = ID;
        while (column < COLUMNS && strcasecmp(cell, column_names[column]) != 0)
            column++;
        if (column < COLUMNS && has[column])
            return error_set(err, "%s:1: the column `%s` is there twice", roster->file, column_names[column]);
        roster->at[roster->columns] = column;
        has[column] = true;
    }
    return has[ID] || error_set(err,
                                "%s:1: expected the columns' names: id, and any of name, email, section, "
                                "pseudonym and also, with commas between",
                                roster->file);
}

static bool read_row(struct roster *roster, char *line, unsigned number, struct error *err)
{
    struct row row = {.line = number};
    for (unsigned i = 0; i < COLUMNS; i++)
        row.cells[i] = line + strlen(line);
    for (unsigned i = 0; line; i++) {
        char *cell = csv_take_cell(&line, roster->separator);
        if (!cell)
            return error_set(err, "%s:%u: a quotation mark is missing, or there is one too many",
                             roster->file, number);
        cut_blanks(&cell);
        if (i < roster->columns && roster->at[i] < COLUMNS)
            row.cells[roster->at[i]] = cell;
        else if (i >= roster->columns && *cell)
            return error_set(err, "%s:%u: more cells than the first line has", roster->file, number);
    }
    if (!*row.cells[ID])
        return error_set(err, "%s:%u: expected an id, found none", roster->file, number);
    struct row *more = realloc(roster->rows, (roster->count + 1) * sizeof *more);
    if (!more)
        return error_set(err, "out of memory");
    roster->rows = more;
    roster->rows[roster->count++] = row;
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->cells[ID], ((const struct row *)b)->cells[ID]);
}

static int compare_pseudonyms(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->cells[PSEUDONYM], ((const struct row *)b)->cells[PSEUDONYM]);
}

static bool check_ids(const struct roster *roster, struct error *err)
{
    for (size_t i = 1; i < roster->count; i++)
        if (strcmp(roster->rows[i].cells[ID], roster->rows[i - 1].cells[ID]) == 0)
            return error_set(err, "%s:%u: the id `%.80s` is there already", roster->file,
                             roster->rows[i].line, roster->rows[i].cells[ID]);
    return roster->count > 0 ||
           error_set(err, "%s: expected a line for each student, found none", roster->file);
}

static bool check_pseudonyms(const struct roster *roster, struct error *err)
{
    struct row *rows = calloc(roster->count + 1, sizeof *rows);
    bool good = true;
    if (!rows)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < roster->count; i++)
        rows[i] = roster->rows[i];
    qsort(rows, roster->count, sizeof *rows, compare_pseudonyms);
    for (size_t i = 0; good && i < roster->count; i++) {
        const char *one = rows[i].cells[PSEUDONYM];
        if (!*one)
            good = error_set(err, "%s:%u: expected a pseudonym, since grading is anonymous, found none",
                             roster->file, rows[i].line);
        else if (i > 0 && strcmp(one, rows[i - 1].cells[PSEUDONYM]) == 0)
            good = error_set(err, "%s:%u: the pseudonym `%.80s` is there already", roster->file, rows[i].line,
                             one);
    }
    free(rows);
    return good;
}

static bool is_utf8(const char *text)
{
    char *clean = clean_utf8(text); /* other bytes are written out, so that it is longer */
    const bool is = clean && strlen(clean) == strlen(text);
    free(clean);
    return is;
}

static bool read_roster(struct roster *roster, bool anonymous, struct error *err)
{
    size_t size;
    struct error why;
    char *data = textfile_read(roster->file, MOST_BYTES, &size, err);
    if (!data)
        return false;
    roster->text = csv_decode(data, size, &why);
    free(data);
    if (!roster->text)
        return error_set(err, "%s: %s", roster->file, why.text);
    if (!is_utf8(roster->text))
        return error_set(
            err, "%s: expected text in UTF-8, found bytes of another encoding: save it as \"CSV UTF-8\"",
            roster->file);
    char *text = roster->text;
    for (unsigned lines = 0, first; text;) {
        first = lines + 1;
        char *row = csv_take_row(&text, &lines);
        if (first == 1 ? !read_head(roster, row, err)
                       : row[strspn(row, " \t,;")] && !read_row(roster, row, first, err))
            return false;
    }
    if (roster->count > 0)
        qsort(roster->rows, roster->count, sizeof *roster->rows, compare_rows);
    return check_ids(roster, err) && (!anonymous || check_pseudonyms(roster, err));
}

/* ---- joining ---- */

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
    {ID, BY_ID, is_exactly},     {ALSO, BY_ID, is_listed},      {ALSO, BY_PLATFORM_ID, is_listed},
    {ALSO, BY_NAME, is_listed},  {ID, BY_LOGIN, is_exactly},    {ALSO, BY_LOGIN, is_listed},
    {EMAIL, BY_ID, is_in_small}, {NAME, BY_NAME, name_is_same},
};

enum found { NOT_FOUND, IS_FOUND, SEVERAL, SHARED, TAKEN, OTHER_NAME };

struct claim {
    enum found found;
    struct row *row; /* that the current way leads to; NULL: none */
    unsigned line;   /* for the note */
};

/* Repositories of an assignment are called "lab-3-" and the login: how long is what all are called in front?
 */
static size_t shared_prefix(const struct grade_class *class)
{
    const char *first = class->service || class->students_count < 2 ? "" : class->students[0].id;
    size_t length = strlen(first);
    for (size_t i = 1; i < class->students_count; i++)
        for (size_t k = 0; k < length; k++)
            if (class->students[i].id[k] != first[k])
                length = k;
    while (length > 0 && first[length - 1] != '-')
        length--;
    return length;
}

static const char *text_of(const struct grade_student *student, enum by by, size_t prefix)
{
    switch (by) {
    case BY_NAME:
        return student->name;
    case BY_PLATFORM_ID:
        return student->platform_id;
    case BY_LOGIN:
        return prefix > 0 ? student->platform_id + prefix : "";
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

static bool name_student(struct grade_student *student, const struct row *row, bool anonymous)
{
    const char *id = row->cells[anonymous ? PSEUDONYM : ID], *name = row->cells[anonymous ? PSEUDONYM : NAME];
    free(student->safe);
    student->safe = grade_safe_name(id);
    return student->safe && replace(&student->id, id) && replace(&student->name, *name ? name : id) &&
           replace(&student->email, anonymous ? "" : row->cells[EMAIL]) &&
           replace(&student->section, anonymous ? "" : row->cells[SECTION]) &&
           replace(&student->roster_id, row->cells[ID]) && replace(&student->roster_name, row->cells[NAME]);
}

/* For all who were not found yet: a student's own id counts before another's address or name. Whose row two
 * submissions lead to, none of them is. */
static bool join_by(struct grade_class *class, const struct roster *roster, const struct way *way,
                    size_t prefix, bool anonymous, struct claim *claims)
{
    bool enough = true;
    for (size_t i = 0; i < roster->count; i++)
        roster->rows[i].claims = 0;
    for (size_t i = 0; i < class->students_count; i++) {
        if (claims[i].found == IS_FOUND)
            continue;
        claim_by(roster, way, text_of(&class->students[i], way->by, prefix), &claims[i]);
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
        enough = name_student(&class->students[i], row, anonymous);
    }
    return enough;
}

/* Nobody has the submission: whose it could be is not somebody who handed nothing in. */
static void mark_unsure(const struct roster *roster, const struct grade_student *student, size_t prefix)
{
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const char *text = text_of(student, ways[w].by, prefix);
        for (size_t i = 0; *text && i < roster->count; i++) {
            struct row *row = &roster->rows[i];
            row->unsure = row->unsure || (!row->joined && ways[w].is(row->cells[ways[w].column], text));
        }
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
        const struct row *row = bsearch(&key, roster->rows, roster->count, sizeof key, compare_rows);
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
    const size_t prefix = shared_prefix(class);
    for (size_t i = 0; enough && i < sizeof ways / sizeof *ways; i++)
        enough = join_by(class, roster, &ways[i], prefix, anonymous, claims);
    for (size_t i = 0; enough && i < class->students_count; i++) {
        if (claims[i].found == IS_FOUND)
            continue;
        class->strangers++;
        note_stranger(&class->students[i], &claims[i]);
        mark_unsure(roster, &class->students[i], prefix);
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
        enough = student && name_student(student, &roster->rows[i], anonymous) &&
                 replace(&student->platform_id, "");
        if (enough && roster->rows[i].unsure) {
            student->unsure = true;
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
    bool good = read_roster(&roster, anonymous, err);
    if (good && (!join_all(class, &roster, anonymous) || !add_absent(class, &roster, anonymous)))
        good = error_set(err, "out of memory");
    if (good) {
        grade_sort_students(class);
        good = check_distinct(class, &roster, err);
    }
    free(roster.rows);
    free(roster.text);
    return good;
}
