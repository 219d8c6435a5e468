/* The oracle of metrics.c: numbers that are drawn, and what is to be made of them. */
#ifndef FIGURES_H
#define FIGURES_H

#include <inttypes.h>
#include <math.h>
#include "grader/exercise/cases.h"
#include "glue.h"

static void fill_metrics(struct lab *lab, struct call *call)
{
    struct metrics_args *args = call->args;
    /* of two thirds of the calls with more than 32 bits, of half of these with more than a double has */
    const uint64_t cycles = draw_below(&lab->draw, 1 << 30) << (call->n % 3 == 0   ? 12
                                                                : call->n % 3 == 1 ? 30
                                                                                   : 0);
    const uint64_t width = 2 + draw_below(&lab->draw, 7);
    *args = (struct metrics_args){.width = width,
                                  .high = draw_next(&lab->draw) >> (32 + draw_below(&lab->draw, 32)),
                                  .low = draw_next(&lab->draw) >> 32};
    args->number[1] = call->n % 5 == 1 ? 0 : cycles;
    /* in the first call more than one a cycle: an integer quotient shows what it lacks */
    const uint64_t least = call->n == 0 ? cycles : 0;
    args->number[0] = call->n % 5 == 2 ? 0 : least + draw_below(&lab->draw, cycles * width - least + 1);
    args->number[2] = draw_below(&lab->draw, cycles + 1);
    args->number[3] = call->n % 5 == 3 ? 0 : args->number[2] + draw_below(&lab->draw, cycles + 1);
}

static double quotient(double x, double y)
{
    return y == 0 ? 0 : x / y;
}

static bool near(double found, double expected)
{
    return fabs(found - expected) <= 1e-9 * fabs(expected) + 1e-12;
}

static bool figure_is(const char *what, double found, double expected, const char *hint, struct finding *why)
{
    if (near(found, expected))
        return true;
    if (!isfinite(found))
        hint = "; something was divided by 0";
    else if (!*hint && expected != 0 && found == 0)
        hint = "; not done yet? A quotient of integers below 1 is 0, too";
    else if (!*hint && found == floor(expected))
        hint = "; a quotient of integers has no fraction";
    else if (!*hint && near(found, 100 * expected))
        hint = "; it is in percent";
    return finding(why, "%s is %.9g, expected %.9g%s", what, found, expected, hint);
}

static struct top_down expected_slots(const struct metrics_args *args)
{
    const uint64_t *number = args->number;
    const double slots = (double)number[1] * (double)args->width;
    struct top_down shares = {.retiring = quotient((double)number[0], slots),
                              .back_end = quotient((double)number[2], slots),
                              .front_end = quotient((double)number[3], slots)};
    const double rest = slots == 0 ? 0 : 1 - shares.retiring - shares.back_end - shares.front_end;
    shares.bad_speculation = rest > 0 ? rest : 0;
    return shares;
}

static bool verify_metrics(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct metrics_args *args = call->args;
    const uint64_t *number = args->number;
    const struct metrics_result *r = call->result;
    const uint64_t whole = args->high << 32 | args->low,
                   off = r->whole > whole ? r->whole - whole : whole - r->whole;
    const double rate = quotient((double)number[2], (double)number[3]);
    const double mpki = quotient(1000 * (double)number[2], (double)number[0]);
    const struct top_down expected = expected_slots(args);
    (void)lab;
    if (r->whole != whole)
        return finding(
            why,
            "whole_count of %" PRIu64 " overflows and %" PRIu64 " is %" PRIu64 ", expected %" PRIu64 "%s",
            args->high, args->low, r->whole, whole,
            r->whole == (uint32_t)whole ? "; no overflow is in it: not done yet? A shift by 32 needs 64 bits"
            : whole >> 53 && off <= whole >> 50 ? "; the low bits are lost: a double has 53 bits"
                                                : "");
    return figure_is("ipc", r->ipc, quotient((double)number[0], (double)number[1]),
                     near(r->ipc, quotient((double)number[1], (double)number[0]))
                         ? "; it is upside down: cycles of an instruction"
                         : "",
                     why) &&
           figure_is("per_thousand", r->per_thousand, mpki,
                     near(r->per_thousand * 1000, mpki) ? "; it is in one instruction, not in 1,000"
                     : number[2] > UINT64_MAX / 1000
                         ? "; 1,000 times the events may not fit into 64 bits: convert them first"
                         : "",
                     why) &&
           figure_is("miss_rate", r->miss_rate, rate,
                     near(r->miss_rate, quotient((double)number[2], (double)(number[2] + number[3])))
                         ? "; accesses are all of them, the misses among them"
                         : "",
                     why) &&
           figure_is("top_down's retiring", r->top_down.retiring, expected.retiring,
                     near(r->top_down.retiring, (double)args->width * expected.retiring)
                         ? "; it is of the cycles, not of the slots"
                         : "",
                     why) &&
           figure_is("top_down's back_end", r->top_down.back_end, expected.back_end, "", why) &&
           figure_is("top_down's front_end", r->top_down.front_end, expected.front_end, "", why) &&
           figure_is("top_down's bad_speculation", r->top_down.bad_speculation, expected.bad_speculation,
                     "; what is left, and not below 0", why);
}

#endif
