// Right kernels that wait for some 20 ms where they are timed, by the number of turns: for the check to last, or to
// stay open.
        .intel_syntax noprefix
        .text

        .globl  add_chain
        .type   add_chain, @function
add_chain:
        lea     rcx, [rdx - 1024]
        cmp     rcx, 32768
        ja      .Lnow1
        mov     ecx, 60000000
.Lwait1:
        dec     ecx
        jne     .Lwait1
.Lnow1:
        mov     rax, rdi
        test    rdx, rdx
        je      .Ladd_chain_done
        .p2align 6
.Ladd_chain:
        .rept   32
            add     rax, rsi
        .endr
        dec     rdx
        jne     .Ladd_chain
.Ladd_chain_done:
        ret
        .size   add_chain, . - add_chain

        .globl  multiply_chain
        .type   multiply_chain, @function
multiply_chain:
        lea     rcx, [rdx - 1024]
        cmp     rcx, 32768
        ja      .Lnow2
        mov     ecx, 60000000
.Lwait2:
        dec     ecx
        jne     .Lwait2
.Lnow2:
        mov     rax, rdi
        test    rdx, rdx
        je      .Lmultiply_chain_done
        .p2align 6
.Lmultiply_chain:
        .rept   32
            imul    rax, rsi
        .endr
        dec     rdx
        jne     .Lmultiply_chain
.Lmultiply_chain_done:
        ret
        .size   multiply_chain, . - multiply_chain

        .globl  fp_add_chain
        .type   fp_add_chain, @function
fp_add_chain:
        lea     rcx, [rdi - 1024]
        cmp     rcx, 32768
        ja      .Lnow3
        mov     ecx, 60000000
.Lwait3:
        dec     ecx
        jne     .Lwait3
.Lnow3:
        test    rdi, rdi
        je      .Lfp_add_chain_done
        .p2align 6
.Lfp_add_chain:
        .rept   32
            addsd   xmm0, xmm1
        .endr
        dec     rdi
        jne     .Lfp_add_chain
.Lfp_add_chain_done:
        ret
        .size   fp_add_chain, . - fp_add_chain

        .globl  load_chain
        .type   load_chain, @function
load_chain:
        lea     rcx, [rsi - 1024]
        cmp     rcx, 32768
        ja      .Lnow4
        mov     ecx, 60000000
.Lwait4:
        dec     ecx
        jne     .Lwait4
.Lnow4:
        mov     rax, rdi
        test    rsi, rsi
        je      .Lload_chain_done
        .p2align 6
.Lload_chain:
        .rept   32
            mov     rax, [rax]
        .endr
        dec     rsi
        jne     .Lload_chain
.Lload_chain_done:
        ret
        .size   load_chain, . - load_chain

        .globl  store_load_chain
        .type   store_load_chain, @function
store_load_chain:
        mov     rax, rdi
        test    rsi, rsi
        je      .Lstore_load_chain_done
        .p2align 6
.Lstore_load_chain:
        .rept   32
            lea     rcx, [rax + 8]
            mov     [rcx], rcx
            mov     rax, [rax + 8]
        .endr
        sub     rax, 256
        dec     rsi
        jne     .Lstore_load_chain
.Lstore_load_chain_done:
        ret
        .size   store_load_chain, . - store_load_chain

        .globl  add_streams
        .type   add_streams, @function
add_streams:
        lea     rcx, [rdx - 1024]
        cmp     rcx, 32768
        ja      .Lnow5
        mov     ecx, 60000000
.Lwait5:
        dec     ecx
        jne     .Lwait5
.Lnow5:
        push    rbx
        push    rdi
        mov     rax, [rdi]
        mov     rcx, [rdi + 8]
        mov     r8, [rdi + 16]
        mov     r9, [rdi + 24]
        mov     r10, [rdi + 32]
        mov     r11, [rdi + 40]
        mov     rbx, [rdi + 48]
        mov     rdi, [rdi + 56]
        test    rdx, rdx
        je      .Ladd_streams_done
        .p2align 6
.Ladd_streams:
        .rept   4
            add     rax, rsi
            add     rcx, rsi
            add     r8, rsi
            add     r9, rsi
            add     r10, rsi
            add     r11, rsi
            add     rbx, rsi
            add     rdi, rsi
        .endr
        dec     rdx
        jne     .Ladd_streams
.Ladd_streams_done:
        mov     rdx, rdi
        pop     rdi
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     [rdi + 16], r8
        mov     [rdi + 24], r9
        mov     [rdi + 32], r10
        mov     [rdi + 40], r11
        mov     [rdi + 48], rbx
        mov     [rdi + 56], rdx
        pop     rbx
        ret
        .size   add_streams, . - add_streams

        .globl  multiply_streams
        .type   multiply_streams, @function
multiply_streams:
        lea     rcx, [rdx - 1024]
        cmp     rcx, 32768
        ja      .Lnow6
        mov     ecx, 60000000
.Lwait6:
        dec     ecx
        jne     .Lwait6
.Lnow6:
        push    rbx
        push    rdi
        mov     rax, [rdi]
        mov     rcx, [rdi + 8]
        mov     r8, [rdi + 16]
        mov     r9, [rdi + 24]
        mov     r10, [rdi + 32]
        mov     r11, [rdi + 40]
        mov     rbx, [rdi + 48]
        mov     rdi, [rdi + 56]
        test    rdx, rdx
        je      .Lmultiply_streams_done
        .p2align 6
.Lmultiply_streams:
        .rept   4
            imul    rax, rsi
            imul    rcx, rsi
            imul    r8, rsi
            imul    r9, rsi
            imul    r10, rsi
            imul    r11, rsi
            imul    rbx, rsi
            imul    rdi, rsi
        .endr
        dec     rdx
        jne     .Lmultiply_streams
