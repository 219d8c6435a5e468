/* Two divisions at a time, of doubles: no quotient of numbers below 2^32 comes out as the next whole number.
 */
#include "exercise.h"
#include <emmintrin.h>

static __m128i quotients_of_two(__m128i values, __m128d divisor)
{
    const __m128d two_to_52 = _mm_set1_pd(0x1p52);
    const __m128d x =
        _mm_sub_pd(_mm_castsi128_pd(_mm_or_si128(values, _mm_castpd_si128(two_to_52))), two_to_52);
    return _mm_cvttpd_epi32(_mm_div_pd(x, divisor));
}

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const __m128d by = _mm_set1_pd(divisor);
    size_t i = 0;
    for (; divisor > 1 && i + 4 <= n; i += 4) { /* below 2^31, as the conversion asks */
        const __m128i x = _mm_loadu_si128((const __m128i *)(values + i)), zero = _mm_setzero_si128();
        _mm_storeu_si128((__m128i *)(quotients + i),
                         _mm_unpacklo_epi64(quotients_of_two(_mm_unpacklo_epi32(x, zero), by),
                                            quotients_of_two(_mm_unpackhi_epi32(x, zero), by)));
    }
    for (; i < n; i++)
        quotients[i] = values[i] / divisor;
}
