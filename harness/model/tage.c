#include "harness/model/tage.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 16, AGE = 1 << 18, TRUST_HALF = 8 };

/* An entry, from bit 0 on: usefulness, counter (taken from 4 on), tag. An empty one is weak and useless, so
 * that its tag of 0 does no harm. One of the base table is always useful once it is used. */
enum {
    USEFUL = 3,
    COUNTER_ONE = 4,
    COUNTER_MOST = 7,
    WEAK_NOT_TAKEN = 3,
    WEAK_TAKEN = 4,
    STATE = 0x1f, /* all but the tag */
    TAG = 0xffe0,
    NEW_STATES = 1 << WEAK_NOT_TAKEN * COUNTER_ONE | 1 << WEAK_TAKEN * COUNTER_ONE,
    EMPTY = WEAK_NOT_TAKEN * COUNTER_ONE,
    STRONG_NOT_TAKEN = USEFUL,
    STRONG_TAKEN = USEFUL | COUNTER_MOST * COUNTER_ONE,
    BASE_UNUSED = 0
};

static const uint64_t odd[TAGE_TABLES] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                                          UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93),
                                          UINT64_C(0xa0761d6478bd642f), UINT64_C(0xe7037ed1a0b428db),
                                          UINT64_C(0x8ebc6af09c88c6e3), UINT64_C(0x589965cc75374cc3)};

static size_t entry_count(const struct tage *tage)
{
    return (size_t)tage->tables << tage->table_bits;
}

static inline bool says_taken(unsigned entry)
{
    return entry & WEAK_TAKEN * COUNTER_ONE;
}

/* A counter from 0 to `most`, one step up or down. */
static unsigned stepped(unsigned counter, unsigned most, bool up)
{
    return up ? counter + (counter < most) : counter - (counter > 0);
}

static void fill_transitions(struct tage *tage)
{
    for (unsigned index = 0; index < 2u * 2 * (STATE + 1); index++) {
        unsigned state = index & STATE;
        bool taken = index / (STATE + 1) & 1, flag = index / (STATE + 1) & 2;
        unsigned useful = state & USEFUL;
        unsigned counter = stepped(state / COUNTER_ONE, COUNTER_MOST, taken) * COUNTER_ONE;
        unsigned more = stepped(useful, USEFUL, says_taken(state) == taken);
        tage->first_next[flag][taken][state] = (uint8_t)(counter | (flag ? more : useful));
        tage->other_next[flag][taken][state] = (uint8_t)(flag ? state : counter | useful);
    }
}

bool tage_create(struct tage *tage, const struct core *core, struct pool **pool)
{
    unsigned base_bits = core->predictor.base_bits;
    unsigned table_bits = core->predictor.table_bits;
    *tage = (struct tage){
        .tables = core->predictor.tables, .table_bits = (uint8_t)table_bits, .words = 1, .random = 1};
    tage->base_mask = (1u << base_bits) - 1;
    tage->table_mask = (1u << table_bits) - 1;
    tage->base = pool_take(pool, (tage->base_mask + 1u) * sizeof *tage->base);
    tage->entries = pool_take(pool, entry_count(tage) * sizeof *tage->entries);
    tage->owner = pool_take(pool, entry_count(tage) * sizeof *tage->owner);
    if (!tage->base || !tage->entries || !tage->owner)
        return false;
    for (unsigned i = 0; i < tage->tables; i++) {
        unsigned length = core->predictor.history[i];
        tage->table[i] = (struct tage_table){UINT64_MAX >> (63 - (length - 1) % 64), (length - 1) / 64,
                                             odd[i], &tage->entries[(size_t)i << table_bits]};
        tage->words = (uint8_t)((length - 1) / 64 + 1);
    }
    for (size_t i = 0; i < entry_count(tage); i++)
        tage->entries[i] = EMPTY;
    fill_transitions(tage);
    return true;
}

static inline void push_history(struct tage *tage, unsigned bit)
{
    for (unsigned word = tage->words; word > 1; word--)
        tage->history[word - 1].outcomes =
            tage->history[word - 1].outcomes << 1 | tage->history[word - 2].outcomes >> 63;
    tage->history[0].outcomes = tage->history[0].outcomes << 1 | bit;
}

void tage_history(struct tage *tage, unsigned bit)
{
    push_history(tage, bit & 1);
}

/* The index is in the upper end of a hash. */
static inline uint16_t *entry_of(const struct tage *tage, unsigned table, uint64_t hash)
{
    return &tage->table[table].entries[hash >> (64 - MOST_BITS) & tage->table_mask];
}

static inline unsigned tag_of(uint64_t hash)
{
    return (unsigned)(hash >> 24) & TAG;
}

/* Hashes of the branch and of all words of history below the one of this index; the last one is of all. */
static inline void hash_words(const struct tage *tage, uint64_t pc, uint64_t *words)
{
    words[0] = (pc + 1) * odd[0];
    for (unsigned i = 0; i < tage->words; i++)
        words[i + 1] = hash_mix(words[i] ^ tage->history[i].outcomes, odd[1]);
}

