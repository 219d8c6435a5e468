/* Writable memory. Unicorn 2.0 looks for translated code at each store to plain memory, which costs more than
 * all the rest; device memory, with our functions behind it, spares it that. Later versions look only where
 * memory may be executed, and are faster with plain memory. What is read and written is the same. */
#include <string.h>

#include "harness/emu/emulator_internal.h"

static uint64_t read_bytes(uc_engine *uc, uint64_t offset, unsigned size, void *bytes)
{
    uint64_t value = 0;
    (void)uc;
    memcpy(&value, (const char *)bytes + offset, size <= sizeof value ? size : sizeof value);
    return value;
}

static void write_bytes(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *bytes)
{
    (void)uc;
    memcpy((char *)bytes + offset, &value, size <= sizeof value ? size : sizeof value);
}

static bool stores_are_slow(void)
{
    unsigned major = 0, minor = 0;
    uc_version(&major, &minor);
    return major == 2 && minor == 0;
}

bool map_writable(uc_engine *uc, uint64_t address, uint64_t size, void *bytes)
{
    if (stores_are_slow())
        return uc_mmio_map(uc, address, size, read_bytes, bytes, write_bytes, bytes) == UC_ERR_OK;
    return uc_mem_map_ptr(uc, address, size, UC_PROT_READ | UC_PROT_WRITE, bytes) == UC_ERR_OK;
}
