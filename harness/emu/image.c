#include "harness/emu/image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "harness/arena/plan.h"

enum { SIZE_LIMIT = 64 << 20, CODE_LIMIT = 1 << 20, ENTRY_LIMIT = 4096 };

/* The file under way. */
struct reading {
    struct image *image;
    const char *path;
    Elf *elf;
    const char *file; /* its contents */
    size_t size;
    struct error *err;
};

static bool is_program(const struct reading *reading)
{
    GElf_Ehdr header;
    if (elf_kind(reading->elf) == ELF_K_ELF && gelf_getehdr(reading->elf, &header) &&
        header.e_machine == EM_AARCH64 && header.e_type == ET_EXEC &&
        gelf_getclass(reading->elf) == ELFCLASS64)
        return true;
    return error_set(reading->err, "%s is not a static AArch64 program", reading->path);
}

/* Where the file has its sections follows from debug information, of which inputs know nothing: a program
 * that could read it would be told something that does not change what it is asked. */
static void forget_sections(unsigned char *bytes, const GElf_Phdr *header)
{
    Elf64_Ehdr elf;
    if (header->p_offset != 0 || header->p_filesz < sizeof elf)
        return;
    memcpy(&elf, bytes, sizeof elf);
    elf.e_shoff = 0;
    elf.e_shnum = elf.e_shstrndx = 0;
    memcpy(bytes, &elf, sizeof elf);
}

static bool add_segment(const struct reading *reading, const GElf_Phdr *header)
{
    struct image *image = reading->image;
    uint64_t first = header->p_vaddr / IMAGE_PAGE * IMAGE_PAGE;
    uint64_t size = (header->p_vaddr - first + header->p_memsz + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;
    if (header->p_memsz > SIZE_LIMIT || header->p_filesz > header->p_memsz ||
        header->p_vaddr < ARENA_GRANULE || header->p_vaddr >= ARENA_BASE || first + size > ARENA_BASE ||
        header->p_offset > reading->size || header->p_filesz > reading->size - header->p_offset)
        return error_set(reading->err, "%s: a segment at 0x%llx is not where a program's are", reading->path,
                         (unsigned long long)header->p_vaddr);
    for (unsigned i = 0; i < image->segment_count; i++) {
        if (first < image->segments[i].address + image->segments[i].size &&
            image->segments[i].address < first + size)
            return error_set(reading->err, "%s: two segments share a page", reading->path);
    }
    if (image->segment_count == IMAGE_SEGMENTS)
        return error_set(reading->err, "%s has more than %d segments", reading->path, IMAGE_SEGMENTS);
    unsigned char *bytes = aligned_alloc(IMAGE_PAGE, size);
    if (!bytes)
        return error_set(reading->err, "out of memory");
    memset(bytes, 0, size);
    memcpy(bytes + (header->p_vaddr - first), reading->file + header->p_offset, header->p_filesz);
    forget_sections(bytes + (header->p_vaddr - first), header);
    image->segments[image->segment_count++] =
        (struct image_segment){first, size, bytes, (header->p_flags & PF_X) != 0};
    return true;
}

static bool add_segments(const struct reading *reading)
{
    size_t count = 0;
    GElf_Phdr header;
    if (elf_getphdrnum(reading->elf, &count) != 0)
        return error_set(reading->err, "%s: %s", reading->path, elf_errmsg(-1));
    for (size_t i = 0; i < count; i++) {
        if (gelf_getphdr(reading->elf, (int)i, &header) && header.p_type == PT_LOAD && header.p_memsz > 0 &&
            !add_segment(reading, &header))
            return false;
    }
    return true;
}

/* What is at `address`, for `bytes` bytes; NULL if that is not all in one segment. */
static const unsigned char *at(const struct image *image, uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        if (address >= segment->address && address - segment->address <= segment->size &&
            bytes <= segment->size - (address - segment->address))
            return segment->bytes + (address - segment->address);
    }
    return NULL;
}

