#include "grader/machine/cpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* To add a row: `cpu family`, first and last `model`, and the least `stepping` of /proc/cpuinfo; the first
 * match counts, so narrower rows stand before wider ones. */
struct x86_name {
    int family, first, last, stepping;
    const char *code;
};

static const struct x86_name intel_names[] = {
    {6, 0x0e, 0x0e, 0, "Yonah (Core)"},
    {6, 0x0f, 0x0f, 0, "Merom / Conroe (Core 2)"},
    {6, 0x16, 0x16, 0, "Merom-L (Core 2)"},
    {6, 0x17, 0x17, 0, "Penryn / Wolfdale (Core 2)"},
    {6, 0x1d, 0x1d, 0, "Dunnington (Core 2)"},
    {6, 0x1a, 0x1a, 0, "Nehalem-EP"},
    {6, 0x1e, 0x1f, 0, "Nehalem"},
    {6, 0x2e, 0x2e, 0, "Nehalem-EX"},
    {6, 0x25, 0x25, 0, "Westmere"},
    {6, 0x2c, 0x2c, 0, "Westmere-EP"},
    {6, 0x2f, 0x2f, 0, "Westmere-EX"},
    {6, 0x2a, 0x2a, 0, "Sandy Bridge"},
    {6, 0x2d, 0x2d, 0, "Sandy Bridge-E/EP"},
    {6, 0x3a, 0x3a, 0, "Ivy Bridge"},
    {6, 0x3e, 0x3e, 0, "Ivy Bridge-E/EP"},
    {6, 0x3c, 0x3c, 0, "Haswell"},
    {6, 0x45, 0x46, 0, "Haswell"},
    {6, 0x3f, 0x3f, 0, "Haswell-E/EP"},
    {6, 0x3d, 0x3d, 0, "Broadwell"},
    {6, 0x47, 0x47, 0, "Broadwell"},
    {6, 0x4f, 0x4f, 0, "Broadwell-E/EP"},
    {6, 0x56, 0x56, 0, "Broadwell-DE"},
    {6, 0x4e, 0x4e, 0, "Skylake"},
    {6, 0x5e, 0x5e, 0, "Skylake"},
    {6, 0x55, 0x55, 10, "Cooper Lake"},
    {6, 0x55, 0x55, 5, "Cascade Lake"},
    {6, 0x55, 0x55, 0, "Skylake-SP/X"},
    {6, 0x8e, 0x8e, 10, "Kaby Lake or later (Coffee, Whiskey, Comet Lake)"},
    {6, 0x8e, 0x8e, 0, "Kaby Lake"},
    {6, 0x9e, 0x9e, 10, "Coffee Lake"},
    {6, 0x9e, 0x9e, 0, "Kaby Lake"},
    {6, 0xa5, 0xa6, 0, "Comet Lake"},
    {6, 0x66, 0x66, 0, "Cannon Lake"},
    {6, 0x6a, 0x6a, 0, "Ice Lake-SP"},
    {6, 0x6c, 0x6c, 0, "Ice Lake-D"},
    {6, 0x7d, 0x7e, 0, "Ice Lake"},
    {6, 0x8c, 0x8d, 0, "Tiger Lake"},
    {6, 0xa7, 0xa7, 0, "Rocket Lake"},
    {6, 0x97, 0x97, 0, "Alder Lake"},
    {6, 0x9a, 0x9a, 0, "Alder Lake"},
    {6, 0xbe, 0xbe, 0, "Alder Lake-N"},
    {6, 0xb7, 0xb7, 0, "Raptor Lake"},
    {6, 0xba, 0xba, 0, "Raptor Lake"},
    {6, 0xbf, 0xbf, 0, "Raptor Lake"},
    {6, 0xaa, 0xaa, 0, "Meteor Lake"},
    {6, 0xac, 0xac, 0, "Meteor Lake"},
    {6, 0xbd, 0xbd, 0, "Lunar Lake"},
    {6, 0xb5, 0xb5, 0, "Arrow Lake"},
    {6, 0xc5, 0xc6, 0, "Arrow Lake"},
    {6, 0xcc, 0xcc, 0, "Panther Lake"},
    {6, 0x8f, 0x8f, 0, "Sapphire Rapids"},
    {6, 0xcf, 0xcf, 0, "Emerald Rapids"},
    {6, 0xad, 0xae, 0, "Granite Rapids"},
    {6, 0xaf, 0xaf, 0, "Sierra Forest"},
    {6, 0x1c, 0x1c, 0, "Bonnell (Atom)"},
    {6, 0x26, 0x27, 0, "Bonnell (Atom)"},
    {6, 0x35, 0x36, 0, "Saltwell (Atom)"},
    {6, 0x37, 0x37, 0, "Silvermont (Atom)"},
    {6, 0x4a, 0x4a, 0, "Silvermont (Atom)"},
    {6, 0x4d, 0x4d, 0, "Silvermont (Atom)"},
    {6, 0x5a, 0x5a, 0, "Silvermont (Atom)"},
    {6, 0x4c, 0x4c, 0, "Airmont (Atom)"},
    {6, 0x5c, 0x5c, 0, "Goldmont (Atom)"},
    {6, 0x5f, 0x5f, 0, "Goldmont (Atom)"},
    {6, 0x7a, 0x7a, 0, "Goldmont Plus (Gemini Lake)"},
    {6, 0x86, 0x86, 0, "Tremont (Atom)"},
    {6, 0x96, 0x96, 0, "Tremont (Elkhart Lake)"},
    {6, 0x9c, 0x9c, 0, "Tremont (Jasper Lake)"},
    {6, 0x57, 0x57, 0, "Knights Landing"},
    {6, 0x85, 0x85, 0, "Knights Mill"},
    {15, 0x00, 0xff, 0, "NetBurst (Pentium 4)"},
};

