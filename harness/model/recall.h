/* What a run of instructions did the last time that the pipeline was in the same situation. Private to the
 * model. (After Schnarr and Larus: Fast out-of-order processor simulation using memoization, ASPLOS 1998.)
 *
 * What a run does depends on little: where fetch, dispatch and commit are, when the registers are ready that
 * it reads, which ports are taken, what is in the queues; all of it relative to the cycle of the last issue
 * or dispatch, and of what is over by then only that it is. Loops come back to the same situations. A record
 * says for one of them, word by word, what was found and what came of it. It is only used, and only made,
 * where no access of the run takes an extra cycle, no load takes the data of a store under way, and no
 * instruction misses L1I: that is asked anew each time. So a record saves time, and does nothing else. */
#ifndef CYCLELAB_MODEL_RECALL_H
#define CYCLELAB_MODEL_RECALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct recall;

enum { RECALL_WORDS = 1 << 19, RECALL_LEAST = 1 << 11 };

/* For a model of that many instructions; with `words` of 64 bits for records, RECALL_LEAST at least: when
 * they are full, all is forgotten. NULL where memory is short. */
struct recall *recall_create(size_t instructions, size_t words);
void recall_destroy(struct recall *recall);

/* As in_order_run() and out_of_order_run(), by a record or by these. */
void recall_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses);

/* What runs by records have charged goes to the accounts of the sites. */
void recall_settle(const struct model *model);

/* Something but model_run() has changed the pipeline. */
void recall_interrupt(struct recall *recall);

#endif
