#include "harness/model/recall.h"
#include "harness/model/hash.h"
#include "harness/model/pipeline.h"

#include <stdlib.h>
#include <string.h>

/* Which runs are worth it, and how much is remembered in all. */
enum {
    MOST_INSTRUCTIONS = 64,
    MOST_UOPS = 96,
    MOST_ACCESSES = 16,
    MOST_CALENDAR = 128, /* cycles in which ports are taken */
    MOST_CHARGES = 160,
    HEAD_WORDS = 8,
    CALENDAR_WORDS = MOST_CALENDAR / 4,
    MOST_KEY = HEAD_WORDS + OP_REGISTERS + MOST_UOPS + MOST_ACCESSES + CALENDAR_WORDS,
    MOST_WORDS = MOST_KEY + OP_REGISTERS + MOST_UOPS + 4 * MOST_ACCESSES + CALENDAR_WORDS + MOST_CHARGES,
    MOST_LOOSE = 12,
    BUCKETS = 4096,
    LINKS = 4
};

/* A run that is often new, or whose accesses miss, is left alone for a while. */
enum { CREDIT_MOST = 256, CREDIT_AGAIN = 32, CREDIT_MISS = 2, PAUSE = 4096, PAUSE_AHEAD = 16 };

/* What is known of a run by its instructions alone. */
struct block {
    uint32_t first, count;
    bool good; /* nothing in it is beyond a record */
    uint8_t reads[OP_REGISTERS], read_count;
    uint8_t writes[OP_REGISTERS], write_count;
    uint16_t uops, loads, stores, access_count;
    struct access {
        uint16_t bytes;
        uint8_t memory, instruction;
    } accesses[MOST_ACCESSES];
    uint64_t address, last; /* of its first and last instruction */
    int credit, pause;
};

/* From a record to one that came after it. Most of that one's key follows from what the first one did; this
 * is to be looked at. */
struct link {
    struct record *record;
    uint32_t loose_count; /* registers that the first one does not write */
    struct {
        uint8_t number, word;
    } loose[MOST_LOOSE];
};

/* A situation, and what came of it. Cycles and times are relative to those of the start. */
struct record {
    struct record *chain; /* of its bucket */
    struct link links[LINKS];
    const struct block *block;
    struct flow flow;
    uint64_t observed, memory_complete, drained, calendar_end;
    uint64_t uses; /* of which the charges are not in the accounts yet */
    struct record *next_used;
    bool completes; /* flow.complete is new */
    uint16_t key_count, calendar_count, charge_count;
    /* parts of words[], behind the key: */
    uint64_t *registers; /* that were written */
    uint64_t *window, *loads;
    uint64_t *stores;   /* two each: data, drained */
    uint64_t *cycles;   /* of each access, when it reached the cache */
    uint64_t *calendar; /* from the start's cycle on */
    uint64_t *charges;  /* what was added, above 32 bits; which word of model->sites, in these */
    uint64_t words[];
};

enum { RECORD_WORDS = sizeof(struct record) / sizeof(uint64_t) + MOST_WORDS };
_Static_assert((int)RECORD_WORDS <= (int)RECALL_LEAST, "a record has room");

struct key {
    uint64_t words[MOST_KEY];
    unsigned count;
};

struct recall {
    struct block **blocks; /* by their first instruction */
    size_t block_count;
    struct model_site *sites; /* all 0: in place of the model's while a record is made */
    uint64_t *arena;
    size_t room, used;
    struct record *buckets[BUCKETS];
    struct record *last; /* of the last run; NULL: it had none, or something else has happened since */
    struct record *used_list;
};

struct recall *recall_create(size_t instructions, size_t words)
{
    struct recall *recall = calloc(1, sizeof *recall);
    if (!recall)
        return NULL;
    recall->block_count = instructions;
    recall->room = words;
    recall->blocks = calloc(instructions, sizeof(void *));
    recall->sites = calloc(instructions, sizeof *recall->sites);
    recall->arena = malloc(words * sizeof *recall->arena);
    if (recall->blocks && recall->sites && recall->arena)
        return recall;
    recall_destroy(recall);
    return NULL;
}

void recall_destroy(struct recall *recall)
{
    if (!recall)
        return;
    for (size_t i = 0; recall->blocks && i < recall->block_count; i++)
        free(recall->blocks[i]);
    free(recall->blocks);
    free(recall->sites);
    free(recall->arena);
    free(recall);
}

