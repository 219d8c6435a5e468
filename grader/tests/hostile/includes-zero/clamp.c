/* A file without end. */
#include "/dev/zero"
