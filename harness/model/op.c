#include "harness/model/op.h"

#include <stddef.h>

static const char *const names[OP_CLASS_COUNT] = {
#define OP_CLASS_TEXT(name, text) text,
    OP_CLASSES(OP_CLASS_TEXT)
#undef OP_CLASS_TEXT
};

const char *op_class_name(enum op_class op_class)
{
    return (unsigned)op_class < OP_CLASS_COUNT ? names[op_class] : NULL;
}