static void run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses)
{
    if (model->core.kind == CORE_IN_ORDER)
        in_order_run(model, first, count, addresses);
    else
        out_of_order_run(model, first, count, addresses);
}

/* ---- blocks ---- */

static void add_register(uint8_t *registers, uint8_t *count, unsigned number)
{
    if (number < OP_REGISTERS && !memchr(registers, (int)number, *count))
        registers[(*count)++] = (uint8_t)number;
}

static void add_step(struct block *block, const struct step *step, uint8_t index)
{
    for (unsigned i = 0; i < step->early_count; i++)
        add_register(block->reads, &block->read_count, step->early[i]);
    for (unsigned i = 0; i < step->late_count; i++)
        add_register(block->reads, &block->read_count, step->late[i]);
    for (unsigned i = 0; i < step->write_count; i++)
        add_register(block->writes, &block->write_count, step->writes[i]);
    add_register(block->writes, &block->write_count, step->base);
    block->uops = (uint16_t)(block->uops + step->uops);
    if (step->flags & STEP_ORDER || step->memory > OP_MEMORY_STORE)
        block->good = false;
    if (step->memory == OP_NO_MEMORY)
        return;
    if (step->memory == OP_MEMORY_STORE)
        block->stores++;
    else
        block->loads++;
    if (block->access_count == MOST_ACCESSES)
        block->good = false;
    else
        block->accesses[block->access_count++] = (struct access){step->bytes, step->memory, index};
}

static struct block *create_block(const struct model *model, uint32_t first, uint32_t count)
{
    struct block *block = calloc(1, sizeof *block);
    if (!block)
        return NULL;
    uint64_t address = model->start + (uint64_t)first * 4;
    *block = (struct block){.first = first,
                            .count = count,
                            .good = true,
                            .address = address,
                            .last = address + ((uint64_t)count - 1) * 4,
                            .credit = CREDIT_MOST};
    for (uint32_t i = 0; i < count && block->good; i++)
        add_step(block, &model->steps[first + i], (uint8_t)i);
    block->good = block->good && block->uops <= MOST_UOPS && block->loads <= model->core.load_queue &&
                  block->stores <= model->core.store_queue &&
                  (model->core.kind == CORE_IN_ORDER || block->uops <= model->core.window);
    return block;
}

/* NULL: records are not for this run. */
static ALWAYS_INLINE struct block *block_of(const struct model *model, uint32_t first, uint32_t count)
{
    struct block **block = &model->recall->blocks[first];
    if (UNLIKELY(!*block) && count <= MOST_INSTRUCTIONS)
        *block = create_block(model, first, count);
    return *block && (*block)->good && (*block)->count == count ? *block : NULL;
}

/* ---- situations ---- */

/* Relative to `base`; what is before it is all the same. */
static ALWAYS_INLINE uint64_t since(uint64_t time, uint64_t base)
{
    return time < base ? 0 : time - base + 1;
}

static ALWAYS_INLINE uint64_t calendar_count(const struct model *model)
{
    uint64_t end = later(model->calendar_end, later(model->flow.cycle, model->flow.commit_cycle) + 1);
    return end - model->flow.cycle;
}

/* Entries of the calendar that are copied at a time: those of a word. */
enum { TOGETHER = sizeof(uint64_t) / sizeof(uint16_t) };

/* Cycles that go around the calendar's end, to or from words. */
static NEVER_INLINE void copy_around(uint16_t *calendar, uint64_t mask, uint64_t first, uint64_t *words,
                                     uint64_t count, bool back)
{
    for (uint64_t i = 0; i < count; i++) {
        char *copy = (char *)words + i * sizeof *calendar;
        uint16_t *entry = &calendar[(first + i) & mask];
        memcpy(back ? (void *)entry : copy, back ? (void *)copy : entry, sizeof *entry);
    }
}

