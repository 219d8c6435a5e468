/* Memory, as Unicorn has it.
 *
 * Writable memory: Unicorn 2.0 looks for translated code at each store to plain memory, which costs more than
 * all the rest; device memory, with our functions behind it, spares it that. Later versions look only where
 * memory may be executed, and are faster with plain memory. What is read and written is the same.
 *
 * Its table of translations, a direct-mapped one, begins with 256 pages and doubles when it is thrown away
 * while most of it is in use. Unmapping anything throws it away. */
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

unsigned emulator_version(void)
{
    return uc_version(NULL, NULL);
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

/* Reads a byte of each of x2 pages, of x1 bytes, from x0 on. */
static const uint32_t touch[] = {
    0x39400003, /* ldrb w3, [x0] */
    0x8b010000, /* add x0, x0, x1 */
    0xf1000442, /* subs x2, x2, #1 */
    0x54ffffa1, /* b.ne to the first */
};

enum { PAGES_AT_FIRST = 256, PAGES_MOST = 1 << 14 };

/* In bytes: Unicorn's own, which are smaller than those that it maps. */
static uint64_t page_size(uc_engine *uc)
{
    size_t size = 0;
    return uc_query(uc, UC_QUERY_PAGE_SIZE, &size) == UC_ERR_OK && size > 0 ? size : IMAGE_PAGE;
}

static uint64_t pages_of(const struct plan_region *region, uint64_t size)
{
    return (region->size + size - 1) / size;
}

/* Touches up to `left` pages, of `size` bytes, of the regions, and throws the table away. */
static bool touch_pages(uc_engine *uc, const struct plan_region *regions, unsigned count, uint64_t size,
                        uint64_t left)
{
    bool good = uc_mem_map(uc, TOUCH_ADDRESS, IMAGE_PAGE, UC_PROT_READ | UC_PROT_EXEC) == UC_ERR_OK &&
                uc_mem_write(uc, TOUCH_ADDRESS, touch, sizeof touch) == UC_ERR_OK;
    for (unsigned i = 0; good && i < count && left > 0; i++) {
        uint64_t address = regions[i].address, pages = pages_of(&regions[i], size);
        if (pages > left)
            pages = left;
        left -= pages;
        uc_reg_write(uc, UC_ARM64_REG_X0, &address);
        uc_reg_write(uc, UC_ARM64_REG_X1, &size);
        uc_reg_write(uc, UC_ARM64_REG_X2, &pages);
        good = pages == 0 || uc_emu_start(uc, TOUCH_ADDRESS, TOUCH_ADDRESS + sizeof touch, 0, 0) == UC_ERR_OK;
    }
    return good && uc_mem_unmap(uc, TOUCH_ADDRESS, IMAGE_PAGE) == UC_ERR_OK;
}

bool map_widely(uc_engine *uc, const struct plan_region *regions, unsigned count)
{
    uint64_t size = page_size(uc), pages = 0;
    for (unsigned i = 0; i < count; i++)
        pages += pages_of(&regions[i], size);
    for (uint64_t room = PAGES_AT_FIRST; room < pages && room < PAGES_MOST; room *= 2)
        if (!touch_pages(uc, regions, count, size, room))
            return false;
    return true;
}
