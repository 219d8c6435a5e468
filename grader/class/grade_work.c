/* Workers: processes of their own, since the arena is one a process and nothing that a check does to its
 * process may cost another one. Each takes the index of a job, and answers when what came of it is kept. */
#include "grader/class/grade_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/build/build.h"
#include "grader/check/check.h"
#include "grader/machine/tier.h"
#include "grader/base/seed_text.h"

enum {
    JOB_LIMIT_SECONDS = 600, /* far more than any check may take */
    MOST_TRIES = 2,
    STEP_MS = 500,
};

enum answer_kind { ANSWER_KEPT, ANSWER_NOTHING, ANSWER_CANNOT_KEEP };

struct answer {
    enum answer_kind kind;
    char text[sizeof((struct error *)0)->text];
};

struct worker {
    pid_t pid; /* 0: none */
    int line;
    size_t job; /* SIZE_MAX: none */
    time_t since;
};

/* ---- the worker's side ---- */

/* GCOVR_EXCL_START: the workers run this, and are killed without counting */

/* What is undecided is tried again, and so is what the suite failed at. Natively with other inputs each time;
 * the last time the median of all tries decides. On a model the seed says what the inputs are. */
static struct result *check(struct check_context *context, const char *seed, const char *id,
                            struct error *err)
{
    struct result *results[CHECK_TRIES] = {NULL}, *last = NULL;
    char fresh[SEED_TEXT];
    const bool native = strcmp(context->on, "native") == 0;
    for (unsigned i = 0; i < CHECK_TRIES; i++) {
        last = NULL;
        if (native && !seed_fresh(fresh, err))
            break;
        context->seed = native ? fresh : seed;
        context->tries = i;
        last = results[i] = check_exercise(context, id, err);
        if (!last || (!result_is_open(last, NULL, NULL) && last->verdict != VERDICT_ERROR))
            break;
        if (i < CHECK_TRIES - 1)
            context->tried[i] = last;
    }
    for (unsigned i = 0; i < CHECK_TRIES; i++)
        if (results[i] != last)
            result_free(results[i]);
    return last;
}

static enum answer_kind do_job(const struct grading *g, struct check_context *context, size_t index,
                               struct error *err)
{
    const struct grade_job *job = &g->jobs[index];
    const struct grade_exercise *exercise = &g->exercises[job->exercise];
    enum answer_kind kind = ANSWER_NOTHING;
    struct workdir *workdir = workdir_create(err);
    if (workdir &&
        grade_stage(&g->class->students[job->student].entries[job->exercise], workdir_path(workdir), err)) {
        context->source = workdir_path(workdir);
        context->core = job->core;
        context->settings = exercise->settings;
        struct result *result = check(context, job->seed, exercise->exercise->id, err);
        if (result) {
            char place[4096];
            snprintf(place, sizeof place, "%s/", context->source);
            result_rename(result, place, "");
            result_rename(result, context->source, "the submission"); /* before a line of it is wrapped */
            result->seconds = 0;
            bool kept = grade_store_put(g, job, result, context->source, err);
            kind = kept ? ANSWER_KEPT : ANSWER_CANNOT_KEEP;
        }
        result_free(result);
    }
    workdir_destroy(workdir);
    return kind;
}

/* What a check has to say to a terminal would be said by all of them at once. */
static void be_quiet(const struct grading *g)
{
    char path[4096];
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/log", g->work);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    dup2(null, STDIN_FILENO);
    dup2(log >= 0 ? log : null, STDOUT_FILENO);
    dup2(log >= 0 ? log : null, STDERR_FILENO);
}

static _Noreturn void work(const struct grading *g, int line, pid_t parent, enum tier tier, bool crowded)
{
    struct placement placement;
    struct answer answer;
    struct error err = {""};
    size_t index;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    for (size_t i = 0; i < 2; i++)
        if (g->locks[i] >= 0)
            close(g->locks[i]); /* it ends with the grading, whoever is left of it */
    setpgid(0, 0);              /* Ctrl-C is for the grading: it ends the workers */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    be_quiet(g);
    umask(g->umask);
    struct check_context context = {.root = g->request->root,
                                    .build = g->request->build,
                                    .on = g->on,
                                    .arena = arena_create(&err),
                                    .tier = tier,
                                    .pmu = &pmu_linux,
                                    .cache_bytes = placement_cache_bytes(),
                                    .placement = &placement,
                                    .crowded = crowded};
    while (read(line, &index, sizeof index) == sizeof index) {
        memset(&answer, 0, sizeof answer);
        answer.kind = context.arena ? do_job(g, &context, index, &err) : ANSWER_NOTHING;
        snprintf(answer.text, sizeof answer.text, "%s", err.text);
        if (write(line, &answer, sizeof answer) != sizeof answer)
            break;
    }
    _exit(0);
}
/* GCOVR_EXCL_STOP */

