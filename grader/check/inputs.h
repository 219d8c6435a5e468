/* Which inputs a check has: a function of a secret and of what is checked.
 *
 * Inputs that a report shows, or that code has seen, never come again for other code: whoever changes a
 * program to answer what it was asked last time is asked something else. The same code and the same secret
 * give the same inputs, so a check can be repeated. */
#ifndef CYCLELAB_INPUTS_H
#define CYCLELAB_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/base/error.h"

/* The number that all inputs of a check of `program` are derived from (seed_derive): the first 64 bits of
 * SHA-256 over the seed and the program's loaded segments, which are the student's code and constants,
 * linked. What debug information says does not count, nor what lies in a section up to the symbol
 * runner_last, where there is one: the suite's own. False with err where the program cannot be read. */
bool inputs_seed(const char *seed, const char *program, uint64_t *number, struct error *err);

/* The student's number: what the program's constant `student_number` holds, of four bytes. 0 where there is
 * none. Unlike the inputs it stays when the rest of the code changes. */
uint32_t inputs_student(const char *program);

/* What the inputs of a group of bounds are derived from; `first` is the index of the first of them. */
uint64_t inputs_of_bounds(uint64_t inputs, unsigned first);

#endif
