#include "grader/base/helper_process.h"
#include "grader/base/textfile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_two(void *state, int output)
{
    int *number = state;
    textfile_write(output, number, sizeof *number);
    ++*number; /* in a copy */
    textfile_write(output, number, sizeof *number);
}

Test(helper_process, what_it_writes_is_read_and_its_memory_is_its_own)
{
    int number = 41, read = 0;
    struct error err;
    struct helper_process *helper = helper_process_start(write_two, &number, &err);
    cr_assert(helper, "%s", err.text);
    cr_expect(helper_process_read(helper, &read, sizeof read));
    cr_expect_eq(read, 41);
    cr_expect(helper_process_read(helper, &read, sizeof read));
    cr_expect_eq(read, 42);
    cr_expect_not(helper_process_read(helper, &read, sizeof read), "it has ended");
    cr_expect_eq(number, 41);
    helper_process_end(helper);
}

static void write_much(void *state, int output)
{
    static char text[1 << 20];
    memset(text, *(char *)state, sizeof text);
    textfile_write(output, text, sizeof text);
}

Test(helper_process, more_than_a_pipe_holds_comes_whole)
{
    static char text[1 << 20];
    struct error err;
    char letter = 'x';
    struct helper_process *helper = helper_process_start(write_much, &letter, &err);
    cr_assert(helper, "%s", err.text);
    cr_expect(helper_process_read(helper, text, sizeof text));
    for (size_t i = 0; i < sizeof text; i++)
        cr_assert_eq(text[i], 'x');
    helper_process_end(helper);
}

static void die(void *state, int output)
{
    textfile_write(output, state, 1);
    raise(SIGKILL);
}

Test(helper_process, a_part_of_what_was_asked_for_does_not_count)
{
    struct error err;
    char bytes[2] = "a";
    struct helper_process *helper = helper_process_start(die, bytes, &err);
    cr_assert(helper, "%s", err.text);
    cr_expect_not(helper_process_read(helper, bytes, sizeof bytes));
    helper_process_end(helper);
}

static void never_end(void *state, int output)
{
    pid_t self = getpid();
    (void)state;
    textfile_write(output, &self, sizeof self);
    for (;;)
        pause();
}

Test(helper_process, its_end_leaves_no_process)
{
    struct error err;
    pid_t pid = 0;
    struct helper_process *helper = helper_process_start(never_end, NULL, &err);
    cr_assert(helper, "%s", err.text);
    cr_assert(helper_process_read(helper, &pid, sizeof pid));
    cr_expect_gt(pid, 0);
    helper_process_end(helper);
    cr_expect(kill(pid, 0) != 0 && errno == ESRCH, "process %d is still there", (int)pid);
    helper_process_end(NULL);
}
