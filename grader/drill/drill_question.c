#include "grader/drill/drill_question.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/loops/loop_bounds.h"

/* Answers are multiples of 1 / PARTS, as nearly as 1 / (100 PARTS). */
enum { PARTS = 12, TRIES = 400 };

struct bounds {
    struct loop_chain chain;
    struct loop_ports ports;
    struct loop_ratio width;
    double of_chain, of_ports, of_width;
};

static bool find_bounds(const struct core *core, const struct drill_loop *loop, struct bounds *bounds,
                        struct error *err)
{
    uint64_t executions[DRILL_OPS];
    for (unsigned i = 0; i < loop->count; i++)
        executions[i] = 1;
    if (!loop_chain(core, loop->ops, loop->count, NULL, 0, &bounds->chain, err))
        return false;
    loop_ports(core, loop->ops, executions, loop->count, 1, &bounds->ports);
    bounds->of_chain = loop_ratio_value(bounds->chain.ratio);
    bounds->of_ports = loop_ratio_value(bounds->ports.ratio);
    bounds->width = loop_width(core, loop->ops, executions, loop->count, 1);
    bounds->of_width = loop_ratio_value(bounds->width);
    return true;
}

static bool plain(double answer)
{
    return fabs(answer * PARTS - round(answer * PARTS)) < 0.01;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 0.01 * b;
}

/* 1, 2 or 3 where one of the bounds is what the loop takes, and the others are far below; else 0. */
static unsigned what_binds(const struct bounds *bounds, double cycles)
{
    const double of[] = {bounds->of_chain, bounds->of_ports, bounds->of_width};
    unsigned found = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (near(cycles, of[i]))
            found = found ? 4 : i + 1;
        else if (of[i] > 0.8 * cycles)
            return 0;
    }
    return found < 4 ? found : 0;
}

bool drill_skill_at(unsigned index, struct drill_skill *skill)
{
    *skill = (struct drill_skill){.theme = index / (2 * DRILL_KINDS) % DRILL_THEMES,
                                  .kind = index / 2 % DRILL_KINDS,
                                  .in_order = index % 2 != 0};
    /* One chain has no gain to ask for but the next theme's; what binds it is no question. */
    return index < DRILL_SKILLS && (skill->kind == DRILL_CYCLES || skill->theme == DRILL_CHAINS ||
                                    (skill->kind == DRILL_BINDS && skill->theme != DRILL_ONE_CHAIN));
}

/* Half the chains of a loop of chains: the same instructions, results in half as many registers. */
static void with_fewer_chains(struct rng *rng, struct drill_loop *few, struct drill_loop *many)
{
    do
        drill_loop_make(rng, DRILL_CHAINS, many);
    while (many->count % 2 != 0);
    *few = *many;
    const unsigned chains = many->count - 2, half = chains / 2;
    for (unsigned i = half; i < chains; i++) { /* the second half repeats the first one */
        few->ops[i] = few->ops[i - half];
        few->ops[i].address = many->ops[i].address;
        few->words[i] = few->words[i - half];
        memcpy(few->text[i], few->text[i - half], DRILL_TEXT);
    }
}

/* One try. 1: a question; 0: not this one; -1: memory is short. */
static int try_question(struct rng *rng, struct drill_question *question, struct error *err)
{
    const struct core *core = question->core;
    struct loop_ratio alone, other = {0, 1};
    struct bounds bounds;
    if (question->skill.kind == DRILL_GAIN)
        with_fewer_chains(rng, &question->loop, &question->other);
    else
        drill_loop_make(rng, question->skill.theme, &question->loop);
    if (!loop_alone(core, question->loop.ops, question->loop.count, &alone, err) ||
        !find_bounds(core, &question->loop, &bounds, err))
        return -1;
    question->cycles = loop_ratio_value(alone);
    question->answer = question->cycles;
    if (question->skill.kind == DRILL_BINDS) {
        question->answer = what_binds(&bounds, question->cycles);
        return question->answer > 0;
    }
    if (question->skill.kind == DRILL_GAIN) {
        if (!loop_alone(core, question->other.ops, question->other.count, &other, err))
            return -1;
        question->other_cycles = loop_ratio_value(other);
        question->answer = question->cycles / question->other_cycles;
        return plain(question->cycles) && plain(question->other_cycles);
    }
    return plain(question->answer);
}

