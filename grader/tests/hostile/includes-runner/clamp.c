/* What lies beside it in the work folder, and the object of the glue. */
__asm__(".section .rodata\n\t.incbin \"../out/glue.o\"\n\t.incbin \"../runner.o\"\n\t.text");
#include "../glue/glue.c"
#error that was all
