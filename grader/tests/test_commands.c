/* The table of commands, and what is parsed by it. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/commands.h"
#include "grader/help.h"

/* Names, and for each option of a command what its users need to see. */
Test(commands, table_is_whole)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command *command = &commands[i];
        const struct option_row *row;
        unsigned arguments = 0;
        cr_assert(command->name && command->summary, "row %zu", i);
        cr_expect_eq(command_find(command->name), command);
        cr_expect(command->kind & (IN_PROGRAM | IN_MAKE), "%s", command->name);
        for (size_t j = 0; (row = command_option(command, j)); j++) {
            cr_expect(row->help && row->reach == OF_COMMANDS, "%s %zu", command->name, j);
            cr_expect(row->flag || row->argument || row->variable, "%s %zu", command->name, j);
            cr_expect(row->variable || command->kind & IN_PROGRAM, "%s %zu", command->name, j);
            cr_expect(row->flag || row->argument || !(command->kind & IN_PROGRAM), "%s %zu", command->name,
                      j);
            cr_expect(!row->variable || row->example, "%s %zu", command->name, j);
            arguments += row->argument != NULL;
        }
        cr_expect_leq(arguments, 1, "%s", command->name);
    }
}

Test(commands, nearest)
{
    cr_expect_str_eq(command_nearest("chekc"), "check");
    cr_expect_str_eq(command_nearest("statsu"), "status");
    cr_expect_str_eq(command_nearest("explian"), "explain");
    cr_expect_null(command_nearest("frobnicate"));
    cr_expect_null(command_nearest(""));
}

static char *line[20];
static int words;

/* "check 3 --seed 7", parsed; gives back what options_parse does. What it made is valid until the next one.
 */
static int parse(const char *text, struct options *options)
{
    static char copy[400], *work;
    char *state = NULL;
    free(work); /* no line here names one */
    snprintf(copy, sizeof copy, "%s", text);
    words = 0;
    for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state))
        line[words++] = word;
    line[words] = NULL;
    *options = (struct options){0};
    int status = options_parse(command_find(line[0]), words, line, options);
    work = (char *)(uintptr_t)options->work;
    return status;
}

Test(options, values)
{
    struct options *options = calloc(1, sizeof *options);
    cr_assert_eq(parse("check 3 --seed 0x10 --on qemu --core a --src d --report json:f", options), 0);
    cr_expect_str_eq(options->exercise, "3");
    cr_expect_str_eq(options->seed, "0x10");
    cr_expect_str_eq(options->on, "qemu");
    cr_expect_str_eq(options->core, "a");
    cr_expect_str_eq(options->source, "d");
    cr_expect_str_eq(options->report, "json:f");
    cr_expect(options->root && options->build);
    cr_assert_eq(parse("cores cortex-a55", options), 0);
    cr_expect_str_eq(options->core, "cortex-a55");
    cr_assert_eq(parse("grade --slice 2/8 --only a --only b --jobs 3 --isolation strict --out o", options),
                 0);
    cr_expect(options->slice == 2 && options->slices == 8 && options->only_count == 2 && options->jobs == 3);
    cr_expect_eq(options->isolation, ISOLATION_STRICT);
    cr_assert_eq(parse("solution --force 4 --root r", options), 0);
    cr_expect(options->force);
    cr_expect_str_eq(options->root, "r");
    cr_assert_eq(parse("drill --sheet=1", options), 0);
    cr_expect(options->sheet);
    cr_assert_eq(parse("status --help", options), 0);
    cr_expect(options->help);
    free(options);
}

/* What was said of it on standard error; malloc'ed. */
static char *refusal(const char *text)
{
    struct options *options = calloc(1, sizeof *options);
    FILE *said = tmpfile();
    int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(said), STDERR_FILENO);
    int status = parse(text, options);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    cr_expect_eq(status, EXIT_USAGE, "%s", text);
    free(options);
    char *found = calloc(1, 1000);
    rewind(said);
    if (fread(found, 1, 999, said) == 0)
        *found = '\0';
    fclose(said);
    return found;
}

Test(options, refusals)
{
    static const struct {
        const char *line, *said;
    } cases[] = {
        {"info 3", "`info` does not take `3`; it takes nothing"},
        {"hint 3 --seed 7", "`hint` does not take `--seed`; it takes EX, --work ("},
        {"check --frobnicate", "`check` does not take `--frobnicate`; it takes [EX], --on"},
        {"check --seed", "`--seed` needs a value"},
        {"check --seed x_", "SEED: expected 1 to 64 letters"},
        {"grade --jobs 300", "JOBS: expected a number from 1 to 256"},
        {"grade --isolation some", "ISOLATION: expected strict or best"},
        {"grade --slice 3/2", "like 2/8"},
        {"grade --gather 0", "--gather: expected the number of slices"},
        {"check --report json:a --report tap:b", "`--report` is there twice: `check` takes one"},
        {"check 3 4", "one exercise at a time"},
        {"sweep 4 --submission x", "`sweep` does not take `--submission`"},
        {"check 3 -on qemu", "`check` does not take `-o`; it takes [EX], --on"},
        {"check 3 -x", "`check` does not take `-x`"},
        {"solution 3 --force=0", "FORCE: expected 1, or no FORCE at all, found `0`"},
        {"grade --dry-run=no", "DRY_RUN: expected 1"},
        {"drill --sheet=", "SHEET: expected 1"},
        {"status --help=1", "`status` does not take `--help=1`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said = refusal(cases[i].line);
        cr_expect(strstr(said, cases[i].said), "%s: %s", cases[i].line, said);
        free(said);
    }
}

Test(help, every_option_is_told)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct option_row *row;
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        help_command(out, &commands[i]);
        fclose(out);
        cr_expect(strstr(text, commands[i].name));
        for (size_t j = 0; (row = command_option(&commands[i], j)); j++)
            cr_expect(strstr(text, !(commands[i].kind & IN_PROGRAM) ? row->variable
                                   : row->flag                      ? row->flag
                                                                    : row->argument),
                      "%s: %s", commands[i].name, text);
        free(text);
    }
}

Test(help, wraps)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    help_wrap(out, "one two three", 4, 2, 11);
    fclose(out);
    cr_expect_str_eq(text, "one two\n  three\n");
    free(text);
}
