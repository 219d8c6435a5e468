/* The streams as real accesses, to be run under cachegrind. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

#define LOAD(address)  (*(const volatile uint32_t *)(uintptr_t)(address))
#define STORE(address) (*(volatile uint32_t *)(uintptr_t)(address) = 1)
#include "harness/model/tests/cachegrind/streams.h"

int main(void)
{
    void *wanted = (void *)(uintptr_t)STREAM_BASE;
    void *memory = mmap(wanted, STREAM_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != wanted) {
        perror("kernel: the streams' address is not free");
        return 1;
    }
    uint32_t sum = 0;
#define RUN(name) sum += stream_##name();
    STREAMS(RUN)
    printf("%u\n", sum);
    return 0;
}
