#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

uint32_t crc32c_as_called(uint64_t crc, const uint8_t *data, size_t n) __asm__("crc32c");

static void call_crc32c(const void *args, void *result)
{
    const struct crc_args *a = args;
    *(uint32_t *)result = crc32c_as_called(as_called(a->crc), a->data, a->n);
}

const plan_entry plan_entries[] = {call_crc32c};
const unsigned plan_entry_count = 1;
