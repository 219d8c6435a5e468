#include "grader/check/fault.h"

#include "grader/build/locate.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "grader/base/strings.h"
#include "harness/walls/isolation.h"
#include "harness/runner/target/runner.h"

enum { PLACE = 420 };

/* Bit i of what target_call returns, per ISA (target/ISA/start.S). */
static const char *const saved_registers[ISA_COUNT][20] = {
    [ISA_X86_64] = {"rbx", "rbp", "r12", "r13", "r14", "r15", "the direction flag", "MXCSR"},
    [ISA_AARCH64] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
                     "x29", "d8",  "d9",  "d10", "d11", "d12", "d13", "d14", "d15", "FPCR"},
};
static const char *const saved_list[ISA_COUNT] = {
    [ISA_X86_64] = "rbx, rbp, r12-r15 and rsp",
    [ISA_AARCH64] = "x19-x29, d8-d15 and sp",
};

/* What an access to the stack may be off by, where the CPU does not say which address it refused. */
static const char stack_rule[] =
    "RSP has to be a multiple of 16 at each call, and so is 8 off where a function begins.";

void fault_in_call(uint32_t call, const struct layout *layout, char *text, size_t size)
{
    char n[LAYOUT_N];
    snprintf(text, size, "%s", layout_n(layout, layout_planned(layout, call), " in the call with ", "", n));
}

const char *fault_saved_list(enum isa isa)
{
    return saved_list[isa];
}

static void at(const struct location *where, char *text, size_t size)
{
    if (where->line > 0)
        snprintf(text, size, "`%s` (%s:%u)", where->function, where->file, where->line);
    else
        snprintf(text, size, "`%s`+%" PRIu64, where->function, where->offset);
}

static void clobbered(const struct machine_run *run, enum isa isa, const char *call, struct fault_text *text)
{
    char names[256] = "";
    for (unsigned i = 0; i < 20; i++)
        if (run->status.clobbered >> i & 1 && saved_registers[isa][i])
            strings_append(names, sizeof names, ", ", saved_registers[isa][i]);
    snprintf(text->message, sizeof text->message, "the function came back with %s changed%s", names, call);
    if (isa == ISA_X86_64 && run->status.clobbered >> 6) { /* no general register: how instructions work */
        snprintf(text->next, sizeof text->next,
                 "Restore these settings before you return: the direction flag clear (cld after std), MXCSR "
                 "unchanged.");
        return;
    }
    snprintf(text->next, sizeof text->next,
             "Save and restore %s, as the calling convention demands, or use other registers.",
             saved_list[isa]);
}

/* Also where there was no filter, and the call has ended the process. */
static const char no_system_call[] =
    "Remove the system call: an exercise's functions only compute and return.";

static void forbidden(const struct machine_run *run, const char *program, const char *call,
                      struct fault_text *text)
{
    struct location where = {0};
    char place[PLACE] = "it", name[64] = "";
    if (run->status.pc && build_locate(program, run->status.pc, &where))
        at(&where, place, sizeof place);
    if (run->status.state == PLAN_FAULT)
        isolation_call_name((int)run->status.system_call, name, sizeof name);
    snprintf(text->message, sizeof text->message, "%s made a system call%s%s%s%s", place, *name ? " (`" : "",
             name, *name ? "`)" : "", call);
    if (run->lent == LENT_NONE) {
        snprintf(text->next, sizeof text->next, "%s", no_system_call);
        return;
    }
    char calls[128] = "";
    for (unsigned i = 0; i < LENT_COUNT; i++)
        if (run->lent >> i & 1)
            strings_append(calls, sizeof calls, ", ", isolation_lent[i]);
    snprintf(
        text->next, sizeof text->next,
        "Remove the system call: this exercise has %s, with a clock of the system or your own, and no other.",
        calls);
}

