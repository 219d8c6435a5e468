/* The remainder first, by a jump into the loop. */
#include "exercise.h"

void fill(uint32_t *values, size_t n, uint32_t value)
{
    volatile uint32_t *to = values;
    size_t rounds = (n + 7) / 8;
    if (n == 0)
        return;
    switch (n % 8) {
        do {
        case 0:
            *to++ = value;
            __attribute__((fallthrough));
        case 7:
            *to++ = value;
            __attribute__((fallthrough));
        case 6:
            *to++ = value;
            __attribute__((fallthrough));
        case 5:
            *to++ = value;
            __attribute__((fallthrough));
        case 4:
            *to++ = value;
            __attribute__((fallthrough));
        case 3:
            *to++ = value;
            __attribute__((fallthrough));
        case 2:
            *to++ = value;
            __attribute__((fallthrough));
        case 1:
            *to++ = value;
        } while (--rounds > 0);
    }
}
