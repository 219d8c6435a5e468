/* Inlined into itself, twice a level, for thirty levels. */
#include "exercise.h"
#include "hostile.h"

static inline __attribute__((always_inline)) void f0(volatile int32_t *v)
{
    *v = *v;
}
static inline __attribute__((always_inline)) void f1(volatile int32_t *v)
{
    f0(v), f0(v);
}
static inline __attribute__((always_inline)) void f2(volatile int32_t *v)
{
    f1(v), f1(v);
}
static inline __attribute__((always_inline)) void f3(volatile int32_t *v)
{
    f2(v), f2(v);
}
static inline __attribute__((always_inline)) void f4(volatile int32_t *v)
{
    f3(v), f3(v);
}
static inline __attribute__((always_inline)) void f5(volatile int32_t *v)
{
    f4(v), f4(v);
}
static inline __attribute__((always_inline)) void f6(volatile int32_t *v)
{
    f5(v), f5(v);
}
static inline __attribute__((always_inline)) void f7(volatile int32_t *v)
{
    f6(v), f6(v);
}
static inline __attribute__((always_inline)) void f8(volatile int32_t *v)
{
    f7(v), f7(v);
}
static inline __attribute__((always_inline)) void f9(volatile int32_t *v)
{
    f8(v), f8(v);
}
static inline __attribute__((always_inline)) void f10(volatile int32_t *v)
{
    f9(v), f9(v);
}
static inline __attribute__((always_inline)) void f11(volatile int32_t *v)
{
    f10(v), f10(v);
}
static inline __attribute__((always_inline)) void f12(volatile int32_t *v)
{
    f11(v), f11(v);
}
static inline __attribute__((always_inline)) void f13(volatile int32_t *v)
{
    f12(v), f12(v);
}
static inline __attribute__((always_inline)) void f14(volatile int32_t *v)
{
    f13(v), f13(v);
}
static inline __attribute__((always_inline)) void f15(volatile int32_t *v)
{
    f14(v), f14(v);
}
static inline __attribute__((always_inline)) void f16(volatile int32_t *v)
{
    f15(v), f15(v);
}
static inline __attribute__((always_inline)) void f17(volatile int32_t *v)
{
    f16(v), f16(v);
}
static inline __attribute__((always_inline)) void f18(volatile int32_t *v)
{
    f17(v), f17(v);
}
static inline __attribute__((always_inline)) void f19(volatile int32_t *v)
{
    f18(v), f18(v);
}
static inline __attribute__((always_inline)) void f20(volatile int32_t *v)
{
    f19(v), f19(v);
}
static inline __attribute__((always_inline)) void f21(volatile int32_t *v)
{
    f20(v), f20(v);
}
static inline __attribute__((always_inline)) void f22(volatile int32_t *v)
{
    f21(v), f21(v);
}
static inline __attribute__((always_inline)) void f23(volatile int32_t *v)
{
    f22(v), f22(v);
}
static inline __attribute__((always_inline)) void f24(volatile int32_t *v)
{
    f23(v), f23(v);
}
static inline __attribute__((always_inline)) void f25(volatile int32_t *v)
{
    f24(v), f24(v);
}
static inline __attribute__((always_inline)) void f26(volatile int32_t *v)
{
    f25(v), f25(v);
}
static inline __attribute__((always_inline)) void f27(volatile int32_t *v)
{
    f26(v), f26(v);
}
static inline __attribute__((always_inline)) void f28(volatile int32_t *v)
{
    f27(v), f27(v);
}
static inline __attribute__((always_inline)) void f29(volatile int32_t *v)
{
    f28(v), f28(v);
}
static inline __attribute__((always_inline)) void f30(volatile int32_t *v)
{
    f29(v), f29(v);
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    f30(values);
    answer(values, n, lo, hi);
}
