#include "harness/model/memory_fast.h"

#include <string.h>

static bool create_cache(struct cache *cache, const struct core_cache *wanted, unsigned line,
                         struct pool **pool)
{
    return wanted->bytes == 0 || cache_create(cache, wanted->bytes / line, wanted->ways, pool);
}

/* Latencies are from load to use; those of the first level are the load's own. */
static uint32_t beyond_l1(const struct core *core, unsigned latency)
{
    unsigned first = core->classes[OP_LOAD][0].latency;
    return latency > first ? latency - first : 0;
}

/* What is below L1 is that of `first`, where there is one. */
static bool create_below(struct memory *memory, struct memory *first, const struct core *core,
                         struct pool **pool)
{
    memory->channel = first ? first->channel : &memory->channels[0];
    memory->refill = first ? first->refill : &memory->channels[1];
    memory->strays = first ? first->strays : &memory->own_strays;
    memory->channel->busy = core->dram_busy;
    memory->refill->busy = core->l2_busy;
    if (!first)
        return create_cache(&memory->l2, &core->l2, core->line, pool) &&
               create_cache(&memory->llc, &core->llc, core->line, pool);
    memory->l2 = first->l2; /* the same sets and tags */
    memory->llc = first->llc;
    memory->other = first;
    first->other = memory;
    return true;
}

static bool create(struct memory *memory, struct memory *first, const struct core *core, struct pool **pool)
{
    unsigned line = core->line;
    memory->line_shift = (unsigned)__builtin_ctz(line);
    memory->line_mask = line - 1;
    memory->fill_count = core->fills;
    memory->transfer = beyond_l1(core, core->transfer);
    memory->extra[MEMORY_L2] = beyond_l1(core, core->l2.latency);
    memory->extra[MEMORY_LLC] = beyond_l1(core, core->llc.latency);
    memory->extra[MEMORY_DRAM] = beyond_l1(core, core->dram);
    memory->last_is_l2 = core->llc.bytes == 0;
    if (!create_cache(&memory->l1d, &core->l1d, line, pool) ||
        !create_cache(&memory->l1i, &core->l1i, line, pool) || !tlb_create(&memory->tlb, core, pool) ||
        !prefetcher_create(&memory->prefetcher, core, memory->line_shift, pool))
        return false;
    size_t sets = (size_t)memory->l1d.set_mask + 1;
    memory->lines = pool_take(pool, sets * memory->l1d.stride * sizeof *memory->lines);
    memory->recent = pool_take(pool, sets * sizeof *memory->recent);
    for (size_t set = 0; memory->recent && set < sets; set++)
        memory->recent[set].ready = UINT64_MAX;
    return memory->lines && memory->recent && create_below(memory, first, core, pool);
}

struct memory *memory_create(const struct core *core, struct memory *first, struct pool **pool,
                             struct error *err)
{
    if (core_refused(core, core_check_memory, err))
        return NULL;
    struct memory *memory = pool_take(pool, sizeof *memory);
    if (memory && create(memory, first, core, pool))
        return memory;
    error_set(err, "no memory for the model of the caches");
    return NULL;
}

const struct memory_counts *memory_counts(const struct memory *memory)
{
    return &memory->counts;
}

void memory_forget_counts(struct memory *memory)
{
    memory->counts = (struct memory_counts){0};
}

/* ---- below L1 ---- */

static void write_back(struct memory *memory, enum memory_level level, uint64_t tag, uint64_t cycle);

static void install(struct memory *memory, struct cache *cache, enum memory_level level, uint64_t line,
                    uint64_t cycle)
{
    unsigned way;
    uint64_t victim = cache_insert(cache, line, 0, &way);
    if (victim & CACHE_DIRTY)
        write_back(memory, level + 1, victim, cycle);
}

/* A dirty line leaves for `level`: it is dirty where it is found, without having been used there; where it is
 * not, it goes further down, and makes no room for itself. */
