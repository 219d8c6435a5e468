/* The instruction sets that code is built and graded for. */
#ifndef CYCLELAB_ISA_H
#define CYCLELAB_ISA_H

enum isa { ISA_X86_64, ISA_AARCH64, ISA_COUNT };

const char *isa_name(enum isa isa); /* "x86_64", "aarch64": also the names of the folders */
enum isa isa_native(void);          /* of the machine that this runs on */

#endif
