#include "grader/base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/textfile.h"

enum { FILE_LIMIT = 64 << 20 };

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

/* One round. What the words are called turns from round to round, so that none has to be moved. */
static inline void add_word(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                            uint32_t g, uint32_t *h, uint32_t added)
{
    added += *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (g ^ (e & (f ^ g)));
    *d += added;
    *h = added + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) | (c & (a | b)));
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++) {
        uint32_t low = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t high = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    for (unsigned i = 0; i < 64; i++)
        w[i] += round_constant[i];
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < 64; i += 8) {
        add_word(s[0], s[1], s[2], &s[3], s[4], s[5], s[6], &s[7], w[i]);
        add_word(s[7], s[0], s[1], &s[2], s[3], s[4], s[5], &s[6], w[i + 1]);
        add_word(s[6], s[7], s[0], &s[1], s[2], s[3], s[4], &s[5], w[i + 2]);
        add_word(s[5], s[6], s[7], &s[0], s[1], s[2], s[3], &s[4], w[i + 3]);
        add_word(s[4], s[5], s[6], &s[7], s[0], s[1], s[2], &s[3], w[i + 4]);
        add_word(s[3], s[4], s[5], &s[6], s[7], s[0], s[1], &s[2], w[i + 5]);
        add_word(s[2], s[3], s[4], &s[5], s[6], s[7], s[0], &s[1], w[i + 6]);
        add_word(s[1], s[2], s[3], &s[4], s[5], s[6], s[7], &s[0], w[i + 7]);
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += s[i];
}

struct sha256 sha256_new(void)
{
    return (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                                     0x1f83d9ab, 0x5be0cd19}};
}

void sha256_bytes(struct sha256 *hash, const void *data, size_t size)
{
    const unsigned char *next = data;
    while (size > 0) {
        size_t at = hash->bytes % sizeof hash->block, take = sizeof hash->block - at;
        if (take > size)
            take = size;
        memcpy(hash->block + at, next, take);
        hash->bytes += take;
        next += take;
        size -= take;
        if (at + take == sizeof hash->block)
            add_block(hash->state, hash->block);
    }
}

void sha256_number(struct sha256 *hash, uint64_t number)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    sha256_bytes(hash, bytes, sizeof bytes);
}

void sha256_part(struct sha256 *hash, const void *data, size_t size)
{
    sha256_number(hash, size);
    sha256_bytes(hash, data, size);
}

void sha256_words(struct sha256 *hash, const char *text)
{
    sha256_part(hash, text, strlen(text));
}

bool sha256_file(struct sha256 *hash, const char *path)
{
    struct error ignored;
    size_t size;
    char *data = textfile_read(path, FILE_LIMIT, &size, &ignored);
    if (data)
        sha256_part(hash, data, size);
    free(data);
    return data != NULL;
}

void sha256_text(const struct sha256 *hash, char text[SHA256_TEXT])
{
    static const unsigned char padding[64] = {0x80};
    struct sha256 last = *hash;
    unsigned char length[8];
    for (unsigned i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)(hash->bytes * 8 >> (56 - 8 * i));
    sha256_bytes(&last, padding, 1 + (119 - hash->bytes % 64) % 64);
    sha256_bytes(&last, length, sizeof length);
    for (unsigned i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", last.state[i]);
}

uint64_t sha256_prefix(const struct sha256 *hash)
{
    char text[SHA256_TEXT];
    sha256_text(hash, text);
    text[16] = '\0';
    return strtoull(text, NULL, 16);
}
