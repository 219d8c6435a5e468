#include "harness/emu/vpmu.h"

#include <stdlib.h>

/* op0:op1:CRn:CRm:op2, as in an instruction's bits 20 to 5. */
#define SYSTEM(op0, op1, crn, crm, op2) ((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

enum {
    PMCR = SYSTEM(3, 3, 9, 12, 0),
    PMCNTENSET = SYSTEM(3, 3, 9, 12, 1),
    PMCNTENCLR = SYSTEM(3, 3, 9, 12, 2),
    PMOVSCLR = SYSTEM(3, 3, 9, 12, 3),
    PMSWINC = SYSTEM(3, 3, 9, 12, 4),
    PMSELR = SYSTEM(3, 3, 9, 12, 5),
    PMCEID0 = SYSTEM(3, 3, 9, 12, 6),
    PMCEID1 = SYSTEM(3, 3, 9, 12, 7),
    PMCCNTR = SYSTEM(3, 3, 9, 13, 0),
    PMXEVTYPER = SYSTEM(3, 3, 9, 13, 1),
    PMXEVCNTR = SYSTEM(3, 3, 9, 13, 2),
    PMUSERENR = SYSTEM(3, 3, 9, 14, 0),
    PMINTENSET = SYSTEM(3, 0, 9, 14, 1),
    PMINTENCLR = SYSTEM(3, 0, 9, 14, 2),
    PMOVSSET = SYSTEM(3, 3, 9, 14, 3),
    PMEVCNTR = SYSTEM(3, 3, 14, 8, 0), /* the first of 31 */
    PMEVTYPER = SYSTEM(3, 3, 14, 12, 0),
    PMCCFILTR = SYSTEM(3, 3, 14, 15, 7), /* where the 32nd PMEVTYPER would be */
    CNTFRQ = SYSTEM(3, 3, 14, 0, 0),
    CNTVCT = SYSTEM(3, 3, 14, 0, 2),
};

enum {
    CR_E = 1 << 0,  /* all counters on */
    CR_P = 1 << 1,  /* event counters to 0 */
    CR_C = 1 << 2,  /* cycle counter to 0 */
    CR_D = 1 << 3,  /* cycle counter counts every 64th cycle, where LC is 0 */
    CR_LC = 1 << 6, /* it overflows at 64 bits, not at 32 */
    CR_KEPT = 0x79, /* E, D, X, DP, LC: what can be written and read back */
    CR_N_SHIFT = 11,
    SELECT_MASK = 31,
    USER_MASK = 15,
    USER_EN = 1, /* EL0 may all; else in part: */
    USER_SW = 2, /* software events, */
    USER_CR = 4, /* reading the cycle counter, */
    USER_ER = 8, /* reading event counters, with their selection */
    EVENT_SW_INCR = 0,
    EVENT_CYCLES = 0x11,
    CYCLE = VPMU_COUNTERS, /* the cycle counter's place behind the event counters' */
};

static const uint32_t cycle_bit = UINT32_C(1) << 31;
static const uint32_t enable_mask = UINT32_C(1) << 31 | ((1 << VPMU_COUNTERS) - 1);
static const uint32_t filter_mask = UINT32_C(0xfc000000);
static const uint32_t filter_user = UINT32_C(1) << 30;   /* counts nothing at EL0 */
static const uint32_t filter_kernel = UINT32_C(1) << 31; /* nothing at EL1 */
static const uint64_t frequency = UINT64_C(1000000000);

struct counter {
    uint64_t value;
    uint64_t seen; /* the source's count that value holds */
    uint32_t type; /* filter bits, and the event's number */
};

struct vpmu {
    struct vpmu_source source;
    uint32_t control, enabled, overflowed, interrupting, select, user;
    uint32_t selected; /* the selection that counts */
    bool deferred;     /* select becomes selected by vpmu_synchronize() */
    unsigned level;
    struct counter counters[VPMU_COUNTERS + 1];
};

