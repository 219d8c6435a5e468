/* The report for people. */
#include <math.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/strings.h"
#include "grader/reports/clean.h"
#include "grader/reports/digest.h"
#include "grader/reports/report.h"

enum { MOST_LINES = 30, MOST_BYTES = 240, HEAD_BYTES = 400, NEXT_BYTES = 800, WIDTH = 80, POINTS_BYTES = 32 };

static const char *colour_of(enum verdict verdict)
{
    const bool open = verdict == VERDICT_UNSTABLE || verdict == VERDICT_SKIP;
    return verdict == VERDICT_PASS ? "\033[1;32m" : open ? "\033[1;33m" : "\033[1;31m";
}

static const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {"PASS", "FAIL", "UNSTABLE", "REJECTED", "ERROR", "skip"};
    return words[verdict];
}

static void print_verdict(FILE *out, enum verdict verdict, int width, bool colour)
{
    fprintf(out, "%s%-*s%s", colour ? colour_of(verdict) : "", width, verdict_word(verdict),
            colour ? "\033[0m" : "");
}

/* "PASS: ..." with the first word coloured. */
static void print_headline(FILE *out, const struct result *result, bool colour)
{
    const char *text = result->headline ? result->headline : verdict_word(result->verdict);
    size_t word = strlen(verdict_word(result->verdict));
    if (strncmp(text, verdict_word(result->verdict), word) == 0) {
        print_verdict(out, result->verdict, 0, colour);
        text += word;
    }
    clean_print_line(out, text, HEAD_BYTES);
    fputc('\n', out);
}

static const char *or_unknown(const char *text)
{
    return text && *text ? text : "unknown";
}

static void points_text(char *buffer, size_t size, const struct check *check)
{
    *buffer = '\0';
    if (check->points == 0 || check->verdict == VERDICT_SKIP)
        return;
    char points[POINTS_BYTES] = "?";
    if (isfinite(check->score))
        digest_points_text(points, sizeof points, check->score);
    snprintf(buffer, size, "%s/%" PRIu32, points, check->points);
}

/* Builds and correctness cases that are as they should be have a line together; all else has one each. */
static bool is_plain(const struct check *check)
{
    return check->verdict == VERDICT_PASS && check->kind <= CHECK_CORRECTNESS;
}

/* The same cases once more: natively as another processor, on a model core under Linux. */
static const struct {
    const char *suffix, *told;
} seconds[] = {{"-sse2", ", with SSE2 alone in %u"},
               {"-avx2", ", with AVX2 and FMA in %u"},
               {"-aarch64", ", and as AArch64 under qemu in %u"},
               {"-qemu-user", ", and under Linux in %u"}};
enum { SECONDS = sizeof seconds / sizeof *seconds };

/* Which of them it is, by the end of its name, or SECONDS. */
static size_t second_of(const struct check *check)
{
    size_t i = 0;
    for (const char *end; i < SECONDS; i++) {
        end = strstr(check->name, seconds[i].suffix);
        if (end && strcmp(end, seconds[i].suffix) == 0)
            break;
    }
    return i;
}

/* Skipped for the same reason as the one before: it is told once. */
static bool is_repeated(const struct result *result, size_t i)
{
    const struct check *check = &result->checks[i];
    return i > 0 && check->verdict == VERDICT_SKIP && check[-1].verdict == VERDICT_SKIP &&
           strcmp(check->message, check[-1].message) == 0;
}

static int widest(const struct result *result)
{
    size_t width = sizeof "correctness" - 1;
    for (size_t i = 0; i < result->checks_count; i++)
        if (!is_plain(&result->checks[i]) && strlen(result->checks[i].name) > width)
            width = strlen(result->checks[i].name);
    return width > 40 ? 40 : (int)width;
}