/* Cycles from this one on, in whole words. */
static ALWAYS_INLINE void copy_calendar(const struct model *model, uint64_t cycle, uint64_t *words,
                                        uint64_t count, bool back)
{
    uint64_t first = cycle & model->calendar_mask;
    uint64_t whole = (count + TOGETHER - 1) / TOGETHER * TOGETHER;
    if (UNLIKELY(first + whole > model->calendar_mask + 1)) {
        copy_around(model->calendar, model->calendar_mask, first, words, whole, back);
        return;
    }
    uint16_t *entry = &model->calendar[first];
    for (uint16_t *end = entry + whole; entry < end; entry += TOGETHER, words++)
        memcpy(back ? (void *)entry : words, back ? (void *)words : entry, sizeof *words);
}

static ALWAYS_INLINE uint64_t place_word(const struct model *model, const struct block *block)
{
    return block->first | (uint64_t)model->front_site << 32;
}

/* False when it is beyond a record. */
static bool look(const struct model *model, const struct block *block, struct key *key)
{
    const struct flow *flow = &model->flow;
    uint64_t cycle = flow->cycle, time = cycle << TIME_SHIFT;
    uint64_t calendar = calendar_count(model);
    if (UNLIKELY(calendar > MOST_CALENDAR))
        return false;
    bool out_of_order = model->core.kind == CORE_OUT_OF_ORDER;
    bool accesses = block->access_count > 0;
    uint64_t *word = key->words;
    *word++ = place_word(model, block);
    *word++ = flow->fetch_left | (uint64_t)flow->left << 16 | (uint64_t)flow->committed << 32 |
              (uint64_t)flow->dispatch_reason << 40 | calendar << 48;
    *word++ = model->order_site;
    *word++ = flow->front - time;
    *word++ = out_of_order ? flow->commit_cycle - cycle : flow->floor - time;
    *word++ = out_of_order ? 0 : since(flow->complete, time);
    *word++ = accesses ? since(model->drained, cycle) : 0;
    *word++ = accesses ? since(model->memory_floor, cycle) : 0;
    for (unsigned i = 0; i < block->read_count; i++)
        *word++ = since(model->registers[block->reads[i]], time);
    uint64_t place = flow->uops - model->core.window;
    for (unsigned i = 0; out_of_order && i < block->uops; i++)
        *word++ = since(model->window[(place + i) & model->window_mask], time);
    place = model->loads - model->core.load_queue;
    for (unsigned i = 0; i < block->loads; i++)
        *word++ = since(model->load_queue[(place + i) & model->load_mask], time);
    place = model->stores - model->core.store_queue;
    for (unsigned i = 0; i < block->stores; i++)
        *word++ = since(model->store_queue[(place + i) & model->store_mask].drained, cycle);
    copy_calendar(model, cycle, word, calendar, false);
    key->count = (unsigned)(word - key->words) + (unsigned)(calendar + 3) / 4;
    return true;
}

static ALWAYS_INLINE bool is_for(const struct record *record, const struct key *key)
{
    if (record->key_count != key->count)
        return false;
    uint64_t differs = 0;
    for (unsigned i = 0; i < key->count; i++)
        differs |= record->words[i] ^ key->words[i];
    return differs == 0;
}

static struct record **bucket_of(struct recall *recall, const struct key *key)
{
    uint64_t hash = key->count;
    for (unsigned i = 0; i < key->count; i++)
        hash = hash_mix(hash ^ key->words[i], UINT64_C(0x9e3779b97f4a7c15));
    return &recall->buckets[hash % BUCKETS];
}

static struct record *find(struct recall *recall, const struct key *key)
{
    struct record *record = *bucket_of(recall, key);
    while (record && !is_for(record, key))
        record = record->chain;
    return record;
}

/* ---- one after the other ---- */

/* Which of the last record's links: by where execution went, and whether that was expected. */
static ALWAYS_INLINE struct link *link_of(const struct model *model, struct record *last, uint32_t first)
{
    bool restarted = model->flow.fetch_left == model->core.fetch;
    bool jumped = first != last->block->first + last->block->count;
    return &last->links[(jumped ? 1u : 0u) | (restarted ? 2u : 0u)];
}

static void set_link(struct link *link, const struct record *last, struct record *record)
{
    const struct block *block = record->block;
    *link = (struct link){.record = record};
    for (unsigned i = 0; i < block->read_count; i++) {
        if (memchr(last->block->writes, block->reads[i], last->block->write_count))
            continue;
        if (link->loose_count == MOST_LOOSE) {
            link->record = NULL;
            return;
        }
        link->loose[link->loose_count].number = block->reads[i];
        link->loose[link->loose_count++].word = (uint8_t)(HEAD_WORDS + i);
    }
}

