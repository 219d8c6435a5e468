/* The smallest of some readings, kept by a signed and by an unsigned conditional move, from a start of all
 * ones. x86_64. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static const uint64_t readings[] = {120, 90, 4000, 95};

int main(void)
{
    uint64_t by_signed = UINT64_MAX, by_unsigned = UINT64_MAX;
    for (unsigned i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        __asm__("cmp %0, %1\n\tcmovl %1, %0" : "+r"(by_signed) : "r"(readings[i]) : "cc");
        __asm__("cmp %0, %1\n\tcmovb %1, %0" : "+r"(by_unsigned) : "r"(readings[i]) : "cc");
    }
    printf("never-changed-by-cmovl %d\nby-cmovb %" PRIu64 "\n", by_signed == UINT64_MAX, by_unsigned);
    return 0;
}
