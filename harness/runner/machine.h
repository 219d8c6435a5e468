/* A machine: one process that executes plans (runner.c), natively or under qemu-aarch64. It is stopped by the
 * kernel (SIGSTOP) whenever machine_execute is not running. Hostile code can have itself woken (a timer that
 * sends SIGCONT): machine_schedule tells whether it ran in the meantime.
 */
#ifndef CYCLELAB_MACHINE_H
#define CYCLELAB_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "harness/error.h"
#include "harness/runner/arena.h"
#include "harness/schedule.h"

struct machine;

struct machine_config {
    const char *program;    /* the static runner with the variant in it */
    const char *emulator;   /* "qemu-aarch64", or NULL to run it as it is */
    const char *gdb_socket; /* with an emulator: wait there for gdb; or NULL */
    int cpu;                /* pin to this CPU, or -1 */
    unsigned cpu_seconds;   /* RLIMIT_CPU for the process's whole life; 0 for none */
    bool drop_privileges;   /* run as the unprivileged user when root */
};

enum machine_outcome {
    MACHINE_DONE,      /* it says that it made all calls; whether it did, the results tell */
    MACHINE_CRASHED,   /* a signal: fault says where */
    MACHINE_TIMEOUT,   /* still running at the limit; it has been killed */
    MACHINE_EXITED,    /* left by itself: exit, or a signal from outside */
    MACHINE_CLOBBERED, /* a callee-saved register did not come back */
};

struct machine_run {
    enum machine_outcome outcome;
    int signal;                /* MACHINE_CRASHED and MACHINE_EXITED: the signal, or 0 */
    int exit_status;           /* MACHINE_EXITED without a signal */
    struct plan_status status; /* a copy of what the machine says (untrusted) */
};

/* Start the process and wait until it is ready. NULL with err if it cannot run. */
struct machine *machine_start(const struct machine_config *config, struct arena *arena, struct error *err);

/* Have it execute the plan in the arena, for at most limit_ms of wall time, not counting what it had to wait
 * for a CPU (schedule_left_ms). After anything but MACHINE_DONE the process is gone; machine_stop still has
 * to be called. */
void machine_execute(struct machine *machine, unsigned limit_ms, struct machine_run *run);

/* Kill and reap. NULL is allowed. */
void machine_stop(struct machine *machine);

pid_t machine_pid(const struct machine *machine);

/* What the scheduler did to the process so far. Between slices, never inside one. */
bool machine_schedule(const struct machine *machine, struct schedule *schedule);

#endif