/* In how many cases it is right; beside others that are not, which ones, as many as fit into a line. */
static void print_right(FILE *out, const struct result *result, int names, bool colour)
{
    unsigned cases[SECONDS + 1] = {0}, all = 0, points = 0, wrong = 0, more = 0;
    const size_t room = names < 25 ? 45 - (size_t)names : 21; /* of 80 columns */
    char done[46] = "", of_points[32] = "";
    for (const struct check *check = result->checks; check < result->checks + result->checks_count; check++) {
        const char *name = check->case_name ? check->case_name : check->name;
        if (check->kind != CHECK_CORRECTNESS)
            continue;
        points += check->points;
        wrong += check->verdict != VERDICT_PASS && check->verdict != VERDICT_SKIP;
        if (check->verdict != VERDICT_PASS)
            continue;
        cases[second_of(check)]++;
        all++;
        if (second_of(check) == SECONDS && more == 0 && strlen(done) + strlen(name) + 2 <= room)
            strings_append(done, sizeof done, ", ", name);
        else
            more += second_of(check) == SECONDS;
    }
    if (all == 0 || (wrong > 0 && !*done))
        return;
    if (wrong == 0)
        snprintf(of_points, sizeof of_points, "%u/%u", points, points);
    fprintf(out, "  %-*s  ", names, wrong ? "done so far" : "correctness");
    print_verdict(out, VERDICT_PASS, 8, colour);
    fprintf(out, "  %7s  ", of_points);
    if (wrong == 0)
        fprintf(out, "in %u case%s", cases[SECONDS], cases[SECONDS] == 1 ? "" : "s");
    else
        fputs(done, out);
    if (more > 0 && wrong > 0)
        fprintf(out, " and %u more", more);
    for (size_t i = 0; wrong == 0 && i < SECONDS; i++)
        if (cases[i] > 0)
            fprintf(out, seconds[i].told, cases[i]);
    fputc('\n', out);
}

static bool has_interval(const struct check *check)
{
    return check->has_measured && isfinite(check->low) && isfinite(check->high);
}

/* Widths of the columns for what was measured; an exact value has no interval, and then there is no column.
 */
struct columns {
    int names, measured, interval;
};

static struct columns columns_of(const struct result *result)
{
    struct columns columns = {.names = widest(result), .measured = 8};
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        char text[64];
        if (!check->has_measured)
            continue;
        int width = result_format_value(text, sizeof text, check->measured, check->unit);
        columns.measured = width > columns.measured ? width : columns.measured;
        columns.interval = has_interval(check) ? 17 : columns.interval;
    }
    return columns;
}

static void print_measured(FILE *out, const struct check *check, const struct columns *columns)
{
    char measured[64], low[32], high[32], range[80] = "", asked[96];
    result_format_value(measured, sizeof measured, check->measured, check->unit);
    result_format_value(low, sizeof low, check->low, NULL);
    result_format_value(high, sizeof high, check->high, NULL);
    result_format_asked(asked, sizeof asked, check);
    if (has_interval(check))
        snprintf(range, sizeof range, "(%s to %s)", low, high);
    fprintf(out, "  %-*s  ", columns->measured, measured);
    if (columns->interval)
        fprintf(out, "%-*s  ", columns->interval, range);
    if (strncmp(asked, "within", 6) != 0)
        fprintf(out, "%s ", check->metric ? check->metric : "");
    fputs(asked, out);
}

static void print_checks(FILE *out, const struct result *result, bool colour)
{
    const struct columns columns = columns_of(result);
    const int names = columns.names;
    if (result->checks_count == 0)
        return;
    fprintf(out, "\n  %-*s  %-8s   points  %-*s  ", names, "check", "verdict", columns.measured, "measured");
    if (columns.interval)
        fprintf(out, "%-*s  ", columns.interval, "99.9 % interval");
    fputs("asked for\n", out);
    print_right(out, result, names, colour);
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        char points[POINTS_BYTES + 16];
        if (is_plain(check))
            continue;
        points_text(points, sizeof points, check);
        fprintf(out, "  %-*s  ", names, check->name);
        print_verdict(out, check->verdict, *points || check->has_measured ? 8 : 0, colour);
        if (*points || check->has_measured)
            fprintf(out, "  %7s", points);
        if (check->has_measured)
            print_measured(out, check, &columns);
        fputc('\n', out);
    }
}

