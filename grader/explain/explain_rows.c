/* What a listing has for each instruction, however it is shown. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "grader/explain/explain_internal.h"

enum {
    WAIT_PERCENT = 10, /* of the instruction's: a wait that is named */
    LEAST_FOLDED = 3,  /* equal instructions in a row that make one line */
};

/* "0.14", "3.5", "100", in a buffer of the caller's. */
static const char *percent(char *buffer, size_t size, uint64_t part, uint64_t whole)
{
    double value = whole ? 100 * (double)part / (double)whole : 0;
    snprintf(buffer, size, "%.*f%%", value < 0.995 ? 2 : value < 9.95 ? 1 : 0, value);
    return buffer;
}

struct words {
    char *text;
    size_t size, used;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *words, const char *format, ...)
{
    va_list arguments;
    if (words->used >= words->size)
        return;
    va_start(arguments, format);
    int length = vsnprintf(words->text + words->used, words->size - words->used, format, arguments);
    va_end(arguments);
    words->used += length > 0 ? (size_t)length : 0;
}

static void say_rate(struct words *words, const char *what, uint64_t part, uint64_t whole)
{
    char text[32];
    if (part == 0 || part * 1000 < whole)
        return;
    say(words, "%s%s %s", words->used ? ", " : "", what, percent(text, sizeof text, part, whole));
}

void explain_waits(const struct model_site *site, char *text, size_t size)
{
    struct words words = {text, size, 0};
    uint64_t all = site_cycles(site);
    unsigned first = MODEL_WAIT_WIDTH, second = MODEL_WAIT_WIDTH;
    text[0] = '\0';
    for (unsigned wait = 0; wait < MODEL_WAIT_WIDTH; wait++) {
        if (first == MODEL_WAIT_WIDTH || site->cycles[wait] > site->cycles[first]) {
            second = first;
            first = wait;
        } else if (second == MODEL_WAIT_WIDTH || site->cycles[wait] > site->cycles[second]) {
            second = wait;
        }
    }
    const unsigned most[] = {first, second};
    for (unsigned i = 0; i < 2; i++) {
        if (site->cycles[most[i]] * 100 < all * WAIT_PERCENT || site->cycles[most[i]] == 0)
            continue;
        say(&words, "%s%s %.0f%%", words.used ? ", " : "", model_wait_name((enum model_wait)most[i]),
            100 * (double)site->cycles[most[i]] / (double)all);
    }
    say_rate(&words, "L1D misses", site->misses[1] + site->misses[2] + site->misses[3] + site->misses[4],
             site->executions);
    say_rate(&words, "wrong", site->mispredicts, site->executions);
}

static void add_site(struct model_site *sum, const struct model_site *site)
{
    sum->executions += site->executions;
    sum->mispredicts += site->mispredicts;
    for (unsigned i = 0; i < MODEL_WAIT_COUNT; i++)
        sum->cycles[i] += site->cycles[i];
    for (unsigned i = 0; i < 5; i++)
        sum->misses[i] += site->misses[i];
}

/* How many instructions from `index` to `last` say the same as often. */
static uint32_t equal_run(const struct listing *listing, uint32_t index, uint32_t last)
{
    uint32_t end = index + 1;
    while (end <= last && listing->run->sites[end].executions == listing->run->sites[index].executions &&
           listing->run->ops[end].branch == OP_NO_BRANCH &&
           strcmp(listing_text(listing, end), listing_text(listing, index)) == 0)
        end++;
    return end - index >= LEAST_FOLDED ? end - index : 1;
}

void explain_row_at(const struct listing *listing, uint32_t index, uint32_t last, struct explain_row *row)
{
    *row = (struct explain_row){.index = index, .times = equal_run(listing, index, last)};
    for (uint32_t i = index; i < index + row->times; i++)
        add_site(&row->site, &listing->run->sites[i]);
}

/* Not executed, and not in the disassembled range. */
static bool is_outside(const struct listing *listing, uint32_t index)
{
    return listing->run->sites[index].executions == 0 && !listing->text[index];
}

/* Is `index` in the function that `here` is in? Without symbols, in the same piece of what is shown. */
static bool goes_on(const struct listing *listing, const struct location *here, uint32_t index)
{
    struct location there;
    locator_find(listing->locator, listing->run->ops[index].address, &there);
    return strcmp(here->function, there.function) == 0 && (here->function[0] || !is_outside(listing, index));
}

bool explain_function_at(const struct listing *listing, uint32_t from, struct explain_function *function)
{
    const struct profile *run = listing->run;
    struct location here;
    while (from < run->count && is_outside(listing, from))
        from++;
    if (from >= run->count)
        return false;
    *function = (struct explain_function){from, from, site_cycles(&run->sites[from])};
    locator_find(listing->locator, run->ops[from].address, &here);
    while (function->last + 1 < run->count && goes_on(listing, &here, function->last + 1))
        function->cycles += site_cycles(&run->sites[++function->last]);
    return true;
}
