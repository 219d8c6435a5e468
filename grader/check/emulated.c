#include "grader/check/emulated.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/build/locate.h"
#include "harness/emu/decode.h"
#include "harness/emu/image.h"
#include "harness/runner/target/runner.h"

enum { PLACE = 512 };

/* `clamp`+8 (clamp.c:6, address 0x4002f8) */
static void place_of(const char *program, uint64_t address, char *text, size_t size)
{
    struct location where;
    if (!build_locate(program, address, &where))
        snprintf(text, size, "address 0x%" PRIx64, address);
    else if (where.line > 0)
        snprintf(text, size, "`%s`+%" PRIu64 " (%s:%u, address 0x%" PRIx64 ")", where.function, where.offset,
                 where.file, where.line, address);
    else
        snprintf(text, size, "`%s`+%" PRIu64 " (address 0x%" PRIx64 ")", where.function, where.offset,
                 address);
}

static bool is_code(const char *program, uint64_t address)
{
    struct location where;
    return build_locate(program, address, &where);
}

static bool is_plan(uint64_t address)
{
    return address >= ARENA_BASE && address < ARENA_REGIONS;
}

static bool is_stack(uint64_t address)
{
    return address >= TARGET_STACK && address < TARGET_STACK + TARGET_STACK_SIZE;
}

/* Into data: a buffer, the stack, the program's constants. */
static enum trial_outcome jumped(const struct emulator_run *run, const struct layout *layout,
                                 const char *program, const char *place, const char *call,
                                 struct fault_text *text)
{
    char what[256];
    if (layout_describe(layout, run->address, what, sizeof what) || is_stack(run->address)) {
        snprintf(text->message, sizeof text->message, "%s jumped to 0x%" PRIx64 ", which is data: %s%s",
                 place, run->address, is_stack(run->address) ? "the stack" : what, call);
        snprintf(text->next, sizeof text->next,
                 "Jump only to the program's own code; code made at run time is not executed.");
        return TRIAL_RULE;
    }
    if (fault_past_end(program, run->address, call, text))
        return TRIAL_BROKE;
    snprintf(text->message, sizeof text->message, "%s jumped to 0x%" PRIx64 ", where there is no code%s",
             place, run->address, call);
    snprintf(text->next, sizeof text->next,
             "Check the return address: match every push with a pop, and do not overwrite x30.");
    return TRIAL_BROKE;
}

/* A runner's words for a crash go for this machine as well. */
static enum trial_outcome fault(const struct emulator_run *run, const struct layout *layout,
                                const char *program, const char *place, const char *call,
                                struct fault_text *text)
{
    if (run->access == 0)
        return jumped(run, layout, program, place, call, text);
    if (is_code(program, run->address) || is_plan(run->address)) {
        snprintf(text->message, sizeof text->message, "%s %s %s at 0x%" PRIx64 "%s", place,
                 run->access == PLAN_WRITE ? "wrote to" : "read",
                 is_plan(run->address) ? "the grader's plan" : "the program's code", run->address, call);
        snprintf(text->next, sizeof text->next, "Access only the arguments and the stack.");
        return TRIAL_RULE;
    }
    const struct machine_run crash = {.outcome = MACHINE_CRASHED,
                                      .status = {.call = run->call,
                                                 .signal = SIGSEGV,
                                                 .signal_code = SEGV_MAPERR,
                                                 .fault_address = run->address,
                                                 .access = run->access,
                                                 .pc = run->pc,
                                                 .sp = run->sp}};
    fault_describe(&crash, layout, program, ISA_AARCH64, 0, text);
    return TRIAL_BROKE;
}

enum { LINK = 30, RETURN_WORD = 0xd65f03c0, STEPS = 256 };

