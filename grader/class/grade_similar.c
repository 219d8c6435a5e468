/* Submissions that are the same or nearly so: a hint for the instructor, no verdict. What stub and reference
 * have is taken out of all; who has next to nothing besides, and more than the stub, has the reference. */
#include "grader/class/grade_internal.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "grader/exercise/stubs.h"
#include "grader/reports/jsonparts.h"
#include "grader/reports/page.h"
#include "grader/similar/sketch.h"

enum { MOST_PAIRS = 100 }; /* that are told, those with most in common */

/* One submission of an exercise, whoever handed it in: the same files, or what differs in names, layout and
 * order alone. */
struct unit {
    size_t *students; /* the first is who is compared */
    size_t students_count;
    struct sketch sketch;
    size_t beyond_stub; /* of who has next to nothing of its own: tokens that the stub has not */
    bool differs;       /* not all have the same files */
};

/* What everybody has of an exercise. */
struct known {
    struct sketch_known stub, all; /* the stub; that and the reference */
};

/* Two units, or one that several handed in: then right is left; or one that is the reference: then NULL. */
struct pair {
    size_t exercise;
    struct unit *left, *right;
    struct sketch_common common;
};

struct grade_similar {
    struct unit **units; /* one list an exercise */
    size_t *units_count, *compared;
    size_t exercises_count;
    struct pair *pairs;
    size_t pairs_count;
};

static const struct grade_entry *entry_of(const struct grading *g, size_t student, size_t exercise)
{
    return &g->class->students[student].entries[exercise];
}

/* ---- what everybody has ---- */

static void know_file(struct sketch_known *known, const char *folder, const char *name)
{
    struct error ignored;
    size_t size = 0;
    char *path = textfile_join(folder, name);
    char *text = path ? textfile_read(path, STUB_LIMIT, &size, &ignored) : NULL;
    if (text)
        sketch_know(known, name, text, size);
    free(text);
    free(path);
}

static void know(const struct exercise *exercise, struct known *known)
{
    static const char *const forms[][2] = {{"", ".c"}, {"x86_64/", ".S"}, {"aarch64/", ".S"}};
    char *stub = stub_folder(exercise), name[300];
    for (unsigned s = 0; stub && s < exercise->sources_count; s++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            snprintf(name, sizeof name, "%s%.200s%s", forms[f][0], exercise->sources[s], forms[f][1]);
            know_file(&known->stub, stub, name);
            know_file(&known->all, stub, name);
            know_file(&known->all, exercise->solution, name);
        }
    known->all.failed = known->all.failed || known->stub.failed || !stub;
    free(stub);
}

/* ---- units ---- */

/* Of a group that handed one submission in, each has it: that says nothing. */
static bool is_one_hand_in(const struct grading *g, size_t a, size_t b)
{
    const char *of_a = g->class->students[a].handed_in, *of_b = g->class->students[b].handed_in;
    return of_a && of_b && strcmp(of_a, of_b) == 0;
}

static bool same_files(const struct grade_entry *a, const struct grade_entry *b)
{
    if (a->files_count != b->files_count)
        return false;
    for (size_t i = 0; i < a->files_count; i++)
        if (strcmp(a->files[i].name, b->files[i].name) != 0 ||
            strcmp(a->files[i].hash, b->files[i].hash) != 0)
            return false;
    return true;
}

static void read_sketch(const struct grade_entry *entry, struct sketch_known *known, struct sketch *sketch)
{
    for (size_t i = 0; i < entry->files_count; i++) {
        const struct grade_file *file = &entry->files[i];
        if (file->path)
            sketch_add(sketch, known, file->name, file->data, file->size);
        else
            sketch->files++; /* marks name files by their place in the entry */
    }
}

