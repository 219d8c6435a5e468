#include <criterion/criterion.h>

#include "grader/base/strings.h"

Test(strings, distance)
{
    cr_expect_eq(strings_distance("check", "check"), 0);
    cr_expect_eq(strings_distance("chekc", "check"), 1);
    cr_expect_eq(strings_distance("chck", "check"), 1);
    cr_expect_eq(strings_distance("checks", "check"), 1);
    cr_expect_eq(strings_distance("", "check"), 5);
    cr_expect_eq(strings_distance("ab", "cd"), 2);
    cr_expect_eq(strings_distance("a word that goes on and on and on without an end", ""), 31);
}

Test(strings, has)
{
    struct strings list = {0};
    cr_expect_not(strings_has(&list, "one"));
    strings_add(&list, "one");
    cr_expect(strings_has(&list, "one") && !strings_has(&list, "on"));
    strings_free(&list);
}
