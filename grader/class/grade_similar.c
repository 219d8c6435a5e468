/* Submissions that are the same or nearly so: a hint for the instructor, no verdict. What stub and reference
 * have is taken out of all; who has next to nothing besides, and more than the stub, has the reference. */
#include "grader/class/grade_internal.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "grader/exercise/stubs.h"
#include "grader/reports/jsonparts.h"
#include "grader/similar/sketch.h"

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

struct finding {
    struct unit *units; /* of an exercise */
    size_t units_count, compared;
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
static struct unit *find_unit(const struct grading *g, struct finding *finding, size_t e, size_t student,
                              struct known *known)
{
    const struct grade_entry *entry = entry_of(g, student, e);
    struct unit *units = finding->units, *found = NULL;
    struct sketch sketch = {0}, beside_stub = {0};
    const size_t count = finding->units_count;
    for (size_t u = 0; !found && u < count; u++)
        found = same_files(entry_of(g, units[u].students[0], e), entry) ? &units[u] : NULL;
    if (found)
        return found;
    read_sketch(entry, &known->all, &sketch);
    if (sketch.own < SKETCH_SAME && !sketch.too_long)
        read_sketch(entry, &known->stub, &beside_stub);
    for (size_t u = 0; !found && u < count; u++)
        found = sketch_is_same(&units[u].sketch, &sketch) ? &units[u] : NULL;
    const bool good = !sketch.failed && !beside_stub.failed;
    if (found) {
        found->differs = true;
        sketch_free(&sketch);
    } else {
        found = &units[finding->units_count++];
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

static bool find_units(const struct grading *g, struct finding *finding, size_t e)
{
    struct known known = {0};
    struct unit *units = calloc(g->class->students_count + 1, sizeof *units);
    finding->units = units;
    know(g->exercises[e].exercise, &known);
    bool good = units && !known.all.failed;
    for (size_t s = 0; good && s < g->class->students_count; s++) {
        const struct grade_entry *entry = entry_of(g, s, e);
        bool again = false;
        if (entry->found != FOUND_FILES || entry->files_count == 0)
            continue;
        struct unit *unit = find_unit(g, finding, e, s, &known);
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

static bool add_pair(struct finding *finding, const struct pair *pair)
{
    struct pair *more = realloc(finding->pairs, (finding->pairs_count + 1) * sizeof *more);
    if (!more)
        return false;
    finding->pairs = more;
    finding->pairs[finding->pairs_count++] = *pair;
    return true;
}

static bool find_pairs(struct finding *finding, size_t e)
{
    bool good = true;
    for (size_t l = 0; good && l < finding->units_count; l++) {
        struct unit *left = &finding->units[l];
        struct pair pair = {.exercise = e, .left = left, .right = left, .common.share = {1, 1}};
        finding->compared += left->sketch.own >= SKETCH_LEAST;
        if (left->students_count > 1 && left->sketch.own >= SKETCH_SAME)
            good = add_pair(finding, &pair);
        pair.right = NULL;
        if (left->beyond_stub >= SKETCH_SAME)
            good = add_pair(finding, &pair);
        if (left->sketch.own < SKETCH_LEAST)
            continue;
        for (size_t r = l + 1; good && r < finding->units_count; r++) {
            pair.right = &finding->units[r];
            if (pair.right->sketch.own < SKETCH_LEAST)
                continue;
            good = sketch_compare(&left->sketch, &pair.right->sketch, &pair.common) &&
                   (!sketch_is_near(&left->sketch, &pair.right->sketch, &pair.common) ||
                    add_pair(finding, &pair));
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

/* Most telling first; then in the order of students. */
static int compare_pairs(const void *a, const void *b)
{
    const struct pair *left = a, *right = b;
    const double of_left = most_of(left), of_right = most_of(right);
    if (of_left < of_right || of_left > of_right)
        return of_left < of_right ? 1 : -1;
    if (left->left != right->left)
        return left->left < right->left ? -1 : 1;
    return (left->right > right->right) - (left->right < right->right);
}

/* ---- as JSON, which outlives the files ---- */

static cJSON *make_folders(const struct grading *g, const struct unit *unit)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; list && i < unit->students_count; i++)
        json_append(list, cJSON_CreateString(g->class->students[unit->students[i]].safe));
    return list;
}

static const char *file_of(const struct grading *g, const struct pair *pair, size_t side, uint32_t file)
{
    const struct unit *unit = side > 0 && pair->right ? pair->right : pair->left;
    return entry_of(g, unit->students[0], pair->exercise)->files[file].name;
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

static bool add_told(const struct grading *g, const struct pair *pair, cJSON *list)
{
    const struct unit *left = pair->left;
    const bool same = is_of_one(pair);
    cJSON *one = cJSON_CreateObject();
    return json_append(list, one) &&
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

static void free_finding(struct finding *finding)
{
    for (size_t u = 0; finding->units && u < finding->units_count; u++) {
        free(finding->units[u].students);
        sketch_free(&finding->units[u].sketch);
    }
    free(finding->units);
    free(finding->pairs);
}

/* One exercise after the other, so that the sketches of one are there at a time. */
bool grade_compare(const struct grading *g, size_t e, struct grade_compared *compared)
{
    struct finding finding = {0};
    *compared = (struct grade_compared){.pairs = cJSON_CreateArray()};
    bool good = compared->pairs && find_units(g, &finding, e) && find_pairs(&finding, e);
    if (good && finding.pairs_count > 0)
        qsort(finding.pairs, finding.pairs_count, sizeof *finding.pairs, compare_pairs);
    for (size_t i = 0; good && i < finding.pairs_count && i < GRADE_PAIRS; i++)
        good = add_told(g, &finding.pairs[i], compared->pairs);
    compared->more = finding.pairs_count > GRADE_PAIRS ? (double)(finding.pairs_count - GRADE_PAIRS) : 0;
    compared->submissions = (double)finding.units_count;
    compared->long_enough = (double)finding.compared;
    for (size_t u = 0; good && u < finding.units_count; u++)
        compared->too_long += finding.units[u].sketch.too_long;
    free_finding(&finding);
    return good;
}
