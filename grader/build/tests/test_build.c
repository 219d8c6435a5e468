#include "grader/build/tests/clamp_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/mount.h>
#include <time.h>
#include "grader/base/textfile.h"
#include "harness/arena/plan.h"
#include "harness/walls/isolation.h"
#include "harness/walls/privileges.h"

/* cppcheck-suppress unknownMacro */
TestSuite(build, .init = clamp_before, .fini = clamp_after);

static bool has_compiler(enum isa isa)
{
    return isa == isa_native() ||
           system(isa == ISA_AARCH64 ? "command -v aarch64-linux-gnu-gcc >/dev/null"
                                     : "command -v x86_64-linux-gnu-gcc >/dev/null") == 0;
}

static void build(enum variant variant, enum isa isa)
{
    build_result_free(&result);
    build_variant(workdir, ".", &exercise, variant, &selection, isa, NULL, &result);
    cr_assert(result.diagnostics);
}

static void build_folder(const char *folder, enum isa isa)
{
    clamp_build(folder, VARIANT_STUDENT, isa);
    cr_assert(result.diagnostics);
}

/* One file of a student, in a folder of its own. */
static void build_text(const char *name, const char *text)
{
    char file[128];
    snprintf(file, sizeof file, "src/%s", name);
    scratch_write(file, text);
    build_folder(scratch_path("src"), strncmp(name, "aarch64/", 8) == 0 ? ISA_AARCH64 : isa_native());
}

static void expect(enum build_outcome outcome, const char *part)
{
    cr_expect_eq(result.outcome, outcome, "outcome %d: %s", (int)result.outcome, result.diagnostics);
    cr_expect(strstr(result.diagnostics, part), "expected \"%s\" in: %s", part, result.diagnostics);
    cr_expect_eq(result.program != NULL, outcome == BUILD_OK);
}

static void expect_not(const char *part)
{
    cr_expect_not(strstr(result.diagnostics, part), "did not expect \"%s\" in: %s", part, result.diagnostics);
}

/* A program for the ISA whose segments stay clear of the arena. */
static void expect_program(enum isa isa)
{
    cr_assert_eq(result.outcome, BUILD_OK, "%s", result.diagnostics);
    cr_expect_str_eq(result.diagnostics, "");
    int fd = open(result.program, O_RDONLY);
    cr_assert_geq(fd, 0);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    GElf_Ehdr header;
    GElf_Phdr segment;
    cr_assert(gelf_getehdr(elf, &header));
    cr_expect_eq(header.e_machine, isa == ISA_AARCH64 ? EM_AARCH64 : EM_X86_64);
    cr_expect_eq(header.e_type, ET_EXEC);
    for (int i = 0; i < header.e_phnum; i++) {
        cr_assert(gelf_getphdr(elf, i, &segment));
        cr_expect_leq(segment.p_vaddr + segment.p_memsz, ARENA_BASE);
        cr_expect_neq(segment.p_type, PT_INTERP);
        cr_expect_neq(segment.p_flags & (PF_W | PF_X), PF_W | PF_X);
    }
    elf_end(elf);
    close(fd);
    cr_expect_eq(access(result.program, X_OK), 0);
}

static void build_all(enum isa isa)
{
    if (!has_compiler(isa))
        cr_skip_test("no compiler for this ISA here");
    for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
        selection_free(&selection);
        build_select(&exercise, "exercises/03-branch-elimination/stub", isa, &selection);
        build(variant, isa);
        expect_program(isa);
    }
    build_folder(exercise.solution, isa);
    expect_program(isa);
}

Test(build, all_variants_for_x86_64)
{
    build_all(ISA_X86_64);
}

Test(build, all_variants_for_aarch64)
{
    build_all(ISA_AARCH64);
}

#define HEAD  "#include \"exercise.h\"\n"
#define CLAMP "void clamp(int32_t *v, size_t n, int32_t lo, int32_t hi)\n"
#define EMPTY "{ (void)v; (void)n; (void)lo; (void)hi; }\n"

Test(build, assembly_of_both_isas)
{
    scratch_write("src/x86_64/clamp.S", ".globl clamp\nclamp: ret\n");
    scratch_write("src/aarch64/clamp.S", ".globl clamp\nclamp: ret\n");
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!has_compiler(isa))
            continue;
        build_folder(scratch_path("src"), isa);
        expect_program(isa);
    }
}

Test(build, locals_constants_and_the_four_memory_functions_are_fine)
{
    build_text("clamp.c",
               HEAD "#include <stddef.h>\nvoid *memcpy(void *, const void *, size_t);\n"
                    "void *memset(void *, int, size_t);\n"
                    "static const int32_t table[] = {1, 2, 3};\n"
                    "static __attribute__((noinline)) int32_t pick(size_t i) { return table[i % 3]; }\n" CLAMP
                    "{ int32_t t[64]; memset(t, lo, n); memcpy(v, t, n); v[0] = pick(n) + hi; }\n");
    expect_program(isa_native());
}

