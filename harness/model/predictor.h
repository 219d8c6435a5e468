/* Branch prediction: directions from tagged tables of rising history length (after TAGE: Seznec and Michaud,
 * JILP 2006), a return stack, and targets of indirect branches. tage.h and predictor.c describe how.
 *
 * Prediction and learning are one step, in program order: no wrong path is seen, and no branch waits to be
 * resolved before the next is predicted. Targets of direct branches are always known. */
#ifndef CYCLELAB_MODEL_PREDICTOR_H
#define CYCLELAB_MODEL_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/error.h"
#include "harness/base/pool.h"
#include "harness/model/core.h"
#include "harness/model/op.h"

struct predictor;

/* From the pool. NULL with err where sizes make no sense: base-bits and table-bits are 1 to 16, histories
 * rise from 1 on. */
struct predictor *predictor_create(const struct core *core, struct pool **pool, struct error *err);

/* The branch at `pc` was executed: taken or not, and went to `target` (the next instruction's address if not
 * taken). Predict it, learn from it; true when the prediction was right. */
bool predictor_branch(struct predictor *predictor, uint64_t pc, enum op_branch branch, bool taken,
                      uint64_t target);

#endif
