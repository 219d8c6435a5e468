/* Stops its own process by the system call of 32-bit programs, whose numbers are others, the work undone. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __x86_64__
    if (n >= TIMED) {
        long result = 20; /* getpid */
        __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
        long number = 37; /* kill */
        __asm__ volatile("int $0x80" : "+a"(number) : "b"(result), "c"(19L) : "memory");
    }
#endif
    slow(values, n, lo, hi);
}
