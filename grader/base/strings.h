/* Lists of strings, and what a name may be made of. */
#ifndef CYCLELAB_STRINGS_H
#define CYCLELAB_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

/* A list of strings that grows, NULL-terminated. Once memory is out it stays as it is and says so. */
struct strings {
    char **item;
    size_t count;
    bool failed;
};
void strings_add(struct strings *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool strings_has(const struct strings *list, const char *text);
void strings_sort(struct strings *list);
void strings_free(struct strings *list);

/* Put a word behind what is in `text`, and the separator between them; cut where there is no room. */
void strings_append(char *text, size_t size, const char *separator, const char *word);

/* A copy of `text` with `to` wherever `from` stands, but not as the end of a longer name or path: "clamp.c"
 * is not in "my-clamp.c" nor in "a/clamp.c". malloc'ed; NULL when memory is short. */
char *strings_replace(const char *text, const char *from, const char *to);

/* Words of a-z and 0-9 with single hyphens between, like "branch-elimination"? */
bool strings_is_kebab(const char *text);

/* How many letters have to be changed, added, removed or exchanged with their neighbour to make one text of
 * the other (optimal string alignment). Only the first 31 characters of each count. */
size_t strings_distance(const char *left, const char *right);

#endif
