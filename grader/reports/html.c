/* A page for people: the verdict, the bounds as bars between baseline and reference, where the slots went,
 * and what result->annex has of the code. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/reports/digest.h"
#include "grader/reports/formats.h"
#include "grader/reports/page.h"

static const char more_style[] =
    ".verdict{border:1px solid var(--line);border-left:.4rem solid currentColor;border-radius:.5rem;"
    "padding:.6rem 1rem;margin:.8rem 0;background:var(--card)}"
    ".verdict>*{color:var(--fg)}.verdict strong{font-size:1.1rem}"
    ".bounds{display:grid;gap:1rem}.bounds h3{margin:0}"
    ".bounds>div{max-width:46rem}.track{width:100%;height:1.9rem;display:block;print-color-adjust:exact}"
    ".ends{display:flex;justify-content:space-between;gap:1rem;font-size:.85rem;color:var(--dim);margin:0}"
    ".track .t{fill:var(--line)}.track .ok{fill:var(--pass);opacity:.28}"
    ".track .m{fill:var(--fg)}.track .b{stroke:var(--pass);stroke-width:2;stroke-dasharray:4 2}"
    ".stack{display:flex;height:1.6rem;border-radius:.3rem;overflow:hidden;margin:.4rem 0;"
    "print-color-adjust:exact}.stack i{display:block;border-right:2px solid var(--bg)}"
    ".k0{background:#1a7f37}.k1{background:#be185d}.k2{background:#0f766e}.k3{background:#b45309}"
    ".k4{background:#991b1b}"
    ".keys{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;margin:.3rem 0;list-style:none;"
    "font-size:.9rem}.keys i{display:inline-block;width:.8rem;height:.8rem;border-radius:.15rem;"
    "margin-right:.35rem;print-color-adjust:exact}"
    /* of the annex: code and timelines */
    ".code{font:.82rem/1.5 ui-monospace,monospace;white-space:pre}.code td,.code th{white-space:pre}"
    ".code tr.hot{background:var(--hot)}.code tr.src td{color:var(--dim);padding-top:.5rem}"
    ".code td,.code th{padding:.1rem .6rem;border-bottom:0;min-width:0}"
    ".curve{max-width:46rem}.curve svg{width:100%;height:auto}";

/* ---- the verdict ---- */

static void write_points(FILE *out, double score, uint32_t points)
{
    if (isfinite(score))
        fprintf(out, "%.4g of %" PRIu32 " points", score, points);
    else
        fprintf(out, "? of %" PRIu32 " points", points);
}

static void write_verdict(FILE *out, const struct result *result)
{
    const char *name = verdict_name(result->verdict);
    fprintf(out, "<section class=\"verdict %s\">\n<p>", name);
    page_chip(out, name, name);
    fputs(" <strong>", out);
    page_prose(out, result->headline ? result->headline : name);
    fputs("</strong></p>\n", out);
    if (result->next) {
        fputs("<p>Next: ", out);
        page_prose(out, result->next);
        fputs("</p>\n", out);
    }
    fputs("<p class=\"dim\">", out);
    write_points(out, result->score, result->max_score);
    if (result->cpu) {
        fputs("; on ", out);
        page_text(out, result->cpu);
    }
    if (result->files) {
        fputs("; ", out);
        page_text(out, result->files);
    }
    fputs("</p>\n</section>\n", out);
}

/* ---- bounds as bars ---- */

/* Time of an element; NAN where it was not measured. */
static double time_of(const struct result *result, const char *case_name, const char *variant,
                      const char **unit)
{
    for (size_t i = 0; i < result->measurements_count; i++) {
        const struct measurement *m = &result->measurements[i];
        if (strcmp(m->variant, variant) != 0 || strcmp(m->case_name, case_name) != 0 || m->elements == 0)
            continue;
        bool cycles = isfinite(m->cycles);
        *unit = cycles ? "cycles" : "ns";
        return (cycles ? m->cycles : m->nanoseconds) / (double)m->elements;
    }
    return (double)NAN;
}

