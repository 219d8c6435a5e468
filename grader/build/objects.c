#include "grader/build/objects.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/build/object_inspection.h"

enum { MAX_FINDINGS = 5 /* lines a kind: more help nobody */ };

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Names are the student's: no control characters. */
static void make_printable(char *text)
{
    for (; *text; text++)
        if (!isprint((unsigned char)*text))
            *text = '?';
}

bool object_list_is_full(const char *list, size_t size)
{
    size_t used = strlen(list);
    return count_lines(list) + (used > 0) >= MAX_FINDINGS || used + 1 >= size;
}

void object_add(struct inspection *in, char *list, size_t size, unsigned line, const char *format, ...)
{
    char text[768], where[16] = "";
    size_t used = strlen(list);
    va_list args;
    if (object_list_is_full(list, size))
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    make_printable(text);
    if (line > 0)
        snprintf(where, sizeof where, ":%u", line);
    snprintf(list + used, size - used, "%s%s%s: %s", used ? "\n" : "", in->source, where, text);
}

const struct object_lines *object_lines_of(struct inspection *in)
{
    if (!in->lines)
        in->lines = object_lines_open(in->path, in->source);
    return in->lines;
}

const char *object_symbol_name(const struct inspection *in, const GElf_Sym *symbol)
{
    const char *name = elf_strptr(in->elf, in->strings, symbol->st_name);
    return name ? name : "";
}

static int function_index(const struct inspection *in, const char *name)
{
    for (unsigned i = 0; i < in->exercise->functions_count; i++) {
        if (strcmp(in->exercise->functions[i], name) == 0)
            return (int)i;
    }
    return -1;
}

bool object_section_at(const struct inspection *in, size_t index, GElf_Shdr *header)
{
    Elf_Scn *section = elf_getscn(in->elf, index);
    return section && gelf_getshdr(section, header);
}

/* The name of the function at an offset of a section, for "`clamp` calls `printf`"; "" for none. */
static const char *function_at(const struct inspection *in, size_t section, uint64_t offset)
{
    GElf_Sym symbol;
    for (size_t i = 1; i < in->symbol_count; i++) {
        if (gelf_getsym(in->symbols, (int)i, &symbol) && symbol.st_shndx == section &&
            GELF_ST_TYPE(symbol.st_info) == STT_FUNC && offset >= symbol.st_value &&
            offset < symbol.st_value + (symbol.st_size ? symbol.st_size : 1))
            return object_symbol_name(in, &symbol);
    }
    return "";
}

static void stray(struct inspection *in, const char *name, const GElf_Sym *symbol)
{
    struct object_report *report = in->report;
    size_t used = strlen(report->stray_names);
    if (used + strlen(name) + 4 < sizeof report->stray_names)
        snprintf(report->stray_names + used, sizeof report->stray_names - used, " `%s`", name);
    make_printable(report->stray_names + used);
    if (IS_FULL(in, strays))
        return;
    object_add(
        in, report->strays, sizeof report->strays,
        object_lines_symbol(object_lines_of(in), name, symbol->st_shndx, symbol->st_value),
        "`%s` can be seen from outside this file, and only what the exercise asks for may be: make it static "
        "(in assembly: drop its .globl or .weak)",
        name);
}

/* A symbol that other files can see. */
static void check_visible(struct inspection *in, const GElf_Sym *symbol)
{
    const char *name = object_symbol_name(in, symbol);
    GElf_Shdr header;
    const int index = function_index(in, name);
    if (symbol->st_shndx == SHN_COMMON) {
        REFUSE(in, object_lines_variable(object_lines_of(in), name, 0, 0),
               "`%s` is a writable global: student code keeps no state from call to call; use a local "
               "variable or const",
               name);
        return;
    }
    if (index < 0) {
        /* A writable one has been refused with its section, if it is loaded and has bytes. */
        if (symbol->st_shndx >= SHN_LORESERVE || !object_section_at(in, symbol->st_shndx, &header) ||
            (header.sh_flags & (SHF_WRITE | SHF_ALLOC)) != (SHF_WRITE | SHF_ALLOC) || header.sh_size == 0)
            stray(in, name, symbol);
        return;
    }
    if (GELF_ST_BIND(symbol->st_info) != STB_GLOBAL) {
        REFUSE(in, object_lines_symbol(object_lines_of(in), name, symbol->st_shndx, symbol->st_value),
               "`%s` is weak: define it plainly", name);
        return;
    }
    if (GELF_ST_TYPE(symbol->st_info) <= STT_FUNC && GELF_ST_TYPE(symbol->st_info) != STT_OBJECT &&
        symbol->st_shndx < SHN_LORESERVE && object_section_at(in, symbol->st_shndx, &header) &&
        (header.sh_flags & SHF_EXECINSTR) && symbol->st_value < header.sh_size)
        in->defined[index] = true;
    else
        REFUSE(in, object_lines_symbol(object_lines_of(in), name, symbol->st_shndx, symbol->st_value),
               "`%s` has to be a function with its code in this file, and is something else", name);
}

