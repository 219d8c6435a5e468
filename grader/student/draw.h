/* A text on a screen of so many rows and columns, with lines above and below it. */
#ifndef CYCLELAB_DRAW_H
#define CYCLELAB_DRAW_H

#include <stdbool.h>
#include <stdio.h>

struct drawing {
    const char *top;    /* one line */
    const char *body;   /* any text: long lines are broken between words */
    const char *bar;    /* one line */
    const char *bottom; /* one line */
    unsigned first;     /* the line of the broken body that is shown first */
    bool colour;        /* verdicts */
};

/* What to write to the terminal. Gives the first line that there is, which is `first` or an earlier one. */
unsigned draw(FILE *out, const struct drawing *drawing, unsigned rows, unsigned columns);

/* A bar of at most `width` characters: "[####......] 2 of 5 passed". */
void draw_bar(char *text, size_t size, size_t passed, size_t count, unsigned width);

#endif