/* What a bar shows: from its left end to its right one, in the unit of the texts. */
struct track {
    double left, right, value, low, high, bound; /* low and high: NAN where it is exact */
    bool upward;                                 /* what is right of the bound passes */
    char left_text[64], right_text[64], value_text[64], bound_text[64];
};

enum { TRACK_WIDTH = 600, TRACK_Y = 8, TRACK_HEIGHT = 14, MARGIN = 4 };

static double place(const struct track *track, double value)
{
    double share = (value - track->left) / (track->right - track->left);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return MARGIN + share * (TRACK_WIDTH - 2 * MARGIN);
}

static void draw_track(FILE *out, const struct track *track)
{
    double value = place(track, track->value), bound = place(track, track->bound);
    double good = track->upward ? bound : MARGIN, end = track->upward ? TRACK_WIDTH - MARGIN : bound;
    fprintf(out,
            "<svg class=\"track\" viewBox=\"0 0 %d 30\" preserveAspectRatio=\"none\" role=\"img\" "
            "aria-label=\"yours %s; asked for: %s; from "
            "%s to %s\">\n",
            TRACK_WIDTH, track->value_text, track->bound_text, track->left_text, track->right_text);
    fprintf(out,
            "<rect class=\"t\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>"
            "<rect class=\"ok\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
            "<line class=\"b\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n",
            MARGIN, TRACK_Y, TRACK_WIDTH - 2 * MARGIN, TRACK_HEIGHT, good, TRACK_Y,
            end > good ? end - good : 0, TRACK_HEIGHT, bound, bound, TRACK_Y - 5, TRACK_Y + TRACK_HEIGHT + 5);
    if (isfinite(track->low) && isfinite(track->high)) {
        double low = place(track, track->low), high = place(track, track->high);
        fprintf(out, "<rect class=\"m\" opacity=\".4\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"6\"/>",
                low < high ? low : high, TRACK_Y + 4, fabs(high - low));
    }
    fprintf(out, "<rect class=\"m\" x=\"%.1f\" y=\"%d\" width=\"6\" height=\"%d\"/></svg>\n", value - 3,
            TRACK_Y - 4, TRACK_HEIGHT + 8);
    fprintf(out,
            "<p class=\"ends\" aria-hidden=\"true\"><span>%s</span><span><strong>yours %s</strong></span>"
            "<span>%s</span></p>\n",
            track->left_text, track->value_text, track->right_text);
}

/* Between the baseline's time and the reference's, or the student's where that is the shorter one. */
static bool speedup_track(const struct result *result, const struct check *check, struct track *track)
{
    const char *unit = "";
    double baseline = time_of(result, check->case_name, "baseline", &unit);
    double student = time_of(result, check->case_name, "student", &unit);
    double reference = time_of(result, check->case_name, "reference", &unit);
    if (!(baseline > reference) || !isfinite(student) || strcmp(check->comparison, ">=") != 0 ||
        !(check->bound > 0) || !(check->measured > 0))
        return false;
    *track = (struct track){.left = baseline,
                            .right = reference < student ? reference : student,
                            .value = baseline / check->measured,
                            .low = check->low > 0 && check->low < check->high ? baseline / check->low
                                                                              : (double)NAN,
                            .high = check->high > 0 ? baseline / check->high : (double)NAN,
                            .bound = baseline / check->bound,
                            .upward = true};
    snprintf(track->left_text, sizeof track->left_text, "baseline %.2f %s", baseline, unit);
    if (student < reference)
        snprintf(track->right_text, sizeof track->right_text, "yours (reference %.2f %s)", reference, unit);
    else
        snprintf(track->right_text, sizeof track->right_text, "reference %.2f %s", reference, unit);
    snprintf(track->value_text, sizeof track->value_text, "%.2f %s, %.2fx", student, unit, check->measured);
    snprintf(track->bound_text, sizeof track->bound_text, ">= %.2fx", check->bound);
    return true;
}

