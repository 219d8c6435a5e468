#include "grader/tests/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/base/cache.h"

TestSuite(cache, .init = scratch_make, .fini = scratch_remove);

static struct sha256 key_of(const char *text)
{
    struct sha256 key = sha256_new();
    sha256_words(&key, text);
    return key;
}

static void put(const char *name, const char *text)
{
    struct sha256 key = key_of(name);
    cache_put(scratch_path("kept"), &key, text, strlen(text));
}

/* NULL where there is nothing. */
static char *get(const char *name)
{
    struct sha256 key = key_of(name);
    size_t size;
    char *data = cache_get(scratch_path("kept"), &key, &size);
    char *text = data ? strndup(data, size) : NULL;
    free(data);
    return text;
}

static void expect(const char *name, const char *text)
{
    char *found = get(name);
    if (text)
        cr_expect_str_eq(found ? found : "(nothing)", text);
    else
        cr_expect_null(found);
    free(found);
}

static char *file_of(const char *name)
{
    static char path[600];
    char text[SHA256_TEXT];
    struct sha256 key = key_of(name);
    sha256_text(&key, text);
    snprintf(path, sizeof path, "%s/%s.entry", scratch_path("kept"), text);
    return path;
}

static void overwrite(const char *path, long at, const char *text)
{
    FILE *file = fopen(path, "r+");
    cr_assert(file, "%s", path);
    fseek(file, at, SEEK_SET);
    fputs(text, file);
    fclose(file);
}

Test(cache, what_is_kept_is_found_under_its_key_alone)
{
    expect("a", NULL);
    put("a", "first");
    put("b", "");
    expect("a", "first");
    expect("b", "");
    expect("c", NULL);
    put("a", "second");
    expect("a", "second");
    cr_expect_eq(scratch_count("kept"), 2);
}

Test(cache, damaged_cut_and_foreign_entries_do_not_count)
{
    put("a", "some contents");
    overwrite(file_of("a"), 100, "!");
    expect("a", NULL);
    put("a", "some contents");
    cr_assert_eq(truncate(file_of("a"), 50), 0);
    expect("a", NULL);
    put("a", "some contents");
    char *from = strdup(file_of("a"));
    cr_assert_eq(rename(from, file_of("b")), 0);
    free(from);
    expect("b", NULL);
}

Test(cache, a_folder_that_cannot_be_made_costs_time_only)
{
    scratch_write("kept", "a file");
    put("a", "first");
    expect("a", NULL);
}

Test(cache, the_oldest_go_when_it_grows)
{
    const size_t size = 7 << 20;
    char *large = calloc(1, size);
    put("old", "small");
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    cr_assert_eq(utimensat(AT_FDCWD, file_of("old"), times, 0), 0);
    for (unsigned i = 0; i < 10; i++) {
        struct sha256 key = sha256_new();
        sha256_number(&key, i);
        cache_put(scratch_path("kept"), &key, large, size);
    }
    expect("old", NULL);
    cr_expect_leq(scratch_count("kept"), CACHE_LIMIT / size);
    free(large);
}

Test(cache, the_key_begins_with_this_very_program)
{
    struct sha256 key, again, none = sha256_new();
    char texts[3][SHA256_TEXT];
    cr_assert(cache_key(&key));
    cr_assert(cache_key(&again));
    sha256_text(&key, texts[0]);
    sha256_text(&again, texts[1]);
    sha256_text(&none, texts[2]);
    cr_expect_str_eq(texts[0], texts[1]);
    cr_expect_str_neq(texts[0], texts[2]);
}
