/* What platforms export, and what students pack, to the layouts that docs/formats.md names the sources of. */
#include "grader/tests/scratch.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include "grader/class/grade_find.h"
#include "grader/class/unpack.h"

static struct exercise *exercises[2];

static void before(void)
{
    struct error err;
    scratch_make();
    exercises[0] = exercise_read(".", "03-branch-elimination", &err);
    exercises[1] = exercise_read(".", "05-software-pipelining", &err);
    cr_assert(exercises[0] && exercises[1]);
}

static void after(void)
{
    exercise_free(exercises[0]);
    exercise_free(exercises[1]);
    scratch_remove();
}

TestSuite(exports, .init = before, .fini = after);

/* ---- archives ---- */

struct member {
    const char *name, *text; /* "@": a link to /etc/passwd; "/": a folder */
    size_t size;             /* 0: the text's */
};

static void pack(const char *path, const struct member *members)
{
    struct archive *archive = archive_write_new();
    scratch_write(path, "");
    if (strstr(path, ".tar")) {
        archive_write_set_format_pax_restricted(archive);
        archive_write_add_filter_gzip(archive);
    } else {
        archive_write_set_format_zip(archive);
    }
    cr_assert_eq(archive_write_open_filename(archive, scratch_path(path)), ARCHIVE_OK);
    for (; members->name; members++) {
        struct archive_entry *entry = archive_entry_new();
        const size_t size = members->size ? members->size : strlen(members->text);
        char *data = calloc(1, size + 1);
        memcpy(data, members->text, strlen(members->text));
        archive_entry_set_pathname(entry, members->name);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_filetype(entry, strcmp(members->text, "@") == 0   ? AE_IFLNK
                                          : strcmp(members->text, "/") == 0 ? AE_IFDIR
                                                                            : AE_IFREG);
        if (archive_entry_filetype(entry) == AE_IFLNK)
            archive_entry_set_symlink(entry, "/etc/passwd");
        const bool has_data = archive_entry_filetype(entry) == AE_IFREG;
        archive_entry_set_size(entry, has_data ? (la_int64_t)size : 0);
        cr_assert_geq(archive_write_header(archive, entry), ARCHIVE_WARN, "%s",
                      archive_error_string(archive));
        if (has_data)
            archive_write_data(archive, data, size);
        archive_entry_free(entry);
        free(data);
    }
    archive_write_close(archive);
    archive_write_free(archive);
}

#define PACK(PATH, ...) pack(PATH, (const struct member[]){__VA_ARGS__, {NULL, NULL, 0}})

/* ---- what was found ---- */

static struct grade_class *find(const char *name)
{
    struct error err = {""};
    struct grade_class *class =
        grade_find(scratch_path(name), (const struct exercise *const *)exercises, 2, ISA_AARCH64, &err);
    cr_assert(class, "%s", err.text);
    return class;
}

static void refused(const char *name, const char *says)
{
    struct error err = {""};
    cr_expect_null(
        grade_find(scratch_path(name), (const struct exercise *const *)exercises, 2, ISA_AARCH64, &err));
    cr_expect(strstr(err.text, says), "`%s`", err.text);
}

static const struct grade_student *student(const struct grade_class *class, const char *id)
{
    for (size_t i = 0; i < class->students_count; i++)
        if (strcmp(class->students[i].id, id) == 0)
            return &class->students[i];
    cr_assert_fail("no %s", id);
    return NULL;
}

/* Of exercise 3: the file's contents ("": none), and what was noted of it and of the student. */
static void expect_clamp(const struct grade_class *class, const char *id, const char *name,
                         const char *contents, const char *note)
{
    const struct grade_student *one = student(class, id);
    const struct grade_entry *entry = &one->entries[0];
    char said[2000];
    snprintf(said, sizeof said, "%s|%s", one->note ? one->note : "", entry->note ? entry->note : "");
    cr_expect_str_eq(one->name, name);
    cr_expect_eq(entry->found == FOUND_FILES, *contents != '\0', "%s: %d `%s`", id, entry->found, said);
    if (entry->found == FOUND_FILES && *contents) {
        cr_expect_str_eq(entry->files[0].data, contents, "%s", id);
        cr_expect_str_eq(entry->files[0].name, "clamp.c", "%s", id);
    }
    cr_expect(*note ? strstr(said, note) != NULL : strcmp(said, "|") == 0, "%s: `%s`", id, said);
}