/* All sections with code, from the first to the last, as one array. */
static bool add_code(const struct reading *reading)
{
    struct image *image = reading->image;
    uint64_t first = UINT64_MAX, end = 0;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(reading->elf, section));) {
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) || header.sh_size == 0)
            continue;
        if (!at(image, header.sh_addr, header.sh_size) || header.sh_addr % 4 != 0)
            return error_set(reading->err, "%s: code at 0x%llx is in no segment", reading->path,
                             (unsigned long long)header.sh_addr);
        first = header.sh_addr < first ? header.sh_addr : first;
        end = header.sh_addr + header.sh_size > end ? header.sh_addr + header.sh_size : end;
    }
    if (end <= first || end - first > CODE_LIMIT)
        return error_set(reading->err, "%s has no code, or more than %d bytes from the first to the last",
                         reading->path, CODE_LIMIT);
    image->code = first;
    image->count = (end - first) / 4;
    image->words = calloc(image->count, sizeof *image->words);
    image->places = calloc(image->count, 1); /* IMAGE_NO_CODE */
    if (!image->words || !image->places)
        return error_set(reading->err, "out of memory");
    for (size_t i = 0; i < image->count; i++) {
        const unsigned char *word = at(image, first + 4 * i, 4);
        if (word)
            memcpy(&image->words[i], word, 4);
    }
    for (Elf_Scn *section = NULL; (section = elf_nextscn(reading->elf, section));) {
        if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR) && header.sh_size > 0)
            memset(image->places + (header.sh_addr - first) / 4, IMAGE_OPEN, header.sh_size / 4);
    }
    return true;
}

/* ---- symbols ---- */

struct symbols {
    Elf_Data *data;
    size_t strings;
    int count;
};

static bool find_symbols(const struct reading *reading, struct symbols *symbols)
{
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(reading->elf, section));) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
            continue;
        *symbols = (struct symbols){elf_getdata(section, NULL), header.sh_link,
                                    (int)(header.sh_size / header.sh_entsize)};
        if (symbols->data)
            return true;
    }
    return error_set(reading->err, "%s has no symbols", reading->path);
}

static const char *symbol(const struct reading *reading, const struct symbols *symbols, int i,
                          GElf_Sym *found)
{
    *found = (GElf_Sym){0};
    if (!gelf_getsym(symbols->data, i, found))
        return "";
    const char *name = elf_strptr(reading->elf, symbols->strings, found->st_name);
    return name ? name : "";
}

static const unsigned char *global(const struct reading *reading, const struct symbols *symbols,
                                   const char *wanted, uint64_t bytes)
{
    GElf_Sym found = {0};
    for (int i = 0; i < symbols->count; i++) {
        if (strcmp(symbol(reading, symbols, i, &found), wanted) == 0 &&
            GELF_ST_BIND(found.st_info) == STB_GLOBAL && found.st_shndx != SHN_UNDEF)
            return at(reading->image, found.st_value, bytes);
    }
    return NULL;
}

/* A table with its length, both global; NULL if there is none, or too much of it. */
static void *table(const struct reading *reading, const struct symbols *symbols, const char *name,
                   size_t size, const char *count_name, uint32_t *count)
{
    const unsigned char *length = global(reading, symbols, count_name, sizeof *count);
    *count = 0;
    if (length)
        memcpy(count, length, sizeof *count);
    const uint64_t bytes = *count * size;
    const unsigned char *found =
        *count > 0 && *count <= ENTRY_LIMIT ? global(reading, symbols, name, bytes) : NULL;
    void *copy = found ? malloc(bytes) : NULL;
    if (copy)
        memcpy(copy, found, bytes);
    else
        *count = 0;
    return copy;
}

static bool add_entries(const struct reading *reading, const struct symbols *symbols)
{
    struct image *image = reading->image;
    image->entries = table(reading, symbols, "plan_entries", sizeof *image->entries, "plan_entry_count",
                           &image->entry_count);
    image->handed = table(reading, symbols, "plan_handed", sizeof *image->handed, "plan_handed_count",
                          &image->handed_count);
    image->counted = table(reading, symbols, "plan_counted", sizeof *image->counted, "plan_counted_count",
                           &image->counted_count);
    return image->entries ||
           error_set(reading->err, "%s has no plan_entries: it is not a runner", reading->path);
}

static bool is_entry(const struct image *image, uint64_t address)
{
    for (uint32_t i = 0; i < image->entry_count; i++) {
        if (image->entries[i] == address)
            return true;
    }
    return false;
}

