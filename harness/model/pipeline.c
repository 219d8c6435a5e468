#include "harness/model/pipeline.h"

#include <string.h>

uint64_t fetch_line(struct model *model, uint64_t address, uint64_t front)
{
    model->fetched = (address >> model->memory->line_shift) + 1;
    uint64_t extra = memory_fetch(model->memory, address, cycle_of(front));
    return extra ? time_of(cycle_of(front) + extra, MODEL_WAIT_FETCH) : front;
}

uint64_t data_miss(struct model *model, const struct step *step, uint32_t site, uint64_t address,
                   uint64_t cycle, unsigned *reason)
{
    uint64_t pc = model->start + (uint64_t)site * 4;
    struct memory_access access = memory_data(model->memory, step->memory, pc, address, step->bytes, cycle);
    if (step->memory != OP_MEMORY_PREFETCH && access.level != MEMORY_L1)
        model->sites[site].misses[access.level]++;
    *reason = MODEL_WAIT_LOAD + (unsigned)access.level;
    if (access.tlb_missed && access.tlb_extra * 2u > access.extra)
        *reason = MODEL_WAIT_TLB;
    return access.extra;
}

void calendar_clear(struct model *model, uint64_t from, uint64_t to)
{
    uint64_t size = model->calendar_mask + 1;
    uint64_t first = from & model->calendar_mask;
    uint64_t count = to - from < size ? to - from : size;
    uint64_t straight = count < size - first ? count : size - first;
    memset(&model->calendar[first], 0, straight * sizeof *model->calendar);
    memset(model->calendar, 0, (count - straight) * sizeof *model->calendar);
}

/* ---- stores under way ---- */

/* The store whose place in the granule's chain this one took. */
static uint32_t earlier_store(const struct store *store, unsigned hash)
{
    uint64_t granule = store->address >> GRANULE_SHIFT;
    unsigned i = 0;
    while (i < STORE_GRANULES - 1 && granule_hash(granule + i) != hash)
        i++;
    return store->earlier[i];
}

const struct store *store_search(const struct model *model, uint64_t address, unsigned bytes, uint64_t cycle)
{
    uint32_t next = (uint32_t)model->stores;
    uint32_t best = (uint32_t)model->store_mask + 2;
    uint64_t last = (address + bytes - (bytes > 0)) >> GRANULE_SHIFT;
    for (uint64_t granule = address >> GRANULE_SHIFT; granule <= last; granule++) {
        unsigned hash = granule_hash(granule);
        uint32_t age = next - model->granules[hash];
        for (uint32_t before = 0; age > before && age < best;) {
            const struct store *store = &model->store_queue[(next - age) & model->store_mask];
            if (store->drained <= cycle)
                break;
            if (store->address < address + bytes && address < store->end) {
                best = age;
                break;
            }
            before = age;
            age = next - earlier_store(store, hash);
        }
    }
    return best <= model->store_mask + 1 ? &model->store_queue[(next - best) & model->store_mask] : NULL;
}

uint64_t store_gives(const struct model *model, const struct step *step, const struct store *store,
                     uint64_t address, uint64_t cycle, bool *all)
{
    const struct core *core = &model->core;
    uint64_t end = address + step->bytes, given = 0;
    *all = false;
    if (model->memory->other && step->kind / 2 == OP_EXCLUSIVE)
        return store->drained + step->latency; /* the line itself is asked for */
    *all = store->address <= address && end <= store->end;
    if (*all)
        return store->data + core->forward;
    for (uint64_t at = address; at < end; at += step->part) {
        store = store_search(model, at, step->part, cycle);
        if (!store)
            continue;
        bool whole = store->address <= at && at + step->part <= store->end;
        uint64_t data = whole ? store->data + core->forward_pair
                              : later(store->drained + step->latency, store->data + core->forward_part);
        given = later(given, data);
    }
    return given;
}

uint64_t exclusive_data(const struct model *model, const struct step *step, uint64_t address, uint64_t issue)
{
    const struct store *store = store_find(model, address, step->bytes, issue);
    bool all;
    return store ? store_gives(model, step, store, address, issue, &all) : 0;
}
