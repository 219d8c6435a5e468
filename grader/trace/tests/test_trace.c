#include "grader/tests/built.h"
#include "grader/tests/scratch.h"

#include "grader/base/spawn.h"
#include "grader/base/textfile.h"
#include "grader/reports/page.h"
#include "grader/trace/annex.h"
#include "grader/trace/trace.h"

TestSuite(trace, .init = scratch_make, .fini = scratch_remove);

static bool can_run(void)
{
    return is_built("04-accumulators", "aarch64") && spawn_finds("aarch64-linux-gnu-gcc");
}

/* Exercise 4; what was said, malloc'ed. */
static int traced(struct trace_request request, char **text, struct error *err)
{
    size_t size;
    struct exercise *exercise = exercise_read(".", "04-accumulators", err);
    cr_assert(exercise, "%s", err->text);
    FILE *out = open_memstream(text, &size);
    request.look.root = ".";
    request.look.build = build_folder();
    request.look.seed = "1";
    request.count = request.count ? request.count : TRACE_COUNT;
    int status = trace_exercise(&request, exercise, out, err);
    fclose(out);
    exercise_free(exercise);
    return status;
}

static void expect_in_file(const struct trace_request *request, const char *part)
{
    struct error err = {""};
    char *said;
    cr_assert_eq(traced(*request, &said, &err), 0, "%s", err.text);
    free(said);
    char *text = textfile_read(request->file, 1 << 22, NULL, &err);
    cr_assert(text, "%s", err.text);
    cr_expect(strstr(text, part), "%s: no %s", request->file, part);
    free(text);
}

Test(trace, the_chain_is_marked_in_text)
{
    struct error err = {""};
    char *text;
    if (!can_run())
        scratch_skip("the AArch64 side is not built");
    for (int core = 0; core < 2; core++) {
        const struct trace_request request = {
            .look = {.core = core ? "cortex-a55" : "neoverse-n1", .variant = VARIANT_BASELINE},
            .colour = core == 0};
        cr_assert_eq(traced(request, &text, &err), 0, "%s", err.text);
        cr_expect(strstr(text, "* fadd s0, s0, s1"), "%s", text);
        cr_expect(strstr(text, "which binds"), "%s", text);
        free(text);
    }
}

Test(trace, files_go_by_their_endings)
{
    struct trace_request request = {.look = {.variant = VARIANT_REFERENCE, .core = "cortex-a72"}};
    if (!can_run())
        scratch_skip("the AArch64 side is not built");
    request.file = scratch_path("t.svg");
    expect_in_file(&request, "aria-label=\"Pipeline timeline. the reference: 40 instructions");
    request.file = scratch_path("t.html");
    expect_in_file(&request, "<th scope=\"col\">waits, cycles</th>");
    request.file = scratch_path("t.kanata");
    request.count = 2000;
    expect_in_file(&request, "Kanata\t0004\nC=\t");
}

Test(trace, wrong_requests_are_told)
{
    struct error err = {""};
    char *text;
    cr_expect_eq(traced((struct trace_request){.file = "t.png"}, &text, &err), 2);
    cr_expect(strstr(err.text, "found `t.png`"), "%s", err.text);
    free(text);
    cr_expect_eq(traced((struct trace_request){.count = TRACE_DRAWN + 1}, &text, &err), 2);
    cr_expect(strstr(err.text, "N: expected 1 to 500"), "%s", err.text);
    free(text);
    cr_expect_eq(traced((struct trace_request){.file = scratch_path("none/t.svg")}, &text, &err), 2);
    cr_expect(strstr(err.text, "/none: No such file"), "%s", err.text);
    free(text);
}

Test(trace, an_annex_has_code_and_both_timelines)
{
    struct error err = {""};
    if (!can_run())
        scratch_skip("the AArch64 side is not built");
    scratch_write("sum.c", "#include \"exercise.h\"\n"
                           "float sum(const float *v, size_t n)\n{\n    float s = 0;\n"
                           "    for (size_t i = 0; i < n; i++)\n        s += v[i]; /* here */\n"
                           "    return s;\n}\n");
    struct exercise *exercise = exercise_read(".", "04-accumulators", &err);
    cr_assert(exercise, "%s", err.text);
    const struct look_request request = {.root = ".",
                                         .build = build_folder(),
                                         .source = scratch_root,
                                         .variant = VARIANT_STUDENT,
                                         .seed = "1"};
    char *annex = annex_make(&request, exercise);
    cr_assert(annex);
    cr_expect(strstr(annex, "s += v[i]; /* here */"));
    cr_expect(strstr(annex, "your code: 40 instructions"));
    cr_expect(strstr(annex, "the stub: 40 instructions"));
    free(annex);
    scratch_write("sum.c", "no C\n");
    annex = annex_make(&request, exercise); /* a sweep's curve may be there */
    cr_expect(!annex || !strstr(annex, "instructions"));
    free(annex);
    exercise_free(exercise);
}

/* ---- spans ---- */

