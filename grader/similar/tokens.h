/* A source as what a copy of it cannot do without: no names of the author's own, no layout, no comments. Two
 * sources that differ in these alone have the same tokens. */
#ifndef CYCLELAB_TOKENS_H
#define CYCLELAB_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token {
    uint64_t word; /* a hash of what it is */
    uint32_t line; /* from 1 */
};

struct tokens {
    struct token *list;
    size_t count;
    bool failed; /* out of memory: the list is not whole */
};

/* Append those of a file: assembly where its name ends in .S, else C. The text is taken for hostile: any
 * bytes give tokens.
 *
 * C: keywords, numbers (by value of their digits, without suffix), operators; each identifier is one and the
 * same, but those that a student cannot choose (`__builtin_…`, `_mm_…`, NEON's) stand for themselves.
 * Braces and parentheses are left out, since layout adds and removes them, and so are #include lines. A
 * string is read as assembly, which it is behind `asm`.
 *
 * Assembly: mnemonics, immediates, registers by their kind (`x3` is any x), labels and symbols as one and the
 * same, none of the directives that change no instruction. */
void tokens_read(struct tokens *tokens, const char *name, const char *text, size_t size);

void tokens_free(struct tokens *tokens);

#endif
