/* A note that binutils 2.40 takes over (2.44 refuses it) and that qemu-aarch64 will not load a program with:
 * is what cannot be run skipped? Natively the AArch64 build may fail: see test_check.c. */
#include "exercise.h"
#include "hostile.h"

#ifdef __aarch64__
__asm__(".pushsection .note.gnu.property, \"a\", %note\n\t"
        ".p2align 3\n\t.word 4, 16, 5\n\t.ascii \"GNU\\0\"\n\t"
        ".word 0xc0000000, 8, 1, 0\n\t.popsection");
#endif

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