/* Where an undefined symbol is used first, and how. */
static void explain_use(struct inspection *in, size_t index, const char *name)
{
    struct object_report *report = in->report;
    /* what nobody has written there; gcc names some of them that it does not call in the end */
    const bool division = strcmp(name, "__udivti3") == 0 || strcmp(name, "__umodti3") == 0 ||
                          strcmp(name, "__divti3") == 0 || strcmp(name, "__modti3") == 0;
    const uint32_t calls[ISA_COUNT][2] = {{R_X86_64_PLT32, R_X86_64_PLT32},
                                          {R_AARCH64_CALL26, R_AARCH64_JUMP26}};
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Rela relocation;
    while ((section = elf_nextscn(in->elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0)
            continue;
        GElf_Shdr target;
        Elf_Data *data = elf_getdata(section, NULL);
        if (!object_section_at(in, header.sh_info, &target) || !(target.sh_flags & SHF_ALLOC))
            continue;
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            if (!gelf_getrela(data, (int)i, &relocation) || GELF_R_SYM(relocation.r_info) != index)
                continue;
            const uint32_t type = (uint32_t)GELF_R_TYPE(relocation.r_info);
            const bool call = type == calls[in->isa][0] || type == calls[in->isa][1];
            const char *user = function_at(in, header.sh_info, relocation.r_offset);
            object_add(
                in, report->unresolved, sizeof report->unresolved,
                object_lines_address(object_lines_of(in), header.sh_info, relocation.r_offset),
                "%s%s%s%s `%s`%s, but there is no C library here: only what exercise.h declares, memcpy, "
                "memmove, memset and memcmp can be used",
                *user ? "`" : "", user, *user ? "` " : "", call ? "calls" : "uses", name,
                division ? ", by which the compiler divides numbers of 128 bits" : "");
            return;
        }
    }
    if (!division)
        object_add(in, report->unresolved, sizeof report->unresolved, 0, "uses `%s`, which is not there",
                   name);
}

static void check_undefined(struct inspection *in, size_t index, const GElf_Sym *symbol)
{
    static const char *const provided[] = {"memcpy", "memmove", "memset", "memcmp", "_GLOBAL_OFFSET_TABLE_"};
    const char *name = object_symbol_name(in, symbol);
    for (size_t i = 0; i < sizeof provided / sizeof *provided; i++)
        if (strcmp(name, provided[i]) == 0)
            return;
    if (*name && function_index(in, name) < 0 && !IS_FULL(in, unresolved))
        explain_use(in, index, name);
}

/* Instructions of AArch64 stand at multiples of 4. The assembler sees to that, but a label, or a function
 * that is written as data, stands where it stands. */
static void check_address(struct inspection *in, const GElf_Sym *symbol)
{
    const char *name = object_symbol_name(in, symbol);
    GElf_Shdr header;
    if (in->isa == ISA_AARCH64 &&
        (GELF_ST_TYPE(symbol->st_info) == STT_FUNC || function_index(in, name) >= 0) &&
        symbol->st_shndx < SHN_LORESERVE && object_section_at(in, symbol->st_shndx, &header) &&
        (header.sh_flags & SHF_EXECINSTR) && (symbol->st_value % 4 != 0 || header.sh_addralign % 4 != 0))
        REFUSE(in, object_lines_symbol(object_lines_of(in), name, symbol->st_shndx, symbol->st_value),
               "`%s` may begin at an address that is no multiple of 4, where no instruction can be: write "
               "`.balign 4` before it",
               name);
}

static void check_symbols(struct inspection *in)
{
    GElf_Sym symbol;
    for (size_t i = 1; i < in->symbol_count; i++) {
        if (!gelf_getsym(in->symbols, (int)i, &symbol))
            continue;
        if (GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
            REFUSE(
                in,
                object_lines_symbol(object_lines_of(in), object_symbol_name(in, &symbol), symbol.st_shndx,
                                    symbol.st_value),
                "`%s` is an indirect function (ifunc), whose resolver would run before the program: define "
                "it plainly",
                object_symbol_name(in, &symbol));
        check_address(in, &symbol);
        if (symbol.st_shndx == SHN_UNDEF)
            check_undefined(in, i, &symbol);
        else if (GELF_ST_BIND(symbol.st_info) != STB_LOCAL)
            check_visible(in, &symbol);
    }
}

static bool find_symbols(struct inspection *in)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(in->elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
            continue;
        in->symbols = elf_getdata(section, NULL);
        in->symbol_count = header.sh_size / header.sh_entsize;
        in->table = elf_ndxscn(section);
        in->strings = header.sh_link;
        return in->symbols != NULL;
    }
    return true; /* an empty source */
}

static bool is_object(Elf *elf, enum isa isa)
{
    const GElf_Half machines[ISA_COUNT] = {EM_X86_64, EM_AARCH64};
    GElf_Ehdr header;
    return elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) && header.e_type == ET_REL &&
           header.e_machine == machines[isa] && header.e_ident[EI_CLASS] == ELFCLASS64;
}

bool object_inspect(const char *object, const char *source, const struct exercise *exercise, enum isa isa,
                    bool *defined, struct object_report *report, struct error *err)
{
    struct inspection in = {.path = object,
                            .source = source,
                            .exercise = exercise,
                            .isa = isa,
                            .defined = defined,
                            .report = report};
    struct stat info;
    bool good = false;
    *report = (struct object_report){0};
    elf_version(EV_CURRENT);
    /* The compiler's user wrote it: no link, nothing that blocks. */
    int fd = open(object, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &info) != 0)
        error_set(err, "%s: %s", object, strerror(errno));
    else if (!S_ISREG(info.st_mode) || !(in.elf = elf_begin(fd, ELF_C_READ, NULL)) ||
             !is_object(in.elf, isa) || elf_getshdrstrndx(in.elf, &in.section_names) != 0 ||
             !find_symbols(&in))
        error_set(err, "%s: expected an object file for %s, found something else", object, isa_name(isa));
    else {
        report->file = (uint64_t)info.st_size;
        object_check_sections(&in);
        check_symbols(&in);
        good = true;
    }
    object_lines_close(in.lines);
    elf_end(in.elf);
    if (fd >= 0)
        close(fd);
    return good;
}
