#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/machine/cpu.h"
#include "grader/machine/info.h"
#include "grader/machine/tier.h"

/* ---- CPU names ---- */

static struct cpu cpu_from(const char *text)
{
    struct cpu cpu;
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    cr_assert_not_null(file);
    cpu_read(file, &cpu);
    fclose(file);
    return cpu;
}

static struct cpu x86(const char *vendor, int family, int model, int stepping)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: Some CPU @ 2 GHz\n"
        "stepping\t: %d\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n\nprocessor\t: 1\nmodel\t\t: 1\n",
        vendor, family, model, stepping);
    return cpu_from(text);
}

Test(info, x86_code_names)
{
    static const struct {
        const char *vendor;
        int family, model, stepping;
        const char *code;
    } known[] = {
        {"GenuineIntel", 6, 85, 7, "Cascade Lake"},
        {"GenuineIntel", 6, 85, 4, "Skylake-SP/X"},
        {"GenuineIntel", 6, 85, 11, "Cooper Lake"},
        {"GenuineIntel", 6, 23, 10, "Penryn / Wolfdale (Core 2)"},
        {"GenuineIntel", 6, 122, 1, "Goldmont Plus (Gemini Lake)"},
        {"GenuineIntel", 6, 143, 8, "Sapphire Rapids"},
        {"AuthenticAMD", 0x17, 0x08, 2, "Zen+"},
        {"AuthenticAMD", 0x17, 0x31, 0, "Zen 2"},
        {"AuthenticAMD", 0x19, 0x21, 0, "Zen 3"},
        {"AuthenticAMD", 0x19, 0x61, 2, "Zen 4"},
        {"AuthenticAMD", 0x1a, 0x44, 0, "Zen 5"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct cpu cpu = x86(known[i].vendor, known[i].family, known[i].model, known[i].stepping);
        cr_expect_str_eq(cpu.name, "Some CPU @ 2 GHz");
        cr_assert_not_null(cpu.code, "%s", known[i].code);
        cr_expect_str_eq(cpu.code, known[i].code);
        cr_expect(cpu.constant_rate);
        cr_expect_not(cpu.virtual_flag);
    }
}

Test(info, unknown_x86_has_no_code_name)
{
    cr_expect_null(x86("GenuineIntel", 6, 0xfe, 0).code);
    cr_expect_null(x86("AuthenticAMD", 0x7f, 0, 0).code);
    cr_expect_null(x86("SomeoneElse", 6, 85, 7).code);
}

Test(info, flags_are_whole_words)
{
    cr_expect(cpu_from("flags\t\t: tsc hypervisor lm\n").virtual_flag);
    cr_expect(cpu_from("flags\t\t: hypervisor\n").virtual_flag);
    cr_expect_not(cpu_from("flags\t\t: hypervisors nohypervisor\n").virtual_flag);
    cr_expect_not(cpu_from("flags\t\t: constant_tsc\n").constant_rate);
}

Test(info, arm_cores_by_implementer_and_part)
{
    struct cpu cpu =
        cpu_from("processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n");
    cr_expect_str_eq(cpu.name, "Arm Neoverse N1");
    cr_expect_str_eq(cpu.code, "Neoverse N1");
    cr_expect(cpu.constant_rate);
    cpu = cpu_from("CPU implementer\t: 0x41\nCPU part\t: 0xfff\n");
    cr_expect_null(cpu.code);
    cr_expect_str_eq(cpu.name, "AArch64, implementer 0x41, part 0xfff");
}

Test(info, an_empty_cpuinfo_tells_nothing)
{
    struct cpu cpu = cpu_from("\n");
    cr_expect_str_empty(cpu.name);
    cr_expect_null(cpu.code);
}

/* ---- a played PMU ---- */

struct pretended {
    int refusal;     /* errno of open */
    int paranoid;    /* below -1: not known */
    uint64_t cycles; /* what each counter shows after a run */
    uint64_t time;   /* of a run; 0: it never ran */
    int members[16], groups;
    uint64_t clock[16];
};

static int pretend_open(void *context, uint32_t type, uint64_t config, pid_t pid, int group)
{
    struct pretended *pretended = context;
    (void)type;
    (void)config;
    (void)pid;
    if (pretended->refusal) {
        errno = pretended->refusal;
        return -1;
    }
    int leader = group < 0 ? pretended->groups++ : group;
    pretended->members[leader]++;
    return leader;
}

static int pretend_control(void *context, int fd, bool enable, bool reset)
{
    struct pretended *pretended = context;
    (void)reset;
    if (!enable)
        pretended->clock[fd] += pretended->time;
    return 0;
}

static long pretend_read(void *context, int fd, void *buffer, size_t size)
{
    struct pretended *pretended = context;
    uint64_t out[8] = {(uint64_t)pretended->members[fd], pretended->clock[fd], pretended->clock[fd]};
    long bytes = 8 * (3 + pretended->members[fd]);
    for (int i = 0; i < pretended->members[fd]; i++)
        out[3 + i] = pretended->cycles;
    cr_assert_leq((size_t)bytes, size);
    memcpy(buffer, out, (size_t)bytes);
    return bytes;
}

static void pretend_close(void *context, int fd)
{
    (void)context;
    (void)fd;
}

static bool pretend_paranoid(void *context, int *level)
{
    struct pretended *pretended = context;
    *level = pretended->paranoid;
    return pretended->paranoid >= -1;
}

static struct pmu_system pretend(struct pretended *pretended)
{
    return (struct pmu_system){pretend_open,  pretend_control,  pretend_read,
                               pretend_close, pretend_paranoid, pretended};
}

/* ---- the tier ---- */

Test(info, counters_that_count_are_the_best_tier)
{
    struct pretended pretended = {.paranoid = 2, .cycles = 1000200, .time = 1000};
    struct pmu_system system = pretend(&pretended);
    char why[512] = "";
    cr_expect_eq(tier_find(&system, NULL, why, sizeof why), TIER_PMU);
    cr_expect_not_null(strstr(why, "count here"), "%s", why);
}

static void expect_less_than_pmu(struct pretended pretended, const char *word)
{
    struct pmu_system system = pretend(&pretended);
    char why[2048] = "";
    cr_expect_neq(tier_find(&system, NULL, why, sizeof why), TIER_PMU);
    cr_expect_not_null(strstr(why, word), "no \"%s\" in: %s", word, why);
    cr_expect_not_null(strstr(why, "steady"), "%s", why);
}

Test(info, counters_that_lie_or_sleep_are_not)
{
    expect_less_than_pmu((struct pretended){.cycles = 1000200, .time = 0}, "did not count all the time");
    expect_less_than_pmu((struct pretended){.cycles = 0, .time = 1000}, "0 cycles for a chain of 1000000");
    expect_less_than_pmu((struct pretended){.cycles = 3000, .time = 1000}, "wrong");
    expect_less_than_pmu((struct pretended){.refusal = ENOENT}, "no performance counters");
    expect_less_than_pmu((struct pretended){.refusal = EACCES, .paranoid = 4}, "perf_event_paranoid is 4");
}

/* ---- the page ---- */

static char *page_of(struct pretended *pretended, const char *root, bool colour)
{
    struct pmu_system system = pretend(pretended);
    struct info_settings settings = {.system = &system, .sleep_ms = 1, .root = root};
    struct error err = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert(info_print_with(&settings, out, colour, &err), "%s", err.text);
    fclose(out);
    return text;
}

static void expect_words(const char *page, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cr_expect_not_null(strstr(page, words[i]), "no \"%s\" in:\n%s", words[i], page);
}

Test(info, the_page_has_everything)
{
    static const char *const words[] = {"tier                 pmu\n",
                                        "why ",
                                        "to raise it",
                                        "code name",
                                        "virtual machine",
                                        "governor",
                                        "cores ",
                                        "hardware threads",
                                        "perf_event_paranoid  2 ",
                                        "branch-misses    counts",
                                        "Walls around student code",
                                        "Landlock             ",
                                        "seccomp              ",
                                        "bubblewrap           ",
                                        "unprivileged user    in force",
                                        "resolution",
                                        "core clock now",
                                        "clock_gettime",
                                        "empty region",
                                        "1 ms ",
                                        "checks itself"};
    struct pretended pretended = {.paranoid = 2, .cycles = 1000200, .time = 1000};
    char *page = page_of(&pretended, "", false);
    expect_words(page, words, sizeof words / sizeof words[0]);
    cr_expect_null(strchr(page, '\033'), "no colour was asked for");
    free(page);
}

Test(info, what_is_not_there_is_not_known)
{
    static const char *const words[] = {"name                 not known\n",
                                        "code name            not known\n",
                                        "governor             not known (there is no /sys",
                                        "missing              /sys/devices/system/cpu cannot be read",
                                        "kernel's source      not known\n",
                                        "perf_event_paranoid  not known\n",
                                        "events               none\n",
                                        "\033[1m"};
    struct pretended pretended = {.refusal = ENOENT, .paranoid = -2};
    char *page = page_of(&pretended, "/nonexistent", true);
    expect_words(page, words, sizeof words / sizeof words[0]);
    free(page);
}

Test(info, a_forbidden_pmu_names_its_command)
{
    static const char *const words[] = {
        "to raise it          sudo sysctl kernel.perf_event_paranoid=2\n",
        "perf_event_paranoid  4 (counting is forbidden: 2 or less is needed)"};
    struct pretended pretended = {.refusal = EACCES, .paranoid = 4};
    char *page = page_of(&pretended, "", false);
    expect_words(page, words, 2);
    free(page);
}

static void put(const char *root, const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(info, facts_come_from_proc_and_sys)
{
    static const char *const words[] = {"name                 Arm Cortex-A72\n",
                                        "governor             powersave\n",
                                        "kernel's source      arch_sys_counter\n"};
    static const char *const paths[] = {"/proc/cpuinfo",
                                        "/proc",
                                        "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                                        "/sys/devices/system/cpu/cpu0/cpufreq",
                                        "/sys/devices/system/cpu/cpu0",
                                        "/sys/devices/system/cpu",
                                        "/sys/devices/system/clocksource/clocksource0/current_clocksource",
                                        "/sys/devices/system/clocksource/clocksource0",
                                        "/sys/devices/system/clocksource",
                                        "/sys/devices/system",
                                        "/sys/devices",
                                        "/sys/hypervisor/type",
                                        "/sys/hypervisor",
                                        "/sys",
                                        ""};
    char root[] = "/tmp/cyclelab-info-XXXXXX";
    cr_assert_not_null(mkdtemp(root));
    put(root, "/proc/cpuinfo", "CPU implementer\t: 0x41\nCPU part\t: 0xd08\n");
    put(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    put(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", "arch_sys_counter\n");
    put(root, "/sys/hypervisor/type", "xen\n");
    struct pretended pretended = {.refusal = ENOENT, .paranoid = 2};
    char *page = page_of(&pretended, root, false);
    expect_words(page, words, sizeof words / sizeof words[0]);
    free(page);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char full[256];
        snprintf(full, sizeof full, "%s%s", root, paths[i]);
        cr_expect_eq(remove(full), 0, "%s", full);
    }
}

Test(info, a_full_disk_is_an_error)
{
    struct pretended pretended = {.refusal = ENOENT, .paranoid = 2};
    struct pmu_system system = pretend(&pretended);
    struct info_settings settings = {.system = &system, .sleep_ms = 1, .root = ""};
    struct error err = {""};
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        cr_skip_test("there is no /dev/full here");
    cr_expect_not(info_print_with(&settings, out, false, &err));
    cr_expect_not_null(strstr(err.text, "could not be written"));
    fclose(out);
}

Test(info, the_usual_page_and_name)
{
    struct error err = {""};
    FILE *out = fopen("/dev/null", "w");
    cr_assert_not_null(out);
    cr_expect(info_print(out, false, &err), "%s", err.text);
    fclose(out);
    cr_expect_gt(strlen(cpu_name()), 0);
    cr_expect_str_eq(cpu_name(), cpu_name());
}
