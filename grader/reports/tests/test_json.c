#include "grader/tests/scratch.h"

#include <cjson/cJSON.h>
#include <sys/resource.h>
#include <signal.h>
#include "grader/reports/report.h"
#include "grader/reports/tests/samples.h"

static struct result *results[SAMPLES];

static void setup(void)
{
    scratch_make();
    for (int kind = 0; kind < SAMPLES; kind++)
        results[kind] = sample((enum sample)kind);
}

static void teardown(void)
{
    for (int kind = 0; kind < SAMPLES; kind++)
        result_free(results[kind]);
    scratch_remove();
}

TestSuite(report_json, .init = setup, .fini = teardown);
TestSuite(report_write, .init = setup, .fini = teardown);

static const char *spec(const char *name)
{
    static char text[4096];
    snprintf(text, sizeof text, "json:%s", scratch_path(name));
    return text;
}

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

Test(report_json, values_arrive)
{
    char *text = report_json(results, SAMPLES);
    cJSON *report = cJSON_Parse(text);
    cr_assert(report);
    cr_expect_eq(get(report, "schema")->valueint, 3);
    const cJSON *list = get(report, "results");
    cr_assert_eq(cJSON_GetArraySize(list), SAMPLES);

    const cJSON *r = cJSON_GetArrayItem(list, SAMPLE_SLOW);
    cr_expect_eq(get(r, "exercise")->valueint, 3);
    cr_expect_str_eq(get(r, "seed")->valuestring, "4f3a-18446744073709551615");
    cr_expect_str_eq(get(r, "verdict")->valuestring, "fail");
    cr_expect_float_eq(get(r, "score")->valuedouble, 4.061, 1e-12);
    cr_expect_str_eq(get(get(r, "target"), "tier")->valuestring, "calibrated");
    cr_expect(cJSON_IsNull(get(get(r, "target"), "core")));
    const cJSON *check = cJSON_GetArrayItem(get(r, "checks"), 2);
    cr_expect_str_eq(get(check, "name")->valuestring, "random-faster");
    cr_expect_float_eq(get(check, "bound")->valuedouble, 7.1, 1e-12);
    cr_expect(cJSON_IsNull(get(cJSON_GetArrayItem(get(r, "checks"), 0), "measured")));
    const cJSON *m = cJSON_GetArrayItem(get(r, "measurements"), 0);
    cr_expect_float_eq(get(m, "ticks")->valuedouble, 500000.5, 1e-9);
    cr_expect(cJSON_IsNull(get(get(m, "counters"), pmu_event_name(PMU_CYCLES))));

    r = cJSON_GetArrayItem(list, SAMPLE_UNSTABLE);
    cr_expect(cJSON_IsNull(get(r, "score")));
    cr_expect(cJSON_IsNull(get(cJSON_GetArrayItem(get(r, "checks"), 2), "high")));
    cr_expect(cJSON_IsNull(get(cJSON_GetArrayItem(get(r, "measurements"), 0), "cycles")));
    r = cJSON_GetArrayItem(list, SAMPLE_PASS);
    m = cJSON_GetArrayItem(get(r, "measurements"), 0);
    cr_expect_eq(get(get(m, "counters"), pmu_event_name(PMU_BRANCH_MISSES))->valueint, 32768);
    r = cJSON_GetArrayItem(list, SAMPLE_QEMU);
    cr_expect_str_eq(get(get(r, "target"), "core")->valuestring, "cortex-a55");
    cr_expect(cJSON_IsNull(get(get(r, "target"), "tier")));
    m = cJSON_GetArrayItem(get(r, "measurements"), 1);
    cr_expect_eq(cJSON_GetArraySize(get(m, "counters")), MODEL_EVENT_COUNT, "all that the model counts");
    cr_expect_eq(get(get(m, "counters"), model_event_name(MODEL_UOPS))->valueint, 65536 << 2);
    cJSON_Delete(report);
    free(text);
}

/* Memory that runs out at the n-th request of the JSON library. */
static long left;

