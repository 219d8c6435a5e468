#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/decode_table.h"
#include "harness/emu/tests/describe.h"
#include "harness/emu/tests/oracle.h"
#include "harness/base/rng.h"

static const char *description(uint32_t word)
{
    static char text[256];
    struct decoded decoded;
    decode(word, 0x1000, &decoded);
    describe(&decoded, text, sizeof text);
    return text;
}

/* Picked by hand: what a core file tells apart, and what is easily got wrong. */
static const struct {
    uint32_t word;
    const char *text, *expected;
} instructions[] = {
    {0x8b020020, "add x0, x1, x2", "add: alu x0 <- x1 x2"},
    {0x8b020420, "add x0, x1, x2, lsl #1", "add: alu-shift x0 <- x1 x2"},
    {0x8b021020, "add x0, x1, x2, lsl #4", "add: alu-shift x0 <- x1 x2"},
    {0x8b021420, "add x0, x1, x2, lsl #5", "add: alu-shift-far x0 <- x1 x2"},
    {0x8b420420, "add x0, x1, x2, lsr #1", "add: alu-shift-far x0 <- x1 x2"},
    {0x8b22c3e0, "add x0, sp, w2, sxtw", "add: alu-shift-far x0 <- sp x2"},
    {0x8b2263e0, "add x0, sp, x2", "add: alu x0 <- sp x2"},
    {0x8b226be0, "add x0, sp, x2, lsl #2", "add: alu-shift x0 <- sp x2"},
    {0xca020820, "eor x0, x1, x2, lsl #2", "eor: logic-shift x0 <- x1 x2"},
    {0xaa0103e0, "mov x0, x1", "orr: alu x0 <- x1"},
    {0x9100001f, "mov sp, x0", "add: alu sp <- x0"},
    {0xd2800020, "mov x0, #1", "movz: alu x0 <-"},
    {0xf2a00020, "movk x0, #1, lsl #16", "movk: alu x0 <- x0"},
    {0xf100001f, "cmp x0, #0", "subs: alu-flags nzcv <- x0"},
    {0xeb01001f, "cmp x0, x1", "subs: alu-flags nzcv <- x0 x1"},
    {0xeb010800, "subs x0, x0, x1, lsl #2", "subs: alu-shift-flags x0 nzcv <- x0 x1"},
    {0xeb226820, "subs x0, x1, x2, uxtx #2", "subs: alu-shift-flags x0 nzcv <- x1 x2"},
    {0xeb022820, "subs x0, x1, x2, lsl #10", "subs: alu-shift-far x0 nzcv <- x1 x2"},
    {0xea020020, "ands x0, x1, x2", "ands: alu-flags x0 nzcv <- x1 x2"},
    {0xea020820, "ands x0, x1, x2, lsl #2", "ands: alu-shift-far x0 nzcv <- x1 x2"},
    {0xea02043f, "tst x1, x2, lsl #1", "ands: alu-shift-far nzcv <- x1 x2"},
    {0xea221020, "bics x0, x1, x2, lsl #4", "bics: alu-shift-far x0 nzcv <- x1 x2"},
    {0xda0103e0, "ngc x0, x1", "sbc: alu x0 <- x1 nzcv"},
    {0xfa410804, "ccmp x0, #1, #4, eq", "ccmp: alu-flags nzcv <- nzcv x0"},
    {0x9a9f17e0, "cset x0, eq", "csinc: select x0 <- nzcv"},
    {0xd3410400, "ubfx x0, x0, #1, #1", "ubfm: shift x0 <- x0"},
    {0x93c21c20, "extr x0, x1, x2, #7", "extr: extract x0 <- x1 x2"},
    {0x93c11c20, "ror x0, x1, #7", "extr: shift x0 <- x1 x1"},
    {0x13821c20, "extr w0, w1, w2, #7", "extr: extract x0 <- x1 x2"},
    {0xb3401c20, "bfxil x0, x1, #0, #8", "bfm: alu-shift-far x0 <- x0 x1"},
    {0x9ac22020, "lsl x0, x1, x2", "lslv: shift x0 <- x1 x2"},
    {0xdac00c20, "rev x0, x1", "rev: bit-ops x0 <- x1"},
    {0x1b020c20, "madd w0, w1, w2, w3", "madd: mul-add x0 <- x1 x2 x3+"},
    {0x1b027c20, "mul w0, w1, w2", "madd: mul x0 <- x1 x2"},
    {0x9b020c20, "madd x0, x1, x2, x3", "madd: mul-add-wide x0 <- x1 x2 x3+"},
    {0x9ba20c20, "umaddl x0, w1, w2, x3", "umaddl: mul-add-long x0 <- x1 x2 x3+"},
    {0x9bc27c20, "umulh x0, x1, x2", "umulh: mul-high x0 <- x1 x2"},
    {0x1ac20820, "udiv w0, w1, w2", "udiv: div x0 <- x1 x2"},
    {0x9ac20c20, "sdiv x0, x1, x2", "sdiv: div-signed-wide x0 <- x1 x2"},
    {0x9ac24c20, "crc32x w0, w1, x2", "crc32x: crc x0 <- x1 x2 crc32"},
    {0x14000001, "b .+4", "b: branch <- jump"},
    {0x54000020, "b.eq .+4", "b.cond: branch <- nzcv conditional"},
    {0x94000001, "bl .+4", "bl: branch-link x30 <- call"},
    {0xd63f0020, "blr x1", "blr: branch-link x30 <- x1 call indirect"},
    {0xd61f0020, "br x1", "br: branch-register <- x1 jump indirect"},
    {0xd65f03c0, "ret", "ret: branch-register <- x30 return"},
    {0xb4000020, "cbz x0, .+4", "cbz: branch <- x0 conditional"},
    {0xf9400020, "ldr x0, [x1]", "ldr: load x0 <- x1@ read 8 in 1"},
    {0xf940003f, "ldr xzr, [x1]", "ldr: load <- x1@ read 8 in 1"},
    {0xf8408420, "ldr x0, [x1], #8", "ldr: load x0 x1! <- x1@ read 8 in 1"},
    {0xf8408fe0, "ldr x0, [sp, #8]!", "ldr: load x0 sp! <- sp@ read 8 in 1"},
    {0xf8627820, "ldr x0, [x1, x2, lsl #3]", "ldr: load-indexed x0 <- x1@ x2@ read 8 in 1"},
    {0x39c00020, "ldrsb w0, [x1]", "ldrsb: load-signed x0 <- x1@ read 1 in 1"},
    {0xb8a2d820, "ldrsw x0, [x1, w2, sxtw #2]", "ldrsw: load-signed x0 <- x1@ x2@ read 4 in 1"},
    {0xa8c10440, "ldp x0, x1, [x2], #16", "ldp: load-pair x0 x1 x2! <- x2@ read 16 in 2"},
    {0xa9bf7bfd, "stp x29, x30, [sp, #-16]!", "stp: store-pair sp! <- x29 x30 sp@ write 16 in 2"},
    {0xbd400020, "ldr s0, [x1]", "ldr s: load-fp v0 <- x1@ read 4 in 1"},
    {0x3ce16800, "ldr q0, [x0, x1]", "ldr q: load-fp-indexed.q v0 <- x0@ x1@ read 16 in 1"},
    {0xad400440, "ldp q0, q1, [x2]", "ldp q: load-fp-pair.q v0 v1 <- x2@ read 32 in 2"},
    {0x3c9f0c20, "str q0, [x1, #-16]!", "str q: store-fp.q x1! <- v0 x1@ write 16 in 1"},
    {0x4c402020, "ld1 {v0.16b-v3.16b}, [x1]", "ld1: load-vector.q v0 v1 v2 v3 <- x1@ read 64 in 4"},
    {0x0cdf4820, "ld3 {v0.2s-v2.2s}, [x1], #24", "ld3: load-struct-3 v0 v1 v2 x1! <- x1@ read 24 in 3"},
    {0x4c82003f, "st4 {v31.16b-v2.16b}, [x1], x2",
     "st4: store-struct.q x1! <- v31 v0 v1 v2 x1@ x2 write 64 in 4"},
    {0x0d408020, "ld1 {v0.s}[0], [x1]", "ld1 lane: load-lane v0 <- v0 x1@ read 4 in 1"},
    {0x4d40c820, "ld1r {v0.4s}, [x1]", "ld1r: load-lane.q v0 <- x1@ read 4 in 1"},
    {0xf9800020, "prfm pldl1keep, [x1]", "prfm: prefetch <- x1@ prefetch 1 in 1"},
    {0xf9800028, "prfm plil1keep, [x1]", "prfm: nop <-"},
    {0xc85f7c20, "ldxr x0, [x1]", "ldxr: exclusive x0 monitor <- monitor x1@ read 8 in 1"},
    {0xc8027c20, "stxr w2, x0, [x1]", "stxr: exclusive x2 monitor <- x0 monitor x1@ write 8 in 1"},
    {0xc8dffc20, "ldar x0, [x1]", "ldar: load x0 <- x1@ read 8 in 1"},
    {0xf8bfc020, "ldapr x0, [x1]", "ldapr: load x0 <- x1@ read 8 in 1 rcpc"},
    {0xf8220020, "ldadd x2, x0, [x1]", "ldadd: atomic x0 <- x2 x1@ update 8 in 1 lse"},
    {0xc8a27c20, "cas x2, x0, [x1]", "cas: atomic x2 <- x2 x0 x1@ update 8 in 1 lse"},
    {0x48227c80, "casp x2, x3, x0, x1, [x4]", "casp: atomic x2 x3 <- x2 x3 x0 x1 x4@ update 16 in 2 lse"},
    {0x1e622820, "fadd d0, d1, d2", "fadd: fp-add v0 <- v1 v2"},
    {0x1ee22820, "fadd h0, h1, h2", "fadd: fp-add v0 <- v1 v2 fp16"},
    {0x1f420c20, "fmadd d0, d1, d2, d3", "fmadd: fp-fma v0 <- v1 v2 v3+"},
    {0x1e221820, "fdiv s0, s1, s2", "fdiv: fp-div v0 <- v1 v2"},
    {0x1e621820, "fdiv d0, d1, d2", "fdiv: fp-div-wide v0 <- v1 v2"},
    {0x1e61c020, "fsqrt d0, d1", "fsqrt: fp-sqrt-wide v0 <- v1"},
    {0x1e602008, "fcmp d0, #0.0", "fcmp: fp-compare nzcv <- v0"},
    {0x1e620c20, "fcsel d0, d1, d2, eq", "fcsel: fp-select v0 <- v1 v2 nzcv"},
    {0x1e22c020, "fcvt d0, s1", "fcvt: fp-convert v0 <- v1"},
    {0x9e780020, "fcvtzs x0, d1", "fcvtzs: fp-convert-to-int x0 <- v1"},
    {0x9e620020, "scvtf d0, x1", "scvtf: int-convert-to-fp v0 <- x1"},
    {0x9e660020, "fmov x0, d1", "fmov: fp-to-int x0 <- v1"},
    {0x5e61d820, "scvtf d0, d1", "scvtf: fp-convert v0 <- v1"},
    {0x4e0c1c20, "mov v0.s[1], w1", "ins: int-to-lane v0 <- v0 x1"},
    {0x9eaf0020, "fmov v0.d[1], x1", "fmov: int-to-fp v0 <- v0/ x1"},
    {0x4e22d420, "fadd v0.4s, v1.4s, v2.4s", "fadd: v-fp-add.q v0 <- v1 v2"},
    {0x0e22cc20, "fmla v0.2s, v1.2s, v2.2s", "fmla: v-fp-fma v0 <- v1 v2 v0+"},
    {0x2e22fc20, "fdiv v0.2s, v1.2s, v2.2s", "fdiv: v-fp-div v0 <- v1 v2"},
    {0x6e22fc20, "fdiv v0.4s, v1.4s, v2.4s", "fdiv: v-fp-div.q v0 <- v1 v2"},
    {0x6e62fc20, "fdiv v0.2d, v1.2d, v2.2d", "fdiv: v-fp-div-wide.q v0 <- v1 v2"},
    {0x6e423c20, "fdiv v0.8h, v1.8h, v2.8h", "fdiv: v-fp-div.q v0 <- v1 v2 fp16"},
    {0x2e62fc20, "an unallocated one: no vector of one double",
     "unknown a vector or floating-point extension"},
    {0x6ee1f820, "fsqrt v0.2d, v1.2d", "fsqrt: v-fp-sqrt-wide.q v0 <- v1"},
    {0x4fa21020, "fmla v0.4s, v1.4s, v2.s[1]", "fmla: v-fp-fma.q v0 <- v1 v2 v0+"},
    {0x5f821020, "fmla s0, s1, v2.s[0]", "fmla: fp-fma v0 <- v1 v2 v0+"},
    {0x4f721020, "an unallocated one: no fmla of bytes", "unknown a vector or floating-point extension"},
    {0x4ea11c20, "mov v0.16b, v1.16b", "orr: v-move.q v0 <- v1 v1"},
    {0x4e228420, "add v0.16b, v1.16b, v2.16b", "add: v-alu.q v0 <- v1 v2"},
    {0x4ea29420, "mla v0.4s, v1.4s, v2.4s", "mla: v-mla.q v0 <- v1 v2 v0+"},
    {0x0e62c020, "smull v0.4s, v1.4h, v2.4h", "smull: v-mul-long.q v0 <- v1 v2"},
    {0x4ea28020, "smlal2 v0.2d, v1.4s, v2.4s", "smlal: v-mla-long.q v0 <- v1 v2 v0+"},
    {0x6f402020, "umlal2 v0.4s, v1.8h, v0.h[0]", "umlal: v-mla-long.q v0 <- v1 v0 v0+"},
    {0x0e629020, "sqdmlal v0.4s, v1.4h, v2.4h", "sqdmlal: v-mla-long-saturating.q v0 <- v1 v2 v0+"},
    {0x0f527020, "sqdmlsl v0.4s, v1.4h, v2.h[1]", "sqdmlsl: v-mla-long-saturating.q v0 <- v1 v2 v0+"},
    {0x6e828420, "sqrdmlah v0.4s, v1.4s, v2.4s", "sqrdmlah: v-mla-high.q v0 <- v1 v2 v0+ rdm"},
    {0x4f5f8020, "mul v0.8h, v1.8h, v15.h[1]", "mul: v-mul.q v0 <- v1 v15"},
    {0x4e829420, "sdot v0.4s, v1.16b, v2.16b", "sdot: v-dot.q v0 <- v1 v2 v0+ dotprod"},
    {0x4e612820, "xtn2 v0.8h, v1.4s", "xtn2: v-permute.q half v0 <- v0/ v1"},
    {0x4f000420, "movi v0.4s, #1", "movi: v-move.q v0 <-"},
    {0x4f001420, "orr v0.4s, #1", "orr: v-alu.q v0 <- v0"},
    {0x4f200420, "sshr v0.4s, v1.4s, #32", "sshr: v-shift.q v0 <- v1"},
    {0x4e042420, "an unallocated one", "unknown a vector or floating-point extension"},
    {0x6e1f3420, "mov v0.b[15], v1.b[6]", "ins: v-move v0 <- v0 v1"},
    {0x4e036040, "tbl v0.16b, {v2.16b-v5.16b}, v3.16b", "tbl: v-table-4.q v0 <- v2 v3 v4 v5 v3"},
    {0x4e0370a0, "tbx v0.16b, {v5.16b-v8.16b}, v3.16b", "tbx: v-table-extend-4.q v0 <- v5 v6 v7 v8 v3 v0"},
    {0x4eb1b820, "addv s0, v1.4s", "addv: v-reduce.q half v0 <- v1"},
    {0x4e30f820, "fmaxv h0, v1.8h", "fmaxv: v-fp-reduce-8.q half v0 <- v1 fp16"},
    {0x6e30f820, "fmaxv s0, v1.4s", "fmaxv: v-reduce-8.q half v0 <- v1"},
    {0x2e218820, "frinta v0.2s, v1.2s", "frinta: v-fp-misc v0 <- v1"},
    {0x6e618820, "frinta v0.2d, v1.2d", "frinta: v-fp-misc.q v0 <- v1"},
    {0x6e798820, "frinta v0.8h, v1.8h", "frinta: v-fp-misc-8.q v0 <- v1 fp16"},
    {0x0e217820, "fcvtl v0.4s, v1.4h", "fcvtl: v-fp-misc-4.q v0 <- v1"},
    {0x5ef9d820, "frecpe h0, h1", "frecpe: v-fp-misc v0 <- v1 fp16"},
    {0x4ea1c820, "urecpe v0.4s, v1.4s", "urecpe: v-fp-misc-4.q v0 <- v1"},
    {0x7e30d820, "faddp s0, v1.2s", "faddp: v-fp-pair v0 <- v1"},
    {0xd503201f, "nop", "nop: nop <-"},
    {0xd503203f, "yield", "yield: nop <-"},
    {0xd503233f, "paciasp", "paciasp: nop <-"},
    {0xd503245f, "bti c", "bti: nop <-"},
    {0xd5033bbf, "dmb ish", "dmb: barrier <- order memory"},
    {0xd5033b9f, "dsb ish", "dsb: barrier <- order all"},
    {0xd5033fdf, "isb", "isb: barrier <- order context"},
    {0xd53b9d00, "mrs x0, pmccntr_el0", "mrs pmccntr_el0: counter-read x0 <- system"},
    {0xd53be040, "mrs x0, cntvct_el0", "mrs cntvct_el0: counter-read x0 <-"},
    {0xd53be8a0, "mrs x0, pmevcntr5_el0", "mrs pmevcntr5_el0: counter-read x0 <- system"},
    {0xd51b9d20, "msr pmxevtyper_el0, x0", "msr pmxevtyper_el0: system-write system <- x0 system"},
    {0xd53b0020, "mrs x0, ctr_el0", "mrs ctr_el0: system-read x0 <-"},
    {0xd53bd040, "mrs x0, tpidr_el0", "mrs tpidr_el0: system-read x0 <- system"},
    {0xd53b4420, "mrs x0, fpsr", "mrs fpsr: system-read x0 <- fpsr order serial"},
    {0xd5033f5f, "clrex", "clrex: barrier monitor <- monitor"},
    {0xd53b4200, "mrs x0, nzcv", "mrs nzcv: system-read x0 <- nzcv"},
    {0xd51b4400, "msr fpcr, x0", "msr fpcr: system-write fpcr <- x0 order serial"},
    {0xd51be040, "msr cntvct_el0, x0", "forbidden msr cntvct_el0"},
    {0xd5182000, "msr ttbr0_el1, x0", "forbidden msr ttbr0_el1"},
    {0xd53b2400, "mrs x0, rndr", "forbidden mrs rndr"},
    {0xd51b8000, "msr s3_3_c8_c0_0, x0", "forbidden msr to a system register"},
    {0xd53b8000, "mrs x0, s3_3_c8_c0_0", "forbidden mrs of a system register"},
    {0xd50342df, "msr daifset, #2", "forbidden msr daifset"},
    {0xd50b7420, "dc zva, x0", "dc zva: store-fp-pair.q <- x0@ write 64 in 1"},
    {0xd50b7a20, "dc cvac, x0", "forbidden dc cvac"},
    {0xd508711f, "ic ialluis", "forbidden ic"},
    {0xd508871f, "tlbi vmalle1", "forbidden tlbi"},
    {0xd4000001, "svc #0", "forbidden svc"},
    {0xd503207f, "wfi", "forbidden wfi"},
    {0xd69f03e0, "eret", "forbidden eret"},
    {0x00000000, "udf #0", "forbidden udf"},
    {0x04208000, "an sve instruction", "unknown sve"},
    {0x4e284820, "aese v0.16b, v1.16b", "aese: aes.q v0 <- v1 v0 crypto"},
    {0x4e286820, "aesmc v0.16b, v1.16b", "aesmc: aes-mix.q v0 <- v1 crypto"},
    {0x4e289820, "an unallocated one beside them", "unknown a vector or floating-point extension"},
    {0x4ee2e020, "pmull2 v0.1q, v1.2d, v2.2d", "pmull: pmull.q v0 <- v1 v2 crypto"},
    {0xce020c20, "eor3 v0.16b, v1.16b, v2.16b, v3.16b", "eor3: sha3.q v0 <- v1 v2 v3 sha3"},
    {0xce420c20, "sm3ss1 v0.4s, v1.4s, v2.4s, v3.4s", "unknown sm3 or sm4"},
    {0x4fb20020, "fmlal v0.4s, v1.4h, v2.h[3]", "fmlal: v-fp-fma-long.q v0 <- v1 v2 v0+ fhm"},
    {0x6f721020, "fcmla v0.8h, v1.8h, v18.h[1], #0", "fcmla: v-fp-fma.q v0 <- v1 v18 v0+ fp16 fcma"},
    {0x2f421820, "an unallocated one: 64 bits have no third complex number",
     "unknown a vector or floating-point extension"},
    {0xba018425, "rmif x1, #3, #5", "rmif: alu-flags nzcv <- x1 nzcv flagm"},
    {0xd9401020, "ldapur x0, [x1, #1]", "ldapur: load x0 <- x1@ read 8 in 1 rcpc2"},
    {0x1e7e0020, "fjcvtzs w0, d1", "fjcvtzs: fp-convert-to-int x0 nzcv <- v1 jscvt"},
    {0x4e829c20, "usdot v0.4s, v1.16b, v2.16b", "unknown usdot"},
    {0xd65f0bff, "retaa", "unknown a branch with pointer authentication"},
};