static void write_back(struct memory *memory, enum memory_level level, uint64_t tag, uint64_t cycle)
{
    uint64_t line = tag >> CACHE_FLAG_BITS;
    memory->counts.l2_accesses += level == MEMORY_L2 && memory->l2.sets;
    for (; level < MEMORY_DRAM; level++) {
        struct cache *cache = level == MEMORY_L2 ? &memory->l2 : &memory->llc;
        unsigned way = cache->sets ? cache_find(cache, line) : CACHE_MISS;
        if (way != CACHE_MISS) {
            cache->tags[cache_index(cache, line, way)] |= CACHE_DIRTY;
            return;
        }
    }
    channel_take(memory->channel, cycle);
}

/* The line leaves L1D before it has come. */
static void note_stray(struct memory *memory, uint64_t line, struct memory_fill fill)
{
    struct memory_strays *strays = memory->strays;
    strays->lines[strays->next] = (struct memory_stray){line, fill};
    strays->next = (strays->next + 1) % MEMORY_STRAYS;
    strays->until = fill.ready > strays->until ? fill.ready : strays->until;
}

/* A level has the line, `extra` cycles beyond a hit in L1: later, if it has still to come there. */
static uint32_t when_it_came(const struct memory *memory, uint64_t line, uint64_t cycle, uint32_t extra,
                             enum memory_level *level)
{
    const struct memory_strays *strays = memory->strays;
    for (unsigned i = 0; strays->until > cycle && i < MEMORY_STRAYS; i++) {
        const struct memory_fill *fill = &strays->lines[i].fill;
        if (strays->lines[i].line != line || fill->ready <= cycle)
            continue;
        uint64_t rest = fill->ready - cycle;
        uint32_t wait = rest < fill->wait ? (uint32_t)rest : fill->wait;
        if (wait > extra) {
            extra = wait;
            *level = fill->level;
        }
    }
    return extra;
}

/* The line is read from the first level that has it into all above, for a load or not (1 or 0); cycles beyond
 * a hit in L1. */
static uint32_t read_below(struct memory *memory, uint64_t line, uint64_t cycle, unsigned load,
                           enum memory_level *level)
{
    struct memory_counts *counts = &memory->counts;
    unsigned way;
    bool in_l2 = memory->l2.sets;
    if (in_l2) {
        counts->l2_accesses++;
        way = cache_find(&memory->l2, line);
        if (way != CACHE_MISS) {
            cache_touch(&memory->l2, line, way);
            counts->llc_loads += memory->last_is_l2 & load;
            *level = MEMORY_L2;
            uint64_t begin = channel_take(memory->refill, cycle);
            uint32_t extra = memory->extra[MEMORY_L2] + (uint32_t)(begin - cycle);
            return when_it_came(memory, line, cycle, extra, level);
        }
        counts->l2_misses++;
    }
    counts->llc_loads += load;
    if (memory->llc.sets) {
        way = cache_find(&memory->llc, line);
        if (way != CACHE_MISS) {
            cache_touch(&memory->llc, line, way);
            if (in_l2)
                install(memory, &memory->l2, MEMORY_L2, line, cycle);
            *level = MEMORY_LLC;
            return when_it_came(memory, line, cycle, memory->extra[MEMORY_LLC], level);
        }
    }
    counts->llc_load_misses += load;
    uint64_t begin = channel_take(memory->channel, cycle);
    if (memory->llc.sets)
        install(memory, &memory->llc, MEMORY_LLC, line, cycle);
    if (in_l2)
        install(memory, &memory->l2, MEMORY_L2, line, cycle);
    *level = MEMORY_DRAM;
    return memory->extra[MEMORY_DRAM] + (uint32_t)(begin - cycle);
}

/* ---- the other core's L1D ---- */

/* What becomes of a line when one core reads or writes it, by what the other one's L1D has of it. With the
 * flags of the tags, MESI: modified is CACHE_DIRTY, shared CACHE_SHARED, exclusive neither. */
