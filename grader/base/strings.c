#include "grader/base/strings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strings_add(struct strings *list, const char *format, ...)
{
    char **more = realloc(list->item, (list->count + 2) * sizeof *more), *text = NULL;
    va_list args;
    va_start(args, format);
    if (more)
        list->item = more;
    if (!more || vasprintf(&text, format, args) < 0)
        list->failed = true;
    else {
        list->item[list->count++] = text;
        list->item[list->count] = NULL;
    }
    va_end(args);
}

bool strings_has(const struct strings *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->item[i], text) == 0)
            return true;
    return false;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

void strings_sort(struct strings *list)
{
    if (list->count > 0)
        qsort(list->item, list->count, sizeof *list->item, by_name);
}

void strings_free(struct strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i]);
    free(list->item);
    *list = (struct strings){0};
}

void strings_append(char *text, size_t size, const char *separator, const char *word)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? separator : "", word);
}

static bool is_of_path(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_-./", c);
}

char *strings_replace(const char *text, const char *from, const char *to)
{
    char *whole = NULL;
    size_t size, length = strlen(from);
    FILE *out = open_memstream(&whole, &size);
    for (const char *at = text; out && *at;) {
        if (strncmp(at, from, length) == 0 && (at == text || !is_of_path(at[-1]))) {
            fputs(to, out);
            at += length;
        } else {
            fputc(*at++, out);
        }
    }
    if (out && fclose(out) == 0)
        return whole;
    free(whole);
    return NULL;
}

bool strings_is_kebab(const char *text)
{
    bool word = false;
    for (; *text; text++) {
        bool letter = (*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9');
        if (!letter && (*text != '-' || !word))
            return false;
        word = letter;
    }
    return word;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t strings_distance(const char *left, const char *right)
{
    enum { MOST = 31 };
    size_t table[MOST + 1][MOST + 1]; /* [i][j]: of the first i characters to the first j */
    size_t rows = strnlen(left, MOST), columns = strnlen(right, MOST);
    for (size_t i = 0; i <= rows; i++) {
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            bool same = left[i - 1] == right[j - 1];
            size_t least = least_of(table[i - 1][j], table[i][j - 1]) + 1;
            least = least_of(least, table[i - 1][j - 1] + !same);
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                least = least_of(least, table[i - 2][j - 2] + 1);
            table[i][j] = least;
        }
    }
    return table[rows][columns];
}
