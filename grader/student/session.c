#include "grader/student/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "grader/student/draw.h"
#include "grader/student/job.h"
#include "grader/student/predict.h"
#include "grader/student/record.h"
#include "grader/student/terminal.h"
#include "grader/student/watch.h"
#include "grader/student/work.h"

enum { USAGE = 2, SUITE = 4, TYPED = 40 };

enum mode { MODE_PAGE, MODE_LIST, MODE_GUESS };

struct session {
    const struct session_request *request;
    char **ids;
    size_t count, passed, chosen; /* `chosen`: in the list */
    struct exercise *exercise;
    struct watch watch;
    struct job job;
    const char *command; /* of the job */
    const char *behind;  /* of the one that waits for a check to end; NULL: none */
    int64_t began;
    char *page, *verdict; /* what is shown; what the last check said */
    enum mode mode;       /* a list or a question stands before the page */
    unsigned first;       /* line of the page */
    char typed[TYPED];
    size_t typed_size;
    bool check_behind; /* the question is asked before a check */
    char note[200];    /* in place of the keys, until the next one */
    bool dirty, done;
    int status;
};

/* ---- which exercises ---- */

static bool is_passed(const struct session_request *request, const char *id)
{
    struct record record;
    struct error ignored;
    char *folder = record_folder(request->work);
    bool passed = folder && record_read(folder, id, &record, &ignored) && record.passed;
    free(folder);
    return passed;
}

char *session_next(const char *root, const char *work, const char *id, struct error *err)
{
    const struct session_request request = {.work = work};
    char **ids = exercise_list(root, err), *next = NULL;
    size_t count = 0, start = 0;
    if (!ids)
        return NULL;
    for (; ids[count]; count++)
        if (id && strcmp(ids[count], id) == 0)
            start = count + 1;
    for (size_t i = 0; i < count && !next; i++) {
        const char *candidate = ids[(start + i) % count];
        if (!is_passed(&request, candidate))
            next = strdup(candidate);
    }
    if (!next && count > 0)
        next = strdup(ids[start % count]);
    textfile_names_free(ids);
    if (!next)
        error_set(err, "out of memory");
    return next;
}

static void count_passed(struct session *s)
{
    s->passed = 0;
    for (size_t i = 0; i < s->count; i++)
        s->passed += is_passed(s->request, s->ids[i]);
}

/* ---- jobs ---- */

/* The mode stays: nothing closes what somebody types in. */
static void show(struct session *s, const char *text)
{
    char *page = strdup(text ? text : "");
    if (page) {
        free(s->page);
        s->page = page;
    }
    s->first = 0;
    s->dirty = true;
}

static void run(struct session *s, const char *command)
{
    struct error err;
    char *argv[SESSION_ARGUMENTS] = {NULL};
    s->request->arguments(s->request->state, command, s->exercise->id, argv);
    s->command = command;
    s->began = watch_now();
    s->dirty = true;
    if (!job_start(&s->job, argv, &err))
        show(s, err.text);
}

static void check(struct session *s)
{
    show(s, s->verdict);
    run(s, "check");
}

/* A check is not given up for it: that would leave the verdict of earlier files. */
static void run_behind(struct session *s, const char *command)
{
    if (s->job.process != 0 && strcmp(s->command, "check") == 0)
        s->behind = command;
    else
        run(s, command);
}

static void ended(struct session *s)
{
    const char *behind = s->behind, *said = s->job.text ? s->job.text : "";
    char killed[100];
    if (s->job.status > 128) {
        snprintf(killed, sizeof killed, "`%s` was ended by signal %d. Press r to run the check again.\n",
                 s->command, s->job.status - 128);
        said = killed;
    }
    if (strcmp(s->command, "check") == 0) {
        char *verdict = strdup(said);
        free(s->verdict);
        s->verdict = verdict;
        count_passed(s);
    }
    show(s, said);
    s->behind = NULL;
    if (behind)
        run(s, behind);
}

/* ---- an exercise ---- */

static void ask(struct session *s, bool check_behind)
{
    if (!s->exercise->predict) {
        snprintf(s->note, sizeof s->note, "Exercise %u asks for no figure", s->exercise->number);
        s->dirty = true;
        return;
    }
    s->mode = MODE_GUESS;
    s->check_behind = check_behind;
    s->typed_size = 0;
    s->typed[0] = '\0';
    s->dirty = true;
}

/* Go to one; the job of another is ended. False with err where it cannot be opened. */
static bool go_to(struct session *s, const char *id, struct error *err)
{
    struct exercise *exercise = exercise_read(s->request->root, id, err);
    char *own = exercise ? work_folder(s->request->work, id) : NULL;
    const char *folder = s->request->source ? s->request->source : own;
    struct watch watch;
    bool good = exercise &&
                (s->request->source ||
                 work_begin(s->request->root, s->request->work, exercise, err) != BEGUN_FAILED) &&
                (folder || error_set(err, "out of memory")) && watch_open(&watch, folder, err);
    free(own);
    if (!good) {
        exercise_free(exercise);
        return false;
    }
    job_clear(&s->job);
    exercise_free(s->exercise);
    s->exercise = exercise;
    s->watch = watch;
    free(s->verdict);
    s->verdict = NULL;
    s->behind = NULL;
    s->mode = MODE_PAGE;
    show(s, "");
    if (!s->request->source && predict_is_first(s->request->work, exercise))
        ask(s, true);
    else
        check(s);
    return true;
}

