/* Exercise 18: inputs and oracles. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "harness/base/seed.h"
#include "exercise.h"
#include "glue.h"

enum {
    LINE = 64,
    LONG = 1024,      /* a call, */
    RECORDS = 2048,   /* that has so many */
    KEPT = 16,        /* scratch for a record, */
    KEPT_MORE = 8192, /* and besides */
    KEYS_END_IN = 7,  /* zeros, where it is timed, */
    A_KEY_IN = 32,    /* of a GET is no record's there */
    PARTS = 4,
    THOUSAND = 1000,
};

/* ---- what is drawn for each student ---- */

/* The slow parts, and of a thousand requests how many ask for each: where it is the worst, where it is one of
 * the other two, and where hardly anybody asks for it. So the worst has some 85 % of the time that the server
 * takes as it comes (the check on small cores less), and the other two some 7 % each. */
static const struct part {
    const char *name;
    enum kind kind;
    enum place place;
    enum class class;
    unsigned worst, other, rare;
} parts[PARTS] = {
    {"find", GET, IN_FIND, LOADS_IN_A_CHAIN, 780, 40, 1},
    {"scan", SCAN, IN_SCAN, BYTES_MOVED, 330, 18, 0},
    {"count", COUNT, IN_COUNT, MISPREDICTIONS, 650, 26, 1},
    {"check", CHECK, IN_CHECK, SLOW_OPERATION, 890, 55, 2},
};

struct planted {
    unsigned worst, rare; /* of parts[] */
};

static struct planted planted_for(uint32_t student)
{
    const unsigned which = (unsigned)(seed_derive(student, 18) % (PARTS * (PARTS - 1)));
    const unsigned worst = which % PARTS;
    return (struct planted){.worst = worst, .rare = (worst + 1 + which / PARTS) % PARTS};
}

static unsigned weight(struct planted planted, unsigned part)
{
    return part == planted.worst  ? parts[part].worst
           : part == planted.rare ? parts[part].rare
                                  : parts[part].other;
}

/* ---- the store ---- */

/* In every other long call as many as where it is timed, so that their number does not tell, and in the rest
 * more. */
static size_t records_of(const struct lab *lab, const struct call *call)
{
    if (lab->timed)
        return RECORDS;
    return call->n >= LONG ? RECORDS + call->n % 2 * call->n : call->n * 3 / 2;
}

static void shuffle(struct lab *lab, struct record *records, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t at = draw_below(&lab->draw, i);
        const uint64_t last = records[i - 1].key;
        records[i - 1].key = records[at].key;
        records[at].key = last;
    }
}

/* Keys that differ from bit `low` on: neighbours there, each in another order, or anything. (Two of those are
 * the same once in 10^9 calls, and where it is timed in 10^10.) */
static void fill_records(struct lab *lab, struct record *records, size_t count, unsigned low, bool neighbours)
{
    const uint64_t base = draw_next(&lab->draw) >> 32 << 16;
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = draw_next(&lab->draw);
        records[i].key = (neighbours ? base + i : draw_next(&lab->draw)) << low;
        records[i].size = (uint32_t)r;
        for (unsigned k = 0; k < 13; k++)
            records[i].rest[k] = (uint32_t)(r >> 32);
    }
    shuffle(lab, records, count);
}

/* near: eighths nearly, as where it is timed, so that no guess is better than another. Elsewhere anything,
 * also in the rehearsals of one kind alone. */
static void fill_limits(struct lab *lab, uint8_t *limits, bool near)
{
    for (unsigned b = 0; b < BANDS - 1; b++) {
        const uint8_t limit =
            (uint8_t)(near ? 32 * (b + 1) + draw_below(&lab->draw, 9) - 4 : draw_below(&lab->draw, 256));
        unsigned at = b;
        for (; at > 0 && limits[at - 1] > limit; at--)
            limits[at] = limits[at - 1];
        limits[at] = limit;
    }
}

/* ---- serving ---- */

