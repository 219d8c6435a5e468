#include "grader/build/object_inspection.h"

#include <stdio.h>
#include <string.h>

enum {
    UNWIND = SHT_LOPROC + 1,     /* x86-64's type for .eh_frame */
    ATTRIBUTES = SHT_LOPROC + 3, /* AArch64's, of how it was compiled */
};

/* "count" for "count.0", as the compiler calls a function's static. */
static void plain_name(const char *name, char *plain, size_t size)
{
    const char *dot = strchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(plain, size, "%.*s", length, name);
}

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Is it this section of the program, or one of its parts, as .text.hot is of .text? */
static bool belongs_to(const char *name, const char *output)
{
    const size_t length = strlen(output);
    return begins(name, output) && (name[length] == '\0' || name[length] == '.');
}

static bool runs_by_itself(const char *name, const GElf_Shdr *header)
{
    static const char *const names[] = {".init_array", ".fini_array", ".preinit_array", ".ctors",
                                        ".dtors",      ".init",       ".fini"};
    if (header->sh_type == SHT_INIT_ARRAY || header->sh_type == SHT_FINI_ARRAY ||
        header->sh_type == SHT_PREINIT_ARRAY)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (belongs_to(name, names[i]))
            return true;
    return false;
}

/* What a compiler puts into memory for code and constants, or a section that the student has named; not what
 * a linker makes a program's own parts of (.interp, .dynamic, .got, ...). */
static bool ordinary(const char *name, const GElf_Shdr *header)
{
    static const char *const names[] = {".text", ".rodata", ".eh_frame"};
    const GElf_Xword flags = SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS;
    if (strcmp(name, ".note.gnu.property") == 0)
        return header->sh_type == SHT_NOTE && header->sh_flags == SHF_ALLOC;
    if ((header->sh_flags & ~flags) || (header->sh_type != SHT_PROGBITS && header->sh_type != UNWIND))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (belongs_to(name, names[i]))
            return true;
    return name[0] != '.' && strcmp(name, "COMMON") != 0;
}

/* What compiler and assembler write that is not loaded. The linker puts sections together by their names,
 * loaded or not: any other may come to be a part of the program. */
