#include "grader/student/perf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/spawn.h"
#include "grader/base/textfile.h"

enum { SKIPPED = 3, LIMIT = 64 << 10, SIGNALLED = 128 };

/* User space alone: what the kernel does is not the student's, and needs no rights. */
#define EVENTS "cycles:u,instructions:u,branches:u,branch-misses:u,L1-dcache-loads:u,L1-dcache-load-misses:u"

/* perf exits with 0 where a signal ended what it runs; of a shell that runs it the status tells. */
#define IN_A_SHELL "sh", "-c", "\"$0\"; exit $?"

static const char *const names[PERF_EVENTS] = {
    "cycles", "instructions", "branches", "branch-misses", "L1-dcache-loads", "L1-dcache-load-misses",
};

/* Thresholds of the order in which docs/profiling.md asks. WRONG_GUESS: cycles that one costs, about. */
#define WRONG_GUESS  15.0
#define GUESSES_TELL 0.10 /* of all cycles */
#define MISSES_TELL  0.05 /* of all loads */
#define BUSY         3.0  /* instructions a cycle */

/* "cycles:u", or "cpu_core/cycles/u" where there are cores of two kinds: which event is it? */
static int event_of(const char *name, size_t length)
{
    for (int event = 0; event < PERF_EVENTS; event++) {
        const char *at = memmem(name, length, names[event], strlen(names[event]));
        const char *end = at ? at + strlen(names[event]) : NULL;
        if (at && (at == name || at[-1] == '/') && (end == name + length || *end == ':' || *end == '/'))
            return event;
    }
    return -1;
}

static void read_line(const char *line, size_t length, struct perf_counts *counts)
{
    const char *unit = memchr(line, ',', length), *end = line + length, *name = NULL, *behind;
    char *rest;
    if (unit)
        name = memchr(unit + 1, ',', (size_t)(end - unit - 1));
    if (!name)
        return;
    name++;
    behind = memchr(name, ',', (size_t)(end - name));
    const int event = event_of(name, (size_t)((behind ? behind : end) - name));
    const double value = strtod(line, &rest);
    if (event < 0 || rest != unit)
        return;
    counts->has[event] = true;
    counts->value[event] += value;
}

bool perf_read(const char *text, struct perf_counts *counts, struct error *err)
{
    *counts = (struct perf_counts){0};
    while (*text) {
        const size_t length = strcspn(text, "\n");
        read_line(text, length, counts);
        text += length + (text[length] == '\n');
    }
    for (int event = PERF_CYCLES; event <= PERF_INSTRUCTIONS; event++)
        if (!counts->has[event] || counts->value[event] <= 0)
            return error_set(err, "perf does not count %s here", names[event]);
    return true;
}

static double part(const struct perf_counts *counts, enum perf_event of, enum perf_event all)
{
    return counts->has[of] && counts->has[all] && counts->value[all] > 0
               ? counts->value[of] / counts->value[all]
               : -1;
}

static void tell_part(FILE *out, const char *what, double value)
{
    if (value >= 0)
        fprintf(out, "  %-34s %6.2f %%\n", what, 100 * value);
    else
        fprintf(out, "  %-34s not counted here\n", what);
}

void perf_tell(const struct perf_counts *counts, unsigned number, FILE *out)
{
    const double ipc = counts->value[PERF_INSTRUCTIONS] / counts->value[PERF_CYCLES],
                 guesses = part(counts, PERF_BRANCH_MISSES, PERF_BRANCHES),
                 misses = part(counts, PERF_L1D_LOAD_MISSES, PERF_L1D_LOADS),
                 lost = WRONG_GUESS * part(counts, PERF_BRANCH_MISSES, PERF_CYCLES);
    fprintf(out, "  %-34s %6.2f\n", "instructions a cycle", ipc);
    tell_part(out, "branches guessed wrong", guesses);
    tell_part(out, "loads that miss the nearest cache", misses);
    if (lost > GUESSES_TELL)
        fprintf(
            out,
            "Next: Wrong guesses take some %.0f %% of the cycles, at about %.0f each. Which branch is it? "
            "`perf record -e branch-misses:u` and `perf annotate` show it.\n",
            lost < 1 ? 100 * lost : 100.0, WRONG_GUESS);
    else if (misses > MISSES_TELL && ipc < BUSY)
        fputs("Next: It waits for memory. Which loads are it, and can they come in order, earlier, or from "
              "less "
              "memory? `perf record -e L1-dcache-load-misses:u` shows them.\n",
              out);
    else if (ipc >= BUSY)
        fputs("Next: The core is busy: fewer instructions are what helps now.\n", out);
    else
        fprintf(
            out,
            "Next: Neither guesses nor caches: results that wait for each other, or a unit that has too much "
            "to do. `make explain EX=%u` names it.\n",
            number);
}

static int skip(const struct exercise *exercise, const char *why, struct error *err)
{
    error_set(err, "SKIP perf: %s; `make explain EX=%u` has the counters of a model core", why,
              exercise->number);
    return SKIPPED;
}

int perf_use(const char *program, const struct exercise *exercise, FILE *out, struct error *err)
{
    char *file = NULL;
    int status = 0;
    if (!spawn_finds("perf"))
        return skip(exercise,
                    "it is not installed (package linux-perf in Debian, linux-tools-generic in Ubuntu)", err);
    if (asprintf(&file, "%s.perf", program) < 0) {
        error_set(err, "out of memory");
        return 4;
    }
    char *const argv[] = {"perf", "stat",     "-x,",           "-o", file, "-e", EVENTS,
                          "--",   IN_A_SHELL, (char *)program, NULL};
    struct perf_counts counts;
    struct error why;
    bool ran = replay_command(argv, &status, &why);
    char *text = ran ? textfile_read(file, LIMIT, NULL, &why) : NULL;
    int result;
    if (WIFEXITED(status) && WEXITSTATUS(status) > SIGNALLED)
        status = WEXITSTATUS(status) - SIGNALLED; /* as of waitpid */
    if (text && perf_read(text, &counts, &why)) {
        result = replay_tell_end(status, program, exercise, out);
        if (result == 0)
            perf_tell(&counts, exercise->number, out);
    } else {
        result = skip(exercise, why.text, err);
    }
    free(text);
    unlink(file);
    free(file);
    return result;
}