/* Of n elements: n requests. Buffers: records, requests, samples, words, answers, scratch. */
static bool serve_allocate(struct lab *lab, struct call *call)
{
    const size_t count = records_of(lab, call), n = call->n;
    return call_buffer(lab, call, 0, count * sizeof(struct record), LINE, PLAN_READ) &&
           call_buffer(lab, call, 1, n * sizeof(struct request), sizeof(uint64_t), PLAN_READ) &&
           call_buffer(lab, call, 2, n * BATCH, 1, PLAN_READ) &&
           call_buffer(lab, call, 3, n * BATCH * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ) &&
           call_buffer(lab, call, 4, n * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, 5, count * KEPT + KEPT_MORE, LINE, PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, n * sizeof(uint64_t));
}

static void fill_batch(struct lab *lab, void *batch, size_t bytes)
{
    for (size_t k = 0; k < bytes; k += sizeof(uint64_t)) {
        const uint64_t r = draw_next(&lab->draw);
        memcpy((char *)batch + k, &r, sizeof r);
    }
}

static uint64_t count_samples(const uint8_t *limits, const uint8_t *samples)
{
    uint64_t counts = 0;
    for (unsigned k = 0; k < BATCH; k++) {
        unsigned band = 0;
        for (unsigned b = 0; b < BANDS - 1; b++)
            band += samples[k] >= limits[b];
        counts += (uint64_t)1 << 8 * band;
    }
    return counts;
}

static uint64_t check_words(const uint32_t *words, uint32_t modulus)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < BATCH; k++)
        sum += words[k];
    return sum % modulus;
}

/* One request of this kind, and its answer. */
static uint64_t fill_request(struct lab *lab, struct call *call, size_t i, enum kind kind, bool as_timed)
{
    const struct serve_args *args = call->args;
    const struct record *records = call->buffer[0];
    struct request *request = (struct request *)call->buffer[1] + i;
    uint8_t *samples = (uint8_t *)call->buffer[2] + i * BATCH;
    uint32_t *words = (uint32_t *)call->buffer[3] + i * BATCH;
    const size_t count = args->store.count;
    const uint64_t r = draw_next(&lab->draw);
    *request = (struct request){.kind = kind, .modulus = 1, .key = r, .samples = samples, .words = words};
    if (kind == GET) {
        const size_t at = count ? draw_below(&lab->draw, count) : 0;
        if (count > 0 && (lab->timed ? r % A_KEY_IN : r & 3)) {
            request->key = records[at].key;
            return records[at].size;
        }
        request->key = count > 0 ? records[at].key ^ (uint64_t)1 << (r >> 58) : r;
        for (size_t k = 0; k < count; k++)
            if (records[k].key == request->key)
                return records[k].size;
        return NO_RECORD;
    }
    if (kind == SCAN) {
        uint64_t sum = 0;
        uint32_t a = (uint32_t)draw_below(&lab->draw, count + 1),
                 b = (uint32_t)draw_below(&lab->draw, count + 1);
        request->first = a < b ? a : b;
        request->last = a < b ? b : a;
        for (size_t k = request->first; k < request->last; k++)
            sum += records[k].size;
        return sum;
    }
    if (kind == COUNT) {
        fill_batch(lab, samples, BATCH);
        return count_samples(args->store.limits, samples);
    }
    if (kind == CHECK) {
        fill_batch(lab, words, BATCH * sizeof *words);
        request->modulus = as_timed ? 1000 + (uint32_t)(r & 0xFFFF) : 1 + (uint32_t)(r >> 32) % UINT32_MAX;
        if (!as_timed && (r & 3) == 0)
            request->modulus = 1 + (uint32_t)(r >> 40 & 15);
        return check_words(words, request->modulus);
    }
    return r;
}

static void begin(struct lab *lab, struct call *call, unsigned low, bool neighbours, bool as_timed)
{
    struct serve_args *args = call->args;
    const size_t count = records_of(lab, call);
    *args = (struct serve_args){
        .store = {.records = call->buffer[0], .count = count, .scratch = call->buffer[5]},
        .requests = call->buffer[1],
        .answers = call->buffer[4],
        .n = call->n,
    };
    fill_records(lab, call->buffer[0], count, low, neighbours);
    fill_limits(lab, args->store.limits, as_timed);
}

