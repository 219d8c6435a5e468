#include "grader/machine/info.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "grader/machine/cpu.h"
#include "grader/machine/tier.h"
#include "harness/clock/clock.h"
#include "harness/clock/costs.h"
#include "harness/clock/selfcheck.h"
#include "harness/sched/topology.h"
#include "harness/walls/isolation.h"
#include "harness/stats/stats.h"

#define SLEEPS            5
#define RUNS              10 /* of the clock\'s self-check */
#define BETWEEN_SLEEPS_MS 200
#define PROBE_CYCLES      100000u
#define CLOSE_ENOUGH      0.03
#define UNKNOWN           "not known"

struct page {
    FILE *out;
    bool colour;
    const struct info_settings *settings;
    double frequency;       /* ticks a second */
    double ticks_per_cycle; /* NAN where not known */
};

static void title(const struct page *page, const char *text)
{
    fprintf(page->out, page->colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static void row(const struct page *page, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void row(const struct page *page, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(page->out, "  %-20s ", name);
    vfprintf(page->out, format, args);
    va_end(args);
    fputc('\n', page->out);
}

/* Long sentences go over several lines, in the values' column. */
static void paragraph(const struct page *page, const char *name, const char *text)
{
    const size_t width = 78;
    while (strlen(text) > width) {
        size_t cut = width;
        while (cut > 0 && text[cut] != ' ')
            cut--;
        if (cut == 0)
            break;
        row(page, name, "%.*s", (int)cut, text);
        text += cut + 1;
        name = "";
    }
    row(page, name, "%s", text);
}

/* First line of a file below the settings' root; false where there is none, or an empty one. */
static bool read_line(const struct page *page, const char *path, char *line, int size)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", page->settings->root, path);
    FILE *file = fopen(full, "re");
    if (!file)
        return false;
    bool got = fgets(line, size, file) != NULL;
    fclose(file);
    if (got)
        line[strcspn(line, "\n")] = '\0';
    return got && line[0] != '\0';
}

/* Is there what the kernel tells of the CPUs? */
static bool kernel_tells(const struct page *page)
{
    char full[512];
    snprintf(full, sizeof full, "%s/sys/devices/system/cpu", page->settings->root);
    return access(full, R_OK | X_OK) == 0;
}

/* ---- evidence ---- */

static bool is_virtual(const struct page *page, char *name, size_t size)
{
    /* To add a row: how the hypervisor signs (CPUID, or the first word of the firmware's vendor), and its
     * name. */
    static const char *const names[][2] = {
        {"KVMKVMKVM", "KVM"},
        {"Linux KVM Hv", "KVM"},
        {"TCGTCGTCGTCG", "QEMU without KVM"},
        {"Microsoft Hv", "Hyper-V"},
        {"VMwareVMware", "VMware"},
        {"XenVMMXenVMM", "Xen"},
        {"VBoxVBoxVBox", "VirtualBox"},
        {"bhyve bhyve ", "bhyve"},
        {" lrpepyh  vr", "Parallels"},
        {"prl hyperv  ", "Parallels"},
        {"QEMU", "QEMU"},
        {"VMware, Inc.", "VMware"},
        {"innotek GmbH", "VirtualBox"},
        {"Xen", "Xen"},
        {"Apple Inc.", "Apple"},
    };
    char signature[13];
    char line[128] = "";
    struct cpu cpu;
    bool flag = clock_hypervisor(signature);
    bool vendor = read_line(page, "/sys/class/dmi/id/sys_vendor", line, sizeof line);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const bool signs = flag && strcmp(signature, names[i][0]) == 0;
        const bool is_vendor = vendor && strcmp(line, names[i][0]) == 0;
        if (signs || (is_vendor && (flag || strcmp(names[i][1], "Apple") != 0))) { /* Apple makes both */
            snprintf(name, size, "yes, %s", names[i][1]);
            return true;
        }
    }
    cpu_read_below(page->settings->root, &cpu);
    if (flag || cpu.virtual_flag) {
        snprintf(name, size, "yes, hypervisor %s", flag && signature[0] ? signature : UNKNOWN);
        return true;
    }
    if (read_line(page, "/sys/hypervisor/type", line, sizeof line)) {
        snprintf(name, size, "yes, %s", line);
        return true;
    }
    snprintf(name, size, "none seen");
    return false;
}

static const char *how_to_raise(const struct page *page, enum tier tier)
{
    int level;
    char ignored[64];
    const struct pmu_system *system = page->settings->system;
    if (tier == TIER_PMU)
        return "nothing to raise: this is the best there is";
    if (system->paranoid && system->paranoid(system->context, &level) && level > 2)
        return "sudo sysctl kernel.perf_event_paranoid=2";
    if (tier == TIER_CLOCK)
        return "close what else runs, then: sudo cpupower frequency-set -g performance";
    if (is_virtual(page, ignored, sizeof ignored))
        return "no command in here can: run on real hardware, or have the host pass its PMU through (with "
               "QEMU: "
               "-cpu host,pmu=on)";
    return "perf stat true   (it tells what the kernel lacks)";
}

static void print_tier(struct page *page)
{
    static const char *const meaning[] = {
        [TIER_PMU] = "the CPU's own counters: cycles, instructions, misses",
        [TIER_CALIBRATED] = "core cycles from a chain of adds timed beside the code; no counters of events",
        [TIER_CLOCK] = "ratios of times only: no word of cycles",
    };
    char why[2048];
    struct calibration calibration;
    enum tier tier = tier_find(page->settings->system, &calibration, why, sizeof why);
    page->ticks_per_cycle = calibration.steady ? calibration.ticks_per_cycle : NAN;
    title(page, "What can be measured here");
    if (page->colour)
        row(page, "tier", "\033[1;%dm%s\033[0m", tier == TIER_CLOCK ? 33 : 32, tier_name(tier));
    else
        row(page, "tier", "%s", tier_name(tier));
    row(page, "which means", "%s", meaning[tier]);
    paragraph(page, "why", why);
    paragraph(page, "to raise it", how_to_raise(page, tier));
}

static void print_isolation(const struct page *page)
{
    const struct isolation_state *state = isolation_state();
    struct error err;
    title(page, "Walls around student code and its compiler");
    row(page, "limits", "%s", state->limits ? "in force: CPU time, memory, processes, files" : "none");
    row(page, "no new privileges", "%s", state->no_new_privileges ? "in force" : "none");
    if (state->landlock > 0)
        row(page, "Landlock", "in force: ABI %d", state->landlock);
    else
        row(page, "Landlock", "none: %s", state->landlock_why);
    if (state->seccomp)
        row(page, "seccomp", "in force");
    else
        row(page, "seccomp", "none: %s", state->seccomp_why);
    if (state->bubblewrap)
        row(page, "bubblewrap", "in force, around the compiler");
    else
        row(page, "bubblewrap", "none: %s", state->bubblewrap_why);
    row(page, "unprivileged user", "%s",
        !state->unprivileged ? "none"
        : geteuid() == 0     ? "in force: nobody"
                             : "in force: you; what else is yours is kept away by the other walls");
    bool strict = isolation_require(ISOLATION_STRICT, &err);
    paragraph(page, "isolation", strict ? "strict" : "best: less than strict");
}

static void print_counters(const struct page *page)
{
    const struct pmu_system *system = page->settings->system;
    struct error err;
    int level;
    title(page, "Performance counters");
    if (system->paranoid && system->paranoid(system->context, &level))
        row(page, "perf_event_paranoid", "%d (%s)", level,
            level > 2 ? "counting is forbidden: 2 or less is needed" : "allows to count in user mode");
    else
        row(page, "perf_event_paranoid", UNKNOWN);
    struct pmu *pmu = pmu_open(system, 0, NULL, &err);
    if (!pmu) {
        row(page, "events", "none");
        return;
    }
    struct pmu_count all = {0};
    for (int turn = 0; turn < 5; turn++) {
        struct pmu_count count;
        pmu_start(pmu);
        clock_add_chain(PROBE_CYCLES);
        pmu_stop(pmu);
        if (pmu_read(pmu, &count))
            pmu_merge(&all, &count);
    }
    pmu_close(pmu);
    for (size_t i = 0; i < PMU_EVENTS; i++)
        row(page, i == 0 ? "events" : "", "%-16s %s", pmu_event_name((enum pmu_event)i),
            all.present[i] ? "counts" : "missing");
}

/* ---- the CPU ---- */

static void print_cpu(const struct page *page)
{
    struct cpu cpu;
    struct utsname kernel;
    char text[256];
    cpu_read_below(page->settings->root, &cpu);
    title(page, "CPU");
    row(page, "name", "%s", cpu.name[0] ? cpu.name : UNKNOWN);
    row(page, "code name", "%s", cpu.code ? cpu.code : UNKNOWN);
    if (uname(&kernel) == 0)
        row(page, "architecture", "%s, Linux %s", kernel.machine, kernel.release);
    is_virtual(page, text, sizeof text);
    row(page, "virtual machine", "%s", text);
    bool governor =
        read_line(page, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text);
    row(page, "governor", "%s",
        governor             ? text
        : kernel_tells(page) ? UNKNOWN " (a virtual machine leaves that to its host)"
                             : UNKNOWN " (there is no /sys to read it from)");
}

static void describe_cache(const struct page *page, hwloc_obj_t cache, int count)
{
    static const char *const kinds[] = {[HWLOC_OBJ_CACHE_UNIFIED] = "",
                                        [HWLOC_OBJ_CACHE_DATA] = " data",
                                        [HWLOC_OBJ_CACHE_INSTRUCTION] = " instr."};
    const struct hwloc_cache_attr_s *attr = &cache->attr->cache;
    char name[32];
    char size[32] = UNKNOWN;
    char ways[32] = "ways " UNKNOWN;
    char line[32] = "line " UNKNOWN;
    snprintf(name, sizeof name, "L%u%s", attr->depth, kinds[attr->type]);
    if (attr->size >= 1024 * 1024)
        snprintf(size, sizeof size, "%.4g MiB", (double)attr->size / (1024 * 1024));
    else if (attr->size > 0)
        snprintf(size, sizeof size, "%.4g KiB", (double)attr->size / 1024);
    if (attr->associativity > 0)
        snprintf(ways, sizeof ways, "%d ways", attr->associativity);
    else if (attr->associativity < 0)
        snprintf(ways, sizeof ways, "fully associative");
    if (attr->linesize > 0)
        snprintf(line, sizeof line, "lines of %u bytes", attr->linesize);
    row(page, name, "%d x %s, %s, %s", count, size, ways, line);
}

/* Caches of one type, alike ones on one line: hybrid CPUs have several kinds. False: there is none. */
static bool print_caches(const struct page *page, hwloc_topology_t topology, hwloc_obj_type_t type)
{
    hwloc_obj_t first = NULL;
    int alike = 0;
    for (hwloc_obj_t cache = NULL; (cache = hwloc_get_next_obj_by_type(topology, type, cache)) != NULL;) {
        if (first && first->attr->cache.size != cache->attr->cache.size) {
            describe_cache(page, first, alike);
            first = NULL;
        }
        if (!first) {
            first = cache;
            alike = 0;
        }
        alike++;
    }
    if (first)
        describe_cache(page, first, alike);
    return first != NULL;
}

static void print_topology(const struct page *page)
{
    static const hwloc_obj_type_t caches[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE,
                                              HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};
    static const struct {
        hwloc_obj_type_t type;
        const char *name;
    } parts[] = {{HWLOC_OBJ_PACKAGE, "packages"},
                 {HWLOC_OBJ_NUMANODE, "memory nodes"},
                 {HWLOC_OBJ_CORE, "cores"},
                 {HWLOC_OBJ_PU, "hardware threads"}};
    hwloc_topology_t topology;
    title(page, "Topology and caches");
    if (!kernel_tells(page))
        paragraph(
            page, "missing",
            "/sys/devices/system/cpu cannot be read, as in some containers: what follows is what the CPU "
            "itself tells, and may count other processors than this container has");
    if (!topology_load(&topology)) {
        row(page, "topology", UNKNOWN);
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int count = hwloc_get_nbobjs_by_type(topology, parts[i].type);
        if (count > 0)
            row(page, parts[i].name, "%d", count);
        else
            row(page, parts[i].name, UNKNOWN);
    }
    bool any = false;
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++)
        any |= print_caches(page, topology, caches[i]);
    if (!any)
        row(page, "caches", UNKNOWN);
    hwloc_topology_destroy(topology);
}

