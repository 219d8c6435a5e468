// Names of symbols that a page, a log or a terminal would act on.
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, %function
clamp:  cbz     x1, 2f
1:      ldr     w4, [x0]
        cmp     w4, w2
        csel    w4, w2, w4, lt
        cmp     w4, w3
        csel    w4, w3, w4, gt
        str     w4, [x0], #4
        subs    x1, x1, #1
        b.ne    1b
2:      ret
        .globl  "\033[2J<script>alert(1)</script>"
"\033[2J<script>alert(1)</script>":
        .globl  "::error::]]>|`@all"
"::error::]]>|`@all":
        .globl  "%s%n%s%n"
"%s%n%s%n":
        .section .note.GNU-stack, "", %progbits