static void fill_kind(struct lab *lab, struct call *call, enum kind kind)
{
    uint64_t *expected = call->shadow;
    static const unsigned low[] = {0, KEYS_END_IN, 2 * KEYS_END_IN, 32};
    const unsigned which = (unsigned)call->n % 4;
    begin(lab, call, low[which], which == 3 || call->n / 4 % 2 == 0, false);
    for (size_t i = 0; i < call->n; i++)
        expected[i] = fill_request(lab, call, i, kind, false);
}

static void fill_get(struct lab *lab, struct call *call)
{
    fill_kind(lab, call, GET);
}

static void fill_scan(struct lab *lab, struct call *call)
{
    fill_kind(lab, call, SCAN);
}

static void fill_count(struct lab *lab, struct call *call)
{
    fill_kind(lab, call, COUNT);
}

static void fill_check(struct lab *lab, struct call *call)
{
    fill_kind(lab, call, CHECK);
}

/* All kinds; in long calls as often as the student's number has drawn them. */
static void fill_workload(struct lab *lab, struct call *call)
{
    const struct planted planted = planted_for(lab->student);
    const bool as_timed = lab->timed || call->n >= LONG;
    uint64_t *expected = call->shadow;
    begin(lab, call, KEYS_END_IN, false, lab->timed);
    for (size_t i = 0; i < call->n; i++) {
        unsigned at = (unsigned)draw_below(&lab->draw, as_timed ? THOUSAND : 5);
        enum kind kind = PING;
        for (unsigned p = 0; p < PARTS; p++) {
            const unsigned share = as_timed ? weight(planted, p) : 1;
            if (kind == PING && at < share)
                kind = parts[p].kind;
            at -= kind == PING ? share : 0;
        }
        expected[i] = fill_request(lab, call, i, kind, lab->timed);
    }
}

/* What the wrong number is, where that is to be seen. */
static const char *meaning(const struct store *store, const struct request *request, uint64_t found)
{
    uint64_t number = 0;
    switch (request->kind) {
    case SCAN:
        for (size_t k = request->first; k < request->last; k++)
            number += store->records[k].size;
        if (request->first > 0 && found == number + store->records[request->first - 1].size)
            return ", which has one record more in it: that before `first`";
        return request->last < store->count && found == number + store->records[request->last].size
                   ? ", which has one record more in it: `last`"
                   : "";
    case COUNT:
        for (unsigned k = 0; k < BATCH; k++) {
            unsigned band = 0;
            for (unsigned b = 0; b < BANDS - 1; b++)
                band += request->samples[k] > store->limits[b];
            number += (uint64_t)1 << 8 * band;
        }
        return found == number ? ", where a sample that equals a limit is counted below it" : "";
    case CHECK:
        for (unsigned k = 0; k < BATCH; k++)
            number += request->words[k];
        return found == (uint32_t)number % request->modulus
                   ? ", the remainder of the sum's lower 32 bits alone"
               : found >= request->modulus ? ", which is no remainder"
                                           : "";
    default:
        return "";
    }
}

static bool serve_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    static const char *const kinds[] = {"PING", "GET", "SCAN", "COUNT", "CHECK"};
    const struct serve_args *args = call->args;
    const struct request *requests = call->buffer[1];
    const uint64_t *expected = call->shadow, *found = call->buffer[4];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct request *request = &requests[i];
        const uint64_t answer = found[i];
        char about[128] = "";
        if (answer == expected[i])
            continue;
        if (request->kind == GET)
            snprintf(about, sizeof about, " of key %#" PRIx64, request->key);
        else if (request->kind == SCAN)
            snprintf(about, sizeof about, " of records %" PRIu32 " to %" PRIu32 " - 1", request->first,
                     request->last);
        else if (request->kind == CHECK)
            snprintf(about, sizeof about, " modulo %" PRIu32, request->modulus);
        if (request->kind == COUNT)
            return finding(why,
                           "request %zu of %zu, COUNT: expected %#018" PRIx64
                           " (a byte for each band, band 0 on the "
                           "right), found %#018" PRIx64 "%s",
                           i, call->n, expected[i], answer, meaning(&args->store, request, answer));
        return finding(
            why,
            "request %zu of %zu, %s%s in a store of %zu records: expected %" PRIu64 "%s, found %" PRIu64 "%s",
            i, call->n, kinds[request->kind], about, (size_t)args->store.count, expected[i],
            expected[i] == NO_RECORD ? " (NO_RECORD)" : "", answer, meaning(&args->store, request, answer));
    }
    return true;
}