/* ---- clocks ---- */

static void read_os_clock(uint64_t count)
{
    struct timespec now;
    while (count-- > 0)
        clock_gettime(CLOCK_MONOTONIC, &now);
}

static void print_cost(const struct page *page, const char *name, double ticks)
{
    char cycles[32] = UNKNOWN;
    if (isfinite(page->ticks_per_cycle))
        snprintf(cycles, sizeof cycles, "%.1f", ticks / page->ticks_per_cycle);
    row(page, name, "%10.1f %10.1f %10s", ticks, ticks / page->frequency * 1e9, cycles);
}

static void print_clocks(const struct page *page)
{
    struct cpu cpu;
    struct timespec step;
    char line[128];
    title(page, "Clocks");
    cpu_read_below(page->settings->root, &cpu);
    uint64_t ticks = clock_resolution();
    row(page, "counter", "%s, %.3f MHz%s", clock_name(), page->frequency / 1e6,
        cpu.constant_rate ? ", constant rate" : "");
    row(page, "its resolution", "%" PRIu64 " tick%s (%.1f ns)", ticks, ticks == 1 ? "" : "s",
        (double)ticks / page->frequency * 1e9);
    if (isfinite(page->ticks_per_cycle))
        row(page, "core clock now", "%.2f GHz: %.3f ticks of the counter a cycle",
            page->frequency / page->ticks_per_cycle / 1e9, page->ticks_per_cycle);
    else
        row(page, "core clock now", UNKNOWN);
    if (clock_getres(CLOCK_MONOTONIC, &step) == 0)
        row(page, "clock_gettime", "resolution %ld ns", (long)step.tv_sec * 1000000000L + step.tv_nsec);
    bool source = read_line(page, "/sys/devices/system/clocksource/clocksource0/current_clocksource", line,
                            sizeof line);
    row(page, "kernel's source", "%s", source ? line : UNKNOWN);

    title(page, "What reading a clock costs");
    row(page, "", "%10s %10s %10s", "ticks", "ns", "cycles");
    for (size_t i = 0; i < clock_costs_count; i++)
        print_cost(page, clock_costs[i].name, clock_cost_of(clock_costs[i].run, 1));
    print_cost(page, "clock_gettime", clock_cost_of(read_os_clock, 1));
    print_cost(page, "empty region", clock_overhead());
}