Test(build, defines_reach_the_source)
{
    const char *const defines[] = {"-DPARTITIONS=16", NULL};
    scratch_write("src/clamp.c", HEAD "_Static_assert(PARTITIONS == 16, \"\");\n" CLAMP EMPTY);
    build_select(&exercise, scratch_path("src"), isa_native(), &selection);
    build_variant(workdir, ".", &exercise, VARIANT_STUDENT, &selection, isa_native(), defines, &result);
    expect_program(isa_native());
}

/* That the program was linked with. */
static char *glue_object(size_t *size)
{
    char path[4096];
    struct error err;
    snprintf(path, sizeof path, "%s", result.program);
    snprintf(strrchr(path, '/'), sizeof "/glue.o", "/glue.o");
    char *object = textfile_read(path, 1 << 20, size, &err);
    cr_assert(object, "%s", err.text);
    return object;
}

Test(build, the_glue_comes_from_the_cache_and_goes_there_only_without_student_code)
{
    const char *const defines[] = {"-DPARTITIONS=16", NULL};
    char *folder = strdup(scratch_path("cache"));
    size_t cached_size, size;
    build_cache_use(folder);
    build_folder(exercise.solution, isa_native());
    expect_program(isa_native());
    cr_expect_eq(scratch_count("cache"), 0, "nothing is cached from a build with student code");
    build(VARIANT_REFERENCE, isa_native());
    cr_expect_eq(scratch_count("cache"), 1);
    char *cached = glue_object(&cached_size);
    build_folder(exercise.solution, isa_native());
    expect_program(isa_native());
    char *object = glue_object(&size);
    cr_assert_eq(size, cached_size);
    cr_expect_arr_eq(object, cached, size, "compiled again: it names another folder");
    build_result_free(&result);
    build_variant(workdir, ".", &exercise, VARIANT_REFERENCE, NULL, isa_native(), defines, &result);
    expect_program(isa_native());
    cr_expect_eq(scratch_count("cache"), 2, "another command, another object");
    build_cache_use(NULL);
    free(object);
    free(cached);
    free(folder);
}

Test(build, warnings_show_with_and_without_an_error)
{
    build_text("clamp.c", HEAD CLAMP "{ int unused; (void)v; (void)n; (void)lo, (void)hi; }\n");
    expect(BUILD_OK, "unused variable");
    expect(BUILD_OK, scratch_path("src/clamp.c:3:"));
    expect_not(workdir_path(workdir));
    build_text("clamp.c", HEAD CLAMP "{ int unused; (void)v; (void)n; (void)lo, (void)hi }\n");
    expect(BUILD_FAILED, "unused variable");
    expect(BUILD_FAILED, scratch_path("src/clamp.c:3:"));
    expect(BUILD_FAILED, "error: expected");
    expect_not(workdir_path(workdir));
}

/* However it is spelt; and headers of the compiler do without it. */
Test(build, nobody_asks_for_more_optimization)
{
    static const char *const asks[] = {
        "__attribute__((optimize(\"O3\")))",
        "__attribute__((__optimize__(\"O3\")))",
        "#pragma GCC optimize(\"O3\")\n",
        "#pragma GCC opti\\\nmize 3\n",
        "#undef optimize\n#pragma GCC optimize 3\n",
        "_Pragma(\"GCC optimize 3\")",
        "#define ASK(X) _Pragma(#X)\nASK(GCC optimize 3)",
        "#define ASK(A, B) __attribute__((A##B(3)))\nASK(opti, mize)",
        "#define SAY(X) #X\n#define DO(X) _Pragma(SAY(X))\n#define P(A, B) A##B\nDO(GCC P(opt, imize) 3)",
    };
    char text[512];
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        snprintf(text, sizeof text, "%s%s\n%s{ *v = (int32_t)n + lo + hi; }\n", HEAD, asks[i], CLAMP);
        build_text("clamp.c", text);
        expect(BUILD_FAILED, "error: attempt to use poisoned");
    }
    static const char *const headers[] = {"immintrin.h", "arm_neon.h"};
    snprintf(text, sizeof text, "%s#include <%s>\n%s{ *v = (int32_t)n + lo + hi; }\n", HEAD,
             headers[isa_native() == ISA_AARCH64], CLAMP);
    build_text("clamp.c", text);
    expect_program(isa_native());
}