/* The verdict's line and the next one have said it already. */
static bool is_told(const struct result *result, const struct check *check)
{
    return !*check->message || (result->headline && strstr(result->headline, check->message)) ||
           (result->next && strstr(result->next, check->message));
}

/* What the checks that did not pass have to say. Where results are wrong, what to do next is said once: the
 * other cases mostly fail for the same reason. */
static void print_messages(FILE *out, const struct result *result)
{
    const char *before = "\n";
    bool wrong = false;
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        const bool again = wrong && check->kind == CHECK_CORRECTNESS;
        const bool next = check->next && !again && !(result->next && strstr(result->next, check->next));
        const bool message = !is_told(result, check);
        wrong = wrong || (check->verdict == VERDICT_FAIL && check->kind == CHECK_CORRECTNESS);
        if (check->verdict == VERDICT_PASS || is_repeated(result, i) || (!message && !next))
            continue;
        fprintf(out, "%s  %s%s:\n", before, check->name,
                i + 1 < result->checks_count && is_repeated(result, i + 1) ? " and those after it" : "");
        if (message)
            clean_print(out, check->message, "    ", MOST_LINES, MOST_BYTES);
        if (next)
            clean_print_wrapped(out, check->next, "    next: ", WIDTH, NEXT_BYTES);
        before = "";
    }
}

/* A build that went well has said where it is from, and then what the compiler warned of. */
static void print_warnings(FILE *out, const struct result *result)
{
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        const char *warnings = strchr(check->message, '\n');
        if (check->kind != CHECK_BUILD || check->verdict != VERDICT_PASS || !warnings)
            continue;
        fputs("\n  The compiler warns:\n", out);
        clean_print(out, warnings + 1, "    ", MOST_LINES, MOST_BYTES);
    }
}

static bool any_cycles(const struct result *result)
{
    for (size_t i = 0; i < result->measurements_count; i++)
        if (isfinite(result->measurements[i].cycles))
            return true;
    return false;
}

/* Those that the table has no column for. */
static void print_counters(FILE *out, const struct measurement *m)
{
    const char *before = "   ";
    for (int i = 0; i < PMU_EVENTS; i++) {
        char text[32];
        if (!m->counters.present[i] || i == PMU_CYCLES)
            continue;
        result_format_value(text, sizeof text, (double)m->counters.value[i] / (double)m->elements, NULL);
        fprintf(out, "%s%s %s", before, text, pmu_event_name((enum pmu_event)i));
        before = ", ";
    }
}

static void print_measurement(FILE *out, const struct measurement *m, bool cycles)
{
    const double elements = m->elements ? (double)m->elements : (double)NAN;
    char text[32];
    fprintf(out, "    %-12s", m->variant);
    if (cycles) {
        result_format_value(text, sizeof text, m->cycles / elements, NULL);
        fprintf(out, "%10s", text);
    }
    result_format_value(text, sizeof text, m->nanoseconds / elements, NULL);
    fprintf(out, "%10s%10zu", text, m->slices);
    if (m->elements)
        print_counters(out, m);
    if (m->disturbed)
        fprintf(out, "   (%zu disturbed)", m->disturbed);
    fputc('\n', out);
}

