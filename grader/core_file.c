#include "grader/core_file_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/exercise.h"
#include "grader/textfile.h"
#include "harness/emu/decode.h"

static const char *const kinds[] = {"in-order", "out-of-order"};

static const struct {
    const char *name;
    unsigned bit;
} features[] = {
    {"lse", FEATURE_LSE},         {"crc32", FEATURE_CRC32}, {"fp16", FEATURE_FP16},
    {"dotprod", FEATURE_DOTPROD}, {"rdm", FEATURE_RDM},     {"rcpc", FEATURE_RCPC},
};
enum { FEATURES = sizeof features / sizeof *features };

const char *core_feature_name(unsigned bit)
{
    for (unsigned i = 0; i < FEATURES; i++)
        if (features[i].bit == bit)
            return features[i].name;
    return NULL;
}

/* ---- what a value may be ---- */

struct core_path core_path(const char *group, const char *key)
{
    struct core_path path;
    snprintf(path.text, sizeof path.text, "%s%s%s", group, *group && *key ? "." : "", key);
    return path;
}

struct core_path core_path_in(const char *list, unsigned index, const char *key)
{
    struct core_path path;
    snprintf(path.text, sizeof path.text, "%s[%u]%s%s", list, index + 1, *key ? "." : "", key);
    return path;
}

bool core_wrong(const struct core_reading *r, struct core_path path, const char *text)
{
    return yamldoc_wrong(r->doc, r->err, path.text, "%s", text);
}

static bool is_text(const char *text)
{
    if (text[strspn(text, " ")] == '\0')
        return false;
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            return false;
    return true;
}

bool core_check_text(const struct core_reading *r, struct core_path path, const char *text)
{
    if (!text)
        return core_wrong(r, path, "is missing: expected a line of text");
    return is_text(text) || core_wrong(r, path, "expected a line of text, found nothing to read");
}

bool core_check_source(const struct core_reading *r, const char *group, const char *source)
{
    struct core_path path = core_path(group, "source");
    char list[400] = "estimate";
    if (source && strcmp(source, "estimate") == 0)
        return true;
    for (unsigned i = 0; i < r->raw->sources_count; i++) {
        const char *name = r->raw->sources[i].name;
        if (source && strcmp(source, name) == 0)
            return true;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, ", %s", name);
    }
    if (!source)
        return yamldoc_wrong(r->doc, r->err, path.text, "is missing: expected where this figure is from: %s",
                             list);
    return yamldoc_wrong(r->doc, r->err, path.text,
                         "expected where this figure is from (%s), found `%.80s`; "
                         "a new one needs an entry in `sources`",
                         list, source);
}

bool core_says_none(char *const *list, unsigned count)
{
    return count == 1 && strcmp(list[0], "none") == 0;
}

bool core_take_port_names(const struct core_reading *r, const char *path, char *const *list, unsigned count,
                          uint16_t *ports)
{
    const struct core *core = &r->file->core;
    const char *names[CORE_PORTS];
    for (unsigned p = 0; p < core->port_count; p++)
        names[p] = core->port_name[p];
    if (!list)
        return yamldoc_wrong(r->doc, r->err, path, "is missing: expected a list, `[none]` for none");
    if (core_says_none(list, count))
        return true;
    for (unsigned i = 0; i < count; i++) {
        unsigned port = 0;
        if (!yamldoc_word(r->doc, r->err, core_path_in(path, i, "").text, list[i], names, core->port_count,
                          &port))
            return false;
        *ports |= (uint16_t)(1u << port);
    }
    return true;
}

/* ---- sources, ports, features ---- */

static bool take_sources(struct core_reading *r)
{
    if (r->raw->sources_count == 0)
        return core_wrong(r, core_path("sources", ""), "is missing: expected a list of {name: ..., is: ...}");
    for (unsigned i = 0; i < r->raw->sources_count; i++) {
        const struct core_source *source = &r->raw->sources[i];
        if (!source->name || !exercise_is_kebab(source->name) || strcmp(source->name, "estimate") == 0)
            return core_wrong(
                r, core_path_in("sources", i, "name"),
                "expected a short name: words of a-z and 0-9 joined by hyphens, not `estimate`");
        for (unsigned j = 0; j < i; j++)
            if (strcmp(source->name, r->raw->sources[j].name) == 0)
                return core_wrong(r, core_path_in("sources", i, "name"), "is there already");
        if (!core_check_text(r, core_path_in("sources", i, "is"), source->is))
            return false;
    }
    r->file->sources = r->raw->sources;
    r->file->source_count = r->raw->sources_count;
    return true;
}

