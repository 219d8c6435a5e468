#include "grader/check/correctness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANDOM_TRIALS = 8,
    MOST = 4999,                  /* elements of a random trial, */
    MOST_MODELLED = 1050,         /* and where every instruction is looked at */
    NEARLY = 64,                  /* as long as a timed call, but for so many at the most */
    TRIES = 3,                    /* of what reads a clock */
    REHEARSED = 8,                /* calls at least, */
    REHEARSED_ELEMENTS = 1 << 19, /* where they have no more elements together, */
    REHEARSED_MODELLED = 1 << 15, /* and where every instruction is looked at; */
    REHEARSED_PARTS = 16, /* where one part stands still at times that are drawn: it may be over by then */
};

static const size_t larger[] = {63, 64, 65, 127, 255, 1000, 1023, 1025, 4099};

/* What plan_trials() has beside every n from 0 to `largest`. */
enum { BESIDES = 32 + sizeof larger / sizeof *larger + RANDOM_TRIALS + 2 };

/* Every n from 0 to `largest` with the end of each buffer at a guard; some with the start at a guard; then
 * larger ones, and random ones of which each buffer is aligned by chance. Where calls are timed one
 * that is nearly as long, and one that is a little longer: code that is right for the timed length alone is
 * found out. */
static size_t plan_trials(const struct correctness *what, struct layout_call *trials)
{
    struct draw draw;
    draw_begin(&draw, what->seed);
    size_t count = 0, largest = what->largest, most = what->modelled ? MOST_MODELLED : MOST;
    if (what->def->once) {
        trials[0] =
            (struct layout_call){what->def->elements ? what->def->elements : what->once, ARENA_AT_END};
        return 1;
    }
    for (size_t n = 0; n <= largest; n++)
        trials[count++] = (struct layout_call){n, ARENA_AT_END};
    for (size_t n = 1; n <= largest; n = n * 2 + 1)
        trials[count++] = (struct layout_call){n, ARENA_AT_START};
    for (size_t i = 0; i < sizeof larger / sizeof *larger && larger[i] <= most; i++)
        trials[count++] = (struct layout_call){larger[i], i % 2 ? ARENA_AT_START : ARENA_AT_END};
    for (size_t i = 0; i < RANDOM_TRIALS; i++)
        trials[count++] = (struct layout_call){draw_below(&draw, most + 1), ARENA_ANYWHERE};
    if (what->once > most) {
        trials[count++] =
            (struct layout_call){what->once - 1 - 2 * draw_below(&draw, NEARLY / 2), ARENA_AT_END};
        trials[count++] = (struct layout_call){what->once + 1 + draw_below(&draw, NEARLY), ARENA_AT_END};
    }
    return count;
}

/* The plan that is timed, call for call and place for place. Whoever is right for what is timed alone can
 * tell it by its contents only, and those are others here. */
static size_t plan_rehearsal(const struct correctness *what, struct layout_call *trials)
{
    for (uint32_t i = 0; i < what->calls; i++)
        trials[i] = (struct layout_call){what->elements, ARENA_AT_START};
    return what->calls;
}

size_t correctness_plans(const struct correctness *what)
{
    const uint64_t elements = (uint64_t)what->calls * what->elements;
    if (what->calls == 0 || elements == 0)
        return 1;
    const bool drawn = what->def->parts > 1 && !what->modelled;
    const size_t wanted = ((drawn ? REHEARSED_PARTS : REHEARSED) + what->calls - 1) / what->calls,
                 most = (what->modelled ? REHEARSED_MODELLED : REHEARSED_ELEMENTS) / elements;
    return drawn || wanted < most ? wanted : most == 0 ? 1 : most;
}

/* Of a hidden case, whatever is wrong with it. */
static void tell_call(const struct layout *layout, size_t call, const char *what, struct fault_text *text)
{
    char n[LAYOUT_N];
    *text = (struct fault_text){0};
    snprintf(text->message, sizeof text->message, "call %zu%s %s; this case is hidden", call + 1,
             layout_n(layout, call, ", with ", ",", n), what);
    snprintf(text->next, sizeof text->next,
             "Try inputs of your own: which have the cases that you see not tried?");
}

/* What was finished before a crash may hold the first mistake. */
static bool find_mistake(const struct correctness *what, struct layout *layout, size_t finished,
                         size_t *failed, struct fault_text *text)
{
    struct finding why;
    char n[LAYOUT_N];
    for (size_t i = 0; i < finished && i < layout_count(layout); i++) {
        if (layout_verify(layout, i, &why))
            continue;
        *failed = i;
        if (what->hidden) {
            tell_call(layout, i, "is not right", text);
            return true;
        }
        *text = (struct fault_text){0};
        snprintf(text->message, sizeof text->message, "%s%s",
                 layout_n(layout, i, "wrong result with ", ": ", n), why.text);
        return true;
    }
    return false;
}

/* *again: with the inputs of the last time. Afterwards: the calls came to their end, but a result is wrong.
 */
