/* Grading as a whole, with worker processes, on a small class. (Kills and hostile names: ci/tests/grade.sh.)
 */
#include "grader/tests/scratch.h"

#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <signal.h>
#include <sys/file.h>
#include "grader/class/grade_internal.h"
#include "grader/reports/digest.h"
#include "grader/reports/page.h"
#include "grader/base/spawn.h"
#include "grader/base/strings.h"
#include "grader/base/textfile.h"

#define HEAD                                                                                                 \
    "title: A & B\ndue: soon\nlate: {percent: [50], students: [{student: good, days: 1}]}\nexercises:\n"

static char build[PATH_MAX + 16];

/* Of all exercises that there are, the third and the fourth are graded. */
static void write_course(void)
{
    struct error err;
    struct strings lines = {0};
    char **ids = exercise_list(".", &err);
    cr_assert(ids, "%s", err.text);
    for (char **id = ids; *id; id++)
        if (strcmp(*id, "03-branch-elimination") != 0 && strcmp(*id, "04-accumulators") != 0)
            strings_add(&lines, "%s  - {exercise: %s, graded: false}\n", lines.count ? "" : HEAD, *id);
    textfile_names_free(ids);
    FILE *file = fopen(scratch_path("course.yml"), "w");
    cr_assert(file);
    for (size_t i = 0; i < lines.count; i++)
        fputs(lines.item[i], file);
    fclose(file);
    strings_free(&lines);
}

