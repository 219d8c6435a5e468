#include <string.h>

#include "harness/emu/decode_table.h"

const struct decode_table *const decode_tables[DECODE_TABLES] = {
    &decode_integer, &decode_memory, &decode_scalar, &decode_vector, &decode_extensions, &decode_system,
};

/* What an operand is: the field with its number, which file it is in, and what is done with it. */
enum { GENERAL, GENERAL_SP, VECTOR_FILE, FIXED };
enum {
    IN = 1,
    OUT = 2,
    ADDRESS = 4,
    SUM = 8,
    MOVED = 16,
    PAIR_OF = 32,
    LIST_OF = 64,
    LANE = 128,
    LOW = 256,
    HALF = 512,
    ADDED = 1024
};

static const struct {
    uint8_t low, file;
    uint16_t use;
} operands[ROW_OPERAND_COUNT] = {
    [RD] = {0, GENERAL, OUT},
    [RD_SP] = {0, GENERAL_SP, OUT},
    [RD_OLD] = {0, GENERAL, IN},
    [RN] = {5, GENERAL, IN},
    [RN_SP] = {5, GENERAL_SP, IN},
    [RM] = {16, GENERAL, IN},
    [RA] = {10, GENERAL, IN | SUM},
    [VD] = {0, VECTOR_FILE, OUT},
    [VD_OLD] = {0, VECTOR_FILE, IN},
    [VD_HALF] = {0, VECTOR_FILE, IN | HALF},
    [VD_SUM] = {0, VECTOR_FILE, IN | SUM},
    [VN] = {5, VECTOR_FILE, IN},
    [VM] = {16, VECTOR_FILE, IN},
    [VM_LANE] = {16, VECTOR_FILE, IN | LANE},
    [VA] = {10, VECTOR_FILE, IN | SUM},
    [VM_LOW] = {16, VECTOR_FILE, IN | LOW},
    [VA_IN] = {10, VECTOR_FILE, IN},
    [VN_LIST] = {5, VECTOR_FILE, IN | LIST_OF},
    [BASE] = {5, GENERAL_SP, IN | ADDRESS},
    [BASE_OUT] = {5, GENERAL_SP, OUT | MOVED},
    [BLOCK] = {0, GENERAL, IN | ADDRESS},
    [INDEX] = {16, GENERAL, IN | ADDRESS},
    [STEP] = {16, GENERAL, IN | ADDED},
    [RT_IN] = {0, GENERAL, IN},
    [RT_OUT] = {0, GENERAL, OUT},
    [RT2_IN] = {10, GENERAL, IN},
    [RT2_OUT] = {10, GENERAL, OUT},
    [RT_PAIR_IN] = {0, GENERAL, IN | PAIR_OF},
    [RS_IN] = {16, GENERAL, IN},
    [RS_OUT] = {16, GENERAL, OUT},
    [RS_PAIR_IN] = {16, GENERAL, IN | PAIR_OF},
    [RS_PAIR_OUT] = {16, GENERAL, OUT | PAIR_OF},
    [VT_IN] = {0, VECTOR_FILE, IN},
    [VT_OUT] = {0, VECTOR_FILE, OUT},
    [VT2_IN] = {10, VECTOR_FILE, IN},
    [VT2_OUT] = {10, VECTOR_FILE, OUT},
    [VT_LIST_IN] = {0, VECTOR_FILE, IN | LIST_OF},
    [VT_LIST_HALF] = {0, VECTOR_FILE, IN | LIST_OF | HALF},
    [VT_LIST_OUT] = {0, VECTOR_FILE, OUT | LIST_OF},
    [LR_IN] = {30, FIXED, IN},
    [LR_OUT] = {30, FIXED, OUT},
    [FLAGS_IN] = {REG_NZCV, FIXED, IN},
    [FLAGS_OUT] = {REG_NZCV, FIXED, OUT},
    [MONITOR_IN] = {REG_MONITOR, FIXED, IN},
    [MONITOR_OUT] = {REG_MONITOR, FIXED, OUT},
};

static int64_t signed_field(uint32_t word, unsigned high, unsigned low)
{
    int64_t sign = INT64_C(1) << (high - low);
    return ((int64_t)decode_field(word, high, low) ^ sign) - sign;
}

