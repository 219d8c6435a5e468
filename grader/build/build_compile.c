/* Compiling and linking what has been staged. */
#include "grader/build/build_internal.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "grader/base/spawn.h"
#include "grader/base/textfile.h"

enum {
    WALL_MS = 10000,
    CPU_SECONDS = 5,          /* for each file; the exercises' own take 0.3 */
    REPLAY_LARGEST = 1 << 30, /* a replay program holds all that its calls look at */
};

void compiler_name(enum isa isa, char *name, size_t size)
{
    if (isa == isa_native())
        snprintf(name, size, "gcc");
    else
        snprintf(name, size, "%s-linux-gnu-gcc", isa_name(isa));
}

static void add_all(struct strings *argv, const char *const *items)
{
    for (; items && *items; items++)
        strings_add(argv, "%s", *items);
}

/* gcc tells of the programs that it starts (cc1, as, collect2) in words only, and a source can make a
 * compiler say any words. So where a source is a student's a shell stands between, and notes in out/, where
 * no source can have anything written: `b` when it starts one, `e` and the status when that has ended. With
 * -pipe that is cc1 alone: where the assembler may have failed it is done once more without. */
#define WATCH "echo b >>\"$0\"; \"$@\"; s=$?; echo e$s >>\"$0\"; exit $s"

static void watch_command(struct strings *argv, const char *notes)
{
    strings_add(argv, "-wrapper");
    strings_add(argv, "/bin/sh,-c,%s,../out/%s", WATCH, notes);
}

static bool is_c(const char *source)
{
    const size_t length = strlen(source);
    return length > 2 && strcmp(source + length - 2, ".c") == 0;
}

static void compile_command(struct strings *argv, const struct exercise *exercise, enum isa isa,
                            const char *const *defines, const char *source, const char *object)
{
    static const char *const common[] = {
        "-c", "-pipe", "-std=c17", "-g", "-ffreestanding", "-fno-pie", "-Wall", "-Wextra",
        "-Wno-unused-parameter",                        /* a fast answer may need no scratch */
        "-fdiagnostics-color=never", "-fmax-errors=20", /* a file of other bytes has thousands */
        "-I../include", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
        /* the same source is the same code, whenever it is compiled */
        "-Wno-builtin-macro-redefined", "-D__DATE__=\"Jan  1 1970\"", "-D__TIME__=\"00:00:00\"",
        "-D__TIMESTAMP__=\"Thu Jan  1 00:00:00 1970\"", NULL};
    static const char *const own[ISA_COUNT] = {"-fcf-protection=none", "-mno-outline-atomics"};
    char compiler[64];
    compiler_name(isa, compiler, sizeof compiler);
    strings_add(argv, "%s", compiler);
    add_all(argv, common);
    strings_add(argv, "%s", own[isa]);
    for (unsigned i = 0; i < exercise->cflags_count; i++)
        strings_add(argv, "%s", exercise->cflags[i]);
    add_all(argv, defines);
    strings_add(argv, "-o");
    strings_add(argv, "../out/%s", object);
    strings_add(argv, "%s", source);
}

/* Bytes in front of the variant's own code: of all residues of a cache line that code aligned to 16 bytes can
 * have, and in other sets of the caches. */
static const unsigned place_bytes[BUILD_PLACES] = {0, 1024 + 16, 2048 + 32, 3072 + 48};

static void link_command(struct strings *argv, const struct stage *stage, enum variant variant, enum isa isa,
                         unsigned place)
{
    /* Text lies at the linker's default, 0x400000, far below the arena. -fno-lto: no plugin looks into
     * objects. */
    static const char *const common[] = {
        "-static", "-nostdlib", "-no-pie", "-fno-lto", "-Wl,--build-id=none,-z,noexecstack", NULL};
    char compiler[64];
    compiler_name(isa, compiler, sizeof compiler);
    strings_add(argv, "%s", compiler);
    add_all(argv, common);
    strings_add(argv, "-o");
    if (place == 0) {
        strings_add(argv, "%s", variant_name(variant));
    } else {
        strings_add(argv, "%s-%u", variant_name(variant), place);
        strings_add(argv, "-Wa,--defsym,PLACE=%u", place_bytes[place]);
        strings_add(argv, "../place-first.s");
    }
    strings_add(argv, stage->replays ? "../replay.o" : "../runner.o");
    strings_add(argv, "glue.o");
    if (stage->replays) {
        strings_add(argv, "../plan.s");
        strings_add(argv, "@../plan.args");
    }
    if (place > 0) /* behind what some compilers align more, so that it would lie by that alone */
        strings_add(argv, "../place.s");
    for (size_t i = 0; i < stage->count; i++)
        strings_add(argv, "%s", stage->units[i].object);
}

