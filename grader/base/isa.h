/* The instruction sets that code is built and graded for. */
#ifndef CYCLELAB_ISA_H
#define CYCLELAB_ISA_H

#include <stdbool.h>

enum isa { ISA_X86_64, ISA_AARCH64, ISA_COUNT };

const char *isa_name(enum isa isa); /* "x86_64", "aarch64": also the names of the folders */
enum isa isa_native(void);          /* of the machine that this runs on */
bool isa_native_has_fma(void);      /* fused multiply-add: on x86-64 AVX2 and FMA, which are not everywhere */

#endif
