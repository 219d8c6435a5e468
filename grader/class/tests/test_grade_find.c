/* Submissions found, and the names that go with them. */
#include "grader/tests/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include "grader/class/grade.h"
#include "grader/class/grade_find.h"
#include "grader/exercise/stubs.h"
#include "grader/base/sha256.h"

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

TestSuite(grade_find, .init = before, .fini = after);

static struct grade_class *find(void)
{
    struct error err = {""};
    struct grade_class *class =
        grade_find(scratch_path("in"), (const struct exercise *const *)exercises, 2, ISA_AARCH64, &err);
    cr_assert(class, "%s", err.text);
    return class;
}

static void refused(const char *says)
{
    struct error err = {""};
    cr_expect_null(
        grade_find(scratch_path("in"), (const struct exercise *const *)exercises, 2, ISA_AARCH64, &err));
    expect_has(err.text, says);
}

static void expect_entry(const struct grade_class *class, const char *name, size_t exercise,
                         enum grade_found found, const char *folder, const char *note)
{
    for (size_t i = 0; i < class->students_count; i++) {
        const struct grade_student *student = &class->students[i];
        const struct grade_entry *entry = &student->entries[exercise];
        if (strcmp(student->name, name) != 0)
            continue;
        const char *said = entry->note ? entry->note : student->note ? student->note : "";
        cr_expect_eq(entry->found, found, "%s: %d, %s", name, entry->found, said);
        cr_expect_str_eq(entry->folder ? entry->folder : "", folder, "%s", name);
        cr_expect(*note ? strstr(said, note) != NULL : *said == '\0', "%s: `%s`", name, said);
        return;
    }
    cr_expect_fail("no %s", name);
}

Test(grade_find, layouts)
{
    static const char *const files[] = {
        "a/exercises/03-branch-elimination/clamp.c",
        "b/exercises/branch-elimination/clamp.c",
        "c/03-branch-elimination/clamp.c",
        "d/branch-elimination/aarch64/clamp.S",
        "e/3/clamp.c",
        "f/03/clamp.c",
        "g/clamp.c",
        "h/aarch64/clamp.S",
        "i/repo/main/3/clamp.c",
        "j/ex3/clamp.c",
    };
    static const char *const folders[] = {"exercises/03-branch-elimination",
                                          "exercises/branch-elimination",
                                          "03-branch-elimination",
                                          "branch-elimination",
                                          "3",
                                          "03",
                                          ".",
                                          ".",
                                          "repo/main/3",
                                          "ex3"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[100];
        snprintf(path, sizeof path, "in/%s", files[i]);
        scratch_write(path, "int x;\n");
    }
    struct grade_class *class = find();
    cr_assert_eq(class->students_count, 10);
    for (size_t i = 0; i < 10; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        expect_entry(class, name, 0, FOUND_FILES, folders[i], "");
        expect_entry(class, name, 1, FOUND_NOTHING, "", "");
        cr_expect_eq(class->students[i].entries[0].files_count, 1);
    }
    /* the same content under the same name, wherever it lies */
    cr_expect_str_eq(class->students[0].entries[0].hash, class->students[6].entries[0].hash);
    cr_expect_str_neq(class->students[6].entries[0].hash, class->students[7].entries[0].hash);
    grade_class_free(class);
}

Test(grade_find, assembly_of_another_machine)
{
    struct error err;
    size_t size;
    char *stub = stub_read(exercises[0], "clamp.c", &size, &err);
    cr_assert(stub);
    scratch_write("in/alone/3/x86_64/clamp.S", "ret\n");
    scratch_write("in/stub/work/03-branch-elimination/x86_64/clamp.S", "ret\n");
    scratch_write("in/stub/work/03-branch-elimination/clamp.c", stub);
    scratch_write("in/two/3/x86_64/clamp.S", "ret\n");
    scratch_write("in/two/3/aarch64/clamp.S", "ret\n");
    free(stub);
    struct grade_class *class = find();
    static const char says[] =
        "x86_64/clamp.S is not graded: aarch64 is graded here, so the answer has to be in clamp.c or "
        "aarch64/clamp.S";
    expect_entry(class, "alone", 0, FOUND_FILES, "3", says);
    expect_entry(class, "stub", 0, FOUND_FILES, "work/03-branch-elimination", says);
    expect_entry(class, "two", 0, FOUND_FILES, "3", "");
    grade_class_free(class);
}

