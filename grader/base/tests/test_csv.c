/* Tables that spreadsheets read and write. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/csv.h"

/* Written as a cell, and read again. */
static char *written(const char *text, char **again)
{
    static char line[400], copy[400];
    FILE *out = fmemopen(line, sizeof line, "w");
    csv_cell(out, text);
    fclose(out);
    strcpy(copy, line);
    char *at = copy;
    *again = csv_take_own_cell(&at);
    return line;
}

Test(csv, no_cell_computes)
{
    static const char *const rows[][2] = {
        {"ada", "\"ada\""},
        {"=1+1", "\"'=1+1\""},
        {"'=1", "\"''=1\""},
        {"'s", "\"'s\""},
        {"+1", "\"'+1\""},
        {"-rf", "\"'-rf\""},
        {"@x", "\"'@x\""},
        {"a\"b", "\"a\"\"b\""},
        /* where semicolons part cells, one in a text begins another */
        {"x;=cmd|' /c calc'!A0.c", "\"x;'=cmd|' /c calc'!A0.c\""},
        {"x;\"=1", "\"x;'\"\"=1\""},
        {"x;\" =1", "\"x;'\"\" =1\""},
        {"x;'=1", "\"x;''=1\""},
        {"x;;-1", "\"x;;'-1\""},
        {"x; y; -1 is less", "\"x; y; -1 is less\""},
        {"x;y", "\"x;y\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *again;
        cr_expect_str_eq(written(rows[i][0], &again), rows[i][1]);
        cr_expect_str_eq(again, rows[i][0]);
    }
}

static void expect_rows(const char *text, const char *expected)
{
    char copy[200], all[400] = "", *at = copy;
    unsigned lines = 0;
    strcpy(copy, text);
    while (at) {
        const unsigned first = lines + 1;
        const char *row = csv_take_row(&at, &lines);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%u<%s>", first, row);
    }
    cr_expect_str_eq(all, expected);
}

Test(csv, rows)
{
    expect_rows("a\nb\r\nc\rd", "1<a>2<b>3<c>4<d>");
    expect_rows("a,\"b\nc\"\nd", "1<a,\"b\nc\">3<d>");
    expect_rows("a,\"b\r\nc \"\"x\"\"\"\r\nd\r\n", "1<a,\"b\r\nc \"\"x\"\"\">3<d>4<>");
    expect_rows("a,\"b\nc", "1<a,\"b\nc>");
    expect_rows("", "1<>");
}

Test(csv, separators)
{
    cr_expect_eq(csv_separator("id,name"), ',');
    cr_expect_eq(csv_separator("id;name;email"), ';');
    cr_expect_eq(csv_separator("id\tlast, first\temail"), '\t');
    cr_expect_eq(csv_separator("\"Doe, Jane, Dr, B\";2;3"), ';');
    cr_expect_eq(csv_separator("id"), ',');
}

static void expect_decoded(const char *data, size_t size, const char *expected)
{
    struct error err = {""};
    char *text = csv_decode(data, size, &err);
    if (expected)
        cr_expect_str_eq(text, expected);
    else
        cr_expect(!text && strstr(err.text, "found a NUL byte"), "%s", err.text);
    free(text);
}

#define DECODED(DATA, EXPECTED) expect_decoded(DATA, sizeof(DATA) - 1, EXPECTED)

Test(csv, encodings)
{
    DECODED("a,\xc3\xa9", "a,\xc3\xa9");
    DECODED("\xef\xbb\xbf"
            "a",
            "a");
    DECODED("", "");
    DECODED("\xff\xfe"
            "a\0\xe9\0\xac\x20",
            "a\xc3\xa9\xe2\x82\xac");
    DECODED("\xfe\xff\0a\0\xe9", "a\xc3\xa9");
    DECODED("\xff\xfe\x3d\xd8\x00\xde", "\xf0\x9f\x98\x80");
    DECODED("\xff\xfe"
            "a\0b",
            "a");
    DECODED("\xff\xfe", "");
    DECODED("a\0b\0", NULL);
    DECODED("\xff\xfe"
            "a\0\0\0b\0",
            NULL);
}