/* The unit that has a student's answer; a new one where none has. NULL: out of memory. */
static struct unit *find_unit(const struct grading *g, struct grade_similar *similar, size_t e,
                              size_t student, struct known *known)
{
    const struct grade_entry *entry = entry_of(g, student, e);
    struct unit *units = similar->units[e], *found = NULL;
    struct sketch sketch = {0}, beside_stub = {0};
    const size_t count = similar->units_count[e];
    for (size_t u = 0; !found && u < count; u++)
        found = same_files(entry_of(g, units[u].students[0], e), entry) ? &units[u] : NULL;
    if (found)
        return found;
    read_sketch(entry, &known->all, &sketch);
    if (sketch.own < SKETCH_SAME)
        read_sketch(entry, &known->stub, &beside_stub);
    for (size_t u = 0; !found && u < count; u++)
        found = sketch_is_same(&units[u].sketch, &sketch) ? &units[u] : NULL;
    const bool good = !sketch.failed && !beside_stub.failed;
    if (found) {
        found->differs = true;
        sketch_free(&sketch);
    } else {
        found = &units[similar->units_count[e]++];
        found->sketch = sketch;
        found->beyond_stub = beside_stub.own;
    }
    sketch_free(&beside_stub);
    return good ? found : NULL;
}

static bool add_student(struct unit *unit, size_t student)
{
    size_t *more = realloc(unit->students, (unit->students_count + 1) * sizeof *more);
    if (!more)
        return false;
    unit->students = more;
    unit->students[unit->students_count++] = student;
    return true;
}

static bool find_units(const struct grading *g, struct grade_similar *similar, size_t e)
{
    struct known known = {0};
    struct unit *units = calloc(g->class->students_count + 1, sizeof *units);
    similar->units[e] = units;
    know(g->exercises[e].exercise, &known);
    bool good = units && !known.all.failed;
    for (size_t s = 0; good && s < g->class->students_count; s++) {
        const struct grade_entry *entry = entry_of(g, s, e);
        bool again = false;
        if (entry->found != FOUND_FILES || entry->files_count == 0)
            continue;
        struct unit *unit = find_unit(g, similar, e, s, &known);
        for (size_t i = 0; unit && i < unit->students_count; i++)
            again = again || is_one_hand_in(g, unit->students[i], s);
        good = unit && (again || add_student(unit, s));
    }
    sketch_known_free(&known.stub);
    sketch_known_free(&known.all);
    return good;
}

/* ---- pairs ---- */

static bool is_of_one(const struct pair *pair)
{
    return !pair->right || pair->left == pair->right;
}

/* The tokens by which it is told. */
static size_t telling(const struct pair *pair)
{
    return pair->right ? pair->left->sketch.own : pair->left->beyond_stub;
}

static bool add_pair(struct grade_similar *similar, const struct pair *pair)
{
    struct pair *more = realloc(similar->pairs, (similar->pairs_count + 1) * sizeof *more);
    if (!more)
        return false;
    similar->pairs = more;
    similar->pairs[similar->pairs_count++] = *pair;
    return true;
}

static bool find_pairs(struct grade_similar *similar, size_t e)
{
    bool good = true;
    for (size_t l = 0; good && l < similar->units_count[e]; l++) {
        struct unit *left = &similar->units[e][l];
        struct pair pair = {.exercise = e, .left = left, .right = left, .common.share = {1, 1}};
        similar->compared[e] += left->sketch.own >= SKETCH_LEAST;
        if (left->students_count > 1 && left->sketch.own >= SKETCH_SAME)
            good = add_pair(similar, &pair);
        pair.right = NULL;
        if (left->beyond_stub >= SKETCH_SAME)
            good = add_pair(similar, &pair);
        if (left->sketch.own < SKETCH_LEAST)
            continue;
        for (size_t r = l + 1; good && r < similar->units_count[e]; r++) {
            pair.right = &similar->units[e][r];
            if (pair.right->sketch.own < SKETCH_LEAST)
                continue;
            good = sketch_compare(&left->sketch, &pair.right->sketch, &pair.common) &&
                   (!sketch_is_near(&left->sketch, &pair.right->sketch, &pair.common) ||
                    add_pair(similar, &pair));
        }
    }
    return good;
}

/* What is the same and long counts 2, what is the same and short -1 and less, the more have it. */
static double most_of(const struct pair *pair)
{
    const double *share = pair->common.share;
    if (!is_of_one(pair))
        return share[0] > share[1] ? share[0] : share[1];
    return telling(pair) >= SKETCH_LEAST ? 2 : -(double)pair->left->students_count;
}