Test(grade_find, odd_ones)
{
    scratch_write("in/both/clamp.c", "1");
    scratch_write("in/both/3/clamp.c", "2");
    scratch_write("in/half/dot.c", "1");
    scratch_write("in/other/x86_64/clamp.S", "1");
    scratch_write("in/named/Clamp.c", "1");
    scratch_write("in/.hidden/clamp.c", "1");
    scratch_write("in/file.txt", "1");
    scratch_write("in/links/x", "1");
    scratch_write("in/linked/x", "1");
    scratch_write("in/deep/a/b/c/d/3/clamp.c", "1");
    mkdir(scratch_path("in/empty"), 0777);
    mkdir(scratch_path("in/pipe"), 0777);
    mkdir(scratch_path("in/folder"), 0777);
    mkdir(scratch_path("in/folder/clamp.c"), 0777);
    cr_assert_eq(symlink("/etc/passwd", scratch_path("in/links/clamp.c")), 0);
    cr_assert_eq(symlink("../both", scratch_path("in/linked/3")), 0);
    cr_assert_eq(symlink("both", scratch_path("in/whole")), 0);
    cr_assert_eq(mkfifo(scratch_path("in/pipe/clamp.c"), 0666), 0);
    scratch_write("in/large/clamp.c", "1");
    cr_assert_eq(truncate(scratch_path("in/large/clamp.c"), (1 << 20) + 1), 0);

    for (int i = 0; i < 2100; i++) {
        char name[40];
        snprintf(name, sizeof name, "in/many/%d", i);
        scratch_write(name, "");
    }

    struct grade_class *class = find();
    expect_entry(class, "many", 0, FOUND_NOTHING, "", "and 1995 more at least");
    expect_entry(class, "both", 0, FOUND_FILES, "3", "there are files in ., too: those in 3 count");
    expect_entry(class, "half", 1, FOUND_FILES, ".", "probe.c was not handed in: the stub stands in for it");
    expect_entry(class, "other", 0, FOUND_FILES, ".", "clamp.c was not handed in");
    expect_entry(class, "named", 0, FOUND_FILES, ".", "Clamp.c is taken for clamp.c");
    expect_entry(class, "links", 0, FOUND_REFUSED, ".", "clamp.c is a link");
    expect_entry(class, "linked", 0, FOUND_REFUSED, "", "3 is a link");
    expect_entry(class, "whole", 0, FOUND_REFUSED, "", "the submission is a link");
    expect_entry(class, "pipe", 0, FOUND_REFUSED, ".", "is no regular file");
    expect_entry(class, "folder", 0, FOUND_REFUSED, ".", "is a folder");
    expect_entry(class, "large", 0, FOUND_REFUSED, ".", "is larger than");
    expect_entry(class, "empty", 0, FOUND_NOTHING, "", "the folder is empty");
    expect_entry(class, "deep", 0, FOUND_NOTHING, "", "there is: d");
    cr_assert_eq(class->ignored_count, 2);
    expect_has(class->ignored[0], ".hidden: hidden");
    expect_has(class->ignored[1], "file.txt: no folder and no archive");
    grade_class_free(class);
}

static void copy_stub(const char *name, const char *to)
{
    char command[3 * PATH_MAX];
    scratch_write(to, "");
    snprintf(command, sizeof command, "cp exercises/%s '%s'", name, scratch_path(to));
    cr_assert_eq(system(command), 0);
}

