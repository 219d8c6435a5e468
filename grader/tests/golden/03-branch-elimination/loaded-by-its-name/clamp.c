/* The reference, and a section that is not loaded, of a name that the linker loads: too much code for a core.
 */
#include "exercise.h"

__asm__(".pushsection .stub,\"\",%progbits\n.fill 524288, 4, 0xd503201f\n.popsection\n");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        v = v > hi ? hi : v;
        values[i] = v;
    }
}