/* A compiler under way. */
struct job {
    char *folder, *ran; /* ran: the notes of what it has started; NULL: none are made */
    struct strings argv;
    struct spawn *spawn;
    struct error err;
    struct spawn_result result;
};

/* For what is a student's. */
static void job_watch(struct job *job, const struct stage *stage, const char *name, enum variant variant)
{
    if (variant == VARIANT_STUDENT && asprintf(&job->ran, "%s/out/%s.ran", stage->folder, name) < 0) {
        job->ran = NULL;
        job->argv.failed = true;
    }
}

static void job_start(struct job *job, const struct stage *stage, const char *folder, bool trusted)
{
    char *out = NULL;
    if (job->ran)
        watch_command(&job->argv, textfile_base_name(job->ran));
    if (job->argv.failed || asprintf(&job->folder, "%s/%s", stage->folder, folder) < 0 ||
        asprintf(&out, "%s/out", stage->folder) < 0) {
        error_set(&job->err, "out of memory");
        return;
    }
    const struct spawn_config config = {.argv = (const char *const *)job->argv.item,
                                        .folder = job->folder,
                                        .tmpdir = out,
                                        .readable = stage->folder,
                                        .trusted = trusted,
                                        .file_size = stage->replays ? REPLAY_LARGEST : 0,
                                        .wall_ms = WALL_MS,
                                        .cpu_seconds = CPU_SECONDS};
    job->spawn = spawn_start(&config, &job->err);
    free(out);
}

static void job_finish(struct job *job)
{
    if (job->spawn)
        spawn_finish(job->spawn, &job->result);
}

static void job_free(struct job *job)
{
    spawn_result_free(&job->result);
    strings_free(&job->argv);
    free(job->folder);
    free(job->ran);
}

/* The compiler says that the disk is full. So could a student's #error: look. */
static bool no_room(const struct stage *stage, const char *output)
{
    struct statvfs disk;
    return (strstr(output, "No space left") || strstr(output, "Read-only file system")) &&
           statvfs(stage->folder, &disk) == 0 &&
           ((disk.f_flag & ST_RDONLY) || disk.f_bavail * disk.f_frsize < 1U << 20 ||
            (disk.f_files > 0 && disk.f_favail == 0)); /* btrfs counts no inodes */
}

/* ---- whose fault it is ---- */

/* Signals that come from outside: not a limit's, and none that a compiler can bring about. */
static bool is_from_outside(int signal)
{
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
           signal == SIGQUIT;
}

struct ran {
    unsigned begun, ended;
    bool failed, killed, spent; /* one by itself; by somebody; by the end of its CPU time */
};

static struct ran read_notes(const struct job *job)
{
    struct ran ran = {0};
    int status;
    FILE *notes = fopen(job->ran, "re");
    for (int c; notes && (c = fgetc(notes)) != EOF;) {
        ran.begun += c == 'b';
        if (c != 'e')
            continue;
        ran.ended++;
        const int got = fscanf(notes, "%d", &status);
        if (got == EOF)
            break;
        if (got != 1 || status == 0 || status == 128 + SIGPIPE)
            continue; /* SIGPIPE: the assembler did not take what it wrote */
        const bool killed = status > 128 && is_from_outside(status - 128);
        ran.killed = ran.killed || killed;
        ran.failed = ran.failed || !killed;
        ran.spent = ran.spent || status == 128 + SIGXCPU;
    }
    if (notes)
        fclose(notes);
    return ran;
}

/* Did this session give it less than it should have? */
static bool is_short(__rlimit_resource_t resource, rlim_t wanted)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted;
}

static bool names_source(const char *what, const char *text)
{
    return strstr(text, what) || strstr(text, ": error:");
}

/* Why the compiler's end says nothing of the source; NULL: it does. */
static const char *why_hindered(const struct job *job, const char *what, const char *output)
{
    const struct spawn_result *result = &job->result;
    if (result->outcome == SPAWN_TIMEOUT)
        return result->starved ? "the compiler hardly got any CPU time: the machine is too busy" : NULL;
    if (result->outcome == SPAWN_SIGNALED && is_from_outside(result->code))
        return "somebody killed the compiler: is there enough memory?";
    if (!job->ran)
        return NULL;
    const struct ran ran = read_notes(job);
    if (ran.killed || ran.ended < ran.begun)
        return "somebody killed the compiler: is there enough memory?";
    if (!ran.failed && !(ran.begun == 0 && names_source(what, output)))
        return "the compiler could not do its work: is `ulimit -u`, `-v` or `-n` low?";
    if (ran.spent && is_short(RLIMIT_CPU, CPU_SECONDS))
        return "the compiler's CPU time was over: `ulimit -t` is lower than the 5 s that it may use";
    if (is_short(RLIMIT_AS, SPAWN_MEMORY) &&
        (strstr(output, "out of memory") || strstr(output, "memory exhausted")))
        return "the compiler had too little memory: `ulimit -v` is lower than the 2 GiB that it may use";
    return NULL;
}