static void expect_files(const struct grade_class *class, size_t student, size_t exercise, const char *paths)
{
    const struct grade_entry *entry = &class->students[student].entries[exercise];
    char all[1024] = "";
    for (size_t i = 0; i < entry->files_count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "",
                 entry->files[i].path ? entry->files[i].path : "-");
    cr_expect_str_eq(all, paths);
}

/* Whole clones: work/ before exercises/ before flat names, but no stub hides what is edited. */
Test(grade_find, work_counts_first_and_stubs_hide_nothing)
{
    static const char clamp[] = "03-branch-elimination/stub/clamp.c";
    scratch_write("in/a/work/03-branch-elimination/clamp.c", "1");
    scratch_write("in/a/exercises/03-branch-elimination/aarch64/clamp.S", "2");
    copy_stub(clamp, "in/b/work/03-branch-elimination/clamp.c");
    scratch_write("in/b/exercises/03-branch-elimination/clamp.c", "2");
    copy_stub(clamp, "in/c/work/03-branch-elimination/clamp.c");
    copy_stub(clamp, "in/c/exercises/03-branch-elimination/clamp.c");
    scratch_write("in/c/clamp.c", "3");
    copy_stub(clamp, "in/d/work/03-branch-elimination/clamp.c");
    copy_stub(clamp, "in/d/exercises/03-branch-elimination/clamp.c");
    copy_stub(clamp, "in/e/clamp.c");
    scratch_write("in/e/clamp.S", "5");
    scratch_write("in/f/work/05-software-pipelining/dot.c", "1");
    copy_stub("05-software-pipelining/stub/probe.c", "in/f/work/05-software-pipelining/probe.c");
    scratch_write("in/f/exercises/05-software-pipelining/probe.c", "2");
    struct grade_class *class = find();
    expect_files(class, 0, 0, "a/work/03-branch-elimination/clamp.c");
    expect_entry(class, "a", 0, FOUND_FILES, "work/03-branch-elimination",
                 "there are files in exercises/03-branch-elimination, too");
    expect_files(class, 1, 0, "b/exercises/03-branch-elimination/clamp.c");
    expect_entry(class, "b", 0, FOUND_FILES, "exercises/03-branch-elimination", "");
    expect_files(class, 2, 0, "c/clamp.c");
    expect_files(class, 3, 0, "d/work/03-branch-elimination/clamp.c");
    expect_entry(class, "d", 0, FOUND_FILES, "work/03-branch-elimination", "");
    expect_files(class, 4, 0, "e/clamp.c e/clamp.S");
    expect_files(class, 5, 1,
                 "f/work/05-software-pipelining/dot.c f/exercises/05-software-pipelining/probe.c");
    grade_class_free(class);
}