/* ---- sleep, and between the sleeps the self-check ---- */

static void print_sleeps(const struct page *page, struct clock_selfcheck run[RUNS])
{
    unsigned ms = page->settings->sleep_ms;
    struct timespec wanted = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000L};
    title(page, "Sleeping, timed by the counter");
    row(page, "", "%10s %14s", "ms", "ticks");
    for (int i = 0; i < SLEEPS; i++) {
        char name[32];
        clock_selfcheck(run, RUNS, BETWEEN_SLEEPS_MS);
        uint64_t start = clock_begin();
        clock_nanosleep(CLOCK_MONOTONIC, 0, &wanted, NULL);
        uint64_t ticks = clock_end() - start;
        snprintf(name, sizeof name, "%u ms", ms);
        row(page, name, "%10.3f %14" PRIu64, (double)ticks / page->frequency * 1e3, ticks);
        fflush(page->out);
    }
}

/* Median of one figure over the steady runs, and its (max - min) / median. */
static double summarize(const double *figures, size_t n, double *spread)
{
    double values[RUNS];
    memcpy(values, figures, n * sizeof values[0]);
    double median = stats_median(values, n);
    *spread = (values[n - 1] - values[0]) / median;
    return median;
}

static void print_selfcheck(const struct page *page, const struct clock_selfcheck run[RUNS])
{
    double multiply[RUNS], exclusive_or[RUNS], nop[RUNS];
    double spread[3];
    size_t n = 0;
    for (size_t i = 0; i < RUNS; i++) {
        if (!run[i].steady)
            continue;
        multiply[n] = run[i].multiply;
        exclusive_or[n] = run[i].exclusive_or;
        nop[n++] = run[i].nop;
    }
    title(page, "The calibrated clock checks itself (one dependent add is one cycle)");
    if (n == 0) {
        paragraph(page, "cycles",
                  UNKNOWN ": no steady moment was found; try again when less is running here");
        return;
    }
    double multiplies = summarize(multiply, n, &spread[0]);
    double xors = summarize(exclusive_or, n, &spread[1]);
    double nops = summarize(nop, n, &spread[2]);
    row(page, "", "%10s   %-20s %s", "cycles", "expected", "spread over the runs");
    row(page, "dependent multiply", "%10.3f   %-20s %.1f %%", multiplies, clock_multiply_expected,
        100.0 * spread[0]);
    row(page, "dependent xor", "%10.3f   %-20s %.1f %%", xors, "1", 100.0 * spread[1]);
    row(page, "NOP", "%10.3f   %-20s %.1f %%", nops, "1 / issue width", 100.0 * spread[2]);
    row(page, "NOPs a cycle", "%10.2f", 1.0 / nops);
    row(page, "runs", "%zu of %d found a steady moment", n, RUNS);
    bool good = n == RUNS && fabs(xors - 1.0) <= CLOSE_ENOUGH && spread[2] <= CLOSE_ENOUGH;
    paragraph(
        page, "verdict",
        good ? "the xor is one cycle and the NOP repeats, both within 3 %: cycles can be trusted here"
             : "not within 3 %: something else uses this core, perhaps through its other hyper-thread; look "
               "again when less is running");
}

bool info_print_with(const struct info_settings *settings, FILE *out, bool colour, struct error *err)
{
    struct page page = {.out = out, .colour = colour, .settings = settings, .frequency = clock_frequency()};
    struct clock_selfcheck run[RUNS] = {{0}};
    fprintf(out, colour ? "\033[1m%s\033[0m\n" : "%s\n", "cyclelab info: this machine");
    print_tier(&page);
    print_cpu(&page);
    print_topology(&page);
    print_counters(&page);
    print_isolation(&page);
    print_clocks(&page);
    fflush(out);
    print_sleeps(&page, run);
    print_selfcheck(&page, run);
    if (fflush(out) != 0 || ferror(out))
        return error_set(err, "the page could not be written: is the disk full, or the reader gone?");
    return true;
}

bool info_print(FILE *out, bool colour, struct error *err)
{
    const struct info_settings settings = {.system = &pmu_linux, .sleep_ms = 500, .root = ""};
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "measuring this machine, about 4 s ...\n");
    return info_print_with(&settings, out, colour, err);
}
