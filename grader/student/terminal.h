/* The terminal as a screen with keys, and as it was found whatever ends the program. */
#ifndef CYCLELAB_TERMINAL_H
#define CYCLELAB_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include "harness/base/error.h"

/* Standard input and output are one that can. */
bool terminal_is_usable(void);

/* Take it: keys come singly and unseen, on a screen of its own; SIGINT, SIGTERM, SIGHUP and SIGQUIT are
 * noted, SIGTSTP stops with the terminal given back and takes it again, and a crash gives it back, too. False
 * with err. */
bool terminal_take(struct error *err);
void terminal_give_back(void);

/* The signal that wants an end; 0: none. */
int terminal_ended_by(void);

/* Stop if that was asked for (Ctrl-Z). True when the screen has to be drawn anew: after that, or with another
 * size. To be called before each drawing. */
bool terminal_refresh(void);

void terminal_size(unsigned *rows, unsigned *columns);

enum { KEY_NONE = 0, KEY_ESCAPE = 27, KEY_UP = 256, KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_LOST };

/* Wait for a key, for `other` (-1: none) to be readable, for a signal, or so long. The key, or KEY_NONE;
 * KEY_LOST where nobody can type any more. */
int terminal_key(int other, int milliseconds);

/* Write all of it. */
void terminal_write(const char *text, size_t size);

#endif
