/* An attribute with a section's flags in its name: writable code. */
#include "exercise.h"
#include "hostile.h"
#ifdef __aarch64__
#define COMMENT "//"
#else
#define COMMENT "#"
#endif

__attribute__((section(".text.own,\"awx\",@progbits" COMMENT))) void clamp(int32_t *values, size_t n,
                                                                           int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