static void try_to_go(struct session *s, const char *id)
{
    struct error err;
    if (!go_to(s, id, &err)) {
        s->mode = MODE_PAGE;
        show(s, err.text);
    }
}

/* ---- keys ---- */

static void press_in_guess(struct session *s, int key)
{
    double guess;
    struct error err;
    if (key == '\b' || key == 127) {
        s->typed_size -= s->typed_size > 0 ? 1 : 0;
    } else if (key >= ' ' && key < 127 && s->typed_size < TYPED - 1) {
        s->typed[s->typed_size++] = (char)key;
    } else if (key == '\r' || key == '\n' || key == KEY_ESCAPE) {
        bool skipped = key == KEY_ESCAPE || s->typed_size == 0;
        if (!skipped && !predict_parse(s->typed, &guess)) {
            snprintf(s->note, sizeof s->note, "a figure, like 2 or 0.5; Enter alone skips");
            s->typed_size = 0;
        } else {
            if (!skipped && !predict_keep(s->request->work, s->exercise, guess, &err))
                snprintf(s->note, sizeof s->note, "%.190s", err.text);
            else if (!skipped)
                snprintf(s->note, sizeof s->note, "kept: the check tells how near %s is", s->typed);
            s->mode = MODE_PAGE;
            if (s->check_behind || !skipped)
                check(s);
        }
    }
    s->typed[s->typed_size] = '\0';
}

static void press_in_list(struct session *s, int key)
{
    if ((key == KEY_UP || key == 'k') && s->chosen > 0)
        s->chosen--;
    else if ((key == KEY_DOWN || key == 'j') && s->chosen + 1 < s->count)
        s->chosen++;
    else if (key >= '0' && key <= '9' && s->typed_size < 2) {
        s->typed[s->typed_size++] = (char)key;
        s->typed[s->typed_size] = '\0';
        for (size_t i = 0; i < s->count; i++)
            if (strtoul(s->ids[i], NULL, 10) == strtoul(s->typed, NULL, 10))
                s->chosen = i;
    } else if (key == '\r' || key == '\n')
        try_to_go(s, s->ids[s->chosen]);
    else if (key == KEY_ESCAPE || key == 'l')
        s->mode = MODE_PAGE;
    else if (key == 'q')
        s->done = true;
    if (key < '0' || key > '9')
        s->typed_size = 0;
}

static void next(struct session *s)
{
    struct error err;
    char *id = session_next(s->request->root, s->request->work, s->exercise->id, &err);
    if (id)
        try_to_go(s, id);
    free(id);
}

static void list(struct session *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->ids[i], s->exercise->id) == 0)
            s->chosen = i;
    s->mode = MODE_LIST;
    s->typed_size = 0;
}

static void press_in_page(struct session *s, int key)
{
    static const struct {
        int key;
        const char *command;
    } jobs[] = {{'h', "hint"}, {'e', "explain"}, {'s', "sweep"}};
    unsigned rows, columns;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (key == jobs[i].key)
            run_behind(s, jobs[i].command);
    terminal_size(&rows, &columns);
    const unsigned step = rows > 6 ? rows - 5 : 1;
    if (s->request->source && (key == 'p' || key == 'l' || key == 'n')) {
        snprintf(s->note, sizeof s->note, "SRC goes with one exercise: p, l and n are there without it");
        return;
    }
    switch (key) {
    case 'p':
        ask(s, false);
        break;
    case 'l':
        list(s);
        break;
    case 'n':
        next(s);
        break;
    case 'r':
        check(s);
        break;
    case KEY_ESCAPE: /* back to the verdict */
        show(s, s->verdict);
        break;
    case ' ':
    case KEY_PAGE_DOWN:
        s->first += step;
        break;
    case 'b':
    case KEY_PAGE_UP:
        s->first -= s->first < step ? s->first : step;
        break;
    case KEY_DOWN:
        s->first++;
        break;
    case KEY_UP:
        s->first -= s->first > 0;
        break;
    case 'q':
        s->done = true;
        break;
    default:
        break;
    }
}

static void press(struct session *s, int key)
{
    s->note[0] = '\0';
    s->dirty = true;
    if (key == KEY_LOST)
        s->done = true;
    else if (s->mode == MODE_GUESS)
        press_in_guess(s, key);
    else if (s->mode == MODE_LIST)
        press_in_list(s, key);
    else
        press_in_page(s, key);
}

/* ---- the screen ---- */

static char *list_text(const struct session *s)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < s->count; i++)
        fprintf(out, "%s %s  %s\n", i == s->chosen ? ">" : " ", s->ids[i],
                is_passed(s->request, s->ids[i]) ? "passed" : "");
    fclose(out);
    return text;
}