/* As in test_check.c: a build folder with the real one's runners and cases. */
static void before(void)
{
    char self[PATH_MAX] = "", name[2 * PATH_MAX];
    scratch_make();
    chmod(scratch_root, 0755);
    mkdir(scratch_path("build"), 0755);
    cr_assert(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(name, sizeof name, "%s/exercises", dirname(self));
    char *real = realpath(name, NULL);
    snprintf(build, sizeof build, "%s/build", scratch_root);
    cr_assert(real && symlink(real, scratch_path("build/exercises")) == 0, "`make all` builds the cases");
    free(real);
    write_course();
}

TestSuite(grade, .init = before, .fini = scratch_remove);

static const char good[] = "#include \"exercise.h\"\n"
                           "void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)\n{\n"
                           "    for (size_t i = 0; i < n; i++) {\n"
                           "        int32_t v = values[i];\n"
                           "        v = v < lo ? lo : v;\n"
                           "        values[i] = v > hi ? hi : v;\n    }\n}\n";

static struct grade_request request_of(void)
{
    static char in[PATH_MAX + 16], out[PATH_MAX + 16], course[PATH_MAX + 16];
    snprintf(in, sizeof in, "%s/in", scratch_root);
    snprintf(out, sizeof out, "%s/out", scratch_root);
    snprintf(course, sizeof course, "%s/course.yml", scratch_root);
    return (struct grade_request){
        .root = ".", .build = build, .submissions = in, .out = out, .course = course, .jobs = 2};
}

/* What is said; malloc'ed. */
static char *run(const struct grade_request *request, enum grade_status expected, struct error *err)
{
    char *said = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    err->text[0] = '\0';
    enum grade_status status = grade(request, out, err);
    fclose(out);
    cr_expect_eq(status, expected, "%d: %s %s", status, err->text, said);
    return said;
}

static void need_tools(void)
{
    if (isa_native() != ISA_AARCH64 && !spawn_finds("aarch64-linux-gnu-gcc"))
        scratch_skip("no AArch64 compiler (package gcc-aarch64-linux-gnu)");
}

static void write_class(void)
{
    scratch_write("in/good/clamp.c", good);
    scratch_write("in/same/3/clamp.c", good);
    scratch_write("in/<b>/clamp.c", "#error \"<i>&\"\n");
    scratch_write("in/=none/notes.md", "nothing");
    cr_assert_eq(symlink("good", scratch_path("in/link")), 0);
}

Test(grade, a_class)
{
    struct error err;
    struct grade_request request = request_of();
    need_tools();
    write_class();
    char *said = run(&request, GRADE_DONE, &err);
    expect_has(said, "Graded 5 students in 2 exercises: 2 different checks, 2 of them now");
    expect_has(said, "2 pass, 1 fail, 2 rejected, 5 not submitted");
    free(said);

    char *book = scratch_read("out/gradebook.csv");
    expect_has(book, "student,folder,03-branch-elimination score,");
    expect_has(book, "\"good\",\"good\",10,10,pass,0,10,missing,10,20,24,50,5,\"good\",\"\",\"\",\"\",\"\"");
    expect_has(book, "\"<b>\",\"'=3cb=3e\",0,10,fail");
    expect_has(book, "\"'=none\"");
    free(book);
    char *page = scratch_read("out/index.html");
    expect_has(page, "<h1>A &amp; B</h1>");
    expect_has(page, "&lt;b&gt;</a>");
    expect_lacks(page, "<b>");
    expect_has(page, "Content-Security-Policy");
    free(page);
    char *html = scratch_read("out/students/=3cb=3e/report.html"),
         *text = scratch_read("out/students/same/report.txt"),
         *json = scratch_read("out/students/good/report.json");
    expect_has(html, "&lt;i&gt;&amp;");
    expect_lacks(html, "<i>&");
    expect_has(text, "Student: same");
    expect_has(text, "PASS: correct");
    expect_has(json, "\"seed\":\t\"0\"");
    free(html);
    free(text);
    free(json);

    /* nothing changed; one more; one less; the report of one who is gone */
    said = run(&request, GRADE_DONE, &err);
    expect_has(said, "0 of them now");
    free(said);
    scratch_write("in/more/clamp.c", "int nothing;\n");
    remove(scratch_path("in/link"));
    scratch_write("out/index.html.tmp-12-3", "<half");
    scratch_write("out/students/good/report.json.tmp-12-3", "{");
    scratch_write("out/notes.tmp-x", "not ours");
    said = run(&request, GRADE_DONE, &err);
    expect_has(said, "3 different checks, 1 of them now");
    cr_expect_neq(access(scratch_path("out/students/link"), F_OK), 0);
    cr_expect_neq(access(scratch_path("out/index.html.tmp-12-3"), F_OK), 0);
    cr_expect_neq(access(scratch_path("out/students/good/report.json.tmp-12-3"), F_OK), 0);
    cr_expect_eq(access(scratch_path("out/notes.tmp-x"), F_OK), 0);
    free(said);
}

/* Links in `to` to all that is in a folder of the suite but `other`. */
static void link_all_but(const char *folder, const char *other, const char *to)
{
    char path[PATH_MAX + 300], link[300], *real = realpath(folder, NULL);
    DIR *all = opendir(folder);
    cr_assert(all && real && mkdir(scratch_path(to), 0755) == 0);
    for (const struct dirent *entry; (entry = readdir(all));) {
        if (*entry->d_name == '.' || strcmp(entry->d_name, other) == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", real, entry->d_name);
        snprintf(link, sizeof link, "%s/%s", to, entry->d_name);
        cr_assert_eq(symlink(path, scratch_path(link)), 0);
    }
    closedir(all);
    free(real);
}

/* It is in each glue, and in no file of the exercise's. */
Test(grade, the_header_of_all_glues_counts)
{
    struct error err;
    struct grade_request request = request_of();
    char root[PATH_MAX + 16], line[64], *more;
    size_t size;
    need_tools();
    snprintf(root, sizeof root, "%s/root", scratch_root);
    link_all_but(".", "harness", "root");
    link_all_but("harness", "runner", "root/harness");
    link_all_but("harness/runner", "glue.h", "root/harness/runner");
    char *glue = textfile_read("harness/runner/glue.h", 1 << 20, &size, &err);
    cr_assert(glue, "%s", err.text);
    scratch_write("root/harness/runner/glue.h", glue);
    scratch_write("in/good/clamp.c", good);
    request.root = root;
    for (unsigned i = 0; i < 4; i++) { /* as it is, twice; changed; as it was */
        if (i >= 2) {
            cr_assert(asprintf(&more, "%s/* %s */\n", glue, i == 2 ? "changed" : "") > 0);
            scratch_write("root/harness/runner/glue.h", i == 2 ? more : glue);
            free(more);
        }
        char *said = run(&request, GRADE_DONE, &err);
        snprintf(line, sizeof line, "1 different check, %d of them now", i == 0 || i == 2);
        expect_has(said, line);
        free(said);
    }
    remove(scratch_path("root/harness/runner/glue.h"));
    free(run(&request, GRADE_FAILED, &err));
    expect_has(err.text, "cannot read harness/runner/glue.h");
    free(glue);
}

Test(grade, slices_and_some)
{
    static const char *const some[] = {"good", NULL}, *const nobody[] = {"zoe", NULL};
    struct error err;
    struct grade_request request = request_of();
    need_tools();
    write_class();
    request.only = nobody;
    free(run(&request, GRADE_USAGE, &err));
    expect_has(err.text, "no submission `zoe`");
    request.only = some;
    char *said = run(&request, GRADE_INCOMPLETE, &err);
    expect_has(said, "1 not graded yet");
    free(said);
    request.only = NULL;
    request.slices = 2;
    request.plan = true;
    said = run(&request, GRADE_DONE, &err);
    expect_has(said, "On qemu: 2 different checks in 2 slices\n");
    expect_has(said, "slice 1 of 2: 1 of its 1 checks have no grade");
    expect_lacks(said, "slice 2 of 2");
    free(said);
    request.plan = false;
    said = run(&request, GRADE_INCOMPLETE, &err);
    expect_has(said, "2 different checks, 0 of them now");
    expect_has(said, "1 not graded yet\n  slice 1 of 2: 1 of its 1 checks have no grade");
    free(said);
    for (request.slice = 1; request.slice <= 2; request.slice++) {
        said = run(&request, GRADE_DONE, &err);
        expect_has(said, "grade without a slice to gather them");
        free(said);
    }
    for (unsigned slices = 0; slices <= 2; slices += 2) { /* gathered either way */
        request.slice = 0;
        request.slices = slices;
        said = run(&request, GRADE_DONE, &err);
        expect_has(said, "2 different checks, 0 of them now");
        expect_lacks(said, "slice");
        free(said);
    }
}

/* A suite that lacks something: no grade, told, and tried again. */
Test(grade, what_cannot_be_checked)
{
    struct error err;
    struct grade_request request = request_of();
    scratch_write("in/good/clamp.c", good);
    mkdir(scratch_path("elsewhere"), 0755);
    request.build = scratch_path("elsewhere");
    for (int i = 0; i < 2; i++) {
        char *said = run(&request, GRADE_INCOMPLETE, &err);
        expect_has(said, "1 of them now");
        expect_has(said, "no grade: good, 03-branch-elimination: ERROR: ");
        free(said);
    }
    char *book = scratch_read("out/gradebook.csv");
    expect_has(book, "\"good\",\"good\",,10,error,0,10,missing,,20,24,50,,");
    free(book);
}

/* A bound missed, and another one too noisy to tell: a verdict, and no score. */
Test(grade, no_score_is_tried_again)
{
    struct error err;
    struct grade_request request = request_of();
    glob_t found;
    char hash[SHA256_TEXT];
    need_tools();
    scratch_write("in/good/clamp.c", good);
    char *said = run(&request, GRADE_DONE, &err);
    expect_has(said, "1 pass");
    free(said);
    cr_assert_eq(glob(scratch_path("out/.work/results/*/*.json"), 0, NULL, &found), 0);
    cr_assert_eq(found.gl_pathc, 1);
    const char *entry = found.gl_pathv[0] + strlen(scratch_root) + 1;
    char *text = scratch_read(entry);
    cJSON *kept = cJSON_Parse(strchr(text, '\n') + 1), *result = cJSON_GetObjectItem(kept, "result");
    cJSON_ReplaceItemInObject(result, "verdict", cJSON_CreateString("fail"));
    cJSON_ReplaceItemInObject(result, "score", cJSON_CreateNull());
    char *changed = cJSON_PrintUnformatted(kept), *whole = NULL;
    struct sha256 sum = sha256_new();
    sha256_bytes(&sum, changed, strlen(changed));
    sha256_text(&sum, hash);
    cr_assert(asprintf(&whole, "cyclelab grade 1 %s\n%s\n", hash, changed) > 0);
    scratch_write(entry, whole);
    request.slices = 1; /* first it is seen as it was written here */
    said = run(&request, GRADE_INCOMPLETE, &err);
    expect_has(said, "1 fail");
    expect_has(said, "slice 1 of 1: 1 of its 1 checks have no grade");
    free(said);
    request.slices = 0;
    said = run(&request, GRADE_DONE, &err);
    expect_has(said, "1 of them now");
    expect_has(said, "1 pass");
    free(said);
    free(whole);
    free(changed);
    free(text);
    cJSON_Delete(kept);
    globfree(&found);
}

Test(grade, refusals)
{
    struct error err;
    struct grade_request request = request_of();
    free(run(&request, GRADE_USAGE, &err));
    expect_has(err.text, "SUBMISSIONS: ");
    write_class();

    struct grade_request other = request;
    other.out = scratch_path("in/deep/er");
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "lies in SUBMISSIONS");
    other.out = scratch_root;
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "lies in it");
    other.out = other.submissions;
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "for both");
    scratch_write("mine/notes", "mine");
    other.out = scratch_path("mine");
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "found other files");
    other.out = scratch_path("mine/notes");
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "OUT: ");

    other = request;
    other.on = "native";
    other.core = "cortex-a55";
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "goes with ON=qemu");
    other = request;
    other.course = scratch_path("none.yml");
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "none.yml");
    other = request;
    other.core = "z80";
    free(run(&other, GRADE_USAGE, &err));
    expect_has(err.text, "z80");
}

