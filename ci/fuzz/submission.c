/* What students hand in: a folder of whatever they put there. The input is a script, a line each, that makes
 * one:
 *
 *     d NAME      a folder, and into it; u: out of it again
 *     D NAME      thirty of them, one in the other
 *     f NAME      a file; F NAME: one that is too large
 *     l NAME>TO   a link, symbolic; h NAME>TO: another name for a file
 *     p NAME      a FIFO; s NAME: a socket; z NAME: a device
 *     n NAME      a file whose name is repeated up to the longest there may be
 *     0 NAME      a file without any permission
 *
 * Names are taken as they come, but for `/` (which stays in TO) and NUL. Outside lies a secret that is in no
 * file of the submission: whatever finds it has followed a link. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "ci/fuzz/fuzz.h"
#include "grader/build/build.h"
#include "grader/class/grade_find.h"
#include "grader/reports/report.h"
#include "grader/class/submission.h"

enum { DEPTH = 64, LINES = 200, MANY = 30, LONGEST_NAME = 255 };

static const char secret[] = "a secret outside of all submissions";

/* ---- making the tree ---- */

struct tree {
    int folders[DEPTH]; /* the way down; [0] is the class */
    unsigned depth;
};

static void enter(struct tree *tree, const char *name)
{
    int above = tree->folders[tree->depth];
    mkdirat(above, name, 0755);
    int fd =
        tree->depth + 1 < DEPTH ? openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd >= 0)
        tree->folders[++tree->depth] = fd;
}

static void leave(struct tree *tree)
{
    if (tree->depth > 1)
        close(tree->folders[tree->depth--]);
}

static void add_file(const struct tree *tree, const char *name, mode_t mode, long long size)
{
    int fd =
        openat(tree->folders[tree->depth], name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0)
        return;
    fuzz_must(write(fd, name, strlen(name)) >= 0 && (size == 0 || ftruncate(fd, size) == 0),
              "a file in the tree");
    close(fd);
}

static void add_link(const struct tree *tree, char *name, bool hard)
{
    int here = tree->folders[tree->depth];
    char *to = strchr(name, '>');
    if (!to)
        return;
    *to++ = '\0';
    if (hard && !strchr(to, '/'))
        linkat(here, to, here, name, 0);
    else if (!hard && symlinkat(to, here, name) != 0)
        return;
}

static void add_long(const struct tree *tree, const char *name)
{
    char repeated[LONGEST_NAME + 1];
    size_t length = strlen(name);
    for (size_t i = 0; i < LONGEST_NAME; i++)
        repeated[i] = length > 0 ? name[i % length] : 'x';
    repeated[LONGEST_NAME] = '\0';
    add_file(tree, repeated, 0644, 0);
}

static void do_line(struct tree *tree, char *line)
{
    char *name = line[1] == ' ' ? line + 2 : line + 1;
    int here = tree->folders[tree->depth];
    for (char *c = name; *c && *c != '>'; c++)
        *c = *c == '/' ? '\\' : *c;
    switch (*line) {
    case 'd':
        enter(tree, name);
        break;
    case 'D':
        for (unsigned i = 0; i < MANY; i++)
            enter(tree, name);
        break;
    case 'u':
        leave(tree);
        break;
    case 'f':
        add_file(tree, name, 0644, 0);
        break;
    case 'F':
        add_file(tree, name, 0644, SOURCE_LIMIT + 1LL);
        break;
    case 'l':
    case 'h':
        add_link(tree, name, *line == 'h');
        break;
    case 'p':
        mknodat(here, name, S_IFIFO | 0644, 0);
        break;
    case 's':
        mknodat(here, name, S_IFSOCK | 0644, 0);
        break;
    case 'z': /* where root runs this: /dev/zero, which has no end */
        mknodat(here, name, S_IFCHR | 0644, makedev(1, 5));
        break;
    case 'n':
        add_long(tree, name);
        break;
    case '0':
        add_file(tree, name, 0, 0);
        break;
    default:
        break;
    }
}

static void make_tree(const uint8_t *data, size_t size)
{
    char line[LONGEST_NAME + 3];
    struct tree tree = {.depth = 0};
    fuzz_make_folder("in");
    tree.folders[0] = open(fuzz_path("in"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fuzz_must(tree.folders[0] >= 0, "a folder for the submissions");
    enter(&tree, "one"); /* there is always a student */
    for (unsigned i = 0; size > 0 && i < LINES; i++) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size,
               used = length < sizeof line - 1 ? length : sizeof line - 1;
        memcpy(line, data, used);
        line[used] = '\0';
        if (used > 0)
            do_line(&tree, line);
        size -= length + (end != NULL);
        data += length + (end != NULL);
    }
    while (tree.depth > 0)
        close(tree.folders[tree.depth--]);
    close(tree.folders[0]);
}

/* However deep: by names alone a path would become too long. */
static void empty(int folder)
{
    DIR *directory = fdopendir(folder);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(folder, entry->d_name, 0) == 0)
            continue;
        int inner = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            empty(inner);
        fuzz_must(unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0, "the tree goes away again");
    }
    closedir(directory);
}