static bool size_allowed(const struct decode_row *row, uint32_t word)
{
    if (!row->sizes)
        return true;
    unsigned size = decode_field(word, 23, 22);
    if (row->immh) {
        unsigned immh = decode_field(word, 22, 19);
        if (immh == 0)
            return false;
        size = immh >= 8 ? 3 : immh >= 4 ? 2 : immh >= 2 ? 1 : 0;
    }
    return row->sizes >> (2 * size + decode_field(word, 30, 30)) & 1;
}

static const struct decode_row *search(uint32_t word)
{
    for (size_t t = 0; t < DECODE_TABLES; t++)
        for (size_t i = 0; i < decode_tables[t]->count; i++) {
            const struct decode_row *row = &decode_tables[t]->rows[i];
            if ((word & row->mask) == row->value && size_allowed(row, word) &&
                (!row->valid || row->valid(word)))
                return row;
        }
    return NULL;
}

/* A check runs the same code again and again, and all of it is decoded each time: what was found is kept. */
const struct decode_row *decode_find(uint32_t word)
{
    enum { KEPT_BITS = 10 };
    static _Thread_local struct {
        const struct decode_row *row;
        uint32_t word;
        bool known;
    } kept[1 << KEPT_BITS];
    const size_t slot = (word * UINT32_C(2654435761)) >> (32 - KEPT_BITS);
    if (!kept[slot].known || kept[slot].word != word) {
        kept[slot].row = search(word);
        kept[slot].word = word;
        kept[slot].known = true;
    }
    return kept[slot].row;
}

static void add_read(struct op *op, unsigned number, unsigned use)
{
    if (op->read_count == OP_READS)
        return;
    if (use & ADDRESS)
        op->address_reads |= (uint8_t)(1U << op->read_count);
    if (use & HALF)
        op->kept_half |= (uint8_t)(1U << op->read_count);
    if (use & SUM)
        op->accumulator = op->read_count;
    op->reads[op->read_count++] = (uint8_t)number;
    if (use & ADDED)
        op->step = op->read_count;
}

static void add_write(struct op *op, unsigned number, unsigned use)
{
    if (op->write_count == OP_WRITES)
        return;
    if (use & MOVED)
        op->base_write = op->write_count;
    op->writes[op->write_count++] = (uint8_t)number;
}

static void add_operand(struct op *op, const struct decode_row *row, unsigned operand, uint32_t word)
{
    unsigned use = operands[operand].use, file = operands[operand].file, low = operands[operand].low;
    unsigned first = file == FIXED ? low : decode_field(word, low + 4, low);
    if (use & LOW || (use & LANE && decode_field(word, 23, 22) < 2))
        first &= 15; /* the field's upper bit is part of the lane's number */
    unsigned count = use & PAIR_OF ? 2 : use & LIST_OF ? row->registers : 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned number = file == FIXED ? first : (first + i) % 32;
        if (file == GENERAL && number == 31)
            continue;
        if (file == VECTOR_FILE)
            number += REG_V0;
        if (use & IN)
            add_read(op, number, use);
        else
            add_write(op, number, use);
    }
}

/* Of additions and subtractions: a left shift by up to 4 is as good as none on some cores. */
static enum op_class class_of_shift(enum op_class plain, bool left, unsigned amount)
{
    if (amount == 0)
        return plain;
    if (!left || amount > 4)
        return OP_ALU_SHIFT_FAR;
    return plain == OP_ALU_FLAGS ? OP_ALU_SHIFT_FLAGS : OP_ALU_SHIFT;
}

static enum op_class class_of(const struct decode_row *row, uint32_t word)
{
    enum op_class op_class = row->op_class;
    switch (row->variant) {
    case BY_SHIFT:
        if (decode_field(word, 28, 24) == 10 && decode_field(word, 15, 10) != 0) /* logic */
            return op_class == OP_ALU ? OP_LOGIC_SHIFT : OP_ALU_SHIFT_FAR;
        return class_of_shift(op_class, decode_field(word, 23, 22) == 0, decode_field(word, 15, 10));
    case BY_EXTEND: {
        unsigned whole = 2 + decode_field(word, 31, 31); /* UXTW of a W register, UXTX: nothing to extend */
        if ((decode_field(word, 15, 13) & 3) != whole)
            return OP_ALU_SHIFT_FAR;
        return class_of_shift(op_class, true, decode_field(word, 12, 10));
    }
    case MOVE_IF_SAME:
        return decode_field(word, 9, 5) == decode_field(word, 20, 16) ? OP_V_MOVE : op_class;
    case SHIFT_IF_SAME:
        return decode_field(word, 9, 5) == decode_field(word, 20, 16) ? OP_SHIFT : op_class;
    case BY_LANES: {
        unsigned lanes = (decode_field(word, 30, 30) ? 16U : 8U) >> decode_field(word, 23, 22);
        return lanes == 4 ? OP_V_REDUCE : lanes == 8 ? OP_V_REDUCE_8 : OP_V_REDUCE_16;
    }
    case BY_FP_LANES: { /* of long and narrowing ones: as of the wider side */
        unsigned bytes = row->feature & FEATURE_FP16 ? 2 : decode_field(word, 22, 22) ? 8 : 4;
        unsigned lanes = (row->wide == WIDE_YES || decode_field(word, 30, 30) ? 16U : 8U) / bytes;
        return lanes == 8 ? OP_V_FP_MISC_8 : lanes == 4 ? OP_V_FP_MISC_4 : OP_V_FP_MISC;
    }
    default:
        return op_class;
    }
}

