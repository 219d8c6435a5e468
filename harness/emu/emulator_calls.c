/* Calls in the emulated machine: their registers before and after, and where Unicorn gives up. A call with
 * parts is made by two cores, each with a Unicorn of its own over the same memory, in turns.
 *
 * A turn is over after a few instructions: 1 to TURN_MOST of them, by a fixed sequence without a period that
 * a loop could fall into step with; and behind an atomic, or a store exclusive that stored. Then the core
 * goes on that is behind in modelled cycles, the first one where both are alike; without a model, the other
 * one. So who is when depends on the program alone, and on where one stands still (emulator_stand_still()).
 *
 * Within a turn memory is one core's, so an atomic is one. What a load exclusive has marked (the line) is
 * known here, and a store of the other core takes the mark away; Unicorn compares values only, which may be
 * the same again. */
#include "harness/emu/emulator_internal.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/runner/target/runner.h"

/* ---- registers ---- */

static const int saved_registers[SAVED] = {
    UC_ARM64_REG_X19, UC_ARM64_REG_X20, UC_ARM64_REG_X21, UC_ARM64_REG_X22, UC_ARM64_REG_X23,
    UC_ARM64_REG_X24, UC_ARM64_REG_X25, UC_ARM64_REG_X26, UC_ARM64_REG_X27, UC_ARM64_REG_X28,
    UC_ARM64_REG_X29, UC_ARM64_REG_D8,  UC_ARM64_REG_D9,  UC_ARM64_REG_D10, UC_ARM64_REG_D11,
    UC_ARM64_REG_D12, UC_ARM64_REG_D13, UC_ARM64_REG_D14, UC_ARM64_REG_D15, UC_ARM64_REG_SP};

static uint64_t call_stack(const struct emulator *emulator)
{
    /* some room above, for whoever reads past its frame */
    return emulator->stack_address + TARGET_STACK_SIZE - 4096;
}

void calls_start_values(uint64_t saved[SAVED])
{
    for (unsigned i = 0; i < SAVED_GENERAL; i++)
        saved[i] = 0x5a00 + FIRST_GENERAL + i;
    for (unsigned i = 0; i < SAVED_VECTOR; i++)
        saved[SAVED_GENERAL + i] = 0x5b00 + FIRST_VECTOR + i;
}

static void start_values(const struct emulator *emulator, uint64_t saved[SAVED])
{
    calls_start_values(saved);
    saved[SAVED - 1] = call_stack(emulator);
}

void calls_put_saved(struct emulator *emulator, const uint64_t saved[SAVED])
{
    for (unsigned i = 0; i < SAVED; i++)
        uc_reg_write(emulator->uc, saved_registers[i], &saved[i]);
}

bool calls_set_start(struct emulator *emulator)
{
    const uint64_t link = RETURN_ADDRESS;
    uint64_t saved[SAVED], value;
    start_values(emulator, saved);
    calls_put_saved(emulator, saved);
    value = 0;
    uc_reg_write(emulator->uc, UC_ARM64_REG_NZCV, &value);
    uc_reg_write(emulator->uc, UC_ARM64_REG_X30, &link);
    return uc_context_alloc(emulator->uc, &emulator->start) == UC_ERR_OK &&
           uc_context_save(emulator->uc, emulator->start) == UC_ERR_OK;
}

void calls_note_saved(struct emulator *emulator, uint64_t saved[SAVED])
{
    void *values[SAVED];
    int registers[SAVED];
    for (unsigned i = 0; i < SAVED; i++)
        values[i] = &saved[i];
    memcpy(registers, saved_registers, sizeof registers); /* Unicorn's array is not const */
    memset(saved, 0, SAVED * sizeof *saved);
    uc_reg_read_batch(emulator->uc, registers, values, SAVED);
}

