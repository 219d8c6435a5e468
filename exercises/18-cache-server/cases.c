/* Exercise 18: inputs and oracles. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"
#include "planted.h"
#include "requests.h"

enum {
    LINE = 64,
    LONG = 1024,      /* a call, */
    RECORDS = 2048,   /* that has so many */
    KEPT = 16,        /* scratch for a record, */
    KEPT_MORE = 8192, /* and besides */
    KEYS_END_IN = 7,  /* zeros, where it is timed, */
    A_KEY_IN = 32,    /* of a GET is no record's there */
    ALL_NEAR = (1 << (BANDS - 1)) - 1,
    MANY_RECORDS = 70000,  /* a number of 16 bits does not count them */
    FEW_REQUESTS = 400,    /* to those */
    MANY_REQUESTS = 70001, /* nor these, */
    FEW_RECORDS = 16,      /* which ask for those */
    BATCHES = 8192,        /* in a call, at the most: many requests have none */
};

/* ---- the store ---- */

/* In every other long call as many as where it is timed, so that their number does not tell, and in the rest
 * more. Of the short ones some have requests to a store without any, and none to one that has some. */
static size_t records_of(const struct lab *lab, const struct call *call)
{
    if (lab->timed)
        return RECORDS;
    if (call->n >= LONG)
        return RECORDS + call->n % 2 * call->n;
    return call->n == 0 ? FEW_RECORDS : call->n % 8 == 5 ? 0 : call->n * 3 / 2;
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

static uint64_t size_of(const struct record *records, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (records[i].key == key)
            return records[i].size;
    return NO_RECORD;
}

/* In about every other store there is a record with the least or with the largest of all keys, or there are
 * both: no number can stand for "no key". */
static void plant_extremes(struct lab *lab, struct record *records, size_t count)
{
    static const uint64_t extremes[] = {0, UINT64_MAX};
    for (unsigned e = 0; e < 2 && count > 0; e++)
        if (draw_below(&lab->draw, 3) == 0 && size_of(records, count, extremes[e]) == NO_RECORD)
            records[draw_below(&lab->draw, count)].key = extremes[e];
}

/* Bit b of `near`: limit b is an eighth nearly, as all are where it is timed, so that no guess is better than
 * another. Elsewhere they are anything, also in rehearsals. */
static void fill_limits(struct lab *lab, uint8_t *limits, unsigned near)
{
    for (unsigned b = 0; b < BANDS - 1; b++) {
        const uint8_t limit = (uint8_t)(near >> b & 1 ? 32 * (b + 1) + draw_below(&lab->draw, 9) - 4
                                                      : draw_below(&lab->draw, 256));
        unsigned at = b;
        for (; at > 0 && limits[at - 1] > limit; at--)
            limits[at] = limits[at - 1];
        limits[at] = limit;
    }
}

/* ---- serving ---- */

/* Many requests to few records have none, so that they would be filled anew does not matter. */
static size_t batches_of(size_t n, size_t records)
{
    return records == FEW_RECORDS && n > BATCHES ? BATCHES : n;
}

/* Of n elements: n requests. Buffers: records, requests, samples, words, answers, scratch. */
static bool allocate_with(struct lab *lab, struct call *call, size_t count)
{
    const size_t n = call->n, batches = batches_of(n, count);
    return call_buffer(lab, call, 0, count * sizeof(struct record), LINE, PLAN_READ) &&
           call_buffer(lab, call, 1, n * sizeof(struct request), sizeof(uint64_t), PLAN_READ) &&
           call_buffer(lab, call, 2, batches * BATCH, 1, PLAN_READ) &&
           call_buffer(lab, call, 3, batches * BATCH * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ) &&
           call_buffer(lab, call, 4, n * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, 5, count * KEPT + KEPT_MORE, LINE, PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, sizeof(struct served) + (n + count + 1) * sizeof(uint64_t));
}

static bool serve_allocate(struct lab *lab, struct call *call)
{
    return allocate_with(lab, call, records_of(lab, call));
}

static bool records_allocate(struct lab *lab, struct call *call)
{
    return allocate_with(lab, call, MANY_RECORDS);
}

static bool requests_allocate(struct lab *lab, struct call *call)
{
    return allocate_with(lab, call, FEW_RECORDS);
}

static void fill_batch(struct lab *lab, void *batch, size_t bytes)
{
    for (size_t k = 0; k < bytes; k += sizeof(uint64_t)) {
        const uint64_t r = draw_next(&lab->draw);
        memcpy((char *)batch + k, &r, sizeof r);
    }
}

/* Behind the answers: the sizes of the first k records, added up. The difference of two answers a scan. */
static uint64_t *sums_of(const struct call *call)
{
    return answers_of(call) + call->n;
}

/* One request of this kind, and its answer. Some have the batch of the one before. */
static uint64_t fill_request(struct lab *lab, struct call *call, size_t i, enum kind kind, bool as_timed)
{
    const struct serve_args *args = call->args;
    const struct record *records = call->buffer[0];
    struct request *request = (struct request *)call->buffer[1] + i;
    const struct served *served = call->shadow;
    const size_t count = args->store.count, batch = batch_of(served, i);
    uint8_t *samples = (uint8_t *)call->buffer[2] + batch * BATCH;
    uint32_t *words = (uint32_t *)call->buffer[3] + batch * BATCH;
    const uint64_t r = draw_next(&lab->draw);
    const bool shares = !as_timed && i > 0 && request[-1].kind == kind && (r >> 20 & 7) == 0;
    *request = wild_request(kind, r);
    if (kind == GET) {
        const size_t at = count ? draw_below(&lab->draw, count) : 0;
        if (count > 0 && (lab->timed ? r % A_KEY_IN : r & 3)) {
            request->key = records[at].key;
            return records[at].size;
        }
        request->key = count > 0 ? records[at].key ^ (uint64_t)1 << (r >> 58) : r;
        if (!as_timed && (r >> 16 & 3) == 0)
            request->key = r >> 18 & 1 ? UINT64_MAX : 0;
        return size_of(records, count, request->key);
    }
    if (kind == SCAN) {
        const uint32_t a = (uint32_t)draw_below(&lab->draw, count + 1),
                       b = (uint32_t)draw_below(&lab->draw, count + 1);
        request->first = a < b ? a : b;
        request->last = a < b ? b : a;
        return sums_of(call)[request->last] - sums_of(call)[request->first];
    }
    if (kind == COUNT) {
        request->samples = shares ? request[-1].samples : samples;
        if (!shares)
            fill_batch(lab, samples, BATCH);
        return count_samples(args->store.limits, request->samples);
    }
    if (kind == CHECK) {
        request->words = shares ? request[-1].words : words;
        if (!shares)
            fill_batch(lab, words, BATCH * sizeof *words);
        request->modulus = as_timed ? 1000 + (uint32_t)(r & 0xFFFF) : 1 + (uint32_t)(r >> 32) % UINT32_MAX;
        if (!as_timed && (r & 3) == 0)
            request->modulus = 1 + (uint32_t)(r >> 40 & 15);
        return check_words(request->words, request->modulus);
    }
    return r;
}

/* The lowest bit in which keys differ. */
static const unsigned lows[] = {0, KEYS_END_IN, 2 * KEYS_END_IN, 32};

static void begin(struct lab *lab, struct call *call, size_t count, unsigned low, bool neighbours)
{
    *(struct serve_args *)call->args = (struct serve_args){
        .store = {.records = call->buffer[0], .count = count, .scratch = call->buffer[5]},
        .requests = call->buffer[1],
        .answers = call->buffer[4],
        .n = call->n,
    };
    *(struct served *)call->shadow = (struct served){.batches = batches_of(call->n, count), .times = 1};
    fill_records(lab, call->buffer[0], count, low, neighbours);
    const struct record *records = call->buffer[0];
    uint64_t *sums = sums_of(call);
    sums[0] = 0;
    for (size_t k = 0; k < count; k++)
        sums[k + 1] = sums[k] + records[k].size;
}

/* Not as it is timed: keys that are the least or the largest, any limits but those that are near, and batches
 * in any order. */
static void set_apart(struct lab *lab, struct call *call, unsigned near)
{
    struct store *store = &((struct serve_args *)call->args)->store;
    plant_extremes(lab, call->buffer[0], store->count);
    fill_limits(lab, store->limits, near);
    scatter_batches(&lab->draw, call->shadow);
}

static void fill_kind(struct lab *lab, struct call *call, enum kind kind)
{
    uint64_t *expected = answers_of(call);
    const unsigned which = (unsigned)call->n % 4;
    const bool nothing = call->n == 0 && kind == SCAN; /* neither requests nor records */
    begin(lab, call, nothing ? 0 : records_of(lab, call), lows[which], which == 3 || call->n / 4 % 2 == 0);
    set_apart(lab, call, 0);
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

/* All kinds; in long calls as often as the student's number has drawn them. One in `odd` requests is not as
 * it is timed; 0: none is so. */
static void fill_requests(struct lab *lab, struct call *call, unsigned odd)
{
    const struct planted planted = planted_for(lab->student);
    const bool is_long = lab->timed || call->n >= LONG;
    uint64_t *expected = answers_of(call);
    for (size_t i = 0; i < call->n; i++) {
        unsigned at = (unsigned)draw_below(&lab->draw, is_long ? THOUSAND : 5);
        enum kind kind = PING;
        for (unsigned p = 0; p < PARTS; p++) {
            const unsigned share = is_long ? weight(planted, p) : 1;
            if (kind == PING && at < share)
                kind = parts[p].kind;
            at -= kind == PING ? share : 0;
        }
        const bool as_timed = odd == 0 || (odd > 1 && draw_below(&lab->draw, odd) > 0);
        expected[i] = fill_request(lab, call, i, kind, as_timed);
    }
}

static void fill_workload(struct lab *lab, struct call *call)
{
    begin(lab, call, records_of(lab, call), KEYS_END_IN, false);
    if (lab->timed)
        fill_limits(lab, ((struct serve_args *)call->args)->store.limits, ALL_NEAR);
    else
        set_apart(lab, call, 0);
    fill_requests(lab, call, !lab->timed);
}

/* As it is timed but for some of this, drawn for each call: the shape of the keys, the least and the largest
 * key, one limit or all, some requests or all. So none of it tells what the rest is like. */
static void fill_outliers(struct lab *lab, struct call *call)
{
    const uint64_t r = draw_next(&lab->draw);
    const bool other = r & 1;
    const unsigned one = 1u << (r >> 32) % (BANDS - 1);
    begin(lab, call, records_of(lab, call), other ? lows[r >> 1 & 3] : KEYS_END_IN, other && (r >> 3 & 1));
    set_apart(lab, call, (r >> 4 & 3) == 0 ? 0 : (r >> 4 & 3) == 1 ? ALL_NEAR : ALL_NEAR & ~one);
    fill_requests(lab, call, r >> 6 & 1 ? 1 : 16);
}

/* Without the least and the largest key: who fails by these alone is right here. */
static void fill_many(struct lab *lab, struct call *call, size_t count, const enum kind kinds[8])
{
    uint64_t *expected = answers_of(call);
    begin(lab, call, count, 0, false);
    fill_limits(lab, ((struct serve_args *)call->args)->store.limits, 0);
    for (size_t i = 0; i < call->n; i++)
        expected[i] = fill_request(lab, call, i, kinds[draw_below(&lab->draw, 8)], true);
}

static void fill_many_records(struct lab *lab, struct call *call)
{
    static const enum kind kinds[8] = {GET, GET, GET, GET, SCAN, SCAN, COUNT, CHECK};
    fill_many(lab, call, MANY_RECORDS, kinds);
}

/* None of a kind that has a batch: there are not so many. */
static void fill_many_requests(struct lab *lab, struct call *call)
{
    static const enum kind kinds[8] = {PING, PING, PING, PING, PING, PING, GET, SCAN};
    fill_many(lab, call, FEW_RECORDS, kinds);
}

/* What the wrong number is, where that is to be seen. */
static const char *meaning(const struct store *store, const struct request *request, uint64_t found)
{
    uint64_t number = 0;
    switch (request->kind) {
    case GET:
        if (found != NO_RECORD)
            return "";
        return request->key == 0 || request->key == UINT64_MAX
                   ? " (NO_RECORD). Any number can be a key, 0 and 2^64 - 1 as well"
                   : " (NO_RECORD)";
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
    const uint64_t *expected = answers_of(call), *found = call->buffer[4];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct request *request = &requests[i];
        const uint64_t answer = found[i];
        char about[128] = "", size[64] = "that has no records";
        if (answer == expected[i])
            continue;
        if (request->kind == GET)
            snprintf(about, sizeof about, " of key %#" PRIx64, request->key);
        else if (request->kind == SCAN)
            snprintf(about, sizeof about, " of records %" PRIu32 " to %" PRIu32 " - 1", request->first,
                     request->last);
        else if (request->kind == CHECK)
            snprintf(about, sizeof about, " modulo %" PRIu32, request->modulus);
        if (args->store.count > 0)
            snprintf(size, sizeof size, "of %zu records", (size_t)args->store.count);
        if (request->kind == COUNT)
            return finding(why,
                           "request %zu of %zu, COUNT: expected %#018" PRIx64
                           " (a byte for each band, band 0 on the "
                           "right), found %#018" PRIx64 "%s",
                           i, call->n, expected[i], answer, meaning(&args->store, request, answer));
        return finding(
            why, "request %zu of %zu, %s%s in a store %s: expected %" PRIu64 "%s, found %" PRIu64 "%s", i,
            call->n, kinds[request->kind], about, size, expected[i],
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

#define SERVE(NAME, ALLOCATE, FILL)                                                                          \
    .name = (NAME), .entry = ENTRY_SERVE, .args_size = sizeof(struct serve_args), .allocate = (ALLOCATE),    \
    .fill = (FILL), .verify = serve_verify,                                                                  \
    .buffers = {"records", "requests", "samples", "words", "answers", "scratch"}, .reads_whole = 1 << 1

static const struct case_def defs[] = {
    {SERVE("get", serve_allocate, fill_get)},
    {SERVE("scan", serve_allocate, fill_scan)},
    {SERVE("count", serve_allocate, fill_count)},
    {SERVE("check", serve_allocate, fill_check)},
    {SERVE("workload", serve_allocate, fill_workload), .by_student = true},
    {SERVE("workload-outliers", serve_allocate, fill_outliers), .by_student = true},
    {SERVE("many", records_allocate, fill_many_records), .once = true, .elements = FEW_REQUESTS},
    {SERVE("many-requests", requests_allocate, fill_many_requests), .once = true, .elements = MANY_REQUESTS},
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
