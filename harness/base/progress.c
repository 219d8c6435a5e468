#include "harness/base/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool shown;

void progress(const char *format, ...)
{
    const char *terminal = getenv("TERM");
    if (!isatty(STDERR_FILENO) || !terminal || strcmp(terminal, "dumb") == 0)
        return;
    char line[80]; /* a longer one would wrap and could not be cleared */
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    fprintf(stderr, "\r%-78s\r%s", "", line);
    fflush(stderr);
    shown = true;
}

void progress_end(void)
{
    if (shown)
        fprintf(stderr, "\r%-78s\r", "");
    shown = false;
}
