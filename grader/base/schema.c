#include "grader/base/schema.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "grader/base/strings.h"

enum { MOST_ROWS = 32, MOST_WORDS = 160, EXPECTED = 512 };

/* ---- texts ---- */

static bool is_line(const char *text)
{
    bool blank = true;
    for (; *text; text++) {
        if (iscntrl((unsigned char)*text))
            return false;
        blank = blank && *text == ' ';
    }
    return !blank;
}

const struct schema_rule schema_line = {is_line, "a line of text"};
const struct schema_rule schema_kebab = {strings_is_kebab, "words of a-z and 0-9 joined by hyphens"};

/* ---- what is wrong ---- */

/* Go on to "path.key" or "path[1]"; returns the length to go back to. */
static size_t enter(struct schema_reader *r, const char *key)
{
    size_t length = strlen(r->path);
    snprintf(r->path + length, sizeof r->path - length, "%s%.80s", length && *key && *key != '[' ? "." : "",
             key);
    return length;
}

static size_t enter_item(struct schema_reader *r, size_t index)
{
    char item[32];
    snprintf(item, sizeof item, "[%zu]", index + 1);
    return enter(r, item);
}

static bool leave(struct schema_reader *r, size_t length, bool good)
{
    r->path[length] = '\0';
    return good;
}

bool schema_wrong(const struct schema_reader *r, const char *key, const char *format, ...)
{
    struct schema_reader at = *r;
    char text[sizeof r->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    enter(&at, key);
    return yamldoc_wrong(r->doc, r->err, at.path, "%s", text);
}

bool schema_no_memory(const struct schema_reader *r)
{
    return error_set(r->err, "out of memory");
}

static const char *type_word(int type)
{
    return type == YAML_SCALAR_NODE     ? "a single value"
           : type == YAML_SEQUENCE_NODE ? "a list"
                                        : "keys and values";
}

static bool has_type(const struct schema_reader *r, const yaml_node_t *node, int type)
{
    return (int)node->type == type ||
           schema_wrong(r, "", "expected %s, found %s", type_word(type), type_word((int)node->type));
}

/* "a, b or c" behind what is in the text. */
static void add_words(char *text, size_t size, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
    }
}

static unsigned power_of_ten(unsigned places)
{
    return places ? 10 * power_of_ten(places - 1) : 1;
}

void schema_print_number(char *text, size_t size, uint32_t number, unsigned places)
{
    uint32_t one = power_of_ten(places);
    int length = snprintf(text, size, "%u", number / one);
    if (number % one) {
        length += snprintf(text + length, size - (size_t)length, ".%0*u", (int)places, number % one);
        while (text[length - 1] == '0')
            text[--length] = '\0';
    }
}

/* The words that it may be: how many. */
static unsigned words_of(struct schema_reader *r, const struct schema_row *row, const void *place,
                         const char *words[MOST_WORDS])
{
    static const char *const truths[] = {"false", "true", NULL};
    const char *const *all = row->kind == SCHEMA_BOOL ? truths : row->words;
    unsigned count = 0;
    while (count < MOST_WORDS && (row->word || all) &&
           (words[count] = row->word ? row->word(r, place, count) : all[count]))
        count++;
    return count;
}

/* What a value of this row has to be; `missing`: for somebody who gave none. */
static void expected(struct schema_reader *r, const struct schema_row *row, const void *place, bool missing,
                     char text[EXPECTED])
{
    static const char *const decimals[] = {"", " with at most 1 decimal", " with at most 2 decimals",
                                           " with at most 3 decimals"};
    const char *words[MOST_WORDS] = {0};
    char least[24], most[24];
    *text = '\0';
    const unsigned count = missing && row->meaning ? 0 : words_of(r, row, place, words);
    add_words(text, EXPECTED, words, count);
    if (count > 0)
        return;
    switch (row->kind) {
    case SCHEMA_TEXT:
        snprintf(text, EXPECTED, "%s",
                 row->meaning ? row->meaning
                 : row->rule  ? row->rule->expected
                              : "a text");
        break;
    case SCHEMA_NUMBER:
        schema_print_number(least, sizeof least, row->least, row->places);
        schema_print_number(most, sizeof most, row->most, row->places);
        snprintf(text, EXPECTED, "%s number from %s to %s%s", row->places ? "a" : "a whole", least, most,
                 decimals[row->places]);
        break;
    case SCHEMA_LIST:
        if (row->most)
            snprintf(text, EXPECTED, "a list of %u to %u", row->least, row->most);
        else
            snprintf(text, EXPECTED, "a list of at least %u", row->least);
        if (row->meaning)
            snprintf(text + strlen(text), EXPECTED - strlen(text), ": %s", row->meaning);
        break;
    default:
        snprintf(text, EXPECTED, "%s", row->meaning ? row->meaning : "keys and values");
    }
}

