#include "grader/tests/scratch.h"

#include "grader/base/textfile.h"
#include "grader/core/core_file.h"
#include "grader/core/cores.h"

TestSuite(cores_command, .init = scratch_make, .fini = scratch_remove);

/* What is printed; malloc'ed. */
static char *printed(const char *root, const char *name, bool *ok, struct error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert(out);
    *ok = name ? cores_print_one(out, root, name, err) : cores_print_list(out, root, err);
    fclose(out);
    return text;
}

Test(cores_command, list)
{
    struct error err;
    bool ok;
    char *text = printed(".", NULL, &ok, &err);
    cr_expect(ok, "%s", err.text);
    expect_has(text, "  in order      2 wide   the small core of phones");
    expect_has(text, "  out of order  8 wide   the core of Graviton3");
    expect_has(text, "` explains one");
    char **names = core_list(".", &err);
    cr_assert(names, "%s", err.text);
    for (char **name = names; *name; name++) {
        char row[64];
        snprintf(row, sizeof row, "  %s ", *name);
        expect_has(text, row);
    }
    textfile_names_free(names);
    free(text);
}

Test(cores_command, one)
{
    struct error err;
    bool ok;
    char *text = printed(".", "neoverse-v1", &ok, &err);
    cr_expect(ok, "%s", err.text);
    expect_has(text, "Arm Neoverse V1 (neoverse-v1): ");
    expect_has(
        text,
        "extensions of the instruction set: lse crc32 fp16 dotprod rdm rcpc crypto sha3 fhm fcma jscvt flagm "
        "rcpc2\n");
    expect_has(text, "window          256 ");
    expect_has(text, "64 KiB, 4 ways");
    expect_has(text, "nop                              1        11 a cycle");
    expect_has(text, "4 (2)    3 a cycle       v0 v1 v2 ");
    expect_has(text, "1 in 5 cycles   m0 ");
    expect_has(text, "(3.2 a cycle)");
    expect_has(text, "estimate        nobody has published it: ");
    free(text);
    text = printed(".", "cortex-a72", &ok, &err);
    cr_expect(ok, "%s", err.text);
    expect_has(text, "1.5 a cycle     v0 v1");
    expect_has(text, "instruction set: crc32 crypto\n");
    free(text);
}

Test(cores_command, what_is_wrong)
{
    struct error err;
    bool ok;
    free(printed(".", "z80", &ok, &err));
    cr_expect_not(ok);
    expect_has(err.text, "there is no core `z80`");
    free(printed(scratch_root, NULL, &ok, &err));
    cr_expect_not(ok);
    scratch_write("harness/model/cores/broken.yml", "title: broken\n");
    free(printed(scratch_root, NULL, &ok, &err));
    cr_expect_not(ok);
    expect_has(err.text, "broken.yml:1: about: is missing");
}

Test(cores_command, a_broken_file_hides_no_other_core)
{
    struct error err;
    bool ok;
    char *good = textfile_read("harness/model/cores/neoverse-n1.yml", 1 << 20, NULL, &err);
    cr_assert(good, "%s", err.text);
    scratch_write("harness/model/cores/neoverse-n1.yml", good);
    scratch_write("harness/model/cores/broken.yml", "title: broken\n");
    char *text = printed(scratch_root, NULL, &ok, &err);
    cr_expect_not(ok);
    expect_has(err.text, "broken.yml:1: about: is missing");
    expect_has(
        text,
        "  broken       its file is wrong: `make cores CORE=broken` says what\n  neoverse-n1  out of order");
    free(text);
    free(good);
}