static enum correctness_outcome try_once(const struct correctness *what, struct trials *trials,
                                         struct layout *layout, bool *again, size_t *failed,
                                         struct fault_text *text)
{
    enum trial_outcome outcome = TRIAL_KILLED;
    size_t finished = 0;
    for (int attempt = 0; outcome == TRIAL_KILLED && attempt < 2; attempt++) {
        *text = (struct fault_text){0};
        if (*again)
            layout_fill_again(layout, layout_count(layout));
        else
            layout_fill(layout, layout_count(layout));
        outcome = trials->execute(trials, layout, &finished, text);
    }
    *again = false;
    if (outcome == TRIAL_ERROR)
        return CORRECTNESS_ERROR;
    if (outcome == TRIAL_NO_START)
        return CORRECTNESS_NO_START;
    /* An address or a line, chosen by the code, would tell what it has been given. */
    const bool breaks_rule = outcome == TRIAL_RULE || outcome == TRIAL_MADE_UP;
    if (what->hidden && outcome != TRIAL_DONE) /* what was made up is found behind all calls */
        tell_call(layout, finished < layout_count(layout) ? finished : finished - 1,
                  breaks_rule ? "did what no submission may" : "is not right", text);
    if (outcome == TRIAL_RULE)
        return CORRECTNESS_RULE;
    if (find_mistake(what, layout, finished, failed, text)) {
        *again = outcome == TRIAL_DONE;
        return INCORRECT;
    }
    *failed = finished;
    if (outcome == TRIAL_MADE_UP)
        return CORRECTNESS_RULE;
    if (outcome == TRIAL_UNDEFINED)
        return CORRECTNESS_UNDEFINED;
    if (outcome == TRIAL_DONE)
        return CORRECT;
    return INCORRECT;
}

/* A core that is slow for a moment makes any answer wrong that hangs on a clock: not three times. */
static enum correctness_outcome try_it(const struct correctness *what, struct trials *trials,
                                       struct layout *layout, size_t *failed, struct fault_text *text)
{
    enum correctness_outcome outcome = INCORRECT;
    bool again = false;
    for (int attempt = 1; attempt <= TRIES; attempt++) {
        outcome = try_once(what, trials, layout, &again, failed, text);
        if (!again || !what->def->reads_clock || !trials->renew)
            break;
        trials->renew(trials);
    }
    return outcome;
}

static enum correctness_outcome try_all(const struct correctness *what, struct trials *trials,
                                        struct layout *layout, size_t *failed, struct fault_text *text)
{
    enum correctness_outcome outcome = try_it(what, trials, layout, failed, text);
    for (unsigned round = 1; outcome == CORRECT && what->def->parts > 1 && round < trials->rounds; round++)
        outcome = try_it(what, trials, layout, failed, text);
    return outcome;
}

struct layout *correctness_open(const struct correctness *what, struct arena *arena, struct error *err)
{
    struct layout *layout = NULL;
    if (what->calls > CORRECTNESS_MOST || what->largest >= CORRECTNESS_MOST - BESIDES) {
        error_set(err, "case `%s` with %" PRIu32 " calls and n up to %" PRIu32 ": there is room for %d calls",
                  what->def->name, what->calls, what->largest, CORRECTNESS_MOST);
        return NULL;
    }
    struct layout_call *wanted = calloc(CORRECTNESS_MOST, sizeof *wanted);
    if (wanted) {
        const struct layout_request request = {.def = what->def,
                                               .calls = wanted,
                                               .count = what->calls > 0 ? plan_rehearsal(what, wanted)
                                                                        : plan_trials(what, wanted),
                                               .timed = what->calls > 0,
                                               .modelled = what->modelled,
                                               .fma = what->fma,
                                               .seed = what->seed,
                                               .student = what->student,
                                               .cache_bytes = what->cache_bytes};
        layout = layout_open(arena, &request, err);
    } else {
        error_set(err, "out of memory");
    }
    free(wanted);
    return layout;
}

enum correctness_outcome correctness_run(const struct correctness *what, struct arena *arena,
                                         struct trials *trials, size_t *calls, struct failed_call *failed,
                                         struct fault_text *text)
{
    enum correctness_outcome outcome = CORRECTNESS_ERROR;
    struct error err;
    struct layout *layout = correctness_open(what, arena, &err);

    *text = (struct fault_text){0};
    *calls = 0;
    *failed = (struct failed_call){0};
    if (layout) {
        const size_t plans = correctness_plans(what), each = layout_count(layout);
        *calls = plans * each;
        outcome = CORRECT;
        for (size_t i = 0; i < plans && outcome == CORRECT; i++) {
            size_t call = each;
            outcome = try_all(what, trials, layout, &call, text);
            failed->call = outcome == INCORRECT && call < each ? call + i * each : *calls;
            failed->filling = layout_filling(layout);
        }
    } else {
        snprintf(text->message, sizeof text->message, "%s", err.text);
    }
    layout_close(layout);
    return outcome;
}
