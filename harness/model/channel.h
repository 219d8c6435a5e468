/* The memory channel: one line in `busy` cycles. Private to the memory side.
 *
 * Requests come in program order, their cycles somewhat out of it: one that is issued early must not queue
 * behind one that comes long after it. So time is cut into epochs, and each remembers up to when it is taken;
 * a request takes the first room at or after its cycle. For cycles in order this is an exact queue. Requests
 * older than the epochs that are remembered do not wait. */
#ifndef CYCLELAB_MODEL_CHANNEL_H
#define CYCLELAB_MODEL_CHANNEL_H

#include <stdint.h>

enum {
    CHANNEL_EPOCH_SHIFT = 8, /* no shorter than a line's time, which is up to 255 cycles */
    CHANNEL_EPOCHS = 256
};

struct channel {
    struct {
        uint64_t number; /* of the epoch, from 1 on */
        uint64_t free;   /* the cycle from which it is not taken */
    } epochs[CHANNEL_EPOCHS];
    uint8_t busy;
};

/* The cycle, `cycle` or later, in which the line's transfer begins. */
static inline uint64_t channel_take(struct channel *channel, uint64_t cycle)
{
    if (channel->busy == 0)
        return cycle;
    for (uint64_t number = (cycle >> CHANNEL_EPOCH_SHIFT) + 1;; number++) {
        unsigned at = number % CHANNEL_EPOCHS;
        if (channel->epochs[at].number > number)
            return cycle;
        if (channel->epochs[at].number < number) {
            unsigned before = (number - 1) % CHANNEL_EPOCHS;
            channel->epochs[at].number = number;
            channel->epochs[at].free =
                channel->epochs[before].number == number - 1 ? channel->epochs[before].free : 0;
        }
        if (channel->epochs[at].free > cycle)
            cycle = channel->epochs[at].free;
        if (cycle >> CHANNEL_EPOCH_SHIFT < number) {
            channel->epochs[at].free = cycle + channel->busy;
            return cycle;
        }
    }
}

#endif
