/* From the trace to the model. What was executed is noted in batches; a thread of its own gives them to the
 * model while the emulation goes on with the next one. Nobody looks at the model but after feed_all(), so
 * that what it counts does not depend on who was faster. Where there is no second CPU for it, the two take
 * turns. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "harness/emu/emulator_internal.h"

enum {
    BATCHES = 4,
    ADDRESSES = 8192, /* of a batch, before its last run */
    HINTS = 16        /* accesses that the model is told of ahead */
};

struct feed {
    const struct emulator *emulator;
    struct batch batches[BATCHES];
    uint32_t astray;

    bool asked, threaded; /* whether there is to be a thread; there is one */
    pthread_t thread;
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t changed;
    uint64_t made, taken; /* batches that are full; of these, those that the model has */
    bool ends;
};

/* ---- giving ---- */

static void give(const struct emulator *emulator, uint32_t first, uint32_t count, const uint64_t *addresses,
                 uint64_t next)
{
    model_run(emulator->model, first, count, addresses, next);
    if (emulator->tap)
        emulator->tap(emulator->tap_context, first, count, addresses, next);
}

/* Only the last that the model is given at a time may be a branch. */
static const uint64_t *give_parts(const struct emulator *emulator, const struct executed *executed,
                                  const uint64_t *addresses)
{
    uint32_t end = executed->first + executed->count, from = executed->first;
    for (uint32_t branch; (branch = emulator->next_branch[from]) + 1 < end; from = branch + 1) {
        give(emulator, from, branch + 1 - from, addresses, emulator->image.code + 4 * (uint64_t)(branch + 1));
        addresses += emulator->accesses[branch + 1] - emulator->accesses[from];
    }
    give(emulator, from, end - from, addresses, executed->next);
    return executed->end;
}

/* All of the batch goes to the model, up to a run whose accesses are not the decoder's. */
static void give_batch(struct feed *feed, const struct batch *batch)
{
    const struct emulator *emulator = feed->emulator;
    const uint64_t *addresses = batch->addresses, *hinted = addresses;
    const uint64_t *last = batch->count > 0 ? batch->executed[batch->count - 1].end : addresses;
    for (unsigned i = 0; i < batch->count && feed->astray == FEED_NONE; i++) {
        const struct executed *executed = &batch->executed[i];
        uint32_t first = executed->first, end = first + executed->count;
        hinted = hinted < addresses ? addresses : hinted;
        for (; hinted < last && hinted - addresses < HINTS; hinted++)
            model_hint(emulator->model, *hinted);
        if (emulator->accesses[end] - emulator->accesses[first] != (size_t)(executed->end - addresses))
            feed->astray = first;
        else
            addresses = give_parts(emulator, executed, addresses);
    }
}

/* ---- the thread ---- */

static void *work(void *context)
{
    struct feed *feed = context;
    pthread_mutex_lock(&feed->lock);
    for (;;) {
        while (feed->taken == feed->made && !feed->ends)
            pthread_cond_wait(&feed->changed, &feed->lock);
        if (feed->taken == feed->made)
            break;
        pthread_mutex_unlock(&feed->lock);
        give_batch(feed, &feed->batches[feed->taken % BATCHES]);
        pthread_mutex_lock(&feed->lock);
        feed->taken++;
        pthread_cond_signal(&feed->changed);
    }
    pthread_mutex_unlock(&feed->lock);
    return NULL;
}

static bool has_cpus(void)
{
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) > 1;
}

/* With the first full batch: most calls make none. Signals are the other thread's. */
static void start(struct feed *feed)
{
    sigset_t all, before;
    feed->asked = true;
    if (feed->emulator->config.crowded || !has_cpus())
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    feed->threaded = pthread_create(&feed->thread, NULL, work, feed) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Until no more than so many batches are left to be given. */
static void wait_for(struct feed *feed, uint64_t left)
{
    if (!feed->threaded)
        return;
    pthread_mutex_lock(&feed->lock);
    while (feed->made - feed->taken > left)
        pthread_cond_wait(&feed->changed, &feed->lock);
    pthread_mutex_unlock(&feed->lock);
}

/* ---- the trace's side ---- */

static void fill_next(struct emulator *emulator)
{
    struct feed *feed = emulator->feed;
    emulator->batch = &feed->batches[feed->made % BATCHES];
    emulator->batch->count = 0;
    emulator->cursor = emulator->batch->addresses;
    emulator->full = emulator->cursor + ADDRESSES;
}

void feed_batch(struct emulator *emulator)
{
    struct feed *feed = emulator->feed;
    if (!feed->asked)
        start(feed);
    if (feed->threaded) {
        pthread_mutex_lock(&feed->lock);
        bool all = ++feed->made - feed->taken == BATCHES;
        pthread_cond_signal(&feed->changed);
        pthread_mutex_unlock(&feed->lock);
        if (all)
            wait_for(feed, BATCHES / 2); /* a sleep should be worth more than one batch */
    } else {
        give_batch(feed, emulator->batch);
    }
    fill_next(emulator);
}

uint32_t feed_all(struct emulator *emulator)
{
    wait_for(emulator->feed, 0);
    give_batch(emulator->feed, emulator->batch);
    fill_next(emulator);
    return emulator->feed->astray;
}

void feed_drop(struct emulator *emulator)
{
    wait_for(emulator->feed, 0);
    emulator->feed->astray = FEED_NONE;
    fill_next(emulator);
}

/* ---- coming and going ---- */

bool feed_open(struct emulator *emulator)
{
    struct feed *feed = calloc(1, sizeof *feed);
    size_t count = emulator->image.count;
    emulator->feed = feed;
    if (!feed || pthread_mutex_init(&feed->lock, NULL) != 0)
        return false;
    pthread_cond_init(&feed->changed, NULL);
    feed->emulator = emulator;
    for (unsigned i = 0; i < BATCHES; i++) { /* a run is no longer than the code */
        feed->batches[i].addresses = calloc(ADDRESSES + count, sizeof(uint64_t));
        if (!feed->batches[i].addresses)
            return false;
    }
    feed_drop(emulator);
    return true;
}

void feed_close(struct emulator *emulator)
{
    struct feed *feed = emulator->feed;
    if (!feed)
        return;
    if (feed->threaded) {
        pthread_mutex_lock(&feed->lock);
        feed->ends = true;
        pthread_cond_signal(&feed->changed);
        pthread_mutex_unlock(&feed->lock);
        pthread_join(feed->thread, NULL);
    }
    for (unsigned i = 0; i < BATCHES; i++)
        free(feed->batches[i].addresses);
    pthread_cond_destroy(&feed->changed);
    pthread_mutex_destroy(&feed->lock);
    free(feed);
}
