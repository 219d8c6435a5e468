#include "harness/model/predictor.h"
#include "harness/model/tage.h"

#include <stddef.h>

/* ---- where branches through a register go ----
 *
 * A return goes to what the return stack has on top. The stack is circular and does not know how deep it is,
 * as in hardware: calls nested deeper than it lose the oldest addresses, and returns beyond find those of
 * before (which are right again for plain recursion).
 *
 * Other indirect branches follow ITTAGE (Seznec: A 64-Kbytes ITTAGE indirect branch predictor, 2011) in
 * small: a table of the last target by address, and four tagged ones by address and the last 1, 2, 4 and 8
 * targets. The longest history that matches decides. A target is replaced when it was wrong with no
 * confidence left, and a misprediction takes an entry of a longer history. */

enum { TARGET_TABLES = 5 };

struct target_entry {
    uint64_t target;
    uint32_t tag;
    uint32_t confidence; /* 0 to 3 */
};

struct targets {
    uint64_t *stack;
    uint8_t stack_size, top;
    uint8_t bits;
    uint64_t path;                /* eight bits of each of the last eight targets */
    struct target_entry *entries; /* table after table, shortest history first */
};

enum { MOST_CONFIDENT = 3, INSTRUCTION_BYTES = 4 };

/* How much of the path each table sees, and what keeps their hashes apart. */
static const uint64_t path_mask[TARGET_TABLES] = {0, 0xff, 0xffff, 0xffffffff, UINT64_MAX};
static const uint64_t odd[TARGET_TABLES] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                                            UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93),
                                            UINT64_C(0xa0761d6478bd642f)};

static bool targets_create(struct targets *targets, const struct core *core, struct pool **pool)
{
    const uint8_t size = core->predictor.return_stack, bits = core->predictor.target_bits;
    *targets = (struct targets){
        .stack_size = size,
        .bits = bits,
        .stack = pool_take(pool, size * sizeof *targets->stack),
        .entries = pool_take(pool, ((size_t)TARGET_TABLES << bits) * sizeof *targets->entries),
    };
    return targets->stack && targets->entries;
}

/* A call at `pc` will return to the instruction behind it. */
static void targets_call(struct targets *targets, uint64_t pc)
{
    if (targets->stack_size == 0)
        return;
    targets->stack[targets->top] = pc + INSTRUCTION_BYTES;
    targets->top = (uint8_t)(targets->top + 1 == targets->stack_size ? 0 : targets->top + 1);
}

/* Another indirect branch went to `target`: whether that was expected. */
static bool targets_indirect(struct targets *targets, uint64_t pc, uint64_t target)
{
    struct target_entry *entries[TARGET_TABLES];
    uint32_t tags[TARGET_TABLES];
    int provider = -1;
    for (int table = 0; table < TARGET_TABLES; table++) {
        uint64_t hash = hash_mix(hash_mix(pc, odd[0]) ^ (targets->path & path_mask[table]), odd[table]);
        size_t index = (size_t)(hash & ((UINT64_C(1) << targets->bits) - 1));
        entries[table] = &targets->entries[((size_t)table << targets->bits) + index];
        tags[table] = (uint32_t)(hash >> 32) | 1;
        if (entries[table]->tag == tags[table])
            provider = table;
    }
    bool right = provider >= 0 && entries[provider]->target == target;
    if (right) {
        entries[provider]->confidence += entries[provider]->confidence < MOST_CONFIDENT;
    } else {
        if (provider >= 0 && entries[provider]->confidence > 0)
            entries[provider]->confidence--;
        else if (provider >= 0)
            entries[provider]->target = target;
        for (int table = provider + 1; table < TARGET_TABLES; table++) {
            if (entries[table]->confidence == 0) {
                *entries[table] = (struct target_entry){target, tags[table], 0};
                break;
            }
            entries[table]->confidence--;
        }
    }
    targets->path = targets->path << 8 | (hash_mix(target, odd[1]) & 0xff);
    return right;
}

static bool targets_return(struct targets *targets, uint64_t pc, uint64_t target)
{
    if (targets->stack_size == 0)
        return targets_indirect(targets, pc, target);
    targets->top = (uint8_t)((targets->top == 0 ? targets->stack_size : targets->top) - 1);
    return targets->stack[targets->top] == target;
}

/* ---- all branches ---- */

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
