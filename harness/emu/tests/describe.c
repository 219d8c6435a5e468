#include <stdarg.h>
#include <stdio.h>
#include "harness/emu/tests/describe.h"

static const char *const verdicts[] = {"", "unknown ", "forbidden "};
static const char *const memories[] = {"", "read", "write", "update", "prefetch"};
static const char *const branches[] = {
    "", "jump", "conditional", "call", "call indirect", "jump indirect", "return"};
static const char *const orders[] = {"", "order memory", "order all", "order context", "order serial"};
static const char *const features[] = {
#define FEATURE_NAME(feature, bit, text, title) [bit] = text,
    DECODE_FEATURES(FEATURE_NAME)
#undef FEATURE_NAME
};

struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < text->left) {
        text->at += length;
        text->left -= (size_t)length;
    }
}

void describe(const struct decoded *decoded, char *buffer, size_t size)
{
    struct text text = {buffer, size};
    const struct op *op = &decoded->op;
    append(&text, "%s%s", verdicts[decoded->verdict], decoded->name);
    if (decoded->verdict != DECODE_OK)
        return;
    append(&text, ": %s%s%s", op_class_name(op->op_class), op->wide ? ".q" : "", op->half ? " half" : "");
    for (unsigned i = 0; i < op->write_count; i++)
        append(&text, " %s%s", decode_register_name(op->writes[i]), i == op->base_write ? "!" : "");
    append(&text, " <-");
    for (unsigned i = 0; i < op->read_count; i++)
        append(&text, " %s%s%s%s", decode_register_name(op->reads[i]), op->address_reads >> i & 1 ? "@" : "",
               i == op->accumulator ? "+" : "", op->kept_half >> i & 1 ? "/" : "");
    if (op->memory)
        append(&text, " %s %u in %u", memories[op->memory], op->bytes, op->registers);
    if (op->branch)
        append(&text, " %s", branches[op->branch]);
    if (op->order)
        append(&text, " %s", orders[op->order]);
    for (unsigned i = 0; i < sizeof features / sizeof *features; i++)
        if (decoded->feature >> i & 1)
            append(&text, " %s", features[i]);
}
