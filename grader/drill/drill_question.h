/* Questions with exact answers: those of the core model. */
#ifndef CYCLELAB_DRILL_QUESTION_H
#define CYCLELAB_DRILL_QUESTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "grader/drill/drill_loop.h"
#include "harness/base/error.h"
#include "harness/model/core.h"

enum drill_kind {
    DRILL_CYCLES, /* how many cycles does a round take? */
    DRILL_BINDS,  /* what binds it? 1 a chain, 2 ports, 3 the width */
    DRILL_GAIN,   /* how many times faster is the second loop, with its work in more chains? */
    DRILL_KINDS
};

/* What one learns by a question: they come back together. */
struct drill_skill {
    enum drill_kind kind;
    enum drill_theme theme;
    bool in_order; /* of the core */
};

enum { DRILL_SKILLS = DRILL_KINDS * DRILL_THEMES * 2 };

/* Skill number `index`, in the order of difficulty; false where no question of the kind can have the theme.
 */
bool drill_skill_at(unsigned index, struct drill_skill *skill);

struct drill_question {
    struct drill_skill skill;
    const struct core *core;
    struct drill_loop loop, other; /* the second one: DRILL_GAIN */
    double cycles, other_cycles;   /* a round, in the long run */
    double answer;
};

/* The question of a skill that these numbers make. A loop whose answer is no plain number, or hangs on a
 * hair, is thrown away and the next one taken. False with err when memory is short. */
bool drill_question_make(const struct drill_skill *skill, const struct core *core, uint64_t seed,
                         struct drill_question *question, struct error *err);

void drill_question_print(const struct drill_question *question, FILE *out);

/* Is it right? Within 2 %. False also where the text is no number: *number says whether it is one. */
bool drill_answer_is_right(const struct drill_question *question, const char *text, bool *number);

/* The answer, and why: the three bounds of each loop. */
void drill_question_explain(const struct drill_question *question, FILE *out);

#endif
