/* The text of instructions, as binutils' disassembler has it. */
#include "grader/explain/listing.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    for (size_t i = 0; i < listing->file_count; i++) {
        free(listing->files[i].name);
        free(listing->files[i].text);
    }
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

void listing_short_text(const struct listing *listing, uint32_t index, const char *function, char *text,
                        size_t size)
{
    const char *from = listing_text(listing, index), *target = strchr(from, '<');
    size_t length = strlen(function);
    if (target && strncmp(target + 1, function, length) == 0 &&
        (target[1 + length] == '+' || target[1 + length] == '>')) {
        const char *offset = target[1 + length] == '+' ? target + 1 + length : "+0x0>";
        snprintf(text, size, "%.*s%.*s", (int)(target - from), from, (int)strcspn(offset, ">"), offset);
    } else {
        snprintf(text, size, "%s", from);
    }
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
}

/* ---- sources ---- */

enum { MOST_SOURCE = 1 << 20 };

/* Is it one of the sources of this name? The first that is found counts, as for the compiler: that of the
 * ISA comes before the other. */
static bool add_file(struct listing *listing, const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct error ignored;
    struct stat about;
    if (listing->file_count == LISTING_FILES)
        return false;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) /* no link to what is not theirs */
        return false;
    char *text = textfile_read(path, MOST_SOURCE, NULL, &ignored), *copy = text ? strdup(name) : NULL;
    if (!copy) {
        free(text);
        return false;
    }
    listing->files[listing->file_count++] = (struct listing_file){copy, text};
    return true;
}

static const struct listing_file *find_file(const struct listing *listing, const char *name)
{
    for (size_t i = 0; i < listing->file_count; i++)
        if (strcmp(listing->files[i].name, name) == 0)
            return &listing->files[i];
    return NULL;
}

void listing_sources(struct listing *listing, const struct look *look)
{
    const struct look_request *request = look->request;
    char folders[6][PATH_MAX];
    const char *own = request->variant == VARIANT_STUDENT ? request->source : NULL;
    const char *id = look->exercise->id;
    snprintf(folders[0], sizeof *folders, "%s/aarch64", own ? own : "");
    snprintf(folders[1], sizeof *folders, "%s", own ? own : "");
    snprintf(folders[2], sizeof *folders, "%s/solutions/%s/aarch64", request->root, id);
    snprintf(folders[3], sizeof *folders, "%s/solutions/%s", request->root, id);
    snprintf(folders[4], sizeof *folders, "%s/exercises/%s/aarch64", request->root, id);
    snprintf(folders[5], sizeof *folders, "%s/exercises/%s", request->root, id);
    const unsigned variant_from = own ? 0 : request->variant == VARIANT_REFERENCE ? 2 : 4;
    struct location at;
    for (uint32_t i = 0; i < listing->run->count; i++) {
        if (listing->run->sites[i].executions == 0 ||
            !locator_find(listing->locator, listing->run->ops[i].address, &at) || !at.file[0] ||
            find_file(listing, at.file))
            continue;
        bool found = false;
        for (unsigned f = variant_from; f < 6 && !found; f = own && f == 1 ? 4 : f + 1)
            found = add_file(listing, folders[f], at.file);
    }
}

void listing_source(const struct listing *listing, const struct location *at, char *text, size_t size)
{
    const struct listing_file *file = at->line && at->file[0] ? find_file(listing, at->file) : NULL;
    text[0] = '\0';
    if (!file)
        return;
    const char *line = file->text;
    for (unsigned i = 1; i < at->line && line; i++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line)
        return;
    line += strspn(line, " \t");
    size_t length = strcspn(line, "\r\n");
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    snprintf(text, size, "%.*s", (int)(length < INT_MAX ? length : INT_MAX), line);
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c) || (unsigned char)*c >= 0x80)
            *c = *c == '\t' ? ' ' : '?';
}
