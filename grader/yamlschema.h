/* The words in which a file's schema is written down, for libcyaml: all values are optional texts, since
 * yamldoc reads numbers itself and asks for what is missing (yamldoc.h). For the .c files that hold a schema.
 */
#ifndef CYCLELAB_YAMLSCHEMA_H
#define CYCLELAB_YAMLSCHEMA_H

#include <cyaml/cyaml.h>

#define FLAGS                   (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)
#define TEXT(KEY, TYPE, MEMBER) CYAML_FIELD_STRING_PTR(KEY, FLAGS, TYPE, MEMBER, 0, CYAML_UNLIMITED)
#define LIST(KEY, TYPE, MEMBER, ENTRY)                                                                       \
    CYAML_FIELD_SEQUENCE_COUNT(KEY, FLAGS, TYPE, MEMBER, MEMBER##_count, ENTRY, 0, CYAML_UNLIMITED)
#define PART(KEY, TYPE, MEMBER, FIELDS) CYAML_FIELD_MAPPING_PTR(KEY, FLAGS, TYPE, MEMBER, FIELDS)

static const cyaml_schema_value_t text_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, CYAML_UNLIMITED)};

#endif
