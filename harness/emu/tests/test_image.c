/* Programs that no linker of ours would make: what the image does not take, and says so. */
#include <criterion/criterion.h>
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/emu/image.h"
#include "harness/arena/plan.h"

enum { BASE = 0x400000, CODE = 0x100, CODE_SIZE = 16, NAMES = CODE + CODE_SIZE };

/* A page with code, and a second segment; three sections. */
struct program {
    Elf64_Ehdr header;
    Elf64_Phdr segments[2];
    char code[NAMES - sizeof(Elf64_Ehdr) - 2 * sizeof(Elf64_Phdr)];
    char names[16];
    Elf64_Shdr sections[4];
};

static struct program program(void)
{
    return (struct program){
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_AARCH64,
                   .e_version = EV_CURRENT,
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phoff = offsetof(struct program, segments),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 2,
                   .e_shoff = offsetof(struct program, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 4,
                   .e_shstrndx = 3},
        .segments = {{.p_type = PT_LOAD,
                      .p_flags = PF_R | PF_X,
                      .p_vaddr = BASE,
                      .p_filesz = NAMES,
                      .p_memsz = NAMES},
                     {.p_type = PT_NULL}},
        .sections = {{0},
                     {.sh_type = SHT_PROGBITS,
                      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                      .sh_addr = BASE + CODE,
                      .sh_offset = CODE,
                      .sh_size = CODE_SIZE},
                     {.sh_type = SHT_PROGBITS},
                     {.sh_type = SHT_STRTAB,
                      .sh_offset = offsetof(struct program, names),
                      .sh_size = sizeof(((struct program *)0)->names)}}};
}

static void expect(const struct program *wrong, const char *message)
{
    char path[] = "/tmp/cyclelab-test-XXXXXX";
    struct image image;
    struct error err = {""};
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, wrong, sizeof *wrong), (ssize_t)sizeof *wrong);
    close(fd);
    cr_expect_not(image_open(&image, path, &err));
    cr_expect(strstr(err.text, message), "expected \"%s\" in \"%s\"", message, err.text);
    unlink(path);
}

Test(image, as_far_as_it_is_right)
{
    const struct program right = program();
    expect(&right, "has no symbols");
}

Test(image, segments_in_odd_places)
{
    static const struct {
        uint64_t address, in_file, in_memory, offset;
    } odd[] = {
        {UINT64_C(0xfffffffffffff000), 16, 0x2000, 0}, /* ends where addresses begin anew */
        {UINT64_MAX, 0, 1, 0},
        {ARENA_BASE, 0, 4096, 0},
        {ARENA_BASE - 4096, 0, 8192, 0},
        {0, 0, 4096, 0},
        {0x500000, 0, UINT64_MAX, 0},
        {0x500000, 8192, 4096, 0},
        {0x500000, 16, 16, UINT64_MAX - 8},
        {0x500000, 0x4000, 0x4000, 64},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct program wrong = program();
        wrong.segments[1] = (Elf64_Phdr){.p_type = PT_LOAD,
                                         .p_flags = PF_R,
                                         .p_vaddr = odd[i].address,
                                         .p_filesz = odd[i].in_file,
                                         .p_memsz = odd[i].in_memory,
                                         .p_offset = odd[i].offset};
        expect(&wrong, "is not where a program's are");
    }
}

Test(image, code_without_bytes)
{
    struct program empty = program();
    empty.sections[2].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    expect(&empty, "has no symbols"); /* it lies nowhere, and does not matter */
    struct program outside = empty;
    outside.sections[2].sh_size = 4;
    expect(&outside, "is in no segment");
}
