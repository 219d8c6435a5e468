#include "harness/emu/levels.h"

#include <stddef.h>

#define SYSTEM(op0, op1, crn, crm, op2) ((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

enum {
    SPSR_EL1 = SYSTEM(3, 0, 4, 0, 0),
    ELR_EL1 = SYSTEM(3, 0, 4, 0, 1),
    SP_EL0 = SYSTEM(3, 0, 4, 1, 0),
    SPSEL = SYSTEM(3, 0, 4, 2, 0),
    CURRENT_EL = SYSTEM(3, 0, 4, 2, 2),
    ESR_EL1 = SYSTEM(3, 0, 5, 2, 0),
    FAR_EL1 = SYSTEM(3, 0, 6, 0, 0),
    PMINTENSET_EL1 = SYSTEM(3, 0, 9, 14, 1),
    PMINTENCLR_EL1 = SYSTEM(3, 0, 9, 14, 2),
    PMMIR_EL1 = SYSTEM(3, 0, 9, 14, 6),
    VBAR_EL1 = SYSTEM(3, 0, 12, 0, 0),
    TPIDR_EL1 = SYSTEM(3, 0, 13, 0, 4),
    DAIF = SYSTEM(3, 3, 4, 2, 1),
    PMUSERENR_EL0 = SYSTEM(3, 3, 9, 14, 0),
};

/* A saved state's bits (SPSR_EL1), and how a syndrome is made (ESR_EL1). */
enum {
    MODE_EL0 = 0,
    MODE_EL1 = 5, /* with its own stack pointer */
    MODE_MASK = 31,
    MASKS = 0xf << 6,
    IRQ_MASKED = 1 << 7,
    CLASS_UNKNOWN = 0,
    CLASS_SVC = 0x15,
    CLASS_TRAPPED = 0x18, /* MSR or MRS */
    CLASS_SHIFT = 26,
    IL = 1 << 25, /* the instruction has 32 bits */
};
static const uint64_t flags_mask = UINT64_C(0xf) << 28;

/* Where a handler is: from VBAR_EL1 on, by what happened and where. */
enum { FROM_SAME = 0x200, FROM_LOWER = 0x400, SYNCHRONOUS = 0, IRQ = 0x80 };

static bool is_svc(uint32_t word)
{
    return (word & 0xffe0001f) == 0xd4000001;
}

static bool is_eret(uint32_t word)
{
    return word == 0xd69f03e0;
}

static bool is_register(uint32_t word)
{
    return (word & 0xffd00000) == 0xd5100000;
}

/* MSR DAIFSet, DAIFClr */
static bool is_masking(uint32_t word)
{
    return (word & 0xfffff0df) == 0xd50340df;
}

static bool is_isb(uint32_t word)
{
    return (word & 0xfffff0ff) == 0xd50330df;
}

bool levels_concern(uint32_t word)
{
    return is_isb(word) || is_svc(word) || is_eret(word) || is_register(word) || is_masking(word);
}

void levels_reset(struct levels *levels, unsigned width)
{
    *levels = (struct levels){.level = 1, .width = width, .masks = MASKS};
}

/* SP belongs to a level; and what a counter counts can depend on it. */
static void change_level(struct levels *levels, struct vpmu *vpmu, unsigned level,
                         struct level_registers *registers)
{
    if (level != levels->level) {
        uint64_t stack = levels->stack;
        levels->stack = registers->stack;
        registers->stack = stack;
        levels->level = level;
        vpmu_set_level(vpmu, level);
    }
}

static uint64_t take(struct levels *levels, struct vpmu *vpmu, unsigned kind, uint64_t back,
                     struct level_registers *registers)
{
    uint64_t to = levels->vectors + (levels->level == 0 ? FROM_LOWER : FROM_SAME) + kind;
    levels->saved =
        (registers->flags & flags_mask) | levels->masks | (levels->level == 0 ? MODE_EL0 : MODE_EL1);
    levels->link = back;
    levels->masks = MASKS;
    levels->taken++;
    vpmu_synchronize(vpmu);
    change_level(levels, vpmu, 1, registers);
    return to;
}

static enum level_step take_synchronous(struct levels *levels, struct vpmu *vpmu, unsigned class,
                                        uint32_t details, uint64_t back, struct level_registers *registers,
                                        uint64_t *to)
{
    levels->syndrome = (uint64_t) class << CLASS_SHIFT | IL | details;
    *to = take(levels, vpmu, SYNCHRONOUS, back, registers);
    return LEVEL_GO;
}

