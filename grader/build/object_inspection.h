/* What the parts of object_inspect share; nobody else's business. objects.c has the symbols, and what is told
 * of all; object_sections.c the sections. */
#ifndef CYCLELAB_OBJECT_INSPECTION_H
#define CYCLELAB_OBJECT_INSPECTION_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include "grader/build/object_lines.h"
#include "grader/build/objects.h"

struct inspection {
    Elf *elf;
    Elf_Data *symbols;
    size_t symbol_count;
    size_t strings; /* section of the symbols' names */
    size_t table;   /* section of the symbols */
    size_t section_names;
    const char *path;
    const char *source;
    const struct exercise *exercise;
    enum isa isa;
    bool *defined;
    struct object_lines *lines; /* opened when first needed */
    struct object_report *report;
};

/* Has the list all that is told? Then nothing more is looked for: an object can have a million findings, each
 * of which takes a search through all of its symbols or relocations. */
bool object_list_is_full(const char *list, size_t size);

/* One finding: "source:line: text". */
void object_add(struct inspection *in, char *list, size_t size, unsigned line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#define IS_FULL(IN, LIST) object_list_is_full((IN)->report->LIST, sizeof(IN)->report->LIST)

/* What gives the line is asked for only where there is room to tell it. */
#define REFUSE(IN, LINE, ...)                                                                                \
    do {                                                                                                     \
        if (!IS_FULL(IN, refused))                                                                           \
            object_add(IN, (IN)->report->refused, sizeof(IN)->report->refused, LINE, __VA_ARGS__);           \
    } while (0)

/* Opened when first asked for. */
const struct object_lines *object_lines_of(struct inspection *in);

/* False: there is no such section. */
bool object_section_at(const struct inspection *in, size_t index, GElf_Shdr *header);

const char *object_symbol_name(const struct inspection *in, const GElf_Sym *symbol);

void object_check_sections(struct inspection *in);

#endif
