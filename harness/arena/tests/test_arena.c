#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/arena/arena.h"

enum { BYTES = 100000 };

struct fixture {
    struct arena *arena;
    unsigned char *input, *output;
};

static struct fixture open_own(void)
{
    struct error err;
    struct fixture fixture = {.arena = arena_create(&err)};
    cr_assert(fixture.arena, "%s", err.text);
    fixture.input = arena_alloc(fixture.arena, BYTES, 64, PLAN_READ, ARENA_AT_START);
    fixture.output = arena_alloc(fixture.arena, BYTES, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_END);
    cr_assert(fixture.input && fixture.output);
    memset(fixture.input, 1, BYTES);
    memset(fixture.output, 2, BYTES);
    return fixture;
}

static struct fixture open_fixture(void)
{
    struct error err;
    struct fixture fixture = open_own();
    cr_assert(arena_lend(fixture.arena, &err), "%s", err.text);
    return fixture;
}

/* A byte of one of the files, wherever it is mapped. */
static unsigned char in_file(int fd, const void *address)
{
    unsigned char byte = 0xff;
    cr_assert_eq(pread(fd, &byte, 1, (off_t)((uint64_t)address - ARENA_BASE)), 1);
    return byte;
}

static ino_t number_of(int fd)
{
    struct stat info;
    cr_assert_eq(fstat(fd, &info), 0);
    return info.st_ino;
}

/* All that a machine could have written: the status, the buffer, and what lies around it in its region. */
static void scribble(const struct fixture *fixture)
{
    memset((void *)ARENA_STATUS, 3, ARENA_GRANULE);
    const struct plan_region *region = &arena_plan(fixture->arena)->regions[1];
    memset((void *)region->address, 3, region->size);
}

static size_t not_zero(uint64_t address, uint64_t size)
{
    size_t count = 0;
    for (uint64_t i = 0; i < size; i++)
        count += ((const unsigned char *)address)[i] != 0;
    return count;
}

Test(arena, wiped_there_is_nothing_that_a_machine_wrote)
{
    struct fixture fixture = open_fixture();
    const struct plan_region *region = &arena_plan(fixture.arena)->regions[1];
    scribble(&fixture);
    arena_wipe(fixture.arena);
    cr_expect_eq(not_zero(ARENA_STATUS, ARENA_GRANULE), 0);
    cr_expect_eq(not_zero(region->address, region->size), 0);
    cr_expect_eq(fixture.input[BYTES - 1], 1, "what it could only read stays");
    arena_destroy(fixture.arena);
}

Test(arena, lent_all_is_where_it_was_in_files)
{
    struct fixture fixture = open_own();
    struct error err;
    const struct plan plan = *arena_plan(fixture.arena);
    cr_expect_eq(arena_fd(fixture.arena), -1, "so far it is the grader's alone");
    cr_expect_eq(arena_writable_fd(fixture.arena), -1);
    cr_assert(arena_lend(fixture.arena, &err), "%s", err.text);
    cr_expect_eq(memcmp(&plan, arena_plan(fixture.arena), sizeof plan), 0);
    for (size_t i = 0; i < BYTES; i++)
        cr_assert(fixture.input[i] == 1 && fixture.output[i] == 2);
    fixture.input[0] = 3;
    fixture.output[0] = 4;
    cr_expect_eq(in_file(arena_fd(fixture.arena), fixture.input), 3);
    cr_expect_eq(in_file(arena_writable_fd(fixture.arena), fixture.output), 4);
    const ino_t before = number_of(arena_fd(fixture.arena));
    cr_assert(arena_lend(fixture.arena, &err));
    cr_expect_eq(number_of(arena_fd(fixture.arena)), before, "it is lent already");
    arena_destroy(fixture.arena);
}

static void divide(struct fixture *fixture)
{
    arena_reset(fixture->arena);
    fixture->input = arena_alloc(fixture->arena, BYTES, 64, PLAN_READ, ARENA_AT_START);
    fixture->output = arena_alloc(fixture->arena, BYTES, 64, PLAN_READ | PLAN_WRITE, ARENA_ANYWHERE);
    cr_assert(fixture->input && fixture->output);
}

