#include "harness/base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}