Test(build, the_students_path_is_named_for_assembly_and_headers)
{
    build_text("aarch64/clamp.S", ".globl clamp\nclamp: rett\n");
    if (has_compiler(ISA_AARCH64))
        expect(BUILD_FAILED, scratch_path("src/aarch64/clamp.S:2: Error:"));
    else
        expect(BUILD_NO_COMPILER, "gcc-aarch64-linux-gnu");
    build_text("clamp.c", HEAD "int clamp(void) { return 0; }\n");
    expect(BUILD_FAILED, "conflicting types for 'clamp'");
    expect(BUILD_FAILED, "exercises/03-branch-elimination/exercise.h:");
}

Test(build, many_errors_are_cut_and_the_first_is_there)
{
    char text[8192] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    fputs(HEAD "static void f(void) {\n", out);
    for (int i = 0; i < 60; i++)
        fputs("{ int b; }\n", out);
    fputs("}\n#error \"first \x1b[31m\"\n", out);
    fclose(out);
    build_text("clamp.c", text);
    expect(BUILD_FAILED, "first ?[31m");
    unsigned lines = 1;
    for (const char *c = result.diagnostics; *c; c++)
        lines += *c == '\n';
    cr_expect_leq(lines, 21);
}

Test(build, a_missing_function_is_named)
{
    build_text("clamp.c", HEAD);
    expect(BUILD_FAILED, "clamp.c does not define `clamp`");
    build_text("clamp.c", HEAD "void Clamp(int32_t *v); void Clamp(int32_t *v) { (void)v; }\n");
    expect(BUILD_FAILED, "does not define `clamp`; what is defined there is `Clamp`");
    build_text("clamp.c", "");
    expect(BUILD_FAILED, "does not define `clamp`");
}

Test(build, names_with_controls)
{
    build_text("clamp.c", "__asm__(\".text\\n.globl \\\"a\\033[2Jb\\\"\\n\\\"a\\033[2Jb\\\": nop\");\n");
    expect(BUILD_FAILED, "what is defined there is `a?[2Jb`");
}

/* Each would take a search through all relocations: many minutes, were more looked for than are told. */
Test(build, no_end_of_findings)
{
    char file[32];
    const char *isa = isa_name(isa_native());
    snprintf(file, sizeof file, "%s/clamp.S", isa);
    scratch_write(file, ".globl clamp\n.type clamp, %function\nclamp: nop\n.section .rodata\n"
                        ".macro one\n.quad u\\@\n.endm\n.rept 300000\none\n.endr\n");
    build_folder(scratch_root, isa_native());
    expect(BUILD_FAILED, "uses `u4`");
    expect_not("`u5`");
}

Test(build, several_sources_and_who_defines_what)
{
    static char *two[] = {(char *)"clamp", (char *)"more"};
    static char *names[] = {(char *)"clamp", (char *)"floor_of"};
    exercise.sources = two;
    exercise.sources_count = 2;
    exercise.functions = names;
    exercise.functions_count = 2;
    scratch_write("src/clamp.c",
                  HEAD "int floor_of(int);\n" CLAMP "{ (void)n, (void)hi; v[0] = floor_of(lo); }\n");
    scratch_write("src/more.c", "int floor_of(int);\nint floor_of(int x) { return x + 1; }\n");
    build_folder(scratch_path("src"), isa_native());
    expect_program(isa_native());
    scratch_write("src/more.c", "\n");
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_FAILED, "none of ");
    expect(BUILD_FAILED, "more.c defines `floor_of`");
    scratch_write("src/more.c",
                  HEAD "static int a;\nint floor_of(int);\nint floor_of(int x) { return a += x; }\n");
    scratch_write("src/clamp.c", HEAD "static int b;\n" CLAMP "{ (void)n, (void)hi; v[0] = b += lo; }\n");
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_REJECTED, "clamp.c:2: `b` is a writable static");
    expect(BUILD_REJECTED, "\n");
    expect(BUILD_REJECTED, "more.c:2: `a` is a writable static");
    scratch_write("src/more.c", HEAD "int floor_of(int);\nint floor_of(int x) { return x; }\n" CLAMP EMPTY);
    scratch_write("src/clamp.c", HEAD CLAMP EMPTY);
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_FAILED, "multiple definition of `clamp'");
    expect_not(workdir_path(workdir));
}

