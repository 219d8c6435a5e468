/* A second opinion on a loop: llvm-mca. */
#include "grader/explain/explain_internal.h"

#include <stdlib.h>
#include <string.h>
#include "grader/base/spawn.h"
#include "grader/base/tool.h"

enum { NEWEST = 40, OLDEST = 11, ROUNDS = 1000 };

/* The newest that is there. */
static bool find_tool(char *name, size_t size)
{
    for (int version = NEWEST; version >= OLDEST; version--) {
        snprintf(name, size, "llvm-mca-%d", version);
        if (spawn_finds(name))
            return true;
    }
    snprintf(name, size, "llvm-mca");
    return spawn_finds(name);
}

/* The path round the loop as assembly; all branches go to one label, which llvm-mca need not know. */
static char *loop_source(const struct listing *listing, const struct hot_loop *loop)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < loop->count; i++) {
        const char *line = listing_text(listing, loop->path[i]);
        int plain = (int)strcspn(line, "<");
        fprintf(out, "%.*s%s\n", plain, line, line[plain] ? ".Ltarget" : "");
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool number_after(const char *output, const char *key, double *value)
{
    const char *at = strstr(output, key);
    if (at)
        *value = strtod(at + strlen(key), NULL);
    return at && *value > 0;
}

static void tell(const char *tool, const char *output, const struct loop_view *view, char *text, size_t size)
{
    double cycles, rounds, throughput;
    if (number_after(output, "Iterations:", &rounds) && number_after(output, "Total Cycles:", &cycles) &&
        number_after(output, "Block RThroughput:", &throughput))
        snprintf(text, size, "%s: %.2f cycles a round, %.2f if no round waited for another; here it is %.2f.",
                 tool, cycles / rounds, throughput, (double)view->loop.cycles / (double)view->loop.rounds);
    else
        snprintf(text, size, "%s says nothing about this loop.", tool);
}

void mca_ask(const struct workdir *workdir, const struct listing *listing, const struct loop_view *view,
             char *text, size_t size)
{
    char tool[32], cpu[CORE_NAME + 8], iterations[32];
    struct error err = {"out of memory"};
    if (listing->missing) {
        snprintf(text, size, "llvm-mca is not asked: %s.", listing->missing);
        return;
    }
    if (!find_tool(tool, sizeof tool)) {
        snprintf(text, size, "for llvm-mca's view of this loop install the package llvm.");
        return;
    }
    snprintf(cpu, sizeof cpu, "-mcpu=%s", listing->run->core->name);
    snprintf(iterations, sizeof iterations, "-iterations=%d", ROUNDS);
    const char *const argv[] = {tool, "-mtriple=aarch64-linux-gnu", cpu, iterations, "loop.s", NULL};
    char *source = loop_source(listing, &view->loop);
    char *folder = source ? tool_folder(workdir, "loop.s", source, &err) : NULL;
    char *output = folder ? tool_run(argv, folder, &err) : NULL;
    if (output)
        tell(tool, output, view, text, size);
    else
        snprintf(text, size, "%.200s", err.text);
    free(output);
    free(folder);
    free(source);
}
