/* System instructions: Arm ARM C4, "Branches, Exception Generating and System instructions"; and what a
 * program may do with which system register. */
#include "harness/emu/decode_table.h"

#define HINT(number, text)  ROW(0xffffffff, 0xd503201f | (uint32_t)(number) << 5, text, NOP)
#define PSTATE(fixed, text) ROW_FORBIDDEN(0xfffff0ff, fixed, text)

static const struct decode_row rows[] = {
    /* Hints; pointer authentication among them does nothing here, where no key is switched on */
    HINT(0, "nop"),
    HINT(1, "yield"),
    ROW_FORBIDDEN(0xffffffff, 0xd503205f, "wfe"),
    ROW_FORBIDDEN(0xffffffff, 0xd503207f, "wfi"),
    HINT(4, "sev"),
    HINT(5, "sevl"),
    HINT(6, "dgh"),
    ROW(0xffffffff, 0xd50320ff, "xpaclri", NOP, OPERANDS(LR_IN, LR_OUT)), /* needs no key */
    HINT(8, "pacia1716"),
    HINT(10, "pacib1716"),
    HINT(12, "autia1716"),
    HINT(14, "autib1716"),
    HINT(16, "esb"),
    HINT(17, "psb"),
    HINT(18, "tsb"),
    HINT(20, "csdb"),
    HINT(24, "paciaz"),
    HINT(25, "paciasp"),
    HINT(26, "pacibz"),
    HINT(27, "pacibsp"),
    HINT(28, "autiaz"),
    HINT(29, "autiasp"),
    HINT(30, "autibz"),
    HINT(31, "autibsp"),
    ROW(0xffffff3f, 0xd503241f, "bti", NOP),
    ROW(0xfffff01f, 0xd503201f, "hint", NOP), /* the others do nothing, says the architecture */

    /* Barriers */
    ROW(0xfffff0ff, 0xd503305f, "clrex", BARRIER, OPERANDS(MONITOR_IN, MONITOR_OUT)),
    ROW(0xfffff0ff, 0xd503309f, "dsb", BARRIER, .order = OP_ORDER_ALL),
    ROW(0xfffff0ff, 0xd50330bf, "dmb", BARRIER, .order = OP_ORDER_MEMORY),
    ROW(0xfffff0ff, 0xd50330df, "isb", BARRIER, .order = OP_ORDER_CONTEXT),
    ROW_UNKNOWN(0xffffffff, 0xd50330ff, "sb"),
    ROW_UNKNOWN(0xfffff3ff, 0xd503323f, "dsb nxs"),

    /* Exceptions */
    ROW_FORBIDDEN(0xffe0001f, 0xd4000001, "svc"),
    ROW_FORBIDDEN(0xffe0001f, 0xd4000002, "hvc"),
    ROW_FORBIDDEN(0xffe0001f, 0xd4000003, "smc"),
    ROW_FORBIDDEN(0xffe0001f, 0xd4200000, "brk"),
    ROW_FORBIDDEN(0xffe0001f, 0xd4400000, "hlt"),
    ROW_FORBIDDEN(0xffe0001c, 0xd4a00000, "dcps"),
    ROW_UNKNOWN(0xffe0001f, 0xd4600000, "tcancel"),
    ROW_FORBIDDEN(0xffff0000, 0x00000000, "udf"),

    /* Fields of the processor's state */
    ROW(0xffffffff, 0xd500401f, "cfinv", ALU_FLAGS, OPERANDS(FLAGS_IN, FLAGS_OUT), .feature = FEATURE_FLAGM),
    ROW_UNKNOWN(0xffffffff, 0xd500403f, "xaflag"),
    ROW_UNKNOWN(0xffffffff, 0xd500405f, "axflag"),
    PSTATE(0xd500407f, "msr uao"),
    PSTATE(0xd500409f, "msr pan"),
    PSTATE(0xd50040bf, "msr spsel"),
    PSTATE(0xd503403f, "msr ssbs"),
    PSTATE(0xd503405f, "msr dit"),
    PSTATE(0xd503409f, "msr tco"),
    PSTATE(0xd50340df, "msr daifset"),
    PSTATE(0xd50340ff, "msr daifclr"),
    ROW_FORBIDDEN(0xfff8f01f, 0xd500401f, "msr to the processor's state"),

    /* Caches, translation, whatever else a SYS is */
    ROW(0xffffffe0, 0xd50b7420, "dc zva", STORE_FP_PAIR, OPERANDS(BLOCK), .wide = WIDE_YES,
        .memory = OP_MEMORY_STORE, .bytes = 64, .registers = 1, .constant = BLOCK_OF_64),
    ROW_FORBIDDEN(0xffffffe0, 0xd5087620, "dc ivac"),
    ROW_FORBIDDEN(0xffffffe0, 0xd50b7a20, "dc cvac"),
    ROW_FORBIDDEN(0xffffffe0, 0xd50b7b20, "dc cvau"),
    ROW_FORBIDDEN(0xffffffe0, 0xd50b7c20, "dc cvap"),
    ROW_FORBIDDEN(0xffffffe0, 0xd50b7e20, "dc civac"),
    ROW_FORBIDDEN(0xfff8fb00, 0xd5087100, "ic"),
    ROW_FORBIDDEN(0xfff8fe00, 0xd5087800, "at"),
    ROW_FORBIDDEN(0xfff8f000, 0xd5087000, "dc"),
    ROW_FORBIDDEN(0xfff8f000, 0xd5088000, "tlbi"),
    ROW_FORBIDDEN(0xfff80000, 0xd5080000, "sys"),
    ROW_FORBIDDEN(0xfff80000, 0xd5280000, "sysl"),

    /* System registers */
    ROW(0xfff00000, 0xd5100000, "msr", SYSTEM_WRITE, OPERANDS(RT_IN), .variant = SYSTEM_REGISTER),
    ROW(0xfff00000, 0xd5300000, "mrs", SYSTEM_READ, OPERANDS(RT_OUT), .variant = SYSTEM_REGISTER),
};

