#include "grader/build/tests/clamp_kit.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include "grader/build/locate.h"

/* cppcheck-suppress unknownMacro */
TestSuite(locate, .init = clamp_before, .fini = clamp_after);

/* Where a symbol of the program lies. */
static uint64_t address_of(const char *wanted)
{
    uint64_t address = 0;
    int fd = open(result.program, O_RDONLY);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    while ((section = elf_nextscn(elf, section))) {
        gelf_getshdr(section, &header);
        if (header.sh_type != SHT_SYMTAB)
            continue;
        for (int i = 0; gelf_getsym(elf_getdata(section, NULL), i, &symbol); i++) {
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name && strcmp(name, wanted) == 0)
                address = symbol.st_value;
        }
    }
    elf_end(elf);
    close(fd);
    cr_assert_neq(address, 0, "%s is not in %s", wanted, result.program);
    return address;
}

static void build(enum variant variant, enum isa isa)
{
    clamp_build(scratch_path("src"), variant, isa);
    if (result.outcome == BUILD_NO_COMPILER)
        cr_skip_test("no compiler for this ISA here");
    cr_assert_eq(result.outcome, BUILD_OK, "%s", result.diagnostics);
}

static void expect_at(uint64_t address, const char *function, uint64_t offset, const char *file,
                      unsigned line, bool student)
{
    struct location location;
    cr_assert(build_locate(result.program, address, &location));
    cr_expect_str_eq(location.function, function);
    cr_expect_eq(location.offset, offset);
    cr_expect_str_eq(location.file, file);
    cr_expect(line == 0 || location.line == line, "line %u, expected %u", location.line, line);
    cr_expect_eq(location.student, student, "%s", function);
}

static void c_source(enum isa isa)
{
    scratch_write("src/clamp.c", "#include \"exercise.h\"\n"
                                 "static __attribute__((noinline)) int helper(int x) {\n"
                                 "  __asm__ volatile(\"nop\"); return x; }\n"
                                 "void clamp(int32_t *v, size_t n, int32_t lo, int32_t hi)\n"
                                 "{\n"
                                 "  (void)hi; (void)n;\n"
                                 "  v[0] = helper(lo) + 1;\n"
                                 "}\n");
    build(VARIANT_STUDENT, isa);
    expect_at(address_of("clamp"), "clamp", 0, "clamp.c", 5, true);
    expect_at(address_of("helper"), "helper", 0, "clamp.c", 0, true);
    expect_at(address_of("call_clamp"), "call_clamp", 0, "glue.c", 0, false);
    expect_at(address_of("_start"), "_start", 0, "start.S", 0, false);
    struct location location;
    cr_assert(build_locate(result.program, address_of("clamp") + 4, &location));
    cr_expect_str_eq(location.function, "clamp");
    cr_expect_eq(location.offset, 4);
}

Test(locate, behind_the_end_of_a_function)
{
    struct location location;
    clamp_build("solutions/03-branch-elimination", VARIANT_STUDENT, isa_native());
    cr_assert_eq(result.outcome, BUILD_OK, "%s", result.diagnostics);
    uint64_t end = address_of("clamp");
    while (build_locate(result.program, end, &location) && strcmp(location.function, "clamp") == 0)
        end++;
    cr_assert(build_locate_past(result.program, end, &location));
    cr_expect_str_eq(location.function, "clamp");
    cr_expect_str_eq(location.file, "clamp.c");
    cr_expect(location.student);
    cr_expect(build_locate_past(result.program, end + 100, &location), "what fills the page");
    cr_expect_not(build_locate_past(result.program, end - 1, &location), "inside");
    cr_expect_not(build_locate_past(result.program, address_of("call_clamp"), &location), "inside another");
    cr_expect_not(build_locate_past(result.program, end + 5000, &location), "elsewhere");
    cr_expect_not(build_locate_past("/nowhere", end, &location));
}

Test(locate, c_on_x86_64)
{
    c_source(ISA_X86_64);
}

Test(locate, c_on_aarch64)
{
    c_source(ISA_AARCH64);
}

