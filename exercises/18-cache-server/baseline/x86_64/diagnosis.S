// Exercise 18: the baseline's diagnosis, that of the reference.
//
// void diagnose(struct bottleneck found[3])
//   rdi: found
        .intel_syntax noprefix
        .section .rodata
        .p2align 2
        .type   student_number, @object
student_number:
        .long   1
        .size   student_number, 4
        .text
        .globl  diagnose
        .type   diagnose, @function
diagnose:
        mov     dword ptr [rdi], 103            // IN_SCAN
        mov     dword ptr [rdi + 4], 2          // BYTES_MOVED
        mov     dword ptr [rdi + 8], 104        // IN_COUNT
        mov     dword ptr [rdi + 12], 3         // MISPREDICTIONS
        mov     dword ptr [rdi + 16], 105       // IN_CHECK
        mov     dword ptr [rdi + 20], 4         // SLOW_OPERATION
        ret
        .size   diagnose, . - diagnose
        .section .note.GNU-stack, "", @progbits