/* Most telling first; then in the order of exercises and students. */
static int compare_pairs(const void *a, const void *b)
{
    const struct pair *left = a, *right = b;
    const double of_left = most_of(left), of_right = most_of(right);
    if (of_left < of_right || of_left > of_right)
        return of_left < of_right ? 1 : -1;
    if (left->exercise != right->exercise)
        return left->exercise < right->exercise ? -1 : 1;
    if (left->left != right->left)
        return left->left < right->left ? -1 : 1;
    return (left->right > right->right) - (left->right < right->right);
}

struct grade_similar *grade_find_similar(const struct grading *g)
{
    struct grade_similar *similar = calloc(1, sizeof *similar);
    if (!similar)
        return NULL;
    similar->exercises_count = g->exercises_count;
    similar->units = calloc(g->exercises_count + 1, sizeof(struct unit *));
    similar->units_count = calloc(g->exercises_count + 1, sizeof *similar->units_count);
    similar->compared = calloc(g->exercises_count + 1, sizeof *similar->compared);
    bool good = similar->units && similar->units_count && similar->compared;
    for (size_t e = 0; good && e < g->exercises_count; e++)
        good = find_units(g, similar, e) && find_pairs(similar, e);
    if (good && similar->pairs_count > 0)
        qsort(similar->pairs, similar->pairs_count, sizeof *similar->pairs, compare_pairs);
    if (good)
        return similar;
    grade_similar_free(similar);
    return NULL;
}

void grade_similar_free(struct grade_similar *similar)
{
    if (!similar)
        return;
    for (size_t e = 0; similar->units && e < similar->exercises_count; e++) {
        for (size_t u = 0; similar->units[e] && u < similar->units_count[e]; u++) {
            free(similar->units[e][u].students);
            sketch_free(&similar->units[e][u].sketch);
        }
        free(similar->units[e]);
    }
    free(similar->units);
    free(similar->units_count);
    free(similar->compared);
    free(similar->pairs);
    free(similar);
}

/* ---- the page ---- */

static void print_students(const struct grading *g, const struct unit *unit, FILE *out)
{
    for (size_t i = 0; i < unit->students_count; i++) {
        const struct grade_student *student = &g->class->students[unit->students[i]];
        fprintf(out, "%s<a href=\"students/%s/report.html\">", i > 0 ? ", " : "", student->safe);
        page_text(out, student->name);
        fputs("</a>", out);
    }
}

static const char *file_of(const struct grading *g, const struct pair *pair, size_t side, uint32_t file)
{
    const struct unit *unit = side > 0 && pair->right ? pair->right : pair->left;
    return entry_of(g, unit->students[0], pair->exercise)->files[file].name;
}

/* On one line, which `forget` takes away whole. */
static void print_pair(const struct grading *g, const struct pair *pair, FILE *out)
{
    fprintf(out, "<tr><th scope=\"row\">%u</th><td class=\"w\">",
            g->exercises[pair->exercise].exercise->number);
    print_students(g, pair->left, out);
    if (is_of_one(pair)) {
        if (!pair->right)
            fputs("</td><td>the reference, but for names, layout and order at most", out);
        else
            fprintf(out, "</td><td>the same%s: %zu students",
                    pair->left->differs ? " but for names, layout and order" : " files",
                    pair->left->students_count);
        fprintf(out, "</td><td class=\"w\">%zu tokens %s%s</td></tr>\n", telling(pair),
                pair->right ? "of its own" : "that the stub has not",
                telling(pair) < SKETCH_LEAST ? ": short" : "");
        return;
    }
    fputs(" &ndash; ", out);
    print_students(g, pair->right, out);
    fprintf(out, "</td><td>%.0f %% of the one, %.0f %% of the other</td><td class=\"w\">",
            100 * pair->common.share[0], 100 * pair->common.share[1]);
    for (size_t i = 0; i < pair->common.passages_count; i++) {
        fputs(i > 0 ? "; " : "", out);
        for (size_t side = 0; side < 2; side++) {
            const struct sketch_mark *in = &pair->common.passages[i].in[side];
            fputs(side > 0 ? " = " : "", out);
            page_text(out, file_of(g, pair, side, in->file));
            fprintf(out, " %u&ndash;%u", in->first, in->last);
        }
    }
    fputs("</td></tr>\n", out);
}

