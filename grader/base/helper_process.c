#include "grader/base/helper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct helper_process {
    pid_t pid;
    int input;
};

/* GCOVR_EXCL_START: in another process, which leaves without what coverage needs */
static _Noreturn void child(helper_process_work *work, void *state, int output, pid_t parent)
{
    signal(SIGPIPE, SIG_IGN);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
        work(state, output);
    _exit(0);
}
/* GCOVR_EXCL_STOP */

struct helper_process *helper_process_start(helper_process_work *work, void *state, struct error *err)
{
    struct helper_process *helper = calloc(1, sizeof *helper);
    int pipes[2] = {-1, -1};
    const pid_t parent = getpid();
    bool good = helper && pipe2(pipes, O_CLOEXEC) == 0;

    if (good)
        helper->pid = fork();
    if (good && helper->pid == 0) {
        close(pipes[0]);
        child(work, state, pipes[1], parent);
    }
    if (good && helper->pid > 0) {
        close(pipes[1]);
        helper->input = pipes[0];
        return helper;
    }
    error_set(err, "cannot start a helper process: %s", strerror(errno));
    for (int i = 0; i < 2; i++)
        if (pipes[i] >= 0)
            close(pipes[i]);
    free(helper);
    return NULL;
}

bool helper_process_read(struct helper_process *helper, void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(helper->input, (char *)data + done, size - done);
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR)
            return false;
    }
    return true;
}

int helper_process_end(struct helper_process *helper)
{
    int status = 0;
    if (!helper)
        return status;
    kill(helper->pid, SIGKILL);
    while (waitpid(helper->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(helper->input);
    free(helper);
    return status;
}