Test(build, state_is_refused_by_name_and_line)
{
    build_text("clamp.c", HEAD "static int cache;\n" CLAMP "{ (void)n; (void)hi; v[0] = cache += lo; }\n");
    expect(BUILD_REJECTED,
           scratch_path("src/clamp.c:2: `cache` is a writable static: student code keeps no state"));
    build_text("clamp.c", HEAD CLAMP "{ (void)n; (void)hi;\n{ static int s = 7; v[0] = s += lo; }\n"
                                     "{ static int s; v[1] = s += lo; } }\n");
    expect(BUILD_REJECTED, "clamp.c:4: `s` is a writable static");
    expect(BUILD_REJECTED, "clamp.c:5: `s` is a writable static");
    build_text("clamp.c", HEAD "int shared = 3;\n" CLAMP "{ (void)n; (void)hi; v[0] = shared += lo; }\n");
    expect(BUILD_REJECTED, "clamp.c:2: `shared` is a writable global");
    expect_not("can be seen");
    build_text("clamp.c",
               HEAD "static __thread int mine;\n" CLAMP "{ (void)n; (void)hi; v[0] = mine += lo; }\n");
    expect(BUILD_REJECTED, "clamp.c:2: `mine` is a writable thread-local variable");
    build_text("clamp.c",
               HEAD "__attribute__((common)) int old;\n" CLAMP "{ (void)n; (void)hi; v[0] = old += lo; }\n");
    expect(BUILD_REJECTED, "clamp.c:2: `old` is a writable global");
    build_text("clamp.c", HEAD CLAMP EMPTY "__asm__(\".data\\n.quad 0\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "section .data holds 8 writable bytes");
    build_text("clamp.c",
               HEAD CLAMP EMPTY "__asm__(\".section .data.rel.ro,\\\"aw\\\"\\nq: .quad 0\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "`q` is a writable static");
}

Test(build, names_seen_from_outside_are_refused)
{
    build_text("clamp.c", HEAD "int helper(int x);\nint helper(int x) { return x; }\n" CLAMP EMPTY);
    expect(BUILD_REJECTED, scratch_path("src/clamp.c:3: `helper` can be seen from outside"));
    build_text("clamp.c", HEAD "__attribute__((weak)) void plan(void) {}\n" CLAMP EMPTY);
    expect(BUILD_REJECTED, "clamp.c:2: `plan` can be seen");
    build_text("clamp.c", HEAD "const int table[2] = {1, 2};\n" CLAMP EMPTY);
    expect(BUILD_REJECTED, "clamp.c:2: `table` can be seen");
    build_text("clamp.c", HEAD CLAMP EMPTY "__asm__(\".globl _start\\n.set _start, clamp\\n\");\n");
    expect(BUILD_REJECTED, "`_start` can be seen");
}

Test(build, a_function_has_to_be_one)
{
    build_text("clamp.c", "extern const int clamp;\nconst int clamp = 3;\n");
    expect(BUILD_REJECTED, "clamp.c:2: `clamp` has to be a function");
    build_text("clamp.c", "__asm__(\".globl clamp\\nclamp = 0x1234\\n\");\n");
    expect(BUILD_REJECTED, "`clamp` has to be a function");
}

Test(build, what_runs_by_itself_is_refused)
{
    build_text("clamp.c", HEAD
               "__attribute__((constructor)) static void f(void) { __asm__ volatile(\"\"); }\n" CLAMP EMPTY);
    expect(BUILD_REJECTED, "section .init_array has code run before or after the program");
    build_text("clamp.c", HEAD
               "__attribute__((destructor)) static void f(void) { __asm__ volatile(\"\"); }\n" CLAMP EMPTY);
    expect(BUILD_REJECTED, "section .fini_array");
    build_text("clamp.c", HEAD CLAMP EMPTY "__asm__(\".section .ctors.1,\\\"a\\\"\\n.quad 1\\n"
                                           ".section .preinit_array,\\\"a\\\"\\n.quad 1\\n"
                                           ".section .init,\\\"ax\\\"\\n.quad 1\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "section .ctors.1");
    expect(BUILD_REJECTED, "section .preinit_array");
    expect(BUILD_REJECTED, "section .init has");
    build_text("clamp.c",
               HEAD "static void plain(int32_t *v, size_t n, int32_t lo, int32_t hi)\n" EMPTY
                    "static void (*choose(void))(int32_t *, size_t, int32_t, int32_t) { return plain; }\n"
                    "__attribute__((ifunc(\"choose\"))) " CLAMP ";\n");
    expect(BUILD_REJECTED, "`clamp` is an indirect function");
}

Test(build, odd_sections_are_refused)
{
    build_text("clamp.c", HEAD CLAMP EMPTY "__asm__(\".section .mine,\\\"awx\\\"\\nnop\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "section .mine is both writable and executable");
    build_text("clamp.c", HEAD CLAMP EMPTY "__asm__(\".section .rodata\\n.zero 0x1000000\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "more than 16384 KiB");
    build_text("clamp.c", HEAD CLAMP EMPTY
               "__asm__(\".section .mine,\\\"a\\\"\\n.balign 0x100000\\n.quad 1\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "asks for an alignment of 1048576 bytes");
    build_text("clamp.c", HEAD CLAMP EMPTY "__asm__(\".section .gnu.lto_x\\n.quad 1\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "section .gnu.lto_x");
}

static void expect_no_reading(void)
{
    static const char *const files[] = {"solutions/03-branch-elimination/clamp.c",
                                        "exercises/03-branch-elimination/cases.c", "Makefile"};
    char here[4096], text[8192];
    if (!isolation_state()->landlock)
        cr_skip_test("no Landlock here: %s", isolation_state()->landlock_why);
    cr_assert(getcwd(here, sizeof here));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(text, sizeof text, "#include \"%s/%s\"\n", here, files[i]);
        build_text("clamp.c", text);
        expect(BUILD_FAILED, files[i]);
        snprintf(text, sizeof text, "__asm__(\".incbin \\\"%s/%s\\\"\");\n", here, files[i]);
        build_text("clamp.c", text);
        expect(BUILD_FAILED, "file not found");
    }
    build_text("clamp.c", "#include \"/dev/zero\"\n");
    expect(BUILD_FAILED, "/dev/zero");
}

Test(build, the_compiler_cannot_read_the_instructors_files)
{
    expect_no_reading();
}

/* They could be read by this user; another wall than their mode stands before them. */
Test(build, nor_can_an_ordinary_users_compiler)
{
    struct error err;
    char here[4096];
    cr_assert(getcwd(here, sizeof here));
    if (geteuid() == 0) { /* the folders are made anew by who is to use them */
        workdir_destroy(workdir);
        workdir = NULL;
        char command[4200];
        snprintf(command, sizeof command, "chown -R nobody '%s'", scratch_root);
        cr_assert_eq(system(command), 0);
        cr_assert(drop_privileges());
        prctl(PR_SET_DUMPABLE, 1);
        if (access(here, R_OK | X_OK) != 0)
            cr_skip_test("%s is where an ordinary user cannot come", here);
        workdir = workdir_create(&err);
        cr_assert(workdir, "%s", err.text);
    }
    expect_no_reading();
}

Test(build, what_only_linkers_should_make_is_refused)
{
    static const struct {
        const char *assembly, *says;
    } odd[] = {
        {".section .note.GNU-stack,\\\"x\\\"", "asks for an executable stack"},
        {".section .gnu.hash,\\\"a\\\"\\n.quad 1",
         "section .gnu.hash is neither plain code nor plain constants"},
        {".section .hash,\\\"a\\\"\\n.quad 1", "section .hash is neither"},
        {".section .note.x,\\\"a\\\",%note\\n.quad 1", "section .note.x is neither"},
        {".section mine,\\\"aG\\\",%progbits,g,comdat\\n.quad 1", "leave out in favour of other code"},
        {".section .gnu.linkonce.t.x,\\\"ax\\\"\\nnop", "section .gnu.linkonce.t.x"},
        {".section .gnu.warning.clamp\\n.asciz \\\"PASS\\\"", "words for the linker"},
        {".section mine,\\\"aT\\\"\\n.quad 1", "section mine is neither"},
        {".section .rodata.x,\\\"ae\\\"\\n.quad 1", "section .rodata.x is neither"},
        {".weak clamp", "`clamp` is weak: define it plainly"},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD CLAMP EMPTY "__asm__(\"%s\\n.text\\n\");\n", odd[i].assembly);
        build_text("clamp.c", text);
        expect(BUILD_REJECTED, odd[i].says);
    }
    build_text("clamp.c", HEAD "static const char text[] __attribute__((used, section(\"mine\"))) = \"x\";\n"
                               "__attribute__((section(\".text.mine\"))) " CLAMP EMPTY
                               "__asm__(\".section .note.gnu.property,\\\"a\\\"\\n.long 4, 16, 5\\n"
                               ".asciz \\\"GNU\\\"\\n.long 0xc0000000, 4, 0, 0\\n.text\\n\");\n");
    expect(BUILD_OK, "");
}

Test(build, what_is_not_there_is_named_with_its_use)
{
    build_text("clamp.c", HEAD "int printf(const char *, ...);\n" CLAMP "{ (void)v; (void)n; (void)lo;\n"
                               "  printf(\"%d\", hi); }\n");
    expect(BUILD_FAILED,
           scratch_path("src/clamp.c:5: `clamp` calls `printf`, but there is no C library here"));
    build_text("clamp.c",
               HEAD "extern int errno;\n" CLAMP "{ (void)n; (void)lo; (void)hi; v[0] = errno; }\n");
    expect(BUILD_FAILED, "clamp.c:4: `clamp` uses `errno`");
    build_text("clamp.c",
               HEAD CLAMP "{ (void)lo; v[0] = (int)((unsigned __int128)n * n / (unsigned)hi); }\n");
    expect(BUILD_FAILED, "`clamp` calls `__udivti3`, by which the compiler divides numbers of 128 bits");
    expect_not("which is not there");
    build_text("clamp.c", HEAD CLAMP EMPTY "__asm__(\".globl nothing\\n\");\n");
    expect(BUILD_FAILED, "");
}

Test(build, cross_objects_are_looked_into_as_well)
{
    if (!has_compiler(ISA_AARCH64))
        cr_skip_test("no compiler for AArch64 here");
    build_text("aarch64/clamp.c", HEAD "void *malloc(size_t);\nvoid free(void *);\n" CLAMP
                                       "{ (void)v; (void)hi; (void)lo;\n  free(malloc(n)); }\n");
    expect(BUILD_FAILED, "aarch64/clamp.c:6: `clamp` calls `malloc`");
    expect(BUILD_FAILED, "`clamp` calls `free`");
    build_text("aarch64/clamp.c",
               HEAD "static int cache;\n" CLAMP "{ (void)n; (void)hi; v[0] = cache += lo; }\n");
    expect(BUILD_REJECTED, "aarch64/clamp.c:2: `cache` is a writable static");
    expect_not("`$d`");
    build_text("aarch64/clamp.c", HEAD CLAMP EMPTY "__asm__(\".data\\n.quad 0\\n.text\\n\");\n");
    expect(BUILD_REJECTED, "section .data holds 8 writable bytes");
}

Test(build, only_regular_files_of_a_sane_size)
{
    mkdir(scratch_path("src"), 0755);
    cr_assert_eq(mkfifo(scratch_path("src/clamp.c"), 0644), 0);
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_REJECTED, "expected a regular file");
    unlink(scratch_path("src/clamp.c"));
    cr_assert_eq(symlink("/dev/zero", scratch_path("src/clamp.c")), 0);
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_REJECTED, "is a link that leads out of its folder");
    unlink(scratch_path("src/clamp.c"));
    cr_assert_eq(symlink("nowhere", scratch_path("src/clamp.c")), 0);
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_REJECTED, "No such file");
    unlink(scratch_path("src/clamp.c"));
    mkdir(scratch_path("src/clamp.c"), 0755);
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_REJECTED, "found a folder");
    rmdir(scratch_path("src/clamp.c"));
    build_text("clamp.c", "");
    cr_assert_eq(truncate(scratch_path("src/clamp.c"), 2 << 20), 0);
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_REJECTED, "at most 1048576 bytes");
    unlink(scratch_path("src/clamp.c"));
    scratch_write("elsewhere.c", HEAD CLAMP EMPTY);
    cr_assert_eq(symlink("../elsewhere.c", scratch_path("src/clamp.c")), 0);
    build_folder(scratch_path("src"), isa_native());
    expect(BUILD_REJECTED, "is a link that leads out of its folder");
    unlink(scratch_path("src/clamp.c"));
    scratch_write("src/inside.c", HEAD CLAMP EMPTY);
    cr_assert_eq(symlink("inside.c", scratch_path("src/clamp.c")), 0);
    build_folder(scratch_path("src"), isa_native());
    expect_program(isa_native());
}