Test(grade, one_at_a_time)
{
    struct error err;
    struct grade_request request = request_of();
    write_class();
    scratch_write("out/.work/lock", "");
    int lock = open(scratch_path("out/.work/lock"), O_RDWR | O_CLOEXEC);
    cr_assert(lock >= 0 && flock(lock, LOCK_EX) == 0);
    free(run(&request, GRADE_USAGE, &err));
    expect_has(err.text, "another grading is at work");
    close(lock);
}

/* ---- marks, without checks ---- */

static void expect_points(double points, const char *text)
{
    char buffer[32];
    cr_expect_str_eq(grade_points(buffer, points), text);
}

Test(grade, points)
{
    expect_points(7, "7");
    expect_points(0, "0");
    expect_points(100, "100");
    expect_points(7.5, "7.5");
    expect_points(20.0 / 3, "6.67");
    expect_points(0.001, "0");
    expect_points((double)__builtin_nanf(""), "");
}

Test(grade, the_worst_counts)
{
    struct grade_job jobs[4] = {0};
    size_t list[4] = {0, 1, 2, 3};
    struct grade_entry entry = {.found = FOUND_FILES};
    struct grade_student student = {.name = (char[]){"a"}, .entries = &entry};
    struct grade_class class = {.students = &student, .students_count = 1, .exercises_count = 1};
    struct grade_cell cell = {list, 2};
    struct grade_exercise exercise = {.points = 20};
    struct course course = {.title = NULL};
    struct grade_lateness late = {.percent = 100};
    struct grading g = {.class = &class,
                        .lateness = &late,
                        .cells = &cell,
                        .jobs = jobs,
                        .exercises = &exercise,
                        .exercises_count = 1,
                        .course = &course};
    jobs[0].outcome = (struct grade_outcome){.known = true, .verdict = VERDICT_PASS, .score = 10, .most = 10};
    jobs[1].outcome = (struct grade_outcome){.known = true, .verdict = VERDICT_FAIL, .score = 3, .most = 12};
    struct grade_mark mark = grade_mark(&g, 0, 0);
    cr_expect_str_eq(mark.word, "fail");
    cr_expect_float_eq(mark.score, 5, 1e-9);
    cr_expect_eq(mark.job, &jobs[1]);
    cell.count = 3;
    cr_expect_str_eq(grade_mark(&g, 0, 0).word, "pending");
    jobs[2].outcome = (struct grade_outcome){
        .known = true, .verdict = VERDICT_ERROR, .score = (double)__builtin_nanf(""), .most = 10};
    mark = grade_mark(&g, 0, 0);
    cr_expect_str_eq(mark.word, "error");
    cr_expect(mark.score != mark.score);
    cell.count = 0;
    entry.found = FOUND_UNREADABLE;
    cr_expect_str_eq(grade_mark(&g, 0, 0).word, "error");
    cr_expect(grade_total(&g, 0).score != grade_total(&g, 0).score);
    entry.found = FOUND_NOTHING;
    cr_expect_str_eq(grade_mark(&g, 0, 0).word, "missing");
    cr_expect_eq(grade_total(&g, 0).score, 0);
}