Test(decode, picked_instructions)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        cr_expect_str_eq(description(instructions[i].word), instructions[i].expected, "%08x %s is \"%s\"",
                         instructions[i].word, instructions[i].text, description(instructions[i].word));
}

/* rows.txt, an instruction a line. */
static bool next_row(FILE *file, uint32_t *word, char *expected, size_t size)
{
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char *last = strrchr(line, '|');
        if (line[0] == '#' || !last)
            continue;
        line[strcspn(line, "\n")] = '\0';
        *word = (uint32_t)strtoul(line, NULL, 16);
        snprintf(expected, size, "%s", last + 2);
        return true;
    }
    return false;
}

static FILE *open_rows(void)
{
    FILE *file = fopen("harness/emu/tests/rows.txt", "r");
    cr_assert_not_null(file);
    return file;
}

Test(decode, an_instruction_of_each_row)
{
    enum { MOST = 2000 };
    static bool hit[DECODE_TABLES][MOST];
    FILE *file = open_rows();
    uint32_t word;
    char expected[256];
    while (next_row(file, &word, expected, sizeof expected)) {
        cr_expect_str_eq(description(word), expected, "%08x is \"%s\"", word, description(word));
        const struct decode_row *row = decode_find(word);
        for (size_t t = 0; row && t < DECODE_TABLES; t++)
            if (row >= decode_tables[t]->rows && row < decode_tables[t]->rows + decode_tables[t]->count)
                hit[t][row - decode_tables[t]->rows] = true;
    }
    fclose(file);
    for (size_t t = 0; t < DECODE_TABLES; t++) {
        cr_assert_leq(decode_tables[t]->count, MOST);
        for (size_t i = 0; i < decode_tables[t]->count; i++)
            cr_expect(hit[t][i], "no instruction in rows.txt is of row %s %08x/%08x",
                      decode_tables[t]->rows[i].name, decode_tables[t]->rows[i].mask,
                      decode_tables[t]->rows[i].value);
    }
}

