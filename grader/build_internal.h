/* What the parts of building share; nobody else's business. */
#ifndef CYCLELAB_BUILD_INTERNAL_H
#define CYCLELAB_BUILD_INTERNAL_H

#include "grader/build.h"
#include "grader/grade_hash.h"

enum { SOURCE_LIMIT = 1 << 20 }; /* bytes of a student's file */

/* A list of strings that grows, NULL-terminated. Once memory is out it stays as it is and says so. */
struct strings {
    char **item;
    size_t count;
    bool failed;
};
void strings_add(struct strings *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strings_sort(struct strings *list);
void strings_free(struct strings *list);

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
 *     out/       what the compiler writes */
struct stage {
    char *folder;
    const char *sources; /* "student" or "trusted": build_locate tells by it whose code it is */
    struct unit *units;
    size_t count;
};

/* Make the folders and copy everything into them. On failure *outcome and a text. */
bool stage_fill(struct stage *stage, const struct workdir *workdir, const char *root,
                const struct exercise *exercise, enum variant variant, enum isa isa, char *const *sources,
                unsigned count, enum build_outcome *outcome, struct error *err);
void stage_free(struct stage *stage);

/* Take what was built out of the hands of the unprivileged user: whoever runs as it later must not replace
 * it. */
bool stage_seal(const struct stage *stage, const char *program, struct error *err);

/* Where the runner's objects lie: <folder>/<isa>/runner.o. */
char *runner_object(enum isa isa);

/* "gcc", "aarch64-linux-gnu-gcc". */
void compiler_name(enum isa isa, char *name, size_t size);

/* Compile and link what has been staged. */
void stage_build(const struct stage *stage, const struct exercise *exercise, enum variant variant,
                 enum isa isa, const char *const *defines, struct build_result *result);

/* May these objects be linked? If not, `result` says why. */
bool objects_allowed(const struct stage *stage, const struct exercise *exercise, enum isa isa,
                     struct build_result *result);

/* What a compiler wrote, for a person: control characters gone, staged names turned into the student's, the
 * first lines from the first error on. malloc'ed. */
char *diagnostics_tidy(const struct stage *stage, const struct exercise *exercise, const char *output);

/* Adding to a key what something compiled follows from. False: it cannot be told, so nothing should be kept.
 * Of a folder, its regular files with their names; one that is not there has none. */
bool kept_add_folder(struct grade_hash *key, const char *folder);
bool kept_add_compiler(struct grade_hash *key, enum isa isa);

/* A new file, for all to read: where there is one already, false. */
bool kept_write(const char *path, const void *data, size_t size);

/* The glue's object, in its place in out/: true when it was kept, from the same files and command. It is to
 * be kept only from a stage without a student's code, whose compiler could write there too. */
bool glue_recall(const struct stage *stage, enum isa isa, const struct strings *command);
void glue_keep(const struct stage *stage, enum isa isa, const struct strings *command);

void build_says(struct build_result *result, enum build_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
