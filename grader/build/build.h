/* From sources to a runner: which files of the student count, compiling and linking them as an unprivileged
 * user in a private folder, and refusing objects that define what they should not. */
#ifndef CYCLELAB_BUILD_H
#define CYCLELAB_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/exercise/exercise.h"
#include "grader/base/isa.h"
#include "grader/base/workdir.h"
#include "harness/arena/plan.h"
#include "harness/base/error.h"

enum variant { VARIANT_BASELINE, VARIANT_STUDENT, VARIANT_REFERENCE, VARIANT_COUNT };

const char *variant_name(enum variant variant);

/* Where <isa>/runner.o lie, if not in runner/ beside this program. The string has to stay. For tests; NULL
 * undoes it. */
void build_set_runner_folder(const char *folder);

/* Cache objects in `folder`, which must stay valid; NULL (the default): do not cache. */
void build_cache_use(const char *folder);

enum { SOURCE_LIMIT = 1 << 20 }; /* bytes of a student's file */

/* The student's files for one ISA. */
enum choice { CHOICE_OK, CHOICE_UNTOUCHED, CHOICE_MISSING };
struct selection {
    enum choice choice;
    char **paths; /* (none with CHOICE_MISSING) one a source stem, in the exercise's order; chosen by: an
                     edited file for the ISA, an edited C file, the untouched C file, the untouched one for
                     the ISA */
    unsigned count;
    unsigned edited;   /* bit i: paths[i] is no stub */
    bool isa_specific; /* at least one chosen file is for this ISA only */
    char note[512];    /* for a person: which files count, which do not though they are edited, what is
                          missing */
};

/* Choose below `folder`. A file is untouched when it is a stub that was ever released (stubs.h), else edited.
 * CHOICE_UNTOUCHED: all chosen files are. */
void build_select(const struct exercise *exercise, const char *folder, enum isa isa,
                  struct selection *selection);
/* Is a source answered in `own`, in a file for its ISA alone, and as it came in `other`? Then `other` is not
 * what the student means. */
bool selection_left_out(const struct selection *own, const struct selection *other);
void selection_free(struct selection *selection);

enum build_outcome {
    BUILD_OK,
    BUILD_NO_COMPILER, /* no compiler for the ISA: diagnostics names the package */
    BUILD_FAILED,      /* the compiler or the linker says no */
    BUILD_REJECTED,    /* an object defines or contains what it must not */
    BUILD_ERROR,       /* the suite itself: no space, no permission */
};

struct build_result {
    enum build_outcome outcome;
    char *program; /* path of the runner with the variant in it, in the work folder; NULL if not BUILD_OK */
    char *diagnostics; /* for a person: the compiler's first errors, or what was refused by name, file and
                          line; with BUILD_OK its warnings about a student's sources, or ""; never NULL */
};

/* Build one variant for one ISA. `root` is the project's folder; `selection` is used for VARIANT_STUDENT
 * only. Defines are added to the compiler's command line ("-DPARTITIONS=16"), NULL-terminated, may be NULL.
 */
void build_variant(struct workdir *workdir, const char *root, const struct exercise *exercise,
                   enum variant variant, const struct selection *selection, enum isa isa,
                   const char *const *defines, struct build_result *result);
void build_result_free(struct build_result *result);

/* Where code comes to lie can change its speed. The same with so many programs linked of the same objects, in
 * which the variant's code lies elsewhere, as far as its own alignment allows. build_place gives the path of
 * each (malloc'ed, NULL: no memory); place 0 is result->program itself. */
enum { BUILD_PLACES = 4 };
void build_in_places(struct workdir *workdir, const char *root, const struct exercise *exercise,
                     enum variant variant, const struct selection *selection, enum isa isa,
                     const char *const *defines, unsigned places, struct build_result *result);
char *build_place(const char *program, unsigned place);

/* What a replay program (harness/runner/replay) does. */
struct build_replay {
    const struct plan *plan; /* its calls; it lies in the arena, with its regions filled */
    uint64_t elements;       /* of all calls together */
    unsigned seconds;        /* again and again for so long; 0: once */
};

/* The same objects with the replay program in place of the runner: result->program stands by itself. */
void build_replay(struct workdir *workdir, const char *root, const struct exercise *exercise,
                  enum variant variant, const struct selection *selection, enum isa isa,
                  const struct build_replay *replay, struct build_result *result);

#endif