/* Can it be an instruction of the row? `varying` are fields that a row's sizes speak of. */
static bool takes(const struct decode_row *row, uint32_t varying, uint32_t fields)
{
    if ((fields ^ row->value) & row->mask & varying)
        return false;
    unsigned size = decode_field(fields, 23, 22), immh = decode_field(fields, 22, 19);
    if (row->immh)
        size = immh >= 8 ? 3 : immh >= 4 ? 2 : immh >= 2 ? 1 : 0;
    if (row->immh && immh == 0)
        return false;
    return !row->sizes || (row->sizes >> (2 * size + decode_field(fields, 30, 30)) & 1);
}

/* Whatever may further be asked of an instruction: of two rows that overlap, the first has the more specific
 * mask, or their sizes are different ones. */
static bool ambiguous(const struct decode_row *a, const struct decode_row *b)
{
    if ((a->value ^ b->value) & a->mask & b->mask)
        return false;
    if ((a->mask & b->mask) == b->mask && a->mask != b->mask)
        return false;
    const uint32_t varying = 0x40f80000; /* Q, size, immh */
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t fields = (i & 31) << 19 | (i >> 5) << 30;
        if (takes(a, varying, fields) && takes(b, varying, fields))
            return true;
    }
    return false;
}

Test(decode, no_two_rows_are_ambiguous)
{
    static const struct decode_row *rows[DECODE_TABLES * 1000];
    size_t count = 0;
    for (size_t t = 0; t < DECODE_TABLES; t++)
        for (size_t i = 0; i < decode_tables[t]->count; i++)
            rows[count++] = &decode_tables[t]->rows[i];
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(rows[i]->value & ~rows[i]->mask, 0, "%s %08x/%08x: bits outside the mask", rows[i]->name,
                     rows[i]->mask, rows[i]->value);
        for (size_t j = i + 1; j < count; j++)
            cr_expect(!ambiguous(rows[i], rows[j]), "%s %08x/%08x and %s %08x/%08x", rows[i]->name,
                      rows[i]->mask, rows[i]->value, rows[j]->name, rows[j]->mask, rows[j]->value);
    }
}

