/* Mutations for inputs that are lines of words. Single bytes by themselves leave little that parses; half of
 * the time whole lines are moved, and words replaced by other words and by numbers at the edges. */
#include <stdio.h>
#include <string.h>

#include "ci/fuzz/fuzz.h"

/* libFuzzer's own mutation, and the hook that asks for another. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A part of the input: [from, to). */
struct part {
    size_t from, to;
};

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static bool is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

/* The line around a place anywhere, its newline included. */
static struct part any_line(const uint8_t *data, size_t size, uint64_t *random)
{
    size_t at = next_random(random) % size;
    struct part line = {at, at};
    while (line.from > 0 && data[line.from - 1] != '\n')
        line.from--;
    while (line.to < size && data[line.to++] != '\n')
        ;
    return line;
}

/* The first word behind a place anywhere; empty where there is none. */
static struct part any_word(const uint8_t *data, size_t size, uint64_t *random)
{
    struct part word = {next_random(random) % size, 0};
    while (word.from < size && !is_word(data[word.from]))
        word.from++;
    word.to = word.from;
    while (word.to < size && is_word(data[word.to]))
        word.to++;
    return word;
}

/* Put `length` bytes in place of a part. 0 where that has no room. */
static size_t replace(uint8_t *data, size_t size, size_t most, struct part part, const uint8_t *with,
                      size_t length)
{
    size_t rest = size - part.to, whole = part.from + length + rest;
    if (whole > most)
        return 0;
    memmove(data + part.from + length, data + part.to, rest);
    memcpy(data + part.from, with, length);
    return whole;
}

static size_t mutate(uint8_t *data, size_t size, size_t most, uint64_t *random)
{
    static const char *const edges[] = {
        "0",     "1",    "-1",    "2",     "7",          "8",          "63",          "64",   "127",
        "128",   "255",  "256",   "257",   "999",        "1000",       "1001",        "1024", "32767",
        "32768", "4096", "65535", "65536", "4294967295", "4294967296", "99999999999", "~",    "[]",
        "{}",    "none", "true",  "false", "''",         "1.5"};
    uint8_t copy[4096];
    bool lines = next_random(random) % 2;
    struct part from = lines ? any_line(data, size, random) : any_word(data, size, random);
    struct part to = lines ? any_line(data, size, random) : any_word(data, size, random);
    size_t length = from.to - from.from;
    if (length > sizeof copy)
        return 0;
    memcpy(copy, data + from.from, length);
    switch (next_random(random) % 4) {
    case 0: /* gone */
        return replace(data, size, most, to, copy, 0);
    case 1: /* once more, in front of another one */
        to.to = to.from;
        return replace(data, size, most, to, copy, length);
    case 2: { /* a number at an edge; further in or out */
        const char *edge = edges[next_random(random) % (sizeof edges / sizeof *edges)];
        to.to = lines ? to.from : to.to;
        return replace(data, size, most, to, (const uint8_t *)(lines ? "  " : edge),
                       lines ? 2 : strlen(edge));
    }
    default: /* in another one's place */
        return replace(data, size, most, to, copy, length);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t random = seed;
    size_t changed = 0;
    if (size > 0 && next_random(&random) % 2)
        changed = mutate(data, size, most, &random);
    return changed > 0 ? changed : LLVMFuzzerMutate(data, size, most);
}
