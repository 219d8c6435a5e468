#include "grader/tests/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include "grader/base/textfile.h"

TestSuite(textfile, .init = scratch_make, .fini = scratch_remove);

static int entries(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count - 2;
}

Test(textfile, what_was_written_is_read)
{
    struct error err;
    size_t size = 0;
    cr_assert(textfile_replace(scratch_path("a"), "one\0two", 7, &err), "%s", err.text);
    char *text = textfile_read(scratch_path("a"), 7, &size, &err);
    cr_assert(text, "%s", err.text);
    cr_expect_eq(size, 7);
    cr_expect_arr_eq(text, "one\0two", 8);
    free(text);
}

Test(textfile, replacing_keeps_nothing_else)
{
    struct error err;
    scratch_write("a", "a long old text");
    cr_assert(textfile_replace(scratch_path("a"), "new", 3, &err), "%s", err.text);
    scratch_expect("a", "new");
    cr_expect_eq(entries(scratch_root), 1);
}

Test(textfile, leftovers_of_a_killed_run_are_no_obstacle)
{
    struct error err;
    char name[64];
    snprintf(name, sizeof name, "a.tmp-%ld-0", (long)getpid());
    scratch_write(name, "left");
    cr_expect(textfile_replace(scratch_path("a"), "new", 3, &err), "%s", err.text);
    scratch_expect("a", "new");
}

Test(textfile, too_large_absent_folder_and_pipe_are_named)
{
    struct error err;
    scratch_write("a", "12345");
    cr_expect_null(textfile_read(scratch_path("a"), 4, NULL, &err));
    cr_expect_eq(errno, EFBIG);
    expect_has(err.text, "at most 4 bytes");
    cr_expect_null(textfile_read(scratch_path("b"), 4, NULL, &err));
    cr_expect_eq(errno, ENOENT);
    cr_expect_null(textfile_read(scratch_root, 4, NULL, &err));
    expect_has(err.text, "found a folder");
    cr_assert_eq(mkfifo(scratch_path("fifo"), 0600), 0);
    cr_expect_null(textfile_read(scratch_path("fifo"), 4, NULL, &err));
    expect_has(err.text, "regular file");
}

Test(textfile, no_folder_no_file)
{
    struct error err;
    cr_expect_not(textfile_replace(scratch_path("no/a"), "x", 1, &err));
    expect_has(err.text, "No such file");
    cr_assert_eq(mkdir(scratch_path("folder"), 0777), 0);
    cr_expect_not(textfile_replace(scratch_path("folder"), "x", 1, &err));
    cr_expect_eq(entries(scratch_root), 1, "the temporary file is gone again");
}

Test(textfile, a_full_disk_leaves_the_old_text)
{
    struct error err;
    static char large[64 << 10];
    scratch_write("a", "old");
    /* A limit on the size of files stands for the disk. */
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){.rlim_cur = 4096, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    bool ok = textfile_replace(scratch_path("a"), large, sizeof large, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_not(ok);
    expect_has(err.text, "cannot be written");
    scratch_expect("a", "old");
    cr_expect_eq(entries(scratch_root), 1);
}

Test(textfile, folders_are_made_with_those_above)
{
    struct error err;
    struct stat info;
    cr_assert(textfile_make_folder(scratch_path("x/y/z"), &err), "%s", err.text);
    cr_assert(textfile_make_folder(scratch_path("x/y/z"), &err), "twice: %s", err.text);
    cr_expect_eq(stat(scratch_path("x/y/z"), &info), 0);
    scratch_write("file", "");
    cr_expect_not(textfile_make_folder(scratch_path("file/y"), &err));
    expect_has(err.text, "cannot be created");
}

Test(textfile, joining)
{
    static const char *const table[][3] = {
        {".", "a", "a"}, {"", "a", "a"}, {"/r", "a", "/r/a"}, {"/r/", "a", "/r/a"}, {"..", "a/b", "../a/b"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *path = textfile_join(table[i][0], table[i][1]);
        cr_expect_str_eq(path, table[i][2]);
        free(path);
    }
}

Test(textfile, base_name)
{
    cr_expect_str_eq(textfile_base_name("a/b/c.h"), "c.h");
    cr_expect_str_eq(textfile_base_name("c.h"), "c.h");
    cr_expect_str_eq(textfile_base_name("a/"), "");
}