enum theirs { THEIRS_ABSENT, THEIRS_CLEAN, THEIRS_MODIFIED };
static const struct rule {
    unsigned mine;     /* flags that it gets here */
    bool shared;       /* there it is clean and shared then; */
    bool given_up;     /* there it is not any more */
    bool answered;     /* the answer has to be waited for; */
    bool brought;      /* it comes with the line */
    bool written_back; /* to the next level, too */
} rules[2][3] = {
    [false] = {[THEIRS_CLEAN] = {.mine = CACHE_SHARED, .shared = true},
               [THEIRS_MODIFIED] = {.mine = CACHE_SHARED,
                                    .shared = true,
                                    .answered = true,
                                    .brought = true,
                                    .written_back = true}},
    [true] = {[THEIRS_CLEAN] = {.given_up = true, .answered = true},
              [THEIRS_MODIFIED] = {.given_up = true, .answered = true, .brought = true}},
};

struct answer {
    const struct rule *rule;
    uint64_t ready; /* 0: nothing was waited for */
};

/* The other core is asked for the line in `cycle`, which is to be read here, or written. */
static struct answer ask(struct memory *memory, uint64_t line, bool write, uint64_t cycle)
{
    struct memory *other = memory->other;
    unsigned way = cache_find(&other->l1d, line);
    if (way == CACHE_MISS)
        return (struct answer){&rules[write][THEIRS_ABSENT], 0};
    size_t at = cache_index(&other->l1d, line, way);
    uint64_t *tag = &other->l1d.tags[at];
    const struct rule *rule = &rules[write][*tag & CACHE_DIRTY ? THEIRS_MODIFIED : THEIRS_CLEAN];
    struct memory_recent *recent = &other->recent[line & other->l1d.set_mask];
    if (recent->line == line)
        recent->ready = UINT64_MAX; /* it has to look again */
    memory->counts.line_transfers += rule->brought;
    memory->counts.invalidations += rule->given_up;
    other->counts.l1d_write_backs += rule->written_back;
    if (rule->written_back)
        write_back(other, MEMORY_L2, *tag, cycle);
    uint64_t begin = other->lines[at].ready > cycle ? other->lines[at].ready : cycle;
    if (rule->given_up)
        cache_remove(&other->l1d, line, way);
    else
        *tag = (*tag & ~(uint64_t)CACHE_DIRTY) | CACHE_SHARED;
    return (struct answer){rule, rule->answered ? begin + memory->transfer : 0};
}

/* ---- L1D ---- */

/* The line has become the most recent of its set. */
static inline void is_recent(struct memory *memory, uint64_t line, size_t at)
{
    uint64_t *tag = &memory->l1d.tags[at];
    memory->recent[line & memory->l1d.set_mask] = (struct memory_recent){
        line, *tag & (CACHE_FRESH | CACHE_SHARED) ? UINT64_MAX : memory->lines[at].ready, tag};
}

/* The line comes into L1D: it was asked for in `asked` and is under way from `begin` on. */
static struct memory_fill fill(struct memory *memory, uint64_t line, unsigned flags, uint64_t asked,
                               uint64_t begin, unsigned load)
{
    enum memory_level level = MEMORY_OTHER;
    struct answer answer = {&rules[false][THEIRS_ABSENT], 0};
    if (memory->other)
        answer = ask(memory, line, flags & CACHE_DIRTY, begin);
    uint64_t ready = answer.rule->brought ? 0 : begin + read_below(memory, line, begin, load, &level);
    if (answer.ready > ready) {
        ready = answer.ready;
        level = MEMORY_OTHER;
    }
    flags |= answer.rule->mine;
    unsigned way;
    uint64_t victim = cache_insert(&memory->l1d, line, flags, &way);
    if (victim & CACHE_DIRTY) {
        memory->counts.l1d_write_backs++;
        write_back(memory, MEMORY_L2, victim, begin);
    }
    size_t at = cache_index(&memory->l1d, line, way);
    if (victim && memory->lines[at].ready > asked)
        note_stray(memory, victim >> CACHE_FLAG_BITS, memory->lines[at]);
    struct memory_fill filled = {ready, (uint32_t)(ready - asked), (uint8_t)level};
    memory->lines[at] = filled;
    is_recent(memory, line, at);
    return filled;
}

/* The first cycle, `cycle` or later, in which the place is free. */
static uint64_t place_free(const struct memory_place *place, uint64_t cycle)
{
    uint64_t before = place->free > cycle ? place->free : cycle;
    if (before < place->begin)
        return before;
    return place->ready > cycle ? place->ready : cycle;
}

