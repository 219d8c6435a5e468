/* What the parts of building share; nobody else's business. */
#ifndef CYCLELAB_BUILD_INTERNAL_H
#define CYCLELAB_BUILD_INTERNAL_H

#include "grader/build/build.h"
#include "grader/build/build_cache.h"
#include "grader/base/strings.h"

/* The reference's files: no originals to compare with; a file for the ISA goes before the one for all. */
void build_select_reference(const struct exercise *exercise, enum isa isa, struct selection *selection);

/* One source on its way: where it came from, where it went. Names are relative to the unit's folder. */
struct unit {
    char *origin; /* as the student knows it */
    char *staged; /* "clamp.c", "x86_64/clamp.S" */
    char *object; /* "0-clamp.o" */
};

/* The folder of one variant, in the work folder:
 *     include/   the exercise's headers, read-only for the compiler
 *     student/   the student's sources (or trusted/, for a variant that is ours)
 *     glue/      glue.c
 *     first.h    what a student's C begins with
 *     place.s    takes up room in front of the code
 *     plan.s     with a replay program: its plan, and where that lies
 *     out/       what the compiler writes */
struct stage {
    char *folder;
    bool replays;        /* the replay program goes in place of the runner */
    const char *sources; /* "student" or "trusted": build_locate tells by it whose code it is */
    struct unit *units;
    size_t count;
};

/* Make the folders and copy everything into them. On failure *outcome and a text. */
bool stage_fill(struct stage *stage, const struct workdir *workdir, const char *root,
                const struct exercise *exercise, enum variant variant, enum isa isa, char *const *sources,
                unsigned count, enum build_outcome *outcome, struct error *err);
void stage_free(struct stage *stage);

/* One of the suite's own objects ("runner.o"), into it. */
bool stage_copy_object(const struct stage *stage, enum isa isa, const char *name, struct error *err);

/* What makes a replay program of it. */
bool stage_add_plan(struct stage *stage, enum isa isa, const struct build_replay *replay, struct error *err);

/* Take what was built, out/ and this program in it, out of the hands of the unprivileged user: whoever runs
 * as it later must not replace it. */
bool stage_seal(const struct stage *stage, const char *program, struct error *err);

/* "gcc", "aarch64-linux-gnu-gcc". */
void compiler_name(enum isa isa, char *name, size_t size);

/* Compile and link what has been staged, into so many programs. */
void stage_build(const struct stage *stage, const struct exercise *exercise, enum variant variant,
                 enum isa isa, const char *const *defines, unsigned places, struct build_result *result);

/* May these objects be linked? If not, `result` says why. */
bool objects_allowed(const struct stage *stage, const struct exercise *exercise, enum isa isa,
                     struct build_result *result);

/* What a compiler wrote, for a person: control characters gone, staged names turned into the student's, the
 * first lines from the first error on. malloc'ed. */
char *diagnostics_tidy(const struct stage *stage, const struct exercise *exercise, const char *output);

/* Copy the glue's object from the cache to out/; true if it was there. Call glue_to_cache() only for a stage
 * without student code: the student's compiler can write to out/ too. */
bool glue_from_cache(const struct stage *stage, enum isa isa, const struct strings *command);
void glue_to_cache(const struct stage *stage, enum isa isa, const struct strings *command);

void build_set(struct build_result *result, enum build_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