/* Room in the window and the queues, which does not follow from the last record. Times of the window rise:
 * where the last one is over, all are. */
static ALWAYS_INLINE uint64_t room_differs(const struct model *model, const struct block *block,
                                           const uint64_t *word)
{
    uint64_t cycle = model->flow.cycle, time = cycle << TIME_SHIFT, differs = 0;
    unsigned uops = model->core.kind == CORE_OUT_OF_ORDER ? block->uops : 0;
    uint64_t place = model->flow.uops - model->core.window;
    for (unsigned i = uops > 0 && word[uops - 1] == 0 ? uops - 1 : 0; i < uops; i++)
        differs |= word[i] ^ since(model->window[(place + i) & model->window_mask], time);
    word += uops;
    place = model->loads - model->core.load_queue;
    for (unsigned i = 0; i < block->loads; i++)
        differs |= *word++ ^ since(model->load_queue[(place + i) & model->load_mask], time);
    place = model->stores - model->core.store_queue;
    for (unsigned i = 0; i < block->stores; i++)
        differs |= *word++ ^ since(model->store_queue[(place + i) & model->store_mask].drained, cycle);
    return differs;
}

/* The record that a link leads to, if it is for this situation; else NULL. What follows from the last one
 * need not be looked at: slots, commit, ports, the registers that it wrote. A branch has changed fetch. */
static ALWAYS_INLINE struct record *follow(const struct model *model, const struct block *block,
                                           const struct link *link)
{
    struct record *record = link->record;
    if (UNLIKELY(!record))
        return NULL;
    const struct flow *flow = &model->flow;
    const uint64_t *words = record->words;
    uint64_t cycle = flow->cycle, time = cycle << TIME_SHIFT;
    uint64_t differs = words[0] ^ place_word(model, block);
    differs |= (words[1] & 0xffff) ^ flow->fetch_left;
    differs |= words[3] ^ (flow->front - time);
    if (differs)
        return NULL;
    if (model->core.kind == CORE_IN_ORDER)
        differs |= words[5] ^ since(flow->complete, time);
    if (block->access_count) {
        differs |= words[6] ^ since(model->drained, cycle);
        differs |= words[7] ^ since(model->memory_floor, cycle);
    }
    for (unsigned i = 0; i < link->loose_count; i++)
        differs |= words[link->loose[i].word] ^ since(model->registers[link->loose[i].number], time);
    differs |= room_differs(model, block, words + HEAD_WORDS + block->read_count);
    return LIKELY(differs == 0) ? record : NULL;
}

/* ---- results ---- */

static void lay_out(const struct model *model, struct record *record)
{
    const struct block *block = record->block;
    record->registers = record->words + record->key_count;
    record->window = record->registers + block->write_count;
    record->loads = record->window + (model->core.kind == CORE_OUT_OF_ORDER ? block->uops : 0);
    record->stores = record->loads + block->loads;
    record->cycles = record->stores + 2 * block->stores;
    record->calendar = record->cycles + block->access_count;
    record->charges = record->calendar + (record->calendar_count + 3) / 4;
}

/* Does the load of this number have bytes of a store before it in the same run? */
static bool meets_store(const struct block *block, unsigned load, const uint64_t *addresses)
{
    uint64_t start = addresses[load], end = start + block->accesses[load].bytes;
    for (unsigned i = 0; i < load; i++)
        if (block->accesses[i].memory == OP_MEMORY_STORE && addresses[i] < end &&
            start < addresses[i] + block->accesses[i].bytes)
            return true;
    return false;
}

/* From this access on, all are to one line, and take no extra cycle? */
static NEVER_INLINE bool accesses_settled(const struct model *model, const struct record *record,
                                          const uint64_t *addresses, unsigned from)
{
    const struct block *block = record->block;
    unsigned shift = model->memory->line_shift;
    for (unsigned i = from; i < block->access_count; i++)
        if (addresses[i] >> shift != addresses[from] >> shift ||
            !memory_settled(model->memory, addresses[i], block->accesses[i].bytes,
                            model->flow.cycle + record->cycles[i]))
            return false;
    return true;
}

