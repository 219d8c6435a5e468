/* A student's progress file. The failed call that it names is laid out once more, as `make debug` does, for a
 * case of whatever name. */
#include <string.h>

#include "ci/fuzz/fuzz.h"
#include "grader/student/record.h"
#include "grader/student/replay.h"

enum { FILLINGS = 8 /* each takes its time */ };

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n, 1, PLAN_READ | PLAN_WRITE) != NULL;
}

static void fill(struct lab *lab, struct call *call)
{
    *(uint64_t *)call->args = draw_next(&lab->draw);
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    (void)call;
    (void)why;
    return true;
}

static void replay(struct failing *failing)
{
    static struct arena *arena;
    struct error err = {""};
    const struct case_def def = {.name = failing->case_name,
                                 .args_size = sizeof(uint64_t),
                                 .allocate = allocate,
                                 .fill = fill,
                                 .verify = verify};
    const struct case_table table = {&def, 1};
    size_t call;
    if (!arena)
        arena = arena_create(&err);
    fuzz_must(arena, "an arena");
    if (failing->filling > FILLINGS)
        failing->filling = FILLINGS;
    struct layout *layout = replay_failing(failing, &table, arena, &call, &err);
    fuzz_must(layout || strstr(err.text, "case `"), "an error that names the case");
    if (layout)
        fuzz_must(call < layout_count(layout) && arena_plan(arena)->calls == 1, "one of its calls");
    layout_close(layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record record;
    struct error err = {""};
    fuzz_write("one.json", data, size);
    const bool good = record_read(fuzz_folder(), "one", &record, &err);
    fuzz_must(good || strstr(err.text, "one.json"), "an error that names the file");
    fuzz_must(good || !record.failing.case_name[0], "nothing of a file that is none");
    if (good && record.failing.case_name[0])
        replay(&record.failing);
    return 0;
}