/* Nor does one hide what is called otherwise, lies deeper or is packed. */
Test(grade_find, an_untouched_stub_is_no_answer)
{
    static const char clamp[] = "03-branch-elimination/stub/clamp.c";
    char command[3 * PATH_MAX];
    for (const char *name = "abcdef"; *name; name++) {
        char path[60];
        snprintf(path, sizeof path, "in/%c/work/03-branch-elimination/clamp.c", *name);
        copy_stub(clamp, path);
    }
    scratch_write("in/a/work/03-branch-elimination/clamp2.c", "1");
    copy_stub(clamp, "in/a/work/03-branch-elimination/clamp (1).c");
    scratch_write("in/b/clamp_final.c", "2");
    scratch_write("in/c/clamp2.c", "3");
    scratch_write("in/c/clamp3.c", "3");
    scratch_write("in/d/clamp.c", "4"); /* to be packed */
    snprintf(command, sizeof command, "cd '%s' && python3 -B -m zipfile -c hw.zip clamp.c && rm clamp.c",
             scratch_path("in/d"));
    cr_assert_eq(system(command), 0);
    scratch_write("in/e/notes.md", "");
    copy_stub(clamp, "in/g/clamp_copy.c");
    scratch_write("in/h/final/clamp.c", "8");
    copy_stub(clamp, "in/h/clamp.c");
    copy_stub("05-software-pipelining/stub/probe.c", "in/f/5/probe.c");
    scratch_write("in/f/5/dot.c", "1");
    scratch_write("in/f/5/probe-new.c", "6");
    struct grade_class *class = find();
    expect_files(class, 0, 0, "a/work/03-branch-elimination/clamp2.c");
    expect_entry(class, "a", 0, FOUND_FILES, "work/03-branch-elimination",
                 "clamp2.c is taken for clamp.c; the untouched stub clamp.c does not count");
    expect_files(class, 1, 0, "b/clamp_final.c");
    expect_entry(class, "b", 0, FOUND_FILES, ".",
                 "the untouched stub in work/03-branch-elimination does not count");
    expect_files(class, 2, 0, "c/work/03-branch-elimination/clamp.c");
    expect_entry(class, "c", 0, FOUND_FILES, "work/03-branch-elimination",
                 "clamp2.c and clamp3.c could be clamp.c: hand in one");
    cr_expect_str_eq(class->students[3].entries[0].files[0].data, "4");
    expect_entry(class, "d", 0, FOUND_FILES, ".",
                 "the untouched stub in work/03-branch-elimination does not count");
    expect_files(class, 4, 0, "e/work/03-branch-elimination/clamp.c");
    expect_entry(class, "e", 0, FOUND_FILES, "work/03-branch-elimination", "");
    expect_files(class, 5, 1, "f/5/dot.c f/5/probe-new.c");
    expect_files(class, 6, 0, "g/clamp_copy.c");
    expect_files(class, 7, 0, "h/final/clamp.c");
    grade_class_free(class);
}

/* Two exercises with a file of the same name: only the folder tells. */
Test(grade_find, ambiguous)
{
    struct exercise *twice[2] = {exercises[0], exercises[0]};
    struct exercise copy = *exercises[0];
    struct error err = {""};
    copy.id = "06-other";
    copy.slug = "other";
    copy.number = 6;
    twice[1] = &copy;
    scratch_write("in/a/clamp.c", "1");
    scratch_write("in/b/6/clamp.c", "1");
    struct grade_class *class =
        grade_find(scratch_path("in"), (const struct exercise *const *)twice, 2, ISA_AARCH64, &err);
    cr_assert(class, "%s", err.text);
    expect_entry(class, "a", 0, FOUND_NOTHING, "", "could be of 03-branch-elimination or of 06-other");
    expect_entry(class, "b", 1, FOUND_FILES, "6", "");
    grade_class_free(class);
    scratch_write("in/c/my_clamp.c", "1");
    class = grade_find_beside(scratch_path("in"), (const struct exercise *const *)twice,
                              (const bool[]){true, false}, NULL, 2, ISA_AARCH64, &err);
    cr_assert(class, "%s", err.text);
    expect_entry(class, "a", 0, FOUND_NOTHING, "", ""); /* graded before: it says nothing */
    expect_entry(class, "a", 1, FOUND_FILES, ".", "");
    expect_entry(class, "c", 1, FOUND_FILES, ".", "my_clamp.c");
    grade_class_free(class);
    scratch_write("ada/06-other/clamp.c", "1"); /* one student's own folders */
    cr_expect_null(
        grade_find(scratch_path("ada"), (const struct exercise *const *)twice, 2, ISA_AARCH64, &err));
    cr_expect(strstr(err.text, "one student's own work"), "%s", err.text);
}

Test(grade_find, nothing_at_all)
{
    refused("No such file");
    mkdir(scratch_path("in"), 0777);
    refused("found none");
    scratch_write("in/submission.txt", "PK");
    refused("there is submission.txt");
    grade_class_free(NULL);
}

