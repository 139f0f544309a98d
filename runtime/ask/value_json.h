/* value_json.h - values of the language as JSON. */
#ifndef PLAN_ASK_VALUE_JSON_H
#define PLAN_ASK_VALUE_JSON_H

#include "runtime/eval/eval.h"
#include "runtime/io/json_write.h"

/* Numbers in base units, exact where JSON can say it; enums and layouts as text; records as objects of
 * all their fields, which are computed for it; null for what cannot be had. */
void value_json(struct eval *ev, struct json_writer *w, const char *key, struct value v,
		const struct type *t);

#endif
