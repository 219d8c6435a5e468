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

/* Of addresses: from begin on, below end. */
struct range {
    uint64_t begin, end;
};

/* Of a segment: what lies in that range. */
static void clear(char *bytes, uint64_t address, uint64_t size, const struct range *range)
{
    const uint64_t begin = range->begin > address ? range->begin - address : 0,
                   end = range->end > address ? range->end - address : 0;
    if (begin < end && end <= size)
        memset(bytes + begin, 0, end - begin);
}

/* The segments that are loaded, with where each comes to lie; without what is the runner's. The program is
 * what the suite's own linker wrote, but of a student's objects. */
static bool add_segments(struct sha256 *hash, char *data, size_t size, const struct range *runner)
{
    Elf64_Ehdr header;
    if (size < sizeof header)
        return false;
    memcpy(&header, data, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    /* A segment may begin with the header, and that tells where the runner starts, and where sections lie,
     * which moves with debug information. */
    Elf64_Ehdr bare = header;
    bare.e_entry = bare.e_shoff = 0;
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
        clear(data + segment.p_offset, segment.p_vaddr, segment.p_filesz, runner);
        sha256_number(hash, segment.p_vaddr);
        sha256_part(hash, data + segment.p_offset, segment.p_filesz);
    }
    return true;
}

/* ---- symbols ---- */

/* True: go on with the next one. */
typedef bool symbol_fn(Elf *elf, const GElf_Sym *symbol, const char *name, void *state);

static void each_symbol(Elf *elf, symbol_fn *visit, void *state)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    while ((section = elf_nextscn(elf, section))) {
        Elf_Data *symbols =
            gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_entsize
                ? elf_getdata(section, NULL)
                : NULL;
        for (size_t i = 1; symbols && i < header.sh_size / header.sh_entsize; i++) {
            const char *name = gelf_getsym(symbols, (int)i, &symbol)
                                   ? elf_strptr(elf, header.sh_link, symbol.st_name)
                                   : NULL;
            if (name && !visit(elf, &symbol, name, state))
                return;
        }
    }
}

/* Of whatever there is at this path. */
static void symbols_of(const char *program, symbol_fn *visit, void *state)
{
    elf_version(EV_CURRENT);
    const int fd = open(program, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        each_symbol(elf, visit, state);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

/* It is what is linked first, so its section begins with it. room.ld defines the symbol, so nobody else can
 * as a global one. */
static bool note_runner(Elf *elf, const GElf_Sym *symbol, const char *name, void *state)
{
    struct range *runner = state;
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(elf, symbol->st_shndx);
    if (strcmp(name, "runner_last") != 0 || GELF_ST_BIND(symbol->st_info) != STB_GLOBAL || !section ||
        !gelf_getshdr(section, &header))
        return true;
    *runner = (struct range){header.sh_addr, symbol->st_value + 1};
    return false;
}

bool inputs_seed(const char *seed, const char *program, uint64_t *number, struct error *err)
{
    struct sha256 hash = sha256_new();
    struct range runner = {0, 0};
    size_t size;
    char *data = textfile_read(program, PROGRAM_LIMIT, &size, err);
    if (!data)
        return false;
    symbols_of(program, note_runner, &runner);
    sha256_words(&hash, "inputs");
    sha256_words(&hash, seed);
    bool good = add_segments(&hash, data, size, &runner);
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

static bool note_student(Elf *elf, const GElf_Sym *symbol, const char *name, void *state)
{
    return strcmp(name, STUDENT_NUMBER) != 0 || !read_constant(elf, symbol, state);
}

uint32_t inputs_student(const char *program)
{
    uint32_t number = 0;
    symbols_of(program, note_student, &number);
    return number;
}

uint64_t inputs_of_bounds(uint64_t inputs, unsigned first)
{
    return seed_derive(inputs, BOUNDS + first);
}