/* ---- exports ---- */

Test(exports, canvas)
{
    scratch_write("in/doejane_12_345_clamp.c", "1");
    scratch_write("in/roe_LATE_13_350_clamp-1.c", "2");
    scratch_write("in/roe_13_340_clamp.c", "old");
    PACK("in/poe_14_351_hw.zip", {"hw/work/03-branch-elimination/clamp.c", "3", 0}, {"__MACOSX/hw/x", "", 0});
    scratch_write("in/loe_15_text.html", "<p>");
    scratch_write("in/moe_16_352_clamp-2.c", "4");
    scratch_write("in/moe_16_342_clamp-1.c", "old");
    scratch_write("in/foe_17_353_solution.c", "5");
    scratch_write("in/zoe_18_354_clamp.c", "6");
    cr_assert_eq(truncate(scratch_path("in/zoe_18_354_clamp.c"), (1 << 20) + 1), 0);
    scratch_write("in/grades.csv", "");
    scratch_write("in/.DS_Store", "");
    mkdir(scratch_path("in/__MACOSX"), 0755);
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, 7);
    expect_clamp(class, "12", "doejane", "1", "");
    expect_clamp(class, "13", "roe", "2",
                 "Canvas marks it as late; clamp.c was handed in again: the latest counts|clamp-1.c is taken "
                 "for clamp.c");
    expect_clamp(class, "14", "poe", "3", "");
    expect_clamp(class, "15", "loe", "", "there is: text.html; files are called for example clamp.c; dot.c");
    expect_clamp(class, "16", "moe", "4", "clamp-2.c is taken for clamp.c");
    expect_clamp(class, "17", "foe", "", "there is: solution.c");
    expect_clamp(class, "18", "zoe", "", "clamp.c: larger than 1 MiB");
    cr_expect_eq(student(class, "18")->entries[0].found, FOUND_REFUSED);
    cr_assert_eq(class->ignored_count, 1);
    cr_expect(strstr(class->ignored[0], "grades.csv: not called as in an export of Canvas"));
    grade_class_free(class);
}

/* Canvas gives each file a number of its own. */
Test(exports, archives_that_only_look_like_canvas)
{
    PACK("in/lab_3_2026_ada.zip", {"clamp.c", "1", 0});
    PACK("in/lab_3_2026_ben.zip", {"clamp.c", "2", 0});
    PACK("in/lab_3_2026_zoe.tar.gz", {"clamp.c", "3", 0});
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, 3);
    expect_clamp(class, "lab_3_2026_ada", "lab_3_2026_ada", "1", "");
    expect_clamp(class, "lab_3_2026_zoe", "lab_3_2026_zoe", "3", "");
    grade_class_free(class);
}

Test(exports, moodle)
{
    scratch_write("in/Jane Doe_77_assignsubmission_file/clamp.c", "1");
    PACK("in/Max_78_assignsubmission_file_/hw.zip", {"a/b/", "/", 0}, {"a/b/clamp (1).c", "2", 0});
    scratch_write("in/Jane Doe_77_assignsubmission_onlinetext/onlinetext.html", "<p>");
    scratch_write("in/Jane Doe_79_assignsubmission_file/work/05-software-pipelining/dot.c", "3");
    PACK("in/Jane Doe_79_assignsubmission_file/more.tar.gz", {"./clamp.c", "4", 0}, {"x", "@", 0});
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, 3);
    expect_clamp(class, "77", "Jane Doe", "1", "");
    expect_clamp(class, "78", "Max", "2", "clamp (1).c is taken for clamp.c");
    expect_clamp(class, "79", "Jane Doe", "4", "more.tar.gz holds x, which is a link");
    cr_expect_eq(student(class, "79")->entries[1].found, FOUND_FILES);
    cr_expect_eq(grade_called(student(class, "79"), "Jane Doe"), CALLED_BY_NAME);
    cr_expect_eq(grade_called(student(class, "79"), "79"), CALLED_BY_ID);
    grade_class_free(class);
}