/* The place among the outstanding misses that is free first, from `cycle` on. */
static struct memory_place *find_place(struct memory *memory, uint64_t cycle)
{
    struct memory_place *places = memory->places;
    unsigned best = memory->next_place;
    if (places[best].ready > cycle) {
        uint64_t first = UINT64_MAX;
        for (unsigned i = 0; i < memory->fill_count; i++) {
            uint64_t from = places[i].ready <= cycle ? 0 : place_free(&places[i], cycle);
            if (from < first || (from == first && places[i].begin > places[best].begin)) {
                best = i;
                first = from;
            }
        }
    }
    memory->next_place = (uint8_t)(best + 1 == memory->fill_count ? 0 : best + 1);
    return &places[best];
}

/* The place is taken in [begin, ready). Where that is before others who have it already, they keep it for as
 * much longer as they would have had to wait: so no place is ever of use to two. */
static void take_place(struct memory_place *place, uint64_t begin, uint64_t ready)
{
    if (begin >= place->ready) {
        *place = (struct memory_place){.free = place->ready, .begin = begin, .ready = ready};
    } else if (ready <= place->begin) {
        place->free = ready;
    } else {
        place->ready += ready - place->begin;
        place->begin = begin;
    }
}

static void train(struct memory *memory, uint64_t pc, uint64_t address, uint64_t cycle)
{
    struct prefetcher_request request = prefetcher_train(&memory->prefetcher, pc, address);
    for (; request.lines > 0; request.lines--, request.address += request.step) {
        uint64_t line = request.address >> memory->line_shift;
        if (cache_find(&memory->l1d, line) != CACHE_MISS ||
            (memory->other && cache_find(&memory->other->l1d, line) != CACHE_MISS))
            continue;
        memory->counts.prefetches++;
        fill(memory, line, CACHE_FRESH, cycle, cycle, 0);
    }
}

/* The line was not there: an outstanding miss. */
static struct memory_access miss(struct memory *memory, unsigned op_memory, uint64_t pc, uint64_t address,
                                 uint64_t cycle, struct memory_access access)
{
    bool demand = !(op_memory & MEMORY_PREFETCHES);
    unsigned load = op_memory & MEMORY_READS;
    memory->counts.l1d_misses += demand;
    memory->counts.l1d_load_misses += load;
    struct memory_place *place = find_place(memory, cycle);
    uint64_t begin = place_free(place, cycle);
    struct memory_fill filled =
        fill(memory, address >> memory->line_shift, op_memory & MEMORY_WRITES, cycle, begin, load);
    take_place(place, begin, filled.ready);
    access.level = filled.level;
    access.extra += (demand ? filled.ready : begin) - cycle;
    if (demand)
        train(memory, pc, address, cycle);
    return access;
}

/* A line that the other core may have, too, is written in `cycle`: it is this one's alone from then on. */
static void own(struct memory *memory, uint64_t line, size_t at, uint64_t cycle)
{
    struct memory_fill *state = &memory->lines[at];
    struct answer answer = ask(memory, line, true, cycle);
    memory->l1d.tags[at] &= ~(uint64_t)CACHE_SHARED;
    if (answer.ready > state->ready)
        *state = (struct memory_fill){answer.ready, (uint32_t)(answer.ready - cycle), MEMORY_OTHER};
}

