#include "grader/similar/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORD = 64 };

/* A place in a text. */
struct reader {
    const char *at, *end;
    uint32_t line;
    bool fresh; /* nothing of this line, or of this instruction, was read yet */
};

/* Where no word of the language is. */
static const char any_name[] = "a name", any_symbol[] = "a symbol";

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_among(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

/* FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo. */
static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void add(struct tokens *tokens, uint32_t line, const char *text, size_t size)
{
    if ((tokens->count & (tokens->count - 1)) == 0) { /* full at each power of two */
        struct token *more = realloc(tokens->list, (tokens->count ? 2 * tokens->count : 1) * sizeof *more);
        tokens->failed = tokens->failed || !more;
        if (!more)
            return;
        tokens->list = more;
    }
    if (!tokens->failed)
        tokens->list[tokens->count++] = (struct token){.word = hash_of(text, size), .line = line};
}

static void add_word(struct tokens *tokens, uint32_t line, const char *word)
{
    add(tokens, line, word, strlen(word));
}

/* ---- what both languages have ---- */

static void step(struct reader *reader)
{
    if (*reader->at == '\n') {
        reader->line++;
        reader->fresh = true;
    }
    reader->at++;
}

static bool begins(const struct reader *reader, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(reader->end - reader->at) >= length && memcmp(reader->at, text, length) == 0;
}

static void skip_line(struct reader *reader)
{
    while (reader->at < reader->end && *reader->at != '\n') {
        if (begins(reader, "\\\n")) /* goes on in the next one */
            step(reader);
        step(reader);
    }
}

static bool skip_comment(struct reader *reader)
{
    if (begins(reader, "//")) {
        skip_line(reader);
        return true;
    }
    if (!begins(reader, "/*"))
        return false;
    reader->at += 2;
    while (reader->at < reader->end && !begins(reader, "*/"))
        step(reader);
    reader->at += reader->end - reader->at < 2 ? reader->end - reader->at : 2;
    return true;
}

/* Letters and digits, and the characters in `more`; in small letters where `small`. */
static void take_word(struct reader *reader, const char *more, bool small, char word[MOST_WORD])
{
    size_t length = 0;
    while (reader->at < reader->end &&
           (is_letter(*reader->at) || is_digit(*reader->at) || (*reader->at && strchr(more, *reader->at)))) {
        const bool is_large = *reader->at >= 'A' && *reader->at <= 'Z';
        if (length + 1 < MOST_WORD)
            word[length++] = (char)(small && is_large ? *reader->at - 'A' + 'a' : *reader->at);
        reader->at++;
    }
    word[length] = '\0';
    reader->fresh = false;
}

/* 16, 0x10U and 16.0f: their digits without suffix. */
static void take_number(struct tokens *tokens, struct reader *reader)
{
    char word[MOST_WORD] = "", number[MOST_WORD] = "";
    const uint32_t line = reader->line;
    take_word(reader, ".'", true, word);
    const bool is_hexadecimal = strncmp(word, "0x", 2) == 0;
    size_t length = strlen(word);
    while (length > 1 && (strchr("ul", word[length - 1]) || (!is_hexadecimal && word[length - 1] == 'f')))
        word[--length] = '\0';
    if (strchr(word, '.')) /* 1.0 is 1. and 1 */
        while (length > 1 && strchr("0.", word[length - 1])) {
            const bool point = word[length - 1] == '.';
            word[--length] = '\0';
            if (point)
                break;
        }
    char *behind;
    const unsigned long long value = strtoull(word, &behind, 0);
    if (*behind)
        snprintf(number, sizeof number, "%.60s", word);
    else
        snprintf(number, sizeof number, "%llu", value);
    add_word(tokens, line, number);
}

/* ---- assembly ---- */

static const char *const general[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", NULL};
static const char *const general_32[] = {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp", NULL};
static const char *const general_8[] = {"al", "bl", "cl", "dl", "sil", "dil", "ah", "bh", "ch", "dh", NULL};
static const char *const general_16[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", NULL};

/* x3 to x, v7.4s to v.4s, xmm2 to xmm, r9d to e..: what a register is, whichever it is. NULL: none. */
static const char *register_kind(const char *word, char kind[MOST_WORD])
{
    static const struct {
        const char *const *names;
        const char *kind;
    } lists[] = {{general, "r64"}, {general_32, "r32"}, {general_16, "r16"}, {general_8, "r8"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (is_among(word, lists[i].names))
            return strcmp(word, "sp") == 0 ? "sp" : lists[i].kind;
    const size_t letters = strspn(word, "abcdefghijklmnopqrstuvwxyz"),
                 digits = strspn(word + letters, "0123456789");
    const char *rest = word + letters + digits;
    if (digits == 0 || digits > 2)
        return NULL;
    if (letters == 1 && *word == 'r') /* r8 to r15 */
        return *rest == '\0' ? "r64" : *rest == 'd' ? "r32" : *rest == 'w' ? "r16" : "r8";
    if (letters == 1 && strchr("xwvqdshbzp", *word) && (*rest == '\0' || *rest == '.' || *rest == '/')) {
        snprintf(kind, MOST_WORD, "%c%.40s", *word, rest);
        return kind;
    }
    if (letters == 3 && strcmp(word + 1, "mm") > 0 && strchr("xyz", *word) && strncmp(word + 1, "mm", 2) == 0)
        return *word == 'x' ? "xmm" : *word == 'y' ? "ymm" : "zmm";
    return NULL;
}

/* What changes no instruction, or none that counts: the whole line goes. */
static const char *const left_out[] = {
    ".globl", ".global", ".type", ".size",         ".text",       ".section", ".align", ".p2align", ".balign",
    ".arch",  ".file",   ".loc",  ".intel_syntax", ".att_syntax", ".hidden",  ".local", NULL};

/* A line's first word: a label, a directive, a mnemonic. */
static void take_first(struct tokens *tokens, struct reader *reader)
{
    char word[MOST_WORD] = "";
    const uint32_t line = reader->line;
    take_word(reader, ".$", true, word);
    if (reader->at < reader->end && *reader->at == ':') { /* what jumps to it says that it is there */
        reader->at++;
        reader->fresh = true;
    } else if (is_among(word, left_out) || strncmp(word, ".cfi", 4) == 0) {
        while (reader->at < reader->end && *reader->at != '\n' && *reader->at != ';')
            step(reader);
    } else {
        add_word(tokens, line, word);
    }
}

static void take_operand(struct tokens *tokens, struct reader *reader)
{
    char word[MOST_WORD], kind[MOST_WORD];
    const uint32_t line = reader->line;
    take_word(reader, ".$\\@", true, word);
    const char *is = register_kind(word, kind);
    static const char *const words[] = {"lsl", "lsr",  "asr",  "sxtw",  "uxtw",  "sxtx",    "mul",     "vl",
                                        "ptr", "byte", "word", "dword", "qword", "xmmword", "ymmword", "xzr",
                                        "wzr", "eq",   "ne",   "lo",    "hi",    "hs",      "ls",      "lt",
                                        "gt",  "le",   "ge",   "cs",    "cc",    "mi",      "pl",      NULL};
    add_word(tokens, line, is ? is : is_among(word, words) ? word : any_symbol);
}

/* 1b and 2f: a numbered label, before or behind. */
static bool take_numbered(struct tokens *tokens, struct reader *reader)
{
    const char *at = reader->at;
    while (at < reader->end && is_digit(*at))
        at++;
    if (at == reader->end || (*at != 'b' && *at != 'f') ||
        (at + 1 < reader->end && (is_letter(at[1]) || is_digit(at[1]))))
        return false;
    add_word(tokens, reader->line, any_symbol);
    reader->at = at + 1;
    return true;
}

static void read_assembly(struct tokens *tokens, struct reader *reader)
{
    while (reader->at < reader->end) {
        const char c = *reader->at;
        if (skip_comment(reader))
            continue;
        if (reader->fresh && c == '#') { /* a comment, or of the preprocessor */
            skip_line(reader);
        } else if (c == '\n' || c == ';' || begins(reader, "\\n") || begins(reader, "\\t")) {
            reader->at += c == '\\'; /* in a string */
            step(reader);
            reader->fresh = true;
        } else if (is_letter(c) || c == '.' || (c == '\\' && !reader->fresh)) {
            if (c == '\\')
                reader->at++;
            if (reader->fresh)
                take_first(tokens, reader);
            else if (reader->at < reader->end && (is_letter(*reader->at) || *reader->at == '.'))
                take_operand(tokens, reader);
        } else if (is_digit(c) && !reader->fresh && take_numbered(tokens, reader)) {
            continue;
        } else if (is_digit(c)) {
            const bool was_fresh = reader->fresh;
            take_number(tokens, reader);
            if (was_fresh && reader->at < reader->end && *reader->at == ':') { /* 1: */
                tokens->count -= tokens->count > 0;
                reader->at++;
                reader->fresh = true;
            }
        } else {
            if (!is_blank(c) && !strchr(",#$%\"", c))
                add(tokens, reader->line, &c, 1);
            step(reader);
        }
    }
}

/* ---- C ---- */

static const char *const keywords[] = {
    "asm",    "auto",   "break",    "case",    "char",   "const",  "continue", "default", "do",
    "double", "else",   "enum",     "extern",  "float",  "for",    "goto",     "if",      "inline",
    "int",    "long",   "register", "return",  "short",  "signed", "sizeof",   "static",  "struct",
    "switch", "union",  "unsigned", "void",    "while",  "define", "pragma",   "ifdef",   "ifndef",
    "endif",  "memcpy", "memset",   "memmove", "size_t", NULL};
/* Which of them say how a thing is kept or called, and change little else. */
static const char *const storage[] = {"static",   "inline",   "const", "register",
                                      "restrict", "volatile", "auto",  NULL};

/* vaddq_f32, vld1q_s32_x2: nobody's to choose. */
static bool is_neon(const char *word)
{
    const char *mark = *word == 'v' ? strchr(word, '_') : NULL;
    return mark && mark[1] && strchr("sufp", mark[1]) && is_digit(mark[2]);
}

static bool is_fixed(const char *word)
{
    const size_t length = strlen(word);
    const bool is_type = length > 3 && strcmp(word + length - 2, "_t") == 0 && strspn(word, "uint0123456789");
    return is_among(word, keywords) || is_type || (*word == '_' && word[1] == '_') ||
           strncmp(word, "_mm", 3) == 0 || is_neon(word);
}

/* The text in quotes, as assembly; the reader is behind it afterwards. */
static void take_string(struct tokens *tokens, struct reader *reader)
{
    const char quote = *reader->at++;
    struct reader inner = {.at = reader->at, .line = reader->line, .fresh = true};
    while (reader->at < reader->end && *reader->at != quote && *reader->at != '\n') {
        if (*reader->at == '\\' && reader->at + 1 < reader->end && reader->at[1] != '\n')
            reader->at++;
        reader->at++;
    }
    inner.end = reader->at;
    if (quote == '"')
        read_assembly(tokens, &inner);
    else
        add(tokens, inner.line, inner.at, (size_t)(inner.end - inner.at));
    if (reader->at < reader->end && *reader->at == quote)
        reader->at++;
}

static void take_name(struct tokens *tokens, struct reader *reader)
{
    char word[MOST_WORD] = "";
    const uint32_t line = reader->line;
    take_word(reader, "", false, word);
    if (!is_among(word, storage))
        add_word(tokens, line, is_fixed(word) ? word : any_name);
}

/* `<<=`, `++` and the like are one token. */
static void take_operator(struct tokens *tokens, struct reader *reader)
{
    static const char *const longest[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                          "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                          "*=",  "/=",  "%=",  "&=", "|=", "^=", "##", NULL};
    for (const char *const *one = longest; *one; one++) {
        if (!begins(reader, *one))
            continue;
        add_word(tokens, reader->line, *one);
        reader->at += strlen(*one);
        return;
    }
    if (!strchr("(){}\\", *reader->at) || !*reader->at)
        add(tokens, reader->line, reader->at, 1);
    step(reader);
}

static void read_c(struct tokens *tokens, struct reader *reader)
{
    while (reader->at < reader->end) {
        const char c = *reader->at;
        if (skip_comment(reader))
            continue;
        if (reader->fresh && begins(reader, "#include")) {
            skip_line(reader);
        } else if (c == '\n' || is_blank(c)) {
            step(reader);
        } else {
            reader->fresh = false;
            if (is_letter(c))
                take_name(tokens, reader);
            else if (is_digit(c) || (c == '.' && reader->at + 1 < reader->end && is_digit(reader->at[1])))
                take_number(tokens, reader);
            else if (c == '"' || c == '\'')
                take_string(tokens, reader);
            else
                take_operator(tokens, reader);
        }
    }
}

/* ---- both ---- */

void tokens_read(struct tokens *tokens, const char *name, const char *text, size_t size)
{
    struct reader reader = {.at = text, .end = text + size, .line = 1, .fresh = true};
    const size_t length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, ".S") == 0)
        read_assembly(tokens, &reader);
    else
        read_c(tokens, &reader);
}

void tokens_free(struct tokens *tokens)
{
    free(tokens->list);
    *tokens = (struct tokens){0};
}
