/* What was read of the arena: lines, and elements by accesses of their own. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/emulator_internal.h"

bool reads_open(struct emulator *emulator)
{
    const struct emulator_config *config = &emulator->config;
    return (!config->notes_reads || (emulator->read = calloc(ARENA_LINES, sizeof *emulator->read))) &&
           (config->notes_loads_of == 0 || (emulator->loaded = calloc(ARENA_SIZE / 8, 1)));
}

void reads_close(struct emulator *emulator)
{
    free(emulator->read);
    free(emulator->loaded);
}

void reads_forget(struct emulator *emulator, uint64_t bytes)
{
    if (emulator->read)
        memset(emulator->read, 0, bytes >> LINE_SHIFT);
    if (emulator->loaded)
        memset(emulator->loaded, 0, bytes / 8 + 1);
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
    uint64_t unloaded = 0;
    assert(emulator->loaded && address >= ARENA_BASE && address + bytes - ARENA_BASE <= ARENA_SIZE);
    for (uint64_t at = address - ARENA_BASE, end = at + bytes; at < end;
         at += emulator->config.notes_loads_of)
        unloaded += !(emulator->loaded[at / 8] >> at % 8 & 1);
    return unloaded;
}