/* The tables' hashes, and as bits which of them know the branch: the last one's is bit 0. */
static inline unsigned look_up(const struct tage *tage, const uint64_t *words, uint64_t *hashes)
{
    unsigned matches = 0;
    for (unsigned i = 0; i < tage->tables; i++) {
        const struct tage_table *table = &tage->table[i];
        uint64_t outcomes = tage->history[table->word].outcomes & table->mask;
        hashes[i] = (outcomes ^ words[table->word]) * table->odd;
        matches = matches * 2 + (((*entry_of(tage, i, hashes[i]) ^ tag_of(hashes[i])) & TAG) == 0);
    }
    return matches;
}

/* Marsaglia: Xorshift RNGs, 2003. */
static uint32_t next_random(struct tage *tage)
{
    uint32_t x = tage->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return tage->random = x;
}

static void allocate(struct tage *tage, const uint64_t *hashes, unsigned from, uint32_t owner, bool taken)
{
    unsigned start = from + (next_random(tage) & (from + 1 < tage->tables));
    for (unsigned i = start; i < tage->tables; i++) {
        uint16_t *entry = entry_of(tage, i, hashes[i]);
        if ((*entry & USEFUL) == 0) {
            uint16_t *its_owner = &tage->owner[entry - tage->entries];
            tage->base[*its_owner].owned = (uint16_t)(tage->base[*its_owner].owned - (*entry != EMPTY));
            tage->base[owner].owned++;
            *its_owner = (uint16_t)owner;
            *entry = (uint16_t)(tag_of(hashes[i]) | (unsigned)(WEAK_TAKEN - !taken) * COUNTER_ONE);
            return;
        }
    }
    for (unsigned i = from; i < tage->tables; i++) {
        uint16_t *entry = entry_of(tage, i, hashes[i]);
        *entry = (uint16_t)(*entry - ((*entry & USEFUL) > 0));
    }
}

static void grow_old(struct tage *tage)
{
    tage->age = 0;
    for (size_t i = 0; i < entry_count(tage); i++) {
        unsigned entry = tage->entries[i];
        tage->entries[i] = (uint16_t)((entry & ~(unsigned)USEFUL) | (entry & USEFUL) / 2);
    }
}

static inline unsigned lowest(unsigned bits)
{
    return (unsigned)__builtin_ctz(bits);
}

/* With the tagged tables. As little as possible is decided by branches here: what is unpredictable for the
 * model would be so for the host. */
static inline bool predict(struct tage *tage, const uint64_t *words, uint32_t slot, bool taken)
{
    uint64_t hashes[TAGE_TABLES];
    unsigned tables = tage->tables;
    unsigned matches = look_up(tage, words, hashes) | 1u << tables;
    if (++tage->age == AGE)
        grow_old(tage);

    /* The base entry matches always, and stands in for its own alternative. */
    unsigned others = matches & (matches - 1);
    unsigned first_at = lowest(matches), other_at = others ? lowest(others) : first_at;
    uint16_t *first = &tage->base[slot].entry, *other = first;
    if (first_at < tables)
        first = entry_of(tage, tables - 1 - first_at, hashes[tables - 1 - first_at]);
    if (other_at < tables)
        other = entry_of(tage, tables - 1 - other_at, hashes[tables - 1 - other_at]);

    unsigned was = *first, other_was = *other;
    unsigned state = was & STATE;
    bool says = says_taken(was), differ = says ^ says_taken(other_was), useful = was & USEFUL;
    bool is_new = NEW_STATES >> state & 1;
    bool expected = says ^ (differ & is_new & (tage->trust_alternate >= 0));

    unsigned other_now = (other_was & TAG) | tage->other_next[useful][taken][other_was & STATE];
    unsigned now = (was & TAG) | tage->first_next[differ][taken][state];
    *other = (uint16_t)other_now;
    *first = (uint16_t)now;
    if (is_new & differ)
        tage->trust_alternate = (int8_t)((int)stepped((unsigned)(tage->trust_alternate + TRUST_HALF),
                                                      2 * TRUST_HALF - 1, says != taken) -
                                         TRUST_HALF);

    /* Where a new entry was right and not believed, it needs time, not a longer history. */
    if (expected != taken && says != taken && first_at > 0)
        allocate(tage, hashes, tables - first_at, slot, taken);
    return expected == taken;
}

/* Whatever the short way of tage_branch() does not do. */
static __attribute__((noinline)) bool branch(struct tage *tage, uint64_t pc, uint32_t slot, bool taken)
{
    struct tage_base *base = &tage->base[slot];
    bool right = true;
    if (base->entry == BASE_UNUSED) {
        base->entry = taken ? STRONG_TAKEN : STRONG_NOT_TAKEN;
        right = !taken;
    } else if (base->owned == 0 && says_taken(base->entry) == taken) {
        base->entry = tage->first_next[0][taken][base->entry];
    } else {
        uint64_t words[TAGE_WORDS + 1];
        hash_words(tage, pc, words);
        right = predict(tage, words, slot, taken);
    }
    push_history(tage, taken);
    return right;
}

bool tage_branch(struct tage *tage, uint64_t pc, bool taken)
{
    uint32_t slot = (uint32_t)(pc / 4) & tage->base_mask;
    struct tage_base base = tage->base[slot];
    if (base.entry != (taken ? STRONG_TAKEN : STRONG_NOT_TAKEN) || base.owned > 0)
        return branch(tage, pc, slot, taken);
    push_history(tage, taken);
    return true;
}