/* Does code come from here to a `ret` without having written X30? It takes both ways at each branch. */
static bool comes_to_return(const struct image *image, uint64_t from, bool *seen, unsigned *left)
{
    for (uint64_t i = (from - image->code) / 4; i < image->count && !seen[i] && *left > 0; i++) {
        struct decoded decoded;
        seen[i] = true;
        --*left;
        decode(image->words[i], image->code + 4 * i, &decoded);
        if (image->words[i] == RETURN_WORD)
            return true;
        if (decoded.verdict != DECODE_OK || image->places[i] != IMAGE_OPEN ||
            memchr(decoded.op.writes, LINK, decoded.op.write_count) != NULL)
            return false;
        if (decoded.op.branch == OP_NO_BRANCH)
            continue;
        if (decoded.target && comes_to_return(image, decoded.target, seen, left))
            return true;
        if (decoded.op.branch != OP_CONDITIONAL)
            return false;
    }
    return false;
}

/* X30 is as a call in the student's code has left it, and from there code returns: to that place again. */
static bool lost_return(const char *program, uint64_t link)
{
    struct image image;
    struct error err;
    struct decoded decoded;
    bool lost = false;
    if (!image_open(&image, program, &err))
        return false;
    const uint64_t i = (link - image.code) / 4;
    if (link % 4 == 0 && i > 0 && i < image.count && image.places[i] == IMAGE_OPEN) {
        unsigned left = STEPS;
        bool *seen = calloc(image.count, sizeof *seen);
        decode(image.words[i - 1], link - 4, &decoded);
        lost = seen && decoded.verdict == DECODE_OK &&
               memchr(decoded.op.writes, LINK, decoded.op.write_count) != NULL &&
               decoded.op.branch != OP_NO_BRANCH && comes_to_return(&image, link, seen, &left);
        free(seen);
    }
    image_close(&image);
    return lost;
}

/* The words for a return address that a call has written over. */
static void tell_lost_return(const struct emulator_run *run, const char *program, const char *call,
                             struct fault_text *text)
{
    char place[PLACE];
    if (!lost_return(program, run->link))
        return;
    place_of(program, run->link - 4, place, sizeof place);
    snprintf(
        text->message, sizeof text->message,
        "the return address is lost: the call at %s wrote its own to x30, and the next `ret` goes there%s",
        place, call);
    snprintf(text->next, sizeof text->next,
             "Save x30 before the first `bl`, and restore it before `ret`: stp x29, x30, [sp, #-16]! and "
             "ldp x29, x30, [sp], #16.");
}

