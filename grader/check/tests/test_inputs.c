#include "grader/tests/scratch.h"

#include <elf.h>
#include <string.h>
#include "grader/base/seed_text.h"
#include "grader/check/inputs.h"

/* A program of one loaded segment, and a section that is not loaded. */
struct program {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    char code[16], debug[16];
};

static uint64_t number(const char *seed, const char *code, uint64_t address, const char *debug)
{
    struct program program = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                                         .e_phoff = offsetof(struct program, segment),
                                         .e_phentsize = sizeof(Elf64_Phdr),
                                         .e_phnum = 1},
                              .segment = {.p_type = PT_LOAD,
                                          .p_offset = 0,
                                          .p_vaddr = address,
                                          .p_filesz = offsetof(struct program, debug)}};
    struct error err;
    uint64_t inputs = 0;
    const char *path = scratch_path("program");
    strcpy(program.code, code);
    strcpy(program.debug, debug);
    program.header.e_shoff = offsetof(struct program, debug) + strlen(debug);
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(&program, sizeof program, 1, file) == 1 && fclose(file) == 0);
    cr_assert(inputs_seed(seed, path, &inputs, &err), "%s", err.text);
    return inputs;
}

TestSuite(inputs, .init = scratch_make, .fini = scratch_remove);

Test(inputs, follow_from_the_seed_and_what_is_loaded)
{
    const uint64_t inputs = number("1", "code", 0x1000, "line 3");
    cr_expect_eq(inputs, number("1", "code", 0x1000, "line 3"));
    cr_expect_eq(inputs, number("1", "code", 0x1000, "line 4444"), "debug information does not count");
    cr_expect_neq(inputs, number("2", "code", 0x1000, "line 3"));
    cr_expect_neq(inputs, number("1", "cod3", 0x1000, "line 3"), "one more constant, other inputs");
    cr_expect_neq(inputs, number("1", "code", 0x2000, "line 3"));
    cr_expect_neq(inputs_of_bounds(inputs, 0), inputs_of_bounds(inputs, 1));
}

/* Code in a section from 0x1008 on, with what stands before it in the segment, and a symbol at 0x100f. */
static uint64_t with_runner(const char *code, const char *symbol, unsigned char bind)
{
    struct {
        Elf64_Ehdr header;
        Elf64_Phdr segment;
        Elf64_Shdr section[4];
        Elf64_Sym symbols[2];
        char code[32], strings[32];
    } file = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_EXEC,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_phoff = sizeof(Elf64_Ehdr),
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = 1,
                         .e_shoff = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 4}};
    struct error err;
    uint64_t inputs = 0;
    const char *path = scratch_path("program");
    file.header.e_entry = (uint64_t)(unsigned char)code[10]; /* somewhere in the runner */
    memcpy(file.code, code, strlen(code));
    strcpy(file.strings + 1, symbol);
    file.segment = (Elf64_Phdr){.p_type = PT_LOAD,
                                .p_offset = (uint64_t)(file.code - (char *)&file),
                                .p_vaddr = 0x1000,
                                .p_filesz = sizeof file.code};
    file.section[1] = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
                                   .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                   .sh_addr = 0x1008,
                                   .sh_offset = file.segment.p_offset + 8,
                                   .sh_size = sizeof file.code - 8};
    file.section[2] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                   .sh_offset = (uint64_t)((char *)file.symbols - (char *)&file),
                                   .sh_size = sizeof file.symbols,
                                   .sh_entsize = sizeof(Elf64_Sym),
                                   .sh_addralign = 8,
                                   .sh_link = 3};
    file.section[3] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                   .sh_offset = (uint64_t)(file.strings - (char *)&file),
                                   .sh_size = sizeof file.strings,
                                   .sh_addralign = 1};
    file.symbols[1] =
        (Elf64_Sym){.st_name = 1, .st_info = (unsigned char)(bind << 4), .st_shndx = 1, .st_value = 0x100f};
    FILE *out = fopen(path, "wb");
    cr_assert(out && fwrite(&file, sizeof file, 1, out) == 1 && fclose(out) == 0);
    cr_assert(inputs_seed("1", path, &inputs, &err), "%s", err.text);
    return inputs;
}

Test(inputs, the_suites_own_code_does_not_count)
{
    static const char one[] = "before__runner__student_", other[] = "before__RUNNER__student_";
    const uint64_t inputs = with_runner(one, "runner_last", STB_GLOBAL);
    cr_expect_eq(inputs, with_runner(other, "runner_last", STB_GLOBAL));
    cr_expect_neq(inputs, with_runner("before_!runner__student_", "runner_last", STB_GLOBAL));
    cr_expect_neq(inputs, with_runner("before__runner__Student_", "runner_last", STB_GLOBAL));
    cr_expect_neq(inputs, with_runner("before__runner__studenT_", "runner_last", STB_GLOBAL));
    cr_expect_neq(with_runner(one, "runner_last", STB_LOCAL), with_runner(other, "runner_last", STB_LOCAL),
                  "anybody can have a local one");
    cr_expect_neq(with_runner(one, "other_last", STB_GLOBAL), with_runner(other, "other_last", STB_GLOBAL));
}

