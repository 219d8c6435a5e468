/* The reference, and a second table of symbols: the linker reads one, and who looks for the first finds the
 * other, in which nothing is seen of `clamp_too`. */
#include "exercise.h"

__asm__(".pushsection .fake,\"M\",%2,24\n.zero 48\n.popsection\n"
        ".globl clamp_too\n.type clamp_too, %function\n.set clamp_too, clamp\n.size clamp_too, 4096\n");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        v = v > hi ? hi : v;
        values[i] = v;
    }
}