/* ---- what is kept ---- */

Test(grade, kept_without_seed_time_and_place)
{
    struct error err = {""};
    struct exercise *exercise = exercise_read(".", "03-branch-elimination", &err);
    struct grading g = {.work = scratch_root};
    struct grade_job job = {.key = "ab01"};
    struct grade_outcome outcome = {0};
    cr_assert(exercise, "%s", err.text);
    struct result *result = result_new(exercise);
    result->on = strdup("qemu");
    result->seed = strdup("4711");
    result->seconds = 3;
    result->student_number = 4294967295;
    result->source = strdup("/tmp/cyclelab-0-abc123");
    result_add_check(result, CHECK_BUILD, "build", NULL, VERDICT_PASS, 0, "builds");
    struct check *check =
        result_add_check(result, CHECK_BOUND, "random-faster", "random", VERDICT_FAIL, 5,
                         "in /tmp/cyclelab-0-abc123/clamp.c and /tmp/cyclelab-0-XYZ987/out/x");
    check->score = 2;
    result_add_check(result, CHECK_BOUND, "sorted-no-slower", "sorted", VERDICT_SKIP, 2,
                     "/tmp/cyclelab-0-no");
    result_conclude(result);
    cr_expect_null(grade_store_get(&g, job.key, NULL));
    cr_expect(grade_store_put(&g, &job, result, result->source, &err), "%s", err.text);

    cJSON *kept = grade_store_get(&g, job.key, NULL);
    cr_assert(kept);
    char *text = cJSON_Print(kept);
    expect_has(text, "in clamp.c and out/x");
    expect_has(text, "/tmp/cyclelab-0-no");
    expect_lacks(text, "abc123");
    expect_lacks(text, "4711");
    expect_has(text, "\"seconds\":\t0");
    grade_summarize(kept, exercise, &outcome);
    cr_expect(outcome.known && outcome.right);
    cr_expect_eq(outcome.verdict, VERDICT_FAIL);
    cr_expect_eq(outcome.score, 2);
    cr_expect_eq(outcome.student_number, 4294967295);
    cr_expect_eq(outcome.asked, outcome.missed);
    cr_expect_neq(outcome.missed, 0);
    expect_has(outcome.headline, "FAIL: `random-faster`");
    free(outcome.headline);
    free(text);
    cJSON_Delete(kept);

    char *entry = scratch_read("results/ab/ab01.json");
    entry[strlen(entry) / 2] ^= 1;
    scratch_write("results/ab/ab01.json", entry);
    cr_expect_null(grade_store_get(&g, job.key, NULL));
    free(entry);

    scratch_write("results/cd", "a file where a folder belongs");
    strcpy(job.key, "cd01");
    cr_expect_not(grade_store_put(&g, &job, result, result->source, &err));
    result_free(result);
    exercise_free(exercise);
}

