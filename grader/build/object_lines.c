#include "grader/build/object_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "grader/build/debug_info.h"
#include "grader/base/textfile.h"

enum { MAX_DEPTH = 64 };

struct object_lines {
    Dwfl *dwfl;
    Dwfl_Module *module;
    const char *source; /* base name */
};

struct object_lines *object_lines_open(const char *object, const char *source)
{
    struct object_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    lines->source = textfile_base_name(source);
    lines->dwfl = debug_info_open(object, &lines->module);
    if (lines->dwfl)
        return lines;
    object_lines_close(lines);
    return NULL;
}

void object_lines_close(struct object_lines *lines)
{
    if (!lines)
        return;
    dwfl_end(lines->dwfl);
    free(lines);
}

/* libdwfl lays an object's sections out as if linked. */
static bool address_of(const struct object_lines *lines, size_t section, uint64_t offset, Dwarf_Addr *address)
{
    GElf_Addr bias;
    GElf_Shdr header;
    Elf *elf = dwfl_module_getelf(lines->module, &bias);
    Elf_Scn *found = elf ? elf_getscn(elf, section) : NULL;
    if (!found || !gelf_getshdr(found, &header))
        return false;
    *address = header.sh_addr + offset + bias;
    return true;
}

static bool is_own(const struct object_lines *lines, const char *file)
{
    return file && strcmp(textfile_base_name(file), lines->source) == 0;
}

unsigned object_lines_address(const struct object_lines *lines, size_t section, uint64_t offset)
{
    Dwarf_Addr address;
    int line = 0;
    if (!lines || !address_of(lines, section, offset, &address))
        return 0;
    Dwfl_Line *found = dwfl_module_getsrc(lines->module, address);
    const char *file = found ? dwfl_lineinfo(found, NULL, &line, NULL, NULL, NULL) : NULL;
    return is_own(lines, file) && line > 0 ? (unsigned)line : 0;
}

struct wanted {
    const struct object_lines *lines;
    const char *name;
    bool has_address;
    Dwarf_Addr address;
    unsigned line;
};

/* Lies the variable elsewhere? Only where it says so. */
static bool lies_elsewhere(Dwarf_Die *die, const struct wanted *wanted)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operation;
    size_t count;
    return wanted->has_address && dwarf_attr(die, DW_AT_location, &attribute) &&
           dwarf_getlocation(&attribute, &operation, &count) == 0 && count == 1 &&
           operation->atom == DW_OP_addr && operation->number != wanted->address;
}

/* True once found. */
static bool search(Dwarf_Die *die, struct wanted *wanted, unsigned depth)
{
    Dwarf_Die child;
    if (depth > MAX_DEPTH || dwarf_child(die, &child) != 0)
        return false;
    do {
        const char *name = dwarf_diename(&child);
        int line = 0;
        if (dwarf_tag(&child) == DW_TAG_variable && name && strcmp(name, wanted->name) == 0 &&
            !dwarf_hasattr(&child, DW_AT_declaration) && is_own(wanted->lines, dwarf_decl_file(&child)) &&
            dwarf_decl_line(&child, &line) == 0 && line > 0 && !lies_elsewhere(&child, wanted)) {
            wanted->line = (unsigned)line;
            return true;
        }
        if (search(&child, wanted, depth + 1))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

unsigned object_lines_variable(const struct object_lines *lines, const char *name, size_t section,
                               uint64_t offset)
{
    struct wanted wanted = {.lines = lines, .name = name};
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;
    if (!lines)
        return 0;
    wanted.has_address = section > 0 && address_of(lines, section, offset, &wanted.address);
    while ((unit = dwfl_module_nextcu(lines->module, unit, &bias))) {
        if (search(unit, &wanted, 0))
            break;
    }
    return wanted.line;
}

unsigned object_lines_symbol(const struct object_lines *lines, const char *name, size_t section,
                             uint64_t offset)
{
    unsigned line = object_lines_variable(lines, name, section, offset);
    return line > 0 ? line : object_lines_address(lines, section, offset);
}
