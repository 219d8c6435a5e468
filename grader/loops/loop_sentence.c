/* One sentence on what a loop waits for. */
#include "grader/loops/loop_view.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/build/locate.h"
#include "harness/emu/decode.h"

enum { KINDS_MOST = 4, NEARLY_ALL = 90 };

struct words {
    const struct profile *run;
    const struct image *image;
    const struct loop_view *view;
    char *text;
    size_t size, length;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct words *words, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(words->text + words->length, words->size - words->length, format, args);
    va_end(args);
    if (length > 0)
        words->length += (size_t)length;
    if (words->length >= words->size)
        words->length = words->size - 1;
}

/* ---- numbers ---- */

/* What the loop's cycles are told by: elements where they are known, else rounds. */
static double units(const struct words *words)
{
    uint64_t elements = words->run->elements;
    return (double)(elements ? elements : words->view->loop.rounds);
}

static const char *unit(const struct words *words)
{
    return words->run->elements ? "an element" : "a round";
}

static double of_ratio(const struct words *words, struct loop_ratio ratio)
{
    return loop_ratio_value(ratio) * (double)words->view->loop.rounds / units(words);
}

/* "4.0", "0.25", "12", in a buffer that the next two calls leave alone. */
static const char *number(double value)
{
    static char buffers[4][32];
    static unsigned next;
    char *buffer = buffers[next++ % 4];
    snprintf(buffer, sizeof buffers[0], "%.*f", value < 0.995 ? 2 : value < 99.5 ? 1 : 0, value);
    return buffer;
}

/* ---- instructions ---- */

/* The decoder's names are those of the encodings; people know some of them by another name. */
static const struct {
    uint32_t mask, value;
    const char *name;
} aliases[] = {
    {0x7fe0fc00, 0x1b007c00, "mul"}, /* madd, nothing added */
    {0x7f80001f, 0x7100001f, "cmp"}, /* subs, no result: of a constant, */
    {0x7f20001f, 0x6b00001f, "cmp"}, /* of a register */
    {0x7fe0ffe0, 0x2a0003e0, "mov"}, /* orr with nothing */
};

/* Its first word counts: "ldr s" is one of the decoder's names. */
static const char *mnemonic(const struct words *words, uint32_t index)
{
    static const char *const conditions[] = {"b.eq", "b.ne", "b.cs", "b.cc", "b.mi", "b.pl", "b.vs", "b.vc",
                                             "b.hi", "b.ls", "b.ge", "b.lt", "b.gt", "b.le", "b.al", "b.nv"};
    struct decoded decoded;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if ((words->image->words[index] & aliases[i].mask) == aliases[i].value)
            return aliases[i].name;
    decode(words->image->words[index], words->run->ops[index].address, &decoded);
    if (decoded.name && strcmp(decoded.name, "b.cond") == 0)
        return conditions[words->image->words[index] & 15];
    return decoded.name ? decoded.name : op_class_name(words->run->ops[index].op_class);
}

/* "`ldr` at walk.c:36". */
static void say_instruction(struct words *words, uint32_t index)
{
    struct location at;
    const char *name = mnemonic(words, index);
    say(words, "`%.*s`", (int)strcspn(name, " "), name);
    build_locate(words->run->program, words->run->ops[index].address, &at);
    if (at.file[0] && at.line)
        say(words, " at %s:%u", at.file, at.line);
}

/* ---- the bounds ---- */

/* "fadd, latency 2 each"; "ldr (4) and add (1)". True when all links are alike. */
static bool say_links(struct words *words)
{
    const struct loop_view *view = words->view;
    struct {
        const char *name;
        uint32_t latency;
    } kind[KINDS_MOST + 1] = {{NULL, 0}};
    size_t kinds = 0, kept = view->chain.count < LOOP_LINKS ? view->chain.count : LOOP_LINKS;

    for (size_t i = 0; i < kept && kinds <= KINDS_MOST; i++) {
        const struct loop_link *link = &view->chain.links[i];
        const char *name = link->moves_base ? "address-step" : mnemonic(words, view->loop.path[link->op]);
        size_t k = 0;
        while (k < kinds && (strcmp(kind[k].name, name) != 0 || kind[k].latency != link->latency))
            k++;
        if (k == kinds) {
            kind[kinds].name = name;
            kind[kinds++].latency = link->latency;
        }
    }
    if (kinds == 1) {
        say(words, "%.*s, latency %u%s", (int)strcspn(kind[0].name, " "), kind[0].name, kind[0].latency,
            view->chain.count > 1 ? " each" : "");
        return true;
    }
    for (size_t k = 0; k < kinds && k < KINDS_MOST; k++)
        say(words, "%s%.*s (%u)",
            k == 0           ? ""
            : k + 1 == kinds ? " and "
                             : ", ",
            (int)strcspn(kind[k].name, " "), kind[k].name, kind[k].latency);
    say(words, "%s", kinds > KINDS_MOST ? ", ..." : "");
    return false;
}

