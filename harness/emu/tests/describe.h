/* An instruction as the decoder has it, in one line: for tests and ci/decode. */
#ifndef CYCLELAB_EMU_TESTS_DESCRIBE_H
#define CYCLELAB_EMU_TESTS_DESCRIBE_H

#include <stddef.h>
#include "harness/emu/decode.h"

/* "ldr: load x1 x0! <- x0@ read 8 in 1": what it writes, `!` for a base moved on; what it reads, `@` in its
 * address, `+` added to a product; memory, bytes, registers; branch; order; features. */
void describe(const struct decoded *decoded, char *text, size_t size);

#endif
