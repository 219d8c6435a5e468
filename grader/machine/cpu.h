/* Which CPU this is: what /proc/cpuinfo says, and the code name that goes with it. */
#ifndef CYCLELAB_CPU_H
#define CYCLELAB_CPU_H

#include <stdbool.h>
#include <stdio.h>

struct cpu {
    char name[128];     /* as the CPU names itself, or maker and core on AArch64; "" where not known */
    const char *code;   /* code name of the microarchitecture; NULL where not known */
    bool virtual_flag;  /* the CPU says that a hypervisor is below it (x86-64 only) */
    bool constant_rate; /* its counter has a constant rate and never stops */
};

/* Read the first CPU's paragraph of a cpuinfo file. */
void cpu_read(FILE *cpuinfo, struct cpu *cpu);

/* The same of /proc/cpuinfo below `root` ("" for this machine's). False where it gives no name. */
bool cpu_read_below(const char *root, struct cpu *cpu);

/* This CPU's name as it gives itself, "not known" where it gives none. Good until the program ends. */
const char *cpu_name(void);

#endif