struct vpmu *vpmu_create(struct vpmu_source source)
{
    struct vpmu *vpmu = malloc(sizeof *vpmu);
    if (vpmu) {
        vpmu->source = source;
        vpmu_reset(vpmu);
    }
    return vpmu;
}

void vpmu_destroy(struct vpmu *vpmu)
{
    free(vpmu);
}

void vpmu_reset(struct vpmu *vpmu)
{
    *vpmu = (struct vpmu){.source = vpmu->source};
}

static uint64_t count(const struct vpmu *vpmu, uint16_t event)
{
    uint64_t value = 0;
    return event != EVENT_SW_INCR && vpmu->source.count(vpmu->source.context, event, &value) ? value : 0;
}

static uint32_t bit_of(unsigned i)
{
    return i == CYCLE ? cycle_bit : UINT32_C(1) << i;
}

static uint64_t source_of(const struct vpmu *vpmu, unsigned i)
{
    if (i != CYCLE)
        return count(vpmu, (uint16_t)vpmu->counters[i].type);
    uint64_t cycles = count(vpmu, EVENT_CYCLES);
    return (vpmu->control & (CR_D | CR_LC)) == CR_D ? cycles / 64 : cycles;
}

/* Whatever the level; only a write changes that. */
static bool is_enabled(const struct vpmu *vpmu, unsigned i)
{
    return (vpmu->control & CR_E) && (vpmu->enabled & bit_of(i));
}

static bool is_on(const struct vpmu *vpmu, unsigned i)
{
    return is_enabled(vpmu, i) &&
           !(vpmu->counters[i].type & (vpmu->level == 0 ? filter_user : filter_kernel));
}

/* Event counters have 32 bits; the cycle counter has 64, and says so at the 32nd unless LC is set. */
static void add(struct vpmu *vpmu, unsigned i, uint64_t amount)
{
    struct counter *counter = &vpmu->counters[i];
    uint64_t sum = counter->value + amount;
    bool whole = i == CYCLE && (vpmu->control & CR_LC);
    if (whole ? sum < counter->value : sum >> 32 != counter->value >> 32 || amount >> 32)
        vpmu->overflowed |= bit_of(i);
    counter->value = i == CYCLE ? sum : (uint32_t)sum;
}

/* Bring all counters to now. Before anything is read, and before anything changes what is counted; after a
 * change, for what the sources say from then on. What those that are not enabled have seen does not matter.
 */
static void catch_up(struct vpmu *vpmu)
{
    for (unsigned i = 0; i <= CYCLE; i++) {
        if (!is_enabled(vpmu, i))
            continue;
        uint64_t now = source_of(vpmu, i);
        if (is_on(vpmu, i) && now > vpmu->counters[i].seen)
            add(vpmu, i, now - vpmu->counters[i].seen);
        vpmu->counters[i].seen = now;
    }
}

static void start_over(struct vpmu *vpmu)
{
    for (unsigned i = 0; i <= CYCLE; i++)
        if (is_enabled(vpmu, i))
            vpmu->counters[i].seen = source_of(vpmu, i);
}

/* Which counter a register of the two numbered series, or the selected one, is: its place, or -1 for one that
 * is not there (reads as 0). */
static int selected(const struct vpmu *vpmu, bool type)
{
    if (vpmu->selected == SELECT_MASK)
        return type ? CYCLE : -1;
    return vpmu->selected < VPMU_COUNTERS ? (int)vpmu->selected : -1;
}

/* True for a register of a counter's value, or of its type. */
static bool counter_of(const struct vpmu *vpmu, uint16_t system, int *place, bool *type)
{
    unsigned number = system & SELECT_MASK;
    *type = system == PMXEVTYPER || (system & ~SELECT_MASK) == PMEVTYPER;
    if (system == PMXEVTYPER || system == PMXEVCNTR)
        *place = selected(vpmu, *type);
    else if (system == PMCCNTR || system == PMCCFILTR)
        *place = CYCLE;
    else if ((system & ~SELECT_MASK) == PMEVTYPER ||
             ((system & ~SELECT_MASK) == PMEVCNTR && number != SELECT_MASK))
        *place = number < VPMU_COUNTERS ? (int)number : -1;
    else
        return false;
    return true;
}