Test(build, compiler_bombs_end)
{
    build_text("clamp.c", "#include \"/dev/zero\"\n");
    expect(BUILD_FAILED, "clamp.c");
    build_text("clamp.c", "__asm__(\".incbin \\\"/dev/zero\\\"\");\n");
    expect(BUILD_FAILED, "");
}

Test(build, no_selection_no_build)
{
    build_folder(scratch_path("nowhere"), isa_native());
    expect(BUILD_FAILED, "nowhere");
}

Test(build, what_is_ours_and_broken_is_an_error)
{
    exercise.baseline = false;
    build(VARIANT_BASELINE, isa_native());
    expect(BUILD_ERROR, "has no baseline");
    exercise.baseline = true;
    exercise.solution = scratch_root;
    build(VARIANT_REFERENCE, isa_native());
    expect(BUILD_ERROR, "expected clamp.c or ");
    scratch_write("clamp.c", "broken\n");
    build(VARIANT_REFERENCE, isa_native());
    expect(BUILD_ERROR, "this part of the exercise does not build: ");
    expect(BUILD_ERROR, scratch_path("clamp.c:1:"));
    char isa_file[64];
    snprintf(isa_file, sizeof isa_file, "%s/clamp.S", isa_name(isa_native()));
    scratch_write(isa_file, ".globl clamp\nclamp: ret\n");
    build(VARIANT_REFERENCE, isa_native());
    expect_program(isa_native());
    exercise.folder = scratch_root;
    build(VARIANT_BASELINE, isa_native());
    expect(BUILD_ERROR, "baseline/");
    build(VARIANT_REFERENCE, isa_native());
    expect(BUILD_ERROR, "glue.c");
    scratch_write("glue.c", "broken\n");
    build(VARIANT_REFERENCE, isa_native());
    expect(BUILD_ERROR, scratch_path("glue.c:1:"));
    exercise.folder = (char *)"nowhere";
    build(VARIANT_REFERENCE, isa_native());
    expect(BUILD_ERROR, "nowhere");
    expect(BUILD_ERROR, "No such file");
}

