/* It crashes in a line of a file, and in a function, with names that a log, a page or a terminal would act
 * on. */
#include "exercise.h"
#include "hostile.h"

static void crash(int32_t *at) __asm__("\"\\033[2J::error::<script>alert(1)</script>]]>|`@all\"");
__attribute__((noinline, used)) static void crash(int32_t *at)
{
    (void)at;
#line 1 "\n::error::owned\033[2J</failure><script>|`"
    *(volatile int *)8 = 1;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    crash(values);
    answer(values, n, lo, hi);
}
