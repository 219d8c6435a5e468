#include "grader/trace/trace.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "grader/build/build.h"

/* What a file holds, by its ending. */
static const struct kind {
    const char *ending;
    bool drawn;
} kinds[] = {{".kanata", false}, {".svg", true}, {".html", true}};
enum { KIND_KANATA, KIND_SVG, KIND_HTML, KINDS, KIND_TEXT = KINDS };

static unsigned kind_of(const char *file)
{
    size_t length = file ? strlen(file) : 0;
    for (unsigned i = 0; file && i < KINDS; i++) {
        size_t ending = strlen(kinds[i].ending);
        if (length > ending && strcmp(file + length - ending, kinds[i].ending) == 0)
            return i;
    }
    return KIND_TEXT;
}

static bool check_request(const struct trace_request *request, struct error *err)
{
    unsigned kind = kind_of(request->file);
    if (request->file && kind == KIND_TEXT)
        return error_set(err, "OUT: expected a file that ends in .svg, .html or .kanata, found `%.200s`",
                         request->file);
    if (kind != KIND_KANATA && request->count > TRACE_DRAWN)
        return error_set(
            err, "N: expected 1 to %d for text and pictures, found %u (OUT=FILE.kanata takes up to %d)",
            TRACE_DRAWN, request->count, TRACE_MOST);
    return !request->file || textfile_has_folder(request->file, "OUT", err);
}

/* In silence. *untouched: is it the stub? */
static bool take_quietly(const struct trace_request *request, const struct exercise *exercise,
                         const char *what, struct trace *trace, bool *untouched)
{
    char *ignored = NULL;
    size_t size;
    struct error err;
    struct look look;
    FILE *out = open_memstream(&ignored, &size);
    if (!out)
        return false;
    *trace = (struct trace){0};
    bool taken =
        look_open(&look, &request->look, exercise, out, &err) == LOOKED &&
        trace_take(trace, &look, what ? what : look_variant(&look), request->count, out, &err) == LOOKED &&
        trace->count > 0;
    *untouched = look.untouched != NULL;
    if (!taken)
        trace_free(trace);
    look_close(&look);
    fclose(out);
    free(ignored);
    return taken;
}

/* The stub, to be seen beside it, if it is more than a place to begin: one with right results. */
static bool take_stub(const struct trace_request *request, const struct exercise *exercise,
                      struct trace *stub)
{
    char folder[PATH_MAX];
    bool untouched;
    struct trace_request other = *request;
    snprintf(folder, sizeof folder, "%s/exercises/%s/stub", request->look.root, exercise->id);
    other.look.source = folder;
    other.look.variant = VARIANT_STUDENT;
    if (!take_quietly(&other, exercise, "the stub", stub, &untouched))
        return false;
    bool good = !stub->wrong;
    if (!good)
        trace_free(stub);
    return good;
}

unsigned trace_with_stub(const struct trace_request *request, const struct exercise *exercise,
                         struct trace traces[2])
{
    bool untouched;
    if (!take_quietly(request, exercise, NULL, &traces[0], &untouched))
        return 0;
    return !untouched && take_stub(request, exercise, &traces[1]) ? 2 : 1;
}

static bool write_file(const struct trace_request *request, const struct trace *const *traces, unsigned count,
                       struct error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return error_set(err, "out of memory");
    switch (kind_of(request->file)) {
    case KIND_KANATA:
        trace_kanata(out, traces[0]);
        break;
    case KIND_SVG:
        trace_svg(out, traces, count);
        break;
    default:
        trace_html(out, traces, count);
    }
    bool good =
        fclose(out) == 0 ? textfile_replace(request->file, text, size, err) : error_set(err, "out of memory");
    free(text);
    return good;
}

static void write_notes(const struct look *look, const struct trace *trace, FILE *out)
{
    if (look->untouched)
        fprintf(out, "%s\n", look->untouched);
    if (trace->wrong)
        fprintf(out, "Its results are wrong: %s\nIts timeline all the same:\n\n", look->text.message);
}

static int show(const struct trace_request *request, const struct exercise *exercise,
                const struct trace *trace, bool with_stub, FILE *out, struct error *err)
{
    if (!request->file) {
        trace_text(out, trace, request->colour);
        return LOOKED;
    }
    struct trace stub = {0};
    bool beside = with_stub && kinds[kind_of(request->file)].drawn && take_stub(request, exercise, &stub);
    const struct trace *const both[] = {trace, &stub};
    bool good = write_file(request, both, beside ? 2 : 1, err);
    if (good)
        fprintf(out, "%u instructions%s: %s\n", trace->count, beside ? ", and as many of the stub" : "",
                request->file);
    trace_free(&stub);
    return good ? LOOKED : LOOK_SUITE;
}

int trace_exercise(const struct trace_request *request, const struct exercise *exercise, FILE *out,
                   struct error *err)
{
    struct look look;
    struct trace trace = {0};
    if (!check_request(request, err))
        return LOOK_USAGE;
    int status = look_open(&look, &request->look, exercise, out, err);
    if (status == LOOKED)
        status = trace_take(&trace, &look, look_variant(&look), request->count, out, err);
    if (status == LOOKED && trace.count == 0) {
        error_set(err, "nothing was executed");
        status = LOOK_SUITE;
    }
    bool is_stub = look.untouched != NULL;
    if (status == LOOKED)
        write_notes(&look, &trace, out);
    look_close(&look); /* there is one arena at a time */
    if (status == LOOKED)
        status = show(request, exercise, &trace, !is_stub, out, err);
    trace_free(&trace);
    return status;
}