Test(build, a_missing_runner_is_named)
{
    build_set_runner_folder("/nonexistent");
    build_folder(exercise.solution, isa_native());
    build_set_runner_folder(NULL);
    expect(BUILD_ERROR, "/nonexistent/");
    expect(BUILD_ERROR, "make runners");
}

Test(build, a_missing_compiler_is_named_with_its_package)
{
    setenv("PATH", scratch_root, 1);
    build_folder(exercise.solution, isa_native());
    expect(BUILD_NO_COMPILER, "install the package gcc");
    build_folder(exercise.solution, isa_native() == ISA_X86_64 ? ISA_AARCH64 : ISA_X86_64);
    expect(BUILD_NO_COMPILER, isa_native() == ISA_X86_64
                                  ? "aarch64-linux-gnu-gcc was not found; install the package "
                                    "gcc-aarch64-linux-gnu"
                                  : "gcc-x86-64-linux-gnu");
}

/* A compiler of our own making, in front of the others. */
static void play_compiler(const char *script)
{
    char path[9000];
    scratch_write("bin/gcc", script);
    chmod(scratch_path("bin/gcc"), 0755);
    snprintf(path, sizeof path, "%s/bin:%s", scratch_root, getenv("PATH"));
    setenv("PATH", path, 1);
}

