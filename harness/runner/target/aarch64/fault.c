#include "harness/runner/target/runner.h"

#include <asm/signal.h>
#include <asm/siginfo.h>
#include <asm/sigcontext.h>
#include <asm/ucontext.h>

void target_fault(const void *context, struct plan_status *status)
{
    const struct ucontext *frame = context;
    const struct sigcontext *registers = &frame->uc_mcontext;
    const unsigned char *record = registers->__reserved, *end = record + sizeof registers->__reserved;

    status->pc = registers->pc;
    status->sp = registers->sp;
    status->access = 0;
    /* A list of records, ended by one of magic 0; the syndrome of a data abort has WnR in bit 6. */
    while (record + sizeof(struct esr_context) <= end) {
        const struct _aarch64_ctx *head = (const struct _aarch64_ctx *)record;
        if (head->magic == 0 || head->size < sizeof *head)
            break;
        if (head->magic == ESR_MAGIC) {
            uint64_t syndrome = ((const struct esr_context *)record)->esr;
            if (syndrome >> 26 == 0x24)
                status->access = syndrome >> 6 & 1 ? PLAN_WRITE : PLAN_READ;
        }
        record += head->size;
    }
}
