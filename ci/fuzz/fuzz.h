/* What the fuzzing harnesses have in common. Each is one input's way into the grader, as libFuzzer wants it;
 * run by `make fuzz` in the project's folder. A harness asks for more than survival: what a function promises
 * about its result is checked by fuzz_must. */
#ifndef CYCLELAB_FUZZ_H
#define CYCLELAB_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv); /* optional */

/* A folder of this process's own, below $TMPDIR; gone when the process ends as usual. */
const char *fuzz_folder(void);

/* A path in that folder; good until the eighth call after. */
const char *fuzz_path(const char *name) __attribute__((returns_nonnull));

/* Make a folder there, and those above it. */
void fuzz_make_folder(const char *name);

/* Write a file there. */
void fuzz_write(const char *name, const void *data, size_t size);

/* End with a finding unless `good`: what was promised and is not so. */
void fuzz_must(bool good, const char *what);

/* Text for a terminal or a report: there, on one line or several, and without control characters. */
void fuzz_printable(const char *text);

#endif
