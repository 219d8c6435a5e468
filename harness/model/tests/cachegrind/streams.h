/* Streams of addresses, the same for cachegrind (kernel.c) and for the model (replay.c): who includes this
 * says what LOAD(address) and STORE(address) are. Everything else stays in registers. What is
 * loaded is summed up, since valgrind drops a load that nobody uses. */
#include <stdint.h>

enum { STREAM_BYTES = 16 << 20 };
#define STREAM_BASE UINT64_C(0x50000000)

#define STREAMS(X) X(sequential) X(strided) X(random) X(mixed) X(update) X(rows) X(columns)

static inline uint32_t stream_next(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

#define STREAM(name) __attribute__((noinline, noclone)) static uint32_t stream_##name(void)

STREAM(sequential)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 2u << 20; i += 4)
        sum += LOAD(STREAM_BASE + i);
    return sum;
}

STREAM(strided)
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < 8u << 20; i += 192)
            sum += LOAD(STREAM_BASE + i);
    }
    return sum;
}

STREAM(random)
{
    uint32_t sum = 0;
    uint32_t x = 1;
    for (uint32_t i = 0; i < 300000; i++) {
        x = stream_next(x);
        sum += LOAD(STREAM_BASE + (x & 0x3ffffc));
    }
    return sum;
}

/* Loads at random, stores at random among them, and stores in order. */
STREAM(mixed)
{
    uint32_t sum = 0;
    uint32_t x = 2;
    for (uint32_t i = 0; i < 100000; i++) {
        x = stream_next(x);
        sum += LOAD(STREAM_BASE + (x & 0x1ffffc));
        STORE(STREAM_BASE + (2u << 20) + (x >> 8 & 0x1ffffc));
        STORE(STREAM_BASE + (4u << 20) + i * 8);
    }
    return sum;
}

STREAM(update)
{
    uint32_t sum = 0;
    uint32_t x = 3;
    for (uint32_t i = 0; i < 200000; i++) {
        x = stream_next(x);
        sum += LOAD(STREAM_BASE + (x & 0x1fffc));
        STORE(STREAM_BASE + (x & 0x1fffc));
    }
    return sum;
}

/* A matrix of 1000 x 1000 numbers of four bytes, summed by rows and by columns into a row. */
STREAM(rows)
{
    uint32_t sum = 0;
    for (uint32_t row = 0; row < 300; row++) {
        for (uint32_t column = 0; column < 1000; column++) {
            sum += LOAD(STREAM_BASE + (row * 1000 + column) * 4);
            STORE(STREAM_BASE + (8u << 20) + column * 4);
        }
    }
    return sum;
}

STREAM(columns)
{
    uint32_t sum = 0;
    for (uint32_t column = 0; column < 300; column++) {
        for (uint32_t row = 0; row < 1000; row++)
            sum += LOAD(STREAM_BASE + (row * 1000 + column) * 4);
        STORE(STREAM_BASE + (8u << 20) + column * 4);
    }
    return sum;
}