static void *short_malloc(size_t size)
{
    return left-- > 0 ? malloc(size) : NULL;
}

Test(report_json, out_of_memory_is_no_half_report)
{
    struct error err;
    cJSON_Hooks hooks = {.malloc_fn = short_malloc, .free_fn = free};
    cJSON_InitHooks(&hooks);
    long needed = 0;
    for (; needed < 100000; needed++) {
        left = needed;
        char *text = report_json(&results[SAMPLE_PASS], 1);
        if (text) {
            free(text);
            break;
        }
    }
    left = 10;
    bool written = report_write(spec("report.json"), results, 1, &err);
    cJSON_InitHooks(NULL);
    cr_expect(needed > 100 && needed < 100000);
    cr_expect_not(written);
    expect_has(err.text, "out of memory");
    cr_expect_neq(access(scratch_path("report.json"), F_OK), 0);
}

/* A small validator run by the interpreter that setup installs with the schema package. */
static int python(const char *arguments)
{
    char command[8192];
    snprintf(command, sizeof command, "python3 -W ignore %s >/dev/null 2>&1", arguments);
    return system(command);
}

Test(report_json, every_kind_fits_the_schema)
{
    struct error err;
    if (python("-c 'import jsonschema'") != 0)
        scratch_skip("python3-jsonschema is not installed");
    cr_assert_eq(
        python("-c 'import json, jsonschema; "
               "jsonschema.Draft7Validator.check_schema(json.load(open(\"docs/report.schema.json\")))'"),
        0);
    char arguments[8000];
    for (int kind = 0; kind <= SAMPLES; kind++) { /* each alone, then all in one */
        bool all = kind == SAMPLES;
        cr_assert(report_write(spec("report.json"), all ? results : &results[kind], all ? SAMPLES : 1, &err),
                  "%s", err.text);
        snprintf(arguments, sizeof arguments, "-m jsonschema -i '%s' docs/report.schema.json",
                 scratch_path("report.json"));
        cr_expect_eq(python(arguments), 0, "kind %d", kind);
    }
    /* and the schema is one that says no */
    static const char *const bad[] = {"{}", "{\"schema\":1,\"results\":[]}", "{\"schema\":2,\"results\":[]}",
                                      "{\"schema\":2,\"results\":[{}]}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scratch_write("report.json", bad[i]);
        cr_expect_neq(python(arguments), 0, "%s", bad[i]);
    }
}

/* Each key of the schema is told in docs/report.md. */
static void expect_documented(const cJSON *object, const char *doc)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, get(object, "properties"))
    {
        char marked[80], dotted[80];
        snprintf(marked, sizeof marked, "`%s`", item->string);
        snprintf(dotted, sizeof dotted, ".%s`", item->string);
        cr_expect(strstr(doc, marked) || strstr(doc, dotted), "docs/report.md lacks %s", marked);
    }
}

static char *read_whole(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    cr_assert(file, "%s", path);
    cr_assert(getdelim(&text, &size, EOF, file) > 0);
    fclose(file);
    return text;
}

Test(report_json, each_field_is_documented)
{
    char *text = read_whole("docs/report.schema.json"), *doc = read_whole("docs/report.md");
    cJSON *schema = cJSON_Parse(text);
    const cJSON *item;
    cr_assert(schema);
    expect_documented(schema, doc);
    cJSON_ArrayForEach(item, get(schema, "definitions"))
    {
        expect_documented(item, doc);
    }
    cJSON_Delete(schema);
    free(text);
    free(doc);
}