/* One line's part of an access. */
static struct memory_access access_line(struct memory *memory, unsigned op_memory, uint64_t pc,
                                        uint64_t address, uint64_t cycle)
{
    struct memory_access access = {0, MEMORY_L1, false, 0};
    bool demand = !(op_memory & MEMORY_PREFETCHES);
    memory->counts.l1d_accesses += demand;
    memory->counts.l1d_loads += op_memory & MEMORY_READS;
    if (!tlb_hit(&memory->tlb, address >> TLB_PAGE_SHIFT, cycle)) {
        uint16_t wait = tlb_translate(&memory->tlb, address >> TLB_PAGE_SHIFT, cycle, &access.tlb_missed);
        memory->counts.l1d_tlb_misses += access.tlb_missed;
        cycle += wait;
        if (demand)
            access.extra = access.tlb_extra = wait;
    }

    uint64_t line = address >> memory->line_shift;
    unsigned way = cache_find(&memory->l1d, line);
    if (way == CACHE_MISS)
        return miss(memory, op_memory, pc, address, cycle, access);
    size_t at = cache_index(&memory->l1d, line, way);
    uint64_t *tag = &memory->l1d.tags[at];
    struct memory_fill *state = &memory->lines[at];
    cache_touch(&memory->l1d, line, way);
    if (*tag & CACHE_SHARED && op_memory & MEMORY_WRITES)
        own(memory, line, at, cycle);
    *tag |= op_memory & MEMORY_WRITES;
    if (state->ready > cycle) {
        /* Asked for by an access that comes later in time: this one would have asked first. */
        if (state->ready - cycle > state->wait)
            state->ready = cycle + state->wait;
        access.level = state->level;
        if (demand)
            access.extra += state->ready - cycle;
    }
    bool first_use = demand && *tag & CACHE_FRESH;
    if (first_use)
        *tag &= ~(uint64_t)CACHE_FRESH;
    is_recent(memory, line, at);
    if (first_use)
        train(memory, pc, address, cycle);
    return access;
}

/* An access that crosses lines: the later parts come a cycle after each other. */
static struct memory_access access_lines(struct memory *memory, unsigned op_memory, uint64_t pc,
                                         uint64_t address, uint64_t last, uint64_t cycle)
{
    struct memory_access all = {0, MEMORY_L1, false, 0};
    for (unsigned part = 0;; part++) {
        struct memory_access access = access_line(memory, op_memory, pc, address, cycle + part);
        if (access.extra + part >= all.extra) {
            all.extra = access.extra + part;
            all.tlb_extra = access.tlb_extra;
        }
        if (access.level > all.level)
            all.level = access.level;
        all.tlb_missed |= access.tlb_missed;
        uint64_t line = address >> memory->line_shift;
        if (line == last)
            return all;
        address = (line + 1) << memory->line_shift;
    }
}

struct memory_access memory_data(struct memory *memory, unsigned op_memory, uint64_t pc, uint64_t address,
                                 unsigned bytes, uint64_t cycle)
{
    if ((address & memory->line_mask) + bytes <= memory->line_mask + 1)
        return access_line(memory, op_memory, pc, address, cycle);
    return access_lines(memory, op_memory, pc, address, (address + bytes - 1) >> memory->line_shift, cycle);
}

/* What a miss in L1D looks at: the line's sets below, and those of the line that it drives out. */
void memory_hint(const struct memory *memory, uint64_t address)
{
    const struct cache *l1d = &memory->l1d;
    uint64_t line = address >> memory->line_shift;
    if (memory->recent[line & l1d->set_mask].line == line)
        return;
    unsigned oldest = cache_set(l1d, line)->order >> l1d->oldest_shift & 15;
    uint64_t victim = l1d->tags[cache_index(l1d, line, oldest)];
    cache_hint(&memory->l2, line);
    cache_hint(&memory->llc, line);
    if (victim & CACHE_DIRTY)
        cache_hint(&memory->l2, victim >> CACHE_FLAG_BITS);
    cache_hint(&memory->tlb.second, address >> TLB_PAGE_SHIFT);
}

uint64_t memory_fetch(struct memory *memory, uint64_t address, uint64_t cycle)
{
    if (memory_fetch_hit(memory, address))
        return 0;
    uint64_t line = address >> memory->line_shift;
    memory->counts.l1i_accesses++;
    memory->fetched = line + 1;
    if (!memory->l1i.sets)
        return 0;
    unsigned way = cache_find(&memory->l1i, line);
    if (way != CACHE_MISS) {
        cache_touch(&memory->l1i, line, way);
        return 0;
    }
    memory->counts.l1i_misses++;
    enum memory_level level;
    uint32_t extra = read_below(memory, line, cycle, 0, &level);
    cache_insert(&memory->l1i, line, 0, &way);
    return extra;
}
