/* The system calls that an exercise may have for its student code (`system-calls` of exercise.yml). A process
 * has those alone that its exercise names, and their first argument, a clock, is at most LENT_CLOCK: a clock
 * of the system or of the process itself, none of another process or of a descriptor.
 *
 * To lend another one: add it here if its first argument is a clock, and if a process that has it can reach
 * nothing but itself by it. With anything lent goes restart_syscall: the kernel's own way to go on with a
 * sleep in which the process was stopped; by itself it does nothing. */
#ifndef CYCLELAB_LENT_H
#define CYCLELAB_LENT_H

#define LENT_CALLS(X)                                                                                        \
    X(clock_gettime)                                                                                         \
    X(clock_getres)                                                                                          \
    X(clock_nanosleep)

/* Bit 1 << LENT_name of what is called `lent`; 0 is none. */
#define LENT_ENUM(name) LENT_##name,
enum lent_call { LENT_CALLS(LENT_ENUM) LENT_COUNT };
#undef LENT_ENUM

enum { LENT_CLOCK = 15, LENT_NONE = 0, LENT_ALL = (1 << LENT_COUNT) - 1 };

#endif