/* Of which exercises nothing is told, and why. */
static void print_short(const struct grading *g, const struct grade_similar *similar, FILE *out)
{
    const char *before = "Too short to compare: ";
    for (size_t e = 0; e < g->exercises_count; e++) {
        const size_t left_out = similar->units_count[e] - similar->compared[e];
        if (left_out == 0)
            continue;
        fprintf(out, "%sexercise %u, %zu of %zu different submissions", before,
                g->exercises[e].exercise->number, left_out, similar->units_count[e]);
        before = "; ";
    }
    if (*before == ';')
        fprintf(
            out,
            ". They have less than %d tokens of their own: of these it is told only where they are the same, "
            "and below %d tokens not even that. Short answers may be the same by chance; the more have one, "
            "the less it says.",
            SKETCH_LEAST, SKETCH_SAME);
}

void grade_print_similar(const struct grading *g, FILE *out)
{
    const struct grade_similar *similar = g->similar;
    fputs("<h2>Similar submissions</h2>\n", out);
    if (similar->pairs_count == 0)
        fputs("<p>None.</p>\n", out);
    else
        page_table_begin(out, "Submissions that have much in common",
                         (const struct page_column[]){{"Exercise", false},
                                                      {"students", false},
                                                      {"in common", false},
                                                      {"where, by lines", false},
                                                      {NULL, false}});
    for (size_t i = 0; i < similar->pairs_count && i < MOST_PAIRS; i++)
        print_pair(g, &similar->pairs[i], out);
    if (similar->pairs_count > 0)
        page_table_end(out);
    fprintf(out,
            "<p class=\"dim\">A hint to look, no verdict: two that share %d %% or more of what is neither in "
            "the stub nor in the reference, whatever their names, layout, comments and order of "
            "functions; and who has nothing besides these two, but more than the stub.</p>\n",
            SKETCH_SHARE);
    grade_begin_counts(out);
    if (similar->pairs_count > MOST_PAIRS)
        fprintf(out, "<p>And %zu more pairs, with less in common.</p>\n", similar->pairs_count - MOST_PAIRS);
    fputs("<p class=\"dim\">", out);
    print_short(g, similar, out);
    fputs("</p>\n", out);
    grade_end_counts(out);
}

/* ---- class.json ---- */

static cJSON *make_folders(const struct grading *g, const struct unit *unit)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; list && i < unit->students_count; i++)
        json_append(list, cJSON_CreateString(g->class->students[unit->students[i]].safe));
    return list;
}

static cJSON *make_passages(const struct grading *g, const struct pair *pair)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; list && i < pair->common.passages_count; i++) {
        cJSON *both = cJSON_CreateArray();
        for (size_t side = 0; both && side < 2; side++) {
            const struct sketch_mark *in = &pair->common.passages[i].in[side];
            cJSON *one = cJSON_CreateObject();
            if (json_append(both, one) && json_add_string(one, "file", file_of(g, pair, side, in->file)) &&
                json_add_number(one, "first", in->first))
                json_add_number(one, "last", in->last);
        }
        json_append(list, both);
    }
    return list;
}

cJSON *grade_make_similar(const struct grading *g)
{
    cJSON *list = cJSON_CreateArray();
    bool good = list != NULL;
    for (size_t i = 0; good && i < g->similar->pairs_count && i < MOST_PAIRS; i++) {
        const struct pair *pair = &g->similar->pairs[i];
        const struct unit *left = pair->left;
        const bool same = is_of_one(pair);
        cJSON *one = cJSON_CreateObject();
        good = json_append(list, one) &&
               json_add_string(one, "exercise", g->exercises[pair->exercise].exercise->id) &&
               json_add(one, "reference", cJSON_CreateBool(!pair->right)) &&
               json_add(one, "same", cJSON_CreateBool(same)) &&
               json_add(one, "same_files", cJSON_CreateBool(same && !left->differs)) &&
               json_add_number(one, "own_tokens", (double)telling(pair)) &&
               json_add(one, "folders", make_folders(g, left)) &&
               (same || json_add(one, "like", make_folders(g, pair->right))) &&
               json_add(one, "shares", cJSON_CreateDoubleArray(pair->common.share, 2)) &&
               json_add(one, "passages", make_passages(g, pair));
    }
    if (good)
        return list;
    cJSON_Delete(list);
    return NULL;
}
