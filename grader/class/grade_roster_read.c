/* roster.csv, as spreadsheets save it. */
#include "grader/class/grade_roster_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/csv.h"
#include "grader/base/textfile.h"
#include "grader/reports/clean.h"

enum { MOST_BYTES = 16 << 20 };

static const char *const column_names[COLUMNS] = {"id", "also", "name", "email", "section", "pseudonym"};

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

static bool quotes_are_wrong(const struct roster *roster, unsigned line, struct error *err)
{
    return error_set(err, "%s:%u: a quotation mark is missing, or there is one too many", roster->file, line);
}

static bool read_head(struct roster *roster, char *line, struct error *err)
{
    bool has[COLUMNS + 1] = {false};
    roster->separator = csv_separator(line);
    for (char *cell; line; roster->columns++) {
        if (!(cell = csv_take_cell(&line, roster->separator)))
            return quotes_are_wrong(roster, 1, err);
        if (roster->columns == MOST_COLUMNS)
            return error_set(err, "%s:1: more than %d columns", roster->file, MOST_COLUMNS);
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
            return quotes_are_wrong(roster, number, err);
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

int roster_compare(const void *a, const void *b)
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

bool roster_read(struct roster *roster, bool anonymous, struct error *err)
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
        qsort(roster->rows, roster->count, sizeof *roster->rows, roster_compare);
    return check_ids(roster, err) && (!anonymous || check_pseudonyms(roster, err));
}

void roster_free(struct roster *roster)
{
    free(roster->rows);
    free(roster->text);
}
