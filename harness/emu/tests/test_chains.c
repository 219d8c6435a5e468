/* No value goes from one instruction to the next without the model's waiting for it: what the emulator shows
 * to depend on a register is late, in the model, when that register is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/tests/sanitized.h"
#include "harness/emu/decode_table.h"
#include "harness/emu/tests/oracle.h"
#include "harness/model/tests/model_kit.h"

enum { LATE = 150, LOADED = 94, FREE /* registers that no instruction has */ };

/* The cycle in which somebody has what `op` makes of its reads[read], which is there LATE cycles after all
 * else: its writes[write], or what it stores. */
static uint64_t flows_in(enum core_kind kind, const struct op *op, unsigned read, unsigned write)
{
    struct kit kit = {.core = kit_core(kind)};
    kit.core.classes[OP_DIV][0].latency = LATE;
    kit.core.forward_part = 9;
    kit.core.halves = kind == CORE_OUT_OF_ORDER;
    kit_op(&kit, OP_DIV, op->reads[read], FREE, FREE);
    struct op *made = kit_add(&kit, op->op_class);
    const uint64_t address = made->address;
    *made = *op;
    made->address = address;
    if (op_is_told(op))
        kit.addresses[kit.accesses++] = op->memory == OP_NO_MEMORY ? op->quotient : KIT_DATA;
    if (write == ORACLE_STORED)
        kit_load(&kit, LOADED, FREE, KIT_DATA, op->bytes);
    kit_reads(kit_add(&kit, OP_ALU), write == ORACLE_STORED ? LOADED : op->writes[write]);
    kit_run_warm(&kit);
    const uint64_t cycle = model_observe(kit.model, MODEL_CYCLES);
    kit_end(&kit);
    return cycle;
}

static void expect_flows(uint32_t word, const char *name, const uint8_t flows[ORACLE_FLOWS], unsigned *count)
{
    struct decoded decoded;
    decode(word, KIT_CODE, &decoded);
    const struct op *op = &decoded.op;
    for (unsigned write = 0; write < ORACLE_FLOWS; write++)
        for (unsigned read = 0; read < op->read_count; read++) {
            if (!(flows[write] >> read & 1))
                continue;
            ++*count;
            for (enum core_kind kind = CORE_IN_ORDER; kind <= CORE_OUT_OF_ORDER; kind++)
                cr_expect_geq(flows_in(kind, op, read, write), LATE, "%08x %s, %s: %s does not wait for %s",
                              word, name, kind == CORE_IN_ORDER ? "in order" : "out of order",
                              write == ORACLE_STORED ? "what it stores"
                                                     : decode_register_name(op->writes[write]),
                              decode_register_name(op->reads[read]));
        }
}

Test(chains, whatever_depends_on_a_register_waits_for_it)
{
    struct oracle *oracle = oracle_open();
    if (!oracle)
        cr_skip_test("this Unicorn cannot emulate an AArch64 with all extensions");
    FILE *file = fopen("harness/emu/tests/rows.txt", "r");
    cr_assert_not_null(file);
    char line[512];
    unsigned count = 0, rows = 0, all = 0;
    while (fgets(line, sizeof line, file)) {
        uint8_t flows[ORACLE_FLOWS];
        uint32_t word = (uint32_t)strtoul(line, NULL, 16);
        struct decoded decoded;
        decode(word, KIT_CODE, &decoded);
        /* Every fourth of those that access no memory is a matter of a second. */
        if (line[0] == '#' || decoded.op.branch != OP_NO_BRANCH ||
            (decoded.op.memory == OP_NO_MEMORY && rows++ % 4) || (SANITIZED && all++ % 10))
            continue;
        oracle_flows(oracle, word, flows);
        expect_flows(word, decoded.name, flows, &count);
    }
    fclose(file);
    oracle_close(oracle);
    cr_expect_gt(count, SANITIZED ? 100 : 1000);
}

static bool names(const uint8_t *list, unsigned count, unsigned number)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == number)
            return true;
    return false;
}

/* A system register that a program can write: who reads it waits for who wrote it last, and where a write
 * leaves bits as they were, for those before, too. */
Test(chains, a_system_register_is_followed)
{
    unsigned count = 0;
    for (uint32_t code = 0x8000; code <= 0xffff; code++) {
        struct decoded read, write;
        decode(0xd5200000 | code << 5, 0, &read);
        decode(0xd5000000 | code << 5, 0, &write);
        if (write.verdict != DECODE_OK)
            continue;
        cr_assert_eq(write.op.write_count, 1, "%s", write.name);
        const unsigned number = write.op.writes[0];
        cr_expect(number != REG_SYSTEM || names(write.op.reads, write.op.read_count, number), "%s",
                  write.name);
        if (read.verdict == DECODE_OK) {
            cr_expect(names(read.op.reads, read.op.read_count, number), "%s", read.name);
            count++;
        }
    }
    cr_expect_gt(count, 20);
}
