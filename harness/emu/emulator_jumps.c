/* Where the execution may go: student code anywhere in its own, and into the glue as it is called or handed
 * out, with what it has to bring back. */
#include <string.h>

#include "harness/emu/emulator_internal.h"

bool jumps_escaped(struct emulator *emulator, uint64_t from, uint64_t to, const char *text)
{
    struct emulator_run *run = trace_stop(emulator, EMULATOR_ESCAPED, from);
    run->address = to;
    snprintf(run->name, sizeof run->name, "%s", text);
    return false;
}

/* Back in the glue, which may rely on what its call had to bring back; also from a function of its own that
 * student code has called last. */
static bool come_back(struct emulator *emulator, uint64_t from)
{
    const struct frame *frame = &emulator->frames[--emulator->depth];
    if (!frame->left)
        return true;
    if (!calls_check_saved(emulator, frame->saved)) {
        trace_stop(emulator, EMULATOR_CLOBBERED, from);
        return false;
    }
    if (frame->hides)
        calls_put_saved(emulator, frame->hidden);
    return true;
}

/* With an object, or with none, through which nothing can be read. */
static bool may_enter_handed(struct emulator *emulator, uint64_t from, uint64_t to)
{
    const uint64_t object = trace_general(emulator, 0, false);
    emulator->gives_value = image_handed(&emulator->image, to)->gives_value;
    return !emulator->config.guards || object == 0 || system_was_handed(emulator, object) ||
           jumps_escaped(emulator, from, to,
                         "into the exercise's glue for another object than it was handed");
}

/* The glue has to be left as it was entered: what it calls returns to it, the last call first. Else student
 * code enters it by what it was handed, for what it was handed with it. */
static bool may_enter_glue(struct emulator *emulator, uint64_t from, uint64_t to, bool from_glue)
{
    if (emulator->depth > 0 && emulator->frames[emulator->depth - 1].back == to)
        return come_back(emulator, from);
    for (unsigned i = emulator->depth; emulator->config.levels && from_glue && i-- > 0;) {
        if (emulator->frames[i].back == to) { /* a visit to EL0 that an exception has ended */
            emulator->depth = i;
            return true;
        }
    }
    switch (from_glue ? IMAGE_GLUE : (enum image_place)emulator->image.places[trace_index(emulator, to)]) {
    case IMAGE_GLUE_HANDED:
        return may_enter_handed(emulator, from, to);
    case IMAGE_GLUE_START:
        return jumps_escaped(emulator, from, to,
                             "into the exercise's glue by a function that it was not handed");
    default:
        return jumps_escaped(emulator, from, to, "into the middle of the exercise's glue");
    }
}

/* The glue, with its secrets, is left. What the AAPCS64 does not have a function bring back is nobody's, from
 * these registers on: x0 and on, v0 and on. */
static void forget_registers(struct emulator *emulator, unsigned general, unsigned vector)
{
    const uint64_t zero = 0;
    for (unsigned i = general; i < FIRST_GENERAL; i++)
        trace_set_general(emulator, i, 0);
    for (unsigned i = vector; i < 32; i++) {
        uint64_t halves[2] = {0, 0};
        if (i >= FIRST_VECTOR && i < FIRST_VECTOR + SAVED_VECTOR)
            uc_reg_read(emulator->uc, UC_ARM64_REG_D0 + (int)i, &halves[0]);
        uc_reg_write(emulator->uc, UC_ARM64_REG_Q0 + (int)i, halves);
    }
    uc_reg_write(emulator->uc, UC_ARM64_REG_NZCV, &zero);
    uc_reg_write(emulator->uc, UC_ARM64_REG_FPSR, &zero);
}

/* The same at a call, which has arguments; the rest is put aside until it comes back. */
static void hide_registers(struct emulator *emulator, struct frame *frame)
{
    forget_registers(emulator, ARGUMENTS, ARGUMENTS);
    frame->hides = true;
    memcpy(frame->hidden, frame->saved, sizeof frame->hidden);
    calls_start_values(frame->saved);
    calls_put_saved(emulator, frame->saved);
}

static bool call_from_glue(struct emulator *emulator, uint64_t from, uint64_t to)
{
    if (emulator->depth == FRAMES)
        return jumps_escaped(emulator, from, to, "into too many calls of the glue within each other");
    struct frame *frame = &emulator->frames[emulator->depth++];
    frame->back = from + 4;
    frame->left = !trace_is_glue(emulator, to);
    if (!frame->left)
        return true;
    emulator->visits++;
    calls_note_saved(emulator, frame->saved);
    frame->hides = false;
    if (emulator->config.guards && !emulator->config.levels) /* a visit to EL0 may end without coming back */
        hide_registers(emulator, frame);
    for (unsigned i = 0; i < HANDED; i++)
        frame->handed[i] = trace_general(emulator, i, false);
    return true;
}

bool jumps_may_jump(struct emulator *emulator, uint64_t from, uint64_t to)
{
    const struct op *op = &emulator->ops[trace_index(emulator, from)];
    bool from_glue = trace_is_glue(emulator, from);
    if (to == RETURN_ADDRESS)
        return emulator->depth == 0 || (emulator->config.levels && from_glue) ||
               jumps_escaped(emulator, from, to, "to the end of the call, past the exercise's glue");
    if (!trace_is_code(emulator, to)) {
        trace_stop(emulator, EMULATOR_FAULT, from)->address = to;
        return false;
    }
    enum image_place place = emulator->image.places[trace_index(emulator, to)];
    if (place == IMAGE_RUNNER)
        return jumps_escaped(emulator, from, to, "into the runner");
    if (from_glue && (op->branch == OP_CALL || op->branch == OP_CALL_INDIRECT))
        return call_from_glue(emulator, from, to);
    if (trace_is_glue(emulator, to) && (!from_glue || op->branch == OP_RETURN))
        return may_enter_glue(emulator, from, to, from_glue);
    if (!from_glue || trace_is_glue(emulator, to) || !emulator->config.guards)
        emulator->known[trace_index(emulator, from)] = to;
    else if (op->branch == OP_RETURN) /* each time: this jump is not known */
        forget_registers(emulator, emulator->gives_value, 0);
    else /* what it calls last */
        forget_registers(emulator, ARGUMENTS, ARGUMENTS);
    return true;
}

bool jumps_may_fall(struct emulator *emulator, uint64_t address)
{
    if (!(emulator->attentions[trace_index(emulator, address)] & ATTENTION_GLUE) ||
        (trace_is_code(emulator, address - 4) && trace_is_glue(emulator, address - 4)))
        return true;
    return may_enter_glue(emulator, address - 4, address, false);
}
