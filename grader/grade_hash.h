/* SHA-256 (FIPS 180-4): a name for contents that nobody can make a second content for. A student who could
 * would get the grade of another one's work. */
#ifndef CYCLELAB_GRADE_HASH_H
#define CYCLELAB_GRADE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRADE_HASH_TEXT = 65 }; /* 64 hexadecimal digits and a NUL */

struct grade_hash {
    uint32_t state[8];
    unsigned char block[64];
    uint64_t bytes;
};

struct grade_hash grade_hash_new(void);

/* The bytes as they are: "ab", "c" is the same as "a", "bc". */
void grade_hash_bytes(struct grade_hash *hash, const void *data, size_t size);

/* Each part with its length, so that they are not the same. */
void grade_hash_part(struct grade_hash *hash, const void *data, size_t size);
void grade_hash_words(struct grade_hash *hash, const char *text);
void grade_hash_number(struct grade_hash *hash, uint64_t number);

/* What is in a file, as a part. False, with errno, where it cannot be read: nothing was added. */
bool grade_hash_file(struct grade_hash *hash, const char *path);

/* Of what was added so far; more can be added afterwards. */
void grade_hash_text(const struct grade_hash *hash, char text[GRADE_HASH_TEXT]);

#endif
