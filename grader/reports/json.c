/* The JSON report: docs/report.md describes each field. Every key is always there; null is "there is none".
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include "grader/reports/formats.h"
#include "grader/reports/jsonparts.h"
#include "grader/reports/report.h"

static cJSON *make_check(const struct check *c)
{
    const bool m = c->has_measured;
    cJSON *o = cJSON_CreateObject();
    if (o && json_add_string(o, "name", c->name) && json_add_string(o, "kind", check_kind_name(c->kind)) &&
        json_add_string(o, "case", c->case_name) && json_add_string(o, "verdict", verdict_name(c->verdict)) &&
        json_add_number(o, "points", c->points) && json_add_number(o, "score", c->score) &&
        json_add_string(o, "message", c->message) && json_add_string(o, "next", c->next) &&
        json_add_string(o, "metric", m ? c->metric : NULL) &&
        json_add_number(o, "measured", m ? c->measured : NAN) &&
        json_add_number(o, "low", m ? c->low : NAN) && json_add_number(o, "high", m ? c->high : NAN) &&
        json_add_string(o, "comparison", m ? c->comparison : NULL) &&
        json_add_number(o, "bound", m ? c->bound : NAN) && json_add_string(o, "unit", m ? c->unit : NULL) &&
        json_add_number(o, "rounds", m && c->rounds > 0 ? (double)c->rounds : NAN))
        return o;
    cJSON_Delete(o);
    return NULL;
}

static cJSON *make_counters(const struct measurement *m)
{
    const int count = m->modelled ? (int)MODEL_EVENT_COUNT : (int)PMU_EVENTS;
    cJSON *o = cJSON_CreateObject();
    for (int i = 0; o && i < count; i++) {
        const char *name =
            m->modelled ? model_event_name((enum model_event)i) : pmu_event_name((enum pmu_event)i);
        double value = m->modelled              ? (double)m->model.value[i]
                       : m->counters.present[i] ? (double)m->counters.value[i]
                                                : (double)NAN;
        if (!json_add_number(o, name, value)) {
            cJSON_Delete(o);
            o = NULL;
        }
    }
    return o;
}

static cJSON *make_measurement(const struct measurement *m)
{
    cJSON *o = cJSON_CreateObject();
    if (o && json_add_string(o, "case", m->case_name) && json_add_string(o, "variant", m->variant) &&
        json_add_number(o, "elements", (double)m->elements) && json_add_number(o, "cycles", m->cycles) &&
        json_add_number(o, "nanoseconds", m->nanoseconds) && json_add_number(o, "ticks", m->ticks) &&
        json_add_number(o, "minimum_ticks", m->minimum_ticks) &&
        json_add_number(o, "slices", (double)m->slices) &&
        json_add_number(o, "disturbed", (double)m->disturbed) && json_add(o, "counters", make_counters(m)))
        return o;
    cJSON_Delete(o);
    return NULL;
}

static cJSON *make_target(const struct result *r)
{
    const bool native = r->on && r->on[0] == 'n';
    cJSON *o = cJSON_CreateObject();
    if (o && json_add_string(o, "on", r->on) && json_add_string(o, "isa", r->isa) &&
        json_add_string(o, "cpu", native ? r->cpu : NULL) &&
        json_add_string(o, "core", native ? NULL : r->cpu) &&
        json_add_string(o, "tier", native ? tier_name(r->tier) : NULL))
        return o;
    cJSON_Delete(o);
    return NULL;
}

static bool add_lists(cJSON *o, const struct result *r)
{
    cJSON *checks = cJSON_CreateArray(), *measurements = cJSON_CreateArray();
    bool ok = checks && measurements;
    for (size_t i = 0; ok && i < r->checks_count; i++)
        ok = json_append(checks, make_check(&r->checks[i]));
    for (size_t i = 0; ok && i < r->measurements_count; i++)
        ok = json_append(measurements, make_measurement(&r->measurements[i]));
    /* json_add() takes its item in any case, so both are asked. */
    bool added = json_add(o, "checks", checks);
    return json_add(o, "measurements", measurements) && added && ok;
}

static cJSON *make_result(const struct result *r)
{
    cJSON *o = cJSON_CreateObject();
    if (o && json_add_number(o, "exercise", r->number) && json_add_string(o, "id", r->id) &&
        json_add_string(o, "slug", r->slug) && json_add_string(o, "title", r->title) &&
        json_add(o, "target", make_target(r)) && json_add_string(o, "source", r->source) &&
        json_add_string(o, "seed", r->seed ? r->seed : "0") &&
        json_add(o, "student_number",
                 r->student_number ? cJSON_CreateNumber(r->student_number) : cJSON_CreateNull()) &&
        json_add_number(o, "seconds", r->seconds) &&
        json_add_string(o, "verdict", verdict_name(r->verdict)) &&
        json_add_number(o, "exit_status", result_exit_status(r)) &&
        json_add_string(o, "headline", r->headline) && json_add_string(o, "next", r->next) &&
        (!r->mistake || json_add_string(o, "mistake", r->mistake)) && json_add_number(o, "score", r->score) &&
        json_add_number(o, "max_score", r->max_score) && add_lists(o, r))
        return o;
    cJSON_Delete(o);
    return NULL;
}

char *report_json(struct result *const *results, size_t count)
{
    char *text = NULL;
    cJSON *report = cJSON_CreateObject();
    if (report && json_add_number(report, "schema", REPORT_SCHEMA)) {
        cJSON *list = cJSON_CreateArray();
        bool ok = list != NULL;
        for (size_t i = 0; ok && i < count; i++)
            ok = json_append(list, make_result(results[i]));
        if (json_add(report, "results", list) && ok)
            text = cJSON_Print(report);
    }
    cJSON_Delete(report);
    return text;
}

REPORT_FORMAT(json, report_json, "everything; docs/report.md", .early = false);
