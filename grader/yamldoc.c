#include "grader/yamldoc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "grader/textfile.h"

enum { MAX_BYTES = 256 << 10, MAX_DEPTH = 32 };

struct yamldoc {
    char *file;
    char *text;
    size_t size;
    yaml_document_t tree;
};

/* ---- libyaml's tree: where things are ---- */

static const char *scalar(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* The value of the last pair with this key, so that of a doubled key the second is named; *key is its node.
 */
static const yaml_node_t *member(yaml_document_t *tree, const yaml_node_t *node, const char *name,
                                 size_t length, const yaml_node_t **key)
{
    const yaml_node_t *value = NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *candidate = yaml_document_get_node(tree, pair->key);
        if (strlen(scalar(candidate)) == length && memcmp(scalar(candidate), name, length) == 0) {
            *key = candidate;
            value = yaml_document_get_node(tree, pair->value);
        }
    }
    return value;
}

/* Follows the path as far as it leads: true when to its end. *line is where that is, from 0. */
static bool follow(const struct yamldoc *doc, const char *path, size_t *line)
{
    yaml_document_t *tree = (yaml_document_t *)&doc->tree; /* libyaml's getters take no const */
    const yaml_node_t *node = yaml_document_get_root_node(tree);
    *line = node ? node->start_mark.line : 0;

    while (node && *path) {
        const yaml_node_t *key = NULL;
        if (*path == '[') {
            char *end;
            unsigned long item = strtoul(path + 1, &end, 10);
            if (node->type != YAML_SEQUENCE_NODE || item < 1 ||
                item > (size_t)(node->data.sequence.items.top - node->data.sequence.items.start))
                return false;
            node = yaml_document_get_node(tree, node->data.sequence.items.start[item - 1]);
            path = end + (*end == ']');
        } else {
            path += *path == '.';
            size_t length = strcspn(path, ".[");
            if (node->type != YAML_MAPPING_NODE || !(node = member(tree, node, path, length, &key)))
                return false;
            path += length;
        }
        if (key || node)
            *line = key ? key->start_mark.line : node->start_mark.line;
    }
    return node != NULL;
}

unsigned yamldoc_line(const struct yamldoc *doc, const char *path)
{
    size_t line;
    follow(doc, path, &line);
    return (unsigned)line + 1;
}

bool yamldoc_has(const struct yamldoc *doc, const char *path)
{
    size_t line;
    return follow(doc, path, &line);
}

