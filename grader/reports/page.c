/* Nothing in a page comes from elsewhere, and nothing is executed: a policy says so to the browser, in case
 * that something of a student's got through. */
#include "grader/reports/page.h"

#include <stdlib.h>
#include <string.h>

#include "grader/reports/clean.h"
#include "grader/reports/digest.h"

enum { MOST_LINE = 400, MOST_LINES = 60 };

const char page_style[] =
    ":root{color-scheme:light dark;--fg:#1b1f24;--dim:#57606a;--bg:#fff;--card:#f6f8fa;--line:#d0d7de;"
    "--pass:#1a7f37;--fail:#a8430a;--bad:#b3202c;--none:#57606a;--bar:#2f6fbf;--hot:#fff3d6}"
    "@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--dim:#9aa4af;--bg:#0d1117;--card:#161b22;"
    "--line:#30363d;--pass:#3fb950;--fail:#e39a3b;--bad:#ff7b72;--none:#9aa4af;--bar:#6ca4f8;--hot:#3a2d0c}}"
    "@media print{:root{color-scheme:light;--fg:#000;--dim:#333;--bg:#fff;--card:#fff;--line:#999;"
    "--pass:#1a7f37;--fail:#a8430a;--bad:#b3202c;--none:#444;--bar:#2f6fbf;--hot:#eee}"
    "body{max-width:none;font-size:11px}.scroll{overflow:visible}pre{white-space:pre-wrap}"
    ".card,tr,figure{break-inside:avoid}}"
    "*{box-sizing:border-box}"
    "body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--bg);color:var(--fg);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}"
    "h1{font-size:1.5rem;margin:.2em 0;line-height:1.25}h2{font-size:1.2rem;margin:1.6em 0 .5em}"
    ".card h2{font-size:1rem;margin:0}h3{font-size:1rem;margin:1em 0 .3em}"
    "a{color:var(--bar)}p{margin:.4em 0}.dim{color:var(--dim);font-size:.9rem}"
    "code{font:.9em ui-monospace,monospace}"
    ".cards{display:grid;gap:.8rem;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr))}"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem;"
    "min-width:0}"
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.5rem}"
    ".scroll:focus-visible{outline:2px solid var(--bar)}"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}"
    "caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    "th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;"
    "min-width:4.5rem}"
    "tr:last-child>*{border-bottom:0}thead th{background:var(--card)}th{font-weight:600}"
    "tbody th{font-weight:400}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "td.w{min-width:17rem}.name{min-width:9rem;max-width:22rem}"
    "@media(max-width:30rem){th,td{padding:.3rem;min-width:0}td.w{min-width:13rem}.name{min-width:6rem}}"
    ".chip{display:inline-block;padding:0 .45em;border-radius:.6em;border:1px solid currentColor;"
    "font-size:.82rem;white-space:nowrap;text-decoration:none}"
    ".pass{color:var(--pass)}.fail{color:var(--fail)}.rejected,.error{color:var(--bad)}"
    ".missing,.pending,.unstable,.skip{color:var(--none)}"
    ".bar{height:.6rem;background:var(--line);border-radius:.3rem;overflow:hidden;min-width:6rem}"
    ".bar i{display:block;height:100%;background:var(--fail);print-color-adjust:exact}"
    ".chart{width:100%;height:auto;display:block}.chart rect{fill:var(--bar);print-color-adjust:exact}"
    ".chart rect.full{fill:var(--pass)}"
    ".chart text{fill:var(--dim);font:9px system-ui,sans-serif}.chart line{stroke:var(--line)}"
    "pre{background:var(--card);border:1px solid "
    "var(--line);border-radius:.4rem;padding:.6rem;overflow-x:auto;"
    "font:.82rem/1.4 ui-monospace,monospace;margin:.5em 0;overflow-wrap:normal}"
    "td pre{white-space:pre-wrap;margin:0}"
    ".note{border-left:3px solid var(--fail);padding-left:.6rem}summary{cursor:pointer}"
    "figure{margin:.6em 0}figcaption{color:var(--dim);font-size:.9rem}";