Test(decode, targets_and_addresses)
{
    struct decoded decoded;
    uint64_t registers[32] = {0};
    decode(0x54ffffe0, 0x1000, &decoded); /* b.eq .-4 */
    cr_expect_eq(decoded.target, 0xffc);
    decode(0x97ffffff, 0x1000, &decoded); /* bl .-4 */
    cr_expect_eq(decoded.target, 0xffc);
    decode(0x3607ffe0, 0x1000, &decoded); /* tbz w0, #0, .-4 */
    cr_expect_eq(decoded.target, 0xffc);
    decode(0x58000040, 0x1000, &decoded); /* ldr x0, .+8 */
    cr_expect_eq(decode_access_address(&decoded, registers), 0x1008);
    registers[1] = 0x2000;
    registers[2] = 0xfffffffe;
    registers[31] = 0x3000;
    decode(0xf8408420, 0x1000, &decoded); /* ldr x0, [x1], #8 */
    cr_expect_eq(decode_access_address(&decoded, registers), 0x2000);
    decode(0xf8408fe0, 0x1000, &decoded); /* ldr x0, [sp, #8]! */
    cr_expect_eq(decode_access_address(&decoded, registers), 0x3008);
    decode(0xb8a2d820, 0x1000, &decoded); /* ldrsw x0, [x1, w2, sxtw #2] */
    cr_expect_eq(decode_access_address(&decoded, registers), 0x1ff8);
    decode(0xb8a25820, 0x1000, &decoded); /* ldrsw x0, [x1, w2, uxtw #2] */
    cr_expect_eq(decode_access_address(&decoded, registers), UINT64_C(0x400001ff8));
    decode(0xf8bf7820, 0x1000, &decoded); /* prfm pldl1keep, [x1, xzr, lsl #3] */
    cr_expect_eq(decode_access_address(&decoded, registers), 0x2000);
    decode(0xf9800420, 0x1000, &decoded); /* prfm pldl1keep, [x1, #8] */
    cr_expect_eq(decode_access_address(&decoded, registers), 0x2008);
    decode(0xd50b7421, 0x1000, &decoded); /* dc zva, x1 */
    registers[1] = 0x207f;
    cr_expect_eq(decode_access_address(&decoded, registers), 0x2040);
    decode(0xd50b743f, 0x1000, &decoded); /* dc zva, xzr */
    cr_expect_eq(decode_access_address(&decoded, registers), 0);
    decode(0xa97f0440, 0x1000, &decoded); /* ldp x0, x1, [x2, #-16] */
    cr_expect_eq(decode_access_address(&decoded, registers), 0xffffffee);
}