Test(trace, spans_follow_each_other)
{
    const struct trace trace = {.in_order = false};
    const struct trace_row row = {.step = {.fetch = 3,
                                           .dispatch = 5,
                                           .ready = 8,
                                           .issue = 10,
                                           .complete = 14,
                                           .commit = 20,
                                           .operand_wait = MODEL_WAIT_LOAD,
                                           .level = 3}};
    struct trace_span spans[TRACE_SPANS];
    unsigned count = trace_spans(&trace, &row, spans);
    cr_assert_eq(count, 7);
    for (unsigned i = 1; i < count; i++)
        cr_expect_eq(spans[i].from, spans[i - 1].to);
    cr_expect_eq(spans[2].wait, MODEL_WAIT_LOAD);
    cr_expect_eq(spans[3].wait, MODEL_WAIT_PORT);
    cr_expect_eq(spans[4].wait, MODEL_WAIT_MEMORY);
    cr_expect_eq(spans[6].to, 21);
}

/* ---- rounds ---- */

/* The first of the rows is the start of all, not of a round, where everything is shown. */
Test(trace, a_line_is_drawn_where_a_round_begins)
{
    struct trace_place place = {.text = "nop"};
    struct trace_row rows[7] = {{.number = 0}};
    const struct trace trace = {.what = "it", .head = 2, .last = 9, .rows = rows, .count = 7};
    static const uint32_t sites[] = {1, 2, 3, 2, 3, 1, 4}; /* 1 is no head */
    for (uint32_t i = 0; i < trace.count; i++)
        rows[i] = (struct trace_row){
            .number = i, .place = &place, .chain = TRACE_NONE, .step = {.site = sites[i], .commit = i}};
    for (unsigned from = 0; from < 2; from++) {
        const struct trace *const all[] = {&trace};
        char *text = NULL;
        size_t size;
        unsigned lines = 0;
        FILE *out = open_memstream(&text, &size);
        rows[0].number = from;
        trace_figure(out, all, 1, 0);
        fclose(out);
        for (const char *at = text; (at = strstr(at, "<line class=\"r\"")); at++)
            lines++;
        cr_expect_eq(lines, 2);
        cr_expect(strstr(text, from ? "In the middle of the loop's rounds: " : "From the start: "));
        free(text);
    }
}

/* ---- letters ---- */

/* What a picture or text of one instruction says that waits for this in cycles 1 to 3. */
static char *drawn_wait(enum model_wait wait, void (*draw)(FILE *, const struct trace *))
{
    struct trace_place place = {.text = "nop"};
    struct trace_row row = {
        .place = &place,
        .chain = TRACE_NONE,
        .step = {.issue = 4, .complete = 5, .commit = 5, .operand_wait = wait, .ready = 4}};
    const struct trace trace = {.what = "it", .last = 6, .rows = &row, .count = 1};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    draw(out, &trace);
    fclose(out);
    return text;
}

static void draw_text(FILE *out, const struct trace *trace)
{
    trace_text(out, trace, false);
}

static void draw_picture(FILE *out, const struct trace *trace)
{
    trace_svg(out, &trace, 1);
}

static void draw_legend(FILE *out, const struct trace *trace)
{
    trace_legend(out, &trace, 1);
}

static void expect_drawn(enum model_wait wait, void (*draw)(FILE *, const struct trace *), const char *part)
{
    char *text = drawn_wait(wait, draw);
    cr_expect(strstr(text, part), "%s: no %s in: %s", model_wait_name(wait), part, text);
    free(text);
}

Test(trace, each_wait_has_its_letter_and_stands_in_every_legend)
{
    struct error err = {""};
    char seen[MODEL_WAIT_COUNT + 8] = ".DE-C", part[96];
    char *page = textfile_read("docs/trace.md", 1 << 20, NULL, &err);
    cr_assert(page, "%s", err.text);
    const char *letters = strstr(page, "| `o ");
    cr_assert(letters);
    for (enum model_wait wait = 0; wait < MODEL_WAIT_WIDTH; wait++) {
        const char letter = trace_wait_letter(wait), *name = model_wait_name(wait);
        cr_assert(letter > ' ', "%s", name);
        cr_expect_null(strchr(seen, letter), "%c stands for %s and for something else", letter, name);
        seen[strlen(seen)] = letter;
        cr_expect(memchr(letters, letter, strcspn(letters + 3, "`") + 3), "docs/trace.md: no `%c`", letter);
        snprintf(part, sizeof part, ".w%c{fill:#", letter);
        cr_expect(strstr(page_timeline_style, part), "no colour for %s", name);
        snprintf(part, sizeof part, "D%c%c%cEC", letter, letter, letter);
        expect_drawn(wait, draw_text, part);
        snprintf(part, sizeof part, "waits for: %c %s\n", letter, name);
        expect_drawn(wait, draw_text, part);
        snprintf(part, sizeof part, "<rect class=\"w%c\"", letter);
        expect_drawn(wait, draw_picture, part);
        expect_drawn(wait, draw_legend, part);
        snprintf(part, sizeof part, ">%c</text>", letter);
        expect_drawn(wait, draw_picture, part);
        snprintf(part, sizeof part, ">waits: %s</text>", name);
        expect_drawn(wait, draw_picture, part);
    }
    free(page);
}
