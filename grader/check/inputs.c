#include "grader/check/inputs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/sha256.h"
#include "grader/base/textfile.h"
#include "harness/base/seed.h"

enum { PROGRAM_LIMIT = 64 << 20, BOUNDS = 1000 /* behind the correctness cases' indices */ };

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

uint64_t inputs_of_bounds(uint64_t inputs, unsigned first)
{
    return seed_derive(inputs, BOUNDS + first);
}