/* The line is that of the call, and not of the header. */
static void inline_function_of_a_header(enum isa isa)
{
    scratch_write("src/clamp.c",
                  "#include \"exercise.h\"\n"
                  "#line 30 \"exercise.h\"\n"
                  "static inline __attribute__((always_inline)) void put(int32_t *v, int32_t x)\n"
                  "{ __asm__ volatile(\"nop\\n nop\"); v[0] = x; }\n"
                  "static inline __attribute__((always_inline)) void both(int32_t *v, int32_t x)\n"
                  "{ put(v, x); put(v + 1, x); }\n"
                  "#line 2 \"clamp.c\"\n"
                  "void clamp(int32_t *v, size_t n, int32_t lo, int32_t hi)\n"
                  "{\n"
                  "  (void)hi; (void)n;\n"
                  "  both(v, lo);\n"
                  "}\n");
    build(VARIANT_STUDENT, isa);
    unsigned calls = 0;
    for (uint64_t offset = 0; offset < 8; offset += isa == ISA_AARCH64 ? 4 : 1) {
        struct location location;
        cr_assert(build_locate(result.program, address_of("clamp") + offset, &location));
        cr_expect_str_eq(location.file, "clamp.c", "at +%" PRIu64, offset);
        calls += location.line == 5;
    }
    cr_expect_gt(calls, 0);
}

Test(locate, an_inline_function_on_x86_64)
{
    inline_function_of_a_header(ISA_X86_64);
}

Test(locate, an_inline_function_on_aarch64)
{
    inline_function_of_a_header(ISA_AARCH64);
}

static void assembly_source(enum isa isa)
{
    char name[64];
    snprintf(name, sizeof name, "src/%s/clamp.S", isa_name(isa));
    scratch_write(
        name, ".text\n.globl clamp\n.type clamp, %function\nclamp:\n  nop\n  ret\n.size clamp, . - clamp\n");
    build(VARIANT_STUDENT, isa);
    uint64_t length = isa == ISA_AARCH64 ? 4 : 1;
    expect_at(address_of("clamp"), "clamp", 0, "clamp.S", 5, true);
    expect_at(address_of("clamp") + length, "clamp", length, "clamp.S", 6, true);
}

Test(locate, assembly_on_x86_64)
{
    assembly_source(ISA_X86_64);
}

Test(locate, assembly_on_aarch64)
{
    assembly_source(ISA_AARCH64);
}

Test(locate, a_changed_line_or_name_does_not_hide_whose_it_is)
{
    scratch_write("src/clamp.c", "#include \"exercise.h\"\n#line 7 \"glue.c\"\n"
                                 "void clamp(int32_t *v, size_t n, int32_t lo, int32_t hi)\n"
                                 "{ (void)hi; (void)n; v[0] = lo; }\n");
    build(VARIANT_STUDENT, isa_native());
    expect_at(address_of("clamp"), "clamp", 0, "glue.c", 8, true);
}

Test(locate, ours_is_not_the_students)
{
    mkdir(scratch_path("src"), 0755);
    build(VARIANT_BASELINE, isa_native());
    expect_at(address_of("clamp"), "clamp", 0, "clamp.S", 0, false);
    build(VARIANT_REFERENCE, isa_native());
    expect_at(address_of("clamp"), "clamp", 0, "clamp.c", 0, false);
}

Test(locate, what_is_nowhere)
{
    struct location location;
    mkdir(scratch_path("src"), 0755);
    build(VARIANT_REFERENCE, isa_native());
    cr_expect_not(build_locate(result.program, 0, &location));
    cr_expect_not(build_locate(result.program, 0x50000000, &location));
    cr_expect_not(build_locate(result.program, UINT64_MAX, &location));
    cr_expect_not(location.student);
    cr_expect_str_eq(location.file, "");
    cr_expect_not(build_locate("/nonexistent", 0x400000, &location));
    scratch_write("text", "no ELF\n");
    cr_expect_not(build_locate(scratch_path("text"), 0x400000, &location));
}