/* Half from one platform, half from another: nothing is graded, and it says what is where. */
Test(exports, two_platforms)
{
    static const char canvas[] = "doejane_12_345_clamp.c",
                      moodle[] = "Jane Doe_77_assignsubmission_file/clamp.c";
    static const char said[] =
        "expected the export of one platform, found 1 name as Moodle gives them "
        "(`Jane Doe_77_assignsubmission_file`) and 1 as Canvas does (`doejane_12_345_clamp.c`): "
        "put each platform's into a folder of its own";
    PACK("in/class.zip", {canvas, "1", 0}, {moodle, "2", 0});
    refused("in/class.zip", said);
    refused("in", said);
    scratch_write("half/doejane_12_345_clamp.c", "1");
    scratch_write("half/Jane Doe_77_assignsubmission_file/clamp.c", "2");
    refused("half", said);
    scratch_write("half/roe_13_346_clamp.c", "3");
    scratch_write("half/poe_14_347_clamp.c", "4");
    refused("half", "found 3 names as Canvas gives them (`doejane_12_345_clamp.c`) and 1 as Moodle does");
    scratch_write("third/submission_metadata.yml", "submission_1:\n  :submitters: []\n");
    scratch_write("third/submission_1/clamp.c", "1");
    scratch_write("third/doejane_12_345_clamp.c", "2");
    refused("third",
            "found 1 name as Gradescope gives them (`submission_metadata.yml`) and 1 as Canvas does");
}

/* The same, packed once more, and with folders and a zip around it. */
Test(exports, packed)
{
    PACK("in/flat.zip", {"J\xc3\xb6rg_77_assignsubmission_file_clamp.c", "1", 0},
         {"Ben_78_assignsubmission_file_clamp.c", "2", 0}, {"__MACOSX/._x", "", 0});
    PACK("class.zip", {"class/ada/clamp.c", "1", 0}, {"class/ben/clamp.c", "2", 0},
         {"class/notes.txt", "", 0});
    PACK("backslashes.zip", {"ada\\clamp.c", "1", 0}, {"ben\\3\\clamp.c", "2", 0});
    static const char *const flat[] = {"in/flat.zip", "in"};
    for (size_t i = 0; i < 2; i++) {
        struct grade_class *class = find(flat[i]);
        cr_assert_eq(class->students_count, 2);
        expect_clamp(class, "77", "J\xc3\xb6rg", "1", "");
        expect_clamp(class, "78", "Ben", "2", "");
        grade_class_free(class);
    }
    static const char *const plain[] = {"class.zip", "backslashes.zip"};
    for (size_t i = 0; i < 2; i++) {
        struct grade_class *class = find(plain[i]);
        cr_assert_eq(class->students_count, 2);
        expect_clamp(class, "ada", "ada", "1", "");
        expect_clamp(class, "ben", "ben", "2", "");
        grade_class_free(class);
    }
}

Test(exports, gradescope)
{
    static const char metadata[] = "---\n"
                                   "submission_1:\n"
                                   "  :submitters:\n"
                                   "  - :name: Jane Doe\n"
                                   "    :sid: '7'\n"
                                   "    :email: jane@example.org\n"
                                   "  - :name: Max\n"
                                   "    :sid:\n"
                                   "    :email: max@example.org\n"
                                   "  :created_at: 2026-11-20 10:00:00 Z\n"
                                   "  :history:\n"
                                   "  - :id: 3\n"
                                   "    :created_at: 2026-11-19 10:00:00 Z\n"
                                   "    :submitters:\n"
                                   "    - :name: x\n"
                                   "  :results:\n"
                                   "    tests:\n"
                                   "    - output: \"b: c\\n\"\n"
                                   "submission_2:\n"
                                   "  :submitters: []\n"
                                   "submission_3:\n"
                                   "  :submitters:\n"
                                   "  - :name: ~\n"
                                   "    :sid: '9'\n";
    scratch_write("in/assignment_5_export/submission_metadata.yml", metadata);
    scratch_write("in/assignment_5_export/submission_1/clamp.c", "1");
    scratch_write("in/assignment_5_export/submission_2/clamp.c", "2");
    scratch_write("in/assignment_5_export/submission_3/clamp.c", "3");
    scratch_write("in/assignment_5_export/readme.txt", "");
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, 4, "%zu, %s", class->students_count, class->students[0].id);
    expect_clamp(class, "7", "Jane Doe", "1", "");
    expect_clamp(class, "max@example.org", "Max", "1", "");
    expect_clamp(class, "submission_2", "submission_2", "2", "");
    expect_clamp(class, "9", "9", "3", "");
    cr_expect_str_eq(student(class, "7")->time, "2026-11-20 10:00:00 Z");
    cr_expect_str_eq(student(class, "9")->time, "");
    cr_expect_eq(class->ignored_count, 1);
    grade_class_free(class);
    scratch_write("in/assignment_5_export/submission_metadata.yml", "submission_1: [");
    refused("in/assignment_5_export", "submission_metadata.yml: line 2: ");
    refused("in", "submission_metadata.yml: line 2: ");
    char deep[300] = "";
    memset(deep, '[', 200);
    scratch_write("in/assignment_5_export/submission_metadata.yml", deep);
    refused("in/assignment_5_export", "nested too deep");
}

