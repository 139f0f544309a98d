/* yaml_read.h - a YAML file as the tree that JSON files give: the same kinds, exact numbers, spans.
 *
 * One document without anchors and aliases. Plain scalars are null, true and false (yes, no, on and off
 * too, as YAML 1.1 has it), numbers, else strings; what is quoted is a string.
 */
#ifndef PLAN_IMPORT_YAML_READ_H
#define PLAN_IMPORT_YAML_READ_H

#include "runtime/import/foreign.h"

/* Loads a file whose root is a mapping. NULL after reporting (E0201, E0207, E0209). */
const struct json *yaml_load(struct foreign *f, struct sources *s, struct str path, const char *what);

#endif