Test(decode, pairs_of_aes)
{
    cr_expect(decode_is_aes_pair(0x4e284820, 0x4e286800));     /* aese v0, v1; aesmc v0, v0 */
    cr_expect(decode_is_aes_pair(0x4e285862, 0x4e287842));     /* aesd v2, v3; aesimc v2, v2 */
    cr_expect_not(decode_is_aes_pair(0x4e284820, 0x4e287800)); /* aesimc */
    cr_expect_not(decode_is_aes_pair(0x4e284820, 0x4e286801)); /* aesmc v1, v0 */
    cr_expect_not(decode_is_aes_pair(0x4e284820, 0x4e286820)); /* aesmc v0, v1 */
    cr_expect_not(decode_is_aes_pair(0x4e286800, 0x4e284820)); /* the other way round */
}

Test(decode, what_keeps_the_stack_aligned)
{
    static const struct {
        uint32_t word;
        bool keeps;
    } writers[] = {
        {0xd10083ff, true},  /* sub sp, sp, #32 */
        {0xd10063ff, false}, /* sub sp, sp, #24 */
        {0x914007ff, true},  /* add sp, sp, #1, lsl #12 */
        {0x9100801f, false}, /* add sp, x0, #32 */
        {0xcb2063ff, false}, /* sub sp, sp, x0 */
        {0x9100001f, false}, /* mov sp, x0 */
        {0x927cec1f, false}, /* and sp, x0, #~15 */
        {0xa9be7bfd, true},  /* stp x29, x30, [sp, #-32]! */
        {0xa9bf7bfd, true},  /* stp x29, x30, [sp, #-16]! */
        {0xa9bfffff, false}, /* stp xzr, xzr, [sp, #-8]! */
        {0xf81f0ffe, true},  /* str x30, [sp, #-16]! */
        {0xf81f8ffe, false}, /* str x30, [sp, #-8]! */
        {0xf84087fe, false}, /* ldr x30, [sp], #8 */
        {0x4cdf7be0, false}, /* ld1 {v0.4s}, [sp], #16 */
    };
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        struct decoded decoded;
        decode(writers[i].word, 0, &decoded);
        cr_expect_eq(decode_keeps_stack_aligned(writers[i].word, &decoded.op), writers[i].keeps, "%08x",
                     writers[i].word);
    }
}