const struct image_handed *image_handed(const struct image *image, uint64_t address)
{
    for (uint32_t i = 0; i < image->handed_count; i++) {
        if (image->handed[i].function == address)
            return &image->handed[i];
    }
    return NULL;
}

static void place(struct image *image, const GElf_Sym *function, enum image_place place,
                  enum image_place start)
{
    uint64_t first = (function->st_value - image->code) / 4, count = (function->st_size + 3) / 4;
    if (function->st_value < image->code || first >= image->count)
        return;
    if (count > image->count - first)
        count = image->count - first;
    memset(image->places + first, (int)place, count);
    image->places[first] = (uint8_t)start;
}

/* The runner's functions that are seen from outside, and its files that have others. A student's object can
 * define none of these names, and a file so named would only lock its own functions up. */
static bool of_runner(const char *name)
{
    static const char *const names[] = {"_start",      "target_syscall", "target_signal_return",
                                        "target_call", "target_fault",   "runner_prepare",
                                        "runner_loop"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static bool runner_file(const char *name)
{
    return strcmp(name, "runner.c") == 0 || strcmp(name, "fault.c") == 0;
}

/* Local symbols stand in the order of the objects, each object's behind a symbol with its file's name (the
 * linker makes one up where the object has none). The glue is the first object with an entry of the plan. */
static int glue_file(const struct reading *reading, const struct symbols *symbols)
{
    GElf_Sym found = {0};
    int file = 0;
    for (int i = 0; i < symbols->count; i++) {
        symbol(reading, symbols, i, &found);
        if (GELF_ST_TYPE(found.st_info) == STT_FILE)
            file = i;
        else if (GELF_ST_TYPE(found.st_info) == STT_FUNC && GELF_ST_BIND(found.st_info) == STB_LOCAL &&
                 is_entry(reading->image, found.st_value))
            return file;
    }
    return -1;
}

static void add_places(const struct reading *reading, const struct symbols *symbols)
{
    GElf_Sym found = {0};
    bool runner = false;
    int file = 0, glue = glue_file(reading, symbols);
    for (int i = 0; i < symbols->count; i++) {
        const char *name = symbol(reading, symbols, i, &found);
        bool local = GELF_ST_BIND(found.st_info) == STB_LOCAL;
        if (GELF_ST_TYPE(found.st_info) == STT_FILE) {
            file = i;
            runner = runner_file(name);
        }
        if (GELF_ST_TYPE(found.st_info) != STT_FUNC || found.st_shndx == SHN_ABS)
            continue;
        if (local && file == glue)
            place(reading->image, &found, IMAGE_GLUE,
                  image_handed(reading->image, found.st_value) ? IMAGE_GLUE_HANDED : IMAGE_GLUE_START);
        else if (local ? runner : of_runner(name))
            place(reading->image, &found, IMAGE_RUNNER, IMAGE_RUNNER);
    }
}

static bool read_all(const struct reading *reading)
{
    struct symbols symbols = {0};
    if (!is_program(reading) || !add_segments(reading) || !add_code(reading) ||
        !find_symbols(reading, &symbols) || !add_entries(reading, &symbols))
        return false;
    add_places(reading, &symbols);
    return true;
}

bool image_open(struct image *image, const char *path, struct error *err)
{
    struct stat info;
    *image = (struct image){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > SIZE_LIMIT) {
        error_set(err, "cannot read the program %s: %s", path,
                  fd < 0 ? strerror(errno) : "it is no file, or too large");
        if (fd >= 0)
            close(fd);
        return false;
    }
    elf_version(EV_CURRENT);
    struct reading reading = {image, path, elf_begin(fd, ELF_C_READ, NULL), NULL, 0, err};
    reading.file = reading.elf ? elf_rawfile(reading.elf, &reading.size) : NULL;
    bool good = reading.file ? read_all(&reading) : error_set(err, "cannot read the program %s", path);
    elf_end(reading.elf);
    close(fd);
    if (!good)
        image_close(image);
    return good;
}

void image_close(struct image *image)
{
    for (unsigned i = 0; i < image->segment_count; i++)
        free(image->segments[i].bytes);
    free(image->words);
    free(image->places);
    free(image->entries);
    free(image->handed);
    free(image->counted);
    *image = (struct image){0};
}
