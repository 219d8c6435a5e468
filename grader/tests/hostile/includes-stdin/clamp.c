/* Whatever the compiler's own descriptors are. */
#include "/dev/stdin"
#include "/proc/self/fd/0"
#include "/proc/self/fd/3"
#include "/dev/tty"
#error that was all
