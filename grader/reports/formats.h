/* The report's formats by name. Each is made from the results alone: malloc'ed text without a last newline,
 * or NULL when memory ran out. No results yet is a report, too: it says that grading has not ended. */
#ifndef CYCLELAB_FORMATS_H
#define CYCLELAB_FORMATS_H

#include "grader/reports/report.h"

struct format {
    const char *name; /* as in REPORT=name:FILE */
    char *(*make)(struct result *const *results, size_t count);
    const char *says; /* what it is for */
    bool early;       /* written as results come in, so that a grader that is stopped has reported */
};

extern const struct format formats[];
extern const size_t format_count;

char *report_junit(struct result *const *results, size_t count);
char *report_tap(struct result *const *results, size_t count);
char *report_gradescope(struct result *const *results, size_t count);
char *report_autolab(struct result *const *results, size_t count);
char *report_classroom(struct result *const *results, size_t count);
char *report_github(struct result *const *results, size_t count);
char *report_markdown(struct result *const *results, size_t count);
char *report_csv(struct result *const *results, size_t count);

#endif
