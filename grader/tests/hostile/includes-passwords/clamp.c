/* Files of the system that name its people. */
#include "/etc/passwd"
#include "/etc/shadow"
#include "/etc/gshadow"
#error that was all
