/* From sources to a runner: which files of the student count, compiling and linking them as an unprivileged
 * user in a private folder, and refusing objects that define what they should not. */
#ifndef CYCLELAB_BUILD_H
#define CYCLELAB_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/error.h"
#include "grader/exercise.h"

enum isa { ISA_X86_64, ISA_AARCH64, ISA_COUNT };
enum variant { VARIANT_BASELINE, VARIANT_STUDENT, VARIANT_REFERENCE, VARIANT_COUNT };

const char *isa_name(enum isa isa); /* "x86_64", "aarch64": also the names of the folders */
const char *variant_name(enum variant variant);
enum isa isa_native(void);

/* A private work folder (mode 0700, below $TMPDIR or /tmp), locked
 * while in use. Folders that a killed run left behind are removed first; one whose owner dies is removed at
 * once. NULL with err. */
struct workdir;
struct workdir *workdir_create(struct error *err);
const char *workdir_path(const struct workdir *workdir);
void workdir_destroy(struct workdir *workdir);

/* Where <isa>/runner.o lie, if not in runner/ beside this program. The string has to stay. For tests; NULL
 * undoes it. */
void build_set_runner_folder(const char *folder);

/* Where objects are kept from which the next build saves time; it has to stay. NULL, as at first: nowhere. */
void build_keep_in(const char *folder);

/* The student's files for one ISA. */
enum choice { CHOICE_OK, CHOICE_UNTOUCHED, CHOICE_BOTH_EDITED, CHOICE_MISSING };
struct selection {
    enum choice choice;
    char **paths; /* (none with CHOICE_BOTH_EDITED and CHOICE_MISSING) one a source stem, in the exercise's
                     order; chosen by: an edited ISA file, an edited C file, the untouched C file, the
                     untouched ISA file */
    unsigned count;
    bool isa_specific; /* at least one chosen file is for this ISA only */
    char note[512];    /* for a person: which files count, which were found edited twice or are missing */
};

/* Choose below `folder` (the exercise's own, or SRC). A file is edited when it differs from original/ of the
 * same name. CHOICE_UNTOUCHED: all chosen files are the originals. */
void build_select(const struct exercise *exercise, const char *folder, enum isa isa,
                  struct selection *selection);
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
    char *
        diagnostics; /* for a person: the compiler's first errors, or what was refused by name, file and line;
                        "" with BUILD_OK, never NULL */
};

/* Build one variant for one ISA. `root` is the project's folder; `selection` is used for VARIANT_STUDENT
 * only. Defines are added to the compiler's command line ("-DPARTITIONS=16"), NULL-terminated, may be NULL.
 */
void build_variant(struct workdir *workdir, const char *root, const struct exercise *exercise,
                   enum variant variant, const struct selection *selection, enum isa isa,
                   const char *const *defines, struct build_result *result);
void build_result_free(struct build_result *result);

/* Where an address of a built program lies: function, and source file and line where known. */
struct location {
    char function[128]; /* "" when unknown */
    uint64_t offset;    /* from the function's start */
    char file[256];     /* base name; "" when unknown */
    unsigned line;
    bool student; /* in a function that the exercise's student defines, or its statics */
};
bool build_locate(const char *program, uint64_t address, struct location *location);

/* The same for many addresses of one program. NULL: there is nothing to learn from the file. */
struct locator;
struct locator *locator_open(const char *program);
bool locator_find(const struct locator *locator, uint64_t address, struct location *location);
void locator_close(struct locator *locator);

#endif
