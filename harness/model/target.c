#include "harness/model/target.h"
#include "harness/model/hash.h"

#include <stddef.h>

enum { MOST_CONFIDENT = 3, INSTRUCTION_BYTES = 4 };

/* How much of the path each table sees, and what keeps their hashes apart. */
static const uint64_t path_mask[TARGET_TABLES] = {0, 0xff, 0xffff, 0xffffffff, UINT64_MAX};
static const uint64_t odd[TARGET_TABLES] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                                            UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93),
                                            UINT64_C(0xa0761d6478bd642f)};

bool targets_create(struct targets *targets, const struct core *core, struct pool **pool)
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

void targets_call(struct targets *targets, uint64_t pc)
{
    if (targets->stack_size == 0)
        return;
    targets->stack[targets->top] = pc + INSTRUCTION_BYTES;
    targets->top = (uint8_t)(targets->top + 1 == targets->stack_size ? 0 : targets->top + 1);
}

bool targets_return(struct targets *targets, uint64_t pc, uint64_t target)
{
    if (targets->stack_size == 0)
        return targets_indirect(targets, pc, target);
    targets->top = (uint8_t)((targets->top == 0 ? targets->stack_size : targets->top) - 1);
    return targets->stack[targets->top] == target;
}

bool targets_indirect(struct targets *targets, uint64_t pc, uint64_t target)
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
