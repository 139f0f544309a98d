/* targets.c - see targets.h. */
#include "runtime/api/shared/targets.h"

#include "compiler/check/compile.h"

uint32_t targets_names(struct arena *a, struct str *names, uint32_t most)
{
	uint32_t n = 0;

	for (const struct embedded_file *f = stdlib_files; f->name && n < most; f++) {
		struct str name = str_of(f->name);

		/* A folder there holds parts of a target. */
		if (str_starts(name, "targets/") && str_ends(name, ".plan") &&
		    !memchr(name.p + 8, '/', name.n - 8))
			names[n++] = str_copy(a, str_slice(name, 8, name.n - 5));
	}
	return n;
}

struct str targets_text(struct arena *a, struct str name)
{
	struct out o;

	out_init(&o, a);
	out_printf(&o, "edition 1\nimport \"std:targets/%.*s\" as asked\n", (int)name.n, name.p);
	return str_copy(a, out_view(&o));
}

/* Flags and keys that the schema and those below it can write. */
static uint32_t count_flags(const struct ir_program *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->nodes.n; i++) {
		const struct ir_node *x = &p->nodes.at[i];
		struct str path;

		if (x->op != IR_BUILTIN || (x->a != BUILTIN_FLAG && x->a != BUILTIN_KEY))
			continue;
		path = source_get(p->sources, x->span.file)->path;
		n += str_starts(path, "std:targets/") ? 1u : 0u;
	}
	return n;
}

/* The field `versions`, the first and the last of the list. */
static struct str versions_of(struct eval *ev, uint32_t schema)
{
	struct value v = record_get_named(ev, record_make(ev, schema), "versions");
	struct out o;

	out_init(&o, ev->arena);
	if (v.kind == VALUE_LIST && v.list->n > 0 && v.list->at[0].kind == VALUE_STRING) {
		struct str first = v.list->at[0].text, last = v.list->at[v.list->n - 1].text;

		out_str(&o, first);
		if (v.list->n > 1)
			out_printf(&o, " to %.*s", (int)last.n, last.p);
	}
	return out_view(&o);
}

static struct str first_line(struct str text)
{
	const char *end = text.n > 0 ? memchr(text.p, '\n', text.n) : NULL;

	return end ? str_slice(text, 0, (uint32_t)(end - text.p)) : text;
}

bool target_describe(struct eval *ev, struct str name, struct target_entry *t)
{
	const struct ir_program *p = ev->program;
	uint32_t schema = ir_find_schema(p, str_copy(ev->arena, name).p), base = ir_find_schema(p, "target");

	if (schema == IR_NONE || base == IR_NONE || !ir_schema_extends(p, schema, base))
		return false;
	*t = (struct target_entry){ .schema = &p->schemas.at[schema] };
	t->first_rule = p->schemas.at[base].assert_count;
	t->rules = t->schema->assert_count - t->first_rule;
	t->flags = count_flags(p);
	t->versions = versions_of(ev, schema);
	t->title = first_line(t->schema->doc);
	return true;
}
