/* Asks for a stack that can be executed, and executes it. */
#include "exercise.h"
#include "hostile.h"

__asm__(".pushsection .note.GNU-stack, \"x\"\n\t.popsection");
#ifdef __x86_64__
#define RETURN 0xc3c3c3c3
#else
#define RETURN 0xd65f03c0
#endif

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    const uint32_t code[2] = {RETURN, RETURN};
    ((void (*)(void))code)();
    answer(values, n, lo, hi);
}
