#include "grader/drill/drill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/seed_text.h"
#include "grader/base/textfile.h"
#include "grader/core/core_file.h"
#include "grader/drill/drill_question.h"
#include "grader/drill/drill_schedule.h"
#include "harness/base/seed.h"

enum { CORES = 32 };

struct session {
    const struct drill_request *request;
    struct core cores[CORES];
    unsigned core_count;
    struct drill_schedule schedule;
    uint64_t seed;
    unsigned right, wrong, skipped;
};

static bool read_cores(struct session *session, struct error *err)
{
    const struct drill_request *request = session->request;
    char **names = core_list(request->root, err);
    bool ok = names && (!request->core || core_exists(request->root, request->core, err));
    for (unsigned i = 0; ok && names[i] && session->core_count < CORES; i++)
        if (!request->core || strcmp(names[i], request->core) == 0)
            ok = core_read(request->root, names[i], &session->cores[session->core_count++], err);
    textfile_names_free(names);
    return ok && (session->core_count > 0 || error_set(err, "%s has no core files", request->root));
}

/* A core of the kind that the skill asks for; any where there is none. */
static const struct core *core_for(const struct session *session, const struct drill_skill *skill,
                                   uint64_t draw)
{
    unsigned fitting[CORES], count = 0;
    for (unsigned i = 0; i < session->core_count; i++)
        if ((session->cores[i].kind == CORE_IN_ORDER) == skill->in_order)
            fitting[count++] = i;
    if (count == 0)
        return &session->cores[0];
    return &session->cores[fitting[draw % count]];
}

static bool make_question(const struct session *session, unsigned number, unsigned skill,
                          struct drill_question *question, struct error *err)
{
    struct drill_skill wanted;
    drill_skill_at(skill, &wanted);
    const uint64_t seed = seed_derive(session->seed, number);
    return drill_question_make(&wanted, core_for(session, &wanted, seed_derive(seed, 0)),
                               seed_derive(seed, 1), question, err);
}

/* One answer. False: no more are wanted. */
static bool ask(struct session *session, const struct drill_question *question, unsigned skill, FILE *in,
                FILE *out)
{
    char *line = NULL;
    size_t size = 0;
    bool number = false, right = false, goes_on = false;
    for (;;) {
        fprintf(out, "\n> ");
        fflush(out);
        const ssize_t length = getline(&line, &size, in);
        if (length < 0 || strcmp(line, "q\n") == 0 || strcmp(line, "q") == 0)
            break;
        line[strcspn(line, "\r\n")] = '\0';
        goes_on = true;
        right = drill_answer_is_right(question, line, &number);
        if (number || !*line)
            break;
        fprintf(out, "Expected a number (2.5 or 4/3), nothing for the answer, or q to end; found `%.40s`\n",
                line);
        goes_on = false;
    }
    free(line);
    if (!goes_on)
        return false;
    fprintf(out, "%s", right ? "Right. " : number ? "No. " : "");
    drill_question_explain(question, out);
    *(right ? &session->right : number ? &session->wrong : &session->skipped) += 1;
    drill_schedule_answered(&session->schedule, skill, session->request->today, right);
    return true;
}

static bool run_session(struct session *session, FILE *in, FILE *out, struct error *err)
{
    const struct drill_request *request = session->request;
    struct drill_question question;
    unsigned skill = DRILL_SKILLS;
    bool kept = true;
    struct error why;
    fprintf(out, "Loops run for long, all loads hit the first-level cache, branches are guessed right. A "
                 "number answers, Enter "
                 "shows the answer, q ends.\n");
    for (unsigned number = 0; number < request->questions; number++) {
        skill = drill_schedule_next(&session->schedule, request->today, skill);
        if (!make_question(session, number, skill, &question, err))
            return false;
        fprintf(out, "\n%u of %u. ", number + 1, request->questions);
        drill_question_print(&question, out);
        if (!ask(session, &question, skill, in, out))
            break;
        if (kept && !drill_schedule_write(request->state, &session->schedule, &why)) {
            fprintf(out, "\nNo answer is kept: %s\n", why.text);
            kept = false;
        }
    }
    fprintf(out, "\n%u right, %u wrong, %u shown.%s\n", session->right, session->wrong, session->skipped,
            kept ? " What was wrong comes back first, what was right in some days." : "");
    return true;
}

/* All skills in turn, as a sheet. */
static bool print_sheet(const struct session *session, FILE *out, struct error *err)
{
    struct drill_question question;
    struct drill_skill skill;
    for (unsigned number = 0, index = 0; number < session->request->questions; index++) {
        if (!drill_skill_at(index % DRILL_SKILLS, &skill))
            continue;
        if (!make_question(session, number, index % DRILL_SKILLS, &question, err))
            return false;
        fprintf(out, "%s%u. ", number ? "\n" : "", number + 1);
        number++;
        drill_question_print(&question, out);
        fprintf(out, "\n");
        drill_question_explain(&question, out);
    }
    return true;
}

bool drill(const struct drill_request *request, FILE *in, FILE *out, struct error *err)
{
    struct session session = {.request = request};
    struct error unreadable;
    char fresh[SEED_TEXT];
    if (!read_cores(&session, err) || (!request->seed && !seed_fresh(fresh, err)))
        return false;
    session.seed = seed_number(request->seed ? request->seed : fresh);
    if (!request->sheet && !drill_schedule_read(request->state, &session.schedule, &unreadable))
        fprintf(out, "%s; it is set aside, and begins anew\n", unreadable.text);
    if (!(request->sheet ? print_sheet(&session, out, err) : run_session(&session, in, out, err)))
        return false;
    return fflush(out) == 0 || error_set(err, "cannot write: %s", strerror(errno));
}