Test(decode, lengths_of_quotients)
{
    static const struct {
        uint32_t word;
        uint64_t dividend, divisor;
        unsigned bits;
    } divisions[] = {
        {0x9ac20820, 100, 7, 5}, /* udiv x0, x1, x2: 14 has four, but 7 bits less 3 may give five */
        {0x9ac20820, 100, 100, 1},
        {0x9ac20820, 3, 4, 0},
        {0x9ac20820, 0, 4, 0},
        {0x9ac20820, 100, 0, 0},
        {0x9ac20820, UINT64_MAX, 1, 64},
        {0x9ac20c20, UINT64_MAX, 1, 1}, /* sdiv x0, x1, x2 */
        {0x9ac20c20, (uint64_t)-100, 7, 5},
        {0x9ac20c20, (uint64_t)INT64_MIN, UINT64_MAX, 64},
        {0x1ac20820, UINT64_C(0xffffffff00000064), 7, 5}, /* udiv w0, w1, w2 */
        {0x1ac20820, UINT32_MAX, 1, 32},
        {0x1ac20c20, UINT32_MAX, 1, 1}, /* sdiv w0, w1, w2 */
        {0x1ac20c20, 0x80000000, UINT32_MAX, 32},
    };
    for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++)
        cr_expect_eq(decode_quotient_bits(divisions[i].word, divisions[i].dividend, divisions[i].divisor),
                     divisions[i].bits, "division %zu", i);
    struct decoded decoded;
    decode(0x9ac20820, 0, &decoded);
    cr_expect_eq(decoded.op.quotient, 64);
    decode(0x1ac20c20, 0, &decoded);
    cr_expect_eq(decoded.op.quotient, 32);
    decode(0x1ac22020, 0, &decoded); /* lsl w0, w1, w2 */
    cr_expect_eq(decoded.op.quotient, 0);
}