/* ---- workers ---- */

static void do_nothing(struct grading *g, void *state, const size_t *job)
{
    (void)g, (void)state, (void)job;
}

static void stop(struct grading *g, void *state, const size_t *job)
{
    (void)g, (void)state, (void)job;
    raise(SIGTERM);
}

/* A worker that dies of each job: there is no class to take it from. */
static struct grading deadly(struct grade_job *jobs, size_t count)
{
    static struct grade_request request = {.root = ".", .build = "."};
    static char folder[] = "none", id[] = "03-none";
    static struct exercise exercise = {.folder = folder, .id = id};
    static struct grade_exercise one = {.exercise = &exercise};
    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct grade_job){.ours = true};
    return (struct grading){.request = &request,
                            .on = "qemu",
                            .exercises = &one,
                            .exercises_count = 1,
                            .jobs = jobs,
                            .jobs_count = count,
                            .work = scratch_root,
                            .locks = {-1, -1}};
}

Test(grade, a_worker_that_dies_costs_its_job)
{
    struct error err = {""};
    struct grade_job jobs[3];
    struct grading g = deadly(jobs, 3);
    cr_expect_eq(grade_run(&g, 2, do_nothing, NULL, &err), GRADE_ALL_DONE, "%s", err.text);
    for (size_t i = 0; i < 3; i++) {
        cr_expect(jobs[i].outcome.known);
        cr_expect_eq(jobs[i].tries, 2);
        cr_expect_eq(jobs[i].outcome.verdict, VERDICT_ERROR);
        expect_has(jobs[i].outcome.headline, "ERROR: the grader itself ended with s");
        free(jobs[i].outcome.headline);
    }
}

Test(grade, a_signal_stops_it)
{
    struct error err = {""};
    struct grade_job jobs[3];
    struct grading g = deadly(jobs, 3);
    cr_expect_eq(grade_run(&g, 1, stop, NULL, &err), GRADE_INTERRUPTED, "%s", err.text);
    for (size_t i = 0; i < 3; i++)
        free(jobs[i].outcome.headline);
}

/* A disk that is full when a result is to be kept: a file is where a folder belongs. */
Test(grade, what_cannot_be_kept_ends_it)
{
    struct error err;
    struct grade_request request = request_of();
    need_tools();
    scratch_write("in/good/clamp.c", "int nothing;\n");
    mkdir(scratch_path("out"), 0755);
    mkdir(scratch_path("out/.work"), 0700);
    mkdir(scratch_path("out/.work/results"), 0700);
    for (int i = 0; i < 256; i++) {
        char name[40];
        snprintf(name, sizeof name, "out/.work/results/%02x", i);
        scratch_write(name, "");
    }
    free(run(&request, GRADE_FAILED, &err));
    expect_has(err.text, "what is graded so far is kept");
}