bool yamldoc_wrong(const struct yamldoc *doc, struct error *err, const char *path, const char *format, ...)
{
    char text[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(err, "%s:%u: %s%s%s", doc->file, yamldoc_line(doc, path), path, *path ? ": " : "", text);
}

/* What no such file needs, and of which many take libyaml the square of their number: lists within lists,
 * aliases, directives. NULL where the token is fine. */
static const char *unwanted(yaml_token_type_t type, int *depth)
{
    switch (type) {
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN:
        return ++*depth > MAX_DEPTH ? "expected a few levels, found them nested without end" : NULL;
    case YAML_BLOCK_END_TOKEN:
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN:
        --*depth;
        return NULL;
    case YAML_ANCHOR_TOKEN:
        return "expected plain values, found an alias (&name for a *name)";
    case YAML_TAG_DIRECTIVE_TOKEN:
        return "expected plain values, found a directive (%TAG)";
    default:
        return NULL;
    }
}

/* Asked before anything is parsed. What is no YAML at all is left to the parser to tell. */
static bool is_plain(const struct yamldoc *doc, struct error *err)
{
    yaml_parser_t parser;
    yaml_token_t token;
    const char *why = NULL;
    int depth = 0;
    bool more = true;
    if (!yaml_parser_initialize(&parser))
        return error_set(err, "%s: out of memory", doc->file);
    yaml_parser_set_input_string(&parser, (const unsigned char *)doc->text, doc->size);
    while (more && !why && yaml_parser_scan(&parser, &token)) {
        more = token.type != YAML_STREAM_END_TOKEN && token.type != YAML_NO_TOKEN;
        why = unwanted(token.type, &depth);
        if (why)
            error_set(err, "%s:%zu: %s", doc->file, token.start_mark.line + 1, why);
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return !why;
}

static bool parse(struct yamldoc *doc, struct error *err)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set(err, "%s: out of memory", doc->file);
    yaml_parser_set_input_string(&parser, (const unsigned char *)doc->text, doc->size);

    bool ok = yaml_parser_load(&parser, &doc->tree) == 1;
    if (!ok) {
        error_set(err, "%s:%zu: not valid YAML: %s%s%s", doc->file, parser.problem_mark.line + 1,
                  parser.problem ? parser.problem : "out of memory", parser.context ? " " : "",
                  parser.context ? parser.context : "");
    } else if (!yaml_document_get_root_node(&doc->tree)) {
        ok = error_set(err, "%s: expected keys and values, found an empty file", doc->file);
        yaml_document_delete(&doc->tree);
    } else {
        yaml_document_t second;
        if (yaml_parser_load(&parser, &second) == 1) {
            const yaml_node_t *root = yaml_document_get_root_node(&second);
            if (root)
                ok = error_set(err, "%s:%zu: expected one document, found a second one", doc->file,
                               root->start_mark.line + 1);
            yaml_document_delete(&second);
        } else {
            ok = error_set(err, "%s:%zu: not valid YAML: %s", doc->file, parser.problem_mark.line + 1,
                           parser.problem ? parser.problem : "out of memory");
        }
        if (!ok)
            yaml_document_delete(&doc->tree);
    }
    yaml_parser_delete(&parser);
    return ok;
}

struct yamldoc *yamldoc_open(const char *file, struct error *err)
{
    struct yamldoc *doc = calloc(1, sizeof *doc);
    if (!doc) {
        error_set(err, "%s: out of memory", file);
        return NULL;
    }
    doc->file = strdup(file);
    doc->text = textfile_read(file, MAX_BYTES, &doc->size, err);
    if (!doc->file || !doc->text || !is_plain(doc, err) || !parse(doc, err)) {
        free(doc->file);
        free(doc->text);
        free(doc);
        return NULL;
    }
    return doc;
}

void yamldoc_close(struct yamldoc *doc)
{
    if (!doc)
        return;
    yaml_document_delete(&doc->tree);
    free(doc->file);
    free(doc->text);
    free(doc);
}

/* ---- libcyaml: the values ---- */

/* What libcyaml logs of an error: the problem, then a backtrace from the inside out. */
struct trace {
    char problem[256];
    char path[256];
};

static void in_front(struct trace *trace, const char *piece)
{
    const char *rest = trace->path;
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s%s", piece, *rest && *rest != '[' ? "." : "", rest);
    snprintf(trace->path, sizeof trace->path, "%.*s", (int)sizeof trace->path - 1, whole);
}

static void note(cyaml_log_t level, void *context, const char *format, va_list args)
{
    struct trace *trace = context;
    char line[512], name[200];
    unsigned long item;
    (void)level;
    vsnprintf(line, sizeof line, format, args);
    line[strcspn(line, "\n")] = '\0';

    if (sscanf(line, " in mapping field '%199[^']'", name) == 1) {
        in_front(trace, name);
    } else if (sscanf(line, " in sequence entry '%lu'", &item) == 1) {
        snprintf(name, sizeof name, "[%lu]", item);
        in_front(trace, name);
    } else if (strncmp(line, "Load: ", 6) == 0 && !strstr(line, "Backtrace") && !*trace->problem) {
        snprintf(trace->problem, sizeof trace->problem, "%.*s", (int)sizeof trace->problem - 1, line + 6);
    }
}

static const char *event_word(const char *event)
{
    return strcmp(event, "SCALAR") == 0           ? "a single value"
           : strcmp(event, "SEQUENCE_START") == 0 ? "a list"
           : strcmp(event, "MAPPING_START") == 0  ? "keys and values"
                                                  : event;
}

/* The problem again, in this project's words. */
static bool explain(const struct yamldoc *doc, struct trace *trace, cyaml_err_t code, struct error *err)
{
    char first[128], second[128];
    if (sscanf(trace->problem, "Unexpected key: %127[^\n]", first) == 1) {
        char path[400];
        snprintf(path, sizeof path, "%s%s%s", trace->path, *trace->path ? "." : "", first);
        return yamldoc_wrong(doc, err, path, "there is no such key; is it misspelt?");
    }
    if (strncmp(trace->problem, "Mapping field already seen", 26) == 0)
        return yamldoc_wrong(doc, err, trace->path, "expected once, found a second time");
    if (sscanf(trace->problem, "Expecting %127[^,], got event: %127s", first, second) == 2)
        return yamldoc_wrong(doc, err, trace->path, "expected %s, found %s",
                             strcmp(first, "SEQUENCE") == 0  ? "a list"
                             : strcmp(first, "MAPPING") == 0 ? "keys and values"
                                                             : "a single value",
                             event_word(second));
    return yamldoc_wrong(doc, err, trace->path, "%s",
                         *trace->problem ? trace->problem : cyaml_strerror(code));
}

static cyaml_config_t configuration(struct trace *trace)
{
    return (cyaml_config_t){.log_fn = trace ? note : NULL,
                            .log_ctx = trace,
                            .log_level = CYAML_LOG_ERROR,
                            .mem_fn = cyaml_mem,
                            .flags = CYAML_CFG_NO_ALIAS};
}

bool yamldoc_load(const struct yamldoc *doc, const cyaml_schema_value_t *schema, void **data,
                  struct error *err)
{
    struct trace trace = {{0}, {0}};
    cyaml_config_t config = configuration(&trace);
    cyaml_data_t *loaded = NULL;
    cyaml_err_t code = cyaml_load_data((const uint8_t *)doc->text, doc->size, &config, schema, &loaded, NULL);
    if (code != CYAML_OK)
        return explain(doc, &trace, code, err);
    if (!loaded) /* success and nothing: an empty document */
        return error_set(err, "%s: expected keys and values, found an empty file", doc->file);
    *data = loaded;
    return true;
}

void yamldoc_free(const cyaml_schema_value_t *schema, void *data)
{
    cyaml_config_t config = configuration(NULL);
    cyaml_free(&config, schema, data, 0);
}

/* ---- single values ---- */

bool yamldoc_number(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                    uint32_t low, uint32_t high, uint32_t *value)
{
    if (!text)
        return yamldoc_wrong(doc, err, path, "is missing: expected a whole number from %u to %u", low, high);
    size_t digits = strspn(text, "0123456789");
    /* No leading zero: some readers take `010` for eight. */
    bool plain = digits > 0 && digits <= 10 && text[digits] == '\0' && (digits == 1 || *text != '0');
    unsigned long long number = plain ? strtoull(text, NULL, 10) : 0;
    if (!plain || number < low || number > high)
        return yamldoc_wrong(doc, err, path, "expected a whole number from %u to %u, found `%.80s`", low,
                             high, text);
    *value = (uint32_t)number;
    return true;
}

bool yamldoc_bool(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                  bool *value)
{
    static const char *const words[] = {"false", "true"};
    unsigned index = 0;
    bool ok = yamldoc_word(doc, err, path, text, words, 2, &index);
    if (ok)
        *value = index == 1;
    return ok;
}

bool yamldoc_word(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                  const char *const *words, unsigned count, unsigned *index)
{
    char list[400] = "";
    for (unsigned i = 0; i < count; i++) {
        if (text && strcmp(text, words[i]) == 0) {
            *index = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 i == 0           ? ""
                 : i + 1 == count ? " or "
                                  : ", ",
                 words[i]);
    }
    if (!text)
        return yamldoc_wrong(doc, err, path, "is missing: expected %s", list);
    return yamldoc_wrong(doc, err, path, "expected %s, found `%.80s`", list, text);
}