Test(decode, system_registers)
{
    struct decoded decoded;
    decode(0xd53b9d00, 0, &decoded);
    cr_expect_eq(decoded.system, 3 << 14 | 3 << 11 | 9 << 7 | 13 << 3 | 0);
    cr_expect(!decoded.system_write);
    decode(0xd51b9d00, 0, &decoded);
    cr_expect(decoded.system_write);
    decode(0xd503201f, 0, &decoded);
    cr_expect_eq(decoded.system, 0);
    for (uint32_t code = 0x8000; code <= 0xffff; code++)
        for (uint32_t read = 0; read < 2; read++) {
            decode(0xd5100000 | read << 21 | (code & 0x7fff) << 5 | 1U << 20, 0, &decoded);
            if (decoded.verdict == DECODE_OK)
                cr_expect_not_null(strstr(decoded.name, read ? "mrs " : "msr "));
        }
}

Test(decode, names_of_registers)
{
    cr_expect_str_eq(decode_register_name(0), "x0");
    cr_expect_str_eq(decode_register_name(REG_SP), "sp");
    cr_expect_str_eq(decode_register_name(REG_V0 + 17), "v17");
    cr_expect_str_eq(decode_register_name(REG_NZCV), "nzcv");
    cr_expect_str_eq(decode_register_name(REG_FPSR), "fpsr");
    cr_expect_str_eq(decode_register_name(OP_NONE), "none");
}