/* Would all accesses hit, and no load meet a store? Those from *settled on are no ready ones. */
static ALWAYS_INLINE bool accesses_hit(const struct model *model, const struct record *record,
                                       const uint64_t *addresses, unsigned *settled)
{
    uint64_t start = model->flow.cycle;
    const struct block *block = record->block;
    bool stores = false;
    for (unsigned i = 0; i < block->access_count; i++) {
        struct access access = block->accesses[i];
        uint64_t cycle = start + record->cycles[i];
        if (i < *settled && UNLIKELY(!memory_ready(model->memory, addresses[i], access.bytes, cycle))) {
            *settled = i;
            if (!accesses_settled(model, record, addresses, i))
                return false;
        }
        if (access.memory == OP_MEMORY_STORE)
            stores = true;
        else if (store_find(model, addresses[i], access.bytes, cycle) ||
                 (stores && meets_store(block, i, addresses)))
            return false;
    }
    return true;
}

static ALWAYS_INLINE void make_accesses(struct model *model, const struct record *record,
                                        const uint64_t *addresses, unsigned settled)
{
    uint64_t start = model->flow.cycle;
    const struct block *block = record->block;
    const uint64_t *store = record->stores;
    for (unsigned i = 0; i < block->access_count; i++) {
        struct access access = block->accesses[i];
        if (LIKELY(i < settled))
            memory_use(model->memory, access.memory, addresses[i]);
        else
            memory_data(model->memory, access.memory, block->address + 4 * (uint64_t)access.instruction,
                        addresses[i], access.bytes, start + record->cycles[i]);
        if (access.memory == OP_MEMORY_STORE) {
            store_enter(model, addresses[i], access.bytes, start + store[0], start + store[1]);
            store += 2;
        }
    }
}

/* The instructions are in the line that was fetched last? */
static ALWAYS_INLINE bool in_last_line(const struct model *model, const struct block *block)
{
    return same_line(model, block->address) && same_line(model, block->last);
}

/* Fetched, when their lines are in L1I; else nothing has happened. */
static NEVER_INLINE bool fetch_lines(struct model *model, const struct block *block)
{
    unsigned shift = model->memory->line_shift;
    const struct cache *l1i = &model->memory->l1i;
    uint64_t line = block->address >> shift, last = block->last >> shift;
    for (uint64_t at = line; l1i->sets && at <= last; at++)
        if (cache_find(l1i, at) == CACHE_MISS)
            return false;
    for (; line <= last; line++)
        if (!same_line(model, line << shift))
            fetch_line(model, line << shift, model->flow.front);
    return true;
}

static ALWAYS_INLINE void apply_flow(struct model *model, const struct record *record)
{
    struct flow *flow = &model->flow;
    const struct flow *then = &record->flow;
    uint64_t cycle = flow->cycle, time = cycle << TIME_SHIFT;
    flow->front = time + then->front;
    flow->fetch_left = then->fetch_left;
    flow->left = then->left;
    flow->cycle = cycle + then->cycle;
    if (record->completes) {
        flow->complete = time + then->complete;
        flow->complete_site = then->complete_site;
    }
    if (model->core.kind == CORE_IN_ORDER) {
        flow->floor = time + then->floor;
        return;
    }
    flow->uops += record->block->uops;
    flow->commit_cycle = cycle + then->commit_cycle;
    flow->committed = then->committed;
    flow->dispatch_reason = then->dispatch_reason;
    flow->room = time + then->room;
}

static ALWAYS_INLINE void apply_window(struct model *model, const struct record *record, uint64_t time)
{
    uint64_t place = model->flow.uops & model->window_mask, count = record->block->uops;
    const uint64_t *from = record->window;
    if (UNLIKELY(place + count > model->window_mask + 1)) {
        for (uint64_t i = 0; i < count; i++)
            model->window[(place + i) & model->window_mask] = time + from[i];
        return;
    }
    for (uint64_t *to = &model->window[place], *end = to + count; to < end; to++, from++)
        *to = time + *from;
}