/* A folder of archives and of repositories. */
/* One who hands in again, a partner who has a submission of their own: the latest counts, with its time. */
Test(exports, several_submissions_of_one_student)
{
    static const char metadata[] = "submission_1:\n  :submitters:\n  - :name: A\n    :sid: '7'\n"
                                   "  :created_at: 2026-11-20 21:59:59.9 Z\n"
                                   "submission_2:\n  :submitters:\n  - :name: A\n    :sid: '7'\n"
                                   "  - :name: B\n    :sid: '8'\n"
                                   "  :created_at: 2026-11-20 14:30:00 -08:00\n"
                                   "submission_3:\n  :submitters:\n  - :name: A\n    :sid: '7'\n"
                                   "  :created_at: 2026-11-20 22:00:00 Z\n";
    scratch_write("in/submission_metadata.yml", metadata);
    scratch_write("in/submission_1/clamp.c", "1");
    scratch_write("in/submission_1/dot.c", "1");
    scratch_write("in/submission_2/clamp.c", "2");
    scratch_write("in/submission_3/clamp.c", "3");
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, 2);
    expect_clamp(class, "7", "A", "2", "in 3 submissions: the latest counts");
    expect_clamp(class, "8", "B", "2", "");
    cr_expect_str_eq(student(class, "7")->time, "2026-11-20 14:30:00 -08:00");
    grade_class_free(class);
}

/* Somebody's folder, or archive, that the instructor put beside an export counts too. */
Test(exports, a_folder_added_by_hand)
{
    scratch_write("in/Jane Doe_12_assignsubmission_file_/clamp.c", "1");
    scratch_write("in/Max_13_assignsubmission_file_/clamp.c", "2");
    scratch_write("in/Moe_14_assignsubmission_file_/clamp.c", "2");
    scratch_write("in/Late, Ann/clamp.c", "3");
    scratch_write("in/notes.txt", "x");
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, 4);
    expect_clamp(class, "12", "Jane Doe", "1", "");
    expect_clamp(class, "Late, Ann", "Late, Ann", "3", "");
    cr_assert_eq(class->ignored_count, 1);
    cr_expect(strstr(class->ignored[0], "notes.txt"));
    grade_class_free(class);
}

Test(exports, one_archive_each)
{
    PACK("in/ada.zip", {"ada/clamp.c", "1", 0});
    PACK("in/ben.tar.gz", {"clamp.c", "2", 0}, {"clamp.c", "3", 0});
    scratch_write("in/cem/clamp.c", "4");
    PACK("in/cem.zip", {"clamp.c", "5", 0}, {"dot.c", "6", 0});
    PACK("in/dan.zip", {"inner.zip", "PK", 0}, {"x.rar", "", 0});
    scratch_write("in/eve/.git/config", "[core]\n");
    scratch_write("in/eve/exercises/03-branch-elimination/clamp.c", "7");
    char path[100];
    for (int i = 0; i < 30; i++) {
        snprintf(path, sizeof path, "in/gus/%02d.zip", i);
        PACK(path, {"x", "1", 0});
    }
    scratch_write("in/hal/a.zip", "no archive");
    scratch_write("in/hal/b.zip", "no archive");
    PACK("in/hal/c.zip", {"clamp.c", "1", 0});
    scratch_write("in/ida/a.zip/clamp.c", "9");
    mkdir(scratch_path("in/jon"), 0755);
    cr_assert_eq(symlink("../ada.zip", scratch_path("in/jon/ada.zip")), 0);
    PACK("in/fay.zip", {".git/config", "", 0}, {".hidden/clamp.c", "8", 0});
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, 10);
    expect_clamp(class, "gus", "gus", "", "20.zip and what comes after it is not opened");
    expect_clamp(class, "hal", "hal", "", "c.zip and what comes after it is not opened");
    expect_clamp(class, "ida", "ida", "9", "");
    expect_clamp(class, "jon", "jon", "", "ada.zip cannot be read");
    cr_expect_eq(student(class, "jon")->entries[0].found, FOUND_REFUSED);
    expect_clamp(class, "ada", "ada", "1", "");
    expect_clamp(class, "ben", "ben", "3", "");
    expect_clamp(class, "cem", "cem", "4", "");
    cr_expect_eq(student(class, "cem")->entries[1].found, FOUND_FILES);
    expect_clamp(class, "dan", "dan", "", "inner.zip is no archive that can be read");
    expect_clamp(class, "eve", "eve", "7", "");
    expect_clamp(class, "fay", "fay", "", "the folder is empty");
    grade_class_free(class);
}