static bool is_beside(const struct inspection *in, const char *name, const GElf_Shdr *header)
{
    static const char *const names[] = {".symtab",  ".strtab",         ".shstrtab",
                                        ".comment", ".note.GNU-stack", ".ARM.attributes"};
    GElf_Shdr target;
    if (header->sh_type == SHT_RELA) /* of a section; else the linker takes it for data */
        return begins(name, ".rela") && header->sh_link == in->table && header->sh_info != 0 &&
               object_section_at(in, header->sh_info, &target) && target.sh_type != SHT_RELA;
    if (begins(name, ".debug_"))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* What compiler and assembler write by themselves. Of a type that the linker gives a meaning of its own (a
 * second table of symbols, say) each program reads what it likes. */
static bool is_usual(const struct inspection *in, size_t index, const char *name, uint32_t type)
{
    const int usual = 1 << SHT_PROGBITS | 1 << SHT_STRTAB | 1 << SHT_RELA | 1 << SHT_NOTE | 1 << SHT_NOBITS;
    return type == UNWIND || type == ATTRIBUTES || (type <= SHT_NOBITS && (usual >> type & 1)) ||
           (type == SHT_SYMTAB && index == in->table && strcmp(name, ".symtab") == 0);
}

/* What tells the linker something, in memory or not. */
static void check_directive(struct inspection *in, size_t index, const char *name, const GElf_Shdr *header)
{
    if (begins(name, ".gnu.lto_"))
        REFUSE(in, 0, "section %s: code for the link-time optimizer is not accepted", name);
    else if (header->sh_type == SHT_GROUP || begins(name, ".gnu.linkonce"))
        REFUSE(in, 0,
               "section %s: code that the linker may leave out in favour of other code is not accepted",
               name);
    else if (begins(name, ".gnu.warning"))
        REFUSE(in, 0, "section %s: words for the linker to say are not accepted", name);
    else if (strcmp(name, ".note.GNU-stack") == 0 && (header->sh_flags & SHF_EXECINSTR))
        REFUSE(in, 0,
               "section %s asks for an executable stack (a nested function whose address is taken does "
               "that): code must be read-only",
               name);
    else if (!runs_by_itself(name, header) && !is_usual(in, index, name, header->sh_type))
        REFUSE(in, 0, "section %s is of type %#x, which no compiler writes: leave the type out", name,
               header->sh_type);
    else if (!(header->sh_flags & SHF_ALLOC) && !is_beside(in, name, header))
        REFUSE(in, 0, "section %s is not loaded: use .rodata for constants, or give it the flag \"a\"", name);
}

/* $x, $d, $d.1 and their like: where on AArch64 code begins and where data does. Nothing of the source has
 * that name. */
static bool marks_contents(const char *name, const GElf_Sym *symbol)
{
    return GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE && GELF_ST_BIND(symbol->st_info) == STB_LOCAL &&
           name[0] == '$' && (name[1] == 'x' || name[1] == 'd') && (name[2] == '\0' || name[2] == '.');
}

/* Every variable in a writable section; the section itself where none has a name. */
static void refuse_writable(struct inspection *in, size_t index, const char *name, const GElf_Shdr *header)
{
    GElf_Sym symbol;
    bool named = false;
    const bool thread = header->sh_flags & SHF_TLS;
    for (size_t i = 1; i < in->symbol_count && !IS_FULL(in, refused); i++) {
        char plain[256];
        if (!gelf_getsym(in->symbols, (int)i, &symbol) || symbol.st_shndx != index ||
            GELF_ST_TYPE(symbol.st_info) == STT_SECTION)
            continue;
        const char *own = object_symbol_name(in, &symbol);
        if (!*own || marks_contents(own, &symbol))
            continue;
        named = true;
        plain_name(own, plain, sizeof plain);
        REFUSE(in, object_lines_variable(object_lines_of(in), plain, index, symbol.st_value),
               "`%s` is a writable %s: student code keeps no state from call to call; use a local variable "
               "or const",
               plain,
               thread                                      ? "thread-local variable"
               : GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? "static"
                                                           : "global");
    }
    if (!named)
        REFUSE(in, 0,
               "section %s holds %llu writable bytes: student code keeps no state from call to call; use "
               "registers, the stack or .rodata",
               name, (unsigned long long)header->sh_size);
}

static void check_loaded(struct inspection *in, size_t index, const char *name, const GElf_Shdr *header)
{
    const bool code = header->sh_flags & SHF_EXECINSTR;
    if (runs_by_itself(name, header))
        REFUSE(in, 0,
               "section %s has code run before or after the program (a constructor or destructor); only "
               "calls from the grader are allowed",
               name);
    else if ((header->sh_flags & SHF_WRITE) && code)
        REFUSE(in, 0, "section %s is both writable and executable; code must be read-only", name);
    else if (header->sh_flags & SHF_WRITE)
        refuse_writable(in, index, name, header);
    else if (code && !belongs_to(name, ".text"))
        REFUSE(in, 0, "section %s is executable: code has to be in .text, or in a part of it like .text.hot",
               name);
    else if (!ordinary(name, header))
        REFUSE(in, 0,
               "section %s is neither plain code nor plain constants (type %#x, flags %#llx): use .text and "
               ".rodata",
               name, header->sh_type, (unsigned long long)header->sh_flags);
}

/* As much as may be, and more: no sum of such numbers is too large for 64 bits. */
static uint64_t limited(uint64_t bytes)
{
    return bytes > OBJECTS_FILES_MOST ? OBJECTS_FILES_MOST + 1 : bytes;
}

/* An empty section is aligned like others. */
static void count_loaded(struct inspection *in, const char *name, const GElf_Shdr *header)
{
    const uint64_t bytes = limited(header->sh_size) + limited(header->sh_addralign);
    in->report->loaded += bytes;
    if (header->sh_flags & SHF_EXECINSTR)
        in->report->code += bytes;
    if (header->sh_addralign > OBJECTS_ALIGNED_MOST)
        REFUSE(in, 0, "section %s asks for an alignment of %llu bytes; at most %d are allowed", name,
               (unsigned long long)header->sh_addralign, OBJECTS_ALIGNED_MOST);
}

void object_check_sections(struct inspection *in)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(in->elf, section))) {
        if (!gelf_getshdr(section, &header))
            continue;
        const char *text = elf_strptr(in->elf, in->section_names, header.sh_name), *name = text ? text : "";
        check_directive(in, elf_ndxscn(section), name, &header);
        if (!(header.sh_flags & SHF_ALLOC))
            continue;
        count_loaded(in, name, &header);
        if (header.sh_size > 0)
            check_loaded(in, elf_ndxscn(section), name, &header);
    }
}
