/* Which cyclelab this is. */
#ifndef CYCLELAB_VERSION_H
#define CYCLELAB_VERSION_H

enum { VERSION_TEXT = 80 };

/* "0.1 (commit 0123456789ab)" or "0.1 (commit 0123456789ab, modified)", as make noted it in BUILD/version:
 * beside the program and not in it, so that a commit changes neither the program nor what is kept under its
 * hash. "unknown" where there is no such note. Gives back `text`. */
const char *version_read(const char *build, char text[VERSION_TEXT]);

#endif