static void top_text(const struct session *s, char *text, size_t size)
{
    double seconds = (double)(watch_now() - s->began) / 1000;
    const int used = snprintf(text, size, "%u %s: ", s->exercise->number, s->exercise->title);
    if (used < 0 || (size_t)used >= size)
        return;
    if (s->job.process != 0)
        snprintf(text + used, size - (size_t)used, "%s runs, %.0f s%s%s", s->command, seconds,
                 s->behind ? "; then " : "", s->behind ? s->behind : "");
    else
        snprintf(text + used, size - (size_t)used, "waiting for a save in %.200s", s->watch.folder);
}

/* The longest that fits. With SRC there is no other exercise to go to, and no guess is kept. */
static const char *keys_text(const struct session *s, unsigned columns)
{
    enum { LENGTHS = 3 };
    static const char *const keys[2][LENGTHS] = {
        {"h hint  e explain  s sweep  p predict  l list  n next  r run again  q quit",
         "h hint e expl s sweep p pred l list n next r run q quit",
         "h e s p l n r q: hint explain sweep ..."},
        {"h hint  e explain  s sweep  r run again  q quit", "h hint e expl s sweep r run q quit",
         "h e s r q: hint explain sweep ..."}};
    size_t length = 0;
    while (length < LENGTHS - 1 && strlen(keys[s->request->source != NULL][length]) > columns)
        length++;
    return keys[s->request->source != NULL][length];
}

static void redraw(struct session *s)
{
    unsigned rows, columns;
    char top[400], bar[160], bottom[600], *text = NULL, *listed = NULL;
    size_t size;
    terminal_size(&rows, &columns);
    top_text(s, top, sizeof top);
    draw_bar(bar, sizeof bar, s->passed, s->count, columns < 60 ? columns : 60);
    snprintf(bottom, sizeof bottom, "%s", s->note[0] ? s->note : keys_text(s, columns));
    const char *body = s->page ? s->page : "";
    char question[500];
    if (s->mode == MODE_LIST) {
        listed = list_text(s);
        body = listed ? listed : "";
        snprintf(bottom, sizeof bottom, "up, down or a number, then Enter; Esc back");
    } else if (s->mode == MODE_GUESS) {
        snprintf(question, sizeof question, "%.400s (Enter skips)\n\n> %s_", s->exercise->predict->asks,
                 s->typed);
        body = question;
        if (!s->note[0])
            snprintf(bottom, sizeof bottom, "guess before you measure: a figure and Enter");
    }
    const struct drawing drawing = {.top = top,
                                    .body = body,
                                    .bar = bar,
                                    .bottom = bottom,
                                    .first = s->mode == MODE_PAGE                    ? s->first
                                             : s->mode == MODE_LIST && s->chosen > 3 ? (unsigned)s->chosen - 3
                                                                                     : 0,
                                    .colour = s->request->colour};
    FILE *out = open_memstream(&text, &size);
    if (out) {
        unsigned first = draw(out, &drawing, rows, columns);
        s->first = s->mode == MODE_PAGE ? first : s->first;
        fclose(out);
        terminal_write(text, size);
    }
    free(text);
    free(listed);
    s->dirty = false;
}

/* ---- all of it ---- */

/* Before the question is answered nothing is checked. */
static void saved(struct session *s)
{
    if (s->mode == MODE_GUESS)
        s->check_behind = true;
    else
        check(s);
}

static void loop(struct session *s)
{
    int64_t drawn = 0;
    while (!s->done && terminal_ended_by() == 0) {
        int64_t now = watch_now();
        bool anew = terminal_refresh();
        if (watch_changed(&s->watch, now))
            saved(s);
        if (s->job.process != 0 && job_ended(&s->job))
            ended(s);
        if (anew || s->dirty || (s->job.process != 0 && now - drawn >= 1000)) {
            redraw(s);
            drawn = now;
        }
        int key = terminal_key(s->job.output, WATCH_TICK_MS);
        if (key != KEY_NONE)
            press(s, key);
    }
}

int session(const struct session_request *request, struct error *err)
{
    struct session s = {.request = request, .job = {.output = -1}, .began = watch_now()};
    char *id = request->id ? strdup(request->id) : session_next(request->root, request->work, NULL, err);
    s.ids = id ? exercise_list(request->root, err) : NULL;
    while (s.ids && s.ids[s.count])
        s.count++;
    count_passed(&s);
    int status = s.ids ? 0 : USAGE;
    if (status == 0 && !terminal_take(err))
        status = SUITE;
    if (status == 0) { /* the terminal first: from here on signals end a check, too */
        status = go_to(&s, id, err) ? 0 : SUITE;
        if (status == 0)
            loop(&s);
        terminal_give_back();
        status = terminal_ended_by() ? 128 + terminal_ended_by() : status;
    }
    job_clear(&s.job);
    free(s.page);
    free(s.verdict);
    exercise_free(s.exercise);
    if (s.ids)
        textfile_names_free(s.ids);
    free(id);
    return status;
}
