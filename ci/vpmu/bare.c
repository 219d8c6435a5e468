/* The scripts under qemu-system: their results, a line each. */
#include <stdint.h>
#include "ci/vpmu/names.h"

void bare_main(void);
void bare_write(const char *text);
void script(uint64_t *results);
void levels(uint64_t *results);

static void write_hex(uint64_t value)
{
    char text[20], *at = text + sizeof text;
    *--at = '\0';
    do {
        *--at = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    bare_write(at);
}

static void write_all(const uint64_t *results, const char *const *of, int count)
{
    for (int i = 0; i < count; i++) {
        write_hex(results[i]);
        bare_write(" ");
        bare_write(of[i]);
        bare_write("\n");
    }
}

void bare_main(void)
{
    static uint64_t results[NAMES], level_results[LEVEL_NAMES];
    script(results);
    levels(level_results);
    write_all(results, names, NAMES);
    write_all(level_results, level_names, LEVEL_NAMES);
}
