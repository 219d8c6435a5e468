/* The script under qemu-system: its results, a line each. */
#include <stdint.h>
#include "ci/vpmu/names.h"

void bare_main(void);
void bare_write(const char *text);
void script(uint64_t *results);

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

void bare_main(void)
{
    static uint64_t results[NAMES];
    script(results);
    for (int i = 0; i < NAMES; i++) {
        write_hex(results[i]);
        bare_write(" ");
        bare_write(names[i]);
        bare_write("\n");
    }
}
