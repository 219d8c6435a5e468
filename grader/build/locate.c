/* From an address to function, file and line. */
#include "grader/build/locate.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/build/debug_info.h"
#include "grader/base/textfile.h"

static bool is_code(Dwfl_Module *module, uint64_t address)
{
    GElf_Addr bias;
    size_t count = 0;
    GElf_Phdr header;
    Elf *elf = dwfl_module_getelf(module, &bias);
    if (!elf || elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD && (header.p_flags & PF_X) &&
            address - bias - header.p_vaddr < header.p_memsz)
            return true;
    }
    return false;
}

/* The address in the unit is less by *bias. */
static Dwarf_Die *unit_at(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias))) {
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    }
    return NULL;
}

static void set_place(struct location *location, const char *file, unsigned line)
{
    snprintf(location->file, sizeof location->file, "%s", textfile_base_name(file));
    location->line = line;
}

/* The child of *scope that holds the address; *left bounds what a damaged tree, whose siblings may go round,
 * costs. */
static bool scope_within(const Dwarf_Die *scope, Dwarf_Addr address, unsigned *left, Dwarf_Die *child)
{
    Dwarf_Die parent = *scope;
    for (int end = dwarf_child(&parent, child); end == 0 && *left > 0; end = dwarf_siblingof(child, child)) {
        --*left;
        if (dwarf_haspc(child, address) > 0)
            return true;
    }
    return false;
}

/* What a header's inline function does is done where it was called: the innermost call in the unit's own
 * source, if there is one. (dwarf_getscopes finds the scopes, too, but leaks when the tree is damaged.) */
static void leave_headers(Dwarf_Die *unit, Dwarf_Addr address, struct location *location)
{
    Dwarf_Files *files;
    const char *own = dwarf_diename(unit);
    if (!own || strcmp(location->file, textfile_base_name(own)) == 0 ||
        dwarf_getsrcfiles(unit, &files, NULL) != 0)
        return;
    Dwarf_Die scope = *unit;
    for (unsigned left = 1u << 20; scope_within(&scope, address, &left, &scope);) {
        Dwarf_Attribute attribute;
        Dwarf_Word number, line;
        if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine ||
            dwarf_formudata(dwarf_attr(&scope, DW_AT_call_file, &attribute), &number) != 0 ||
            dwarf_formudata(dwarf_attr(&scope, DW_AT_call_line, &attribute), &line) != 0)
            continue;
        const char *file = dwarf_filesrc(files, (size_t)number, NULL, NULL);
        if (file && strcmp(textfile_base_name(file), textfile_base_name(own)) == 0)
            set_place(location, file, (unsigned)line);
    }
}

/* The last component of path[0..length-1]; *length becomes what is before it. */
static const char *last_component(const char *path, size_t *length, size_t *size)
{
    size_t end = *length;
    while (*length > 0 && path[*length - 1] != '/')
        --*length;
    *size = end - *length;
    const char *component = path + *length;
    while (*length > 0 && path[*length - 1] == '/')
        --*length;
    return component;
}

/* A program lies at <folder>/out/<variant>, and a student's sources are compiled in <folder>/student. Nothing
 * in a source changes that, unlike its name. The folders above may be named otherwise there, where a link is
 * among them. */
static bool compiled_as_student(Dwarf_Die *unit, const char *program)
{
    Dwarf_Attribute attribute;
    const char *folder = unit ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
    if (!folder)
        return false;
    size_t left = strlen(program), folder_left = strlen(folder), size, folder_size;
    last_component(program, &left, &size);
    last_component(program, &left, &size);
    const char *own = last_component(program, &left, &size);
    const char *kind = last_component(folder, &folder_left, &folder_size);
    if (folder_size != strlen("student") || memcmp(kind, "student", folder_size) != 0)
        return false;
    const char *theirs = last_component(folder, &folder_left, &folder_size);
    return size > 0 && size == folder_size && memcmp(own, theirs, size) == 0;
}

static void fill(Dwfl_Module *module, const char *program, uint64_t address, struct location *location)
{
    GElf_Sym symbol;
    GElf_Off offset = 0;
    int number = 0;
    const char *name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (name) {
        /* "clamp" for "clamp.part.0": a piece that the compiler made of it. */
        const char *dot = strchr(name, '.');
        snprintf(location->function, sizeof location->function, "%.*s",
                 (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name)), name);
        location->offset = offset;
    }
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file)
        set_place(location, file, number > 0 ? (unsigned)number : 0);
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = unit_at(module, address, &bias);
    if (unit && file)
        leave_headers(unit, address - bias, location);
    location->student = compiled_as_student(unit, program);
}

struct locator {
    Dwfl *dwfl;
    Dwfl_Module *module;
    char *program;
};

struct locator *locator_open(const char *program)
{
    struct locator *locator = calloc(1, sizeof *locator);
    if (!locator)
        return NULL;
    locator->program = strdup(program);
    locator->dwfl = debug_info_open(program, &locator->module);
    if (locator->program && locator->dwfl)
        return locator;
    locator_close(locator);
    return NULL;
}

bool locator_find(const struct locator *locator, uint64_t address, struct location *location)
{
    *location = (struct location){0};
    if (locator && is_code(locator->module, address))
        fill(locator->module, locator->program, address, location);
    return location->function[0] != '\0';
}

void locator_close(struct locator *locator)
{
    if (!locator)
        return;
    dwfl_end(locator->dwfl);
    free(locator->program);
    free(locator);
}

enum { FILLED = 4096 }; /* behind the last function, up to the page's end */

/* The end of the function that ends nearest before the address, or there; 0: another one holds it. */
static uint64_t end_before(Dwfl_Module *module, uint64_t address)
{
    const int count = dwfl_module_getsymtab(module);
    uint64_t end = 0;
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr start;
        if (!dwfl_module_getsym_info(module, i, &symbol, &start, NULL, NULL, NULL) ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 || start > address)
            continue;
        if (address - start < symbol.st_size)
            return 0;
        if (start + symbol.st_size > end)
            end = start + symbol.st_size;
    }
    return end;
}

bool build_locate_past(const char *program, uint64_t address, struct location *location)
{
    struct locator *locator = locator_open(program);
    const uint64_t end = locator ? end_before(locator->module, address) : 0;
    bool past =
        end > 0 && address - end <= FILLED && locator_find(locator, end - 1, location) && location->student;
    locator_close(locator);
    return past;
}

bool build_locate(const char *program, uint64_t address, struct location *location)
{
    struct locator *locator = locator_open(program);
    bool found = locator_find(locator, address, location);
    locator_close(locator);
    return found;
}
