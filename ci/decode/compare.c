/* The decoder against the emulator, for every different instruction of some ELF files, or for random words.
 * `make decode` runs it; a table on standard output, status 1 where a limit is exceeded. */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/emu/decode.h"
#include "harness/emu/tests/describe.h"
#include "harness/emu/tests/oracle.h"
#include "harness/base/rng.h"

static const char usage[] = "usage: decode-compare [--limit PERMILLE] [--every N] ELF...\n"
                            "       decode-compare [--limit PERMILLE] --random WORDS [SEED]\n"
                            "  --limit   how many of a thousand may have a wrong register (0)\n"
                            "  --every   only each Nth different instruction\n";

struct words {
    uint32_t *word;
    size_t count, room;
};

static void add_word(struct words *words, uint32_t word)
{
    if (words->count == words->room) {
        words->room = words->room ? 2 * words->room : 4096;
        words->word = realloc(words->word, words->room * sizeof *words->word);
        if (!words->word)
            abort();
    }
    words->word[words->count++] = word;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void keep_different(struct words *words)
{
    size_t kept = 0;
    if (words->count)
        qsort(words->word, words->count, sizeof *words->word, by_value);
    for (size_t i = 0; i < words->count; i++)
        if (i == 0 || words->word[i] != words->word[i - 1])
            words->word[kept++] = words->word[i];
    words->count = kept;
}

/* Mapping symbols ($x, $d) tell instructions from data among them; without a symbol table all is code. */
struct marks {
    size_t count;
    struct mark {
        uint64_t address;
        bool code;
    } * mark;
};

static int by_address(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static struct marks read_marks(Elf *elf, size_t in_section)
{
    struct marks marks = {0};
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(elf, section))) {
        Elf_Data *data;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize ||
            !(data = elf_getdata(section, NULL)))
            continue;
        size_t symbols = header.sh_size / header.sh_entsize;
        marks.mark = realloc(marks.mark, (marks.count + symbols) * sizeof *marks.mark);
        for (size_t i = 0; marks.mark && i < symbols; i++) {
            GElf_Sym symbol;
            const char *name;
            if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != in_section ||
                !(name = elf_strptr(elf, header.sh_link, symbol.st_name)))
                continue;
            if (name[0] == '$' && (name[1] == 'x' || name[1] == 'd'))
                marks.mark[marks.count++] = (struct mark){symbol.st_value, name[1] == 'x'};
        }
    }
    if (marks.count)
        qsort(marks.mark, marks.count, sizeof *marks.mark, by_address);
    return marks;
}

static bool read_elf(const char *path, struct words *words)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    GElf_Ehdr ehdr;
    bool good = elf && gelf_getehdr(elf, &ehdr) && ehdr.e_machine == EM_AARCH64;
    Elf_Scn *section = NULL;
    while (good && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        Elf_Data *data;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_EXECINSTR) || !(data = elf_getdata(section, NULL)))
            continue;
        struct marks marks = read_marks(elf, elf_ndxscn(section));
        bool code = true;
        for (size_t at = 0, next = 0; at + 4 <= data->d_size; at += 4) {
            while (next < marks.count && marks.mark[next].address <= header.sh_addr + at)
                code = marks.mark[next++].code;
            uint32_t word;
            memcpy(&word, (const char *)data->d_buf + at, sizeof word);
            if (code)
                add_word(words, word);
        }
        free(marks.mark);
    }
    if (elf)
        elf_end(elf);
    if (file >= 0)
        close(file);
    if (!good)
        fprintf(stderr, "%s is no AArch64 ELF file that can be read\n", path);
    return good;
}

struct tally {
    unsigned of[ORACLE_VERDICTS], system, forbidden, unknown, executed_unknown, aborts;
    struct name {
        const char *name;
        unsigned count;
    } names[200];
    unsigned name_count;
};

static void count_name(struct tally *tally, const char *name)
{
    for (unsigned i = 0; i < tally->name_count; i++)
        if (strcmp(tally->names[i].name, name) == 0) {
            tally->names[i].count++;
            return;
        }
    if (tally->name_count < sizeof tally->names / sizeof *tally->names)
        tally->names[tally->name_count++] = (struct name){name, 1};
}

/* Which of the words that the decoder does not know does the emulator execute? In processes of its own, since
 * Unicorn 2.0 aborts where it translates some of the unallocated ones. */
enum outcome { NOT_TRIED, REFUSED, EXECUTED, ABORTED };
struct trial {
    size_t count;
    struct {
        uint32_t word;
        uint8_t outcome;
    } of[];
};

static void try_in_child(struct trial *trial)
{
    for (size_t at = 0; at < trial->count;) {
        pid_t child = fork();
        if (child < 0)
            abort();
        if (child == 0) {
            struct oracle *oracle = freopen("/dev/null", "w", stderr) ? oracle_open() : NULL;
            for (; oracle && at < trial->count; at++) {
                trial->of[at].outcome = ABORTED;
                trial->of[at].outcome = oracle_executes(oracle, trial->of[at].word) ? EXECUTED : REFUSED;
            }
            _exit(0);
        }
        waitpid(child, NULL, 0);
        while (at < trial->count && trial->of[at].outcome != NOT_TRIED)
            at++;
    }
}