Test(arena, ahead_it_is_in_the_files_as_soon_as_it_is_lent)
{
    struct fixture fixture = open_fixture();
    struct error err;
    arena_go_ahead(fixture.arena, true);
    for (unsigned layout = 0; layout < 2; layout++) {
        divide(&fixture);
        const int fds[] = {arena_fd(fixture.arena), arena_writable_fd(fixture.arena)};
        cr_expect_eq(not_zero((uint64_t)fixture.input, BYTES) + not_zero((uint64_t)fixture.output, BYTES), 0);
        memset(fixture.input, 5, BYTES);
        memset(fixture.output, 6, BYTES);
        arena_border(fixture.arena, (uint64_t)fixture.output);
        for (unsigned i = 0; i < BYTES; i += 1000)
            cr_assert(in_file(fds[0], fixture.input + i) + in_file(fds[1], fixture.output + i) == 0);
        cr_assert(arena_lend(fixture.arena, &err), "%s", err.text);
        for (unsigned i = 0; i < BYTES; i++)
            cr_assert(in_file(fds[0], fixture.input + i) == 5 && in_file(fds[1], fixture.output + i) == 6);
        cr_expect_eq(arena_stray(fixture.arena, (uint64_t)fixture.output), 0, "its border is there as well");
        cr_expect_eq(in_file(fds[1], fixture.output - 1), fixture.output[-1]);
        fixture.output[1] = 7;
        cr_expect_eq(in_file(fds[1], fixture.output + 1), 7, "from there on it is the files'");
    }
    divide(&fixture);
    arena_go_ahead(fixture.arena, false);
    divide(&fixture);
    cr_expect_eq(not_zero((uint64_t)fixture.output, BYTES), 0);
    fixture.output[1] = 8;
    cr_expect_eq(in_file(arena_writable_fd(fixture.arena), fixture.output + 1), 8, "the next one is in them");
    arena_destroy(fixture.arena);
}

/* Of its own memory it gives small layouts' to the next one, and large ones' back. */
Test(arena, reset_memory_of_its_own_is_zero)
{
    const size_t sizes[] = {BYTES, 100 << 20, BYTES};
    struct fixture fixture = open_own();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scribble(&fixture);
        arena_reset(fixture.arena);
        cr_expect_eq(arena_plan(fixture.arena)->region_count, 0);
        cr_expect_eq(not_zero(ARENA_STATUS, ARENA_GRANULE), 0);
        fixture.input = arena_alloc(fixture.arena, sizes[i], 64, PLAN_READ, ARENA_AT_START);
        fixture.output = arena_alloc(fixture.arena, BYTES, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_END);
        cr_assert(fixture.input && fixture.output);
        cr_expect_eq(not_zero((uint64_t)fixture.input, BYTES) + not_zero((uint64_t)fixture.output, BYTES), 0);
        memset(fixture.input, 1, sizes[i]);
    }
    arena_destroy(fixture.arena);
}

Test(arena, reset_nothing_is_left_in_either_file)
{
    struct fixture fixture = open_fixture();
    const int fds[] = {arena_fd(fixture.arena), arena_writable_fd(fixture.arena)};
    static unsigned char granule[ARENA_GRANULE];
    memset(granule, 7, sizeof granule);
    for (off_t at = 0; at < (off_t)(12 * ARENA_GRANULE); at += (off_t)ARENA_GRANULE)
        cr_assert_eq(pwrite(fds[1], granule, sizeof granule, at), (ssize_t)sizeof granule);
    arena_reset(fixture.arena);
    for (uint64_t at = ARENA_GRANULE; at < 12 * ARENA_GRANULE; at += 4096)
        for (size_t i = 0; i < 2; i++)
            cr_expect_eq(in_file(fds[i], (const void *)(ARENA_BASE + at)), 0);
    arena_destroy(fixture.arena);
}

