#include "grader/drill/drill_loop.h"

#include <stdio.h>

#include "harness/emu/decode.h"

/* Encodings: Arm ARM, C6.2 and C7.2. */
enum form {
    THREE,      /* d, n, m */
    ACCUMULATE, /* d, n, m, and d is read, too */
    FOUR,       /* d, n, m, a */
    LOAD,       /* d, offset */
    STORE,      /* d, offset */
    CHASE,      /* loads its own address */
};

struct template
{
    const char *text;
    uint32_t word;
    uint8_t form;  /* enum form */
    uint8_t scale; /* of an offset */
    bool vector;   /* registers are those of floating point and vectors */
};

static const struct template templates[] = {
    {"add x%u, x%u, x%u", 0x8b000000, THREE, 0, false},
    {"eor x%u, x%u, x%u", 0xca000000, THREE, 0, false},
    {"mul x%u, x%u, x%u", 0x9b007c00, THREE, 0, false},
    {"fadd s%u, s%u, s%u", 0x1e202800, THREE, 0, true},
    {"fmul s%u, s%u, s%u", 0x1e200800, THREE, 0, true},
    {"fmadd s%u, s%u, s%u, s%u", 0x1f000000, FOUR, 0, true},
    {"add v%u.4s, v%u.4s, v%u.4s", 0x4ea08400, THREE, 0, true},
    {"mul v%u.4s, v%u.4s, v%u.4s", 0x4ea09c00, THREE, 0, true},
    {"fmla v%u.4s, v%u.4s, v%u.4s", 0x4e20cc00, ACCUMULATE, 0, true},
    {"ldr x%u, [x0, #%u]", 0xf9400000, LOAD, 8, false},
    {"ldr s%u, [x0, #%u]", 0xbd400000, LOAD, 4, true},
    {"str x%u, [x1, #%u]", 0xf9000020, STORE, 8, false},
    {"ldr x2, [x2]", 0xf9400042, CHASE, 0, false},
};
enum { TEMPLATES = sizeof templates / sizeof templates[0] };

/* Results go to registers from these on; operands that never change are the two behind them. */
enum { FIRST_X = 4, CONSTANT_X = 20, FIRST_V = 0, CONSTANT_V = 30, SLOTS = 8 };
enum { SUBS_COUNTER = 0xf1000400 | 24 << 5 | 24, B_NE = 0x54000001 };

static void add_word(struct drill_loop *loop, uint32_t word)
{
    struct decoded decoded;
    decode(word, 4 * (uint64_t)loop->count, &decoded);
    loop->ops[loop->count] = decoded.op;
    loop->words[loop->count++] = word;
}

/* The template with its result in slot `to`, and a first operand from slot `from` (SLOTS: a constant). */
static void add(struct drill_loop *loop, const struct template *template, unsigned to, unsigned from)
{
    const unsigned first = template->vector ? FIRST_V : FIRST_X;
    const unsigned constant = template->vector ? CONSTANT_V : CONSTANT_X;
    const unsigned d = first + to, n = from < SLOTS ? first + from : constant, m = constant + 1;
    const unsigned offset = 8 * loop->count;
    char *text = loop->text[loop->count];
    switch (template->form) {
    case THREE:
        snprintf(text, DRILL_TEXT, template->text, d, n, m);
        add_word(loop, template->word | m << 16 | n << 5 | d);
        break;
    case ACCUMULATE: /* the accumulator is the chain */
        snprintf(text, DRILL_TEXT, template->text, d, constant, m);
        add_word(loop, template->word | m << 16 | constant << 5 | d);
        break;
    case FOUR:
        snprintf(text, DRILL_TEXT, template->text, d, constant, m, n);
        add_word(loop, template->word | m << 16 | n << 10 | constant << 5 | d);
        break;
    case LOAD:
    case STORE:
        snprintf(text, DRILL_TEXT, template->text, template->form == STORE ? n : d, offset);
        add_word(loop, template->word | offset / template->scale << 10 | (template->form == STORE ? n : d));
        break;
    default:
        snprintf(text, DRILL_TEXT, "%s", template->text);
        add_word(loop, template->word);
    }
}

static const struct template *choose(struct rng *rng, bool (*fits)(const struct template *))
{
    const struct template *template;
    do
        template = &templates[rng_below(rng, TEMPLATES)];
    while (!fits(template));
    return template;
}

static bool makes_chain(const struct template *template)
{
    return template->form != LOAD && template->form != STORE;
}

static bool makes_chains(const struct template *template)
{
    return makes_chain(template) && template->form != CHASE;
}

static bool stands_alone(const struct template *template)
{
    return template->form != CHASE && template->form != ACCUMULATE;
}

static void close_loop(struct drill_loop *loop)
{
    snprintf(loop->text[loop->count], DRILL_TEXT, "subs x24, x24, #1");
    add_word(loop, SUBS_COUNTER);
    snprintf(loop->text[loop->count], DRILL_TEXT, "b.ne 1b");
    add_word(loop, B_NE | (-loop->count & 0x7ffff) << 5);
}

void drill_loop_make(struct rng *rng, enum drill_theme theme, struct drill_loop *loop)
{
    const struct template *first = choose(rng, theme == DRILL_INDEPENDENT ? stands_alone
                                               : theme == DRILL_ONE_CHAIN ? makes_chain
                                                                          : makes_chains);
    const struct template *second = choose(rng, stands_alone);
    unsigned chains = theme == DRILL_CHAINS ? 2 + (unsigned)rng_below(rng, 5) : 1;
    unsigned links = theme == DRILL_CHAINS ? 1 : 1 + (unsigned)rng_below(rng, 4);
    unsigned beside = theme == DRILL_MIXED ? 1 + (unsigned)rng_below(rng, 5) : 0;
    *loop = (struct drill_loop){0};
    if (theme == DRILL_INDEPENDENT) {
        links = 2 + (unsigned)rng_below(rng, 4);
        beside = (unsigned)rng_below(rng, 4);
        chains = 0;
        for (unsigned i = 0; i < links; i++)
            add(loop, first, i, SLOTS);
    }
    for (unsigned link = 0; link < (chains ? links : 0); link++)
        for (unsigned chain = 0; chain < chains; chain++)
            add(loop, first, chain, chain);
    for (unsigned i = 0; i < beside; i++)
        add(loop, second, SLOTS - 1 - i % 3, SLOTS);
    if (theme == DRILL_MIXED && makes_chains(second) && first->vector == second->vector &&
        rng_below(rng, 2) == 0)
        add(loop, second, 0, 0); /* one more link, of the other kind */
    close_loop(loop);
}