static bool not_expected(struct schema_reader *r, const struct schema_row *row, const void *place,
                         const char *found)
{
    char text[EXPECTED];
    expected(r, row, place, false, text);
    return schema_wrong(r, "", "expected %s, found `%.80s`", text, found);
}

/* ---- single values ---- */

/* Plain decimal, with at most `places` digits behind the point. No leading zero: some readers take `010` for
 * eight. */
static bool parse_number(const char *text, unsigned places, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789"), more = 0;
    if (digits < 1 || digits > 10 || (digits > 1 && *text == '0'))
        return false;
    *number = strtoull(text, NULL, 10) * power_of_ten(places);
    text += digits;
    if (places && *text == '.') {
        more = strspn(++text, "0123456789");
        if (more < 1 || more > places)
            return false;
        *number += strtoull(text, NULL, 10) * power_of_ten(places - (unsigned)more);
    }
    return text[more] == '\0';
}

static void store(void *place, size_t size, uint32_t number)
{
    assert(size == 1 || size == 2 || size == 4);
    if (size == 1)
        *(uint8_t *)place = (uint8_t)number;
    else if (size == 2)
        *(uint16_t *)place = (uint16_t)number;
    else
        *(uint32_t *)place = number;
}

static bool take_number(struct schema_reader *r, const struct schema_row *row, const char *text, void *place)
{
    uint64_t number = 0;
    assert(row->size == 4 || row->most >> 8 * row->size == 0);
    if (!parse_number(text, row->places, &number) || number < row->least || number > row->most)
        return not_expected(r, row, place, text);
    store(place, row->size, (uint32_t)number);
    return true;
}

/* Which of the words is it? */
static bool find_word(struct schema_reader *r, const struct schema_row *row, const char *text,
                      const void *place, unsigned *index)
{
    const char *words[MOST_WORDS];
    unsigned count = words_of(r, row, place, words);
    for (*index = 0; *index < count; ++*index)
        if (strcmp(text, words[*index]) == 0)
            return true;
    return not_expected(r, row, place, text);
}

static bool take_word(struct schema_reader *r, const struct schema_row *row, const char *text, void *place)
{
    unsigned index;
    if (!find_word(r, row, text, place, &index))
        return false;
    store(place, row->size, index);
    return true;
}

static bool take_text(struct schema_reader *r, const struct schema_row *row, const char *text, char **place)
{
    unsigned index;
    if (row->rule && !row->rule->holds(text))
        return not_expected(r, row, place, text);
    if ((row->words || row->word) && !find_word(r, row, text, place, &index))
        return false;
    if (row->fixed && strlen(text) >= row->size)
        return schema_wrong(r, "", "is too long: expected at most %zu letters, found %zu", row->size - 1,
                            strlen(text));
    if (row->fixed)
        return memcpy(place, text, strlen(text) + 1);
    *place = pool_copy(r->pool, text);
    return *place || schema_no_memory(r);
}

static bool take_scalar(struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node,
                        void *place)
{
    if (!has_type(r, node, YAML_SCALAR_NODE))
        return false;
    const char *text = (const char *)node->data.scalar.value;
    char quoted[84];
    if (strlen(text) != node->data.scalar.length)
        return schema_wrong(r, "", "expected plain text, found a NUL byte");
    if ((row->kind == SCHEMA_NUMBER || row->kind == SCHEMA_BOOL) &&
        node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        snprintf(quoted, sizeof quoted, "\"%.78s\"", text);
        return not_expected(r, row, place, quoted);
    }
    return row->kind == SCHEMA_NUMBER ? take_number(r, row, text, place)
           : row->kind == SCHEMA_TEXT ? take_text(r, row, text, place)
                                      : take_word(r, row, text, place);
}

/* ---- lists ---- */

static bool take_value(struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node,
                       void *place);

