#include "grader/exercise/lines.h"

#include <stdbool.h>
#if defined __x86_64__
#include <cpuid.h>
#endif

enum { LEAST_LINE = 64 /* of any processor that this runs on */ };

#if defined __x86_64__
/* CLFLUSHOPT, where there is one, does not wait for the flush before it: a tenth of the time. */
static bool flushes_overlap(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_CLFLUSHOPT;
}

__attribute__((target("clflushopt"))) void lines_flush(const char *bytes, size_t size)
{
    const bool overlap = flushes_overlap();
    for (size_t at = 0; at < size; at += LEAST_LINE)
        if (overlap)
            __builtin_ia32_clflushopt(bytes + at);
        else
            __builtin_ia32_clflush(bytes + at);
}
#else /* AArch64 */
void lines_flush(const char *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += LEAST_LINE)
        __asm__ volatile("dc civac, %0" ::"r"(bytes + at) : "memory");
}
#endif

void lines_read(const char *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += LEAST_LINE)
        *(const volatile char *)(bytes + at);
}