Test(grade_find, safe_names)
{
    static const char *const pairs[][2] = {
        {"ada", "ada"},       {"Ada_L-1.x", "Ada_L-1.x"}, {".x", "=2ex"},    {"a b", "a=20b"},
        {"a=20b", "a=3d20b"}, {"\xc3\xbc", "=c3=bc"},     {"a\nb", "a=0ab"}, {"<&\"'", "=3c=26=22=27"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *safe = grade_safe_name(pairs[i][0]);
        cr_expect_str_eq(safe, pairs[i][1]);
        free(safe);
    }
    char long_one[256], long_two[256];
    for (size_t keep = 0; keep < 3; keep++) { /* wherever the cut falls */
        memset(long_one, '\n', 255);
        memset(long_one, 'x', keep);
        long_one[255] = '\0';
        memcpy(long_two, long_one, sizeof long_one);
        long_two[254] = 'y';
        char *one = grade_safe_name(long_one), *two = grade_safe_name(long_two);
        cr_expect_str_neq(one, two);
        cr_expect_leq(strlen(one), 220);
        cr_expect(strstr(one, "0a=~"), "%s", one);
        free(one);
        free(two);
    }
}

Test(grade_find, opening)
{
    size_t size = 0;
    scratch_write("in/a/file", "text");
    cr_assert_eq(symlink("a", scratch_path("in/link")), 0);
    int folder = open(scratch_path("in"), O_RDONLY | O_DIRECTORY);
    char *text = grade_read(folder, "a/file", 4, &size);
    cr_expect_str_eq(text, "text");
    cr_expect_eq(size, 4);
    free(text);
    cr_expect_null(grade_read(folder, "a/file", 3, &size));
    cr_expect_eq(errno, EFBIG);
    cr_expect_null(grade_read(folder, "link/file", 4, &size));
    cr_expect_eq(errno, ELOOP);
    cr_expect_null(grade_read(folder, "a", 4, &size));
    cr_expect_eq(errno, EISDIR);
    cr_expect_null(grade_read(folder, "b/file", 4, &size));
    cr_expect_eq(errno, ENOENT);
    char path[600];
    memset(path, 'n', sizeof path);
    strcpy(path + 300, "/file");
    cr_expect_null(grade_read(folder, path, 4, &size));
    cr_expect_eq(errno, ENAMETOOLONG);
    close(folder);
}

Test(grade_find, hash)
{
    char text[SHA256_TEXT], other[SHA256_TEXT];
    struct sha256 hash = sha256_new();
    sha256_text(&hash, text);
    cr_expect_str_eq(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256_bytes(&hash, "abc", 3);
    sha256_text(&hash, text);
    cr_expect_str_eq(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash = sha256_new();
    sha256_bytes(&hash, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    sha256_text(&hash, text);
    cr_expect_str_eq(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    hash = sha256_new();
    for (int i = 0; i < 1000; i++) {
        char bytes[1000];
        memset(bytes, 'a', sizeof bytes);
        sha256_bytes(&hash, bytes, sizeof bytes);
    }
    sha256_text(&hash, text);
    cr_expect_str_eq(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    struct sha256 one = sha256_new(), two = sha256_new();
    sha256_words(&one, "ab");
    sha256_words(&one, "c");
    sha256_words(&two, "a");
    sha256_words(&two, "bc");
    sha256_text(&one, text);
    sha256_text(&two, other);
    cr_expect_str_neq(text, other);
}

Test(grade_find, slices)
{
    static const char *const wrong[] = {"", "1", "0/2", "3/2", "1/0", "a/2", "1/2x", "1/9999", "-1/2", "1/"};
    unsigned slice = 0, slices = 0;
    cr_expect(grade_parse_slice("2/8", &slice, &slices));
    cr_expect(slice == 2 && slices == 8);
    cr_expect(grade_parse_slice("1/1", &slice, &slices));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_not(grade_parse_slice(wrong[i], &slice, &slices), "%s", wrong[i]);
    cr_expect(grade_parse_slices("40", &slices) && slices == 40);
    cr_expect_not(grade_parse_slices("0", &slices) || grade_parse_slices("4x", &slices));
}