bool drill_question_make(const struct drill_skill *skill, const struct core *core, uint64_t seed,
                         struct drill_question *question, struct error *err)
{
    struct rng rng = {seed};
    *question = (struct drill_question){.skill = *skill, .core = core};
    for (int i = 0; i < TRIES; i++) {
        const int found = try_question(&rng, question, err);
        if (found != 0)
            return found > 0;
    }
    return error_set(err, "no question of this kind was found for %s", core->name);
}

static void print_loop(const struct drill_loop *loop, FILE *out)
{
    for (unsigned i = 0; i < loop->count; i++)
        fprintf(out, "  %s %2u  %s\n", i == 0 ? "1:" : "  ", i + 1, loop->text[i]);
}

void drill_question_print(const struct drill_question *question, FILE *out)
{
    switch (question->skill.kind) {
    case DRILL_CYCLES:
        fprintf(out, "%s: how many cycles does a round of this loop take?\n\n", question->core->name);
        break;
    case DRILL_BINDS:
        fprintf(out, "%s: what binds this loop? 1: a chain of results, 2: ports, 3: the width\n\n",
                question->core->name);
        break;
    default:
        fprintf(
            out,
            "%s: how many times faster is the second loop than the first? (1 where nothing is gained)\n\n",
            question->core->name);
    }
    print_loop(&question->loop, out);
    if (question->skill.kind == DRILL_GAIN) {
        fprintf(out, "\n");
        print_loop(&question->other, out);
    }
}

bool drill_answer_is_right(const struct drill_question *question, const char *text, bool *number)
{
    char *end;
    double given = strtod(text, &end);
    *number = end != text;
    if (*number && *end == '/') { /* 4/3 */
        const char *divisor = end + 1;
        const double by = strtod(divisor, &end);
        *number = end != divisor && by > 0;
        given /= by;
    }
    *number = *number && *end == '\0' && isfinite(given);
    return *number && fabs(given - question->answer) <= 0.02 * question->answer;
}

static void explain_loop(const struct drill_question *question, const struct drill_loop *loop, double cycles,
                         FILE *out)
{
    const struct core *core = question->core;
    struct bounds bounds;
    struct error err;
    if (!find_bounds(core, loop, &bounds, &err))
        return;
    fprintf(out, "  chain  %5.2f  ", bounds.of_chain);
    for (size_t i = 0; i < bounds.chain.count; i++)
        fprintf(out, "%s%u (%u)", i ? " -> " : "", bounds.chain.links[i].op + 1,
                bounds.chain.links[i].latency);
    if (bounds.chain.count == 0)
        fprintf(out, "none goes from one round to the next");
    else
        fprintf(out, " cycles: instruction (latency)%s",
                bounds.chain.ratio.rounds > 1 ? ", in several rounds" : "");
    fprintf(out, "\n  ports  %5.2f  the work for", bounds.of_ports);
    for (unsigned port = 0; port < core->port_count; port++)
        if (bounds.ports.ports >> port & 1)
            fprintf(out, " %s", core->port_name[port]);
    fprintf(out, "\n  width  %5.2f  %" PRIu64 " %s, %" PRIu64 " a cycle\n", bounds.of_width,
            bounds.width.cycles, bounds.width.rounds == core->width ? "micro-operations" : "instructions",
            bounds.width.rounds);
    fprintf(out, "  model  %5.2f  ", cycles);
    const unsigned binds = what_binds(&bounds, cycles);
    const double most = fmax(bounds.of_chain, fmax(bounds.of_ports, bounds.of_width));
    static const char *const names[] = {"", "the chain binds", "the ports bind", "the width binds"};
    if (binds)
        fprintf(out, "%s\n", names[binds]);
    else if (near(cycles, most))
        fprintf(out, "the largest of the three, or two of them together\n");
    else if (core->kind == CORE_IN_ORDER)
        fprintf(out, "more than each of the three: in order, what cannot start holds up what could\n");
    else
        fprintf(out, "more than each of the three: they get in each other's way\n");
}

void drill_question_explain(const struct drill_question *question, FILE *out)
{
    fprintf(out, "The answer is %.3g. The bounds, in cycles a round:\n", question->answer);
    explain_loop(question, &question->loop, question->cycles, out);
    if (question->skill.kind == DRILL_GAIN) {
        fprintf(out, "and of the second loop:\n");
        explain_loop(question, &question->other, question->other_cycles, out);
    }
}
