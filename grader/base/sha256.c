#include "grader/base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/textfile.h"

enum { FILE_LIMIT = 64 << 20 };

struct sha256 sha256_new(void)
{
    struct sha256 hash;
    sha256_init(&hash.context);
    return hash;
}

void sha256_bytes(struct sha256 *hash, const void *data, size_t size)
{
    sha256_update(&hash->context, size, data);
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
    struct sha256 last = *hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&last.context, sizeof digest, digest);
    for (unsigned i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

uint64_t sha256_prefix(const struct sha256 *hash)
{
    char text[SHA256_TEXT];
    sha256_text(hash, text);
    text[16] = '\0';
    return strtoull(text, NULL, 16);
}