bool calls_check_saved(struct emulator *emulator, const uint64_t saved[SAVED])
{
    struct emulator_run *run = emulator->run;
    uint64_t found[SAVED];
    calls_note_saved(emulator, found);
    run->sp = found[SAVED - 1];
    if (memcmp(found, saved, sizeof found) == 0)
        return true;
    unsigned i = 0;
    while (i < SAVED - 1 && (found[SAVED - 1] != saved[SAVED - 1] || found[i] == saved[i]))
        i++; /* SP first: it is what the others were read back through */
    if (i == SAVED - 1)
        snprintf(run->name, sizeof run->name, "sp");
    else if (i < SAVED_GENERAL)
        snprintf(run->name, sizeof run->name, "x%u", FIRST_GENERAL + i);
    else
        snprintf(run->name, sizeof run->name, "d%u", FIRST_VECTOR + i - SAVED_GENERAL);
    return false;
}

/* What the procedure call standard (AAPCS64) asks a function to bring back. */
static void check_registers(struct emulator *emulator, struct emulator_run *run)
{
    uint64_t saved[SAVED], control = 0;
    start_values(emulator, saved);
    uc_reg_read(emulator->uc, UC_ARM64_REG_FPCR, &control);
    if (emulator->config.levels && emulator->levels.level != 1) {
        snprintf(run->name, sizeof run->name, "the exception level");
    } else if (calls_check_saved(emulator, saved)) {
        if (!(control & FPCR_CONTROL))
            return;
        snprintf(run->name, sizeof run->name, "fpcr");
    }
    run->outcome = EMULATOR_CLOBBERED;
}

/* Unicorn 2.0 calls abort() where it meets certain words that are no instruction, and it translates ahead of
 * what is executed, so no hook can prevent it. */
static sigjmp_buf given_up;
static sigset_t signals;                              /* that are blocked outside of the handler */
static _Thread_local volatile sig_atomic_t emulating; /* and not in the model's thread, nor elsewhere */

static void give_up(int number)
{
    if (emulating)
        siglongjmp(given_up, 1);
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    raise(number);
}

void calls_catch_abort(struct sigaction *before)
{
    pthread_sigmask(SIG_SETMASK, NULL, &signals);
    sigaction(SIGABRT, &(struct sigaction){.sa_handler = give_up}, before);
}

/* Names the first refused word from where the translation was. */
static void tell_given_up(struct emulator *emulator, uint64_t pc)
{
    const struct image *image = &emulator->image;
    uint64_t i = (pc - image->code) / 4;
    emulator->broken = emulator->stopped = true;
    emulator->run->outcome = EMULATOR_UNKNOWN;
    emulator->run->instructions = emulator->instructions;
    emulator->run->pc = pc;
    snprintf(emulator->run->name, sizeof emulator->run->name, "what is no instruction");
    if (i >= image->count)
        return;
    uint32_t refused = emulator->next_attention[i];
    while (refused < image->count && !(emulator->attentions[refused] & ATTENTION_REFUSE))
        refused = emulator->next_attention[refused + 1];
    if (refused == image->count)
        refused = (uint32_t)i;
    emulator->run->pc = image->code + 4 * (uint64_t)refused;
    emulator->run->word = image->words[refused];
}

/* ---- a call ---- */

static void begin(struct emulator *emulator, const struct plan *plan, uint64_t call, uint32_t part)
{
    uint64_t args = plan->args + call * plan->args_stride;
    uint64_t results = plan->results + call * plan->results_stride;
    uint64_t entry = emulator->image.entries[plan->entry + part];
    uc_context_restore(emulator->uc, emulator->start);
    uc_reg_write(emulator->uc, UC_ARM64_REG_X0, &args);
    uc_reg_write(emulator->uc, UC_ARM64_REG_X1, &results);
    vpmu_reset(emulator->vpmu);
    levels_reset(&emulator->levels, emulator->model ? emulator->core.width : 1);
    emulator->quiet = 0;
    if (emulator->config.levels) {
        vpmu_set_level(emulator->vpmu, emulator->levels.level);
        vpmu_defer(emulator->vpmu);
    }
    trace_begin(emulator, entry);
    emulator->resume = entry;
    emulator->under_way = true;
}

