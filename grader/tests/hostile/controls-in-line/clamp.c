/* The compiler's messages are about a file with this name. */
#include "exercise.h"
#line 1 "x\n::error file=grader.c,line=1::owned\n##[error]owned\033[2J"
#error here
#line 7 "<b>&amp;\"'`|@all](http://x)"
int clamp;
