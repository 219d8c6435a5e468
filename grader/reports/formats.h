/* The report's formats by name. A format is one file of this folder: a function and, below it, REPORT_FORMAT,
 * by which the linker gathers it. Nothing else lists them.
 *
 *     static char *make_demo(struct result *const *results, size_t count)
 *     {
 *         ...
 *     }
 *
 *     REPORT_FORMAT(demo, make_demo, "what it is for", .early = false);
 */
#ifndef CYCLELAB_FORMATS_H
#define CYCLELAB_FORMATS_H

#include "grader/reports/report.h"

struct format {
    const char *name; /* as in REPORT=name:FILE */

    /* The report, from the results alone: malloc'ed text without a last newline, or NULL when memory ran out.
     * No results yet is a report, too: it says that grading has not ended. */
    char *(*make)(struct result *const *results, size_t count);
    const char *summary; /* what it is for */
    bool early;          /* written as results come in, so that a grader that is stopped has reported */
};

#define REPORT_FORMAT(NAME, MAKE, SUMMARY, ...)                                                              \
    static const struct format format_##NAME = {                                                             \
        .name = #NAME, .make = (MAKE), .summary = (SUMMARY), __VA_ARGS__};                                   \
    static const struct format *const format_##NAME##_is_listed                                              \
        __attribute__((used, section("report_formats"))) = &format_##NAME

/* All formats, in the order of their files. */
const struct format *const *report_formats(size_t *count);

#endif
