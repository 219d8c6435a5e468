/* What went wrong in a machine, in words for the student. */
#ifndef CYCLELAB_FAULT_H
#define CYCLELAB_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "grader/build/build.h"
#include "grader/exercise/layout.h"
#include "harness/runner/machine.h"

struct fault_text {
    char message[1600]; /* what happened, in which function and line, with how many elements */
    char next[640];     /* the one thing to look at next */
    bool endless;       /* it did not come back */
};

/* `run` is of any outcome but MACHINE_DONE; `program` is what the machine ran. The machine's own words about
 * itself are used, and may be false where the code is hostile. */
void fault_describe(const struct machine_run *run, const struct layout *layout, const char *program,
                    enum isa isa, unsigned limit_ms, struct fault_text *text);

/* A part of the call that does not come to its end while the other one stands still; `place` may be NULL. */
void fault_waits(unsigned part, const char *call, const char *place, struct fault_text *text);

/* Where the code at `address` is what comes behind a function of the student's that does not return: says so,
 * and is true. `call` as from fault_in_call(). */
bool fault_past_end(const char *program, uint64_t address, const char *call, struct fault_text *text);

/* " in the call with n = 7" of the plan's call, or nothing where layout_has_n() is false. */
void fault_in_call(uint32_t call, const struct layout *layout, char *text, size_t size);

/* What a function has to bring back as it was: "x19-x29, d8-d15 and sp". */
const char *fault_saved_list(enum isa isa);

#endif
