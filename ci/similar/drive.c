/* What sources have in common, for similar.py. Lines of standard input:
 *
 *   known FILE...    what everybody has
 *   answer FILE...   one answer
 *
 * After the last, a line for each two answers, and for each with itself: their numbers, the tokens of their
 * own, the shares in common, whether they are worth a look, and whether they are the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "grader/similar/sketch.h"

enum { MOST_ANSWERS = 4000, MOST_BYTES = 1 << 20 };

static struct sketch answers[MOST_ANSWERS];
static size_t count;
static struct sketch_known known;

static void take(const char *path, struct sketch *sketch)
{
    struct error err;
    size_t size = 0;
    char *text = textfile_read(path, MOST_BYTES, &size, &err);
    if (!text) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    if (sketch)
        sketch_add(sketch, &known, path, text, size);
    else
        sketch_know(&known, path, text, size);
    free(text);
}

int main(void)
{
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        const char *word = strtok(line, " \n");
        struct sketch *sketch = word && strcmp(word, "answer") == 0 ? &answers[count++] : NULL;
        for (const char *path; (path = strtok(NULL, " \n"));)
            take(path, sketch);
        if (count == MOST_ANSWERS)
            return 1;
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = a; b < count; b++) {
            struct sketch_common common;
            if (!sketch_compare(&answers[a], &answers[b], &common))
                return 1;
            printf("%zu %zu %zu %zu %.3f %.3f %d %d\n", a, b, answers[a].own, answers[b].own, common.share[0],
                   common.share[1], sketch_is_near(&answers[a], &answers[b], &common),
                   sketch_is_same(&answers[a], &answers[b]));
        }
    return 0;
}
