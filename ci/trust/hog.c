/* Memory load for `make trust`: hog streaming|bursty CPU.
 *
 * streaming  sweeps over more memory than any cache holds, for ever
 * bursty     the same for 2 to 50 ms, then as long a pause, both at random
 *
 * Says "ready" once all of its memory is there. Ends with the process that started it. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include "harness/base/rng.h"

#define HOG_BYTES   ((size_t)256 << 20)
#define PIECE_BYTES ((size_t)256 << 10) /* between two looks at the clock: well below 1 ms */
enum { PIECE_WORDS = PIECE_BYTES / sizeof(uint64_t), WORDS = HOG_BYTES / sizeof(uint64_t) };
enum { LEAST_MS = 2, MOST_MS = 50 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Read and write the next piece; returns where the one after it begins. */
static size_t sweep(uint64_t *words, size_t at)
{
    for (size_t i = at; i < at + PIECE_WORDS; i++)
        words[i] += i;
    __asm__ volatile("" : : "r"(words) : "memory");
    return (at + PIECE_WORDS) % WORDS;
}

static double seconds_of_burst(struct rng *rng)
{
    return (LEAST_MS + (MOST_MS - LEAST_MS) * rng_unit(rng)) * 1e-3;
}

static _Noreturn void load(uint64_t *words, bool bursty)
{
    struct rng rng = {(uint64_t)getpid() ^ (uint64_t)time(NULL) << 20};
    size_t at = 0;
    for (;;) {
        double end = bursty ? now() + seconds_of_burst(&rng) : 0;
        do {
            at = sweep(words, at);
        } while (!bursty || now() < end);
        long pause = (long)(seconds_of_burst(&rng) * 1e9);
        nanosleep(&(struct timespec){0, pause}, NULL);
    }
}

static bool parse_cpu(const char *text, size_t *cpu)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *cpu = value;
    return *text >= '0' && *text <= '9' && *end == '\0' && value < CPU_SETSIZE;
}

static bool pin(size_t cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

int main(int argc, char **argv)
{
    pid_t parent = getppid();
    size_t cpu;
    if (argc != 3 || (strcmp(argv[1], "streaming") != 0 && strcmp(argv[1], "bursty") != 0) ||
        !parse_cpu(argv[2], &cpu)) {
        fputs("usage: hog streaming|bursty CPU\n", stderr);
        return 2;
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        return 1; /* nobody is left to want this */
    if (!pin(cpu)) {
        fprintf(stderr, "hog: cannot run on CPU %zu: %s\n", cpu, strerror(errno));
        return 1;
    }
    uint64_t *words = mmap(NULL, HOG_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED) {
        fprintf(stderr, "hog: no %zu MiB of memory: %s\n", HOG_BYTES >> 20, strerror(errno));
        return 1;
    }
    for (size_t at = 0, pieces = 0; pieces < HOG_BYTES / PIECE_BYTES; pieces++)
        at = sweep(words, at);
    puts("ready");
    fflush(stdout);
    load(words, strcmp(argv[1], "bursty") == 0);
}
