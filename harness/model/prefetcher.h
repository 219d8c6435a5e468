/* A stride prefetcher: for each of a few instructions the distance between the addresses at which it needed
 * new lines. Private to the memory side.
 *
 * It learns from misses in L1D and from the first use of a line that it asked for itself (tagged prefetching,
 * after Gindele 1977; a stride per instruction, after Chen and Baer 1995), so that hits cost nothing. The
 * same stride twice in a row, in bytes or in lines, starts a stream: three misses. A running stream is kept
 * `distance` steps ahead of its instruction, and asks for `degree` lines at a time at most: with a degree of
 * 1 it never gets further ahead than one step. A step is the stride, one line at least. Streams work on
 * addresses as the program sees them and cross pages, but bring no translation in. */
#ifndef CYCLELAB_MODEL_PREFETCHER_H
#define CYCLELAB_MODEL_PREFETCHER_H

#include "harness/base/pool.h"
#include "harness/model/core.h"

struct prefetcher_stream {
    uint64_t pc;
    uint64_t address;     /* of the last new line */
    uint64_t stride;      /* to it from the one before, in bytes; may be negative, modulo 2^64 */
    uint64_t line_stride; /* and in lines */
    uint64_t last_use;
    uint8_t confidence; /* 0 to 3 */
    uint8_t ahead;      /* steps asked for, beyond `address` */
};

struct prefetcher {
    struct prefetcher_stream *streams; /* NULL: there is none */
    struct prefetcher_stream *recent;
    uint64_t uses;
    uint8_t count, distance, degree, line_shift;
};

/* Lines to ask for: the one at `address`, and so on in steps. */
struct prefetcher_request {
    uint64_t address, step;
    unsigned lines;
};

/* False when memory is out. */
bool prefetcher_create(struct prefetcher *prefetcher, const struct core *core, unsigned line_shift,
                       struct pool **pool);

/* The instruction at `pc` needed a new line at `address`. */
struct prefetcher_request prefetcher_train(struct prefetcher *prefetcher, uint64_t pc, uint64_t address);

#endif
