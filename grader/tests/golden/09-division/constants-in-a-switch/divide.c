/* A loop for each divisor from 1,024 to 1,535, each with the compiler's own reciprocal; all others are
 * divided by. */
#include "exercise.h"

#define ONE(D)                                                                                               \
    case D:                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                       \
            q[i] = v[i] / (D);                                                                               \
        return;
#define FOUR(D)    ONE(D) ONE((D) + 1) ONE((D) + 2) ONE((D) + 3)
#define SIXTEEN(D) FOUR(D) FOUR((D) + 4) FOUR((D) + 8) FOUR((D) + 12)

#define SWITCH(D)                                                                                            \
    static __attribute__((noinline)) void from_##D(uint32_t *q, const uint32_t *v, size_t n, uint32_t d)     \
    {                                                                                                        \
        switch (d) {                                                                                         \
            SIXTEEN(D) SIXTEEN((D) + 16) SIXTEEN((D) + 32) SIXTEEN((D) + 48)                                 \
        }                                                                                                    \
    }
#define CALL(D)                                                                                              \
    case (D) / 64:                                                                                           \
        from_##D(quotients, values, n, divisor);                                                             \
        return;
#define ALL(F) F(1024) F(1088) F(1152) F(1216) F(1280) F(1344) F(1408) F(1472)

ALL(SWITCH)

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    switch (divisor / 64) {
        ALL(CALL)
    }
    for (size_t i = 0; i < n; i++)
        quotients[i] = values[i] / divisor;
}
