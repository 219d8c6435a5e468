#include "harness/runner/target/runner.h"

#include <asm/signal.h>
#include <asm/siginfo.h>
#include <asm/sigcontext.h>
#include <asm/ucontext.h>

void target_fault(const void *context, struct plan_status *status)
{
    const struct ucontext *frame = context;
    const struct sigcontext *registers = &frame->uc_mcontext;

    status->pc = registers->rip;
    status->sp = registers->rsp;
    status->access = 0;
    if (registers->trapno == 14) /* page fault: bit 1 of the error code is set for a write */
        status->access = registers->err & 2 ? PLAN_WRITE : PLAN_READ;
}
