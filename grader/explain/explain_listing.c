/* The text of instructions, as binutils' disassembler has it. */
#include "grader/explain/explain_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/spawn.h"
#include "grader/base/textfile.h"
#include "grader/base/tool.h"
#include "harness/emu/decode.h"

#define DISASSEMBLER "aarch64-linux-gnu-objdump"

enum { MNEMONIC_WIDTH = 7 };

/* "b.ne\t4000d8 <sum+0xc>  // b.any" as "b.ne   <sum+0xc>". malloc'ed. */
static char *tidy_line(const char *line, size_t length)
{
    char *text = calloc(1, length + MNEMONIC_WIDTH + 1), *to = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '/' && i + 1 < length && line[i + 1] == '/')
            break;
        if (line[i] == '<' && to > text) { /* the address before it says the same */
            while (to > text && to[-1] == ' ')
                to--;
            while (to > text && to[-1] != ' ')
                to--;
        }
        if (line[i] != '\t') {
            *to++ = line[i];
            continue;
        }
        do
            *to++ = ' ';
        while (to - text < MNEMONIC_WIDTH);
    }
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
    return text;
}

static void take_lines(struct listing *listing, const char *output)
{
    const struct profile *run = listing->run;
    for (const char *line = output; *line;) {
        size_t length = strcspn(line, "\n");
        char *end;
        uint64_t address = strtoull(line, &end, 16);
        uint64_t index = (address - run->ops[0].address) / 4;
        if (end > line && end[0] == ':' && end[1] == '\t' && end < line + length && index < run->count &&
            !listing->text[index])
            listing->text[index] = tidy_line(end + 2, (size_t)(line + length - end - 2));
        line += length + (line[length] == '\n');
    }
}

static void disassemble(struct listing *listing)
{
    struct error err;
    char *folder = strdup(listing->run->program), *output = NULL;
    char *slash = folder ? strrchr(folder, '/') : NULL;
    const char *const argv[] = {
        DISASSEMBLER, "-d", "--no-show-raw-insn", "--", textfile_base_name(listing->run->program), NULL};
    if (slash) {
        *slash = '\0';
        output = tool_run(argv, folder, &err);
    }
    if (output)
        take_lines(listing, output);
    else
        listing->missing = "the disassembler failed";
    free(output);
    free(folder);
}

bool listing_open(struct listing *listing, const struct profile *run, const struct image *image,
                  struct error *err)
{
    *listing = (struct listing){.run = run, .image = image};
    listing->text = calloc(run->count + 1, sizeof *listing->text);
    if (!listing->text)
        return error_set(err, "out of memory");
    listing->locator = locator_open(run->program);
    if (spawn_finds(DISASSEMBLER))
        disassemble(listing);
    else
        listing->missing = "for operands install the package binutils-aarch64-linux-gnu";
    return true;
}

void listing_close(struct listing *listing)
{
    for (size_t i = 0; listing->text && i < listing->run->count; i++)
        free(listing->text[i]);
    free(listing->text);
    locator_close(listing->locator);
    *listing = (struct listing){0};
}

const char *listing_text(const struct listing *listing, uint32_t index)
{
    struct decoded decoded;
    if (listing->text[index])
        return listing->text[index];
    decode(listing->image->words[index], listing->run->ops[index].address, &decoded);
    return decoded.name ? decoded.name : "?";
}