/* ---- archives that mean harm ---- */

Test(exports, hostile_archives)
{
    PACK("in/up.zip", {"clamp.c", "1", 0}, {"../../up.c", "2", 0});
    PACK("in/root.zip", {"/tmp/root.c", "1", 0});
    PACK("in/deep.tar.gz", {"a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/clamp.c", "1", 0});
    PACK("in/bomb.zip", {"clamp.c", "1", (size_t)257 << 20});
    PACK("in/large.zip", {"clamp.c", "1", (1 << 20) + 1});
    PACK("in/link.zip", {"clamp.c", "@", 0});
    PACK("in/through.tar.gz", {"dir", "@", 0}, {"dir/clamp.c", "1", 0});
    PACK("in/twice.tar.gz", {"clamp.c", "1", 0}, {"clamp.c/x", "2", 0});
    scratch_write("in/none.zip", "");
    scratch_write("in/text.tar", "what is this?");
    scratch_write("in/half.zip", "");
    PACK("whole.zip", {"clamp.c", "1", 5000});
    char command[3 * PATH_MAX];
    snprintf(command, sizeof command, "head -c 40 '%s' >'%s'", scratch_path("whole.zip"),
             scratch_path("in/half.zip"));
    cr_assert_eq(system(command), 0);
    static const struct {
        const char *id, *contents, *note;
        enum grade_found found;
    } rows[] = {
        {"up", "", "up.zip holds the path ../../up.c, which leads out", FOUND_REFUSED},
        {"root", "", "which leads out", FOUND_REFUSED},
        {"deep", "", "or is more than 24 folders deep", FOUND_REFUSED},
        {"bomb", "", "bomb.zip holds more than the 256 MiB", FOUND_REFUSED},
        {"large", "", "clamp.c is larger than 1 MiB", FOUND_REFUSED},
        {"link", "", "link.zip holds clamp.c, which is a link", FOUND_NOTHING},
        {"through", "1", "holds dir, which is a link", FOUND_FILES},
        {"twice", "", "holds clamp.c/x, where something else is", FOUND_REFUSED},
        {"none", "", "none.zip is no archive", FOUND_REFUSED},
        {"text", "", "text.tar", FOUND_REFUSED},
        {"half", "", "half.zip is damaged", FOUND_REFUSED},
    };
    struct grade_class *class = find("in");
    cr_assert_eq(class->students_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_clamp(class, rows[i].id, rows[i].id, rows[i].contents, rows[i].note);
        cr_expect_eq(student(class, rows[i].id)->entries[0].found, rows[i].found, "%s", rows[i].id);
    }
    grade_class_free(class);
    cr_expect(access("/tmp/root.c", F_OK) != 0);
    refused("in/up.zip", "which leads out");
    refused("in/text.tar", "text.tar");
}

#define DEEPEST "b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/"
#define DEEP    "a/" DEEPEST

/* What one student has too deep, or as a link, is left out, told to that student, and nobody else's matter.
 */