/* On a model: counts an element, and the rate at which loads miss. */
static void print_modelled(FILE *out, const struct measurement *m)
{
    static const enum model_event columns[] = {MODEL_CYCLES, MODEL_INSTRUCTIONS, MODEL_BRANCH_MISSES};
    const uint64_t *count = m->model.value;
    char text[32];
    fprintf(out, "    %-12s", m->variant);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        result_format_value(text, sizeof text, (double)count[columns[i]] / (double)m->elements, NULL);
        fprintf(out, "%14s", text);
    }
    if (count[MODEL_L1D_LOADS] > 0)
        fprintf(out, "%12.1f %%",
                100 * (double)count[MODEL_L1D_LOAD_MISSES] / (double)count[MODEL_L1D_LOADS]);
    fputc('\n', out);
}

/* What became of the dispatch slots, top-down. */
static void print_slots(FILE *out, const struct measurement *m)
{
    static const struct {
        enum model_event event;
        const char *name;
    } parts[] = {{MODEL_SLOTS_RETIRING, "retiring"},
                 {MODEL_SLOTS_BAD_SPECULATION, "bad speculation"},
                 {MODEL_SLOTS_FRONTEND, "frontend"},
                 {MODEL_SLOTS_BACKEND_CORE, "backend-core"},
                 {MODEL_SLOTS_BACKEND_MEMORY, "backend-memory"}};
    enum { PARTS = sizeof parts / sizeof *parts };
    double all = 0;
    for (size_t i = 0; i < PARTS; i++)
        all += (double)m->model.value[parts[i].event];
    fprintf(out, "    slots of the %s:", m->variant);
    for (size_t i = 0; i < PARTS && all > 0; i++)
        fprintf(out, "%s %s %.0f %%", i > 0 ? "," : "", parts[i].name,
                100 * (double)m->model.value[parts[i].event] / all);
    fputc('\n', out);
}

static void print_case_name(FILE *out, const struct measurement *m, const char *the, const char *of)
{
    fprintf(out, "\n  On `%s`, for ", m->case_name ? m->case_name : "");
    if (m->elements == 1)
        fputs("a call:\n", out);
    else
        fprintf(out, "each of %s%" PRIu64 " elements%s:\n", the, m->elements, of);
}

static void print_case_modelled(FILE *out, const struct measurement *m, bool first)
{
    if (first) {
        print_case_name(out, m, "", "");
        fprintf(out, "    %-12s%14s%14s%14s%14s\n", "", "cycles", "instructions", "mispredicted",
                "loads missing");
    }
    if (m->elements)
        print_modelled(out, m);
    if (m->elements && strcmp(m->variant, "student") == 0)
        print_slots(out, m);
}

/* Times say something where there is a baseline to hold them against. */
static bool is_of_interest(const struct result *result, const struct measurement *m)
{
    for (size_t i = 0; i < result->measurements_count; i++) {
        const struct measurement *other = &result->measurements[i];
        if (strcmp(other->variant, "baseline") == 0 && other->case_name && m->case_name &&
            strcmp(other->case_name, m->case_name) == 0)
            return true;
    }
    return false;
}

static void print_measurements(FILE *out, const struct result *result)
{
    const bool cycles = any_cycles(result);
    const char *last_case = NULL;
    for (size_t i = 0; i < result->measurements_count; i++) {
        const struct measurement *m = &result->measurements[i];
        const char *case_name = m->case_name ? m->case_name : "";
        if (!is_of_interest(result, m))
            continue;
        bool first = !last_case || strcmp(last_case, case_name) != 0;
        last_case = case_name;
        if (m->modelled) {
            print_case_modelled(out, m, first);
            continue;
        }
        if (first) {
            print_case_name(out, m, "the ", " of a slice");
            fprintf(out, "    %-12s%s%10s%10s\n", "", cycles ? "    cycles" : "", "ns", "slices");
        }
        print_measurement(out, m, cycles);
    }
}

static void print_score(FILE *out, const struct result *result)
{
    double certain, open;
    char points[POINTS_BYTES], more[POINTS_BYTES];
    if (isfinite(result->score)) {
        digest_points_text(points, sizeof points, result->score);
        fprintf(out, "%s of %" PRIu32 " points", points, result->max_score);
    } else if (result_is_open(result, &certain, &open)) {
        digest_points_text(points, sizeof points, certain);
        digest_points_text(more, sizeof more, open);
        fprintf(out, "%s of %" PRIu32 " points certain, %s open", points, result->max_score, more);
    } else {
        fprintf(out, "no score");
    }
}

