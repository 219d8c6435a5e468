/* The stubs of an exercise: stub/ holds those of this version, stub.sha256 the hashes of all that were ever
 * released, as lines of `sha256sum`. So a stub is known as one wherever it is found: a student's file after a
 * pull that changed the stub, or in what was handed in last year. */
#ifndef CYCLELAB_STUBS_H
#define CYCLELAB_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/exercise/exercise.h"
#include "grader/base/sha256.h"

enum { STUB_LIMIT = 1 << 20 }; /* bytes of a stub */

/* The path of stub/, malloc'ed; NULL when memory is short. */
char *stub_folder(const struct exercise *exercise);

/* One of this version's, "clamp.c" or "x86_64/clamp.S", as textfile_read gives it. */
char *stub_read(const struct exercise *exercise, const char *name, size_t *size, struct error *err);

/* Was a file with this hash, or with these contents, ever released as a stub of the exercise? */
bool stub_has_hash(const struct exercise *exercise, const char hash[SHA256_TEXT]);
bool stub_is_text(const struct exercise *exercise, const void *text, size_t size);

/* The same of a file; false too where it cannot be read. */
bool stub_is_file(const struct exercise *exercise, const char *path);

#endif
