/* Is a counter read where it stands in the program? Each reading is held against all that comes before and
 * behind it. */
#include "grader/explain/explain_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/model/timeline.h"

enum {
    PLACES = 8,
    TOLERATED = 3, /* cycles: nobody can tell them from the reading itself */
    AROUND = 6,    /* instructions shown on each side of a reading, at most */
};

/* An instruction that reads a counter, and who was on its wrong side. */
struct side {
    uint64_t readings; /* in which somebody was */
    uint64_t most;     /* cycles, */
    uint32_t site;     /* and whose they were */
};

struct place {
    uint32_t site;
    uint64_t readings, behind; /* instructions from here to the next reading, over all readings */
    struct side earlier, later;
};

struct readings {
    const struct op *ops;
    struct image image;
    struct place places[PLACES];
    unsigned count;

    struct place *last;   /* the last reading; NULL: none yet */
    uint64_t read;        /* its cycle */
    struct side overtook; /* it, so far */
    uint64_t complete;    /* of all instructions so far, the latest one, */
    uint32_t latest;      /* and which that is */
};

static void note(struct side *side, uint64_t cycles, uint32_t site)
{
    if (cycles <= side->most)
        return;
    side->most = cycles;
    side->site = site;
}

static void end_reading(struct readings *readings)
{
    if (!readings->last)
        return;
    readings->last->later.readings += readings->overtook.most > TOLERATED;
    note(&readings->last->later, readings->overtook.most, readings->overtook.site);
    readings->overtook = (struct side){0};
}

static struct place *place_of(struct readings *readings, uint32_t site)
{
    for (unsigned i = 0; i < readings->count; i++)
        if (readings->places[i].site == site)
            return &readings->places[i];
    if (readings->count == PLACES)
        return NULL;
    readings->places[readings->count] = (struct place){.site = site};
    return &readings->places[readings->count++];
}

static bool is_reading(const struct readings *readings, uint32_t site)
{
    return readings->ops[site].op_class == OP_COUNTER_READ && readings->image.places[site] == IMAGE_OPEN;
}

static void see(void *context, const struct timeline_step *step)
{
    struct readings *readings = context;
    if (is_reading(readings, step->site)) {
        end_reading(readings);
        readings->last = place_of(readings, step->site);
        readings->read = step->issue;
        if (readings->last) {
            uint64_t late = readings->complete > step->issue ? readings->complete - step->issue : 0;
            readings->last->readings++;
            readings->last->earlier.readings += late > TOLERATED;
            note(&readings->last->earlier, late, readings->latest);
        }
    } else if (readings->last) {
        readings->last->behind++;
        unsigned class = readings->ops[step->site].op_class;
        if (step->issue < readings->read && class != OP_BARRIER && class != OP_NOP) /* those are no work */
            note(&readings->overtook, readings->read - step->issue, step->site);
    }
    if (step->complete > readings->complete) {
        readings->complete = step->complete;
        readings->latest = step->site;
    }
}

struct readings *readings_watch(const char *program, struct emulator *emulator)
{
    struct readings *readings = calloc(1, sizeof *readings);
    struct error ignored;
    size_t count;
    bool any = false;
    if (!readings || !image_open(&readings->image, program, &ignored)) {
        free(readings);
        return NULL;
    }
    readings->ops = emulator_code(emulator, &count);
    for (uint32_t site = 0; site < count && site < readings->image.count; site++)
        any = any || is_reading(readings, site);
    if (any) {
        model_timeline(emulator_model(emulator), see, readings);
        return readings;
    }
    readings_free(readings);
    return NULL;
}

void readings_free(struct readings *readings)
{
    if (readings)
        image_close(&readings->image);
    free(readings);
}

/* ---- in words ---- */

struct words {
    const struct readings *readings;
    const struct listing *listing;
    char *text;
    size_t size, used;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *words, const char *format, ...)
{
    va_list arguments;
    if (words->used >= words->size)
        return;
    va_start(arguments, format);
    int length = vsnprintf(words->text + words->used, words->size - words->used, format, arguments);
    va_end(arguments);
    words->used += length > 0 ? (size_t)length : 0;
}

static bool same_function(const struct words *words, uint32_t site, const struct location *at)
{
    struct location there;
    return site < words->readings->image.count &&
           locator_find(words->listing->locator, words->readings->ops[site].address, &there) &&
           strcmp(there.function, at->function) == 0 && words->readings->image.places[site] == IMAGE_OPEN;
}

/* The student's instructions around it, as far as they are executed one after the other. */
static void say_around(struct words *words, const struct place *place, const struct location *at)
{
    const struct op *ops = words->readings->ops;
    uint32_t first = place->site;
    while (first > 0 && place->site - first < AROUND && same_function(words, first - 1, at) &&
           ops[first - 1].branch == OP_NO_BRANCH)
        first--;
    uint32_t last = place->site;
    while (last - place->site < AROUND && ops[last].branch == OP_NO_BRANCH &&
           same_function(words, last + 1, at))
        last++;
    for (uint32_t site = first; site <= last; site++) {
        char text[160];
        listing_short_text(words->listing, site, at->function, text, sizeof text);
        say(words, "  %c +0x%-5" PRIx64 " %s%s\n", site == place->site ? '>' : ' ',
            at->offset + 4 * (uint64_t)site - 4 * (uint64_t)place->site, text,
            site == place->site ? "   <- reads the counter" : "");
    }
}

static void say_side(struct words *words, const struct place *place, const struct side *side,
                     const char *good, const char *bad, const char *how)
{
    char text[160];
    if (side->readings == 0) {
        say(words, "  %s\n", good);
        return;
    }
    listing_short_text(words->listing, side->site, "", text, sizeof text);
    say(words, "  %s in %" PRIu64 " of %" PRIu64 " readings: `%s` %s up to %" PRIu64 " cycles %s.\n", bad,
        side->readings, place->readings, text, how, side->most,
        side == &place->earlier ? "after it" : "before it");
}

void readings_text(struct readings *readings, const struct listing *listing, char *text, size_t size)
{
    struct words words = {readings, listing, text, size, 0};
    text[0] = '\0';
    end_reading(readings); /* the last one: nothing more comes behind it */
    if (readings->count > 0)
        say(&words, "\nIs the counter read where it stands in your code?\n");
    for (unsigned i = 0; i < readings->count; i++) {
        const struct place *place = &readings->places[i];
        struct location at;
        if (!locator_find(listing->locator, readings->ops[place->site].address, &at))
            continue;
        say(&words, "\n%s, read %" PRIu64 " times:\n", at.function[0] ? at.function : "(no name)",
            place->readings);
        say_around(&words, place, &at);
        say_side(&words, place, &place->earlier, "All work before it had finished.",
                 "Work before it had not finished", "ended");
        say_side(&words, place, &place->later, "No work behind it had begun.", "Work behind it had begun",
                 "began");
        if (place->behind > place->readings)
            say(&words, "  (%" PRIu64 " instructions follow until the next reading)\n",
                place->behind / place->readings);
    }
}