void report_text_body(FILE *out, const struct result *result, bool colour)
{
    fprintf(out, "Exercise %u: ", result->number);
    clean_print_line(out, or_unknown(result->title), MOST_BYTES);
    fputc('\n', out);
    print_headline(out, result, colour);
    clean_print_wrapped(out, result->next ? result->next : "See the checks below.", "Next: ", WIDTH,
                        NEXT_BYTES);
    print_checks(out, result, colour);
    print_messages(out, result);
    print_warnings(out, result);
    print_measurements(out, result);
    if (result->remarks) {
        fputc('\n', out);
        clean_print(out, result->remarks, "  ", MOST_LINES, MOST_BYTES);
    }
    digest_student(out, "\n  ", result);
}

void report_text(FILE *out, const struct result *result, bool colour)
{
    report_text_body(out, result, colour);
    fprintf(out, "\n  %s, %s, ", or_unknown(result->on), or_unknown(result->isa));
    clean_print_line(out, or_unknown(result->cpu), MOST_BYTES);
    if (result->on && strcmp(result->on, "native") == 0)
        fprintf(out, ", tier %s", tier_name(result->tier));
    fprintf(out, ", %.1f s", result->seconds);
    if (result->source) {
        fputs("; graded: ", out);
        clean_print_line(out, result->source, MOST_BYTES);
        if (result->files) {
            fputs(": ", out);
            clean_print_line(out, result->files, MOST_BYTES);
        }
    }
    fputc('\n', out);
    print_verdict(out, result->verdict, 0, colour);
    fputs(": ", out);
    print_score(out, result);
    fprintf(out, ", exit status %d", result_exit_status(result));
    if (result->seed)
        fprintf(out, "; repeat it with SEED=%s", result->seed);
    fputc('\n', out);
}

void report_summary(FILE *out, struct result *const *results, size_t count, bool colour)
{
    double score = 0;
    uint64_t most = 0;
    size_t passed = 0, unscored = 0;
    bool one_seed = count > 0 && results[0]->seed;
    for (size_t i = 0; i < count; i++) {
        const struct result *r = results[i];
        char points[POINTS_BYTES] = "?";
        if (isfinite(r->score)) {
            digest_points_text(points, sizeof points, r->score);
            score += r->score;
        } else {
            unscored++;
        }
        most += r->max_score;
        passed += r->verdict == VERDICT_PASS;
        one_seed = one_seed && r->seed && strcmp(r->seed, results[0]->seed) == 0;
        fprintf(out, "  %2u  ", r->number);
        print_verdict(out, r->verdict, 8, colour);
        fprintf(out, "  %6s of %-4" PRIu32 "  ", points, r->max_score);
        clean_print_line(out, or_unknown(r->title), MOST_BYTES);
        fputc('\n', out);
        if (r->verdict != VERDICT_PASS) {
            fputs("                               ", out);
            clean_print_line(out, r->headline ? r->headline : "", MOST_BYTES);
            fputc('\n', out);
        }
        if (r->remarks)
            clean_print(out, r->remarks, "                               ", MOST_LINES, MOST_BYTES);
    }
    char sum[POINTS_BYTES];
    digest_points_text(sum, sizeof sum, score);
    fprintf(out, "%zu of %zu passed, %s of %" PRIu64 " points", passed, count, sum, most);
    if (unscored)
        fprintf(out, ", %zu without a score", unscored);
    fprintf(out, "; exit status %d", results_exit_status(results, count));
    if (one_seed)
        fprintf(out, "; repeat it with SEED=%s", results[0]->seed);
    fputc('\n', out);
}