static enum level_step give_back(struct levels *levels, struct vpmu *vpmu, struct level_registers *registers,
                                 uint64_t *to, const char **why)
{
    uint64_t mode = levels->saved & MODE_MASK;
    if (mode != MODE_EL0 && mode != MODE_EL1) {
        *why = "eret to a mode in SPSR_EL1 that is neither EL0t (0) nor EL1h (5)";
        return LEVEL_REFUSED;
    }
    if (levels->link % 4 != 0) {
        *why = "eret to an address in ELR_EL1 that is no multiple of 4";
        return LEVEL_REFUSED;
    }
    *to = levels->link;
    registers->flags = levels->saved & flags_mask;
    levels->masks = (uint32_t)levels->saved & MASKS;
    levels->returned++;
    vpmu_synchronize(vpmu);
    change_level(levels, vpmu, mode == MODE_EL0 ? 0 : 1, registers);
    return LEVEL_GO;
}

/* A trapped access, as ESR_EL1 tells it. */
static uint32_t details_of(uint32_t word)
{
    uint32_t op0 = word >> 19 & 3, op1 = word >> 16 & 7, crn = word >> 12 & 15, crm = word >> 8 & 15;
    uint32_t op2 = word >> 5 & 7, rt = word & 31, read = word >> 21 & 1;
    return op0 << 20 | op2 << 17 | op1 << 14 | crn << 10 | rt << 5 | crm << 1 | read;
}

/* The registers that are kept here; NULL for others. */
static uint64_t *kept(struct levels *levels, uint16_t system)
{
    switch (system) {
    case SPSR_EL1:
        return &levels->saved;
    case ELR_EL1:
        return &levels->link;
    case ESR_EL1:
        return &levels->syndrome;
    case VBAR_EL1:
        return &levels->vectors;
    case TPIDR_EL1:
        return &levels->thread;
    case SP_EL0:
        return &levels->stack;
    default:
        return NULL;
    }
}

/* At EL1. */
static enum level_step access_register(struct levels *levels, struct vpmu *vpmu, uint16_t system, bool write,
                                       struct level_registers *registers)
{
    uint64_t *place = kept(levels, system), value = registers->operand;
    if (place && write)
        *place = system == VBAR_EL1 ? value & ~UINT64_C(0x7ff) : value;
    else if (place)
        registers->operand = *place;
    else if (system == DAIF && write)
        levels->masks = (uint32_t)value & MASKS;
    else if (system == DAIF)
        registers->operand = levels->masks;
    else if (system == CURRENT_EL && !write)
        registers->operand = UINT64_C(1) << 2;
    else if (system == SPSEL && !write)
        registers->operand = 1;
    else if (system == PMMIR_EL1 && !write)
        registers->operand = levels->width;
    else if (system == FAR_EL1 && !write)
        registers->operand = 0;
    else if (system == PMINTENSET_EL1 || system == PMINTENCLR_EL1) {
        if (write ? !vpmu_write(vpmu, system, value) : !vpmu_read(vpmu, system, &registers->operand))
            return LEVEL_PASS;
    } else
        return LEVEL_PASS;
    return write ? LEVEL_NEXT : LEVEL_READ;
}

/* What EL0 may not: a register of EL1's, DAIF, and of the PMU what PMUSERENR_EL0 does not open. */
static bool is_undefined(uint16_t system, bool write)
{
    return (system >> 11 & 7) == 0 || (system == PMUSERENR_EL0 && write);
}

enum level_step levels_step(struct levels *levels, struct vpmu *vpmu, uint32_t word, uint64_t pc,
                            struct level_registers *registers, uint64_t *to, const char **why)
{
    uint16_t system = (uint16_t)(word >> 5);
    bool write = !(word >> 21 & 1);
    if (is_isb(word)) {
        vpmu_synchronize(vpmu);
        return LEVEL_PASS;
    }
    if (is_svc(word))
        return take_synchronous(levels, vpmu, CLASS_SVC, word >> 5 & 0xffff, pc + 4, registers, to);
    if (levels->level == 0) {
        if (is_eret(word) || (is_register(word) && is_undefined(system, write)))
            return take_synchronous(levels, vpmu, CLASS_UNKNOWN, 0, pc, registers, to);
        if (is_masking(word) || (is_register(word) && system == DAIF) ||
            (is_register(word) && !vpmu_user_may(vpmu, system, write)))
            return take_synchronous(levels, vpmu, CLASS_TRAPPED, details_of(word), pc, registers, to);
        return LEVEL_PASS;
    }
    if (is_eret(word))
        return give_back(levels, vpmu, registers, to, why);
    if (is_masking(word)) {
        uint32_t bits = (word >> 8 & 15) << 6;
        levels->masks = word >> 5 & 1 ? levels->masks & ~bits : levels->masks | bits;
        return LEVEL_NEXT;
    }
    return is_register(word) ? access_register(levels, vpmu, system, write, registers) : LEVEL_PASS;
}

bool levels_listen(const struct levels *levels, const struct vpmu *vpmu)
{
    return !(levels->masks & IRQ_MASKED) && vpmu_may_interrupt(vpmu);
}

uint64_t levels_interrupt(struct levels *levels, struct vpmu *vpmu, uint64_t pc,
                          struct level_registers *registers)
{
    return take(levels, vpmu, IRQ, pc, registers);
}
