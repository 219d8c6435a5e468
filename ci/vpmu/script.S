// void script(uint64_t *results)
#define PUT(register, value)        ldr x1, =value; msr register, x1
#define TAKE(name, register, mask)  mrs x1, register; ldr x2, =mask; and x1, x1, x2; str x1, [x0], #8
#define WORK(n)                     .rept n; nop; .endr

        .text
        .globl  script
        .type   script, %function
script:
#include "ci/vpmu/script.inc"
        ret
        .size   script, . - script
        .section .note.GNU-stack, "", %progbits
