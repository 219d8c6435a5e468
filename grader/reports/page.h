/* What all HTML pages have in common: a report's, a timeline's, a class's. One file each, with nothing from
 * elsewhere; for a phone and for paper, in the light and in the dark, read aloud too.
 *
 * To write one: page_begin(), then what is to be in it, page_end(). Put each text that is not a constant of
 * the program through page_text(), page_lines() or page_message(). */
#ifndef CYCLELAB_PAGE_H
#define CYCLELAB_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* `more_style`: CSS of this kind of page, or NULL. */
void page_begin(FILE *out, const char *title, const char *more_style);
void page_end(FILE *out);

/* Of all pages; ci/site has it too. */
extern const char page_style[];

/* Of pages with timelines (grader/trace), and of those as files of their own. */
extern const char page_timeline_style[];

/* Text of somebody else's, in an element or an attribute: on one line; with its lines, `lines` at most. */
void page_text(FILE *out, const char *text);
void page_lines(FILE *out, const char *text, size_t lines);

/* page_text() of a sentence, in an element: what stands between a pair of `backticks` is set as code. */
void page_prose(FILE *out, const char *text);

/* Somebody's message where it stands alone: a sentence, or set as it came if it
 * has several lines (a compiler's). */
void page_message(FILE *out, const char *text);

/* A word in a frame; `kind` is a CSS class: a verdict, or "missing", "pending". */
void page_chip(FILE *out, const char *kind, const char *text);

/* A table with its heads, which scrolls by itself where it is wider than the page; `what` it holds, for those
 * who do not see it. Columns end with one without a name. Rows follow, <tr>...</tr>. */
struct page_column {
    const char *name;
    bool number;
};
void page_table_begin(FILE *out, const char *what, const struct page_column *columns);
void page_table_end(FILE *out);

#endif