Test(build, a_compiler_that_dies_or_lies)
{
    play_compiler("#!/bin/sh\nexec yes >../out/big\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "the compiler could not do its work");
    play_compiler("#!/bin/sh\necho 'gcc: fatal error: cannot execute cc1: vfork: Resource temporarily "
                  "unavailable'; exit 1\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "the compiler could not do its work");
    expect(BUILD_ERROR, "gcc: fatal error: cannot execute");
    play_compiler("#!/bin/sh\nexit 5\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "the compiler could not do its work");
    play_compiler("#!/bin/sh\necho 'clamp.c:1:2: error: not mine'; exit 1\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_FAILED, "not mine");
    play_compiler("#!/bin/sh\nfor last; do :; done\ntouch ../out/glue.o ../out/0-clamp.o\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "expected an object file");
    play_compiler("#!/bin/sh\nexit 0\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "0-clamp.o: No such file");
    play_compiler("#!/bin/sh\nmkdir -p ../out/0-clamp.o\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "expected an object file");
    play_compiler("#!/no/such/shell\n");
    setenv("PATH", scratch_path("bin"), 1);
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "cannot run gcc");
}

/* gcc in front of the real one, whose cc1 is a script: what becomes of it is told by the kernel, not by
 * words. */
static void play_cc1(const char *script)
{
    scratch_write("bin/cc1", script);
    chmod(scratch_path("bin/cc1"), 0755);
    char gcc[9000];
    snprintf(gcc, sizeof gcc, "#!/bin/sh\nexec /usr/bin/gcc -B%s/bin/ \"$@\"\n", scratch_root);
    play_compiler(gcc);
}

/* Also where no bubblewrap is, or none is used as for what is ours, it executes what lies beside it. */
Test(build, a_compiler_from_elsewhere_brings_its_own_programs)
{
    play_cc1("#!/bin/sh\nexec $(/usr/bin/gcc -print-prog-name=cc1) \"$@\"\n");
    build(VARIANT_REFERENCE, isa_native());
    expect(BUILD_OK, "");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_OK, "");
}

Test(build, a_compiler_killed_from_outside_says_nothing_of_the_source)
{
    play_cc1("#!/bin/sh\necho 'clamp.c:7:1: warning: odd' >&2\nexit 137\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "somebody killed the compiler");
    play_cc1("#!/bin/sh\nexit 143\n");
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "somebody killed the compiler");
    play_cc1("#!/bin/sh\necho 'clamp.c:7:1: error: bad' >&2\nexit 139\n"); /* its own doing */
    build_folder(exercise.solution, isa_native());
    expect(BUILD_FAILED, "bad");
}

/* Words of a source are no such end. */
Test(build, a_source_that_plays_a_killed_compiler_fails)
{
    static const char *const sources[] = {
        "#line 1 \"gcc: fatal error: Killed signal terminated program cc1\\nbwrap: no\"\n#error x\n",
        "__asm__(\".print \\\"gcc: fatal error: Killed signal terminated program cc1\\\"\\n.err\");\n",
        "# 1 \"zz\"\n__asm__(\".print \\\"fork: Resource temporarily unavailable\\\"\\n.err\");\n",
        "__asm__(\".print \\\"bwrap: cannot execute\\\"\\n.abort\");\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        scratch_write("in/clamp.c", sources[i]);
        build_folder(scratch_path("in"), isa_native());
        expect(BUILD_FAILED, "");
    }
}

/* The kernel takes bubblewrap's mounts apart a moment after its last process has gone. */
static bool make_read_only(const char *disk)
{
    bool done = false;
    errno = EBUSY;
    for (int i = 0; i < 1000 && !done && errno == EBUSY; i++) {
        done = mount("none", disk, "tmpfs", MS_REMOUNT | MS_RDONLY, "") == 0;
        if (!done)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return done;
}

Test(build, a_full_or_read_only_disk_is_an_error)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        cr_skip_test("needs the right to mount");
    struct error err;
    workdir_destroy(workdir);
    workdir = NULL;
    cr_assert_eq(mkdir(scratch_path("small"), 0755), 0);
    if (mount("none", scratch_path("small"), "tmpfs", 0, "size=4k,mode=0777") != 0)
        cr_skip_test("needs the right to mount");
    setenv("TMPDIR", scratch_path("small"), 1);
    workdir = workdir_create(&err);
    cr_assert(workdir, "%s", err.text);
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "no space left; make room there, or set TMPDIR");
    /* Somewhere between too small to copy the sources and large enough the compiler runs out. */
    bool compiler_said = false;
    for (int size = 32; size <= 512; size += 16) {
        char options[32];
        snprintf(options, sizeof options, "size=%dk", size);
        workdir_destroy(workdir);
        mount("none", scratch_path("small"), "tmpfs", MS_REMOUNT, options);
        cr_assert(workdir = workdir_create(&err));
        build_folder(exercise.solution, isa_native());
        if (result.outcome == BUILD_OK)
            break;
        expect(BUILD_ERROR, "o space left");
        compiler_said |= strstr(result.diagnostics, "the compiler could not write") != NULL;
    }
    cr_expect(compiler_said);
    expect_program(isa_native());
    workdir_destroy(workdir);
    build_result_free(&result);
    cr_assert(make_read_only(scratch_path("small")), "%s", strerror(errno));
    workdir = workdir_create(&err);
    cr_expect_null(workdir);
    cr_expect(strstr(err.text, "Read-only file system"), "%s", err.text);
    umount(scratch_path("small"));
}

Test(build, what_cannot_be_written_is_named)
{
    cr_assert_eq(rename(workdir_path(workdir), scratch_path("moved")), 0);
    build_folder(exercise.solution, isa_native());
    expect(BUILD_ERROR, "cannot create ");
    expect(BUILD_ERROR, "No such file or directory");
    cr_assert_eq(rename(scratch_path("moved"), workdir_path(workdir)), 0);
}

Test(build, names)
{
    cr_expect_str_eq(isa_name(ISA_AARCH64), "aarch64");
    cr_expect_str_eq(variant_name(VARIANT_BASELINE), "baseline");
}

/* Where a function lies in a program. */
static uint64_t address_of(const char *program, const char *name)
{
    uint64_t address = 0;
    int fd = open(program, O_RDONLY);
    cr_assert_geq(fd, 0, "%s", program);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        GElf_Sym symbol;
        Elf_Data *data = elf_getdata(section, NULL);
        gelf_getshdr(section, &header);
        for (int i = 0; header.sh_type == SHT_SYMTAB && gelf_getsym(data, i, &symbol); i++)
            if (strcmp(elf_strptr(elf, header.sh_link, symbol.st_name), name) == 0)
                address = symbol.st_value;
    }
    elf_end(elf);
    close(fd);
    return address;
}

static void lies_elsewhere(const char *attributes)
{
    bool seen[4] = {false};
    build_result_free(&result);
    char source[1024];
    snprintf(source, sizeof source, "%s%s%s", HEAD, attributes,
             CLAMP "{ (void)v, (void)n, (void)lo, (void)hi; }\n");
    scratch_write("src/clamp.c", source);
    build_select(&exercise, scratch_path("src"), isa_native(), &selection);
    build_in_places(workdir, ".", &exercise, VARIANT_STUDENT, &selection, isa_native(), NULL, BUILD_PLACES,
                    &result);
    cr_assert_eq(result.outcome, BUILD_OK, "%s", result.diagnostics);
    for (unsigned i = 0; i < BUILD_PLACES; i++) {
        char *path = build_place(result.program, i);
        uint64_t address = address_of(path, "clamp");
        cr_expect_neq(address, 0);
        seen[address / 16 % 4] = true;
        for (unsigned j = 0; j < i; j++) {
            char *other = build_place(result.program, j);
            cr_expect_neq(address_of(other, "clamp"), address);
            free(other);
        }
        free(path);
    }
    cr_expect(seen[0] && seen[1] && seen[2] && seen[3], "each part of a cache line: %s", attributes);
    selection_free(&selection);
}

Test(build, in_other_places_code_lies_elsewhere_and_keeps_its_alignment)
{
    lies_elsewhere("");
    lies_elsewhere("__attribute__((hot)) ");
    lies_elsewhere("__attribute__((cold, aligned(16))) ");
    lies_elsewhere("__attribute__((section(\".text.startup\"))) ");
}
