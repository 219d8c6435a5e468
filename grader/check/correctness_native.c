/* Correctness natively: here, on processors that have less, and the AArch64 build under qemu. */
#include <stdlib.h>

#include "grader/check/aside.h"
#include "grader/check/check_internal.h"
#include "harness/base/seed.h"

enum { SEED_OF_PLACES = 4000 /* behind those of bounds */ };

static bool run(struct checking *checking, const char *program, const struct check_way *way)
{
    const struct runner_program runner = check_runner(checking, way, program, way->emulator ? 1 : EPOCHS);
    return check_correctness(
        checking,
        trials_runner(&runner, seed_derive(checking->inputs, SEED_OF_PLACES), checking->context->arena), way);
}

/* The student's program once more, under qemu-x86_64, as processors that have less than this one: with SSE2
 * and no more, in every version of qemu; and with what every processor with AVX2 and FMA has. */
static const struct check_way lesser[] = {
    {.suffix = "-sse2",
     .where = "with SSE2 alone, under qemu: ",
     .isa = ISA_X86_64,
     .emulator = "qemu-x86_64",
     .processor = "qemu64,-pni,-abm,-sse4a",
     .asks = exercise_is_basic,
     .undefined =
         "This has to run on every x86-64 processor, with SSE2 and no more. Keep what needs AVX, FMA or "
         "SSE3 in functions that are called only where the contract says that the processor has it."},
    {.suffix = "-avx2",
     .where = "with AVX2 and FMA and no more, under qemu: ",
     .isa = ISA_X86_64,
     .emulator = "qemu-x86_64",
     .processor =
         "qemu64,-sse4a,+ssse3,+sse4.1,+sse4.2,+popcnt,+movbe,+bmi1,+bmi2,+f16c,+xsave,+avx,+avx2,+fma",
     .fma = true,
     .asks = exercise_is_avx2,
     .unless = "this qemu-x86_64 does not emulate AVX2 and FMA, as versions from 7.2 on do",
     .undefined =
         "The contract promises AVX2 and FMA here, and no more: AVX-512 is not on every processor that "
         "has them, even if it is on yours."},
};

/* Does the exercise have cases for it? */
static bool is_asked(const struct exercise *exercise, const struct check_way *way)
{
    for (unsigned i = 0; i < exercise->cases_count; i++)
        if (way->asks(exercise, exercise->cases[i]))
            return true;
    return false;
}

/* ---- under qemu: as a processor that has less, and as AArch64 ---- */

static bool run_emulated(struct checking *checking)
{
    const enum isa native = checking->isa;
    const struct check_way there = {.suffix = "-aarch64",
                                    .where = "as AArch64, under qemu: ",
                                    .isa = ISA_AARCH64,
                                    .emulator = "qemu-aarch64"};
    for (size_t i = 0; native == ISA_X86_64 && i < sizeof lesser / sizeof *lesser; i++)
        if (is_asked(checking->exercise, &lesser[i]) &&
            !run(checking, checking->program[VARIANT_STUDENT], &lesser[i]))
            return false;
    if (native == ISA_AARCH64)
        return true;
    /* an answer in this machine's assembly leaves the other ISA's files as they came */
    if (selection_left_out(&checking->selection[native], &checking->selection[ISA_AARCH64])) {
        result_add_check(checking->result, CHECK_BUILD, "build-aarch64", NULL, VERDICT_SKIP, 0,
                         "answered in %s assembly: the AArch64 files are as they came", isa_name(native));
        return true;
    }
    char *program = check_build_student(checking, ISA_AARCH64);
    bool right = !program || run(checking, program, &there);
    free(program);
    return right;
}

bool check_native_correctness(struct checking *checking)
{
    const struct check_way here = {.suffix = "", .where = "", .isa = checking->isa, .decides = true};
    struct aside aside = {.checking = checking, .work = run_emulated};
    aside_start(&aside);
    const bool right = run(checking, checking->program[VARIANT_STUDENT], &here);
    return aside_end(&aside, right);
}
