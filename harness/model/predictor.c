#include "harness/model/predictor.h"
#include "harness/model/tage.h"
#include "harness/model/target.h"

struct predictor {
    struct tage tage;
    struct targets targets;
};

struct predictor *predictor_create(const struct core *core, struct pool **pool, struct error *err)
{
    if (core_refused(core, core_check_predictor, err))
        return NULL;
    struct predictor *predictor = pool_take(pool, sizeof *predictor);
    if (predictor && tage_create(&predictor->tage, core, pool) &&
        targets_create(&predictor->targets, core, pool))
        return predictor;
    error_set(err, "no memory for the predictor of branches");
    return NULL;
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
