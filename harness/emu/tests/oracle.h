/* Does the decoder say what QEMU's emulator does? One instruction is executed on random states of the
 * registers: one that changes is written; one whose change alters the result is read. No other decoder is
 * needed. */
#ifndef CYCLELAB_EMU_TESTS_ORACLE_H
#define CYCLELAB_EMU_TESTS_ORACLE_H

#include <stddef.h>
#include <stdint.h>
#include "harness/emu/decode.h"

enum oracle_verdict {
    ORACLE_RIGHT,
    ORACLE_WRONG,
    ORACLE_UNPROVEN,  /* a register named twice or a condition "always" hides what is read */
    ORACLE_NOT_RUN,   /* the decoder does not allow it, or a system register: nothing to execute */
    ORACLE_UNDEFINED, /* the decoder knows it, the emulator does not */
    ORACLE_VERDICTS
};

struct oracle;
struct oracle *oracle_open(void); /* NULL: no Unicorn here that can do it */
void oracle_close(struct oracle *oracle);

/* The text (of `size`) is what is wrong, or "". */
enum oracle_verdict oracle_check(struct oracle *oracle, uint32_t word, char *text, size_t size);

/* What becomes of what it reads: bit i of flows[w] when another value of the operation's reads[i] alters its
 * writes[w]; of the last one, what it stores. Nothing for what oracle_check() cannot run. */
enum { ORACLE_STORED = OP_WRITES, ORACLE_FLOWS };
void oracle_flows(struct oracle *oracle, uint32_t word, uint8_t flows[ORACLE_FLOWS]);

/* Executes it although the decoder does not know it: true if the emulator has it. */
bool oracle_executes(struct oracle *oracle, uint32_t word);

#endif
