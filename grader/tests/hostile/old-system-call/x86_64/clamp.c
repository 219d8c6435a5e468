/* The system calls of 32-bit programs, whose numbers mean something else. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    long result = 1; /* exit */
    __asm__ volatile("int $0x80" : "+a"(result) : "b"(0L) : "memory");
    answer(values, n, lo, hi);
}