static bool job_done(const struct job *job)
{
    return job->result.outcome == SPAWN_EXITED && job->result.code == 0;
}

/* It failed, but the programs that are watched did not: so the assembler did, or could not be started. */
static bool is_unclear(const struct job *job)
{
    if (!job->ran || job->err.text[0] || job_done(job) || job->result.outcome != SPAWN_EXITED)
        return false;
    const struct ran ran = read_notes(job);
    return ran.begun > 0 && ran.ended == ran.begun && !ran.failed && !ran.killed;
}

/* Once more for the notes; what it said stays, if it fails again. */
static void job_again(struct job *job, const struct stage *stage)
{
    struct job again = {0};
    for (size_t i = 0; i < job->argv.count; i++)
        if (strcmp(job->argv.item[i], "-pipe") != 0)
            strings_add(&again.argv, "%s", job->argv.item[i]);
    unlink(job->ran);
    job_start(&again, stage, stage->sources, false);
    job_finish(&again);
    if (job_done(&again))
        job->result.code = 0;
    job_free(&again);
}

/* True when the job did what it should. Otherwise `result` says why not; `fault` is whose fault it is. */
static bool job_good(const struct job *job, const struct stage *stage, const struct exercise *exercise,
                     const char *what, enum build_outcome fault, struct build_result *result)
{
    const char *output = job->result.output ? job->result.output : "";
    char *tidy;
    if (!job->folder || job->err.text[0]) {
        build_set(result, BUILD_ERROR, "%s", job->err.text);
        return false;
    }
    if (job_done(job))
        return true;
    if (no_room(stage, output)) {
        build_set(result, BUILD_ERROR,
                  "the compiler could not write to %s: no space left; make room there, or set "
                  "TMPDIR to another folder",
                  stage->folder);
        return false;
    }
    tidy = diagnostics_tidy(stage, exercise, output);
    const char *text = tidy ? tidy : "", *line = *text ? "\n" : "",
               *hindered = why_hindered(job, what, output);
    const char *whose = fault == BUILD_ERROR ? "this part of the exercise does not build: " : "";
    if (hindered)
        build_set(result, BUILD_ERROR, "%s: %s%s%s", what, hindered, line, text);
    else if (job->result.outcome == SPAWN_TIMEOUT)
        build_set(result, fault, "%s%s: compiling was stopped after %d s%s%s", whose, what, WALL_MS / 1000,
                  line, text);
    else if (names_source(what, text))
        build_set(result, fault, "%s%s", whose, text);
    else if (*text) /* what went wrong is not in the source */
        build_set(result, fault, "%s%s: the compiler gave up:\n%s", whose, what, text);
    else
        build_set(result, fault, "%s%s: the compiler ended without a message (%s %d)", whose, what,
                  job->result.outcome == SPAWN_SIGNALED ? "signal" : "status", job->result.code);
    free(tidy);
    return false;
}

/* What the compiler has to say about a student's sources though it took them; "" for nothing. */
static void keep_warnings(const struct job *jobs, const struct stage *stage, const struct exercise *exercise,
                          struct build_result *result)
{
    for (size_t i = 0; i < stage->count; i++) {
        const char *output = jobs[i].result.output ? jobs[i].result.output : "";
        char *tidy = *output ? diagnostics_tidy(stage, exercise, output) : NULL, *all = NULL;
        if (tidy && *tidy && result->diagnostics &&
            asprintf(&all, "%s%s%s", result->diagnostics, *result->diagnostics ? "\n" : "", tidy) > 0)
            build_set(result, BUILD_OK, "%s", all);
        free(tidy);
        free(all);
    }
}

/* Where debuggers look for a unit's source: where it came from. */
static void map_sources(struct strings *argv, const struct stage *stage, const struct unit *unit)
{
    char *origin = realpath(unit->origin, NULL);
    const size_t staged = strlen(unit->staged), length = origin ? strlen(origin) : 0;
    if (length > staged + 1)
        strings_add(argv, "-fdebug-prefix-map=%s/%s=%.*s", stage->folder, stage->sources,
                    (int)(length - staged - 1), origin);
    free(origin);
}