/* ---- the diagnosis ---- */

static bool diagnose_allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, 3 * sizeof(struct bottleneck), sizeof(uint32_t), PLAN_READ | PLAN_WRITE);
}

static void fill_diagnosis(struct lab *lab, struct call *call)
{
    (void)lab;
    *(struct diagnose_args *)call->args = (struct diagnose_args){.found = call->buffer[0]};
}

/* Which of parts[] the place is; PARTS: none. */
static unsigned part_of(uint32_t place)
{
    unsigned part = 0;
    while (part < PARTS && (uint32_t)parts[part].place != place)
        part++;
    return part;
}

/* The worst first: it says what to measure, and no more than is known already. */
static bool diagnose_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    struct bottleneck found[3];
    const struct planted planted = planted_for(lab->student);
    unsigned part[3], right = 0;
    memcpy(found, call->buffer[0], sizeof found);
    if (lab->student == 0)
        return finding(why,
                       "diagnosis.c has no number yet: put yours in the place of the 0 in STUDENT_NUMBER(0)");
    for (unsigned i = 0; i < 3; i++) {
        if (found[i].place == PLACE_NOT_NAMED || found[i].class == CLASS_NOT_NAMED)
            return finding(
                why,
                "found[%u] is not named yet: which part of the server takes the time of workload %" PRIu32
                ", and what on? `make explain EX=18` has a row for each instruction",
                i, lab->student);
        part[i] = part_of(found[i].place);
        if (found[i].place < IN_INDEX || found[i].place > IN_SERVE)
            return finding(why, "found[%u].place is %" PRIu32 ", which is no place%s", i, found[i].place,
                           found[i].place <= CHECK ? ": GET, SCAN, COUNT and CHECK are kinds of requests"
                                                   : "");
        if (found[i].class > SLOW_OPERATION)
            return finding(why, "found[%u].class is %" PRIu32 ", which is no class", i, found[i].class);
    }
    if (found[0].place == found[1].place || found[0].place == found[2].place ||
        found[1].place == found[2].place)
        return finding(why, "two of the three bottlenecks are in one place: name three parts of the server");
    if (part[0] != planted.worst)
        return finding(why, "found[0] is not the part that takes most of the time of workload %" PRIu32 "%s",
                       lab->student,
                       found[0].place == IN_SERVE
                           ? ": `serve` sees each request, and is done with it in some cycles"
                       : part[0] == planted.rare ? ": hardly a request asks for it"
                       : part[0] < PARTS         ? ": it takes less than a fifth"
                                                 : "");
    for (unsigned i = 1; i < 3; i++)
        if (part[i] == PARTS || part[i] == planted.rare)
            return finding(
                why, "found[0] is right. found[%u] is not among the three that take most of the time%s", i,
                part[i] == planted.rare ? ": it is slow when it is asked for, which is hardly ever" : "");
    for (unsigned i = 0; i < 3; i++)
        right += found[i].class == (uint32_t)parts[part[i]].class;
    return right == 3 || finding(why, "the three places are right, and of their classes %u of 3", right);
}

#define SERVE(NAME, FILL)                                                                                    \
    .name = (NAME), .entry = ENTRY_SERVE, .args_size = sizeof(struct serve_args),                            \
    .allocate = serve_allocate, .fill = (FILL), .verify = serve_verify,                                      \
    .buffers = {"records", "requests", "samples", "words", "answers", "scratch"}, .reads_whole = 1 << 1

static const struct case_def defs[] = {
    {SERVE("get", fill_get)},
    {SERVE("scan", fill_scan)},
    {SERVE("count", fill_count)},
    {SERVE("check", fill_check)},
    {SERVE("workload", fill_workload), .by_student = true},
    {.name = "diagnosis",
     .entry = ENTRY_DIAGNOSE,
     .args_size = sizeof(struct diagnose_args),
     .allocate = diagnose_allocate,
     .once = true,
     .fill = fill_diagnosis,
     .verify = diagnose_verify,
     .by_student = true,
     .buffers = {"found"}},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