/* ---- the grading's side ---- */

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    stopped = number;
}

struct pool {
    struct grading *g;
    struct worker *workers;
    unsigned count;
    size_t next; /* job to hand out */
    enum tier tier;
    struct error *err;
    bool broken;
};

static bool start(struct pool *pool, struct worker *worker)
{
    int ends[2];
    pid_t parent = getpid();
    *worker = (struct worker){.job = SIZE_MAX, .line = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(pool->err, "cannot start a worker: %s", strerror(errno));
    worker->pid = fork();
    if (worker->pid == 0) {
        close(ends[0]);
        for (unsigned i = 0; i < pool->count; i++)
            if (pool->workers[i].line >= 0)
                close(pool->workers[i].line);
        work(pool->g, ends[1], parent, pool->tier, pool->count > 1);
    }
    close(ends[1]);
    worker->line = ends[0];
    if (worker->pid > 0)
        return true;
    close(ends[0]);
    *worker = (struct worker){.job = SIZE_MAX, .line = -1};
    return error_set(pool->err, "cannot start a worker: %s", strerror(errno));
}

/* Its wait status. */
static int end(struct worker *worker)
{
    int status = 0;
    if (worker->pid <= 0)
        return 0;
    kill(worker->pid, SIGKILL);
    close(worker->line);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    *worker = (struct worker){.job = SIZE_MAX, .line = -1};
    return status;
}

static time_t now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static bool is_open(const struct grade_job *job)
{
    return job->ours && !job->outcome.known && job->tries < MOST_TRIES;
}

static void set_error(struct grade_job *job, const char *text)
{
    free(job->outcome.headline);
    job->outcome = (struct grade_outcome){.known = true, .verdict = VERDICT_ERROR, .score = NAN, .most = NAN};
    job->outcome.headline = strdup(text);
}

/* A worker with a job is gone, or has to go. */
static void lose(struct pool *pool, struct worker *worker, const char *why)
{
    struct grade_job *job = &pool->g->jobs[worker->job];
    char text[200];
    size_t index = worker->job;
    int status = end(worker);
    if (why)
        snprintf(text, sizeof text, "ERROR: %s", why);
    else if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "ERROR: the grader itself ended with signal %d (%s) at this, twice",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, sizeof text, "ERROR: the grader itself ended with status %d at this, twice",
                 WIFEXITED(status) ? WEXITSTATUS(status) : status);
    if (job->tries >= MOST_TRIES)
        set_error(job, text);
    else if (index < pool->next)
        pool->next = index;
}

static void take_answer(struct pool *pool, struct worker *worker, const struct answer *answer)
{
    struct grading *g = pool->g;
    struct grade_job *job = &g->jobs[worker->job];
    char text[sizeof answer->text + 8];
    if (answer->kind == ANSWER_CANNOT_KEEP) {
        error_set(pool->err, "%.900s; what is graded so far is kept", answer->text);
        pool->broken = true;
        return;
    }
    worker->job = SIZE_MAX;
    if (answer->kind == ANSWER_KEPT)
        grade_look_up(g, job);
    if (job->outcome.known)
        return;
    snprintf(text, sizeof text, "ERROR: %s",
             answer->kind == ANSWER_KEPT ? "the result could not be read back" : answer->text);
    set_error(job, text);
}

