#include "grader/reports/jsonparts.h"

#include <math.h>
#include <stdlib.h>

#include "grader/reports/clean.h"

bool json_add(cJSON *object, const char *key, cJSON *item)
{
    if (item && cJSON_AddItemToObject(object, key, item))
        return true;
    cJSON_Delete(item);
    return false;
}

bool json_append(cJSON *array, cJSON *item)
{
    if (item && cJSON_AddItemToArray(array, item))
        return true;
    cJSON_Delete(item);
    return false;
}

bool json_add_number(cJSON *object, const char *key, double number)
{
    return json_add(object, key, isfinite(number) ? cJSON_CreateNumber(number) : cJSON_CreateNull());
}

bool json_add_string(cJSON *object, const char *key, const char *text)
{
    if (!text)
        return json_add(object, key, cJSON_CreateNull());
    char *clean = clean_utf8(text);
    bool ok = clean && json_add(object, key, cJSON_CreateString(clean));
    free(clean);
    return ok;
}
