/* The selections by hand. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
#ifdef __aarch64__
        __asm__("cmp %w0, %w1\n\tcsel %w0, %w1, %w0, lt\n\tcmp %w0, %w2\n\tcsel %w0, %w2, %w0, gt"
                : "+&r"(v)
                : "r"(lo), "r"(hi)
                : "cc");
#else
        __asm__("cmpl %1, %0\n\tcmovl %1, %0\n\tcmpl %2, %0\n\tcmovg %2, %0"
                : "+&r"(v)
                : "r"(lo), "r"(hi)
                : "cc");
#endif
        values[i] = v;
    }
}
