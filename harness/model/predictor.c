#include "harness/model/predictor.h"
#include "harness/model/tage.h"
#include "harness/model/target.h"

#include <stdlib.h>

struct predictor {
    struct tage tage;
    struct targets targets;
};

struct predictor *predictor_create(const struct core *core, struct error *err)
{
    if (core_refused(core, core_check_predictor, err))
        return NULL;
    struct predictor *predictor = calloc(1, sizeof *predictor);
    if (!predictor) {
        error_set(err, "predictor: no memory");
        return NULL;
    }
    if (tage_create(&predictor->tage, core, err) && targets_create(&predictor->targets, core, err))
        return predictor;
    predictor_destroy(predictor);
    return NULL;
}

void predictor_destroy(struct predictor *predictor)
{
    if (!predictor)
        return;
    tage_destroy(&predictor->tage);
    targets_destroy(&predictor->targets);
    free(predictor);
}

void predictor_reset(struct predictor *predictor)
{
    tage_reset(&predictor->tage);
    targets_reset(&predictor->targets);
}

/* A bit of where it went is history for the conditional branches that follow. */
static bool indirect(struct predictor *predictor, uint64_t pc, uint64_t target)
{
    tage_history(&predictor->tage, (unsigned)(target >> 2 ^ target >> 3 ^ target >> 6));
    return targets_indirect(&predictor->targets, pc, target);
}

static __attribute__((noinline)) bool other_branch(struct predictor *predictor, uint64_t pc,
                                                   enum op_branch branch, uint64_t target)
{
    switch (branch) {
    case OP_CALL:
        targets_call(&predictor->targets, pc);
        return true;
    case OP_CALL_INDIRECT:
        targets_call(&predictor->targets, pc);
        return indirect(predictor, pc, target);
    case OP_JUMP_INDIRECT:
        return indirect(predictor, pc, target);
    case OP_RETURN:
        return targets_return(&predictor->targets, pc, target);
    case OP_CONDITIONAL:
    case OP_NO_BRANCH:
    case OP_JUMP:
        break;
    }
    return true;
}

bool predictor_branch(struct predictor *predictor, uint64_t pc, enum op_branch branch, bool taken,
                      uint64_t target)
{
    if (branch == OP_CONDITIONAL)
        return tage_branch(&predictor->tage, pc, taken);
    return other_branch(predictor, pc, branch, target);
}