bool vpmu_is_events(const struct vpmu *vpmu, uint16_t system)
{
    int place;
    bool type;
    return system != PMCCNTR && system != PMCCFILTR && counter_of(vpmu, system, &place, &type);
}

/* Those of the 32 events from `first` on that exist. */
static uint32_t common_events(const struct vpmu *vpmu, uint16_t first)
{
    uint32_t events = 0;
    uint64_t value;
    for (uint16_t event = 0; event < 32; event++) {
        uint16_t number = (uint16_t)(first + event);
        if (number == EVENT_SW_INCR || vpmu->source.count(vpmu->source.context, number, &value))
            events |= UINT32_C(1) << event;
    }
    return events;
}

bool vpmu_read(struct vpmu *vpmu, uint16_t system, uint64_t *value)
{
    int place;
    bool type;
    catch_up(vpmu);
    if (counter_of(vpmu, system, &place, &type)) {
        const struct counter *counter = &vpmu->counters[place < 0 ? 0 : place];
        *value = place < 0 ? 0 : type ? counter->type : counter->value;
        return true;
    }
    switch (system) {
    case PMCR:
        *value = vpmu->control | VPMU_COUNTERS << CR_N_SHIFT;
        return true;
    case PMCNTENSET:
    case PMCNTENCLR:
        *value = vpmu->enabled;
        return true;
    case PMOVSCLR:
    case PMOVSSET:
        *value = vpmu->overflowed;
        return true;
    case PMINTENSET:
    case PMINTENCLR:
        *value = vpmu->interrupting;
        return true;
    case PMSELR:
        *value = vpmu->select;
        return true;
    case PMCEID0:
        *value = common_events(vpmu, 0);
        return true;
    case PMCEID1:
        *value = common_events(vpmu, 32);
        return true;
    case PMUSERENR:
        *value = vpmu->user;
        return true;
    case CNTFRQ:
        *value = frequency;
        return true;
    case CNTVCT:
        *value = count(vpmu, EVENT_CYCLES);
        return true;
    default:
        return false;
    }
}

bool vpmu_cycles(const struct vpmu *vpmu, uint16_t system, uint64_t *cycles)
{
    *cycles = count(vpmu, EVENT_CYCLES);
    return system == PMCCNTR || system == CNTVCT;
}

static void write_control(struct vpmu *vpmu, uint32_t bits)
{
    for (unsigned i = 0; i <= CYCLE; i++) {
        if (bits & (i == CYCLE ? CR_C : CR_P))
            vpmu->counters[i].value = 0;
    }
    vpmu->control = bits & CR_KEPT;
}

static void increment(struct vpmu *vpmu, uint32_t counters)
{
    for (unsigned i = 0; i < VPMU_COUNTERS; i++) {
        if ((counters & bit_of(i)) && is_on(vpmu, i) && (uint16_t)vpmu->counters[i].type == EVENT_SW_INCR)
            add(vpmu, i, 1);
    }
}

bool vpmu_write(struct vpmu *vpmu, uint16_t system, uint64_t value)
{
    uint32_t bits = (uint32_t)value;
    int place;
    bool type, good = true;
    catch_up(vpmu);
    if (counter_of(vpmu, system, &place, &type)) {
        struct counter *counter = &vpmu->counters[place < 0 ? 0 : place];
        if (place >= 0 && type)
            counter->type = bits & (place == CYCLE ? filter_mask : filter_mask | 0xffff);
        else if (place >= 0)
            counter->value = place == CYCLE ? value : bits;
    } else {
        switch (system) {
        case PMCR:
            write_control(vpmu, bits);
            break;
        case PMCNTENSET:
            vpmu->enabled |= bits & enable_mask;
            break;
        case PMCNTENCLR:
            vpmu->enabled &= ~bits;
            break;
        case PMOVSCLR:
            vpmu->overflowed &= ~bits;
            break;
        case PMOVSSET:
            vpmu->overflowed |= bits & enable_mask;
            break;
        case PMINTENSET:
            vpmu->interrupting |= bits & enable_mask;
            break;
        case PMINTENCLR:
            vpmu->interrupting &= ~bits;
            break;
        case PMSWINC:
            increment(vpmu, bits);
            break;
        case PMSELR:
            vpmu->select = bits & SELECT_MASK;
            vpmu->selected = vpmu->deferred ? vpmu->selected : vpmu->select;
            break;
        case PMUSERENR:
            vpmu->user = bits & USER_MASK;
            break;
        default:
            good = false;
        }
    }
    start_over(vpmu);
    return good;
}

