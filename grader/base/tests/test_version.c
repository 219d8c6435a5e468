#include "grader/tests/scratch.h"

#include <string.h>
#include "grader/base/version.h"

TestSuite(version, .init = scratch_make, .fini = scratch_remove);

Test(version, is_the_first_line)
{
    char text[VERSION_TEXT];
    scratch_write("version", "0.1 (commit 0123456789ab)\nmore\n");
    cr_expect_str_eq(version_read(scratch_root, text), "0.1 (commit 0123456789ab)");
}

Test(version, unknown_without_a_note)
{
    char text[VERSION_TEXT], longer[200];
    cr_expect_str_eq(version_read(scratch_root, text), "unknown");
    scratch_write("version", "");
    cr_expect_str_eq(version_read(scratch_root, text), "unknown");
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    scratch_write("version", longer);
    cr_expect_str_eq(version_read(scratch_root, text), "unknown");
}
