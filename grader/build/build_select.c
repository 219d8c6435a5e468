/* Which of a student's files count. */
#include "grader/build/build_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/exercise/stubs.h"

/* The names that a stem can have, per ISA: its own assembly, its own C, C for all. */
enum form { FORM_ISA_ASM, FORM_ISA_C, FORM_C, FORM_COUNT };
enum state { ABSENT, UNTOUCHED, EDITED };

static char *form_name(const char *folder, const char *stem, enum isa isa, enum form form)
{
    char *name = NULL;
    int length;
    if (form == FORM_C)
        length = asprintf(&name, "%s/%s.c", folder, stem);
    else
        length =
            asprintf(&name, "%s/%s/%s.%s", folder, isa_name(isa), stem, form == FORM_ISA_ASM ? "S" : "c");
    return length < 0 ? NULL : name;
}

/* What cannot be read (a folder, a FIFO, a link to nothing) counts as edited: the build then says what it is.
 */
static enum state state_of(const struct exercise *exercise, const char *folder, const char *stem,
                           enum isa isa, enum form form)
{
    struct stat info;
    enum state state = ABSENT;
    char *path = form_name(folder, stem, isa, form);
    if (path && lstat(path, &info) == 0)
        state = stub_is_file(exercise, path) ? UNTOUCHED : EDITED;
    free(path);
    return state;
}

static void note_add(struct selection *selection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note_add(struct selection *selection, const char *format, ...)
{
    size_t length = strlen(selection->note);
    va_list args;
    va_start(args, format);
    vsnprintf(selection->note + length, sizeof selection->note - length, format, args);
    va_end(args);
}

static bool take(struct selection *selection, char *path, enum form form)
{
    if (!path)
        return false;
    selection->paths[selection->count++] = path;
    selection->isa_specific |= form != FORM_C;
    return true;
}

static void forget_paths(struct selection *selection)
{
    for (unsigned i = 0; i < selection->count; i++)
        free(selection->paths[i]);
    selection->count = 0;
}

static void say_missing(struct selection *selection, const struct exercise *exercise, const char *folder,
                        const char *stem, enum isa isa)
{
    selection->choice = CHOICE_MISSING;
    forget_paths(selection);
    selection->note[0] = '\0';
    struct stat info;
    if (stat(folder, &info) != 0) {
        note_add(selection, "%s: %s", folder, strerror(errno));
        return;
    }
    note_add(selection, "expected %s.c or %s/%s.S in %s, found neither", stem, isa_name(isa), stem, folder);
    for (enum isa other = 0; other < ISA_COUNT; other++) {
        for (enum form form = FORM_ISA_ASM; other != isa && form <= FORM_ISA_C; form++) {
            if (state_of(exercise, folder, stem, other, form) != ABSENT)
                note_add(selection, " (%s/%s.%s is not used on %s)", isa_name(other), stem,
                         form == FORM_ISA_ASM ? "S" : "c", isa_name(isa));
        }
    }
}

/* The student may have edited a file for the other ISA and wonder why nothing changes. */
static void note_other_isas(struct selection *selection, const struct exercise *exercise, const char *folder,
                            enum isa isa)
{
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        const bool answered = (selection->edited >> i & 1) != 0;
        for (enum isa other = 0; !answered && other < ISA_COUNT; other++) {
            for (enum form form = FORM_ISA_ASM; other != isa && form <= FORM_ISA_C; form++) {
                const char *stem = exercise->sources[i];
                if (state_of(exercise, folder, stem, other, form) == EDITED)
                    note_add(selection, "; you edited %s/%s.%s; that is not used on %s", isa_name(other),
                             stem, form == FORM_ISA_ASM ? "S" : "c", isa_name(isa));
            }
        }
    }
}

static void note_paths(struct selection *selection)
{
    selection->note[0] = '\0';
    for (unsigned i = 0; i < selection->count; i++)
        note_add(selection, "%s%s", i == 0 ? "" : ", ", selection->paths[i]);
}

