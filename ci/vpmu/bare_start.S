// A bare-metal program for qemu-system-aarch64 -M virt, which starts it at EL1.
        .text
        .globl  _start
_start: ldr     x0, =stack_top
        mov     sp, x0
        bl      bare_main
        mov     x0, #0x18               // semihosting: SYS_EXIT
        ldr     x1, =exit_block
        hlt     #0xf000
        b       .

// void bare_write(const char *text): semihosting, SYS_WRITE0
        .globl  bare_write
bare_write:
        mov     x1, x0
        mov     x0, #4
        hlt     #0xf000
        ret

        .data
        .p2align 4
exit_block:
        .xword  0x20026, 0              // an ordinary end, status 0
        .bss
        .p2align 4
        .space  16384
stack_top:
        .section .note.GNU-stack, "", %progbits
