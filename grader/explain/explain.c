#include "grader/explain/explain.h"

#include <stdlib.h>
#include "grader/explain/explain_internal.h"
#include "harness/base/progress.h"

struct explaining {
    const struct explain_request *request;
    struct look *look;
    struct readings *readings; /* of a counter by the student's code; NULL: there are none */
    FILE *out;
    struct error *err;
};

static int write_page(struct explaining *explaining, const struct profile *run, const struct image *image,
                      const struct model_counts *counts, unsigned cores)
{
    const struct look *look = explaining->look;
    char what[96], sentence[512] = "", opinion[256] = "", order[READINGS_TEXT] = "";
    struct listing listing;
    struct error no_loop = {""};

    if (!listing_open(&listing, run, image, explaining->err))
        return LOOK_SUITE;
    listing_sources(&listing, look);
    struct loop_view *view = loop_view(run, image, &no_loop);
    if (view) {
        loop_sentence(run, image, view, sentence, sizeof sentence);
        if (!view->loop.holds_loops)
            mca_ask(look->workdir, &listing, view, opinion, sizeof opinion);
    }
    if (explaining->readings)
        readings_text(explaining->readings, &listing, order, sizeof order);
    snprintf(what, sizeof what, "%s%s", look_variant(look),
             cores > 1 ? ", of two cores the one that the other waits for," : "");
    progress_end();
    if (look->untouched && !explaining->request->html)
        fprintf(explaining->out, "%s\n", look->untouched);
    if (look->wrong && !explaining->request->html)
        fprintf(explaining->out, "Its results are wrong: %s\nWhere its cycles go all the same:\n\n",
                look->text.message);
    const struct explain_page page = {.exercise = look->exercise,
                                      .what = what,
                                      .case_name = look->def->name,
                                      .calls = look->size.calls,
                                      .counts = *counts,
                                      .listing = &listing,
                                      .view = view,
                                      .no_loop = no_loop.text,
                                      .sentence = sentence,
                                      .second_opinion = opinion,
                                      .order = order,
                                      .colour = explaining->request->colour};
    if (explaining->request->html)
        explain_html_write(explaining->out, &page);
    else
        explain_page_write(explaining->out, &page);
    free(view);
    listing_close(&listing);
    return LOOKED;
}

static void before(void *state, struct emulator *emulator)
{
    struct explaining *explaining = state;
    readings_free(explaining->readings); /* of a run whose results were wrong */
    explaining->readings = readings_watch(explaining->look->program, emulator);
}

static int after(void *state, const struct model_task *task, struct emulator *emulator)
{
    struct explaining *explaining = state;
    struct model_counts counts;
    struct image image;
    struct model *model = emulator_later(emulator);
    struct profile run = look_profile(explaining->look, emulator, model);
    (void)task;
    model_count(model, &counts);
    if (!image_open(&image, run.program, explaining->err))
        return LOOK_SUITE;
    int status = write_page(explaining, &run, &image, &counts, emulator_cores(emulator));
    image_close(&image);
    return status;
}

int explain_exercise(const struct explain_request *request, const struct exercise *exercise, FILE *out,
                     struct error *err)
{
    struct look look;
    struct explaining explaining = {.request = request, .look = &look, .out = out, .err = err};
    const struct looker looker = {.before = before, .after = after, .state = &explaining};
    int status = look_open(&look, &request->look, exercise, out, err);
    if (status == LOOKED)
        status = look_run(&look, &looker, out, err);
    readings_free(explaining.readings);
    look_close(&look);
    return status;
}
