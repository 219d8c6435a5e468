/* A student's object file: the compiler made it of what a hostile source had it make, names, sections,
 * relocations and debug information included. */
#include <string.h>

#include "ci/fuzz/fuzz.h"
#include "grader/build/object_lines.h"
#include "grader/build/objects.h"

static void look_at_lines(const char *path, const char *name)
{
    struct object_lines *lines = object_lines_open(path, "student/clamp.c");
    for (size_t section = 0; lines && section < 8; section++) {
        object_lines_address(lines, section, 4 * section);
        object_lines_symbol(lines, name, section, 0);
    }
    object_lines_close(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FUNCTIONS = 2 };
    static char *functions[FUNCTIONS] = {(char *)(uintptr_t) "clamp", (char *)(uintptr_t) "sum"};
    static const struct exercise exercise = {.functions = functions, .functions_count = FUNCTIONS};
    fuzz_write("clamp.o", data, size);
    for (enum isa isa = ISA_X86_64; isa < ISA_COUNT; isa++) {
        bool defined[FUNCTIONS] = {false};
        struct object_report report;
        struct error err = {""};
        bool known = object_inspect(fuzz_path("clamp.o"), "clamp.c", &exercise, isa, defined, &report, &err);
        fuzz_must(known || *err.text, "an error that says something");
        if (!known)
            continue;
        fuzz_printable(report.refused);
        fuzz_printable(report.strays);
        fuzz_printable(report.stray_names);
        fuzz_printable(report.unresolved);
        look_at_lines(fuzz_path("clamp.o"), "count");
    }
    return 0;
}