static bool take_ports(struct core_reading *r)
{
    struct core *core = &r->file->core;
    if (r->raw->ports_count == 0 || r->raw->ports_count > CORE_PORTS)
        return yamldoc_wrong(r->doc, r->err, "ports", "expected a list of 1 to %d of {name: ..., is: ...}",
                             CORE_PORTS);
    for (unsigned i = 0; i < r->raw->ports_count; i++) {
        const struct core_port_text *port = &r->raw->ports[i];
        if (!port->name || !exercise_is_kebab(port->name) || strlen(port->name) >= sizeof core->port_name[0])
            return core_wrong(r, core_path_in("ports", i, "name"),
                              "expected a name of at most 7 letters and digits, like `v0`");
        for (unsigned j = 0; j < i; j++)
            if (strcmp(port->name, core->port_name[j]) == 0)
                return core_wrong(r, core_path_in("ports", i, "name"), "is there already");
        if (!core_check_text(r, core_path_in("ports", i, "is"), port->is))
            return false;
        snprintf(core->port_name[i], sizeof core->port_name[i], "%s", port->name);
    }
    core->port_count = (uint8_t)r->raw->ports_count;
    r->file->ports = r->raw->ports;
    return true;
}

static bool take_features(struct core_reading *r)
{
    const char *names[FEATURES];
    unsigned index = 0;
    for (unsigned i = 0; i < FEATURES; i++)
        names[i] = features[i].name;
    if (!r->raw->features)
        return core_wrong(r, core_path("features", ""), "is missing: expected a list, `[none]` for none");
    if (core_says_none(r->raw->features, r->raw->features_count))
        return true;
    for (unsigned i = 0; i < r->raw->features_count; i++) {
        if (!yamldoc_word(r->doc, r->err, core_path_in("features", i, "").text, r->raw->features[i], names,
                          FEATURES, &index))
            return false;
        r->file->core.features |= (uint8_t)features[index].bit;
    }
    return true;
}

/* ---- the whole ---- */

static bool take_title(struct core_reading *r)
{
    struct core *core = &r->file->core;
    unsigned kind = 0;
    if (!core_check_text(r, core_path("title", ""), r->raw->title) ||
        !core_check_text(r, core_path("about", ""), r->raw->about))
        return false;
    if (strlen(r->raw->title) >= sizeof core->title)
        return core_wrong(r, core_path("title", ""), "is too long: expected at most 63 letters");
    if (!yamldoc_word(r->doc, r->err, "kind", r->raw->kind, kinds, 2, &kind))
        return false;
    core->kind = kind == 0 ? CORE_IN_ORDER : CORE_OUT_OF_ORDER;
    snprintf(core->title, sizeof core->title, "%s", r->raw->title);
    r->file->about = r->raw->about;
    return true;
}

static bool take_all(struct core_reading *r)
{
    return take_title(r) && take_sources(r) && take_features(r) && take_ports(r) && core_take_pipeline(r) &&
           core_take_memory(r) && core_take_caches(r) && core_take_prefetcher(r) && core_take_tlb(r) &&
           core_take_predictor(r) && core_take_classes(r);
}

static char *file_of(const char *root, const char *name)
{
    char relative[256];
    snprintf(relative, sizeof relative, "%s/%.100s.yml", CORE_FOLDER, name);
    return textfile_join(root, relative);
}

struct core_file *core_file_open(const char *root, const char *name, struct error *err)
{
    if (!core_exists(root, name, err))
        return NULL;
    char *path = file_of(root, name);
    struct core_file *file = calloc(1, sizeof *file);
    struct yamldoc *doc = NULL;
    if (!path || !file)
        error_set(err, "out of memory");
    else
        doc = yamldoc_open(path, err);
    bool ok = doc && yamldoc_load(doc, &core_schema, &file->raw, err);
    if (ok) {
        struct core_reading reading = {doc, err, file->raw, file};
        snprintf(file->core.name, sizeof file->core.name, "%s", name);
        ok = take_all(&reading);
    }
    yamldoc_close(doc);
    free(path);
    if (!ok) {
        core_file_close(file);
        file = NULL;
    }
    return file;
}

void core_file_close(struct core_file *file)
{
    if (!file)
        return;
    if (file->raw)
        yamldoc_free(&core_schema, file->raw);
    free(file->rows);
    free(file);
}

bool core_read(const char *root, const char *name, struct core *core, struct error *err)
{
    struct core_file *file = core_file_open(root, name, err);
    if (!file)
        return false;
    *core = file->core;
    core_file_close(file);
    return true;
}
