/* What the emulated machine has to say, for the student; and the correctness trials in it. */
#ifndef CYCLELAB_EMULATED_H
#define CYCLELAB_EMULATED_H

#include "grader/check/correctness.h"
#include "harness/emu/emulator.h"

/* CPU time of student code in the emulated machine: for all cases of correctness, and again for all bounds,
 * which are measured at the same time. A check ends within 20 s; budgets of instructions end it before that,
 * but on a slow host. */
enum { EMULATED_SECONDS = 15 };

/* `run` is of any outcome but EMULATOR_DONE. What it comes to, and why: TRIAL_BROKE for what can be a slip
 * (an overrun, a loop without end, a lost register), TRIAL_RULE for what no submission may do. `budget` is
 * what the run had; `before` what was used up before it, where that has left it less than it would have had,
 * or 0. */
enum trial_outcome emulated_describe(const struct emulator_run *run, const struct layout *layout,
                                     const char *program, uint64_t budget, uint64_t before,
                                     struct fault_text *text);

/* After an execution to its end, with `notes_clock`: has each reading of the counter that the calls report
 * been delivered, in this order, and as many cycles lie between two of them as they say? Else text. */
bool emulated_readings(const struct emulator *emulator, const struct layout *layout, struct fault_text *text);

/* Trials of an AArch64 program in the emulated machine, without timing. `features`: that the core has. */
struct trials *trials_emulated(const char *program, unsigned features, uint64_t seed, struct arena *arena);

#endif
