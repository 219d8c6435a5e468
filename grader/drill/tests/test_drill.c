/* Questions, what is kept of answers, and a session. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/textfile.h"
#include "grader/core/core_file.h"
#include "grader/drill/drill.h"
#include "grader/drill/drill_question.h"
#include "grader/drill/drill_schedule.h"
#include "harness/emu/decode.h"

static struct core core_named(const char *name)
{
    struct core core;
    struct error err;
    cr_assert(core_read(".", name, &core, &err), "%s", err.text);
    return core;
}

static char *new_folder(void)
{
    char *folder = strdup("/tmp/cyclelab-drill-XXXXXX");
    cr_assert(mkdtemp(folder));
    return folder;
}

static void remove_folder(char *folder)
{
    static const char *const names[] = {"drill.json", "drill.json.bak"};
    char path[256];
    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    cr_assert_eq(rmdir(folder), 0);
    free(folder);
}

/* What a session says to these answers. */
static char *session(struct drill_request request, const char *answers)
{
    struct error err;
    char *said = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)answers, strlen(answers), "r"), *out = open_memstream(&said, &size);
    request.root = ".";
    cr_assert(drill(&request, in, out, &err), "%s", err.text);
    fclose(in);
    fclose(out);
    return said;
}

Test(drill, loops_are_what_their_text_says)
{
    struct rng rng = {1};
    struct drill_loop loop;
    for (unsigned i = 0; i < 400; i++) {
        drill_loop_make(&rng, i % DRILL_THEMES, &loop);
        cr_assert(loop.count >= 3 && loop.count <= DRILL_OPS);
        for (unsigned k = 0; k < loop.count; k++) {
            struct decoded decoded;
            decode(loop.words[k], 4 * (uint64_t)k, &decoded);
            cr_assert_eq(decoded.verdict, DECODE_OK, "%s", loop.text[k]);
            cr_assert_lt(strlen(loop.text[k]), DRILL_TEXT - 1);
        }
        cr_assert_eq(loop.ops[loop.count - 1].branch, OP_CONDITIONAL);
    }
}

Test(drill, a_chain_of_additions_takes_their_latency)
{
    const struct core core = core_named("neoverse-n1");
    const struct drill_skill skill = {DRILL_CYCLES, DRILL_ONE_CHAIN, false};
    struct drill_question question;
    struct error err;
    bool number, found = false;
    for (uint64_t seed = 0; seed < 100 && !found; seed++) {
        cr_assert(drill_question_make(&skill, &core, seed, &question, &err), "%s", err.text);
        found = strncmp(question.loop.text[0], "fadd", 4) == 0;
    }
    cr_assert(found);
    const double cycles = 2.0 * (question.loop.count - 2); /* FADD: latency 2 */
    cr_assert_float_eq(question.answer, cycles, 0.02);
    char text[32];
    snprintf(text, sizeof text, "%g", cycles);
    cr_assert(drill_answer_is_right(&question, text, &number) && number);
    snprintf(text, sizeof text, "%g/2", 2 * cycles);
    cr_assert(drill_answer_is_right(&question, text, &number) && number);
    snprintf(text, sizeof text, "%g", cycles + 1);
    cr_assert(!drill_answer_is_right(&question, text, &number) && number);
}

Test(drill, what_is_no_number_is_no_answer)
{
    static const char *const texts[] = {"", "x", "4x", "4/", "4/0", "4/x", "inf", "nan", "--4"};
    const struct drill_question question = {.answer = 4};
    bool number;
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect(!drill_answer_is_right(&question, texts[i], &number), "%s", texts[i]);
        cr_expect(!number, "%s", texts[i]);
    }
}

Test(drill, each_skill_has_questions_on_each_core_of_its_kind)
{
    struct error err;
    struct drill_question question;
    struct drill_skill skill;
    unsigned asked = 0;
    char **names = core_list(".", &err);
    for (unsigned n = 0; names[n]; n++) {
        const struct core core = core_named(names[n]);
        for (unsigned i = 0; i < DRILL_SKILLS; i++) {
            if (!drill_skill_at(i, &skill) || skill.in_order != (core.kind == CORE_IN_ORDER))
                continue;
            cr_expect(drill_question_make(&skill, &core, i, &question, &err), "%s: skill %u: %s", names[n], i,
                      err.text);
            cr_expect_gt(question.answer, 0);
            asked++;
        }
    }
    textfile_names_free(names);
    cr_assert_gt(asked, 20);
}

Test(drill, what_was_wrong_comes_back_first)
{
    struct drill_schedule schedule = {0};
    const unsigned first = drill_schedule_next(&schedule, 100, DRILL_SKILLS);
    drill_schedule_answered(&schedule, first, 100, true);
    const unsigned second = drill_schedule_next(&schedule, 100, first);
    cr_assert_neq(second, first);
    drill_schedule_answered(&schedule, second, 100, false);
    const unsigned third = drill_schedule_next(&schedule, 100, second); /* not twice in a row */
    cr_assert_neq(third, second);
    drill_schedule_answered(&schedule, third, 100, true);
    cr_assert_eq(drill_schedule_next(&schedule, 100, third), second);
    cr_assert_eq(schedule.skills[second].box, 0);
}