/* Cycles between two of the chain's first instruction, if nothing but its ports held them up. */
static double own_throughput(const struct words *words)
{
    uint32_t index = words->view->loop.path[words->view->chain.links[0].op];
    const struct op *op = &words->run->ops[index];
    const struct core_class *one = &words->run->core->classes[op->op_class][op->wide];
    unsigned ports = (unsigned)__builtin_popcount(one->ports);
    return ports ? (double)core_port_uses(words->run->core, op) * one->busy / ports : 0;
}

static void say_ports(struct words *words, uint16_t ports)
{
    const struct core *core = words->run->core;
    unsigned left = (unsigned)__builtin_popcount(ports);
    say(words, left > 1 ? "ports " : "port ");
    for (unsigned p = 0; p < core->port_count; p++)
        if (ports >> p & 1) {
            left--;
            say(words, "%s%s", core->port_name[p], left > 1 ? ", " : left == 1 ? " and " : "");
        }
}

static void say_chain(struct words *words)
{
    const struct loop_chain *chain = &words->view->chain;
    double throughput = own_throughput(words);
    if (chain->parallel > 1)
        say(words, "waits for %u chains side by side, each of ", chain->parallel);
    else
        say(words, "waits for one chain of ");
    bool alike = say_links(words);
    say(words, ": %s cycles %s", number(of_ratio(words, chain->ratio)), unit(words));
    if (alike && throughput > 0)
        say(words, "; the ports could start one every %s", number(throughput));
}

static void say_busy_ports(struct words *words)
{
    const struct loop_view *view = words->view;
    say(words, "keeps the ");
    say_ports(words, view->ports.ports);
    say(words, " busy: %s cycles %s of what only %s can do", number(of_ratio(words, view->ports.ratio)),
        unit(words), view->ports.ports & (view->ports.ports - 1) ? "they" : "it");
    if (!view->loop.holds_loops)
        say(words, "; its longest chain needs %s", number(of_ratio(words, view->chain.ratio)));
}

static void say_width(struct words *words)
{
    const struct loop_view *view = words->view;
    say(words, "is as fast as this core hands out instructions, %u a cycle: %s cycles %s",
        loop_view_handed_out(view), number(of_ratio(words, view->width)), unit(words));
}

/* Aligned blocks of code that a round's path is fetched from, one after the other: 0 where the core has none.
 */
static unsigned blocks_of_path(const struct words *words)
{
    const struct hot_loop *loop = &words->view->loop;
    const uint64_t block = words->run->core->fetch_block;
    unsigned blocks = 0;
    for (size_t i = 0; block && i < loop->count; i++) {
        const uint64_t address = words->run->ops[loop->path[i]].address;
        const uint64_t before = words->run->ops[loop->path[i ? i - 1 : loop->count - 1]].address;
        blocks += address % block == 0 || address != before + 4;
    }
    return blocks;
}

static void say_stalls(struct words *words)
{
    const struct loop_view *view = words->view;
    double measured = (double)view->part[BIND_STALLS] / units(words);
    struct loop_ratio least = view->chain.ratio;
    if (loop_ratio_less(least, view->ports.ratio))
        least = view->ports.ratio;
    if (loop_ratio_less(least, view->width))
        least = view->width;
    const char *chains = view->loop.holds_loops ? "" : "chains, "; /* which are not looked for there */
    const unsigned blocks = blocks_of_path(words);
    const double fetch = of_ratio(words, (struct loop_ratio){blocks, 1});
    if (fetch > of_ratio(words, least) && 7 * fetch >= 6 * measured) {
        say(words,
            "takes %s cycles %s where its %sports and width allow %s: a round lies in %u blocks of %u "
            "bytes, of which a cycle fetches one",
            number(measured), unit(words), chains, number(of_ratio(words, least)), blocks,
            words->run->core->fetch_block);
        return;
    }
    const uint64_t *waits = view->loop.waits;
    uint64_t operands = waits[MODEL_WAIT_OPERAND] + waits[MODEL_WAIT_LOAD];
    unsigned most = WAITS_OPERAND;
    const char *what = "waits for its operands";
    if (waits[MODEL_WAIT_PORT] > operands) {
        most = WAIT_BIT(PORT);
        what = "waits for its port";
    }
    if (waits[MODEL_WAIT_WINDOW] > operands && waits[MODEL_WAIT_WINDOW] > waits[MODEL_WAIT_PORT]) {
        most = WAIT_BIT(WINDOW);
        what = "has no room to start";
    }
    if (waits[MODEL_WAIT_QUEUE] > operands && waits[MODEL_WAIT_QUEUE] > waits[MODEL_WAIT_PORT]) {
        most = WAIT_BIT(QUEUE);
        what = "finds its issue queue full";
    }
    say(words, "takes %s cycles %s where its %sports and width allow %s: ", number(measured), unit(words),
        chains, number(of_ratio(words, least)));
    say_instruction(words, loop_slowest(words->run, &view->loop, most));
    say(words, " %s%s", what, words->run->core->kind == CORE_IN_ORDER ? ", and all behind it wait too" : "");
}

/* The access that had to go furthest most often, as if each level took four times as long as the one before.
 */
