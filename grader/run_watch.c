/* `cyclelab watch`: at a terminal a screen with keys, elsewhere a check after each save. */
#include "grader/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/commands.h"
#include "grader/student/session.h"
#include "grader/student/terminal.h"
#include "grader/student/watch.h"
#include "grader/student/work.h"

/* The arguments of another command that takes some of ours. */
static void arguments(const void *state, const char *name, const char *id, char *argv[SESSION_ARGUMENTS])
{
    static char program[] = "cyclelab", patience[40];
    const struct options *options = state;
    const struct command *command = command_find(name);
    const struct {
        enum option_id id;
        const char *flag, *value;
    } passed[] = {
        {OPTION_ON, "--on", options->on},
        {OPTION_CORE, "--core", options->core},
        {OPTION_SRC, "--src", options->source},
        {OPTION_WORK, "--work", options->work},
        {OPTION_SEED, "--seed", options->seed},
        {OPTION_PATIENCE, "--patience", patience},
        {OPTION_REPORT, "--report", options->report},
    };
    size_t count = 0;
    snprintf(patience, sizeof patience, "%.17g", options->patience);
    argv[count++] = program;
    argv[count++] = (char *)name;
    argv[count++] = (char *)id;
    argv[count++] = (char *)"--root";
    argv[count++] = (char *)options->root;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        bool wanted = passed[i].value && (passed[i].id != OPTION_PATIENCE || options->patience > 0);
        if (!wanted || !command_takes(command, passed[i].id))
            continue;
        argv[count++] = (char *)passed[i].flag;
        argv[count++] = (char *)passed[i].value;
    }
    argv[count] = NULL;
}

/* Its exit status, or 128 and the signal that ended it; -1 with err where there was none. */
static int run_check(const struct options *options, const char *id, struct error *err)
{
    int status;
    char *argv[SESSION_ARGUMENTS];
    arguments(options, "check", id, argv);
    pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", argv);
        _exit(EXIT_SUITE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        error_set(err, "cannot start a check: %s", strerror(errno));
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A check, and one after each save, until it is interrupted. What is wrong with the first one's words stays
 * so and ends it; later a file may only be missing for a moment. The exit status, with err where nobody has
 * said why. */
static int check_each_save(const struct options *options, const char *id, struct watch *watch,
                           struct error *err)
{
    err->text[0] = '\0';
    for (bool first = true;; first = false) {
        const int checked = run_check(options, id, err);
        if (checked < 0)
            return EXIT_SUITE;
        if (checked == EXIT_USAGE && first)
            return EXIT_USAGE;
        if (checked > 128)
            printf("The check was ended by signal %d (%s).\n", checked - 128, strsignal(checked - 128));
        printf("\nWaiting for a save in %s (Ctrl-C ends this)\n\n", watch->folder);
        if (fflush(stdout) != 0) {
            error_set(err, "cannot write what is said: %s", strerror(errno));
            return EXIT_SUITE;
        }
        watch_wait(watch);
    }
}

/* Without a terminal. */
static int watch_in_lines(const struct options *options, const char *id, struct error *err)
{
    struct watch watch;
    struct exercise *exercise = exercise_read(options->root, id, err);
    char *own = work_folder(options->work, id);
    const char *folder = options->source ? options->source : own;
    int status = !exercise ? EXIT_USAGE : options->source ? 0 : begin(options, exercise, false, err);
    exercise_free(exercise);
    if (status == 0 && (!folder || !watch_open(&watch, folder, err)))
        status = EXIT_SUITE;
    free(own);
    if (status == 0)
        status = check_each_save(options, id, &watch, err);
    return *err->text ? complain(status, "%s", err->text) : status;
}

int command_watch(struct options *options)
{
    struct error err = {""};
    char *id = options->exercise ? exercise_find(options->root, options->exercise, &err)
                                 : session_next(options->root, options->work, NULL, &err);
    if (!id)
        return complain(EXIT_USAGE, "%s", err.text);
    if (options->source && !options->exercise) {
        free(id);
        return complain(EXIT_USAGE, "SRC goes with one exercise: say EX=3 as well");
    }
    int status;
    if (!terminal_is_usable()) {
        status = watch_in_lines(options, id, &err);
        free(id);
        return status;
    }
    const struct session_request request = {.root = options->root,
                                            .work = options->work,
                                            .id = id,
                                            .source = options->source,
                                            .colour = colour_wanted(),
                                            .arguments = arguments,
                                            .state = options};
    status = session(&request, &err);
    free(id);
    if (status > 128) { /* whoever called us is to see what ended it */
        signal(status - 128, SIG_DFL);
        raise(status - 128);
    }
    return status == 0 ? 0 : complain(status, "%s", err.text);
}
