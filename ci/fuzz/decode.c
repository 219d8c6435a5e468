/* AArch64 instruction words, which a student's code is made of: whatever they are, what the decoder says
 * about them has to be within what the model has room for. */
#include <string.h>

#include "ci/fuzz/fuzz.h"
#include "harness/emu/decode.h"

static void look_at_op(const struct op *op)
{
    fuzz_must(op->op_class < OP_CLASS_COUNT && op->read_count <= OP_READS && op->write_count <= OP_WRITES,
              "counts and class");
    for (unsigned i = 0; i < op->read_count; i++)
        fuzz_must(op->reads[i] < OP_REGISTERS, "a register that is read");
    for (unsigned i = 0; i < op->write_count; i++)
        fuzz_must(op->writes[i] < OP_REGISTERS, "a register that is written");
    fuzz_must(op->accumulator == OP_NONE || op->accumulator < op->read_count, "the accumulator is read");
    fuzz_must(op->base_write == OP_NONE || op->base_write < op->write_count, "the base is written");
    fuzz_must(op->address_reads >> op->read_count == 0, "what the address takes is read");
    fuzz_must(op->step <= op->read_count, "what moves the base on is read");
    fuzz_must(op->memory == OP_NO_MEMORY || op->memory == OP_MEMORY_PREFETCH ||
                  (op->bytes > 0 && op->bytes <= 64),
              "bytes of an access");
    fuzz_must(op->memory <= OP_MEMORY_PREFETCH && op->branch <= OP_RETURN && op->order <= OP_ORDER_SERIAL,
              "kinds");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t registers[32];
    for (unsigned i = 0; i < 32; i++)
        registers[i] = UINT64_C(0x9e3779b97f4a7c15) * (i + size);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        struct decoded decoded;
        uint32_t word;
        memcpy(&word, data + i, sizeof word);
        decode(word, UINT64_MAX - 64 + i, &decoded);
        fuzz_must(decoded.name && decoded.verdict <= DECODE_FORBIDDEN, "a name");
        if (decoded.verdict != DECODE_OK)
            continue;
        look_at_op(&decoded.op);
        if (decoded.op.memory != OP_NO_MEMORY)
            decode_access_address(&decoded, registers);
        for (unsigned r = 0; r < decoded.op.read_count; r++)
            fuzz_must(*decode_register_name(decoded.op.reads[r]), "a register's name");
    }
    return 0;
}
