/* How large a student's objects may be, and where code may stand. */
#include "grader/build/tests/clamp_kit.h"

#include "grader/build/objects.h"

/* cppcheck-suppress unknownMacro */
TestSuite(objects, .init = clamp_before, .fini = clamp_after);

/* A right answer of this ISA's assembler, and this behind it. */
static void build_with(enum isa isa, const char *assembly)
{
    char file[64], text[4096];
    snprintf(file, sizeof file, "src/%s/clamp.S", isa_name(isa));
    snprintf(text, sizeof text,
             ".text\n.balign 4\n.globl clamp\n.type clamp, %%function\nclamp: ret\n.size clamp, 4\n%s\n"
             ".section .note.GNU-stack, \"\", %%progbits\n",
             assembly);
    scratch_write(file, text);
    clamp_build(scratch_path("src"), VARIANT_STUDENT, isa);
}

static void expect(enum build_outcome outcome, const char *part)
{
    cr_expect_eq(result.outcome, outcome, "outcome %d: %s", (int)result.outcome, result.diagnostics);
    cr_expect(strstr(result.diagnostics, part), "expected \"%s\" in: %s", part, result.diagnostics);
}

static bool builds(enum isa isa)
{
    return isa == isa_native() ||
           (isa == ISA_AARCH64 && system("command -v aarch64-linux-gnu-gcc >/dev/null") == 0);
}

/* For both ISAs, each at its limit and behind it: 64 bytes are for the code of the answer itself. */
Test(objects, what_is_too_large_is_refused)
{
    char text[256];
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!builds(isa))
            continue;
        snprintf(text, sizeof text, ".zero %d", OBJECTS_CODE_MOST - 64);
        build_with(isa, text);
        expect(BUILD_OK, "");
        snprintf(text, sizeof text, ".zero %d", OBJECTS_CODE_MOST);
        build_with(isa, text);
        expect(BUILD_REJECTED, "clamp.S: code and its alignment take more than 512 KiB");
        snprintf(text, sizeof text, ".section .rodata\n.zero %d", OBJECTS_LOADED_MOST - 64);
        build_with(isa, text);
        expect(BUILD_OK, "");
        snprintf(text, sizeof text, ".section .rodata\n.zero %d", OBJECTS_LOADED_MOST);
        build_with(isa, text);
        expect(BUILD_REJECTED, "code, constants and their alignment take more than 16384 KiB");
        snprintf(text, sizeof text, ".section .debug_it\n.zero %d", OBJECTS_FILES_MOST);
        build_with(isa, text);
        expect(BUILD_REJECTED, "what the compiler made of them takes more than 24576 KiB");
    }
}

/* One instruction or nothing each, but the linker makes 64 KiB of it. */
Test(objects, alignment_counts)
{
    for (int code = 0; code < 2; code++) {
        char text[256];
        snprintf(text, sizeof text, ".macro one\n.section .%s\n.balign %d\n%s\n.endm\n.rept %d\none\n.endr",
                 code ? "text.s\\@, \"ax\"" : "rodata.s\\@, \"a\"", OBJECTS_ALIGNED_MOST,
                 code ? ".long 0" : "", code ? 8 : 256);
        build_with(isa_native(), text);
        expect(BUILD_REJECTED, code ? "code and its alignment" : "code, constants and their alignment");
    }
}

Test(objects, what_all_files_have_counts)
{
    static char *two[] = {(char *)"clamp", (char *)"more"};
    char more[64], text[128];
    exercise.sources = two;
    exercise.sources_count = 2;
    snprintf(more, sizeof more, "src/%s/more.S", isa_name(isa_native()));
    snprintf(text, sizeof text, ".section .rodata\n.zero %d", OBJECTS_LOADED_MOST / 2);
    scratch_write(more, text);
    build_with(isa_native(), text);
    expect(BUILD_REJECTED, "more.S: code, constants and their alignment take more than");
}

Test(objects, code_is_in_text_alone)
{
    static const char *const sections[] = {".rodata.x", ".eh_frame", "mine", ".mine",  ".plt",
                                           ".stub",     ".text_x",   ".tex", ".fini_x"};
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!builds(isa))
            continue;
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
            char text[128], says[128];
            snprintf(text, sizeof text, ".section %s, \"ax\", %%progbits\n.long 0", sections[i]);
            snprintf(says, sizeof says, "section %s is executable: code has to be in .text", sections[i]);
            build_with(isa, text);
            expect(BUILD_REJECTED, says);
        }
        build_with(isa, ".section .init, \"ax\", %progbits\n.long 0");
        expect(BUILD_REJECTED, "section .init has code run before");
        build_with(isa, ".section .text.hot, \"ax\", %progbits\n.long 0");
        expect(BUILD_OK, "");
    }
}

