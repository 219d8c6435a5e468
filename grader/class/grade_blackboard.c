/* What Blackboard writes beside each submission, ASSIGNMENT_LOGIN_attempt_TIME.txt:
 *
 *   Name: Jane Doe (jdoe)
 *   Assignment: Branches
 *   ...                              and what the student wrote
 */
#include "grader/class/grade_find_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_HEAD = 1024, MOST_TEXT = 64 << 20 };

/* The first line, in whatever language: malloc'ed login and name. False: it is no such file, or memory is
 * short. */
static bool read_head(int folder, const char *path, char **login, char **name)
{
    char head[MOST_HEAD + 1];
    const int fd = grade_open(folder, path, MOST_TEXT);
    const ssize_t size = fd >= 0 ? read(fd, head, MOST_HEAD) : -1;
    if (fd >= 0)
        close(fd);
    head[size > 0 ? size : 0] = '\0';
    head[strcspn(head, "\r\n")] = '\0';
    char *begin = strstr(head, ": "), *open = strrchr(head, '('), *close = strrchr(head, ')');
    if (!begin || !open || !close || open < begin + 4 || open[-1] != ' ' || close < open + 2 || close[1])
        return false;
    *login = strndup(open + 1, (size_t)(close - open - 1));
    *name = strndup(begin + 2, (size_t)(open - begin - 3));
    return *login && *name;
}

/* Blackboard's own, whatever a student calls a file: nothing is between mark and time. */
static bool is_head(const struct handed_part *part)
{
    static const char mark[] = "_attempt_", like[] = "2026-11-20-10-00-00.txt";
    const size_t length = strlen(part->path), size = strlen(part->as), before = sizeof mark - 1;
    return size == sizeof like - 1 && length > size + before &&
           strncmp(part->path + length - size - before, mark, before) == 0;
}

static bool ends_in_login(const char *id, const char *login)
{
    const size_t length = strlen(id), size = strlen(login);
    return length > size + 1 && id[length - size - 1] == '_' && strcmp(id + length - size, login) == 0;
}

/* All parts of the student at `index`, who is called by more than the login so far. */
static bool name_student(struct handed_class *handed, size_t index, const char *login, const char *name)
{
    char *before = strdup(handed->students[index].id);
    bool enough = before != NULL;
    for (size_t i = 0; enough && i < handed->count; i++) {
        struct handed *one = &handed->students[i];
        if (strcmp(one->id, before) != 0)
            continue;
        free(one->id);
        free(one->name);
        one->id = strdup(login);
        one->name = strdup(name);
        enough = one->id && one->name;
    }
    free(before);
    return enough;
}

bool blackboard_name_students(int folder, struct handed_class *handed)
{
    bool enough = true;
    for (size_t i = 0; enough && i < handed->count; i++) {
        const struct handed *one = &handed->students[i];
        char *login = NULL, *name = NULL;
        if (is_head(&one->parts[0]) && read_head(folder, one->parts[0].path, &login, &name) &&
            ends_in_login(one->id, login))
            enough = name_student(handed, i, login, name);
        free(login);
        free(name);
    }
    return enough;
}
