/* cJSON without a check after each line: each call adds and tells whether that went well, so that with all
 * joined by
 * && the first failure ends it. What could not be added is freed. */
#ifndef CYCLELAB_JSONPARTS_H
#define CYCLELAB_JSONPARTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

bool json_add(cJSON *object, const char *key, cJSON *item);
bool json_append(cJSON *array, cJSON *item);

/* null where it is not finite. */
bool json_add_number(cJSON *object, const char *key, double number);

/* null where there is none; bytes that are no UTF-8 are shown as \xNN. */
bool json_add_string(cJSON *object, const char *key, const char *text);

#endif
