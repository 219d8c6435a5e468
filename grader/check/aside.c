#include "grader/check/aside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "harness/sched/placement.h"

/* What it says in the end: this, and behind it the checks that it has added. */
struct said {
    bool right;
    int64_t spent_ms;
    struct failing failing;
    size_t checks;
    size_t bytes; /* of all checks */
};

enum { TEXTS = 4 };

/* A check that has nothing measured; its texts follow, each with a 0 at its end. */
struct written {
    enum check_kind kind;
    enum verdict verdict;
    uint32_t points;
    bool present[TEXTS]; /* else it is NULL */
};

/* Returns where the next one begins. */
static const char *add_written(struct result *result, const char *at)
{
    struct written head;
    const char *texts[TEXTS] = {NULL};
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    for (size_t i = 0; i < TEXTS; i++)
        if (head.present[i]) {
            texts[i] = at;
            at += strlen(at) + 1;
        }
    check_set_next(
        result_add_check(result, head.kind, texts[0], texts[1], head.verdict, head.points, "%s", texts[2]),
        texts[3]);
    return at;
}

/* GCOVR_EXCL_START: in another process, which leaves without what coverage needs */
static void write_check(FILE *to, const struct check *check)
{
    const char *const texts[TEXTS] = {check->name, check->case_name, check->message, check->next};
    struct written head = {.kind = check->kind, .verdict = check->verdict, .points = check->points};
    for (size_t i = 0; i < TEXTS; i++)
        head.present[i] = texts[i] != NULL;
    fwrite(&head, sizeof head, 1, to);
    for (size_t i = 0; i < TEXTS; i++)
        if (texts[i])
            fwrite(texts[i], strlen(texts[i]) + 1, 1, to);
}

/* In memory of its own: the other process's arena is full of cases. */
static void work(void *state, int output)
{
    const struct aside *aside = state;
    struct checking *checking = aside->checking;
    struct result *result = checking->result;
    const size_t before = result->checks_count;
    struct said said = {0};
    char *text = NULL;
    struct error err;
    checking->spent_ms = 0;
    FILE *to = arena_renew(checking->context->arena, &err) ? open_memstream(&text, &said.bytes) : NULL;
    if (!to)
        return;
    said.right = aside->work(checking);
    said.spent_ms = checking->spent_ms;
    said.failing = result->failing;
    said.checks = result->checks_count - before;
    for (size_t i = 0; i < said.checks; i++)
        write_check(to, &result->checks[before + i]);
    if (fclose(to) == 0 && textfile_write(output, &said, sizeof said))
        textfile_write(output, text, said.bytes);
    free(text);
}
/* GCOVR_EXCL_STOP */

/* False: it did not come to its end. */
static bool read_all(struct checking *checking, struct helper_process *helper, bool *right)
{
    struct said said;
    struct result *result = checking->result;
    char *text = helper_process_read(helper, &said, sizeof said) ? malloc(said.bytes + 1) : NULL;
    const bool good = text && helper_process_read(helper, text, said.bytes);
    const char *at = text;
    for (size_t i = 0; good && i < said.checks; i++)
        at = add_written(result, at);
    free(text);
    if (!good)
        return false;
    checking->spent_ms += said.spent_ms;
    if (!result->failing.case_name[0])
        result->failing = said.failing;
    *right = said.right;
    return true;
}

/* May the other CPU be busy? Not where what is right hangs on a clock, or on two threads at once. */
static bool bears_company(const struct checking *checking)
{
    const struct case_table *cases = checking->cases;
    bool bears = placement_cpus() > 1;
    for (size_t i = 0; i < cases->count; i++)
        bears = bears && !cases->defs[i].reads_clock && cases->defs[i].parts == 0;
    return bears;
}

void aside_start(struct aside *aside)
{
    struct error ignored;
    aside->helper = bears_company(aside->checking) ? helper_process_start(work, aside, &ignored) : NULL;
}

bool aside_end(struct aside *aside, bool right)
{
    if (right && !(aside->helper && read_all(aside->checking, aside->helper, &right)))
        right = aside->work(aside->checking);
    helper_process_end(aside->helper);
    return right;
}
