/* What the pages have in common. Nothing in them comes from elsewhere, and nothing is executed: a policy says
 * so to the browser, in case that something of a student's got through. */
#include "grader/class/grade_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/reports/clean.h"
#include "grader/reports/digest.h"

enum { MOST_LINE = 400 };

static const char style[] =
    ":root{color-scheme:light dark;--fg:#1b1f24;--dim:#57606a;--bg:#fff;--card:#f6f8fa;--line:#d0d7de;"
    "--pass:#1a7f37;--fail:#bc4c00;--bad:#b3202c;--none:#6e7781;--bar:#2f6fbf}"
    "@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--dim:#9aa4af;--bg:#0d1117;--card:#161b22;"
    "--line:#30363d;--pass:#3fb950;--fail:#e39a3b;--bad:#ff7b72;--none:#8b949e;--bar:#6ca4f8}}"
    "*{box-sizing:border-box}"
    "body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--bg);color:var(--fg);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}"
    "h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.2rem;margin:1.6em 0 .5em}h3{font-size:1rem;margin:0}"
    "a{color:var(--bar)}p{margin:.4em 0}.dim{color:var(--dim);font-size:.9rem}"
    ".cards{display:grid;gap:.8rem;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr))}"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem;"
    "min-width:0}"
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.5rem}"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}"
    "th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}"
    "tr:last-child td{border-bottom:0}th{background:var(--card);font-weight:600}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "td.w{min-width:14rem}td:first-child{min-width:8rem}.name{min-width:8rem;max-width:22rem}"
    ".chip{display:inline-block;padding:0 .45em;border-radius:.6em;border:1px solid currentColor;"
    "font-size:.82rem;white-space:nowrap;text-decoration:none}"
    ".pass{color:var(--pass)}.fail{color:var(--fail)}.rejected,.error{color:var(--bad)}"
    ".missing,.pending,.unstable,.skip{color:var(--none)}"
    ".bar{height:.6rem;background:var(--line);border-radius:.3rem;overflow:hidden;min-width:6rem}"
    ".bar i{display:block;height:100%;background:var(--fail)}"
    "svg{width:100%;height:auto;display:block}svg rect{fill:var(--bar)}svg rect.full{fill:var(--pass)}"
    "svg text{fill:var(--dim);font:9px system-ui,sans-serif}svg line{stroke:var(--line)}"
    "pre{background:var(--card);border:1px solid "
    "var(--line);border-radius:.4rem;padding:.6rem;overflow-x:auto;"
    "font:.82rem/1.4 ui-monospace,monospace;margin:.5em 0;overflow-wrap:normal}"
    ".note{border-left:3px solid var(--fail);padding-left:.6rem}summary{cursor:pointer}";

static const char *escape(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void put(FILE *out, struct digest_text *text)
{
    char *clean = digest_close(text);
    digest_escape(out, clean ? clean : "?", escape);
    free(clean);
}

void grade_html(FILE *out, const char *text)
{
    struct digest_text clean;
    if (!digest_open(&clean))
        return;
    clean_print_line(clean.out, text, MOST_LINE);
    put(out, &clean);
}

void grade_html_lines(FILE *out, const char *text, size_t lines)
{
    struct digest_text clean;
    if (!digest_open(&clean))
        return;
    clean_print(clean.out, text, "", lines, MOST_LINE);
    put(out, &clean);
}

void grade_html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; "
          "base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"referrer\" content=\"no-referrer\">\n<title>",
          out);
    grade_html(out, title);
    fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n", style);
}

void grade_html_end(FILE *out)
{
    fputs("</body>\n</html>\n", out);
}
