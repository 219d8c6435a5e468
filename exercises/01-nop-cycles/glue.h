/* Argument and result blocks, shared by glue.c (in the machine) and cases.c (in the grader). Everything in a
 * result is the word of the student's process. What blocks do stands in a recipe, which in the emulated
 * machine only the glue may look at (PLAN_GLUE): there it has to be measured. */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>

enum {
    ENTRY_COUNTER,
    ENTRY_LEAST,
    ENTRY_OVERHEAD,
    ENTRY_MINIMUM,
    ENTRY_RATIO,
    ENTRY_TIME_ADDS,
    ENTRY_TIME_TAIL,
    ENTRY_TIME_LEAD,
    ENTRY_NET,
    ENTRY_NOPS,
};

/* ENTRY_COUNTER: the student's readings between two of the glue's own. */
enum { READINGS = 16 };
struct counter_result {
    struct {
        uint64_t before, begin, end, after;
    } reading[READINGS];
};

/* ENTRY_LEAST */
struct least_args {
    const uint64_t *ticks;
    uint64_t n;
    uint64_t overhead;
};
struct least_result {
    uint64_t least;
};

/* ENTRY_OVERHEAD: measured by the student, and by the glue with the student's counter. */
struct overhead_result {
    uint64_t student, glue;
};

/* ENTRY_MINIMUM: measure_minimum of a block that is... */
enum stage {
    STAGE_LONG,        /* long in every run */
    STAGE_SHORT,       /* short in every run */
    STAGE_INTERRUPTED, /* long, but short in a few runs that are drawn: it was interrupted in all others */
    STAGE_INTERRUPTED_AGAIN, /* so too, and never short in the same runs: no run is right in both */
    STAGE_SMALLER,           /* long, but smaller than the overhead that is handed over */
    STAGES
};
enum { STAGED_RUNS = 100, UNDISTURBED = 5, STAGINGS = 3 /* of all stages, each in an order of its own */ };
struct staged {
    uint64_t runs;
    enum stage stage;
    uint8_t undisturbed[STAGED_RUNS]; /* the stage in which the run is short, of those interrupted; else 0 */
};
struct minimum_result {
    uint64_t block; /* ticks of the long block, as the glue measures it */
    uint64_t runs[STAGINGS][STAGES];
    uint64_t ticks[STAGINGS][STAGES];
};

/* ENTRY_RATIO: pairs of blocks in the place of NOPs and adds, each so many hundreds of adds long. */
enum { RATIOS = 3 };
struct pair {
    uint64_t part, whole;
};
struct ratio_result {
    double value[RATIOS];
};

/* The other values: arguments with a length, and a value as the result. The length may be drawn, so that the
 * time of a block is not known before it has been measured; the value is brought back to the usual one. */
struct value_args {
    uint64_t n;     /* adds, where the entry has some: a multiple of 100 */
    uint64_t usual; /* what the value is given for */
};
enum { VALUE_RUNS = 100 };
struct value_result {
    uint64_t readings[2 * VALUE_RUNS]; /* begin and end of each run, where the glue calls for them */
    double value;
};

/* ENTRY_NOPS: so many thousand NOPs beside so many hundred adds, in each of `mixes`; one of them has 1,000
 * NOPs. A NOP takes as long in all of them. */
enum { MIXES = 3 };
struct mix {
    uint64_t nops, adds;
};
struct nops_result {
    double value;        /* of 1,000 NOPs */
    double mixed[MIXES]; /* what the student says, brought to as many NOPs as adds */
};

/* Arguments of ENTRY_MINIMUM, ENTRY_RATIO, ENTRY_NET and ENTRY_NOPS. */
struct recipe {
    struct value_args value;
    struct pair pair[RATIOS];
    struct staged staged;
    uint8_t order[STAGINGS][STAGES]; /* in which they come: who counts its calls does not know the stage */
    struct minimum_result minimum;   /* until the last one: the result's memory is not the glue's alone */
    struct mix mix[MIXES], under_way;
    uint64_t mixes;
    uint64_t times;
};
struct recipe_args {
    struct recipe *recipe;
};

#endif