Test(exports, left_out_of_a_class)
{
    static const char note[] =
        "the class's archive holds " DEEP "w/x/y.c, which is more than 24 folders deep";
    static char name[4200];
    for (size_t i = 0; i < sizeof name - 1; i++)
        name[i] = i % 100 == 7 ? '/' : 'n';
    memcpy(name, "class/", 4);
    name[5] = '/';
    memcpy(name, "class/lea/", 10);
    const struct member members[] = {
        {"class/ada/clamp.c", "1", 0},
        {"class/ben/clamp.c", "2", 0},
        {"class/ben/" DEEP "w/x/y.c", "deep", 0},
        {"class/ben/" DEEP "w/x/z.c", "deep", 0},
        {"class/ben/.git/" DEEP "w/x/z.c", "hidden", 0},
        {"class/cem/" DEEP "w/x/y.c", "deep", 0},
        {"class/dan/" DEEPEST "clamp.c", "not found, and no deeper than it may be", 0},
        {"class/eve/clamp.c", "@", 0},
        {"class/fay/" DEEP "w/x/y", "/", 0},
        {"class/gus/clamp.c", "3", 0},
        {"class/gus/x", "@", 0},
        {"class/gus/" DEEP "w/x/y.c", "deep", 0},
        {name, "longer than any path", 0},
        {NULL, NULL, 0}};
    pack("class.tar.gz", members);
    PACK("packed/inner.zip", {"ada/clamp.c", "1", 0}, {"ben/clamp.c", "2", 0},
         {"ben/" DEEP "w/x/y.c", "deep", 0});
    pack("outer/class.tar.gz", members);
    static const char *const all[] = {"class.tar.gz", "outer"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct grade_class *class = find(all[i]);
        cr_expect_eq(class->students_count, 8, "%zu", class->students_count);
        cr_expect_eq(class->ignored_count, 0);
        expect_clamp(class, "ada", "ada", "1", "");
        expect_clamp(class, "ben", "ben", "2", note);
        expect_clamp(class, "cem", "cem", "", note);
        expect_clamp(class, "dan", "dan", "",
                     "there is: e; files are called for example clamp.c; dot.c; probe.c|");
        expect_clamp(class, "eve", "eve", "",
                     "the class's archive holds clamp.c, which is a link or a device");
        expect_clamp(class, "fay", "fay", "", "w/x/y, which is more than 24 folders deep");
        expect_clamp(class, "gus", "gus", "3", note);
        expect_clamp(class, "gus", "gus", "3", "holds x, which is a link or a device: those are left out");
        expect_clamp(class, "lea", "lea", "", "folders deep, or has a name of more than 255 bytes");
        cr_expect_eq(student(class, "cem")->entries[0].found, FOUND_NOTHING);
        grade_class_free(class);
    }
    struct grade_class *class = find("packed");
    cr_expect_eq(class->students_count, 2);
    expect_clamp(class, "ada", "ada", "1", "");
    expect_clamp(class, "ben", "ben", "2", note);
    grade_class_free(class);
    /* what leads out is nobody's accident */
    PACK("out.zip", {"ada/clamp.c", "1", 0}, {"ben/" DEEP "w/x/../../y.c", "2", 0});
    refused("out.zip", "which leads out");
}

Test(exports, not_more_files_than)
{
    const struct unpack_limits limits = {
        .bytes = 100, .file = 10, .archive = 100, .entries = 3, .cpu_seconds = 5};
    struct unpack_used used = {0}, none = {0};
    struct error said;
    PACK("four.zip", {"a", "", 0}, {"b", "", 0}, {"c", "", 0}, {"d", "", 0});
    PACK("sizes.zip", {"a.c", "0123456789", 0}, {"b.c", "0123456789a", 0}, {"c.zip", "0123456789a", 0});
    mkdir(scratch_path("to"), 0755);
    int four = open(scratch_path("four.zip"), O_RDONLY), sizes = open(scratch_path("sizes.zip"), O_RDONLY);
    cr_expect_eq(unpack(four, scratch_path("to"), &limits, &none, &said), UNPACK_REFUSED);
    cr_expect_str_eq(said.text, "holds more than 3 files and folders");
    cr_expect_eq(unpack(sizes, scratch_path("to"), &limits, &used, &said), UNPACK_DONE, "%s", said.text);
    cr_expect_str_eq(said.text, "");
    struct stat info;
    cr_expect(stat(scratch_path("to/b.c"), &info) == 0 && info.st_size == 11 && info.st_blocks == 0);
    cr_expect(stat(scratch_path("to/c.zip"), &info) == 0 && info.st_size == 11 && info.st_blocks > 0);
    cr_expect_eq(unpack(four, scratch_path("nowhere"), &limits, &none, &said), UNPACK_FAILED);
    close(four);
    close(sizes);
}

