/* The calls of one case, laid out in the arena: what cases.h promises to an exercise is kept here. */
#ifndef CYCLELAB_LAYOUT_H
#define CYCLELAB_LAYOUT_H

#include "grader/exercise/cases.h"
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"
#include "harness/arena/arena.h"

struct layout_call {
    size_t n;
    enum arena_place place;
};

struct layout_request {
    const struct case_def *def;
    const struct layout_call *calls;
    size_t count;
    bool timed;
    bool modelled, fma; /* as in struct lab */
    uint64_t seed;
    uint32_t student;   /* as in struct lab */
    size_t cache_bytes; /* the last-level cache; large inputs go by it */
};

struct layout;

/* Reset the arena, set the case up and allocate all calls' buffers. NULL with err when it does not fit. */
struct layout *layout_open(struct arena *arena, const struct layout_request *request, struct error *err);
void layout_close(struct layout *layout);

size_t layout_count(const struct layout *layout);
size_t layout_elements(const struct layout *layout, size_t call);

/* Is the call's n a matter of the student's? Not where their function is given none (case_def.once, unsized),
 * nor where there is no such call. */
bool layout_has_n(const struct layout *layout, size_t call);

/* A call's n in words: `before`, "n = 7" and `behind`; "" where layout_has_n() is false. Returns text. */
enum { LAYOUT_N = 80 };
const char *layout_n(const struct layout *layout, size_t call, const char *before, const char *behind,
                     char text[LAYOUT_N]);

/* The operations of the first `calls` calls (case_def.operations): elements, where none are given. */
uint64_t layout_operations(const struct layout *layout, size_t calls);

/* Fresh contents for the first `calls` calls, and the plan that makes them. 0: a plan without a call. All
 * else that a machine could have written to is noise, or zero where the case asks for that (case_def.zeroed).
 */
void layout_fill(struct layout *layout, size_t calls);

/* After layout_fill: the same plan once more, with the same contents, and all else as there. Where filling
 * goes by lab->draw alone (case_def.reads_clock). */
void layout_fill_again(struct layout *layout, size_t calls);

/* After layout_fill, natively, right before the calls: what has to be out of the caches (case_def.flushed) is
 * taken out of them, and what has to be in them (warmed) is read. `as`: what has to be in this case, which
 * has the same buffers; NULL: in the layout's own. */
void layout_set_caches(const struct layout *layout, const struct case_def *as, size_t calls);

/* After layout_fill: of all calls, the plan makes this one alone. */
void layout_only(struct layout *layout, size_t call);

/* Which call of the layout the plan's is: layout_only() makes another one the first. It may be none. */
size_t layout_planned(const struct layout *layout, uint32_t call);

/* The number of the filling that is in the arena, from 1 on. As many calls of layout_fill() behind
 * layout_open() bring it back. */
uint64_t layout_filling(const struct layout *layout);

/* Behind an execution in the emulated machine: what emulator_arrivals() says, for verify. */
void layout_note_arrivals(struct layout *layout, const uint64_t *arrivals);

/* Check one call's outcome. */
bool layout_verify(struct layout *layout, size_t call, struct finding *why);

/* May student code look at a clock or a counter in its calls? */
bool case_reads_counters(const struct case_def *def);
bool layout_reads_counters(const struct layout *layout);

/* Whether its calls need exception levels; how many counters take turns in their readings. */
bool layout_levels(const struct layout *layout);
size_t layout_read_counters(const struct layout *layout);

/* Is each reading of a call of a student's function of its own? */
bool layout_readings_apart(const struct layout *layout);

/* The event of the counter that a call's reading `word` is of; CALL_CYCLES: the cycle counter. */
uint16_t layout_event(const struct layout *layout, size_t call, size_t word);

/* What the call says that the cycle counter said (case_def.readings): *count words, or NULL where there is
 * nothing of that kind. */
const uint64_t *layout_readings(const struct layout *layout, size_t call, size_t *count);

/* What the call reports (case_def.value). */
double layout_value(const struct layout *layout, size_t call);

/* Name the buffer of `call` in or beside which `address` lies: "`values`, 4 bytes past its end (28 bytes)".
 * False where it is in none. */
bool layout_describe(const struct layout *layout, uint64_t address, char *text, size_t size);

/* Load an exercise's cases from its shared object: the table, which lives as long as the process. */
const struct case_table *case_table_load(const char *path, struct error *err);

/* Where the shared object of the exercise `id` lies in the folder that the suite was built in. */
void case_table_path(const char *build, const char *id, char *path, size_t size);

/* The table from there. */
const struct case_table *case_table_of(const char *build, const char *id, struct error *err);

/* Does the table have the case of this name, which stands in the YAML file at `path`? If not, err names file,
 * line, key, and the cases that there are. */
bool case_is_there(const struct case_table *table, const char *name, const char *file, const char *path,
                   struct error *err);

/* The exercise's table, held against exercise.yml: it has all cases that are named there. NULL with err. */
const struct case_table *exercise_cases(const struct exercise *exercise, const char *build,
                                        struct error *err);

/* The names of all of them, with commas between. */
enum { CASE_NAMES = 512 };
void case_names(const struct case_table *table, char names[CASE_NAMES]);

const struct case_def *case_find(const struct case_table *table, const char *name);

/* The same for a name that somebody has typed; `id` is the exercise's. NULL with err, which lists the cases.
 */
const struct case_def *case_named(const struct case_table *table, const char *name, const char *id,
                                  struct error *err);

/* The i-th buffer that its call has to read whole (case_def.reads_whole). False behind the last. */
struct whole {
    uint64_t address;
    size_t bytes, call;
    unsigned index;   /* of the call's buffers */
    const char *name; /* the student's for it */
};
bool layout_whole(const struct layout *layout, size_t i, struct whole *whole);

/* Does its call need this cache line of it, counted from the one that it begins in? */
bool layout_needs(const struct layout *layout, const struct whole *whole, size_t line);

#endif
