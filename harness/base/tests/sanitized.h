#ifndef CYCLELAB_SANITIZED_H
#define CYCLELAB_SANITIZED_H

/* Is this built with AddressSanitizer? Then there is no limit of memory, since its shadow is above any; and
 * what tries the same a thousand times does so ten times more slowly, so fewer times do. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