/* All archives of one submission together have what one may have; folders that no entry names count. */
Test(exports, limits_are_of_a_submission)
{
    static const struct member large[] = {
        {"a.c", "1", 1 << 20}, {"b/c/d.c", "2", 1 << 20}, {"video", "3", 40 << 20}, {NULL, NULL, 0}};
    const struct unpack_limits limits = {.bytes = 3 << 20,
                                         .file = 1 << 20,
                                         .archive = 1 << 20,
                                         .kept_alone = true,
                                         .entries = 6,
                                         .cpu_seconds = 5};
    struct unpack_limits all = limits;
    struct unpack_used used = {0};
    struct error said;
    struct stat info;
    pack("large.zip", large);
    mkdir(scratch_path("to"), 0755);
    mkdir(scratch_path("again"), 0755);
    mkdir(scratch_path("last"), 0755);
    const int fd = open(scratch_path("large.zip"), O_RDONLY);
    cr_expect_eq(unpack(fd, scratch_path("to"), &limits, &used, &said), UNPACK_DONE, "%s", said.text);
    cr_expect_eq(used.bytes, 2 << 20);
    cr_expect_eq(used.entries, 5);
    cr_expect(stat(scratch_path("to/video"), &info) == 0 && info.st_blocks == 0 &&
              info.st_size == (1 << 20) + 1);
    cr_expect_eq(lseek(fd, 0, SEEK_SET), 0);
    all.entries = 100;
    cr_expect_eq(unpack(fd, scratch_path("again"), &all, &used, &said), UNPACK_REFUSED);
    cr_expect_str_eq(said.text, "holds more than what other archives left of the 3 MiB that are unpacked: "
                                "unpack it yourself and grade the folder");
    all.kept_alone = false; /* each byte counts */
    cr_expect_eq(lseek(fd, 0, SEEK_SET), 0);
    used = (struct unpack_used){.entries = 2};
    cr_expect_eq(unpack(fd, scratch_path("again"), &all, &used, &said), UNPACK_REFUSED);
    cr_expect_str_eq(said.text, "holds more than the 3 MiB that are unpacked");
    used = (struct unpack_used){.entries = 2};
    all = (struct unpack_limits){.bytes = 100 << 20, .file = 1 << 20, .entries = 5, .cpu_seconds = 5};
    cr_expect_eq(lseek(fd, 0, SEEK_SET), 0);
    cr_expect_eq(unpack(fd, scratch_path("last"), &all, &used, &said), UNPACK_REFUSED);
    cr_expect_str_eq(said.text, "holds more than 5 files and folders");
    close(fd);
}

/* ---- renamed files ---- */

Test(exports, renamed)
{
    static const char *const names[] = {"clamp-1.c",
                                        "clamp (1).c",
                                        "clamp_final.c",
                                        "Clamp.c",
                                        "CLAMP.C",
                                        "jane_clamp.c",
                                        "03-branch-elimination/my clamp.c",
                                        "work/3/clamp.copy.c",
                                        "clamp2.c"};
    char path[100];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "in/%c/%s", (char)('a' + i), names[i]);
        scratch_write(path, "1");
    }
    scratch_write("in/two/clamp-1.c", "1");
    scratch_write("in/two/clamp-2.c", "2");
    scratch_write("in/three/clamp-1.c", "1");
    scratch_write("in/three/clamp-2.c", "2");
    scratch_write("in/three/clamp-3.c", "3");
    scratch_write("in/clampdown/clampdown.c", "1");
    scratch_write("in/text/clamp.txt", "1");
    scratch_write("in/exact/clamp.c", "1");
    scratch_write("in/exact/clamp-1.c", "2");
    scratch_write("in/dot_probe/dot_probe.c", "1");
    scratch_write("in/pair/dot.c", "1");
    scratch_write("in/pair/probe-1.c", "2");
    scratch_write("in/asm/clamp-1.S", "1");
    scratch_write("in/rar/hw.rar", "x");
    scratch_write("in/rar/probed.txt", "x");
    struct grade_class *class = find("in");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char id[] = {(char)('a' + i), '\0'}, *slash = strrchr(names[i], '/');
        snprintf(path, sizeof path, "%s is taken for clamp.c", slash ? slash + 1 : names[i]);
        expect_clamp(class, id, id, "1", path);
    }
    expect_clamp(class, "two", "two", "", "|clamp-1.c and clamp-2.c could be clamp.c: hand in one");
    expect_clamp(class, "three", "three", "", "could be clamp.c");
    expect_clamp(class, "clampdown", "clampdown", "", "there is: clampdown.c");
    expect_clamp(class, "text", "text", "", "there is: clamp.txt");
    expect_clamp(class, "exact", "exact", "1", "");
    expect_clamp(
        class, "rar", "rar", "",
        "there is: hw.rar; probed.txt; files are called for example probe.c; clamp.c; dot.c; hw.rar is an "
        "archive of a kind that is not opened: .zip and .tar.gz are");
    cr_expect_eq(student(class, "dot_probe")->entries[1].found, FOUND_NOTHING);
    const struct grade_entry *pair = &student(class, "pair")->entries[1],
                             *text = &student(class, "asm")->entries[0];
    cr_expect_eq(pair->found, FOUND_FILES);
    cr_expect_str_eq(pair->note, "probe-1.c is taken for probe.c");
    cr_expect(text->found == FOUND_FILES && strcmp(text->files[0].name, "aarch64/clamp.S") == 0);
    grade_class_free(class);
}