Test(arena, moved_all_is_where_it_was_in_other_files)
{
    struct fixture fixture = open_fixture();
    struct error err;
    const int old = dup(arena_writable_fd(fixture.arena));
    const ino_t before[] = {number_of(arena_fd(fixture.arena)), number_of(arena_writable_fd(fixture.arena))};
    const struct plan plan = *arena_plan(fixture.arena);
    cr_assert(arena_move(fixture.arena, 1, &err), "%s", err.text);
    cr_expect_neq(number_of(arena_fd(fixture.arena)), before[0]);
    cr_expect_neq(number_of(arena_writable_fd(fixture.arena)), before[1]);
    cr_expect_eq(memcmp(&plan, arena_plan(fixture.arena), sizeof plan), 0);
    cr_expect_eq(fixture.input[0], 1);
    cr_expect_eq(fixture.output[BYTES - 1], 2);
    fixture.output[0] = 5;
    cr_expect_eq(in_file(arena_writable_fd(fixture.arena), fixture.output), 5,
                 "what is seen is the new file");
    cr_expect_eq(in_file(old, fixture.output), 0, "the old one has been given back");
    close(old);
    arena_destroy(fixture.arena);
}

Test(arena, each_place_keeps_its_files_and_has_nothing_while_all_is_elsewhere)
{
    struct fixture fixture = open_fixture();
    struct error err;
    const int first = dup(arena_writable_fd(fixture.arena));
    scribble(&fixture);
    for (unsigned place = 1; place <= ARENA_PLACES; place++) { /* and back */
        cr_assert(arena_move(fixture.arena, place % ARENA_PLACES, &err), "%s", err.text);
        cr_expect_eq(fixture.input[BYTES - 1], 1);
        cr_expect_eq(fixture.output[0], 3);
        cr_expect_eq(arena_status(fixture.arena)->state, 0, "the status is none of the contents");
        cr_expect_eq(number_of(arena_writable_fd(fixture.arena)) == number_of(first), place == ARENA_PLACES);
        if (place == 1)
            for (uint64_t at = ARENA_BASE; at < ARENA_REGIONS + 6 * ARENA_GRANULE; at += 64)
                cr_expect_eq(in_file(first, (const void *)at), 0);
    }
    fixture.output[0] = 6;
    cr_expect_eq(in_file(first, fixture.output), 6);
    close(first);
    arena_destroy(fixture.arena);
}

Test(arena, renewed_it_is_empty_and_of_other_files)
{
    struct fixture fixture = open_fixture();
    struct error err;
    const int before = dup(arena_writable_fd(fixture.arena));
    scribble(&fixture);
    cr_assert(arena_renew(fixture.arena, &err), "%s", err.text);
    cr_expect_eq(arena_writable_fd(fixture.arena), -1);
    cr_assert(arena_lend(fixture.arena, &err), "%s", err.text);
    cr_expect_neq(number_of(arena_writable_fd(fixture.arena)), number_of(before));
    close(before);
    cr_expect_eq(arena_plan(fixture.arena)->region_count, 0);
    cr_expect_eq(not_zero(ARENA_STATUS, ARENA_GRANULE), 0);
    unsigned char *output = arena_alloc(fixture.arena, BYTES, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    cr_expect_eq(not_zero((uint64_t)output, BYTES), 0);
    arena_destroy(fixture.arena);
}

Test(arena, anywhere_is_every_alignment_and_ends_in_the_last_line)
{
    struct error err;
    struct arena *arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    unsigned seen = 0, unlike = 0; /* offsets in a line, by steps of 4 bytes; two of a size, apart */
    uint64_t before = 0;
    for (int i = 0; i < 64; i++) {
        const uint64_t at = (uint64_t)arena_alloc(arena, 32, 4, PLAN_READ, ARENA_ANYWHERE);
        const uint64_t end = (at + 32 + ARENA_GRANULE - 1) / ARENA_GRANULE * ARENA_GRANULE;
        cr_assert(at != 0 && at % 4 == 0 && end - (at + 32) < 64);
        seen |= 1U << at % 64 / 4;
        unlike += at % 64 != before % 64;
        before = at;
    }
    cr_expect_eq(seen, 0xffffU);
    cr_expect_gt(unlike, 48);
    cr_expect_eq((uint64_t)arena_alloc(arena, 100, 64, PLAN_READ, ARENA_ANYWHERE) % 64, 0);
    const uint64_t full = (uint64_t)arena_alloc(arena, ARENA_GRANULE, 4, PLAN_READ, ARENA_ANYWHERE);
    cr_expect(full != 0 && full % ARENA_GRANULE == 0, "there is one place for it");
    arena_destroy(arena);
}