static uint32_t worst_access(const struct profile *run, const struct hot_loop *loop)
{
    uint32_t worst = UINT32_MAX;
    uint64_t most = 0;
    for (size_t i = 0; i < loop->size; i++) {
        const uint64_t *misses = run->sites[loop->body[i]].misses;
        uint64_t weight = misses[1] + 4 * misses[2] + 16 * (misses[3] + misses[4]);
        if (run->ops[loop->body[i]].memory != OP_MEMORY_PREFETCH && weight > most) {
            most = weight;
            worst = loop->body[i];
        }
    }
    return worst;
}

static void say_memory(struct words *words)
{
    const struct loop_view *view = words->view;
    say(words,
        "waits for memory, %s of its %s cycles %s: ", number((double)view->part[BIND_MEMORY] / units(words)),
        number((double)view->loop.cycles / units(words)), unit(words));
    uint32_t worst = worst_access(words->run, &view->loop);
    if (worst == UINT32_MAX) {
        say_instruction(words, loop_slowest(words->run, &view->loop, WAITS_MEMORY));
        say(words, " waits longest");
        return;
    }
    const struct model_site *site = &words->run->sites[worst];
    uint64_t misses = site->misses[1] + site->misses[2] + site->misses[3] + site->misses[4];
    say_instruction(words, worst);
    say(words, " waits for a line that is not yet in the first-level cache in %s %% of its executions",
        number(100 * (double)misses / (double)(site->misses[0] + misses)));
    if (2 * site->misses[4] > misses)
        say(words, ": the other core had written to it");
}

static void say_mispredict(struct words *words)
{
    const struct loop_view *view = words->view;
    uint32_t worst = view->loop.body[0];
    for (size_t i = 0; i < view->loop.size; i++)
        if (words->run->sites[view->loop.body[i]].mispredicts > words->run->sites[worst].mispredicts)
            worst = view->loop.body[i];
    const struct model_site *site = &words->run->sites[worst];
    say(words, "starts again after mispredicted branches, %s of its %s cycles %s: ",
        number((double)view->part[BIND_MISPREDICT] / units(words)),
        number((double)view->loop.cycles / units(words)), unit(words));
    say_instruction(words, worst);
    say(words, " is mispredicted in %s %% of its executions",
        number(100 * (double)site->mispredicts / (double)(site->executions ? site->executions : 1)));
}

static void say_other(struct words *words)
{
    static const char *const waits[] = {
        [BIND_STORE] = "waits for its stores",
        [BIND_FETCH] = "waits for instructions to be fetched",
        [BIND_ORDER] = "waits at barriers",
    };
    static const unsigned bits[] = {
        [BIND_STORE] = WAIT_BIT(STORE),
        [BIND_FETCH] = WAIT_BIT(FETCH),
        [BIND_ORDER] = WAIT_BIT(ORDER),
    };
    const struct loop_view *view = words->view;
    say(words, "%s, %s of its %s cycles %s, most of all ", waits[view->binding],
        number((double)view->part[view->binding] / units(words)),
        number((double)view->loop.cycles / units(words)), unit(words));
    say_instruction(words, loop_slowest(words->run, &view->loop, bits[view->binding]));
}

void loop_sentence(const struct profile *run, const struct image *image, const struct loop_view *view,
                   char *text, size_t size)
{
    struct words words = {.run = run, .image = image, .view = view, .text = text, .size = size};
    double share =
        view->loop.all_cycles ? 100.0 * (double)view->loop.cycles / (double)view->loop.all_cycles : 0;
    text[0] = '\0';
    if (share < (double)NEARLY_ALL)
        say(&words, "The hottest loop, %.0f %% of all cycles, ", share);
    else
        say(&words, "The loop ");
    switch (view->binding) {
    case BIND_CHAIN:
        say_chain(&words);
        break;
    case BIND_PORTS:
        say_busy_ports(&words);
        break;
    case BIND_WIDTH:
        say_width(&words);
        break;
    case BIND_STALLS:
        say_stalls(&words);
        break;
    case BIND_MEMORY:
        say_memory(&words);
        break;
    case BIND_MISPREDICT:
        say_mispredict(&words);
        break;
    default:
        say_other(&words);
    }
    say(&words, ".");
}

static double of_element(const struct profile *run, const struct loop_view *view, struct loop_ratio ratio)
{
    double rounds = run->elements > 0 ? (double)view->loop.rounds / (double)run->elements : 0;
    return ratio.rounds > 0 ? loop_ratio_value(ratio) * rounds : 0;
}

bool profile_look(const struct profile *run, char *text, size_t size, struct loop_limits *limits)
{
    *limits = (struct loop_limits){0};
    struct image image;
    struct error err;
    text[0] = '\0';
    if (!image_open(&image, run->program, &err))
        return false;
    struct loop_view *view = loop_view(run, &image, &err);
    if (view) {
        loop_sentence(run, &image, view, text, size);
        limits->chain = of_element(run, view, view->chain.ratio);
        limits->ports = of_element(run, view, view->ports.ratio);
        limits->width = of_element(run, view, view->width);
    }
    free(view);
    image_close(&image);
    return text[0] != '\0';
}