/* Is the CPU time of a process limited here (ulimit -t)? */
static bool is_time_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* Hand a job to a worker; false when there is none left. */
static bool hand_out(struct pool *pool, struct worker *worker)
{
    struct grading *g = pool->g;
    while (pool->next < g->jobs_count && !is_open(&g->jobs[pool->next]))
        pool->next++;
    size_t index = pool->next;
    for (; index < g->jobs_count; index++) { /* one that no other has in hand */
        bool taken = false;
        for (unsigned i = 0; i < pool->count; i++)
            taken = taken || pool->workers[i].job == index;
        if (is_open(&g->jobs[index]) && !taken)
            break;
    }
    if (index >= g->jobs_count)
        return false;
    if (is_time_limited()) /* a new one has all of it */
        end(worker);
    if (worker->pid <= 0 && !start(pool, worker)) {
        pool->broken = true;
        return false;
    }
    g->jobs[index].tries++;
    worker->job = index;
    worker->since = now_seconds();
    if (send(worker->line, &index, sizeof index, MSG_NOSIGNAL) != sizeof index)
        lose(pool, worker, NULL);
    return true;
}

/* What there is from this worker. *done: the job that is over. */
static bool listen_to(struct pool *pool, struct worker *worker, short events, size_t *done)
{
    struct answer answer;
    size_t job = worker->job;
    if (job == SIZE_MAX)
        return false;
    if (events & (POLLIN | POLLHUP | POLLERR)) {
        if (recv(worker->line, &answer, sizeof answer, MSG_DONTWAIT) == sizeof answer)
            take_answer(pool, worker, &answer);
        else
            lose(pool, worker, NULL);
    } else if (now_seconds() - worker->since > JOB_LIMIT_SECONDS) {
        lose(pool, worker, "the check did not end within 10 minutes, twice");
    }
    *done = job;
    return pool->g->jobs[job].outcome.known;
}

static void catch_signals(struct sigaction before[3], bool catch)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    for (unsigned i = 0; i < 3; i++)
        sigaction(numbers[i], catch ? &action : &before[i], catch ? &before[i] : NULL);
}

static bool is_at_work(const struct pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++)
        if (pool->workers[i].job != SIZE_MAX)
            return true;
    return false;
}

static size_t open_jobs(const struct grading *g)
{
    size_t open = 0;
    for (size_t i = 0; i < g->jobs_count; i++)
        open += is_open(&g->jobs[i]);
    return open;
}

static void run(struct pool *pool, void (*step)(struct grading *g, void *state, const size_t *job),
                void *state)
{
    struct pollfd polls[pool->count];
    while (!stopped && !pool->broken) {
        for (unsigned i = 0; i < pool->count && !pool->broken; i++)
            if (pool->workers[i].job == SIZE_MAX && !hand_out(pool, &pool->workers[i]))
                break;
        if (pool->broken)
            break;
        if (!is_at_work(pool)) { /* all is over, or whoever was to begin had died */
            if (open_jobs(pool->g) == 0)
                break;
            continue;
        }
        for (unsigned i = 0; i < pool->count; i++)
            polls[i] = (struct pollfd){.fd = pool->workers[i].job == SIZE_MAX ? -1 : pool->workers[i].line,
                                       .events = POLLIN};
        if (poll(polls, pool->count, STEP_MS) < 0)
            continue;
        for (unsigned i = 0; i < pool->count && !pool->broken; i++) {
            size_t done;
            if (listen_to(pool, &pool->workers[i], polls[i].revents, &done))
                step(pool->g, state, &done);
        }
        step(pool->g, state, NULL);
    }
}

enum grade_ended grade_run(struct grading *g, unsigned workers,
                           void (*step)(struct grading *g, void *state, const size_t *job), void *state,
                           struct error *err)
{
    struct sigaction before[3];
    char why[256];
    const size_t open = open_jobs(g);
    if (open == 0)
        return GRADE_ALL_DONE;
    if (workers > open)
        workers = (unsigned)open;
    struct pool pool = {.g = g, .count = workers, .err = err};
    pool.workers = calloc(workers, sizeof *pool.workers);
    if (!pool.workers) {
        error_set(err, "out of memory");
        return GRADE_BROKEN;
    }
    for (unsigned i = 0; i < workers; i++)
        pool.workers[i] = (struct worker){.job = SIZE_MAX, .line = -1};
    if (strcmp(g->on, "native") == 0)
        pool.tier = tier_find(&pmu_linux, NULL, why, sizeof why);
    stopped = 0;
    catch_signals(before, true);
    run(&pool, step, state);
    for (unsigned i = 0; i < workers; i++)
        end(&pool.workers[i]);
    catch_signals(before, false);
    free(pool.workers);
    return stopped ? GRADE_INTERRUPTED : pool.broken ? GRADE_BROKEN : GRADE_ALL_DONE;
}