/* ---- exception levels ---- */

void vpmu_defer(struct vpmu *vpmu)
{
    vpmu->deferred = true;
}

void vpmu_synchronize(struct vpmu *vpmu)
{
    vpmu->selected = vpmu->select;
}

/* Not before a read, so what the source says can be less than once before, when the core was ahead: nothing
 * is counted twice. */
void vpmu_set_level(struct vpmu *vpmu, unsigned level)
{
    for (unsigned i = 0; i <= CYCLE; i++) {
        uint64_t now = source_of(vpmu, i);
        if (now <= vpmu->counters[i].seen)
            continue;
        if (is_on(vpmu, i))
            add(vpmu, i, now - vpmu->counters[i].seen);
        vpmu->counters[i].seen = now;
    }
    vpmu->level = level;
}

bool vpmu_user_may(const struct vpmu *vpmu, uint16_t system, bool write)
{
    int place;
    bool type;
    if (system == PMSWINC)
        return vpmu->user & (USER_EN | USER_SW);
    if (system == PMCCNTR)
        return vpmu->user & (write ? USER_EN : USER_EN | USER_CR);
    if (system == PMSELR)
        return vpmu->user & (USER_EN | USER_ER);
    if (counter_of(vpmu, system, &place, &type))
        return vpmu->user & (write || type ? USER_EN : USER_EN | USER_ER);
    switch (system) {
    case PMCR:
    case PMCNTENSET:
    case PMCNTENCLR:
    case PMOVSCLR:
    case PMOVSSET:
    case PMCEID0:
    case PMCEID1:
        return vpmu->user & USER_EN;
    default:
        return true;
    }
}

bool vpmu_may_interrupt(const struct vpmu *vpmu)
{
    return (vpmu->control & CR_E) && vpmu->interrupting;
}

bool vpmu_interrupts(const struct vpmu *vpmu, uint64_t *left)
{
    *left = UINT64_MAX;
    if (!vpmu_may_interrupt(vpmu))
        return false;
    if (vpmu->overflowed & vpmu->interrupting)
        return true;
    for (unsigned i = 0; i <= CYCLE; i++) {
        if (!(vpmu->interrupting & bit_of(i)) || !is_on(vpmu, i))
            continue;
        uint64_t now = source_of(vpmu, i), seen = vpmu->counters[i].seen;
        uint64_t sum = vpmu->counters[i].value + (now > seen ? now - seen : 0);
        bool whole = i == CYCLE && (vpmu->control & CR_LC);
        if (whole ? sum < vpmu->counters[i].value : sum >> 32 != vpmu->counters[i].value >> 32)
            return true;
        uint64_t to_wrap = whole ? -sum : (UINT64_C(1) << 32) - (uint32_t)sum;
        if (to_wrap < *left)
            *left = to_wrap;
    }
    return false;
}

bool vpmu_event(const struct vpmu *vpmu, uint16_t system, uint16_t *event, uint64_t *value)
{
    int place;
    bool type;
    if (!counter_of(vpmu, system, &place, &type) || type || place < 0 || place == CYCLE)
        return false;
    *event = (uint16_t)vpmu->counters[place].type;
    *value = source_of(vpmu, (unsigned)place);
    return true;
}