static enum trial_outcome describe(const struct emulator_run *run, const struct layout *layout,
                                   const char *program, const char *call, uint64_t budget, uint64_t before,
                                   struct fault_text *text)
{
    char place[PLACE];
    place_of(program, run->pc, place, sizeof place);
    switch (run->outcome) {
    case EMULATOR_DONE:
        return TRIAL_DONE;
    case EMULATOR_FAULT:
        return fault(run, layout, program, place, call, text);
    case EMULATOR_GUARDED:
        snprintf(text->message, sizeof text->message,
                 "%s %s memory that is the grader's alone: what it plays, or what its blocks do%s", place,
                 run->access == PLAN_WRITE ? "wrote to" : "read", call);
        snprintf(text->next, sizeof text->next,
                 "Use what you were handed by its functions alone, and look at nothing behind it.");
        return TRIAL_RULE;
    case EMULATOR_ESCAPED:
        snprintf(text->message, sizeof text->message, "%s jumped to 0x%" PRIx64 ", %s%s", place, run->address,
                 run->name, call);
        snprintf(text->next, sizeof text->next,
                 "Return to the caller, and call only the functions that the exercise names.");
        return TRIAL_RULE;
    case EMULATOR_SYSCALL:
        snprintf(text->message, sizeof text->message, "%s made a system call (`%s`)%s", place, run->name,
                 call);
        snprintf(text->next, sizeof text->next,
                 "Remove the system call: an exercise's functions only compute and return.");
        return TRIAL_RULE;
    case EMULATOR_FORBIDDEN:
        snprintf(text->message, sizeof text->message, "%s has `%s`, which no submission may execute%s", place,
                 run->name, call);
        snprintf(text->next, sizeof text->next,
                 "Remove it: only instructions that compute, load, store and branch are allowed, and the "
                 "PMU's registers where the exercise is about them.");
        return TRIAL_RULE;
    case EMULATOR_COUNTER:
        snprintf(text->message, sizeof text->message, "%s has `%s`: it looks at a counter%s", place,
                 run->name, call);
        snprintf(text->next, sizeof text->next,
                 "Remove it: code is asked to be right whatever the time is. What it takes, `make check` and "
                 "`make explain` show.");
        return TRIAL_RULE;
    case EMULATOR_EVENTS:
        snprintf(text->message, sizeof text->message, "%s has `%s` of an event counter%s", place, run->name,
                 call);
        snprintf(text->next, sizeof text->next,
                 "This exercise is about cycles: measure with PMCCNTR_EL0 alone.");
        return TRIAL_RULE;
    case EMULATOR_UNKNOWN:
        snprintf(text->message, sizeof text->message,
                 "%s has an instruction that is not modelled: %s (0x%08" PRIx32 ")%s", place, run->name,
                 run->word, call);
        snprintf(text->next, sizeof text->next,
                 "Use other instructions; docs/model.md lists those of each core.");
        return TRIAL_RULE;
    case EMULATOR_STACK:
        snprintf(text->message, sizeof text->message,
                 "%s has SP at 0x%" PRIx64 ", no multiple of 16, when `%s` accesses memory through it%s",
                 place, run->sp, run->name, call);
        snprintf(text->next, sizeof text->next,
                 "Move SP in multiples of 16 bytes: anything else is a fault on AArch64.");
        return TRIAL_BROKE;
    case EMULATOR_BUDGET:
        text->endless = true;
        if (run->waits) {
            fault_waits(run->part, call, place, text);
            return TRIAL_BROKE;
        }
        snprintf(text->message, sizeof text->message,
                 "had not finished after %.3g million instructions%s%s%s; last seen in %s",
                 (double)(before + budget) / 1e6, before > 0 ? " of all cases together" : "",
                 run->charged > run->instructions ? ", as which slow ones count as several," : "", call,
                 place);
        snprintf(
            text->next, sizeof text->next, "%s",
            before > 0 ? "Do less work in each call: the reference takes a fifth of that at most, for all "
                         "cases. If it is this case alone that takes long, look for an endless loop."
            : *call    ? "Look for an endless loop (for a small n, or one that is no multiple of the unroll "
                         "factor?), or one that does far too much work."
                       : "Look for an endless loop, or one that does far too much work.");
        return TRIAL_BROKE;
    case EMULATOR_TIME:
        text->endless = true;
        snprintf(text->message, sizeof text->message,
                 "had not finished after %d s of CPU time in the emulated machine%s; last seen in %s",
                 EMULATED_SECONDS, call, place);
        snprintf(
            text->next, sizeof text->next,
            "Look for a loop that does far too much work, or instructions that have nothing to do with it.");
        return TRIAL_BROKE;
    case EMULATOR_CLOBBERED:
        snprintf(text->message, sizeof text->message, "the function came back with %s changed%s", run->name,
                 call);
        snprintf(text->next, sizeof text->next,
                 "Save and restore %s, as the calling convention demands, or use other registers.",
                 fault_saved_list(ISA_AARCH64));
        return TRIAL_BROKE;
    case EMULATOR_ERROR:
        break;
    }
    snprintf(text->message, sizeof text->message, "the emulated machine failed: %s", run->name);
    return TRIAL_ERROR;
}

