#include "grader/tests/scratch.h"

#include <stdint.h>
#include "grader/reports/clean.h"

static const struct {
    const char *from, *to;
} pieces[] = {
    {"plain text", "plain text"},
    {"", ""},
    {"a\tb", "a    b"},
    {"\033[31mred", "\\x1b[31mred"},
    {"a\rb\b\a\x7f", "a\\x0db\\x08\\x07\\x7f"},
    {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
    {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xc2\x9b"
     "31m",
     "\\xc2\\x9b31m"},                   /* a control character in two bytes */
    {"\xe2\x80\xae", "\\xe2\\x80\\xae"}, /* right to left from here */
    {"\xef\xbf\xbe\xef\xbf\xbf",
     "\\xef\\xbf\\xbe\\xef\\xbf\\xbf"},                    /* U+FFFE and U+FFFF: not allowed in XML */
    {"\xff\xc3", "\\xff\\xc3"},                            /* no UTF-8, and cut off */
    {"\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80"}, /* overlong, surrogate */
    {"\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
    {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
};

static char *line(const char *text, size_t bytes)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    clean_print_line(file, text, bytes);
    fclose(file);
    return out;
}

Test(clean, nothing_acts_on_the_terminal)
{
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = line(pieces[i].from, SIZE_MAX);
        cr_expect_str_eq(text, pieces[i].to);
        free(text);
    }
}

static void expect_wrapped(const char *text, size_t bytes, const char *expected)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    clean_print_wrapped(file, text, "> ", 12, bytes);
    fclose(file);
    cr_expect_str_eq(out, expected);
    free(out);
}

static void expect_folded(const char *text, const char *expected)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    clean_fold(file, text, 12);
    fclose(file);
    cr_expect_str_eq(out, expected);
    free(out);
}

Test(clean, folds_the_long_lines_of_a_report)
{
    expect_folded("", "");
    expect_folded("one two\n\n  four\n", "one two\n\n  four\n");
    expect_folded("one two four five\nsix", "one two four\nfive\nsix");
    expect_folded("  one two four five six\n", "  one two\n  four five\n  six\n");
    expect_folded("one two     four\n", "one two\nfour\n");
    expect_folded("a-word-that-is-longer so\n", "a-word-that-is-longer\nso\n");
    expect_folded("  a-word-that-is-longer\n", "  a-word-that-is-longer\n");
    expect_folded("\033[1;31mFAIL\033[0m: so much\n", "\033[1;31mFAIL\033[0m: so\nmuch\n");
    expect_folded("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc \xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\n",
                  "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc \xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\n");
}

Test(clean, wraps_at_blanks)
{
    expect_wrapped("", 100, "> \n");
    expect_wrapped("one two", 100, "> one two\n");
    expect_wrapped("one two four", 100, "> one two\n  four\n");
    expect_wrapped("12345 7890", 100, "> 12345 7890\n");
    expect_wrapped("12345 78901", 100, "> 12345\n  78901\n");
    expect_wrapped("a word-that-is-longer so", 100, "> a\n  word-that-is-longer\n  so\n");
    expect_wrapped("run `make it EX=3` so", 100, "> run\n  `make it EX=3`\n  so\n");
    expect_wrapped("a ` that is alone", 100, "> a ` that\n  is alone\n");
    expect_wrapped("two\nlines ", 100, "> two lines\n");
    expect_wrapped("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc \xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 100,
                   "> \xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc \xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\n");
    expect_wrapped("one two", 3, "> one...\n");
    expect_wrapped("\033[31mred", 100, "> \\x1b[31mred\n");
}

Test(clean, one_line)
{
    char *text = line("a\nb\n\n", 100);
    cr_expect_str_eq(text, "a b");
    free(text);
    text = line("abcdef", 4);
    cr_expect_str_eq(text, "abcd...");
    free(text);
}

static char *lines(const char *text, size_t most, size_t bytes)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    clean_print(file, text, "> ", most, bytes);
    fclose(file);
    return out;
}

Test(clean, several_lines)
{
    static const struct {
        const char *from, *to;
    } table[] = {
        {"a\nb", "> a\n> b\n"},
        {"a\nb\n", "> a\n> b\n"},
        {"a\n\nb\n", "> a\n> \n> b\n"},
        {"", ""},
        {"abcdefgh\n", "> abcdef...\n"},
        {"1\n2\n3\n4\n", "> 1\n> 2\n> 3\n> (1 more line)\n"},
        {"1\n2\n3\n4\n5", "> 1\n> 2\n> 3\n> (2 more lines)\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *text = lines(table[i].from, 3, 6);
        cr_expect_str_eq(text, table[i].to);
        free(text);
    }
}

Test(clean, valid_utf8_and_no_more)
{
    char *text = clean_utf8("\033 gr\xc3\xbc \xff \xe2\x80\xae");
    cr_expect_str_eq(text, "\033 gr\xc3\xbc \\xff \xe2\x80\xae");
    free(text);
}