static bool is_new(struct schema_reader *r, const struct schema_row *row, const char *items, size_t index)
{
    const char *text = *(char *const *)(items + index * row->item_size);
    for (size_t i = 0; i < index; i++)
        if (strcmp(*(char *const *)(items + i * row->item_size), text) == 0)
            return schema_wrong(r, row->unique, "`%.80s` is there already, as item %zu", text, i + 1);
    return true;
}

/* The item's row, with what its neighbour asks for. */
static struct schema_row item_row(const struct schema_row *row, const char *last)
{
    const struct schema_row mapping = {.kind = SCHEMA_MAPPING, .rows = row->rows};
    struct schema_row item = row->item ? *row->item : mapping;
    uint32_t before = !last || !row->order  ? 0
                      : row->item_size == 1 ? *(const uint8_t *)last
                                            : *(const uint32_t *)(const void *)last;
    if (last && row->order == SCHEMA_RISING)
        item.least = before + 1;
    if (last && row->order == SCHEMA_FALLING)
        item.most = before;
    return item;
}

static bool take_list(struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node,
                      char *base, void *place)
{
    char text[EXPECTED];
    if (!has_type(r, node, YAML_SEQUENCE_NODE))
        return false;
    const yaml_node_item_t *first = node->data.sequence.items.start;
    size_t count = (size_t)(node->data.sequence.items.top - first), size = row->item_size;
    if (count < row->least || (row->most && count > row->most)) {
        expected(r, row, place, false, text);
        return schema_wrong(r, "", "expected %s, found %zu", text, count);
    }
    char *items = row->fixed ? place : pool_take(r->pool, (count + 1) * size);
    if (!items)
        return schema_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        char *item = items + i * size;
        const struct schema_row its = item_row(row, i ? item - size : NULL);
        size_t outside = enter_item(r, i);
        if (row->item_before)
            memcpy(item, row->item_before, size);
        if (!take_value(r, &its, yamldoc_node(r->doc, first[i]), item) ||
            (row->each && !row->each(r, item)) || (row->unique && !is_new(r, row, items, i)))
            return false;
        leave(r, outside, true);
    }
    if (row->size && !row->fixed)
        *(char **)place = items;
    if (row->count)
        *(unsigned *)(void *)(base + row->count) = (unsigned)count;
    return true;
}

/* A list of words, to a bit each. */
static bool take_bits(struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node,
                      uint16_t *place)
{
    static const struct schema_row text = {.kind = SCHEMA_TEXT};
    static const struct schema_row list = {.kind = SCHEMA_LIST,
                                           .size = sizeof(char **),
                                           .least = 1,
                                           .item = &text,
                                           .item_size = sizeof(char *),
                                           .meaning = "`[none]` for none"};
    char **words = NULL;
    unsigned index;
    if (!take_list(r, &list, node, (char *)&words, &words) || !words)
        return false;
    *place = 0;
    for (size_t i = 0; words[i] && (words[1] || strcmp(words[0], "none") != 0); i++) {
        size_t outside = enter_item(r, i);
        if (!find_word(r, row, words[i], place, &index))
            return false;
        leave(r, outside, true);
        *place = (uint16_t)(*place | 1u << index);
    }
    return true;
}

/* ---- mappings ---- */

/* A mapping in a struct of its own. */
static bool take_pointer(struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node,
                         void **place)
{
    *place = pool_take(r->pool, row->item_size);
    if (!*place)
        return schema_no_memory(r);
    if (row->item_before)
        memcpy(*place, row->item_before, row->item_size);
    return schema_read(r, node, row->rows, *place);
}

static bool take_value(struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node,
                       void *place)
{
    assert(node || row->kind == SCHEMA_HOOK);
    bool good = row->kind == SCHEMA_HOOK      ? row->hook(r, row, node, place)
                : row->kind == SCHEMA_LIST    ? take_list(r, row, node, (char *)place - row->offset, place)
                : row->kind == SCHEMA_BITS    ? take_bits(r, row, node, place)
                : row->kind != SCHEMA_MAPPING ? take_scalar(r, row, node, place)
                : row->pointer                ? take_pointer(r, row, node, place)
                                              : schema_read(r, node, row->rows, place);
    return good && (!row->check || row->check(r, place));
}

