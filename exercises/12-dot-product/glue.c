#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_dot(const void *args, void *result)
{
    const struct dot_args *a = args;
    struct dot_result *r = result;
    r->sum = dot(a->a, a->b, a->n);
}

void products_as_called(float m[16], const float *a, const float *b, size_t n,
                        uint64_t fma) __asm__("products");

static void call_products(const void *args, void *result)
{
    const struct products_args *a = args;
    (void)result;
    products_as_called(a->m, a->a, a->b, a->n, as_called(a->fma != 0));
}

const plan_entry plan_entries[] = {[ENTRY_DOT] = call_dot, [ENTRY_PRODUCTS] = call_products};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