static ALWAYS_INLINE void apply(struct model *model, struct record *record, const uint64_t *addresses,
                                unsigned settled)
{
    const struct block *block = record->block;
    uint64_t cycle = model->flow.cycle, time = cycle << TIME_SHIFT;
    if (block->access_count) {
        make_accesses(model, record, addresses, settled);
        model->memory_complete = later(model->memory_complete, cycle + record->memory_complete);
        if (block->stores)
            model->drained = cycle + record->drained;
        for (unsigned i = 0; i < block->loads; i++)
            model->load_queue[model->loads++ & model->load_mask] = time + record->loads[i];
    }
    for (unsigned i = 0; i < block->write_count; i++)
        model->registers[block->writes[i]] = time + record->registers[i];
    if (model->core.kind == CORE_OUT_OF_ORDER)
        apply_window(model, record, time);
    copy_calendar(model, cycle, record->calendar, record->calendar_count, true);
    apply_flow(model, record);
    model->calendar_end = cycle + record->calendar_end;
    model->observed = cycle + record->observed;
    if (record->uses++ == 0) {
        record->next_used = model->recall->used_list;
        model->recall->used_list = record;
    }
}

void recall_settle(const struct model *model)
{
    struct recall *recall = model->recall;
    uint64_t *sites = (uint64_t *)model->sites;
    for (struct record *record = recall->used_list; record; record = record->next_used) {
        for (unsigned i = 0; i < record->charge_count; i++)
            sites[(uint32_t)record->charges[i]] += (record->charges[i] >> 32) * record->uses;
        record->uses = 0;
    }
    recall->used_list = NULL;
}

void recall_interrupt(struct recall *recall)
{
    recall->last = NULL;
}

/* ---- making records ---- */

enum { SITE_WORDS = sizeof(struct model_site) / sizeof(uint64_t) };

/* What was charged to a site goes to the model's, and is noted; false when it is too much. */
static bool merge_site(struct model *model, uint32_t site, uint64_t *charges, unsigned *count)
{
    uint64_t *from = (uint64_t *)&model->recall->sites[site], *to = (uint64_t *)&model->sites[site];
    bool good = true;
    for (unsigned i = 0; i < SITE_WORDS; i++) {
        if (from[i] == 0)
            continue;
        uint64_t at = (uint64_t)site * SITE_WORDS + i;
        good = good && from[i] <= UINT32_MAX && at <= UINT32_MAX && *count < MOST_CHARGES;
        if (good)
            charges[(*count)++] = from[i] << 32 | at;
        to[i] += from[i];
        from[i] = 0;
    }
    return good;
}

static bool merge_sites(struct model *model, const struct block *block, uint64_t *charges, unsigned *count)
{
    bool good = merge_site(model, model->front_site, charges, count);
    good &= merge_site(model, model->order_site, charges, count);
    for (uint32_t i = 0; i < block->count; i++)
        good &= merge_site(model, block->first + i, charges, count);
    return good;
}

static void forget(struct model *model)
{
    struct recall *recall = model->recall;
    recall_settle(model);
    recall->used = 0;
    recall->last = NULL;
    memset(recall->buckets, 0, sizeof recall->buckets);
}

/* Room for any record; the model is as it was before the run. */
static struct record *begin_record(struct model *model, const struct block *block, const struct key *key)
{
    struct recall *recall = model->recall;
    if (recall->used + RECORD_WORDS > recall->room)
        forget(model);
    struct record *record = (struct record *)&recall->arena[recall->used];
    *record = (struct record){.block = block, .key_count = (uint16_t)key->count};
    memcpy(record->words, key->words, key->count * sizeof *key->words);
    return record;
}

/* To or from what is relative to a cycle. */
static struct flow moved(struct flow flow, uint64_t cycles)
{
    uint64_t time = cycles << TIME_SHIFT;
    flow.cycle += cycles;
    flow.commit_cycle += cycles;
    flow.front += time;
    flow.floor += time;
    flow.room += time;
    flow.complete += time;
    return flow;
}