/* Until the call has come to an end, or the turn has: of a few instructions, so none of this is a system
 * call. */
static void advance(struct emulator *emulator)
{
    uint64_t pc = 0;
    if (sigsetjmp(given_up, 0) != 0) {
        emulating = false;
        pthread_sigmask(SIG_SETMASK, &signals, NULL);
        uc_reg_read(emulator->uc, UC_ARM64_REG_PC, &pc);
        tell_given_up(emulator, pc);
        return;
    }
    emulating = true;
    emulator->yields = false;
    uc_err error = UC_ERR_OK;
    while (emulator->resume != NOWHERE && error == UC_ERR_OK && !emulator->stopped && !emulator->yields) {
        uint64_t from = emulator->resume;
        emulator->resume = NOWHERE;
        error = uc_emu_start(emulator->uc, from, RETURN_ADDRESS, 0, 0);
    }
    emulating = false;
    if (emulator->yields && error == UC_ERR_OK && !emulator->stopped)
        return;
    emulator->under_way = false;
    uc_reg_read(emulator->uc, UC_ARM64_REG_PC, &pc);
    trace_end(emulator, pc, error);
    if (!emulator->stopped)
        check_registers(emulator, emulator->run);
}

/* ---- two cores ---- */

enum { TURN_MOST = 16 };   /* four bits */
enum { WAITS_SHARE = 10 }; /* of the budget one part has while the other one stands still */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Instructions of the next turn. */
static unsigned turn_length(struct emulator *emulator)
{
    emulator->turns = emulator->turns * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return 1 + (unsigned)(emulator->turns >> 32) % TURN_MOST;
}

/* How many turns the parts of a call took when it was made first; 0: it was not made yet, or is very short.
 */
struct turns_of {
    uint64_t part[PLAN_MOST_PARTS];
    unsigned first, pauses; /* which part stands still first; how often one of them has */
};

bool calls_note(struct emulator *first, const struct plan *plan)
{
    if (first->noted && first->noted_layout == plan->layout && first->noted_calls == plan->calls)
        return true;
    free(first->noted);
    first->noted = calloc(plan->calls, sizeof *first->noted);
    first->noted_layout = plan->layout;
    first->noted_calls = plan->calls;
    return first->noted != NULL;
}

/* One part of a call that was made before stands still, after any of the turns that it took then. */
static void draw_pause(struct emulator *first, uint64_t call)
{
    struct emulator *const cores[] = {first, first->second};
    struct turns_of *took = &first->noted[call];
    if (!first->pauses_are_made)
        return;
    if (took->pauses == 0)
        took->first = (unsigned)draw_below(&first->pauses, PLAN_MOST_PARTS);
    const unsigned part = (took->first + took->pauses++) % PLAN_MOST_PARTS;
    if (took->part[part] > 0)
        cores[part]->until_pause = 1 + draw_below(&first->pauses, took->part[part]);
}

static void note_turns(struct emulator *first, uint64_t call)
{
    struct turns_of *took = &first->noted[call];
    if (took->part[0] == 0 && took->part[1] == 0)
        *took = (struct turns_of){.part = {first->turns_made, first->second->turns_made}};
}

static bool goes_on(const struct emulator *emulator)
{
    const struct emulator *other = emulator->other;
    if (!other->under_way || other->paused)
        return true;
    if (emulator->paused || !emulator->model)
        return false;
    uint64_t mine = model_now(emulator->model), theirs = model_now(other->model);
    return mine < theirs || (mine == theirs && !emulator->is_second);
}

