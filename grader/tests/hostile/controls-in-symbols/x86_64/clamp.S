// Names of symbols that a page, a log or a terminal would act on.
        .intel_syntax noprefix
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, @function
clamp:  test    rsi, rsi
        je      2f
1:      mov     eax, [rdi]
        cmp     eax, edx
        cmovl   eax, edx
        cmp     eax, ecx
        cmovg   eax, ecx
        mov     [rdi], eax
        add     rdi, 4
        dec     rsi
        jne     1b
2:      ret
        .globl  "\033[2J<script>alert(1)</script>"
"\033[2J<script>alert(1)</script>":
        .globl  "::error::]]>|`@all"
"::error::]]>|`@all":
        .globl  "%s%n%s%n"
"%s%n%s%n":
        .section .note.GNU-stack, "", @progbits