/* ---- looking at what was found ---- */

static bool is_safe(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_=~";
    return *name && *name != '.' && name[strspn(name, allowed)] == '\0' && strlen(name) <= LONGEST_NAME;
}

static void look_at_entry(int in, const struct grade_entry *entry)
{
    if (entry->note)
        fuzz_printable(entry->note);
    fuzz_must(entry->found != FOUND_FILES || (entry->files_count > 0 && *entry->hash),
              "files where some were found");
    for (size_t i = 0; i < entry->files_count && entry->found == FOUND_FILES; i++) {
        size_t size = 0;
        char *data = entry->files[i].path ? grade_read(in, entry->files[i].path, SOURCE_LIMIT, &size) : NULL;
        fuzz_must(data || !entry->files[i].path, "a file that was found can be read");
        fuzz_must(!data || (size <= SOURCE_LIMIT && !memmem(data, size, secret, sizeof secret - 1)),
                  "nothing secret");
        free(data);
    }
}

static void look_at_student(int in, const struct grade_class *class, size_t number)
{
    const struct grade_student *student = &class->students[number];
    fuzz_must(strcmp(student->name, ".") == 0 || is_safe(student->safe), "a safe name");
    for (size_t i = 0; i < number; i++)
        fuzz_must(strcmp(class->students[i].safe, student->safe) != 0, "another safe name for each student");
    if (student->note)
        fuzz_printable(student->note);
    for (size_t i = 0; i < class->exercises_count; i++)
        look_at_entry(in, &student->entries[i]);
}

static void look_at(const char *folder, const struct grade_class *class)
{
    int in = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < class->students_count; i++)
        look_at_student(in, class, i);
    for (size_t i = 0; i < class->ignored_count; i++)
        fuzz_printable(class->ignored[i]);
    close(in);
}

/* ---- one student's, to the reports ---- */

static void look_at_result(struct result *result)
{
    char *json = report_json(&result, 1), *text = NULL;
    size_t size = 0;
    cJSON *parsed = json ? cJSON_Parse(json) : NULL;
    fuzz_must(parsed, "a report that is JSON");
    FILE *out = open_memstream(&text, &size);
    report_text(out, result, false);
    fclose(out);
    fuzz_printable(text);
    cJSON_Delete(parsed);
    free(json);
    free(text);
}

/* What has no files is a result at once; others would be built. */
static void report_on(const struct grade_class *one, enum isa isa)
{
    const struct submission_request request = {
        .root = ".", .folder = fuzz_path("in/one"), .exercises = "2 3 5", .isa = isa};
    const struct check_context context = {.root = ".", .on = "qemu", .seed = "1"};
    struct error err = {""};
    struct submission *submission = submission_open(&request, &err);
    fuzz_must(submission, "a submission that can be opened");
    char **ids = submission_ids(submission);
    for (size_t i = 0; i < one->exercises_count && ids[i]; i++) {
        if (one->students[0].entries[i].found == FOUND_FILES)
            continue;
        struct result *result = submission_check(submission, &context, ids[i], NULL, NULL, &err);
        fuzz_must(result && !(result->score > 0), "a result without points"); /* or no score, unreadable */
        look_at_result(result);
        result_free(result);
    }
    submission_close(submission);
}

/* ---- all of it ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ids[] = {"02-cache-misses", "03-branch-elimination", "05-software-pipelining"};
    enum { COUNT = sizeof ids / sizeof *ids };
    static const struct exercise *exercises[COUNT];
    const enum isa isa = size % 2 ? ISA_AARCH64 : ISA_X86_64;
    struct error err = {""};
    if (!exercises[0]) {
        for (size_t i = 0; i < COUNT; i++)
            fuzz_must((exercises[i] = exercise_read(".", ids[i], &err)), "an exercise");
        fuzz_write("secret", secret, sizeof secret - 1);
    }
    make_tree(data, size);
    struct grade_class *class = grade_find(fuzz_path("in"), exercises, COUNT, isa, &err);
    fuzz_must(class && class->students_count > 0, "the student who is always there");
    look_at(fuzz_path("in"), class);
    grade_class_free(class);
    class = grade_find_one(fuzz_path("in/one"), exercises, COUNT, isa, &err);
    fuzz_must(class && class->students_count == 1, "one student");
    look_at(fuzz_path("in/one"), class);
    if (size % 16 < 2) /* takes longer */
        report_on(class, isa);
    grade_class_free(class);
    empty(open(fuzz_path("in"), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return 0;
}