/* From 0 on. */
static bool plain_track(const struct check *check, struct track *track)
{
    bool within = strcmp(check->comparison, "within") == 0;
    if (within || !isfinite(check->measured) || !(check->bound > 0))
        return false;
    double most = check->measured > check->bound ? check->measured : check->bound;
    *track = (struct track){.left = 0,
                            .right = 1.25 * most,
                            .value = check->measured,
                            .low = check->low < check->high ? check->low : (double)NAN,
                            .high = check->high,
                            .bound = check->bound,
                            .upward = strcmp(check->comparison, ">=") == 0};
    snprintf(track->left_text, sizeof track->left_text, "0");
    result_format_value(track->right_text, sizeof track->right_text, track->right, check->unit);
    result_format_value(track->value_text, sizeof track->value_text, check->measured, check->unit);
    result_format_value(track->bound_text, sizeof track->bound_text, check->bound, check->unit);
    return true;
}

static void write_bound(FILE *out, const struct result *result, const struct check *check)
{
    struct track track;
    char asked[128], measured[64];
    fputs("<div><h3>", out);
    page_text(out, check->name);
    fputs(" ", out);
    page_chip(out, verdict_name(check->verdict), verdict_name(check->verdict));
    fputs("</h3>\n", out);
    if (check->has_measured) {
        result_format_value(measured, sizeof measured, check->measured, check->unit);
        result_format_asked(asked, sizeof asked, check);
        fputs("<p>", out);
        page_text(out, check->metric ? check->metric : "measured");
        fputs(" ", out);
        page_text(out, measured);
        fputs(", asked for ", out);
        page_text(out, asked);
        fputs("</p>\n", out);
        bool good = check->case_name && speedup_track(result, check, &track);
        if (good || (check->comparison && plain_track(check, &track)))
            draw_track(out, &track);
    } else if (check->message) {
        fputs("<p>", out);
        page_prose(out, check->message);
        fputs("</p>\n", out);
    }
    fputs("</div>\n", out);
}

static bool is_bound(const struct check *check)
{
    return check->kind == CHECK_BOUND || check->kind == CHECK_MECHANISM;
}

static void write_bounds(FILE *out, const struct result *result)
{
    bool any = false;
    for (size_t i = 0; i < result->checks_count; i++) {
        if (!is_bound(&result->checks[i]))
            continue;
        if (!any)
            fputs("<h2>Bounds</h2>\n<p class=\"dim\">The dashed line is what is asked for, the shaded "
                  "part passes; the full mark is yours.</p>\n<div class=\"bounds\">\n",
                  out);
        any = true;
        write_bound(out, result, &result->checks[i]);
    }
    fputs(any ? "</div>\n" : "", out);
}

/* ---- checks ---- */

static void write_checks(FILE *out, const struct result *result)
{
    size_t passed = 0;
    char name[64];
    fputs("<h2>Checks</h2>\n", out);
    snprintf(name, sizeof name, "Checks of exercise %u", result->number);
    page_table_begin(out, name,
                     (const struct page_column[]){{"check", false},
                                                  {"verdict", false},
                                                  {"points", true},
                                                  {"what was found", false},
                                                  {NULL, false}});
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        const bool warns = strchr(check->message, '\n') != NULL; /* the compiler did */
        if (!is_bound(check) && check->verdict == VERDICT_PASS && check->points == 0 && !warns) {
            passed++;
            continue;
        }
        fputs("<tr><th scope=\"row\"><code>", out);
        page_text(out, check->name);
        fputs("</code></th><td>", out);
        page_chip(out, verdict_name(check->verdict), verdict_name(check->verdict));
        fputs("</td><td class=\"n\">", out);
        if (check->points > 0 && check->verdict != VERDICT_SKIP) {
            if (isfinite(check->score))
                fprintf(out, "%.4g", check->score);
            fprintf(out, "%s/%" PRIu32, isfinite(check->score) ? "" : "?", check->points);
        }
        fputs("</td><td class=\"w\">", out);
        page_message(out, check->message);
        if (check->next && check->verdict != VERDICT_PASS) {
            fputs(" <span class=\"dim\">Next: ", out);
            page_prose(out, check->next);
            fputs("</span>", out);
        }
        fputs("</td></tr>\n", out);
    }
    if (passed > 0)
        fprintf(out,
                "<tr><td colspan=\"4\">%zu more check%s of building and of correctness "
                "<span class=\"chip pass\">pass</span></td></tr>\n",
                passed, passed == 1 ? "" : "s");
    page_table_end(out);
}