static bool selection_start(const struct exercise *exercise, struct selection *selection)
{
    *selection = (struct selection){.choice = CHOICE_OK};
    selection->paths = calloc(exercise->sources_count + 1U, sizeof *selection->paths);
    if (selection->paths)
        return true;
    selection->choice = CHOICE_MISSING;
    note_add(selection, "out of memory");
    return false;
}

/* The one of a stem's files that counts, FORM_COUNT: none. `state` is given its state. */
static enum form choose(const struct exercise *exercise, const char *folder, const char *stem, enum isa isa,
                        enum state *state)
{
    static const enum form untouched[FORM_COUNT] = {FORM_C, FORM_ISA_ASM, FORM_ISA_C};
    enum state states[FORM_COUNT];
    for (enum form form = 0; form < FORM_COUNT; form++)
        states[form] = state_of(exercise, folder, stem, isa, form);
    *state = EDITED;
    for (enum form form = 0; form < FORM_COUNT; form++)
        if (states[form] == EDITED)
            return form;
    *state = UNTOUCHED;
    for (unsigned i = 0; i < FORM_COUNT; i++)
        if (states[untouched[i]] == UNTOUCHED)
            return untouched[i];
    return FORM_COUNT;
}

/* What was edited and does not count, since another file of the same stem does. */
static void note_hidden(struct selection *selection, const struct exercise *exercise, const char *folder,
                        enum isa isa)
{
    for (unsigned i = 0; i < selection->count; i++) {
        for (enum form form = 0; form < FORM_COUNT; form++) {
            char *path = form_name(folder, exercise->sources[i], isa, form);
            if (path && strcmp(path, selection->paths[i]) != 0 &&
                state_of(exercise, folder, exercise->sources[i], isa, form) == EDITED)
                note_add(selection, "; %s is edited, too, and does not count beside %s", path,
                         selection->paths[i]);
            free(path);
        }
    }
}

void build_select(const struct exercise *exercise, const char *folder, enum isa isa,
                  struct selection *selection)
{
    if (!selection_start(exercise, selection))
        return;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        const char *stem = exercise->sources[i];
        enum state state;
        enum form chosen = choose(exercise, folder, stem, isa, &state);
        if (chosen == FORM_COUNT || !take(selection, form_name(folder, stem, isa, chosen), chosen)) {
            say_missing(selection, exercise, folder, stem, isa);
            return;
        }
        selection->edited |= (state == EDITED ? 1U : 0U) << i;
    }
    note_paths(selection);
    note_hidden(selection, exercise, folder, isa);
    if (selection->edited == 0) {
        selection->choice = CHOICE_UNTOUCHED;
        note_add(selection, " %s as %s came", selection->count > 1 ? "are" : "is",
                 selection->count > 1 ? "they" : "it");
    }
    note_other_isas(selection, exercise, folder, isa);
}

bool selection_left_out(const struct selection *own, const struct selection *other)
{
    return other->choice != CHOICE_MISSING && (own->edited & ~other->edited) != 0;
}

void build_select_reference(const struct exercise *exercise, enum isa isa, struct selection *selection)
{
    if (!selection_start(exercise, selection))
        return;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        const char *stem = exercise->sources[i];
        char *path = NULL;
        enum form form = 0;
        for (; form < FORM_COUNT; form++) {
            path = form_name(exercise->solution, stem, isa, form);
            if (path && access(path, F_OK) == 0)
                break;
            free(path);
            path = NULL;
        }
        if (!take(selection, path, form)) {
            say_missing(selection, exercise, exercise->solution, stem, isa);
            return;
        }
    }
    note_paths(selection);
}

void selection_free(struct selection *selection)
{
    if (selection->paths)
        forget_paths(selection);
    free(selection->paths);
    *selection = (struct selection){0};
}
