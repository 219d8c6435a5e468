#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "grader/reports/digest.h"
#include "grader/reports/page.h"

Test(page, html_is_escaped)
{
    struct digest_text text;
    cr_assert(digest_open(&text));
    page_text(text.out, "<a href='x'>&\"\n\033\xff");
    page_lines(text.out, "one\n<two>\nthree", 2);
    char *html = digest_close(&text);
    cr_expect_str_eq(html,
                     "&lt;a href=&#39;x&#39;&gt;&amp;&quot; \\x1b\\xffone\n&lt;two&gt;\n(1 more line)\n");
    free(html);
}

Test(page, a_message_of_several_lines_keeps_them)
{
    struct digest_text text;
    cr_assert(digest_open(&text));
    page_message(text.out, "one line\n");
    page_message(text.out, "sum.c:3: <error>\n  x = 1\n");
    char *html = digest_close(&text);
    cr_expect_str_eq(html, "one line<pre tabindex=\"0\">sum.c:3: &lt;error&gt;\n  x = 1\n</pre>");
    free(html);
}

Test(page, what_stands_in_backticks_is_code)
{
    static const struct {
        const char *text, *html;
    } rows[] = {
        {"`make sweep EX=4` draws `<it>`.", "<code>make sweep EX=4</code> draws <code>&lt;it&gt;</code>."},
        {"one ` alone", "one ` alone"},
        {"`x` and ` alone", "<code>x</code> and ` alone"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct digest_text text;
        cr_assert(digest_open(&text));
        page_prose(text.out, rows[i].text);
        char *html = digest_close(&text);
        cr_expect_str_eq(html, rows[i].html);
        free(html);
    }
}
