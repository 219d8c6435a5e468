#include "grader/similar/sketch.h"

#include <stdlib.h>
#include <string.h>

#include "grader/similar/tokens.h"

/* ---- runs ---- */

/* Of so many tokens, scattered over all bits: the last step of MurmurHash3's 64-bit mix (A. Appleby). */
static uint64_t hash_of(const struct token *tokens, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ tokens[i].word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    hash *= UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 33;
}

static uint64_t run_of(const struct token *tokens)
{
    return hash_of(tokens, SKETCH_RUN);
}

static size_t runs_of(const struct tokens *tokens)
{
    return tokens->count < SKETCH_RUN ? 0 : tokens->count - SKETCH_RUN + 1;
}

static int compare_runs(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void sketch_know(struct sketch_known *known, const char *name, const char *text, size_t size)
{
    struct tokens tokens = {0};
    tokens_read(&tokens, name, text, size);
    const size_t runs = runs_of(&tokens);
    uint64_t *more = realloc(known->runs, (known->count + runs + 1) * sizeof *more);
    known->failed = known->failed || tokens.failed || !more;
    known->runs = more ? more : known->runs;
    for (size_t i = 0; !known->failed && i < runs; i++)
        known->runs[known->count++] = run_of(&tokens.list[i]);
    known->sorted = false;
    tokens_free(&tokens);
}

void sketch_known_free(struct sketch_known *known)
{
    free(known->runs);
    *known = (struct sketch_known){0};
}

static bool is_known(struct sketch_known *known, uint64_t run)
{
    if (!known->sorted && known->count > 0)
        qsort(known->runs, known->count, sizeof *known->runs, compare_runs);
    known->sorted = true;
    return known->count > 0 && bsearch(&run, known->runs, known->count, sizeof run, compare_runs);
}

/* ---- a sketch ---- */

static void keep(struct sketch *sketch, const struct tokens *tokens, size_t at, uint64_t run)
{
    struct sketch_mark *more = realloc(sketch->marks, (sketch->count + 1) * sizeof *more);
    sketch->failed = sketch->failed || !more;
    if (!more)
        return;
    sketch->marks = more;
    sketch->marks[sketch->count++] = (struct sketch_mark){.run = run,
                                                          .file = (uint32_t)sketch->files,
                                                          .first = tokens->list[at].line,
                                                          .last = tokens->list[at + SKETCH_RUN - 1].line};
}

/* Of each window the last of its least runs, once. What is known stands as UINT64_MAX: it is never the least
 * but where all are. */
static void winnow(struct sketch *sketch, const struct tokens *tokens, const uint64_t *runs, size_t count)
{
    size_t kept = SIZE_MAX;
    const size_t window = count < SKETCH_WINDOW ? count : SKETCH_WINDOW;
    for (size_t begin = 0; window > 0 && begin + window <= count; begin++) {
        size_t least = begin;
        for (size_t i = begin; i < begin + window; i++)
            least = runs[i] <= runs[least] ? i : least;
        if (least != kept && runs[least] != UINT64_MAX)
            keep(sketch, tokens, least, runs[least]);
        kept = least;
    }
}

void sketch_add(struct sketch *sketch, struct sketch_known *known, const char *name, const char *text,
                size_t size)
{
    struct tokens tokens = {0};
    tokens_read(&tokens, name, text, size);
    if (tokens.count > SKETCH_MOST || sketch->tokens + tokens.count > SKETCH_MOST || sketch->too_long) {
        const bool failed = sketch->failed || tokens.failed;
        free(sketch->marks);
        *sketch = (struct sketch){.files = sketch->files + 1, .failed = failed, .too_long = true};
        tokens_free(&tokens);
        return;
    }
    const size_t count = runs_of(&tokens);
    uint64_t *runs = calloc(count + 1, sizeof *runs);
    sketch->failed = sketch->failed || tokens.failed || known->failed || !runs;
    size_t covered = 0; /* tokens up to here are in known runs */
    sketch->own += sketch->failed ? 0 : tokens.count;
    sketch->tokens += tokens.count;
    for (size_t i = 0; i < tokens.count; i++)
        sketch->sum += hash_of(&tokens.list[i], 1);
    for (size_t i = 0; !sketch->failed && i < count; i++) {
        runs[i] = run_of(&tokens.list[i]);
        if (!is_known(known, runs[i]))
            continue;
        runs[i] = UINT64_MAX;
        sketch->own -= i + SKETCH_RUN - (covered > i ? covered : i);
        covered = i + SKETCH_RUN;
    }
    if (!sketch->failed)
        winnow(sketch, &tokens, runs, count);
    sketch->files++;
    sketch->sorted = false;
    free(runs);
    tokens_free(&tokens);
}

void sketch_free(struct sketch *sketch)
{
    free(sketch->marks);
    *sketch = (struct sketch){0};
}

/* ---- two of them ---- */

static int compare_marks(const void *a, const void *b)
{
    const struct sketch_mark *left = a, *right = b;
    if (left->run != right->run)
        return left->run < right->run ? -1 : 1;
    if (left->file != right->file)
        return left->file < right->file ? -1 : 1;
    return (left->first > right->first) - (left->first < right->first);
}

static void sort(struct sketch *sketch)
{
    if (!sketch->sorted && sketch->count > 0)
        qsort(sketch->marks, sketch->count, sizeof *sketch->marks, compare_marks);
    sketch->sorted = true;
}

/* Different runs. */
static size_t different(const struct sketch *sketch)
{
    size_t count = 0;
    for (size_t i = 0; i < sketch->count; i++)
        count += i == 0 || sketch->marks[i].run != sketch->marks[i - 1].run;
    return count;
}

static int compare_places(const void *a, const void *b)
{
    const struct sketch_mark *left = ((const struct sketch_passage *)a)->in,
                             *right = ((const struct sketch_passage *)b)->in;
    if (left->file != right->file)
        return left->file < right->file ? -1 : 1;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return (left->last > right->last) - (left->last < right->last);
}

static int compare_lengths(const void *a, const void *b)
{
    const struct sketch_mark *left = ((const struct sketch_passage *)a)->in,
                             *right = ((const struct sketch_passage *)b)->in;
    const uint32_t of_left = left->last - left->first, of_right = right->last - right->first;
    return of_left != of_right ? (of_left < of_right ? 1 : -1) : compare_places(a, b);
}

static bool goes_on(const struct sketch_mark *before, const struct sketch_mark *next)
{
    return before->file == next->file && next->first >= before->first && next->first <= before->last + 1;
}

/* Runs that overlap in both become one passage; the longest ones stay. */
static void join(struct sketch_passage *list, size_t count, struct sketch_common *common)
{
    size_t joined = 0;
    qsort(list, count, sizeof *list, compare_places);
    for (size_t i = 0; i < count; i++) {
        struct sketch_passage *last = joined > 0 ? &list[joined - 1] : NULL;
        if (last && goes_on(&last->in[0], &list[i].in[0]) && goes_on(&last->in[1], &list[i].in[1])) {
            for (size_t side = 0; side < 2; side++)
                if (list[i].in[side].last > last->in[side].last)
                    last->in[side].last = list[i].in[side].last;
        } else {
            list[joined++] = list[i];
        }
    }
    qsort(list, joined, sizeof *list, compare_lengths);
    common->passages_count = joined < SKETCH_PASSAGES ? joined : SKETCH_PASSAGES;
    for (size_t i = 0; i < common->passages_count; i++)
        common->passages[i] = list[i];
}

bool sketch_compare(struct sketch *left, struct sketch *right, struct sketch_common *common)
{
    *common = (struct sketch_common){0};
    sort(left);
    sort(right);
    struct sketch_passage *list = calloc(left->count + 1, sizeof *list);
    size_t both = 0, r = 0;
    if (!list)
        return false;
    for (size_t l = 0; l < left->count; l++) {
        if (l > 0 && left->marks[l].run == left->marks[l - 1].run)
            continue;
        while (r < right->count && right->marks[r].run < left->marks[l].run)
            r++;
        if (r < right->count && right->marks[r].run == left->marks[l].run)
            list[both++] = (struct sketch_passage){{left->marks[l], right->marks[r]}};
    }
    const size_t all[2] = {different(left), different(right)};
    for (size_t side = 0; side < 2; side++)
        common->share[side] = all[side] > 0 ? (double)both / (double)all[side] : 0;
    join(list, both, common);
    free(list);
    return true;
}

bool sketch_is_same(const struct sketch *left, const struct sketch *right)
{
    return left->own >= SKETCH_SAME && right->own >= SKETCH_SAME && left->tokens == right->tokens &&
           left->sum == right->sum;
}

bool sketch_is_near(const struct sketch *left, const struct sketch *right, const struct sketch_common *common)
{
    const double most = common->share[0] > common->share[1] ? common->share[0] : common->share[1];
    return left->own >= SKETCH_LEAST && right->own >= SKETCH_LEAST && most * 100 >= SKETCH_SHARE;
}
