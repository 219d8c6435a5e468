#include "harness/model/prefetcher.h"

#include <stddef.h>

enum { MOST_CONFIDENT = 3 };

bool prefetcher_create(struct prefetcher *prefetcher, const struct core *core, unsigned line_shift,
                       struct pool **pool)
{
    *prefetcher = (struct prefetcher){.count = core->prefetcher.streams,
                                      .distance = core->prefetcher.distance,
                                      .degree = core->prefetcher.degree,
                                      .line_shift = (uint8_t)line_shift};
    if (prefetcher->count == 0)
        return true;
    prefetcher->streams = pool_take(pool, prefetcher->count * sizeof *prefetcher->streams);
    prefetcher->recent = prefetcher->streams;
    return prefetcher->streams != NULL;
}

/* The stream of this instruction; else the one that was not used for longest, which has another pc. */
static struct prefetcher_stream *stream_of(struct prefetcher *prefetcher, uint64_t pc)
{
    struct prefetcher_stream *oldest = prefetcher->streams;
    for (struct prefetcher_stream *stream = oldest; stream < prefetcher->streams + prefetcher->count;
         stream++) {
        if (stream->pc == pc && stream->last_use > 0)
            return stream;
        if (stream->last_use < oldest->last_use)
            oldest = stream;
    }
    return oldest;
}

struct prefetcher_request prefetcher_train(struct prefetcher *prefetcher, uint64_t pc, uint64_t address)
{
    struct prefetcher_request none = {0, 0, 0};
    if (!prefetcher->streams)
        return none;
    struct prefetcher_stream *stream = prefetcher->recent;
    if (stream->pc != pc || stream->last_use == 0)
        prefetcher->recent = stream = stream_of(prefetcher, pc);
    bool known = stream->pc == pc && stream->last_use > 0;
    stream->last_use = ++prefetcher->uses;
    if (!known) {
        *stream = (struct prefetcher_stream){.pc = pc, .address = address, .last_use = stream->last_use};
        return none;
    }

    unsigned shift = prefetcher->line_shift;
    uint64_t stride = address - stream->address;
    uint64_t line_stride = (address >> shift) - (stream->address >> shift);
    if (line_stride == 0)
        return none;
    stream->address = address;
    bool same_bytes = stride == stream->stride;
    bool same_lines = line_stride == stream->line_stride;
    bool next_line = same_lines && line_stride + 1 <= 2;
    if (!same_bytes && !same_lines) {
        /* A running stream survives a jump, to the next row of a matrix, say. */
        if (stream->confidence > 0)
            stream->confidence--;
        if (stream->confidence == 0) {
            stream->stride = stride;
            stream->line_stride = line_stride;
        }
        stream->ahead = 0;
        return none;
    }
    stream->stride = stride;
    stream->line_stride = line_stride;
    if (stream->confidence < MOST_CONFIDENT)
        stream->confidence++;
    if (stream->ahead > 0)
        stream->ahead--;
    unsigned lines = prefetcher->distance - stream->ahead;
    if (lines > prefetcher->degree)
        lines = prefetcher->degree;
    uint64_t step = same_bytes && !next_line ? stride : line_stride << shift;
    struct prefetcher_request request = {address + step * (stream->ahead + 1u), step, lines};
    stream->ahead = (uint8_t)(stream->ahead + lines);
    return request;
}