static void try_unknown(const struct words *words, struct tally *tally)
{
    size_t size = sizeof(struct trial) + words->count * sizeof((struct trial *)0)->of[0];
    struct trial *trial = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct decoded decoded;
    if (trial == MAP_FAILED)
        abort();
    for (size_t i = 0; i < words->count; i++) {
        decode(words->word[i], 0, &decoded);
        if (decoded.verdict == DECODE_UNKNOWN)
            trial->of[trial->count++].word = words->word[i];
    }
    try_in_child(trial);
    for (size_t i = 0; i < trial->count; i++) {
        tally->aborts += trial->of[i].outcome == ABORTED;
        if (trial->of[i].outcome == ABORTED && tally->aborts <= 10)
            printf("%08x  the emulator aborts\n", trial->of[i].word);
        if (trial->of[i].outcome != EXECUTED)
            continue;
        tally->executed_unknown++;
        decode(trial->of[i].word, 0, &decoded);
        count_name(tally, decoded.name);
    }
    munmap(trial, size);
}

static void compare(struct oracle *oracle, uint32_t word, struct tally *tally)
{
    char text[400], description[256];
    struct decoded decoded;
    decode(word, 0, &decoded);
    enum oracle_verdict verdict = oracle_check(oracle, word, text, sizeof text);
    tally->of[verdict]++;
    if (verdict == ORACLE_NOT_RUN) {
        tally->system += decoded.verdict == DECODE_OK;
        tally->forbidden += decoded.verdict == DECODE_FORBIDDEN;
        tally->unknown += decoded.verdict == DECODE_UNKNOWN;
    }
    if (verdict == ORACLE_WRONG || verdict == ORACLE_UNDEFINED) {
        describe(&decoded, description, sizeof description);
        printf("%08x  %s: %s\n", word, description,
               verdict == ORACLE_WRONG ? text : "the emulator does not know it");
    }
}

static void name_unknown(const struct words *words, struct tally *tally)
{
    struct decoded decoded;
    for (size_t i = 0; i < words->count; i++) {
        decode(words->word[i], 0, &decoded);
        if (decoded.verdict != DECODE_OK)
            count_name(tally, decoded.name);
    }
}

static void print(const struct tally *tally, size_t words, bool tried_unknown)
{
    unsigned run = tally->of[ORACLE_RIGHT] + tally->of[ORACLE_UNPROVEN] + tally->of[ORACLE_WRONG] +
                   tally->of[ORACLE_UNDEFINED];
    printf("%8zu  different instructions\n", words);
    printf("%8u  executed and compared: registers, access, branch\n", run);
    printf("%8u    right\n", tally->of[ORACLE_RIGHT]);
    printf("%8u    right as far as can be seen (x0 - x0, x0 + 0 and their like)\n",
           tally->of[ORACLE_UNPROVEN]);
    printf("%8u    wrong\n", tally->of[ORACLE_WRONG]);
    printf("%8u    undefined for the emulator\n", tally->of[ORACLE_UNDEFINED]);
    printf("%8u  system registers, from a list\n", tally->system);
    printf("%8u  forbidden\n%8u  not modelled\n", tally->forbidden, tally->unknown);
    if (tried_unknown)
        printf("%8u    at which the emulator aborts\n%8u    that the emulator executes\n", tally->aborts,
               tally->executed_unknown);
    for (unsigned i = 0; i < tally->name_count; i++)
        printf("%12u  %s\n", tally->names[i].count, tally->names[i].name);
}

int main(int argc, char **argv)
{
    unsigned long limit = 0, every = 1, random = 0, seed = 1;
    struct words words = {0};
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        unsigned long value = strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--limit") == 0)
            limit = value;
        else if (strcmp(argv[i], "--every") == 0 && value)
            every = value;
        else if (strcmp(argv[i], "--random") == 0)
            random = value;
        else
            break;
    }
    if (random) {
        if (i < argc)
            seed = strtoul(argv[i], NULL, 10);
        struct rng rng = {seed};
        while (random--)
            add_word(&words, (uint32_t)rng_next(&rng));
        random = 1;
    } else {
        if (i >= argc) {
            fputs(usage, stderr);
            return 2;
        }
        elf_version(EV_CURRENT);
        for (; i < argc; i++)
            if (!read_elf(argv[i], &words))
                return 2;
    }
    struct oracle *oracle = oracle_open();
    if (!oracle) {
        fputs("this Unicorn cannot emulate an AArch64 with all extensions\n", stderr);
        return 4;
    }
    keep_different(&words);
    size_t kept = 0;
    for (size_t at = 0; at < words.count; at += every)
        words.word[kept++] = words.word[at];
    words.count = kept;
    static struct tally tally;
    if (random)
        try_unknown(&words, &tally);
    else
        name_unknown(&words, &tally);
    for (size_t at = 0; at < words.count; at++)
        compare(oracle, words.word[at], &tally);
    print(&tally, words.count, random);
    oracle_close(oracle);
    free(words.word);
    return (tally.of[ORACLE_WRONG] + tally.of[ORACLE_UNDEFINED]) * 1000UL > limit * words.count ||
           !words.count;
}