Test(inputs, need_a_program)
{
    struct error err;
    uint64_t inputs;
    scratch_write("text", "#!/bin/sh\n");
    cr_expect_not(inputs_seed("1", scratch_path("text"), &inputs, &err));
    cr_expect_not_null(strstr(err.text, "expected a 64-bit ELF program"), "%s", err.text);
    cr_expect_not(inputs_seed("1", scratch_path("nothing"), &inputs, &err));
}

Test(inputs, segments_beyond_the_file_are_no_program)
{
    struct error err;
    uint64_t inputs;
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                         .e_phoff = UINT64_MAX - 8,
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = 3};
    FILE *file = fopen(scratch_path("cut"), "wb");
    cr_assert(file && fwrite(&header, sizeof header, 1, file) == 1 && fclose(file) == 0);
    cr_expect_not(inputs_seed("1", scratch_path("cut"), &inputs, &err));
}

/* A program with the constant, as the linker writes one: `section` is where it lies. */
static uint32_t student(const char *name, uint64_t flags, uint32_t type, uint64_t at)
{
    static const char strings[] = "\0student_number\0other";
    struct {
        Elf64_Ehdr header;
        Elf64_Shdr section[4];
        Elf64_Sym symbols[2];
        uint32_t data[4];
        char strings[sizeof strings];
    } file = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_EXEC,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_shoff = sizeof(Elf64_Ehdr),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 4},
              .data = {7, 20417, 9, 11}};
    const char *path = scratch_path("program");
    memcpy(file.strings, strings, sizeof strings);
    file.section[1] = (Elf64_Shdr){.sh_type = type,
                                   .sh_flags = flags,
                                   .sh_addr = 0x1000,
                                   .sh_offset = (char *)file.data - (char *)&file,
                                   .sh_size = sizeof file.data,
                                   .sh_addralign = 4};
    file.section[2] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                   .sh_offset = (char *)file.symbols - (char *)&file,
                                   .sh_size = sizeof file.symbols,
                                   .sh_entsize = sizeof(Elf64_Sym),
                                   .sh_addralign = 8,
                                   .sh_link = 3};
    file.section[3] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                   .sh_offset = (char *)file.strings - (char *)&file,
                                   .sh_size = sizeof strings,
                                   .sh_addralign = 1};
    file.symbols[1] = (Elf64_Sym){.st_name = strcmp(name, "other") == 0 ? 16 : 1,
                                  .st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
                                  .st_shndx = 1,
                                  .st_value = at,
                                  .st_size = 4};
    FILE *out = fopen(path, "wb");
    cr_assert(out && fwrite(&file, sizeof file, 1, out) == 1 && fclose(out) == 0);
    return inputs_student(path);
}

Test(inputs, the_students_number_is_a_constant_of_the_code)
{
    cr_expect_eq(student("student_number", SHF_ALLOC, SHT_PROGBITS, 0x1004), 20417);
    cr_expect_eq(student("student_number", SHF_ALLOC, SHT_PROGBITS, 0x100c), 11, "the last one");
    cr_expect_eq(student("other", SHF_ALLOC, SHT_PROGBITS, 0x1004), 0, "another name");
    cr_expect_eq(student("student_number", SHF_ALLOC | SHF_WRITE, SHT_PROGBITS, 0x1004), 0, "a variable");
    cr_expect_eq(student("student_number", SHF_ALLOC, SHT_NOBITS, 0x1004), 0, "nothing there");
    cr_expect_eq(student("student_number", SHF_ALLOC, SHT_PROGBITS, 0x100e), 0, "beyond the section");
    cr_expect_eq(student("student_number", SHF_ALLOC, SHT_PROGBITS, 0xfff), 0, "before it");
    cr_expect_eq(student("student_number", SHF_ALLOC, SHT_PROGBITS, UINT64_MAX), 0);
}

Test(inputs, no_number_where_there_is_no_program)
{
    scratch_write("text", "#!/bin/sh\n");
    cr_expect_eq(inputs_student(scratch_path("text")), 0);
    cr_expect_eq(inputs_student(scratch_path("nothing")), 0);
}

Test(inputs, seeds)
{
    char one[SEED_TEXT], two[SEED_TEXT], longest[SEED_MOST + 2];
    struct error err;
    cr_assert(seed_fresh(one, &err) && seed_fresh(two, &err), "%s", err.text);
    cr_expect(seed_is_good(one) && strlen(one) == 2 * SEED_FRESH_BYTES);
    cr_expect_str_neq(one, two);
    cr_expect(seed_is_good("1") && seed_is_good("autumn-2026-X"));
    cr_expect_not(seed_is_good("") || seed_is_good(" 1") || seed_is_good("a_b") || seed_is_good("a\nb"));
    memset(longest, 'x', sizeof longest);
    longest[SEED_MOST + 1] = '\0';
    cr_expect_not(seed_is_good(longest));
    cr_expect(seed_is_good(longest + 1));
    cr_expect_eq(seed_number("1"), seed_number("1"));
    cr_expect_neq(seed_number("1"), seed_number("2"));
}
