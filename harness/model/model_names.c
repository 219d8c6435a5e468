#include "harness/model/model.h"

#include <string.h>

#define TEXT(name, text) text,

static const char *const events[MODEL_EVENT_COUNT] = {MODEL_EVENTS(TEXT)};
static const char *const waits[MODEL_WAIT_COUNT] = {MODEL_WAITS(TEXT)};

const char *model_event_name(enum model_event event)
{
    return (unsigned)event < MODEL_EVENT_COUNT ? events[event] : NULL;
}

enum model_event model_event_find(const char *name)
{
    enum model_event event = 0;
    while (event < MODEL_EVENT_COUNT && strcmp(events[event], name) != 0)
        event++;
    return event;
}

const char *model_wait_name(enum model_wait wait)
{
    return (unsigned)wait < MODEL_WAIT_COUNT ? waits[wait] : NULL;
}
