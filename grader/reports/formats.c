#include "grader/reports/formats.h"

#include <stdint.h>

/* Where the linker puts the section's begin and end. Weak, since a program may be linked without any format.
 */
extern const struct format *const __start_report_formats[] __attribute__((weak));
extern const struct format *const __stop_report_formats[] __attribute__((weak));

const struct format *const *report_formats(size_t *count)
{
    /* Two names of one array: to a compiler they are two arrays, whose addresses have no difference. */
    const uintptr_t end = (uintptr_t)__stop_report_formats;
    for (*count = 0; (uintptr_t)(__start_report_formats + *count) < end; ++*count)
        ;
    return __start_report_formats;
}