/* What has become of the model since `was`. */
static void note_results(const struct model *model, struct record *record, const struct flow *was)
{
    const struct block *block = record->block;
    uint64_t cycle = was->cycle, time = cycle << TIME_SHIFT;
    record->flow = moved(model->flow, 0 - cycle);
    record->completes = model->flow.complete != was->complete;
    record->observed = model->observed - cycle;
    record->memory_complete = later(model->memory_complete, cycle) - cycle;
    record->drained = model->drained - cycle;
    record->calendar_end = model->flow.cycle + calendar_count(model) - cycle;
    record->calendar_count = (uint16_t)record->calendar_end;
    lay_out(model, record);
    for (unsigned i = 0; i < block->write_count; i++)
        record->registers[i] = model->registers[block->writes[i]] - time;
    uint64_t *window = record->window;
    for (uint64_t place = was->uops; window < record->loads; window++, place++)
        *window = model->window[place & model->window_mask] - time;
    for (unsigned i = 0; i < block->loads; i++)
        record->loads[i] = model->load_queue[(model->loads - block->loads + i) & model->load_mask] - time;
    for (unsigned i = 0; i < block->stores; i++) {
        const struct store *store =
            &model->store_queue[(model->stores - block->stores + i) & model->store_mask];
        record->stores[2 * i] = store->data - cycle;
        record->stores[2 * i + 1] = store->drained - cycle;
    }
    for (unsigned i = 0; i < block->access_count; i++)
        record->cycles[i] = model->noted[i] - cycle;
    copy_calendar(model, cycle, record->calendar, record->calendar_count, false); /* passed: 0 */
}

/* The run, by itself; and the record of it, if it is fit for one. */
static NEVER_INLINE struct record *run_and_record(struct model *model, const struct block *block,
                                                  const struct key *key, const uint64_t *addresses)
{
    struct recall *recall = model->recall;
    struct record *record = begin_record(model, block, key);
    uint64_t noted[MOST_ACCESSES], charges[MOST_CHARGES];
    unsigned charge_count = 0;
    struct flow was = model->flow;
    struct model_site *sites = model->sites;
    uint64_t memory_complete = model->memory_complete;
    model->sites = recall->sites;
    model->noted = model->note = noted;
    model->memory_complete = 0;
    model->irregular = false;
    run(model, block->first, block->count, addresses);
    model->sites = sites;
    bool good = merge_sites(model, block, charges, &charge_count) && !model->irregular &&
                model->flow.cycle - was.cycle + calendar_count(model) <= MOST_CALENDAR;
    if (good)
        note_results(model, record, &was);
    model->note = NULL;
    model->memory_complete = later(model->memory_complete, memory_complete);
    if (!good)
        return NULL;
    record->charge_count = (uint16_t)charge_count;
    memcpy(record->charges, charges, charge_count * sizeof *charges);
    recall->used = (size_t)(record->charges + charge_count - recall->arena);
    struct record **bucket = bucket_of(recall, key);
    record->chain = *bucket;
    return *bucket = record;
}

static void was_no_use(struct block *block)
{
    block->credit -= CREDIT_MISS;
    if (block->credit <= 0) {
        block->pause = PAUSE;
        block->credit = CREDIT_AGAIN;
    }
}

/* The record for this situation, found by all of the key; NULL: none, and the run is over. */
static NEVER_INLINE struct record *search(struct model *model, struct block *block, const uint64_t *addresses)
{
    struct recall *recall = model->recall;
    struct record *last = recall->last;
    struct key key;
    if (!look(model, block, &key)) {
        recall->last = NULL;
        block->pause = PAUSE_AHEAD;
        run(model, block->first, block->count, addresses);
        return NULL;
    }
    struct record *record = find(recall, &key);
    if (record) {
        if (last)
            set_link(link_of(model, last, block->first), last, record);
        return record;
    }
    recall->last = run_and_record(model, block, &key, addresses);
    was_no_use(block);
    return NULL;
}

void recall_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses)
{
    struct recall *recall = model->recall;
    struct block *block = block_of(model, first, count);
    if (!block || block->pause > 0) {
        if (block)
            block->pause--;
        recall->last = NULL;
        run(model, first, count, addresses);
        return;
    }
    struct record *record =
        LIKELY(recall->last) ? follow(model, block, link_of(model, recall->last, first)) : NULL;
    if (!record && !(record = search(model, block, addresses)))
        return;
    unsigned settled = MOST_ACCESSES;
    if (LIKELY(accesses_hit(model, record, addresses, &settled) &&
               (in_last_line(model, block) || fetch_lines(model, block)))) {
        apply(model, record, addresses, settled);
        block->credit += block->credit < CREDIT_MOST;
        recall->last = record;
    } else {
        run(model, first, count, addresses);
        recall->last = NULL;
        was_no_use(block);
    }
}
