/* Four at a time, past the end as well where that stays in the page. */
#include "exercise.h"

typedef uint32_t four __attribute__((vector_size(16), aligned(4)));

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint64_t reciprocal = divisor > 1 ? UINT64_MAX / divisor + 1 : 0;
    for (size_t i = 0; i < n; i += 4) {
        four quotient;
        for (size_t k = 0; k < 4; k++) {
            const uint32_t x = i + k < n ? values[i + k] : 0;
            quotient[k] = divisor > 1 ? (uint32_t)((unsigned __int128)reciprocal * x >> 64) : x;
        }
        if (i + 4 <= n || ((uintptr_t)(quotients + i) & 4095) <= 4096 - sizeof quotient)
            *(four *)(quotients + i) = quotient;
        else
            for (size_t k = i; k < n; k++)
                quotients[k] = quotient[k - i];
    }
}
