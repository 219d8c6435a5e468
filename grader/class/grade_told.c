/* Similar submissions as they are told and kept: those of exercises graded before stay told, though their
 * files are gone. In OUT/.work/graded/ID.json:
 *
 *   "similar": {"submissions": 20, "long_enough": 18, "too_long": 0, "more": 0, "pairs": [as in class.json]}
 */
#include "grader/class/grade_internal.h"

#include <stdlib.h>
#include <string.h>

#include "grader/reports/jsonparts.h"
#include "grader/reports/page.h"
#include "grader/similar/sketch.h"

struct grade_similar {
    struct grade_compared *of; /* one an exercise */
    cJSON **pairs;             /* of all, the most telling first: in `of` */
    size_t exercises_count, pairs_count, more;
};

static const cJSON *at(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double number_at(const cJSON *object, const char *key)
{
    const cJSON *number = at(object, key);
    return cJSON_IsNumber(number) ? number->valuedouble : 0;
}

static double share_at(const cJSON *pair, int side)
{
    const cJSON *share = cJSON_GetArrayItem(at(pair, "shares"), side);
    return cJSON_IsNumber(share) ? share->valuedouble : 0;
}

static size_t student_of(const struct grading *g, const cJSON *folder)
{
    size_t s = 0;
    while (s < g->class->students_count &&
           !(cJSON_IsString(folder) && strcmp(g->class->students[s].safe, folder->valuestring) == 0))
        s++;
    return s;
}

static size_t exercise_of(const struct grading *g, const cJSON *pair)
{
    const char *id = cJSON_GetStringValue(at(pair, "exercise"));
    size_t e = 0;
    while (e + 1 < g->exercises_count && !(id && strcmp(g->exercises[e].exercise->id, id) == 0))
        e++;
    return e;
}

/* ---- what was told before ---- */

/* Those who are not in the class any more go. */
static void forget_others(const struct grading *g, cJSON *folders)
{
    for (int i = cJSON_GetArraySize(folders) - 1; i >= 0; i--)
        if (student_of(g, cJSON_GetArrayItem(folders, i)) == g->class->students_count)
            cJSON_DeleteItemFromArray(folders, i);
}

/* Is the pair as it was, and could it not be found now? Of an exercise that is graded now: where somebody has
 * the grade of before, and no files here. */
static bool stays(const struct grading *g, size_t e, const cJSON *pair)
{
    bool absent = g->exercises[e].before, as_graded = true;
    static const char *const lists[] = {"folders", "like"};
    for (size_t l = 0; l < 2; l++) {
        const cJSON *list = at(pair, lists[l]);
        for (const cJSON *one = list ? list->child : NULL; one; one = one->next) {
            const size_t s = student_of(g, one);
            absent = absent || g->class->students[s].entries[e].files_count == 0;
            as_graded = as_graded && (grade_is_recalled(g, s, e) || grade_is_as_recorded(g, s, e));
        }
    }
    return absent && as_graded;
}

static bool has_all(const cJSON *list, const cJSON *of)
{
    for (const cJSON *one = of ? of->child : NULL; one; one = one->next) {
        const cJSON *other = list ? list->child : NULL;
        while (other && !cJSON_Compare(one, other, true))
            other = other->next;
        if (!other)
            return false;
    }
    return true;
}

/* What was found now of some of those whom the pair names says no more than it does. */
static void drop_parts(cJSON *found, const cJSON *pair)
{
    for (int i = cJSON_GetArraySize(found) - 1; i >= 0; i--) {
        const cJSON *one = cJSON_GetArrayItem(found, i);
        if (cJSON_IsTrue(at(one, "same")) == cJSON_IsTrue(at(pair, "same")) &&
            cJSON_IsTrue(at(one, "reference")) == cJSON_IsTrue(at(pair, "reference")) &&
            has_all(at(pair, "folders"), at(one, "folders")) && has_all(at(pair, "like"), at(one, "like")))
            cJSON_DeleteItemFromArray(found, i);
    }
}

static bool recall(const struct grading *g, size_t e, struct grade_compared *compared)
{
    const cJSON *kept = at(g->exercises[e].record, "similar"), *list = at(kept, "pairs");
    bool good = true;
    if (g->exercises[e].before) {
        compared->submissions = number_at(kept, "submissions");
        compared->long_enough = number_at(kept, "long_enough");
        compared->too_long = number_at(kept, "too_long");
        compared->more = number_at(kept, "more");
    }
    for (const cJSON *one = list ? list->child : NULL; good && one; one = one->next) {
        cJSON *pair = cJSON_Duplicate(one, true);
        cJSON *folders = cJSON_GetObjectItem(pair, "folders"), *like = cJSON_GetObjectItem(pair, "like");
        const bool reference = cJSON_IsTrue(at(pair, "reference")), same = cJSON_IsTrue(at(pair, "same"));
        forget_others(g, folders);
        forget_others(g, like);
        const int least = same && !reference ? 2 : 1;
        const bool told = cJSON_GetArraySize(folders) >= least && (same || cJSON_GetArraySize(like) > 0);
        good = pair != NULL;
        if (good && told && stays(g, e, pair)) {
            drop_parts(compared->pairs, pair);
            good = json_append(compared->pairs, pair);
        } else {
            cJSON_Delete(pair);
        }
    }
    return good;
}

/* ---- the order ---- */

/* What is the same and long counts 2, what is the same and short -1 and less, the more have it. */
static double most_of(const cJSON *pair)
{
    const double left = share_at(pair, 0), right = share_at(pair, 1);
    if (!cJSON_IsTrue(at(pair, "same")))
        return left > right ? left : right;
    return number_at(pair, "own_tokens") >= SKETCH_LEAST ? 2
                                                         : -(double)cJSON_GetArraySize(at(pair, "folders"));
}

struct place {
    double most;
    size_t exercise, left, right, before;
    cJSON *pair;
};

/* Most telling first; then in the order of exercises and students. */
static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    if (left->most < right->most || left->most > right->most)
        return left->most < right->most ? 1 : -1;
    const size_t keys[][2] = {{left->exercise, right->exercise},
                              {left->left, right->left},
                              {left->right, right->right},
                              {left->before, right->before}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static bool sort(const struct grading *g, struct grade_similar *similar)
{
    size_t count = 0, next = 0;
    for (size_t e = 0; e < similar->exercises_count; e++)
        count += (size_t)cJSON_GetArraySize(similar->of[e].pairs);
    struct place *places = calloc(count + 1, sizeof *places);
    similar->pairs = calloc(count + 1, sizeof(cJSON *));
    if (places && similar->pairs) {
        for (size_t e = 0; e < similar->exercises_count; e++)
            for (cJSON *one = similar->of[e].pairs->child; one; one = one->next, next++)
                places[next] = (struct place){
                    .most = most_of(one),
                    .exercise = e,
                    .left = student_of(g, cJSON_GetArrayItem(at(one, "folders"), 0)),
                    .right = at(one, "like") ? student_of(g, cJSON_GetArrayItem(at(one, "like"), 0)) : 0,
                    .before = next,
                    .pair = one};
        qsort(places, count, sizeof *places, compare_places);
        for (size_t i = 0; i < count; i++)
            similar->pairs[i] = places[i].pair;
        similar->pairs_count = count;
    }
    free(places);
    return similar->pairs;
}

struct grade_similar *grade_find_similar(const struct grading *g)
{
    struct grade_similar *similar = calloc(1, sizeof *similar);
    if (!similar)
        return NULL;
    similar->of = calloc(g->exercises_count + 1, sizeof *similar->of);
    bool good = similar->of != NULL;
    for (; good && similar->exercises_count < g->exercises_count; similar->exercises_count++) {
        const size_t e = similar->exercises_count;
        good = grade_compare(g, e, &similar->of[e]) && recall(g, e, &similar->of[e]);
        similar->more += (size_t)similar->of[e].more;
        if (!good)
            cJSON_Delete(similar->of[e].pairs);
    }
    if (good && sort(g, similar))
        return similar;
    grade_similar_free(similar);
    return NULL;
}

void grade_similar_free(struct grade_similar *similar)
{
    if (!similar)
        return;
    for (size_t e = 0; similar->of && e < similar->exercises_count; e++)
        cJSON_Delete(similar->of[e].pairs);
    free(similar->of);
    free(similar->pairs);
    free(similar);
}

/* ---- the page ---- */

static void print_students(const struct grading *g, const cJSON *folders, FILE *out)
{
    for (const cJSON *one = folders ? folders->child : NULL; one; one = one->next) {
        const struct grade_student *student = &g->class->students[student_of(g, one)];
        fprintf(out, "%s<a href=\"students/%s/report.html\">", one != folders->child ? ", " : "",
                student->safe);
        page_text(out, student->name);
        fputs("</a>", out);
    }
}

static void print_passages(const cJSON *pair, FILE *out)
{
    const cJSON *list = at(pair, "passages");
    for (const cJSON *both = list ? list->child : NULL; both; both = both->next) {
        fputs(both != list->child ? "; " : "", out);
        for (const cJSON *in = both->child; in; in = in->next) {
            const char *file = cJSON_GetStringValue(at(in, "file"));
            fputs(in != both->child ? " = " : "", out);
            page_text(out, file ? file : "?");
            fprintf(out, " %.0f&ndash;%.0f", number_at(in, "first"), number_at(in, "last"));
        }
    }
}

/* On one line, which `forget` takes away whole. */
static void print_pair(const struct grading *g, const cJSON *pair, FILE *out)
{
    const bool reference = cJSON_IsTrue(at(pair, "reference"));
    const double tokens = number_at(pair, "own_tokens");
    fprintf(out, "<tr><th scope=\"row\">%u</th><td class=\"w\">",
            g->exercises[exercise_of(g, pair)].exercise->number);
    print_students(g, at(pair, "folders"), out);
    if (cJSON_IsTrue(at(pair, "same"))) {
        if (reference)
            fputs("</td><td>the reference, but for names, layout and order at most", out);
        else
            fprintf(out, "</td><td>the same%s: %d students",
                    cJSON_IsTrue(at(pair, "same_files")) ? " files" : " but for names, layout and order",
                    cJSON_GetArraySize(at(pair, "folders")));
        fprintf(out, "</td><td class=\"w\">%.0f tokens %s%s</td></tr>\n", tokens,
                reference ? "that the stub has not" : "of its own", tokens < SKETCH_LEAST ? ": short" : "");
        return;
    }
    fputs(" &ndash; ", out);
    print_students(g, at(pair, "like"), out);
    fprintf(out, "</td><td>%.0f %% of the one, %.0f %% of the other</td><td class=\"w\">",
            100 * share_at(pair, 0), 100 * share_at(pair, 1));
    print_passages(pair, out);
    fputs("</td></tr>\n", out);
}

/* Of which exercises nothing is told, and why. */
static void print_short(const struct grading *g, const struct grade_similar *similar, FILE *out)
{
    const char *before = "Too short to compare: ";
    for (size_t e = 0; e < g->exercises_count; e++) {
        const double left_out =
            similar->of[e].submissions - similar->of[e].long_enough - similar->of[e].too_long;
        if (!(left_out > 0))
            continue;
        fprintf(out, "%sexercise %u, %.0f of %.0f different submissions", before,
                g->exercises[e].exercise->number, left_out, similar->of[e].submissions);
        before = "; ";
    }
    if (*before == ';')
        fprintf(
            out,
            ". They have less than %d tokens of their own: of these it is told only where they are the same, "
            "and below %d tokens not even that. Short answers may be the same by chance; the more have one, "
            "the less it says.",
            SKETCH_LEAST, SKETCH_SAME);
    for (size_t e = 0; e < g->exercises_count; e++)
        if (similar->of[e].too_long > 0)
            fprintf(out, " Too long to compare, with more than %d tokens: %.0f of exercise %u.", SKETCH_MOST,
                    similar->of[e].too_long, g->exercises[e].exercise->number);
}

void grade_print_similar(const struct grading *g, FILE *out)
{
    const struct grade_similar *similar = g->similar;
    const size_t told = similar->pairs_count < GRADE_PAIRS ? similar->pairs_count : GRADE_PAIRS;
    const size_t more = similar->pairs_count - told + similar->more;
    fputs("<h2>Similar submissions</h2>\n", out);
    if (told == 0)
        fputs("<p>None.</p>\n", out);
    else
        page_table_begin(out, "Submissions that have much in common",
                         (const struct page_column[]){{"Exercise", false},
                                                      {"students", false},
                                                      {"in common", false},
                                                      {"where, by lines", false},
                                                      {NULL, false}});
    for (size_t i = 0; i < told; i++)
        print_pair(g, similar->pairs[i], out);
    if (told > 0)
        page_table_end(out);
    fprintf(out,
            "<p class=\"dim\">A hint to look, no verdict: two that share %d %% or more of what is neither in "
            "the stub nor in the reference, whatever their names, layout, comments and order of "
            "functions; and who has nothing besides these two, but more than the stub.</p>\n",
            SKETCH_SHARE);
    grade_begin_counts(out);
    if (more > 0)
        fprintf(out, "<p>And %zu more pairs, with less in common.</p>\n", more);
    fputs("<p class=\"dim\">", out);
    print_short(g, similar, out);
    fputs("</p>\n", out);
    grade_end_counts(out);
}

/* ---- class.json, and what is kept ---- */

cJSON *grade_make_similar(const struct grading *g)
{
    cJSON *list = cJSON_CreateArray();
    bool good = list != NULL;
    for (size_t i = 0; good && i < g->similar->pairs_count && i < GRADE_PAIRS; i++)
        good = json_append(list, cJSON_Duplicate(g->similar->pairs[i], true));
    if (good)
        return list;
    cJSON_Delete(list);
    return NULL;
}

cJSON *grade_keep_similar(const struct grading *g, size_t e)
{
    const struct grade_similar *similar = g->similar;
    cJSON *kept = cJSON_CreateObject(), *pairs = cJSON_CreateArray();
    double count = 0;
    bool good = kept && pairs;
    for (size_t i = 0; good && i < similar->pairs_count; i++)
        if (exercise_of(g, similar->pairs[i]) == e && ++count <= GRADE_PAIRS)
            good = json_append(pairs, cJSON_Duplicate(similar->pairs[i], true));
    good =
        good && json_add_number(kept, "submissions", similar->of[e].submissions) &&
        json_add_number(kept, "long_enough", similar->of[e].long_enough) &&
        json_add_number(kept, "too_long", similar->of[e].too_long) &&
        json_add_number(kept, "more", similar->of[e].more + (count > GRADE_PAIRS ? count - GRADE_PAIRS : 0));
    if (json_add(kept, "pairs", pairs) && good)
        return kept;
    cJSON_Delete(kept);
    return NULL;
}