/* The old key, with the new one and what it has to be in place of this value. */
static bool renamed(const struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node)
{
    uint64_t number;
    char example[64] = "...";
    unsigned places = row->divided == 1000 ? 3 : row->divided == 10;
    if (row->divided && node->type == YAML_SCALAR_NODE &&
        parse_number((const char *)node->data.scalar.value, 0, &number) && number <= UINT32_MAX)
        schema_print_number(example, sizeof example, (uint32_t)number, places);
    return schema_wrong(r, row->key, "`%s` is now %s: expected `%s: %s`", row->key, row->meaning,
                        row->renamed, example);
}

/* The enum of a row that this one depends on. */
static bool applies(const struct schema_row *row, const char *place)
{
    return !row->only.text || *(const unsigned *)(const void *)(place + row->only.offset) == row->only.value;
}

static bool take_row(struct schema_reader *r, const struct schema_row *row, const yaml_node_t *node,
                     char *place)
{
    if (row->kind == SCHEMA_RENAMED)
        return !node || !applies(row, place) || renamed(r, row, node);
    if (!applies(row, place))
        return !node || schema_wrong(r, row->key, "expected with `%s` only", row->only.text);
    if (!node && row->optional)
        return true;
    size_t outside = enter(r, row->key);
    if (row->given)
        *(bool *)(place + row->given) = true;
    if (row->in_context)
        place = r->context;
    return leave(r, outside, take_value(r, row, node, place + row->offset));
}

/* The key is missing. Perhaps another one stands in its place, which depends on the same enum. */
static bool take_missing(struct schema_reader *r, const struct schema_row *rows, size_t missed,
                         const yaml_node_t *const *values, char *place)
{
    char text[EXPECTED];
    const struct schema_row *row = &rows[missed];
    for (size_t i = 0; row->only.text && rows[i].key; i++)
        if (values[i] && rows[i].only.text && rows[i].only.offset == row->only.offset &&
            !take_row(r, &rows[i], values[i], place))
            return false;
    enter(r, row->key);
    expected(r, row, place + row->offset, true, text);
    return schema_wrong(r, "", "is missing: expected %s", text);
}

static bool no_such_key(const struct schema_reader *r, const char *name, const struct schema_row *rows)
{
    const char *keys[MOST_ROWS] = {NULL};
    char list[EXPECTED] = "";
    size_t count = 0;
    for (size_t i = 0; rows[i].key; i++)
        if (rows[i].kind != SCHEMA_RENAMED)
            keys[count++] = rows[i].key;
    add_words(list, sizeof list, keys, count);
    return schema_wrong(r, name, "there is no such key: expected %s", list);
}

/* Find the values of the rows: every key is known, and there once. */
static bool find_values(const struct schema_reader *r, const yaml_node_t *node, const struct schema_row *rows,
                        const yaml_node_t **values)
{
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = yamldoc_node(r->doc, pair->key);
        const char *name = key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : "";
        bool known = false;
        for (size_t i = 0; rows[i].key; i++) {
            assert(i < MOST_ROWS);
            if (strcmp(rows[i].key, name) != 0)
                continue;
            if (values[i])
                return schema_wrong(r, name, "expected once, found a second time");
            values[i] = yamldoc_node(r->doc, pair->value);
            known = true;
        }
        if (!known)
            return no_such_key(r, name, rows);
    }
    return true;
}

bool schema_read(struct schema_reader *r, const struct yaml_node_s *node, const struct schema_row *rows,
                 void *place)
{
    const yaml_node_t *values[MOST_ROWS] = {NULL};
    if (!has_type(r, node, YAML_MAPPING_NODE) || !find_values(r, node, rows, values))
        return false;
    for (size_t i = 0; rows[i].key; i++) {
        const struct schema_row *row = &rows[i];
        const bool missing = !values[i] && !row->optional && row->kind != SCHEMA_RENAMED &&
                             row->kind != SCHEMA_HOOK && applies(row, place);
        if (missing ? !take_missing(r, rows, i, values, place) : !take_row(r, row, values[i], place))
            return false;
    }
    return true;
}

bool schema_read_file(const char *file, const struct schema_row *rows, void *place, struct pool **pool,
                      void *context, bool (*done)(struct schema_reader *, void *), struct error *err)
{
    struct yamldoc *doc = yamldoc_open(file, err);
    if (!doc)
        return false;
    struct schema_reader reader = {.doc = doc, .err = err, .pool = pool, .context = context};
    bool good = schema_read(&reader, yamldoc_node(doc, 0), rows, place) && (!done || done(&reader, place));
    yamldoc_close(doc);
    return good;
}
