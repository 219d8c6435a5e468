/* SHA-256 (FIPS 180-4): a name for contents that nobody can make a second content for. A student who could
 * would get the grade of another one's work. */
#ifndef CYCLELAB_SHA256_H
#define CYCLELAB_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nettle/sha2.h>

enum { SHA256_TEXT = 65 }; /* 64 hexadecimal digits and a NUL */

struct sha256 {
    struct sha256_ctx context;
};

struct sha256 sha256_new(void);

/* The bytes as they are: "ab", "c" is the same as "a", "bc". */
void sha256_bytes(struct sha256 *hash, const void *data, size_t size);

/* Each part with its length, so that they are not the same. */
void sha256_part(struct sha256 *hash, const void *data, size_t size);
void sha256_words(struct sha256 *hash, const char *text);
void sha256_number(struct sha256 *hash, uint64_t number);

/* What is in a file, as a part. False, with errno, where it cannot be read: nothing was added. */
bool sha256_file(struct sha256 *hash, const char *path);

/* Of what was added so far; more can be added afterwards. */
void sha256_text(const struct sha256 *hash, char text[SHA256_TEXT]);

/* The first 64 bits of it. */
uint64_t sha256_prefix(const struct sha256 *hash);

#endif