static unsigned log2_of(unsigned value)
{
    unsigned result = 0;
    while (value > 1 && value >> (result + 1))
        result++;
    return result;
}

static void decode_constant(const struct decode_row *row, uint32_t word, uint64_t address,
                            struct decoded *decoded)
{
    unsigned scale = row->scale ? row->scale : log2_of(row->bytes);
    switch (row->constant) {
    case OFFSET_IMM12:
        decoded->offset = (int64_t)decode_field(word, 21, 10) << scale;
        break;
    case OFFSET_IMM9:
        decoded->offset = signed_field(word, 20, 12);
        break;
    case OFFSET_IMM7:
        decoded->offset = signed_field(word, 21, 15) * (INT64_C(1) << scale);
        break;
    case BLOCK_OF_64:
        decoded->base = decode_field(word, 4, 0) == 31 ? OP_NONE : (uint8_t)decode_field(word, 4, 0);
        decoded->block = 6;
        break;
    case OFFSET_INDEX:
        if (decode_field(word, 20, 16) != 31)
            decoded->index = (uint8_t)decode_field(word, 20, 16);
        decoded->index_option = (uint8_t)decode_field(word, 15, 13);
        decoded->index_shift = (uint8_t)(decode_field(word, 12, 12) ? scale : 0);
        break;
    case TARGET_26:
        decoded->target = address + (uint64_t)signed_field(word, 25, 0) * 4;
        break;
    case TARGET_19:
        decoded->target = address + (uint64_t)signed_field(word, 23, 5) * 4;
        break;
    case TARGET_14:
        decoded->target = address + (uint64_t)signed_field(word, 18, 5) * 4;
        break;
    default:
        break;
    }
}

/* MRS and MSR: the list says what is allowed; some registers are ones that the model follows. */
static void decode_system_access(uint32_t word, struct decoded *decoded)
{
    decoded->system = (uint16_t)decode_field(word, 20, 5);
    decoded->system_write = !decode_field(word, 21, 21);
    const struct decode_system_register *entry = decode_system_register(decoded->system);
    if (!entry) {
        decoded->verdict = DECODE_FORBIDDEN;
        decoded->name = decoded->system_write ? "msr to a system register" : "mrs of a system register";
        return;
    }
    struct op *op = &decoded->op;
    const bool write = decoded->system_write;
    decoded->name = write ? entry->msr : entry->mrs;
    if (!(write ? entry->write : entry->read))
        decoded->verdict = DECODE_FORBIDDEN;
    if (entry->counter && !write)
        op->op_class = OP_COUNTER_READ;
    if (entry->serial == (write ? SERIAL_WRITE : SERIAL_READ))
        op->order = OP_ORDER_SERIAL;
    if (entry->follows && write)
        add_write(op, entry->follows, 0);
    if (entry->follows && (!write || entry->follows == REG_SYSTEM)) /* a write changes some of it */
        add_read(op, entry->follows, 0);
}