const struct decode_table decode_system = {rows, sizeof rows / sizeof *rows};

#define CODE(op0, op1, crn, crm, op2) (uint16_t)((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))
#define REGISTER(op0, op1, crn, crm, op2, may_read, may_write, counts, number, when, text)                   \
    {                                                                                                        \
        CODE(op0, op1, crn, crm, op2), may_read, may_write, counts, number, when, "mrs " text, "msr " text   \
    }
#define READ_WRITE(op0, op1, crn, crm, op2, text)                                                            \
    REGISTER(op0, op1, crn, crm, op2, true, true, false, REG_SYSTEM, SERIAL_NEITHER, text)
#define READ_ONLY(op0, op1, crn, crm, op2, text)                                                             \
    REGISTER(op0, op1, crn, crm, op2, true, false, false, 0, SERIAL_NEITHER, text)
#define WRITE_ONLY(op0, op1, crn, crm, op2, text)                                                            \
    REGISTER(op0, op1, crn, crm, op2, false, true, false, REG_SYSTEM, SERIAL_NEITHER, text)
#define FOLLOWED(op0, op1, crn, crm, op2, number, when, text)                                                \
    REGISTER(op0, op1, crn, crm, op2, true, true, false, number, when, text)
#define COUNTER(op0, op1, crn, crm, op2, writable, text)                                                     \
    REGISTER(op0, op1, crn, crm, op2, true, writable, true, (writable) ? REG_SYSTEM : 0, SERIAL_NEITHER, text)
#define NEITHER(op0, op1, crn, crm, op2, text)                                                               \
    REGISTER(op0, op1, crn, crm, op2, false, false, false, REG_SYSTEM, SERIAL_NEITHER, text)

/* pmevcntr0_el0 .. 5 and pmevtyper0_el0 .. 5: as many as the virtual PMU has. */
#define EVENT(n)      COUNTER(3, 3, 14, 8, n, true, "pmevcntr" #n "_el0")
#define EVENT_TYPE(n) READ_WRITE(3, 3, 14, 12, n, "pmevtyper" #n "_el0")

