/* The pipelines are not asked anything while they run: an instruction is given to them alone, and what it has
 * changed says when it was where. */
#include "harness/model/timeline.h"
#include "harness/model/pipeline.h"

void model_timeline(struct model *model, timeline_report *report, void *context)
{
    model->report = report;
    model->report_context = context;
}

/* ---- before ---- */

/* The accounts that an instruction may change. */
struct accounts {
    uint32_t site[3];
    struct model_site before[3];
};

static struct accounts accounts_now(const struct model *model, uint32_t site)
{
    struct accounts accounts = {.site = {site, model->front_site, model->order_site}};
    for (unsigned i = 0; i < 3; i++)
        accounts.before[i] = model->sites[accounts.site[i]];
    return accounts;
}

/* The time from which on it may issue, for all that its operands know: some may come later by an allowance.
 */
static uint64_t operand_time(const struct model *model, const struct step *step)
{
    uint64_t time = 0;
    for (unsigned i = 0; i < step->early_count; i++)
        time = later(time, model->registers[step->early[i]]);
    for (unsigned i = 0; i < step->late_count && !(step->flags & STEP_LATE_DATA); i++)
        time = later(time, late_operand(model, step, step->late[i]));
    return time - step->late_operands;
}

/* ---- after ---- */

static void note_charges(const struct model *model, const struct accounts *accounts, struct timeline_step *to)
{
    for (unsigned i = 0; i < 3; i++) {
        uint32_t site = accounts->site[i];
        bool again = (i > 0 && site == accounts->site[0]) || (i > 1 && site == accounts->site[1]);
        for (unsigned wait = 0; wait < MODEL_WAIT_COUNT && !again; wait++) {
            uint64_t cycles = model->sites[site].cycles[wait] - accounts->before[i].cycles[wait];
            if (cycles && to->charge_count < TIMELINE_CHARGES)
                to->charge[to->charge_count++] =
                    (struct timeline_charge){site, (enum model_wait)wait, cycles};
        }
    }
    for (unsigned level = 1; level < MEMORY_LEVELS; level++)
        if (model->sites[to->site].misses[level] != accounts->before[0].misses[level])
            to->level = level;
}

static uint64_t since(const struct model *model, uint64_t cycle)
{
    return cycle > model->base ? cycle - model->base : 0;
}

static void note_times(const struct model *model, const struct step *step, uint64_t operand,
                       struct timeline_step *to)
{
    const struct flow *flow = &model->flow;
    uint64_t result = model->registers[step->writes[0]];
    to->issue = since(model, model->observed);
    to->dispatch = model->core.kind == CORE_IN_ORDER ? to->issue : since(model, flow->cycle);
    to->fetch = since(model, cycle_of(flow->front));
    if (to->fetch > to->dispatch) /* a barrier's: fetch has begun anew behind it */
        to->fetch = to->dispatch;
    to->dispatch_wait = (enum model_wait)flow->dispatch_reason;
    to->ready = since(model, cycle_of(operand));
    to->operand_wait = (enum model_wait)reason_of(operand);
    to->complete = since(model, cycle_of(result));
    to->result_wait = (enum model_wait)reason_of(result);
    if (model->core.kind == CORE_OUT_OF_ORDER)
        to->commit = since(model, flow->commit_cycle);
    else
        to->commit = later(to->issue + 1, to->complete) - 1;
}

/* ---- running ---- */

static void run_one(struct model *model, uint32_t site, const uint64_t *told, uint64_t next)
{
    const struct step *step = &model->steps[site];
    struct timeline_step to = {.site = site};
    struct accounts accounts = accounts_now(model, site);
    uint64_t mispredicts = model->mispredicts, operand = operand_time(model, step);

    model_execute(model, site, 1, told);
    note_times(model, step, operand, &to);
    to.address = step->memory != OP_NO_MEMORY ? *told : 0;
    if (step->branch != OP_NO_BRANCH)
        model_branch(model, site, next);
    to.mispredicted = model->mispredicts != mispredicts;
    to.cycles = model_end(model) - model->base;
    note_charges(model, &accounts, &to);
    model->report(model->report_context, &to);
}

void timeline_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses,
                  uint64_t next)
{
    for (uint32_t site = first; site < first + count; site++) {
        const struct step *step = &model->steps[site];
        bool last = site + 1 == first + count;
        run_one(model, site, addresses, last ? next : model->start + 4 * (uint64_t)(site + 1));
        addresses += step->memory != OP_NO_MEMORY || step->quotient > 0;
    }
}