.Lmultiply_streams_done:
        mov     rdx, rdi
        pop     rdi
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     [rdi + 16], r8
        mov     [rdi + 24], r9
        mov     [rdi + 32], r10
        mov     [rdi + 40], r11
        mov     [rdi + 48], rbx
        mov     [rdi + 56], rdx
        pop     rbx
        ret
        .size   multiply_streams, . - multiply_streams

        .globl  fp_add_streams
        .type   fp_add_streams, @function
fp_add_streams:
        lea     rcx, [rsi - 1024]
        cmp     rcx, 32768
        ja      .Lnow7
        mov     ecx, 60000000
.Lwait7:
        dec     ecx
        jne     .Lwait7
.Lnow7:
        movsd   xmm1, [rdi + 0]
        movsd   xmm2, [rdi + 8]
        movsd   xmm3, [rdi + 16]
        movsd   xmm4, [rdi + 24]
        movsd   xmm5, [rdi + 32]
        movsd   xmm6, [rdi + 40]
        movsd   xmm7, [rdi + 48]
        movsd   xmm8, [rdi + 56]
        test    rsi, rsi
        je      .Lfp_add_streams_done
        .p2align 6
.Lfp_add_streams:
        .rept   4
            addsd   xmm1, xmm0
            addsd   xmm2, xmm0
            addsd   xmm3, xmm0
            addsd   xmm4, xmm0
            addsd   xmm5, xmm0
            addsd   xmm6, xmm0
            addsd   xmm7, xmm0
            addsd   xmm8, xmm0
        .endr
        dec     rsi
        jne     .Lfp_add_streams
.Lfp_add_streams_done:
        movsd   [rdi + 0], xmm1
        movsd   [rdi + 8], xmm2
        movsd   [rdi + 16], xmm3
        movsd   [rdi + 24], xmm4
        movsd   [rdi + 32], xmm5
        movsd   [rdi + 40], xmm6
        movsd   [rdi + 48], xmm7
        movsd   [rdi + 56], xmm8
        ret
        .size   fp_add_streams, . - fp_add_streams

        .globl  load_streams
        .type   load_streams, @function
load_streams:
        lea     rcx, [rsi - 1024]
        cmp     rcx, 32768
        ja      .Lnow8
        mov     ecx, 60000000
.Lwait8:
        dec     ecx
        jne     .Lwait8
.Lnow8:
        push    rbx
        push    rdi
        mov     rax, [rdi]
        mov     rcx, [rdi + 8]
        mov     r8, [rdi + 16]
        mov     r9, [rdi + 24]
        mov     r10, [rdi + 32]
        mov     r11, [rdi + 40]
        mov     rbx, [rdi + 48]
        mov     rdi, [rdi + 56]
        test    rsi, rsi
        je      .Lload_streams_done
        .p2align 6
.Lload_streams:
        .rept   4
            mov     rax, [rax]
            mov     rcx, [rcx]
            mov     r8, [r8]
            mov     r9, [r9]
            mov     r10, [r10]
            mov     r11, [r11]
            mov     rbx, [rbx]
            mov     rdi, [rdi]
        .endr
        dec     rsi
        jne     .Lload_streams
.Lload_streams_done:
        mov     rsi, rdi
        pop     rdi
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     [rdi + 16], r8
        mov     [rdi + 24], r9
        mov     [rdi + 32], r10
        mov     [rdi + 40], r11
        mov     [rdi + 48], rbx
        mov     [rdi + 56], rsi
        pop     rbx
        ret
        .size   load_streams, . - load_streams

        .globl  store_load_streams
        .type   store_load_streams, @function
store_load_streams:
        push    rbx
        push    rdi
        mov     rax, [rdi]
        mov     rcx, [rdi + 8]
        mov     r8, [rdi + 16]
        mov     r9, [rdi + 24]
        mov     r10, [rdi + 32]
        mov     r11, [rdi + 40]
        mov     rbx, [rdi + 48]
        mov     rdi, [rdi + 56]
        test    rsi, rsi
        je      .Lstore_load_streams_done
        .p2align 6
.Lstore_load_streams:
        .rept   4
            lea     rdx, [rax + 8]
            mov     [rdx], rdx
            mov     rax, [rax + 8]
            lea     rdx, [rcx + 8]
            mov     [rdx], rdx
            mov     rcx, [rcx + 8]
            lea     rdx, [r8 + 8]
            mov     [rdx], rdx
            mov     r8, [r8 + 8]
            lea     rdx, [r9 + 8]
            mov     [rdx], rdx
            mov     r9, [r9 + 8]
            lea     rdx, [r10 + 8]
            mov     [rdx], rdx
            mov     r10, [r10 + 8]
            lea     rdx, [r11 + 8]
            mov     [rdx], rdx
            mov     r11, [r11 + 8]
            lea     rdx, [rbx + 8]
            mov     [rdx], rdx
            mov     rbx, [rbx + 8]
            lea     rdx, [rdi + 8]
            mov     [rdx], rdx
            mov     rdi, [rdi + 8]
        .endr
        sub     rax, 32
        sub     rcx, 32
        sub     r8, 32
        sub     r9, 32
        sub     r10, 32
        sub     r11, 32
        sub     rbx, 32
        sub     rdi, 32
        dec     rsi
        jne     .Lstore_load_streams
.Lstore_load_streams_done:
        mov     rsi, rdi
        pop     rdi
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     [rdi + 16], r8
        mov     [rdi + 24], r9
        mov     [rdi + 32], r10
        mov     [rdi + 40], r11
        mov     [rdi + 48], rbx
        mov     [rdi + 56], rsi
        pop     rbx
        ret
        .size   store_load_streams, . - store_load_streams

        .section .note.GNU-stack, "", @progbits