static const struct decode_system_register registers[] = {
    /* The PMU */
    READ_WRITE(3, 3, 9, 12, 0, "pmcr_el0"),
    READ_WRITE(3, 3, 9, 12, 1, "pmcntenset_el0"),
    READ_WRITE(3, 3, 9, 12, 2, "pmcntenclr_el0"),
    READ_WRITE(3, 3, 9, 12, 3, "pmovsclr_el0"),
    WRITE_ONLY(3, 3, 9, 12, 4, "pmswinc_el0"),
    READ_WRITE(3, 3, 9, 12, 5, "pmselr_el0"),
    READ_ONLY(3, 3, 9, 12, 6, "pmceid0_el0"),
    READ_ONLY(3, 3, 9, 12, 7, "pmceid1_el0"),
    COUNTER(3, 3, 9, 13, 0, true, "pmccntr_el0"),
    READ_WRITE(3, 3, 9, 13, 1, "pmxevtyper_el0"),
    COUNTER(3, 3, 9, 13, 2, true, "pmxevcntr_el0"),
    READ_WRITE(3, 3, 9, 14, 0, "pmuserenr_el0"),
    READ_WRITE(3, 3, 9, 14, 3, "pmovsset_el0"),
    READ_WRITE(3, 3, 14, 15, 7, "pmccfiltr_el0"),
    EVENT(0),
    EVENT(1),
    EVENT(2),
    EVENT(3),
    EVENT(4),
    EVENT(5),
    EVENT_TYPE(0),
    EVENT_TYPE(1),
    EVENT_TYPE(2),
    EVENT_TYPE(3),
    EVENT_TYPE(4),
    EVENT_TYPE(5),

    /* The generic timer */
    READ_ONLY(3, 3, 14, 0, 0, "cntfrq_el0"),
    COUNTER(3, 3, 14, 0, 2, false, "cntvct_el0"),

    /* What any program has */
    FOLLOWED(3, 3, 4, 2, 0, REG_NZCV, SERIAL_NEITHER, "nzcv"),
    FOLLOWED(3, 3, 4, 4, 0, REG_FPCR, SERIAL_WRITE, "fpcr"),
    FOLLOWED(3, 3, 4, 4, 1, REG_FPSR, SERIAL_READ, "fpsr"),
    READ_WRITE(3, 3, 13, 0, 2, "tpidr_el0"),
    READ_ONLY(3, 3, 0, 0, 1, "ctr_el0"),
    READ_ONLY(3, 3, 0, 0, 7, "dczid_el0"),
    READ_ONLY(3, 0, 0, 0, 0, "midr_el1"),

    /* Named, since these are what somebody would try */
    NEITHER(3, 3, 2, 4, 0, "rndr"),
    NEITHER(3, 3, 2, 4, 1, "rndrrs"),
    NEITHER(3, 3, 4, 2, 1, "daif"),
    NEITHER(3, 3, 13, 0, 3, "tpidrro_el0"),
    NEITHER(3, 3, 14, 0, 1, "cntpct_el0"),
    NEITHER(3, 3, 14, 2, 0, "cntp_tval_el0"),
    NEITHER(3, 3, 14, 2, 1, "cntp_ctl_el0"),
    NEITHER(3, 3, 14, 2, 2, "cntp_cval_el0"),
    NEITHER(3, 3, 14, 3, 0, "cntv_tval_el0"),
    NEITHER(3, 3, 14, 3, 1, "cntv_ctl_el0"),
    NEITHER(3, 3, 14, 3, 2, "cntv_cval_el0"),
    NEITHER(3, 0, 0, 0, 5, "mpidr_el1"),
    NEITHER(3, 0, 1, 0, 0, "sctlr_el1"),
    NEITHER(3, 0, 1, 0, 1, "actlr_el1"),
    NEITHER(3, 0, 1, 0, 2, "cpacr_el1"),
    NEITHER(3, 0, 2, 0, 0, "ttbr0_el1"),
    NEITHER(3, 0, 2, 0, 1, "ttbr1_el1"),
    NEITHER(3, 0, 2, 0, 2, "tcr_el1"),
    NEITHER(3, 0, 4, 0, 0, "spsr_el1"),
    NEITHER(3, 0, 4, 0, 1, "elr_el1"),
    NEITHER(3, 0, 4, 1, 0, "sp_el0"),
    NEITHER(3, 0, 4, 2, 0, "spsel"),
    NEITHER(3, 0, 4, 2, 2, "currentel"),
    NEITHER(3, 0, 5, 2, 0, "esr_el1"),
    NEITHER(3, 0, 6, 0, 0, "far_el1"),
    NEITHER(3, 0, 9, 14, 1, "pmintenset_el1"),
    NEITHER(3, 0, 9, 14, 2, "pmintenclr_el1"),
    NEITHER(3, 0, 10, 2, 0, "mair_el1"),
    NEITHER(3, 0, 12, 0, 0, "vbar_el1"),
    NEITHER(3, 0, 13, 0, 1, "contextidr_el1"),
    NEITHER(3, 0, 13, 0, 4, "tpidr_el1"),
    NEITHER(3, 0, 14, 1, 0, "cntkctl_el1"),
    NEITHER(2, 0, 0, 2, 2, "mdscr_el1"),
    NEITHER(2, 3, 0, 1, 0, "mdccsr_el0"),
    NEITHER(2, 3, 0, 4, 0, "dbgdtr_el0"),
};

const struct decode_system_register *decode_system_register(uint16_t code)
{
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (registers[i].code == code)
            return &registers[i];
    return NULL;
}

const char *decode_group(uint32_t word)
{
    switch (decode_field(word, 28, 25)) {
    case 0:
        return decode_field(word, 31, 31) ? "sme" : "an unallocated encoding";
    case 2:
        return "sve";
    case 7:
    case 15:
        return "a vector or floating-point extension";
    case 4:
    case 6:
    case 12:
    case 14:
        return "an unallocated load or store";
    default:
        return "an unallocated encoding";
    }
}
