/* A core's YAML, which is written by hand. One that is accepted has to do as a model, too. */
#include <string.h>

#include "ci/fuzz/fuzz.h"
#include "grader/core/core_file.h"
#include "harness/model/model.h"

enum { OPS = 64, RUNS = 64 };

/* A loop with an instruction of each kind in turn: accesses that stride, its last one a branch back. */
static void run(const struct core *core, unsigned first_class)
{
    struct op ops[OPS];
    uint64_t addresses[OPS];
    struct model_counts counts;
    struct error err = {""};
    for (unsigned i = 0; i < OPS; i++) {
        bool last = i + 1 == OPS;
        ops[i] = (struct op){.address = 0x400000 + 4 * i,
                             .op_class = last ? OP_BRANCH : (uint8_t)((first_class + i) % OP_CLASS_COUNT),
                             .wide = i % 3 == 0,
                             .read_count = 2,
                             .write_count = 1,
                             .reads = {(uint8_t)(i % 30), (uint8_t)(i % 7)},
                             .writes = {(uint8_t)((i + 1) % 30)},
                             .accumulator = OP_NONE,
                             .base_write = OP_NONE,
                             .branch = last ? OP_CONDITIONAL : OP_NO_BRANCH};
        if (i % 4 == 0)
            ops[i].memory = OP_MEMORY_LOAD, ops[i].address_reads = 1, ops[i].registers = 1, ops[i].bytes = 16;
        else if (i % 8 == 1)
            ops[i].memory = OP_MEMORY_STORE, ops[i].address_reads = 2, ops[i].registers = 1, ops[i].bytes = 8;
        else if (i % 8 == 3)
            ops[i].quotient = 64;
    }
    struct model *model = model_create(core, NULL, ops, OPS, &err);
    fuzz_must(model, "the model takes what its reader took");
    for (unsigned r = 0; r < RUNS; r++) {
        for (unsigned i = 0; i < OPS; i++)
            addresses[i] = 0x40000000 + (uint64_t)(r * OPS + i) * 72 * (r % 5 + 1);
        model_run(model, 0, OPS, addresses, r % 7 == 6 ? 0x400000 + 4 * OPS : 0x400000);
    }
    model_count(model, &counts);
    fuzz_must(counts.value[MODEL_INSTRUCTIONS] == OPS * RUNS && counts.value[MODEL_CYCLES] > 0,
              "what was counted");
    model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    static bool ready;
    if (!ready)
        fuzz_make_folder("harness/model/cores");
    ready = true;
    fuzz_write("harness/model/cores/fuzz.yml", data, size);
    struct core_file *file = core_file_open(fuzz_folder(), "fuzz", &err);
    fuzz_must(file || strstr(err.text, "fuzz.yml:"), "an error that names the file");
    for (unsigned i = 0; file && i < file->figure_count; i++)
        fuzz_must(*file->figures[i].value && file->figures[i].meaning && file->figures[i].source, "a figure");
    for (unsigned c = 0; file && c < OP_CLASS_COUNT; c += OPS - 1)
        run(&file->core, c);
    core_file_close(file);
    return 0;
}