bool fault_past_end(const char *program, uint64_t address, const char *call, struct fault_text *text)
{
    struct location where;
    char place[PLACE];
    if (!build_locate_past(program, address, &where))
        return false;
    at(&where, place, sizeof place);
    snprintf(text->message, sizeof text->message,
             "`%s` does not return: it ran on behind its last instruction%s", where.function, call);
    snprintf(text->next, sizeof text->next,
             "Does a `ret` stand at the end of each path through it? The last instruction is in %s.", place);
    return true;
}

static void crashed(const struct machine_run *run, const struct layout *layout, const char *program,
                    enum isa isa, const char *call, struct fault_text *text)
{
    const struct plan_status *status = &run->status;
    struct location where = {0};
    char place[PLACE] = "", what[384] = "";
    bool known = build_locate(program, status->pc, &where);
    bool touched = status->signal == SIGSEGV || status->signal == SIGBUS;
    const char *did = status->access == PLAN_WRITE  ? "wrote"
                      : status->access == PLAN_READ ? "read"
                                                    : "accessed";

    if (fault_past_end(program, status->pc, call, text))
        return;
    if (!known) {
        snprintf(text->message, sizeof text->message, "jumped to 0x%" PRIx64 ", where there is no code%s",
                 status->pc, call);
        snprintf(text->next, sizeof text->next,
                 "Check the return address: match every push with a pop, and do not overwrite %s.",
                 isa == ISA_AARCH64 ? "x30" : "the stack");
        return;
    }
    at(&where, place, sizeof place);
    if (!where.student) {
        snprintf(text->message, sizeof text->message, "crashed outside of your code, in %s%s", place, call);
        if (isa == ISA_X86_64 && touched && status->signal_code == SI_KERNEL)
            snprintf(text->next, sizeof text->next, "If your code called it, check RSP at that call. %s",
                     stack_rule);
        else
            snprintf(
                text->next, sizeof text->next,
                "Check which registers you change: your function probably did not restore one of these: %s.",
                saved_list[isa]);
        return;
    }
    const size_t number = layout_planned(layout, status->call);
    const bool empty = layout_has_n(layout, number) && layout_elements(layout, number) == 0;
    if (empty)
        snprintf(
            text->next, sizeof text->next,
            "Handle n = 0: nothing is there to read or write then. Test n before the access in %s: a loop "
            "goes on while i < n, and n - 1 is not -1 but 2^64 - 1.",
            place);
    else
        snprintf(text->next, sizeof text->next,
                 "Check the accesses near %s: which index do they use in the last iteration?", place);
    if (touched && layout_describe(layout, status->fault_address, what, sizeof what)) {
        snprintf(text->message, sizeof text->message, "%s %s %s%s", place, did, what, call);
        if (strstr(what, "byte ") == what)
            snprintf(text->next, sizeof text->next, "%s",
                     status->access == PLAN_READ
                         ? "That buffer is another thread's alone: it is not there in this call."
                         : "Write to the output instead: that buffer is an input, and read-only.");
        else if (!empty && strstr(what, "which has 0 bytes"))
            snprintf(text->next, sizeof text->next,
                     "That buffer is empty in this call: test for that before the access in %s.", place);
    } else if (touched && status->signal_code == SI_KERNEL) {
        snprintf(text->message, sizeof text->message, "%s made an access that the CPU refuses%s", place,
                 call);
        snprintf(
            text->next, sizeof text->next,
            "%sook for a vector access that needs 16-byte alignment (movaps; movups does not. In C: load "
            "it with "
            "__builtin_memcpy), an invalid address or a privileged instruction. Is it on the stack? %s",
            empty ? "Is n - 1 an index there? With n = 0 it is 2^64 - 1. Else l" : "L", stack_rule);
    } else if (touched && status->fault_address >= ARENA_BASE + ARENA_SIZE &&
               status->fault_address < TARGET_STACK) {
        snprintf(text->message, sizeof text->message, "%s ran out of stack (1 MiB)%s", place, call);
        snprintf(text->next, sizeof text->next, "Look for endless recursion or a very large local array.");
    } else if (touched && status->fault_address >= TARGET_STACK + TARGET_STACK_SIZE &&
               status->fault_address < TARGET_ALTSTACK) {
        snprintf(text->message, sizeof text->message, "%s %s memory above the stack%s", place, did, call);
        snprintf(text->next, sizeof text->next, "Look for an index past the end of a local array.");
    } else if (touched) {
        snprintf(text->message, sizeof text->message,
                 "%s %s address 0x%" PRIx64 ", which is no memory of this call%s", place, did,
                 status->fault_address, call);
        snprintf(text->next, sizeof text->next,
                 "Trace the address back: which register or pointer is wrong near %s?", place);
    } else if (status->signal == SIGILL) {
        snprintf(text->message, sizeof text->message,
                 "%s has an instruction that this CPU does not know or allow%s", place, call);
        snprintf(text->next, sizeof text->next,
                 "Run `make info` to see which instructions this machine has.");
    } else if (status->signal == SIGFPE) {
        snprintf(text->message, sizeof text->message, "%s divided by zero, or the quotient did not fit%s",
                 place, call);
        snprintf(text->next, sizeof text->next, "Check the divisor near %s.", place);
    } else {
        snprintf(text->message, sizeof text->message, "%s stopped with signal %u (%s)%s", place,
                 status->signal, strsignal((int)status->signal), call);
    }
}

