/* How a function says what went wrong: it fills a struct error and returns false or NULL. Only main() prints.
 *
 *     struct error err;
 *     if (!thing_open(path, &err))
 *         fprintf(stderr, "cyclelab: %s\n", err.text);
 *
 * A good text says what was expected, what was found, where, and what to do. */
#ifndef CYCLELAB_ERROR_H
#define CYCLELAB_ERROR_H

#include <stdbool.h>

struct error {
    char text[1024];
};

/* Write the text, cut to fit. Always returns false, so that a caller can `return error_set(err, ...)`. */
bool error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