bool calls_turn_ends(struct emulator *emulator, uint64_t address)
{
    uint64_t executed = emulator->instructions + (address - emulator->run_start) / 4;
    if (executed < emulator->turn)
        return false;
    trace_end_run(emulator, address);
    if (emulator->model)
        trace_hand_over(emulator);
    if (emulator->stopped)
        return true;
    emulator->turn = executed + turn_length(emulator);
    emulator->turns_made++;
    const bool pauses = emulator->until_pause == 1;
    emulator->until_pause -= emulator->until_pause > 0;
    if (pauses) {
        emulator->paused = true;
        emulator->other->most =
            least(emulator->config.budget, trace_spent(emulator) + emulator->config.budget / WAITS_SHARE);
    }
    if (goes_on(emulator))
        return false;
    emulator->yields = true;
    emulator->resume = address;
    emulator->attention = emulator->expected;
    uc_emu_stop(emulator->uc);
    return true;
}

uint64_t calls_store_exclusive(struct emulator *emulator, uint64_t address, uint64_t accessed)
{
    uint64_t failed = 1, marked = emulator->marked;
    uint32_t word = emulator->image.words[trace_index(emulator, address)];
    emulator->marked = NOWHERE;
    if (marked == accessed >> LINE_SHIFT)
        return accessed;
    trace_set_general(emulator, word >> 16 & 31, failed);
    emulator->resume = address + 4;
    emulator->attention = emulator->expected;
    uc_emu_stop(emulator->uc);
    return call_stack(emulator); /* it stores nothing: as if to a line of one's own */
}

/* The ends of both parts; and the beginnings: at the same time. */
static void meet(struct emulator *emulator)
{
    struct emulator *second = emulator->second;
    if (!emulator->model)
        return;
    uint64_t mine = model_waited(emulator->model), theirs = model_waited(second->model);
    model_meet(emulator->model, second->model);
    mine = model_waited(emulator->model) - mine;
    theirs = model_waited(second->model) - theirs;
    emulator->later += mine < theirs;
    second->later += theirs < mine;
}

static void make_parts(struct emulator *emulator, const struct plan *plan, uint64_t call)
{
    struct emulator *const cores[] = {emulator, emulator->second};
    struct emulator_run *run = emulator->run;
    if (emulator->model)
        model_meet(emulator->model, emulator->second->model);
    for (uint32_t part = 0; part < 2; part++) {
        struct emulator *core = cores[part];
        begin(core, plan, call, part);
        core->run = run;
        core->instructions_ever += part ? core->instructions : 0;
        core->instructions = part ? 0 : core->instructions;
        core->charged = part ? 0 : core->charged;
        core->look = 0;
        core->until = emulator->until;
        core->other = cores[1 - part];
        core->marked = NOWHERE;
        core->turns = 0;
        core->turn = core->instructions + turn_length(core);
        core->most = core->config.budget;
        core->paused = false;
        core->turns_made = core->until_pause = 0;
    }
    draw_pause(emulator, call);
    struct emulator *core = cores[0];
    while (core->under_way && run->outcome == EMULATOR_DONE) {
        run->part = core->is_second;
        advance(core);
        if (core->other->under_way)
            core = core->other;
    }
    run->waits = run->outcome == EMULATOR_BUDGET && core->paused && core->under_way;
    for (uint32_t part = 0; part < 2; part++) {
        cores[part]->other = NULL;
        cores[part]->turn = UINT64_MAX;
        cores[part]->most = cores[part]->config.budget;
        emulator->broken = emulator->broken || cores[part]->broken;
    }
    emulator->instructions += emulator->second->instructions;
    emulator->charged += emulator->second->charged;
    run->instructions = emulator->instructions;
    run->charged = emulator->charged;
    if (run->outcome != EMULATOR_DONE)
        return;
    note_turns(emulator, call);
    meet(emulator);
}

void calls_make(struct emulator *emulator, const struct plan *plan, uint64_t call)
{
    const uint32_t last = plan_last_part(plan);
    uint8_t *read = emulator->read;
    if (last > 0) {
        make_parts(emulator, plan, call);
        if (emulator->run->outcome != EMULATOR_DONE)
            return;
        emulator->read = NULL; /* what is to be read is read by the parts */
    }
    emulator->run->part = last;
    begin(emulator, plan, call, last);
    advance(emulator);
    emulator->read = read;
}
