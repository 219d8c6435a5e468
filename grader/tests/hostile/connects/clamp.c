/* Sends its inputs away. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    long fd = call(NR_socket, 2, 1, 0, 0, 0, 0);
    uint64_t address[2] = {UINT64_C(0x0100007f35000002), 0};
    call(NR_connect, fd, (long)address, 16, 0, 0, 0);
    answer(values, n, lo, hi);
}
