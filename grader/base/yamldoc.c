#include "grader/base/yamldoc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "grader/base/textfile.h"

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

/* The value of the last pair with this key, so that of a doubled key the second is named; *line is its key's.
 */
static const yaml_node_t *member(const struct yamldoc *doc, const yaml_node_t *node, const char *name,
                                 size_t length, size_t *line)
{
    const yaml_node_t *value = NULL;
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = yamldoc_node(doc, pair->key);
        if (strlen(scalar(key)) == length && memcmp(scalar(key), name, length) == 0) {
            *line = key->start_mark.line;
            value = yamldoc_node(doc, pair->value);
        }
    }
    return value;
}

/* The item with the number at *path, counted from 1. */
static const yaml_node_t *item(const struct yamldoc *doc, const yaml_node_t *node, const char *number,
                               size_t *line)
{
    unsigned long index = strtoul(number, NULL, 10);
    if (node->type != YAML_SEQUENCE_NODE || index < 1 ||
        index > (size_t)(node->data.sequence.items.top - node->data.sequence.items.start))
        return NULL;
    node = yamldoc_node(doc, node->data.sequence.items.start[index - 1]);
    *line = node->start_mark.line;
    return node;
}

/* Where the path leads, as far as it does; from 0. */
static size_t line_of(const struct yamldoc *doc, const char *path)
{
    const yaml_node_t *node = yamldoc_node(doc, 0);
    size_t line = node->start_mark.line;
    while (node && *path) {
        path += *path == '.';
        bool is_item = *path == '[';
        size_t length = is_item ? strcspn(path, "]") : strcspn(path, ".[");
        node = is_item ? item(doc, node, path + 1, &line) : member(doc, node, path, length, &line);
        path += length + is_item;
    }
    return line;
}

const struct yaml_node_s *yamldoc_node(const struct yamldoc *doc, int index)
{
    yaml_document_t *tree = (yaml_document_t *)&doc->tree; /* libyaml's getters take no const */
    return index ? yaml_document_get_node(tree, index) : yaml_document_get_root_node(tree);
}

bool yamldoc_wrong(const struct yamldoc *doc, struct error *err, const char *path, const char *format, ...)
{
    char text[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(err, "%s:%zu: %s%s%s", doc->file, line_of(doc, path) + 1, path, *path ? ": " : "", text);
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
static bool is_plain(struct yamldoc *doc, yaml_parser_t *parser, struct error *err)
{
    yaml_token_t token;
    const char *why = NULL;
    int depth = 0;
    for (bool more = true; more && !why && yaml_parser_scan(parser, &token);) {
        more = token.type != YAML_STREAM_END_TOKEN && token.type != YAML_NO_TOKEN;
        why = unwanted(token.type, &depth);
        if (why)
            error_set(err, "%s:%zu: %s", doc->file, token.start_mark.line + 1, why);
        yaml_token_delete(&token);
    }
    return !why;
}

static bool load(const struct yamldoc *doc, yaml_parser_t *parser, yaml_document_t *tree, struct error *err)
{
    return yaml_parser_load(parser, tree) == 1 ||
           error_set(err, "%s:%zu: not valid YAML: %s%s%s", doc->file, parser->problem_mark.line + 1,
                     parser->problem ? parser->problem : "out of memory", parser->context ? " " : "",
                     parser->context ? parser->context : "");
}

static bool parse(struct yamldoc *doc, yaml_parser_t *parser, struct error *err)
{
    yaml_document_t second = {0};
    bool good = load(doc, parser, &doc->tree, err) &&
                (yamldoc_node(doc, 0) ||
                 error_set(err, "%s: expected keys and values, found an empty file", doc->file)) &&
                load(doc, parser, &second, err);
    const yaml_node_t *root = good ? yaml_document_get_root_node(&second) : NULL;
    if (root)
        good = error_set(err, "%s:%zu: expected one document, found a second one", doc->file,
                         root->start_mark.line + 1);
    yaml_document_delete(&second);
    return good;
}
static bool ask(struct yamldoc *doc, bool (*question)(struct yamldoc *, yaml_parser_t *, struct error *),
                struct error *err)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set(err, "%s: out of memory", doc->file);
    yaml_parser_set_input_string(&parser, (const unsigned char *)doc->text, doc->size);
    const bool good = question(doc, &parser, err);
    yaml_parser_delete(&parser);
    return good;
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
    if (doc->file && doc->text && ask(doc, is_plain, err) && ask(doc, parse, err))
        return doc;
    yamldoc_close(doc);
    return NULL;
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