Test(drill, what_was_right_comes_back_later_each_time)
{
    struct drill_schedule schedule = {0};
    static const uint32_t after[] = {1, 2, 4, 8, 16, 16};
    for (unsigned i = 0; i < sizeof after / sizeof after[0]; i++) {
        drill_schedule_answered(&schedule, 0, 1000, true);
        cr_expect_eq(schedule.skills[0].due, 1000 + after[i]);
    }
    drill_schedule_answered(&schedule, 0, 1000, false);
    cr_expect_eq(schedule.skills[0].due, 1000);
    cr_expect_eq(schedule.skills[0].asked, 7);
    cr_expect_eq(schedule.skills[0].right, 6);
}

Test(drill, what_is_due_comes_before_what_is_new)
{
    struct drill_schedule schedule = {0};
    const unsigned first = drill_schedule_next(&schedule, 100, DRILL_SKILLS);
    drill_schedule_answered(&schedule, first, 100, true);
    cr_expect_neq(drill_schedule_next(&schedule, 100, DRILL_SKILLS), first);
    cr_expect_eq(drill_schedule_next(&schedule, 101, DRILL_SKILLS), first);
}

Test(drill, what_is_kept_is_read_again)
{
    char *folder = new_folder();
    struct drill_schedule schedule = {0}, again;
    struct error err;
    cr_assert(drill_schedule_read(folder, &again, &err), "%s", err.text); /* nothing is kept yet */
    drill_schedule_answered(&schedule, 3, 20000, true);
    drill_schedule_answered(&schedule, 5, 20000, false);
    cr_assert(drill_schedule_write(folder, &schedule, &err), "%s", err.text);
    cr_assert(drill_schedule_read(folder, &again, &err), "%s", err.text);
    for (unsigned i = 0; i < DRILL_SKILLS; i++) {
        const struct drill_memory *a = &schedule.skills[i], *b = &again.skills[i];
        cr_assert(a->box == b->box && a->due == b->due && a->asked == b->asked && a->right == b->right);
    }
    remove_folder(folder);
}

Test(drill, a_broken_file_is_told_and_set_aside)
{
    char *folder = new_folder(), path[256], aside[300];
    struct drill_schedule schedule;
    struct error err;
    snprintf(path, sizeof path, "%s/drill.json", folder);
    snprintf(aside, sizeof aside, "%s.bak", path);
    FILE *file = fopen(path, "w");
    fputs("{\"schema\": 1, \"skills\": [[0, 0.5, 0, 0]]}", file);
    fclose(file);
    cr_assert(!drill_schedule_read(folder, &schedule, &err));
    cr_assert(strstr(err.text, "drill.json"), "%s", err.text);
    char *said = session((struct drill_request){.state = folder, .questions = 1, .seed = "a"}, "\n");
    cr_assert(strstr(said, "set aside"), "%s", said);
    cr_assert_eq(access(aside, F_OK), 0);
    cr_assert(drill_schedule_read(folder, &schedule, &err), "%s", err.text);
    free(said);
    remove_folder(folder);
}

Test(drill, a_session_counts_and_ends)
{
    char *folder = new_folder();
    char *said =
        session((struct drill_request){.state = folder, .questions = 4, .seed = "a"}, "what\n1e9\n\nq\n");
    cr_assert(strstr(said, "found `what`"), "%s", said);
    cr_assert(strstr(said, "3 of 4."), "%s", said);
    cr_assert(strstr(said, "0 right, 1 wrong, 1 shown"), "%s", said);
    free(said);
    remove_folder(folder);
}

Test(drill, a_sheet_has_all_answers)
{
    char *said = session(
        (struct drill_request){.questions = 24, .seed = "a", .sheet = true, .core = "cortex-a55"}, " ");
    unsigned answers = 0;
    for (const char *at = said; (at = strstr(at, "The answer is ")); at++)
        answers++;
    cr_assert_eq(answers, 24);
    cr_assert(strstr(said, "how many times faster"));
    cr_assert(!strstr(said, "neoverse"));
    free(said);
}

/* A vector operation may be two micro-operations. */
Test(drill, the_width_is_the_sum_that_is_shown)
{
    char *said = session(
        (struct drill_request){.questions = 60, .seed = "a", .sheet = true, .core = "cortex-a72"}, " ");
    unsigned shown = 0;
    double cycles, operations, width;
    for (const char *at = said; (at = strstr(at, "  width  ")); at++, shown++) {
        cr_assert_eq(
            sscanf(at, "  width %lf %lf micro-operations, %lf a cycle", &cycles, &operations, &width), 3,
            "%.60s", at);
        cr_expect_float_eq(cycles, operations / width, 0.006, "%.60s", at);
    }
    cr_assert_geq(shown, 60);
    free(said);
}

Test(drill, without_a_state_that_can_be_written_it_goes_on)
{
    char *said = session((struct drill_request){.state = "/dev/null/x", .questions = 2, .seed = "a"}, "\n\n");
    const char *told = strstr(said, "No answer is kept: /dev/null");
    cr_assert(told, "%s", said);
    cr_expect_null(strstr(told + 1, "No answer is kept"));
    cr_expect(strstr(said, "0 right, 0 wrong, 2 shown.\n"), "%s", said);
    free(said);
}
