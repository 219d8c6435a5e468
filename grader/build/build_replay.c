/* A plan and its memory as assembly: segments at the arena's addresses. */
#include "grader/build/build_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/textfile.h"

static bool put(const struct stage *stage, const char *name, const void *data, size_t size, struct error *err)
{
    char *path = textfile_join(stage->folder, name);
    bool good = path && build_cache_write(path, data, size);
    if (!good)
        error_set(err, "cannot write %s in %s: %s", name, stage->folder, strerror(errno));
    free(path);
    return good;
}

/* A region as it is now, in a file of its own. Writable ones are there twice: a round changes them. */
static bool put_region(const struct stage *stage, unsigned index, const struct plan_region *region,
                       FILE *assembly, FILE *arguments, struct error *err)
{
    const bool writable = region->access & PLAN_WRITE;
    char name[32];
    snprintf(name, sizeof name, "region-%u", index);
    fprintf(assembly, "        .section .region%u, \"%s\", %%progbits\n        .incbin \"../%s\"\n", index,
            writable ? "aw" : "a", name);
    if (writable)
        fprintf(assembly,
                "        .section .copies, \"a\", %%progbits\n        .balign 64\n"
                "copy%u:  .incbin \"../%s\"\n",
                index, name);
    fprintf(arguments, "-Wl,--section-start=.region%u=0x%" PRIx64 "\n", index, region->address);
    return put(stage, name, (const void *)region->address, region->size,
               err); // NOLINT(performance-no-int-to-ptr)
}

static bool put_regions(const struct stage *stage, const struct build_replay *replay, FILE *assembly,
                        FILE *arguments, struct error *err)
{
    const struct plan *plan = replay->plan;
    unsigned copies = 0;
    bool good = true;
    fputs("        .section .plan, \"a\", %progbits\n        .incbin \"../plan.bin\"\n", assembly);
    fprintf(arguments, "-Wl,--section-start=.plan=0x%" PRIx64 ",-z,max-page-size=4096\n", ARENA_BASE);
    for (unsigned i = 0; good && i < plan->region_count; i++)
        good = put_region(stage, i, &plan->regions[i], assembly, arguments, err);
    fputs("        .section .rodata\n        .balign 8\n        .globl replay_copies, replay_copies_count, "
          "replay_elements, replay_seconds\nreplay_copies:\n",
          assembly);
    for (unsigned i = 0; i < plan->region_count; i++) {
        if (!(plan->regions[i].access & PLAN_WRITE))
            continue;
        fprintf(assembly, "        .quad 0x%" PRIx64 ", copy%u, 0x%" PRIx64 "\n", plan->regions[i].address, i,
                plan->regions[i].size);
        copies++;
    }
    fprintf(assembly,
            "replay_copies_count: .quad %u\nreplay_elements: .quad %" PRIu64 "\nreplay_seconds: .quad %u\n"
            "        .section .note.GNU-stack, \"\", %%progbits\n",
            copies, replay->elements, replay->seconds);
    return good;
}

bool stage_add_plan(struct stage *stage, enum isa isa, const struct build_replay *replay, struct error *err)
{
    char *texts[2] = {0};
    size_t sizes[2];
    FILE *assembly = open_memstream(&texts[0], &sizes[0]), *arguments = open_memstream(&texts[1], &sizes[1]);
    bool good = assembly && arguments && put_regions(stage, replay, assembly, arguments, err);
    bool whole = assembly && fclose(assembly) == 0;
    whole = arguments && fclose(arguments) == 0 && whole;
    if (!whole)
        good = error_set(err, "out of memory");
    stage->replays = true;
    good = good && put(stage, "plan.bin", replay->plan, sizeof *replay->plan, err) &&
           put(stage, "plan.s", texts[0], sizes[0], err) &&
           put(stage, "plan.args", texts[1], sizes[1], err) && stage_copy_object(stage, isa, "replay.o", err);
    free(texts[0]);
    free(texts[1]);
    return good;
}
