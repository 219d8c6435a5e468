/* What was read of the arena: lines, and elements by accesses of their own. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/emulator_internal.h"

/* A bit for each byte of the arena: an element that begins there was loaded by itself; the byte was loaded
 * otherwise. */
struct loads {
    uint8_t alone[ARENA_SIZE / 8], otherwise[ARENA_SIZE / 8];
};

bool reads_open(struct emulator *emulator)
{
    const struct emulator_config *config = &emulator->config;
    return (!config->notes_reads || (emulator->read = calloc(ARENA_LINES, sizeof *emulator->read))) &&
           (config->notes_loads_of == 0 || (emulator->loads = calloc(1, sizeof *emulator->loads)));
}

void reads_close(struct emulator *emulator)
{
    free(emulator->read);
    free(emulator->loads);
}

void reads_forget(struct emulator *emulator, uint64_t bytes)
{
    if (emulator->read)
        memset(emulator->read, 0, bytes >> LINE_SHIFT);
    if (emulator->loads) {
        memset(emulator->loads->alone, 0, bytes / 8 + 1);
        memset(emulator->loads->otherwise, 0, bytes / 8 + 1);
    }
}

static void set_bit(uint8_t *bits, uint64_t i)
{
    bits[i / 8] |= (uint8_t)(1U << i % 8);
}

static bool has_bit(const uint8_t *bits, uint64_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

void reads_note_load(struct emulator *emulator, uint64_t address, unsigned bytes)
{
    if (bytes == emulator->config.notes_loads_of && address - ARENA_BASE < ARENA_SIZE) {
        set_bit(emulator->loads->alone, address - ARENA_BASE);
        return;
    }
    for (uint64_t at = address - ARENA_BASE; bytes > 0; at++, bytes--)
        if (at < ARENA_SIZE)
            set_bit(emulator->loads->otherwise, at);
}

uint64_t emulator_unread(const struct emulator *emulator, uint64_t address, uint64_t bytes)
{
    uint64_t unread = 0, last = (address + bytes - ARENA_BASE + 63) >> LINE_SHIFT;
    assert(emulator->read && address >= ARENA_BASE && last < ARENA_LINES);
    for (uint64_t line = (address - ARENA_BASE) >> LINE_SHIFT; line < last; line++)
        unread += !(emulator->read[line] & LINE_READ);
    return unread;
}

bool emulator_touched(const struct emulator *emulator, uint64_t address)
{
    assert(emulator->read && address - ARENA_BASE < ARENA_SIZE);
    return emulator->read[(address - ARENA_BASE) >> LINE_SHIFT] != 0;
}

uint64_t emulator_unloaded(const struct emulator *emulator, uint64_t address, uint64_t bytes)
{
    const struct loads *loads = emulator->loads;
    uint64_t unloaded = 0;
    assert(loads && address >= ARENA_BASE && address + bytes - ARENA_BASE <= ARENA_SIZE);
    for (uint64_t at = address - ARENA_BASE, end = at + bytes, next; at < end; at = next) {
        bool otherwise = false;
        next = at + emulator->config.notes_loads_of;
        for (uint64_t i = at; i < next; i++)
            otherwise = otherwise || has_bit(loads->otherwise, i);
        unloaded += otherwise || !has_bit(loads->alone, at);
    }
    return unloaded;
}
