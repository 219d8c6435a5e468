/* A program with a student's code in it, as the linker left it: what the emulated machine maps, whose code
 * each instruction is, and what an address is called in a message. Each word of its code goes through the
 * decoder. */
#include <stdio.h>
#include <string.h>

#include "ci/fuzz/fuzz.h"
#include "grader/build/locate.h"
#include "harness/emu/decode.h"
#include "harness/emu/image.h"
#include "harness/arena/plan.h"

static void look_at_segments(const struct image *image)
{
    fuzz_must(image->segment_count <= IMAGE_SEGMENTS, "segments");
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        fuzz_must(segment->address % IMAGE_PAGE == 0 && segment->size % IMAGE_PAGE == 0 && segment->size > 0,
                  "whole pages");
        fuzz_must(segment->address < ARENA_BASE && segment->size <= ARENA_BASE - segment->address,
                  "below the arena");
    }
}

static void look_at_image(const struct image *image)
{
    look_at_segments(image);
    fuzz_must(image->count > 0 && image->entry_count > 0, "code and entries");
    for (size_t i = 0; i < image->count; i++) {
        struct decoded decoded;
        decode(image->words[i], image->code + 4 * i, &decoded);
        fuzz_must(image->places[i] <= IMAGE_RUNNER, "somebody's code");
    }
}

static void look_at_place(const struct locator *locator, uint64_t address)
{
    struct location location;
    bool found = locator_find(locator, address, &location);
    fuzz_must(found == (*location.function != '\0'), "a function where one was found");
    fuzz_must(memchr(location.function, '\0', sizeof location.function) &&
                  memchr(location.file, '\0', sizeof location.file),
              "texts that end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    struct error err = {""};
    static bool ready;
    if (!ready)
        fuzz_make_folder("job/out");
    ready = true;
    fuzz_write("job/out/program", data, size);
    const char *path = fuzz_path("job/out/program");
    struct locator *locator = locator_open(path);
    for (uint64_t address = 0x400000; locator && address < 0x402000; address += 0x84)
        look_at_place(locator, address);
    if (image_open(&image, path, &err)) {
        look_at_image(&image);
        for (uint32_t i = 0; locator && i < image.entry_count && i < 64; i++)
            look_at_place(locator, image.entries[i]);
        image_close(&image);
    } else {
        fuzz_must(*err.text, "an error that says something");
    }
    locator_close(locator);
    return 0;
}