const char page_timeline_style[] =
    ":root{--tl-fg:#1b1f24;--tl-dim:#57606a;--tl-line:#d8dee4;--tl-bg:#fff;--tl-chain:#c2185b}"
    "@media(prefers-color-scheme:dark){:root{--tl-fg:#e6edf3;--tl-dim:#9aa4af;--tl-line:#30363d;"
    "--tl-bg:#0d1117;--tl-chain:#ff6ea8}}"
    "@media print{:root{--tl-fg:#000;--tl-dim:#333;--tl-line:#ccc;--tl-bg:#fff;--tl-chain:#c2185b}}"
    ".tl{display:block;font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
    "print-color-adjust:exact}"
    ".tl text{fill:var(--tl-fg)}.tl .a{fill:var(--tl-dim);font-size:10px}"
    ".tl .h{font:600 13px system-ui,sans-serif}.tl .b{font-weight:700;fill:var(--tl-chain)}"
    ".tl .g{stroke:var(--tl-line);stroke-width:1}.tl .r{stroke:var(--tl-dim);stroke-width:1;"
    "stroke-dasharray:2 3}"
    ".tl .k{stroke:var(--tl-chain);stroke-width:1.5;fill:none}.tl .kx{stroke:var(--tl-chain);stroke-width:2}"
    ".tl .l{font-size:9px;font-weight:700;fill:#fff;text-anchor:middle}"
    ".tl .s0{fill:#8b949e;opacity:.45}.tl .s1{fill:#6e7781}.tl .s3{fill:#2f6fbf}.tl .s4{fill:#2f6fbf;"
    "opacity:.4}.tl .s5{fill:#1a7f37}"
    ".tl .wo{fill:#b45309}.tl .wl{fill:#8a6d00}.tl .w2{fill:#c2410c}.tl .w3{fill:#dc2626}.tl "
    ".wm{fill:#991b1b}"
    ".tl .wt{fill:#9d174d}.tl .ws{fill:#7c5a10}.tl .wp{fill:#7c3aed}.tl .wq{fill:#64748b}.tl "
    ".ww{fill:#475569}"
    ".tl .wx{fill:#be185d}.tl .wf{fill:#0f766e}.tl .wb{fill:#0e7490}.tl .wc{fill:#3f6212}"
    ".legend{display:flex;flex-wrap:wrap;gap:.3rem 1rem;padding:0;margin:.5rem 0;list-style:none;"
    "font-size:.9rem}.legend li{display:flex;align-items:center;gap:.4rem}"
    ".panels{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(33rem,100%),1fr))}"
    ".panels>*{min-width:0}.wide{max-width:82rem}";

static void put(FILE *out, struct digest_text *text)
{
    char *clean = digest_close(text);
    digest_escape(out, clean ? clean : "?", digest_html);
    free(clean);
}

void page_text(FILE *out, const char *text)
{
    struct digest_text clean;
    if (!digest_open(&clean))
        return;
    clean_print_line(clean.out, text, MOST_LINE);
    put(out, &clean);
}

void page_prose(FILE *out, const char *text)
{
    struct digest_text escaped;
    if (!digest_open(&escaped))
        return;
    page_text(escaped.out, text);
    char *html = digest_close(&escaped), *rest = html, *begin, *end;
    while (rest && (begin = strchr(rest, '`')) && (end = strchr(begin + 1, '`'))) {
        *begin = *end = '\0';
        fprintf(out, "%s<code>%s</code>", rest, begin + 1);
        rest = end + 1;
    }
    fputs(rest ? rest : "?", out);
    free(html);
}

void page_lines(FILE *out, const char *text, size_t lines)
{
    struct digest_text clean;
    if (!digest_open(&clean))
        return;
    clean_print(clean.out, text, "", lines, MOST_LINE);
    put(out, &clean);
}

void page_message(FILE *out, const char *text)
{
    const char *newline = strchr(text, '\n');
    if (!newline || !newline[1]) {
        page_prose(out, text);
        return;
    }
    fputs("<pre tabindex=\"0\">", out);
    page_lines(out, text, MOST_LINES);
    fputs("</pre>", out);
}

void page_chip(FILE *out, const char *kind, const char *text)
{
    fprintf(out, "<span class=\"chip %s\">", kind);
    page_text(out, text);
    fputs("</span>", out);
}

void page_table_begin(FILE *out, const char *what, const struct page_column *columns)
{
    fputs("<section class=\"scroll\" tabindex=\"0\" aria-label=\"", out);
    page_text(out, what);
    fputs("\"><table><caption>", out);
    page_text(out, what);
    fputs("</caption>\n<thead><tr>", out);
    for (; columns->name; columns++) {
        fprintf(out, "<th scope=\"col\"%s>", columns->number ? " class=\"n\"" : "");
        page_text(out, columns->name);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

void page_table_end(FILE *out)
{
    fputs("</tbody></table></section>\n", out);
}

void page_begin(FILE *out, const char *title, const char *more_style)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"referrer\" content=\"no-referrer\">\n<title>",
          out);
    page_text(out, title);
    fprintf(out, "</title>\n<style>%s%s</style>\n</head>\n<body>\n<main>\n", page_style,
            more_style ? more_style : "");
}

void page_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}
