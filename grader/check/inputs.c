#include "grader/check/inputs.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/sha256.h"
#include "grader/base/textfile.h"
#include "harness/base/seed.h"

enum { PROGRAM_LIMIT = 64 << 20, BOUNDS = 1000 /* behind the correctness cases' indices */ };

static const char STUDENT_NUMBER[] = "student_number";

/* The segments that are loaded, with where each comes to lie. The program is what the suite's own linker
 * wrote, but of a student's objects. */
static bool add_segments(struct sha256 *hash, char *data, size_t size)
{
    Elf64_Ehdr header;
    if (size < sizeof header)
        return false;
    memcpy(&header, data, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    /* A segment may begin with the header, and that tells where sections lie, which moves with debug
     * information. */
    Elf64_Ehdr bare = header;
    bare.e_shoff = 0;
    bare.e_shnum = bare.e_shstrndx = 0;
    memcpy(data, &bare, sizeof bare);
    for (size_t i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        if (header.e_phoff > size || (i + 1) * sizeof segment > size - header.e_phoff)
            return false;
        memcpy(&segment, data + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type != PT_LOAD)
            continue;
        if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
            return false;
        sha256_number(hash, segment.p_vaddr);
        sha256_part(hash, data + segment.p_offset, segment.p_filesz);
    }
    return true;
}

bool inputs_seed(const char *seed, const char *program, uint64_t *number, struct error *err)
{
    struct sha256 hash = sha256_new();
    size_t size;
    char *data = textfile_read(program, PROGRAM_LIMIT, &size, err);
    if (!data)
        return false;
    sha256_words(&hash, "inputs");
    sha256_words(&hash, seed);
    bool good = add_segments(&hash, data, size);
    free(data);
    if (!good)
        return error_set(err, "%s: expected a 64-bit ELF program, found something else", program);
    *number = sha256_prefix(&hash);
    return true;
}

/* Four bytes of a section that is loaded and stays as it is. */
static bool read_constant(Elf *elf, const GElf_Sym *symbol, uint32_t *number)
{
    Elf_Scn *section = elf_getscn(elf, symbol->st_shndx);
    GElf_Shdr header;
    const Elf_Data *data;
    if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
        (header.sh_flags & (SHF_ALLOC | SHF_WRITE)) != SHF_ALLOC || !(data = elf_rawdata(section, NULL)) ||
        symbol->st_value < header.sh_addr)
        return false;
    const uint64_t at = symbol->st_value - header.sh_addr;
    if (!data->d_buf || data->d_size < sizeof *number || at > data->d_size - sizeof *number)
        return false;
    memcpy(number, (const char *)data->d_buf + at, sizeof *number);
    return true;
}

static uint32_t find_student(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    uint32_t number;
    while ((section = elf_nextscn(elf, section))) {
        Elf_Data *symbols =
            gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_entsize
                ? elf_getdata(section, NULL)
                : NULL;
        for (size_t i = 1; symbols && i < header.sh_size / header.sh_entsize; i++) {
            const char *name = gelf_getsym(symbols, (int)i, &symbol)
                                   ? elf_strptr(elf, header.sh_link, symbol.st_name)
                                   : NULL;
            if (name && strcmp(name, STUDENT_NUMBER) == 0 && read_constant(elf, &symbol, &number))
                return number;
        }
    }
    return 0;
}

uint32_t inputs_student(const char *program)
{
    uint32_t number = 0;
    elf_version(EV_CURRENT);
    const int fd = open(program, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        number = find_student(elf);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return number;
}

uint64_t inputs_of_bounds(uint64_t inputs, unsigned first)
{
    return seed_derive(inputs, BOUNDS + first);
}
