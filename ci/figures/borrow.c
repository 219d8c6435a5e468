/* A correction of 100 taken off a 64-bit difference of 2^32 + 10, from its low half alone and with the
 * borrow. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    const uint64_t ticks = (UINT64_C(1) << 32) + 10;
    const uint32_t low = (uint32_t)ticks - 100;
    printf("as-written %" PRIu64 "\n", (ticks & ~(uint64_t)UINT32_MAX) | low);
    printf("with-borrow %" PRIu64 "\n", ticks - 100);
    return 0;
}
