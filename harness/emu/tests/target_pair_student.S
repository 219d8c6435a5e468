// Student code for test_two_cores.c: void case(uint64_t *x0, uint64_t x1, uint64_t x2), by both cores at once;
// x2 is 0 on one and 1 on the other.
#include "harness/emu/tests/target_pair.h"
        .arch   armv8.2-a+lse
        .text

        .macro  case name
        .p2align 2
        .type   \name, %function
\name:
        .endm

// A counter for each in one line.
case same_line
        add     x0, x0, x2, lsl #3
        b       plain

// The same in lines of their own.
case padded
        add     x0, x0, x2, lsl #7
        // and on

// One counter for both, as if nobody else were there.
case plain
1:      ldr     x3, [x0]
        add     x3, x3, #1
        str     x3, [x0]
        subs    x1, x1, #1
        b.ne    1b
        ret

case exclusive
1:      ldxr    x3, [x0]
        add     x3, x3, #1
        stxr    w4, x3, [x0]
        cbnz    w4, 1b
        subs    x1, x1, #1
        b.ne    1b
        ret

case ordered
1:      ldaxr   x3, [x0]
        add     x3, x3, #1
        stlxr   w4, x3, [x0]
        cbnz    w4, 1b
        subs    x1, x1, #1
        b.ne    1b
        ret

case atomic
        mov     x3, #1
1:      ldadd   x3, x4, [x0]
        subs    x1, x1, #1
        b.ne    1b
        ret

// The first counts what a store exclusive says that fails; the second writes what is there already.
case same_value
        cbnz    x2, 3f
        mov     x5, #0
1:      ldxr    x3, [x0]
        mov     x6, #400
2:      subs    x6, x6, #1
        b.ne    2b
        stxr    w4, x3, [x0]
        add     x5, x5, x4
        subs    x1, x1, #1
        b.ne    1b
        str     x5, [x0, #128]
        ret
3:      lsl     x1, x1, #8
4:      str     xzr, [x0]
        subs    x1, x1, #1
        b.ne    4b
        ret

// Eight lines, again and again.
case reads
1:      ldr     x3, [x0]
        ldr     x3, [x0, #64]
        ldr     x3, [x0, #128]
        ldr     x3, [x0, #192]
        ldr     x3, [x0, #256]
        ldr     x3, [x0, #320]
        ldr     x3, [x0, #384]
        ldr     x3, [x0, #448]
        subs    x1, x1, #1
        b.ne    1b
        ret

// The first waits for the second, which takes its time.
case waits
        cbnz    x2, 2f
1:      ldar    x3, [x0]
        cbz     x3, 1b
        ret
2:      subs    x1, x1, #1
        b.ne    2b
        mov     x3, #7
        stlr    x3, [x0]
        ret

// A message, with barriers.
case passes
        cbnz    x2, 2f
1:      ldr     x3, [x0]
        cbz     x3, 1b
        dmb     ish
        ldr     x4, [x0, #512]
        str     x4, [x0, #128]
        dsb     ish
        isb
        ret
2:      str     x1, [x0, #512]
        dmb     ish
        mov     x3, #1
        str     x3, [x0]
        dsb     ish
        ret

case waits_forever
        cbnz    x2, 2f
1:      ldr     x3, [x0]
        cbz     x3, 1b
2:      ret

case faults
        cbz     x2, plain
        ldr     x3, [x2]
        ret

// The second has four times as much to do, on lines of its own.
case lopsided
        add     x0, x0, x2, lsl #7
        cbz     x2, plain
        lsl     x1, x1, #2
        b       plain

case clobbers
        cbz     x2, plain
        mov     x20, #1
        ret

        .section .rodata
        .p2align 3
        .global pair_cases
pair_cases:
        .irp    name, same_line, padded, plain, exclusive, ordered, atomic, same_value, reads, waits, passes, waits_forever, faults, lopsided, clobbers
        .quad   \name
        .endr
