/* The replay program: the calls of one plan, again and again, for debuggers and profilers. The plan and its
 * memory are inside of it, as segments at the arena's addresses (grader/build/build_replay.c writes the
 * assembly that brings them), so it needs no grader and no file. There are no walls around it. The stack, the
 * registers at a call and the guards between buffers are as in a check. */
#include "harness/runner/target/runner.h"

#include <asm/unistd.h>
#include <linux/mman.h>
#include <linux/time.h>

/* plan.s */
struct replay_copy {
    uint64_t to, from, bytes; /* what has to be in a writable region when a round begins */
};
extern const struct replay_copy replay_copies[];
extern const uint64_t replay_copies_count;
extern const uint64_t replay_elements; /* of a round */
extern const uint64_t replay_seconds;  /* 0: one round */

enum { SECOND = 1000000000, LINE = 160 };

static const struct plan *const plan = (const struct plan *)ARENA_BASE;

static _Noreturn void leave(int code)
{
    for (;;)
        target_syscall(__NR_exit_group, code, 0, 0, 0, 0, 0);
}

static uint64_t now(void)
{
    struct timespec time = {0};
    target_syscall(__NR_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* A function of its own, so that a profile shows what it takes. */
static void __attribute__((noinline)) replay_restore(void)
{
    for (uint64_t i = 0; i < replay_copies_count; i++) {
        const struct replay_copy *copy = &replay_copies[i]; /* regions are granules: whole words */
        for (uint64_t at = 0; at < copy->bytes; at += sizeof(uint64_t))
            *(volatile uint64_t *)(copy->to + at) = *(const uint64_t *)(copy->from + at);
    }
}

static void replay_calls(void)
{
    for (uint32_t i = 0; i < plan->calls; i++)
        for (uint32_t part = 0; part <= plan_last_part(plan); part++)
            if (target_call(plan_entries[plan->entry + part],
                            (const void *)(plan->args + i * plan->args_stride),
                            (void *)(plan->results + i * plan->results_stride)))
                leave(3);
}

static char *put_text(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    return to;
}

static char *put_number(char *to, uint64_t number)
{
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    do
        *to++ = digits[--count];
    while (count > 0);
    return to;
}

/* In thousandths. */
static char *put_fraction(char *to, uint64_t thousandths)
{
    to = put_number(to, thousandths / 1000);
    *to++ = '.';
    for (uint64_t digit = 100; digit > 0; digit /= 10)
        *to++ = (char)('0' + thousandths / digit % 10);
    return to;
}

static void tell(uint64_t rounds, uint64_t least, uint64_t all)
{
    const uint64_t elements = replay_elements ? replay_elements : 1;
    char line[LINE], *end = put_number(line, rounds);
    end = put_text(end, rounds == 1 ? " round, an element in " : " rounds, an element in ");
    end = put_fraction(end, least * 1000 / elements);
    end = put_text(end, " ns at least, ");
    end = put_fraction(end, all / rounds * 1000 / elements);
    end = put_text(end, " ns in the mean\n");
    target_syscall(__NR_write, 1, (long)line, end - line, 0, 0, 0);
}

uint32_t runner_prepare(long count, char *const *arguments)
{
    (void)count;
    (void)arguments;
    const long stack =
        target_syscall(__NR_mmap, (long)TARGET_STACK, (long)TARGET_STACK_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0);
    if (stack < 0)
        leave(101);
    return 0;
}

void runner_loop(uint32_t mode)
{
    (void)mode;
    const uint64_t begin = now();
    uint64_t rounds = 0, least = UINT64_MAX, all = 0, end;
    do {
        if (rounds > 0)
            replay_restore();
        const uint64_t start = now();
        replay_calls();
        end = now();
        all += end - start;
        least = end - start < least ? end - start : least;
        rounds++;
    } while (end - begin < replay_seconds * SECOND);
    if (replay_seconds > 0)
        tell(rounds, least, all);
    leave(0);
}
