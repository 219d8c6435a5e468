#include "grader/student/job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000, STEP_MS = 5 };

static void become(char *const *argv, int output, pid_t parent)
{
    int nothing = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* nothing outlives who started it, not even where that is killed */
    if (nothing < 0 || getppid() != parent || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(127);
    execv("/proc/self/exe", argv);
    _exit(127);
}

bool job_start(struct job *job, char *const *argv, struct error *err)
{
    int ends[2];
    pid_t parent = getpid();
    job_clear(job);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, "cannot start `%s`: %s", argv[1], strerror(errno));
    pid_t child = fork();
    if (child == 0)
        become(argv, ends[1], parent);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return error_set(err, "cannot start `%s`: %s", argv[1], strerror(errno));
    }
    setpgid(child, child); /* whichever of the two comes first */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    job->process = child;
    job->output = ends[0];
    return true;
}

static void take(struct job *job)
{
    char buffer[4096];
    ssize_t size;
    while (job->output >= 0 && (size = read(job->output, buffer, sizeof buffer)) > 0) {
        size_t some = (size_t)size < JOB_OUTPUT - job->size ? (size_t)size : JOB_OUTPUT - job->size;
        char *text = realloc(job->text, job->size + some + 1);
        if (!text)
            continue; /* what does not fit is not shown */
        memcpy(text + job->size, buffer, some);
        job->text = text;
        job->size += some;
        text[job->size] = '\0';
    }
}

static void finish(struct job *job)
{
    take(job);
    close(job->output);
    job->output = -1;
    job->process = 0;
}

bool job_ended(struct job *job)
{
    int status;
    if (job->process == 0)
        return false;
    take(job);
    pid_t waited = waitpid(job->process, &status, WNOHANG);
    if (waited == 0 || (waited < 0 && errno == EINTR))
        return false;
    job->status = waited < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    finish(job);
    return true;
}

void job_stop(struct job *job)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    pid_t group = job->process;
    if (group == 0)
        return;
    kill(-group, SIGTERM);
    for (int waited = 0; !job_ended(job) && waited < PATIENCE_MS; waited += STEP_MS)
        nanosleep(&step, NULL);
    if (job->process != 0) {
        kill(-group, SIGKILL);
        waitpid(group, NULL, 0);
        finish(job);
    }
}

void job_clear(struct job *job)
{
    job_stop(job);
    free(job->text);
    *job = (struct job){.output = -1};
}
