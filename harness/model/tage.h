/* Directions of conditional branches, after TAGE (Seznec and Michaud: A case for (partially) tagged geometric
 * history length branch prediction, JILP 2006). Private to the predictor.
 *
 * A base table by address, and up to eight tagged tables by address and history, each with a longer history:
 * the outcomes of all conditional branches, up to 255. An entry of 16 bits has a tag of 11, a counter of
 * three and two of usefulness. The longest history that matches predicts, but where its entry is new (weak
 * and not useful) and such entries were of less worth lately, the next longest does. A misprediction takes an
 * entry with a longer history that is not useful: the next longer history, or in every second case the one
 * after it (a sequence of fixed seed); where all are useful, they become less so. All do after each 2^18
 * look-ups.
 *
 * What differs from the paper: histories are hashed by a multiplication instead of being folded. Base entries
 * have three-bit counters too, and take over their first outcome as it is. A branch of which the tagged
 * tables hold no entry does not ask them. There is no loop predictor: histories of 60 branches and more see
 * the end of a short loop coming, and none is known of the cores at hand. No statistical corrector: like the
 * TAGE of 2006 this one is up to a tenth worse than min(p, 1 - p) on a branch taken at random. */
#ifndef CYCLELAB_MODEL_TAGE_H
#define CYCLELAB_MODEL_TAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/base/pool.h"
#include "harness/model/core.h"

enum { TAGE_TABLES = 8, TAGE_WORDS = 4 };

/* Both halves of a product, so that every bit of the result depends on every bit of the key (as in Wang Yi's
 * wyhash). */
static inline uint64_t hash_mix(uint64_t key, uint64_t odd)
{
    unsigned __int128 product = (unsigned __int128)key * odd;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

struct tage_table {
    uint64_t mask; /* of the highest word of history that it sees */
    size_t word;   /* which one that is */
    uint64_t odd;  /* factor of its hash */
    uint16_t *entries;
};

struct tage_base {
    uint16_t entry;
    uint16_t owned; /* entries of the tagged tables that its branches took */
};

struct tage {
    /* Outcomes, the last one lowest. Apart from each other, so that they are not moved as vectors: one of
     * them is read again soon, and would wait for the other. */
    struct {
        uint64_t outcomes, apart;
    } history[TAGE_WORDS];
    struct tage_base *base; /* by address */
    uint32_t base_mask, table_mask;
    uint8_t words;  /* of history that the tables see; 1 at least */
    uint8_t tables; /* shortest history first */
    uint8_t table_bits;
    int8_t trust_alternate; /* 0 and above: a new entry is not believed */
    uint32_t random;
    uint32_t age; /* look-ups since all became less useful */
    struct tage_table table[TAGE_TABLES];
    uint16_t *entries; /* table after table */
    uint16_t *owner;   /* of each: a base entry */

    /* What becomes of an entry's counter and usefulness: of the one that predicts, by whether the next
     * longest differed and by the outcome; of the next longest, by whether the first is useful and by the
     * outcome. */
    uint8_t first_next[2][2][32], other_next[2][2][32];
};

/* False when memory is out. */
bool tage_create(struct tage *tage, const struct core *core, struct pool **pool);

/* The branch at `pc` went that way: learn from it; true when it was expected. */
bool tage_branch(struct tage *tage, uint64_t pc, bool taken);

/* One bit of history, from another kind of branch. */
void tage_history(struct tage *tage, unsigned bit);

#endif
