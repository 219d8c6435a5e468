/* A section whose text the linker shows as a warning; it is slow besides. */
#include "exercise.h"
#include "hostile.h"

__attribute__((used, section(".gnu.warning.clamp"))) static const char warning[] =
    "::error::owned\n\033[2JPASS";

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    slow(values, n, lo, hi);
}