/* ---- this machine's faults ---- */

Test(exports, an_archive_that_cannot_be_read)
{
    mkdir(scratch_path("to"), 0755);
    struct unpack_used used = {0};
    struct error said = {""};
    const int memory = open("/proc/self/mem", O_RDONLY); /* nothing can be read at 0 */
    cr_expect_eq(unpack(memory, scratch_path("to"), &unpack_student, &used, &said), UNPACK_FAILED);
    cr_expect(strstr(said.text, "Input/output error"), "`%s`", said.text);
    close(memory);
}

/* Kill what this process starts next. */
static pid_t kill_helper(int number)
{
    const pid_t parent = getpid(), killer = fork();
    if (killer != 0)
        return killer;
    for (;;) {
        char path[64];
        int child = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
        FILE *children = fopen(path, "r");
        while (children && fscanf(children, "%d", &child) == 1)
            if (child != getpid() && kill(child, number) == 0)
                _exit(0);
        if (children)
            fclose(children);
        usleep(1000);
    }
}

/* Whoever ends the unpacking, but for the limit on its time, says nothing about the archive. */
Test(exports, unpacking_that_is_ended)
{
    static const struct {
        int number;
        enum unpacked how;
        const char *says;
    } cases[] = {{SIGKILL, UNPACK_FAILED, "ended by signal Killed"},
                 {SIGTERM, UNPACK_FAILED, "ended by signal Terminated"},
                 {SIGXCPU, UNPACK_REFUSED, "take too long"}};
    struct unpack_used none = {0};
    struct error said = {""};
    mkdir(scratch_path("to"), 0755);
    alarm(20);
    PACK("small.zip", {"a.c", "1", 0}); /* the walls are looked for once, in processes of their own */
    const int small = open(scratch_path("small.zip"), O_RDONLY);
    cr_expect_eq(unpack(small, scratch_path("to"), &unpack_student, &none, &said), UNPACK_DONE, "%s",
                 said.text);
    close(small);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct unpack_used used = {0};
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        const pid_t killer = kill_helper(cases[i].number);
        cr_expect_eq(unpack(ends[0], scratch_path("to"), &unpack_student, &used, &said), cases[i].how, "%s",
                     said.text);
        cr_expect(strstr(said.text, cases[i].says), "`%s`", said.text);
        cr_expect_eq(waitpid(killer, NULL, 0), killer);
        close(ends[0]);
        close(ends[1]);
    }
}

/* ---- one student's folder ---- */

Test(exports, one_students_own_folder)
{
    scratch_write("flat/clamp.c", "1");
    scratch_write("work/work/03-branch-elimination/clamp.c", "1");
    scratch_write("folders/03-branch-elimination/clamp.c", "1");
    scratch_write("numbers/3/clamp.c", "1");
    scratch_write("numbers/5/dot.c", "1");
    PACK("own.zip", {"work/03-branch-elimination/clamp.c", "1", 0});
    static const char *const own[] = {"flat", "work", "folders", "numbers", "own.zip"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        refused(own[i], "this is one student's own work");
    /* students who are called by numbers */
    scratch_write("class/3/clamp.c", "1");
    scratch_write("class/4/clamp.c", "1");
    scratch_write("class/5/clamp.c", "1");
    grade_class_free(find("class"));
    scratch_write("file.txt", "");
    refused("file.txt", "or an archive of it");
    refused("nowhere.zip", "No such file");
}