static const struct x86_name amd_names[] = {
    {0x0f, 0x00, 0xff, 0, "K8"},
    {0x10, 0x00, 0xff, 0, "K10"},
    {0x11, 0x00, 0xff, 0, "K8 (Turion Ultra)"},
    {0x12, 0x00, 0xff, 0, "K10 (Llano)"},
    {0x14, 0x00, 0xff, 0, "Bobcat"},
    {0x15, 0x00, 0x01, 0, "Bulldozer"},
    {0x15, 0x02, 0x1f, 0, "Piledriver"},
    {0x15, 0x30, 0x3f, 0, "Steamroller"},
    {0x15, 0x60, 0x7f, 0, "Excavator"},
    {0x16, 0x00, 0xff, 0, "Jaguar / Puma"},
    {0x17, 0x08, 0x08, 0, "Zen+"},
    {0x17, 0x18, 0x18, 0, "Zen+"},
    {0x17, 0x00, 0x2f, 0, "Zen"},
    {0x17, 0x30, 0xff, 0, "Zen 2"},
    {0x19, 0x10, 0x1f, 0, "Zen 4"},
    {0x19, 0x60, 0x7f, 0, "Zen 4"},
    {0x19, 0xa0, 0xaf, 0, "Zen 4c"},
    {0x19, 0x00, 0x5f, 0, "Zen 3"},
    {0x1a, 0x00, 0x4f, 0, "Zen 5"},
    {0x1a, 0x60, 0x7f, 0, "Zen 5"},
};

/* To add a row: `CPU implementer` and `CPU part` of /proc/cpuinfo. */
static const struct {
    long implementer, part;
    const char *maker, *code;
} arm_names[] = {
    {0x41, 0xd03, "Arm", "Cortex-A53"},
    {0x41, 0xd04, "Arm", "Cortex-A35"},
    {0x41, 0xd05, "Arm", "Cortex-A55"},
    {0x41, 0xd07, "Arm", "Cortex-A57"},
    {0x41, 0xd08, "Arm", "Cortex-A72"},
    {0x41, 0xd09, "Arm", "Cortex-A73"},
    {0x41, 0xd0a, "Arm", "Cortex-A75"},
    {0x41, 0xd0b, "Arm", "Cortex-A76"},
    {0x41, 0xd0c, "Arm", "Neoverse N1"},
    {0x41, 0xd0d, "Arm", "Cortex-A77"},
    {0x41, 0xd40, "Arm", "Neoverse V1"},
    {0x41, 0xd41, "Arm", "Cortex-A78"},
    {0x41, 0xd42, "Arm", "Cortex-A78AE"},
    {0x41, 0xd44, "Arm", "Cortex-X1"},
    {0x41, 0xd46, "Arm", "Cortex-A510"},
    {0x41, 0xd47, "Arm", "Cortex-A710"},
    {0x41, 0xd48, "Arm", "Cortex-X2"},
    {0x41, 0xd49, "Arm", "Neoverse N2"},
    {0x41, 0xd4a, "Arm", "Neoverse E1"},
    {0x41, 0xd4b, "Arm", "Cortex-A78C"},
    {0x41, 0xd4d, "Arm", "Cortex-A715"},
    {0x41, 0xd4e, "Arm", "Cortex-X3"},
    {0x41, 0xd4f, "Arm", "Neoverse V2"},
    {0x41, 0xd80, "Arm", "Cortex-A520"},
    {0x41, 0xd81, "Arm", "Cortex-A720"},
    {0x41, 0xd82, "Arm", "Cortex-X4"},
    {0x41, 0xd84, "Arm", "Neoverse V3"},
    {0x41, 0xd85, "Arm", "Cortex-X925"},
    {0x41, 0xd87, "Arm", "Cortex-A725"},
    {0x41, 0xd8e, "Arm", "Neoverse N3"},
    {0x43, 0x0a1, "Cavium", "ThunderX"},
    {0x43, 0x0af, "Cavium", "ThunderX2"},
    {0x46, 0x001, "Fujitsu", "A64FX"},
    {0x48, 0xd01, "HiSilicon", "TaiShan v110 (Kunpeng 920)"},
    {0x50, 0x000, "APM", "X-Gene"},
    {0x51, 0x800, "Qualcomm", "Kryo 2xx Gold"},
    {0x51, 0x804, "Qualcomm", "Kryo 4xx Gold"},
    {0x51, 0xc00, "Qualcomm", "Falkor"},
    {0x51, 0x001, "Qualcomm", "Oryon"},
    {0x61, 0x022, "Apple", "M1 Icestorm"},
    {0x61, 0x023, "Apple", "M1 Firestorm"},
    {0x61, 0x024, "Apple", "M1 Pro Icestorm"},
    {0x61, 0x025, "Apple", "M1 Pro Firestorm"},
    {0x61, 0x032, "Apple", "M2 Blizzard"},
    {0x61, 0x033, "Apple", "M2 Avalanche"},
    {0xc0, 0xac3, "Ampere", "Ampere-1"},
    {0xc0, 0xac4, "Ampere", "Ampere-1a"},
};