static bool compile_all(const struct stage *stage, const struct exercise *exercise, enum variant variant,
                        enum isa isa, const char *const *defines, struct build_result *result)
{
    struct job *jobs = calloc(stage->count + 1, sizeof *jobs);
    const enum build_outcome fault = variant == VARIANT_STUDENT ? BUILD_FAILED : BUILD_ERROR;
    bool good = true;
    if (!jobs) {
        build_set(result, BUILD_ERROR, "out of memory");
        return false;
    }
    struct job *glue = &jobs[stage->count];
    for (size_t i = 0; i < stage->count; i++) {
        compile_command(&jobs[i].argv, exercise, isa, defines, stage->units[i].staged,
                        stage->units[i].object);
        if (variant == VARIANT_STUDENT && is_c(stage->units[i].staged)) {
            strings_add(&jobs[i].argv, "-include");
            strings_add(&jobs[i].argv, "../first.h");
        }
        if (stage->replays) /* it is looked at when the stage is gone */
            map_sources(&jobs[i].argv, stage, &stage->units[i]);
        job_watch(&jobs[i], stage, stage->units[i].object, variant);
        job_start(&jobs[i], stage, stage->sources, variant != VARIANT_STUDENT);
    }
    compile_command(&glue->argv, exercise, isa, defines, "glue.c", "glue.o");
    const bool kept = glue_from_cache(stage, isa, &glue->argv);
    if (!kept)
        job_start(glue, stage, "glue", true);
    for (size_t i = 0; i <= stage->count; i++) {
        job_finish(&jobs[i]);
        if (is_unclear(&jobs[i]))
            job_again(&jobs[i], stage);
    }
    for (size_t i = 0; good && i < stage->count; i++)
        good = job_good(&jobs[i], stage, exercise, stage->units[i].origin, fault, result);
    good = good && (kept || job_good(glue, stage, exercise, "glue.c", BUILD_ERROR, result));
    if (good && variant == VARIANT_STUDENT)
        keep_warnings(jobs, stage, exercise, result);
    if (good && !kept && variant != VARIANT_STUDENT)
        glue_to_cache(stage, isa, &glue->argv);
    for (size_t i = 0; i <= stage->count; i++)
        job_free(&jobs[i]);
    free(jobs);
    return good;
}

static const char *const link_names[BUILD_PLACES] = {"link-0", "link-1", "link-2", "link-3"};

static bool link_all(const struct stage *stage, const struct exercise *exercise, enum variant variant,
                     enum isa isa, unsigned places, struct build_result *result)
{
    struct job jobs[BUILD_PLACES] = {0};
    bool good = true;
    for (unsigned i = 0; i < places; i++) {
        link_command(&jobs[i].argv, stage, variant, isa, i);
        job_watch(&jobs[i], stage, link_names[i], variant);
        job_start(&jobs[i], stage, "out", variant != VARIANT_STUDENT);
    }
    for (unsigned i = 0; i < places; i++)
        job_finish(&jobs[i]);
    for (unsigned i = 0; i < places; i++) {
        good = good && job_good(&jobs[i], stage, exercise, "linking",
                                variant == VARIANT_STUDENT ? BUILD_FAILED : BUILD_ERROR, result);
        job_free(&jobs[i]);
    }
    return good;
}

static bool seal_all(const struct stage *stage, const char *program, unsigned places, struct error *err)
{
    bool good = true;
    for (unsigned i = 0; good && i < places; i++) {
        char *path = build_place(program, i);
        good = path ? stage_seal(stage, path, err) : error_set(err, "out of memory");
        free(path);
    }
    return good;
}

void stage_build(const struct stage *stage, const struct exercise *exercise, enum variant variant,
                 enum isa isa, const char *const *defines, unsigned places, struct build_result *result)
{
    assert(places > 0 && places <= BUILD_PLACES);
    build_set(result, BUILD_OK, "%s", "");
    if (!compile_all(stage, exercise, variant, isa, defines, result))
        return;
    if (variant == VARIANT_STUDENT && !objects_allowed(stage, exercise, isa, result))
        return;
    if (!link_all(stage, exercise, variant, isa, places, result))
        return;
    struct error err;
    if (asprintf(&result->program, "%s/out/%s", stage->folder, variant_name(variant)) < 0) {
        result->program = NULL;
        build_set(result, BUILD_ERROR, "out of memory");
    } else if (!seal_all(stage, result->program, places, &err)) {
        free(result->program);
        result->program = NULL;
        build_set(result, BUILD_ERROR, "%s", err.text);
    } else {
        result->outcome = BUILD_OK;
    }
}
