/* A machine executes plans with one program. Natively each plan has a process of its own, a clone of a
 * stopped nursery that never ran student code (target/runner.c). To take the time of a plan: lay it out, call
 * machine_prepare, take the time around machine_execute, verify while the process stands, call machine_end.
 * Whoever takes no time calls machine_execute alone. Do not lay out the next plan, for any machine, before
 * machine_end, machine_dismiss or machine_stop: until then the process has the arena mapped.
 *
 * Under qemu-aarch64 one process executes all plans, stopped between them: qemu's user mode cannot clone so.
 */
#ifndef CYCLELAB_MACHINE_H
#define CYCLELAB_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "harness/base/error.h"
#include "harness/arena/arena.h"
#include "harness/sched/schedule.h"

struct machine;

struct machine_config {
    const char *program;    /* the static runner with the variant in it */
    const char *emulator;   /* "qemu-aarch64", or NULL to run it as it is */
    const char *processor;  /* with an emulator: which one it plays, or NULL for the one with most */
    const char *gdb_socket; /* with an emulator: wait there for gdb; or NULL */
    int cpu;                /* pin to this CPU, or -1 */
    int second;             /* and who makes the second part of a call to this one, or -1 */
    unsigned cpu_seconds;   /* RLIMIT_CPU of a plan's process; 0 for none */
    bool drop_privileges;   /* run as the unprivileged user when root */
    bool at_once;           /* the parts of a call (plan.h) at the same time, each in a process of its own */
    bool standstill;        /* and one of them stands still now and then: see standstill.h */
    unsigned lent;          /* system calls that it has besides (walls/lent.h); 0: none */
};

enum machine_outcome {
    MACHINE_DONE,      /* it says that it made all calls; whether it did, the results tell */
    MACHINE_CRASHED,   /* a signal: fault says where */
    MACHINE_TIMEOUT,   /* still running at the limit; it has been killed */
    MACHINE_WAITS,     /* a part did not come to its end while the other one stood still */
    MACHINE_EXITED,    /* left by itself: exit, a signal from outside, or it stopped within a call */
    MACHINE_CLOBBERED, /* a callee-saved register did not come back */
    MACHINE_NOT_READY, /* no process was there for it; nothing of the student's was executed */
};

struct machine_run {
    enum machine_outcome outcome;
    int signal;      /* MACHINE_CRASHED and MACHINE_EXITED: the signal, or 0 */
    int exit_status; /* MACHINE_EXITED without a signal */
    unsigned lent;   /* as in the config */
    unsigned part;   /* that it is about: of a plan whose calls have parts */
    struct plan_status
        status; /* a copy of what the machine says, or that part of it which ended (untrusted) */
};

/* Start the process and wait until it is ready. NULL with err if it cannot run. */
struct machine *machine_start(const struct machine_config *config, struct arena *arena, struct error *err);

/* Have a process ready for the plan in the arena as it is now, stopped, with all of it mapped and touched:
 * what its calls read may still change. False when there is none to be had. */
bool machine_prepare(struct machine *machine);

/* Have it execute the plan in the arena, for at most limit_ms of wall time, not counting what it had to wait
 * for a CPU (schedule_left_ms). Prepares first where that was not done. The process stands stopped after
 * MACHINE_DONE, and nothing wakes it. */
void machine_execute(struct machine *machine, unsigned limit_ms, struct machine_run *run);

/* Be done with that plan: kill and reap its process. Under qemu-aarch64 it stays. */
void machine_end(struct machine *machine);

/* The same after MACHINE_DONE, without waiting: the process executes nothing any more, and is reaped by the
 * next machine_end, machine_prepare or machine_stop. Until then the system may still take its memory back. */
void machine_dismiss(struct machine *machine);

/* Kill and reap all. NULL is allowed. */
void machine_stop(struct machine *machine);

/* The process that executes: after machine_prepare the plan's own. */
pid_t machine_pid(const struct machine *machine);

/* After machine_prepare, and before machine_execute: have the second part's process, if there is one, come to
 * where it waits for the first, so that the first one's time has no such wait in it. For some ms at most. */
void machine_gather(struct machine *machine);

/* Have there been two processes for the plan? */
bool machine_is_double(const struct machine *machine);

/* What the scheduler did to the process so far, or to both of them together. Between slices, never inside
 * one. */
bool machine_schedule(const struct machine *machine, struct schedule *schedule);

/* The same of one of them; zeros of a part that has no process of its own. */
bool machine_schedule_of(const struct machine *machine, unsigned part, struct schedule *schedule);

#endif
