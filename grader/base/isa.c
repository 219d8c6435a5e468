#include "grader/base/isa.h"

#include <string.h>
#include <sys/utsname.h>

const char *isa_name(enum isa isa)
{
    static const char *const names[ISA_COUNT] = {"x86_64", "aarch64"};
    return names[isa];
}

enum isa isa_native(void)
{
    struct utsname system;
    return uname(&system) == 0 && strcmp(system.machine, "aarch64") == 0 ? ISA_AARCH64 : ISA_X86_64;
}

bool isa_native_has_fma(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}