void fault_waits(unsigned part, const char *call, const char *place, struct fault_text *text)
{
    text->endless = true;
    snprintf(text->message, sizeof text->message,
             "thread %u does not come to an end while thread %u stands still, as a thread without a CPU "
             "does%s%s%s",
             part, 1 - part, call, place ? "; last seen in " : "", place ? place : "");
    snprintf(text->next, sizeof text->next,
             "Wait for nobody: the other thread may have lost its CPU to another program, with a lock in its "
             "hands or before it has set a flag.");
}

void fault_describe(const struct machine_run *run, const struct layout *layout, const char *program,
                    enum isa isa, unsigned limit_ms, struct fault_text *text)
{
    char call[LAYOUT_N], place[PLACE] = "a place unknown";
    struct location where;

    *text = (struct fault_text){0};
    fault_in_call(run->status.call, layout, call, sizeof call);
    if (run->signal == SIGSYS && run->outcome != MACHINE_TIMEOUT && run->outcome != MACHINE_WAITS) {
        forbidden(run, program, call, text);
        return;
    }
    switch (run->outcome) {
    case MACHINE_DONE:
        return;
    case MACHINE_NOT_READY:
        snprintf(text->message, sizeof text->message, "no process could be started for it");
        return;
    case MACHINE_CLOBBERED:
        clobbered(run, isa, call, text);
        return;
    case MACHINE_CRASHED:
        crashed(run, layout, program, isa, call, text);
        return;
    case MACHINE_WAITS:
        fault_waits(run->part, call, NULL, text);
        return;
    case MACHINE_TIMEOUT:
        text->endless = true;
        if (run->status.pc && build_locate(program, run->status.pc, &where))
            at(&where, place, sizeof place);
        snprintf(text->message, sizeof text->message, "did not come back within %u ms%s; last seen in %s",
                 limit_ms, call, place);
        snprintf(text->next, sizeof text->next, "Look for an endless loop%s",
                 *call ? ": when n is small, or no multiple of the unroll factor?"
                       : ", or one that does far too much work.");
        return;
    case MACHINE_EXITED:
        if (run->signal == SIGSTOP || run->signal == SIGTSTP)
            snprintf(text->message, sizeof text->message, "stopped its own process%s instead of returning",
                     call);
        else if (run->signal)
            snprintf(text->message, sizeof text->message, "its process was ended by signal %d (%s)%s",
                     run->signal, strsignal(run->signal), call);
        else
            snprintf(text->message, sizeof text->message,
                     "left its process by itself (exit status %d)%s instead of returning", run->exit_status,
                     call);
        snprintf(text->next, sizeof text->next, "%s", no_system_call);
        return;
    }
}