Test(objects, instructions_stand_at_multiples_of_four)
{
    static const char *const odd[] = {".byte 0\n.type f, %function\nf: .long 0xd65f03c0",
                                      ".byte 0\n.type f, %function\nf: ret",
                                      /* its section may be put behind something odd */
                                      ".section .text.f, \"ax\"\n.type f, %function\nf: .long 0xd65f03c0"};
    if (!builds(ISA_AARCH64))
        cr_skip_test("no AArch64 compiler");
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        build_with(ISA_AARCH64, odd[i]);
        expect(BUILD_REJECTED, "`f` may begin at an address that is no multiple of 4");
    }
    scratch_write("src/aarch64/clamp.S", ".byte 0\n.globl clamp\nclamp: .long 0xd65f03c0\n");
    clamp_build(scratch_path("src"), VARIANT_STUDENT, ISA_AARCH64);
    expect(BUILD_REJECTED, "`clamp` may begin at an address that is no multiple of 4");
    build_with(ISA_AARCH64, "text: .ascii \"a table\"\n.balign 4\n.type f, %function\nf: ret\n.byte 1");
    expect(BUILD_OK, "");
}

/* The linker reads one table of symbols, and who looks for a table finds another. */
Test(objects, sections_of_types_with_a_meaning_are_refused)
{
    static const char *const types[] = {"2,24", "11,24", "9,16", "0x6ffffff6,4", "6,16"};
    char text[128];
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!builds(isa))
            continue;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            snprintf(text, sizeof text, ".section .fake,\"M\",%%%s\n.zero 48\n", types[i]);
            build_with(isa, text);
            expect(BUILD_REJECTED, "no compiler writes");
        }
    }
}

/* The linker puts sections together by their names: with a loaded one of that name they would be loaded, too.
 */
Test(objects, sections_that_are_not_loaded_are_those_that_compilers_write)
{
    static const char *const sections[] = {".stub, \"\", %progbits",
                                           ".dynbss, \"\", %nobits",
                                           ".notes, \"\", %note",
                                           "own, \"w\", %progbits",
                                           "own",
                                           ".rela.text, \"\", %progbits",
                                           ".rela.x, \"\", %4",
                                           ".eh_frame, \"\", %progbits"};
    char text[128];
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!builds(isa))
            continue;
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
            snprintf(text, sizeof text, ".section %s\n.zero 48\n", sections[i]);
            build_with(isa, text);
            expect(BUILD_REJECTED, "is not loaded: use .rodata for constants");
        }
        build_with(isa, ".section .comment,\"MS\",%progbits,1\n.asciz \"by hand\"\n");
        expect(BUILD_OK, "");
    }
}

/* A name that the suite looks for, at an address of the student's choice. */
Test(objects, nothing_of_another_name_is_seen_wherever_it_stands)
{
    static const char *const symbols[] = {".data\n.globl x\n.set x, . + 64",
                                          ".bss\n.weak x\nx:", ".globl x\n.set x, 0x402000",
                                          ".section .rodata\n.globl x\n.set x, . - 0x4000\n.byte 0"};
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!builds(isa))
            continue;
        for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
            build_with(isa, symbols[i]);
            expect(BUILD_REJECTED, "`x` can be seen from outside this file");
        }
    }
}

Test(objects, a_function_lies_in_its_file)
{
    static const char *const places[] = {"own - 0x400", "own + 0x400", "own + 4"};
    char path[64], text[256];
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!builds(isa))
            continue;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            snprintf(path, sizeof path, "src/%s/clamp.S", isa_name(isa));
            snprintf(text, sizeof text,
                     ".text\nown: .long 0\n.globl clamp\n.type clamp, %%function\n.set clamp, %s\n",
                     places[i]);
            scratch_write(path, text);
            clamp_build(scratch_path("src"), VARIANT_STUDENT, isa);
            expect(BUILD_REJECTED, "`clamp` has to be a function with its code in this file");
        }
    }
}