/* Any word has a name and fits the struct. */
Test(decode, random_words)
{
    struct rng rng = {1};
    for (int i = 0; i < 50000; i++) {
        struct decoded decoded;
        uint32_t word = (uint32_t)rng_next(&rng);
        decode(word, 0x1000, &decoded);
        cr_assert_not_null(decoded.name);
        const struct op *op = &decoded.op;
        cr_assert(op->read_count <= OP_READS && op->write_count <= OP_WRITES, "%08x", word);
        cr_assert(op->op_class < OP_CLASS_COUNT, "%08x", word);
        for (unsigned r = 0; r < op->read_count; r++)
            cr_assert_lt(op->reads[r], OP_REGISTERS, "%08x", word);
        for (unsigned r = 0; r < op->write_count; r++)
            cr_assert_lt(op->writes[r], OP_REGISTERS, "%08x", word);
        cr_assert((op->memory == OP_NO_MEMORY) == (op->bytes == 0), "%08x", word);
        cr_assert(decoded.verdict != DECODE_OK || !op->memory || (op->registers && op->registers <= 4),
                  "%08x", word);
    }
}

Test(decode, as_the_emulator_has_it)
{
    struct oracle *oracle = oracle_open();
    if (!oracle)
        cr_skip_test("this Unicorn cannot emulate an AArch64 with all extensions");
    FILE *file = open_rows();
    uint32_t word;
    char expected[256], text[256];
    unsigned count = 0, right = 0;
    /* Every fourth of them is a matter of a second; `make decode` does all. */
    while (next_row(file, &word, expected, sizeof expected)) {
        if (count++ % 4)
            continue;
        enum oracle_verdict verdict = oracle_check(oracle, word, text, sizeof text);
        cr_expect(verdict != ORACLE_WRONG && verdict != ORACLE_UNDEFINED, "%08x %s: %s", word, expected,
                  verdict == ORACLE_UNDEFINED ? "the emulator does not know it" : text);
        right += verdict == ORACLE_RIGHT;
    }
    fclose(file);
    cr_expect_gt(right, count / 5);
    oracle_close(oracle);
}