enum trial_outcome emulated_describe(const struct emulator_run *run, const struct layout *layout,
                                     const char *program, uint64_t budget, uint64_t before,
                                     struct fault_text *text)
{
    char call[LAYOUT_N];
    *text = (struct fault_text){0};
    fault_in_call(run->call, layout, call, sizeof call);
    enum trial_outcome outcome = describe(run, layout, program, call, budget, before, text);
    /* A lost return address leads to an endless loop, or on to where there is nothing. */
    if (outcome == TRIAL_BROKE &&
        (run->outcome == EMULATOR_BUDGET || run->outcome == EMULATOR_TIME || run->outcome == EMULATOR_FAULT))
        tell_lost_return(run, program, call, text);
    return outcome;
}

/* One that is looked for: in which call of the plan, of what event; and by a visit to student code behind
 * that of the last one, where each is of a visit of its own. */
struct wanted {
    uint64_t value;
    uint32_t call, visit;
    uint16_t event;
};

static bool is_it(const struct clock_read *read, const struct wanted *wanted)
{
    return read->call == wanted->call && read->value == wanted->value && read->event == wanted->event &&
           (read->by_glue || read->visit >= wanted->visit);
}

/* What was read so, from *at on; NULL: nothing. */
static const struct clock_read *delivered(const struct clock_read *reads, size_t count,
                                          const struct wanted *wanted, size_t *at)
{
    while (*at < count && !is_it(&reads[*at], wanted))
        ++*at;
    return *at < count ? &reads[(*at)++] : NULL;
}

/* A reading without an ISB comes before work that stands above it, and after the next one's: an event counter
 * has a few counts of it twice. So far a reading may be off: not in cycles, which are the time of the reading
 * itself; in slots by as many as the core fills or leaves empty while it looks ahead; else by some of the
 * instructions that are under way. (Of slots 3 were seen, of the others none.) */
static uint64_t tolerance(uint16_t event)
{
    enum { CPU_CYCLES = 0x11, FIRST_OF_SLOTS = 0x3a, LAST_OF_SLOTS = 0x3f, SLOTS = 64, EVENTS = 16 };
    if (event == CLOCK_CYCLES || event == CPU_CYCLES)
        return 0;
    return event >= FIRST_OF_SLOTS && event <= LAST_OF_SLOTS ? SLOTS : EVENTS;
}

static bool agree(uint64_t said, uint64_t counted, uint16_t event)
{
    return said - counted + tolerance(event) <= 2 * tolerance(event);
}

bool emulated_readings(const struct emulator *emulator, const struct layout *layout, struct fault_text *text)
{
    enum { MOST = 32 };
    size_t count, words, at = 0, turn = layout_read_counters(layout);
    const struct clock_read *reads = emulator_clock(emulator, &count);
    assert(turn > 0 && turn <= MOST);
    for (size_t call = 0; call < layout_count(layout); call++) {
        const uint64_t *said = layout_readings(layout, call, &words);
        struct wanted wanted = {.call = (uint32_t)call};
        uint64_t before[MOST] = {0}, then = 0;
        for (size_t i = 0; said && i < words; before[i++ % turn] = then) {
            const uint16_t event = wanted.event = layout_event(layout, call, i % turn);
            wanted.value = said[i];
            const struct clock_read *read = delivered(reads, count, &wanted, &at);
            then = read ? read->cycles : 0;
            wanted.visit = read && layout_readings_apart(layout) ? read->visit + 1 : 0;
            if (!read)
                snprintf(text->message, sizeof text->message,
                         "your reading %" PRIu64 " is no value that the %s had when it was read", said[i],
                         turn > 1 ? "counter" : "cycle counter");
            else if (i >= turn && !agree(said[i] - said[i - turn], then - before[i % turn], event))
                snprintf(text->message, sizeof text->message,
                         "between your readings %" PRIu64 " and %" PRIu64 " %s %" PRIu64
                         " %s: the counter was set or stopped in between",
                         said[i - turn], said[i], turn > 1 ? "there were" : "the core took",
                         then - before[i % turn], turn > 1 ? "events" : "cycles");
            else
                continue;
            snprintf(text->next, sizeof text->next,
                     "Return what the counter says, all 64 bits, as it is; leave it running.");
            return false;
        }
    }
    return true;
}