Test(report_write, formats_and_places_are_refused_early)
{
    struct error err;
    cr_expect_not(report_parse("xml:a", &err));
    expect_has(err.text, "found `xml:a`");
    cr_expect_not(report_parse("json", &err));
    cr_expect_not(report_parse("json:", &err));
    expect_has(err.text, "expected FORMAT:FILE");
    cr_expect_not(report_parse(spec("no/report.json"), &err));
    expect_has(err.text, "there is no folder");
    scratch_write("file", "");
    cr_expect_not(report_parse(spec("file/report.json"), &err));
    expect_has(err.text, "is a file");
    cr_expect_not(report_parse(spec(""), &err));
    expect_has(err.text, "is a folder");
    cr_expect_not(report_write(spec(""), results, 1, &err));
    cr_expect_not(report_write("xml:a", results, 1, &err));
    cr_expect(report_parse("json:-", &err));
    cr_expect(report_parse("json:/dev/null", &err));
    cr_expect(report_parse("json:name-in-this-folder.json", &err) || access(".", W_OK) != 0);
    cr_expect(report_parse("json:/name", &err) || geteuid() != 0);
    cr_expect(report_parse(spec("report.json"), &err));
    cr_expect_neq(access(scratch_path("report.json"), F_OK), 0);
}

Test(report_write, read_only_folder)
{
    struct error err;
    if (geteuid() == 0)
        scratch_skip("root may write everywhere");
    chmod(scratch_root, 0555);
    cr_expect_not(report_parse(spec("report.json"), &err));
    cr_expect_not(report_write(spec("report.json"), results, 1, &err));
    chmod(scratch_root, 0755);
    expect_has(err.text, "no file can be written in");
}

Test(report_write, whole_with_a_newline_at_its_end)
{
    struct error err;
    cr_assert(report_write(spec("report.json"), results, 1, &err), "%s", err.text);
    char *text = scratch_read("report.json");
    cr_expect_eq(text[strlen(text) - 1], '\n');
    cJSON *report = cJSON_Parse(text);
    cr_expect(report);
    cJSON_Delete(report);
    free(text);
}

Test(report_write, a_link_stays_a_link)
{
    struct error err;
    struct stat info;
    scratch_write("there/old.json", "old");
    cr_assert_eq(symlink("there/old.json", scratch_path("report.json")), 0);
    cr_assert(report_write(spec("report.json"), results, 1, &err), "%s", err.text);
    cr_expect(lstat(scratch_path("report.json"), &info) == 0 && S_ISLNK(info.st_mode));
    char *text = scratch_read("there/old.json");
    expect_has(text, "\"schema\"");
    free(text);
}

Test(report_write, full_disk)
{
    struct error err;
    if (access("/dev/full", W_OK) == 0) {
        cr_expect_not(report_write("json:/dev/full", results, 1, &err));
        expect_has(err.text, "No space left");
    }
    scratch_write("report.json", "old");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit small = {.rlim_cur = 100, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    bool ok = report_write(spec("report.json"), results, 1, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_not(ok);
    expect_has(err.text, "cannot be written");
    scratch_expect("report.json", "old");
}

Test(report_write, devices_stay)
{
    struct error err;
    struct stat info;
    cr_expect(report_write("json:/dev/null", results, 1, &err), "%s", err.text);
    cr_expect(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    cr_expect_not(report_write("json:/dev/fd/999", results, 1, &err));
    expect_has(err.text, "cannot be written");
    cr_expect_not(report_parse("json:/dev/no/such", &err));
    expect_has(err.text, "there is no folder /dev/no");
}

/* What has been printed before stays before it, in a file too. */
Test(report_write, standard_output_by_any_name)
{
    static const char *const specs[] = {"json:-", "json:/dev/stdout", "json:/dev/fd/1",
                                        "json:/proc/self/fd/1"};
    struct error err;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fflush(stdout);
        cr_assert(freopen(scratch_path("stdout"), "w", stdout));
        cr_expect(report_takes_stdout(specs[i]));
        cr_expect(report_parse(specs[i], &err), "%s", err.text);
        printf("before\n");
        cr_expect(report_write(specs[i], results, 1, &err), "%s", err.text);
        char *text = scratch_read("stdout");
        cr_expect_eq(strncmp(text, "before\n{", 8), 0, "%s: %.40s", specs[i], text);
        expect_has(text, "\"schema\":\t3");
        free(text);
    }
    cr_expect_not(report_takes_stdout("json:/dev/stderr"));
}
