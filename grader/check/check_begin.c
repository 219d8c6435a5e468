/* Where a student has to begin: with the stub, or with the files for the ISA that is graded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/check/check_internal.h"
#include "grader/exercise/stubs.h"

/* Files for another ISA are edited: these here, a bit each in *sources, are not what the student means. */
static const char *answered_for(const struct checking *checking, unsigned *sources)
{
    const struct selection *here = &checking->selection[checking->isa];
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if (isa != checking->isa && selection_left_out(&checking->selection[isa], here)) {
            *sources = checking->selection[isa].edited & ~here->edited;
            return isa_name(isa);
        }
    return NULL;
}

/* Is there a stub in C, or in assembly alone? */
static bool is_in_c(const struct exercise *exercise, const char *stem)
{
    char *folder = stub_folder(exercise), *path = NULL;
    const bool is = folder && asprintf(&path, "%s/%s.c", folder, stem) >= 0 && access(path, F_OK) == 0;
    free(folder);
    free(path);
    return is;
}

/* "dot.c and probe.c", "aarch64/kernels.S and measure.c": those whose bit is in `which`. */
static void list_sources(const struct exercise *exercise, enum isa isa, unsigned which, char *buffer,
                         size_t size)
{
    size_t length = 0;
    for (unsigned i = 0; i < exercise->sources_count && length < size; i++) {
        if (!(which >> i & 1))
            continue;
        const unsigned left = which >> i >> 1;
        const char *after = left == 0 ? "" : (left & (left - 1)) == 0 ? " and " : ", ";
        const bool in_c = is_in_c(exercise, exercise->sources[i]);
        length += (size_t)snprintf(buffer + length, size - length, "%s%s%s.%s%s", in_c ? "" : isa_name(isa),
                                   in_c ? "" : "/", exercise->sources[i], in_c ? "c" : "S", after);
    }
}

void check_where_to_begin(struct checking *checking)
{
    const struct exercise *exercise = checking->exercise;
    const struct selection *here = &checking->selection[checking->isa];
    struct result *result = checking->result;
    unsigned which = (1U << exercise->sources_count) - 1;
    const char *other = answered_for(checking, &which), *isa = isa_name(checking->isa);
    char sources[256] = "";
    list_sources(exercise, checking->isa, which, sources, sizeof sources);
    if (other && here->edited != 0)
        result_set(&result->next, "%s And edit %s: ON=%s grades %s, and you edited the files for %s",
                   result->next, sources, checking->bench->name, isa, other);
    else if (other)
        result_set(&result->next, "Edit %s%s%s: ON=%s grades %s, and you edited the files for %s", sources,
                   strchr(sources, '/') ? "" : ", or what is in ", strchr(sources, '/') ? "" : isa,
                   checking->bench->name, isa, other);
    else if (here->choice == CHOICE_UNTOUCHED && result->verdict == VERDICT_FAIL)
        result_set(&result->next,
                   "Read exercises/%s/README.md and edit %s in %s: you have not edited the stub yet. "
                   "`make hint EX=%u` gives a first hint",
                   exercise->id, sources, checking->context->source, exercise->number);
}
