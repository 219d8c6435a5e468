#include "grader/base/seed_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "grader/base/sha256.h"

bool seed_is_good(const char *text)
{
    size_t length = 0;
    for (; text[length]; length++)
        if (!isalnum((unsigned char)text[length]) && text[length] != '-')
            return false;
    return length > 0 && length <= SEED_MOST;
}

bool seed_fresh(char text[SEED_TEXT], struct error *err)
{
    unsigned char bytes[SEED_FRESH_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return error_set(err, "the system gives no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

uint64_t seed_number(const char *seed)
{
    struct sha256 hash = sha256_new();
    sha256_words(&hash, seed);
    return sha256_prefix(&hash);
}