/* ---- top-down ---- */

static const char *const slots[] = {"retiring", "bad speculation", "frontend", "backend: core",
                                    "backend: memory"};

static void write_slots(FILE *out, const struct measurement *m)
{
    uint64_t all = 0;
    const uint64_t *value = &m->model.value[MODEL_SLOTS_RETIRING];
    for (unsigned i = 0; i < 5; i++)
        all += value[i];
    if (all == 0)
        return;
    fputs("<h3>case ", out);
    page_text(out, m->case_name);
    fprintf(out,
            "</h3>\n<p>%.2f cycles an element, %.2f instructions a cycle</p>\n<div class=\"stack\" "
            "role=\"img\" aria-label=\"Slots:",
            m->elements ? m->cycles / (double)m->elements : 0,
            m->cycles > 0 ? (double)m->model.value[MODEL_INSTRUCTIONS] / m->cycles : 0);
    for (unsigned i = 0; i < 5; i++)
        fprintf(out, "%s %s %.0f %%", i ? "," : "", slots[i], 100 * (double)value[i] / (double)all);
    fputs("\">", out);
    for (unsigned i = 0; i < 5; i++)
        if (value[i] > 0)
            fprintf(out, "<i class=\"k%u\" style=\"width:%.2f%%\"></i>", i,
                    100 * (double)value[i] / (double)all);
    fputs("</div>\n<ul class=\"keys\">", out);
    for (unsigned i = 0; i < 5; i++)
        fprintf(out, "<li><i class=\"k%u\"></i>%s %.0f %%</li>", i, slots[i],
                100 * (double)value[i] / (double)all);
    fputs("</ul>\n", out);
}

static void write_top_down(FILE *out, const struct result *result)
{
    bool any = false;
    for (size_t i = 0; i < result->measurements_count; i++) {
        const struct measurement *m = &result->measurements[i];
        if (!m->modelled || strcmp(m->variant, "student") != 0)
            continue;
        if (!any)
            fputs("<h2>Where the core's slots went</h2>\n", out);
        any = true;
        write_slots(out, m);
    }
}

/* ---- the page ---- */

static void write_result(FILE *out, const struct result *result, bool alone)
{
    fprintf(out, "<article>\n<h%c>%u. ", alone ? '1' : '2', result->number);
    page_text(out, result->title ? result->title : result->id);
    fprintf(out, "</h%c>\n", alone ? '1' : '2');
    write_verdict(out, result);
    write_bounds(out, result);
    write_checks(out, result);
    write_top_down(out, result);
    if (result->annex)
        fputs(result->annex, out);
    if (result->student_number)
        fprintf(out, "<p>student number: %" PRIu32 "</p>\n", result->student_number);
    if (result->seed) {
        fputs("<p class=\"dim\">seed ", out);
        page_text(out, result->seed);
        fprintf(out, ", %.1f s</p>\n", result->seconds);
    }
    fputs("</article>\n", out);
}

static char *report_html(struct result *const *results, size_t count)
{
    struct digest_text text;
    char styles[8192];
    if (!digest_open(&text))
        return NULL;
    snprintf(styles, sizeof styles, "%s%s", more_style, page_timeline_style);
    page_begin(text.out, count == 1 && results[0]->title ? results[0]->title : "cyclelab", styles);
    if (count != 1)
        fprintf(text.out, "<h1>cyclelab</h1>\n%s", count ? "" : "<p>Nothing was graded.</p>\n");
    for (size_t i = 0; i < count; i++)
        write_result(text.out, results[i], count == 1);
    page_end(text.out);
    return digest_close(&text);
}

REPORT_FORMAT(html, report_html, "a page for people, with the code and its timeline", .early = false);