static const char *x86_code(const struct x86_name *names, size_t count, long family, long model,
                            long stepping)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i].family == family && names[i].first <= model && model <= names[i].last &&
            names[i].stepping <= stepping)
            return names[i].code;
    }
    return NULL;
}

/* What is after the colon, if the line's key is this one. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    line += length + strspn(line + length, " \t");
    return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length) {
        bool starts = at == words || at[-1] == ' ';
        if (starts && (at[length] == '\0' || at[length] == ' '))
            return true;
    }
    return false;
}

static void name_arm(struct cpu *cpu, long implementer, long part)
{
    for (size_t i = 0; i < sizeof arm_names / sizeof arm_names[0]; i++) {
        if (arm_names[i].implementer == implementer && arm_names[i].part == part) {
            cpu->code = arm_names[i].code;
            snprintf(cpu->name, sizeof cpu->name, "%s %s", arm_names[i].maker, arm_names[i].code);
            return;
        }
    }
    snprintf(cpu->name, sizeof cpu->name, "AArch64, implementer 0x%lx, part 0x%lx", implementer, part);
}

void cpu_read(FILE *cpuinfo, struct cpu *cpu)
{
    enum { FAMILY, MODEL, STEPPING, IMPLEMENTER, PART, NUMBERS };
    static const char *const keys[NUMBERS] = {[FAMILY] = "cpu family",
                                              [MODEL] = "model",
                                              [STEPPING] = "stepping",
                                              [IMPLEMENTER] = "CPU implementer",
                                              [PART] = "CPU part"};
    long number[NUMBERS] = {-1, -1, -1, -1, -1};
    bool amd = false;
    bool intel = false;
    char *line = NULL;
    size_t room = 0;
    *cpu = (struct cpu){0};
    while (getline(&line, &room, cpuinfo) > 0 && line[0] != '\n') {
        const char *value;
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; i < NUMBERS; i++) {
            if ((value = value_of(line, keys[i])) != NULL)
                number[i] = strtol(value, NULL, 0);
        }
        if ((value = value_of(line, "model name")) != NULL)
            snprintf(cpu->name, sizeof cpu->name, "%s", value);
        if ((value = value_of(line, "vendor_id")) != NULL) {
            intel = strcmp(value, "GenuineIntel") == 0;
            amd = strcmp(value, "AuthenticAMD") == 0;
        }
        if ((value = value_of(line, "flags")) != NULL) {
            cpu->virtual_flag = has_word(value, "hypervisor");
            cpu->constant_rate = has_word(value, "constant_tsc") && has_word(value, "nonstop_tsc");
        }
    }
    free(line);
    if (intel)
        cpu->code = x86_code(intel_names, sizeof intel_names / sizeof intel_names[0], number[FAMILY],
                             number[MODEL], number[STEPPING]);
    if (amd)
        cpu->code = x86_code(amd_names, sizeof amd_names / sizeof amd_names[0], number[FAMILY], number[MODEL],
                             number[STEPPING]);
    if (number[IMPLEMENTER] >= 0) {
        name_arm(cpu, number[IMPLEMENTER], number[PART]);
        cpu->constant_rate = true; /* the architecture says so */
    }
}

bool cpu_read_below(const char *root, struct cpu *cpu)
{
    char path[512];
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    FILE *file = fopen(path, "re");
    *cpu = (struct cpu){0};
    if (!file)
        return false;
    cpu_read(file, cpu);
    fclose(file);
    return cpu->name[0] != '\0';
}

const char *cpu_name(void)
{
    static struct cpu cpu;
    static bool known;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!known)
        known = cpu_read_below("", &cpu);
    pthread_mutex_unlock(&lock);
    return known ? cpu.name : "not known";
}