void decode(uint32_t word, uint64_t address, struct decoded *decoded)
{
    memset(decoded, 0, sizeof *decoded);
    struct op *op = &decoded->op;
    op->address = address;
    op->accumulator = op->base_write = OP_NONE;
    decoded->base = decoded->index = OP_NONE;
    memset(op->reads, OP_NONE, sizeof op->reads);
    memset(op->writes, OP_NONE, sizeof op->writes);

    const struct decode_row *row = decode_find(word);
    decoded->verdict = row ? row->verdict : DECODE_UNKNOWN;
    decoded->name = row ? row->name : decode_group(word);
    if (decoded->verdict != DECODE_OK)
        return;

    op->op_class = (uint8_t)class_of(row, word);
    op->wide = row->wide == WIDE_YES || (row->wide == WIDE_BY_Q && decode_field(word, 30, 30));
    op->half = op->wide && row->half;
    for (size_t i = 0; i < sizeof row->operands && row->operands[i]; i++)
        add_operand(op, row, row->operands[i], word);
    op->memory = row->memory;
    if (op->memory != OP_NO_MEMORY) {
        unsigned bytes = row->bytes ? row->bytes : decode_field(word, 30, 30) ? 16 : 8;
        op->registers = row->registers;
        op->bytes = (uint16_t)(bytes * row->registers);
        if (op->address_reads)
            decoded->base = (uint8_t)decode_field(word, 9, 5);
    }
    if (op->op_class >= OP_DIV && op->op_class <= OP_DIV_SIGNED_WIDE)
        op->quotient = op->op_class == OP_DIV || op->op_class == OP_DIV_SIGNED ? 32 : 64;
    op->branch = row->branch;
    op->order = row->order;
    decoded->feature = row->feature;
    decode_constant(row, word, address, decoded);
    if (row->variant == SYSTEM_REGISTER)
        decode_system_access(word, decoded);
}

uint64_t decode_access_address(const struct decoded *decoded, const uint64_t registers[32])
{
    if (decoded->base == OP_NONE)
        return decoded->target;
    uint64_t index = decoded->index == OP_NONE ? 0 : registers[decoded->index];
    if (decoded->index_option == 2)
        index = (uint32_t)index;
    else if (decoded->index_option == 6)
        index = (uint64_t)(int64_t)(int32_t)index;
    uint64_t address = registers[decoded->base] + (uint64_t)decoded->offset + (index << decoded->index_shift);
    return address >> decoded->block << decoded->block;
}

bool decode_is_aes_pair(uint32_t first, uint32_t second)
{
    unsigned destination = decode_field(first, 4, 0);
    return (first & 0xffffec00) == 0x4e284800 && decode_field(second, 4, 0) == destination &&
           decode_field(second, 9, 5) == destination && ((first ^ second) & 0xfffffc00) == 0x2000;
}

bool decode_keeps_stack_aligned(uint32_t word, const struct op *op)
{
    if ((word & 0x3f800000) == 0x11000000) /* add and sub of a constant */
        return decode_field(word, 9, 5) == 31 &&
               (decode_field(word, 22, 22) || decode_field(word, 13, 10) == 0);
    if ((word & 0x3b200000) == 0x38000000) /* a base that an access moves on */
        return decode_field(word, 15, 12) == 0;
    return (word & 0x3a000000) == 0x28000000 &&
           signed_field(word, 21, 15) * op->bytes / op->registers % 16 == 0;
}

static unsigned length_of(uint64_t value, bool wide, bool is_signed)
{
    if (!wide)
        value = is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
    if (is_signed && value >> 63)
        value = -value;
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

unsigned decode_quotient_bits(uint32_t word, uint64_t dividend, uint64_t divisor)
{
    bool wide = decode_field(word, 31, 31), is_signed = decode_field(word, 10, 10);
    unsigned above = length_of(dividend, wide, is_signed), below = length_of(divisor, wide, is_signed);
    return below > 0 && above >= below ? above - below + 1 : 0;
}

const char *decode_register_name(unsigned number)
{
    static const char *const names[] = {
        "x0",  "x1",  "x2",  "x3",  "x4",   "x5",   "x6",   "x7",      "x8",    "x9",  "x10", "x11",
        "x12", "x13", "x14", "x15", "x16",  "x17",  "x18",  "x19",     "x20",   "x21", "x22", "x23",
        "x24", "x25", "x26", "x27", "x28",  "x29",  "x30",  "sp",      "v0",    "v1",  "v2",  "v3",
        "v4",  "v5",  "v6",  "v7",  "v8",   "v9",   "v10",  "v11",     "v12",   "v13", "v14", "v15",
        "v16", "v17", "v18", "v19", "v20",  "v21",  "v22",  "v23",     "v24",   "v25", "v26", "v27",
        "v28", "v29", "v30", "v31", "nzcv", "fpcr", "fpsr", "monitor", "system"};
    return number < sizeof names / sizeof *names ? names[number] : "none";
}
