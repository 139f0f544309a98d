/* targets.c - planc targets: what the standard library can emit, and the rules of one framework. */
#include "cli/command.h"

enum { TARGETS_MAX = 100 };

/* One target of the library, with a program of its own. */
struct target_entry {
	struct session *session;
	const struct ir_schema *schema;
	uint32_t index;
};

/* Compiles "std:targets/NAME". A file without a schema of its name that extends `target` is a part of
 * others. */
static bool open_target(struct session *s, const struct options *o, struct str name, struct target_entry *t)
{
	struct session *child = session_child(s);
	struct out text;
	const struct ir_program *p;
	uint32_t base;

	out_init(&text, &child->arena);
	out_printf(&text, "edition 1\nimport \"std:targets/%.*s\" as asked\n", (int)name.n, name.p);
	t->session = child;
	if (!session_compile_text(child, o, STR("targets"), str_copy(&child->arena, out_view(&text))))
		return false;
	p = child->program;
	t->index = ir_find_schema(p, str_copy(&child->arena, name).p);
	base = ir_find_schema(p, "target");
	if (t->index == IR_NONE || base == IR_NONE || !ir_schema_extends(p, t->index, base))
		return false;
	t->schema = &p->schemas.at[t->index];
	return true;
}

/* The base of all targets has rules of the library, not of a framework. */
static uint32_t first_rule(const struct ir_program *p)
{
	uint32_t base = ir_find_schema(p, "target");

	return base == IR_NONE ? 0 : p->schemas.at[base].assert_count;
}

/* Flags and keys that the schema and those below it can write. */
static uint32_t count_flags(const struct target_entry *t)
{
	const struct ir_program *p = t->session->program;
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

/* The field `versions`: "0.12 to 0.20" for a list, the one of a single element; empty for none. */
static struct str versions_of(struct target_entry *t)
{
	struct eval *ev = &t->session->ev;
	struct value v = record_get_named(ev, record_make(ev, t->index), "versions");
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

static void list_target(struct session *s, const struct options *o, struct str name)
{
	struct target_entry t;

	if (open_target(s, o, name, &t)) {
		struct str versions = versions_of(&t), doc = first_line(t.schema->doc);
		uint32_t rules = t.schema->assert_count - first_rule(t.session->program);

		out_printf(&s->out, "%-16.*s  %-13.*s %4u rules %4u flags  %.*s\n", (int)name.n, name.p,
			   (int)versions.n, versions.p, rules, count_flags(&t), (int)doc.n, doc.p);
	}
	session_leave(s, t.session);
}

/* The text of a span on one line. */
static void put_text(struct out *o, const struct ir_program *p, struct span at)
{
	struct str text = source_get(p->sources, at.file)->text;
	bool blank = false;

	for (uint32_t i = at.lo; i < at.hi && i < text.n; i++) {
		bool space = text.p[i] == ' ' || text.p[i] == '\n' || text.p[i] == '\t';

		if (!space || !blank)
			out_char(o, space ? ' ' : text.p[i]);
		blank = space;
	}
}

static void put_doc(struct out *o, struct str doc)
{
	for (uint32_t i = 0; i < doc.n; i++)
		out_char(o, doc.p[i] == '\n' ? ' ' : doc.p[i]);
}

static void print_rule(struct session *s, const struct ir_program *p, const struct ir_assert *a)
{
	struct str name = a->name.id ? sym_str(p->names, a->name) : STR("");

	out_printf(&s->out, "| `%.*s` | ", (int)name.n, name.p);
	if (a->when != IR_NO_NODE) {
		out_char(&s->out, '`');
		put_text(&s->out, p, p->nodes.at[a->when].span);
		out_text(&s->out, "` => ");
	}
	out_char(&s->out, '`');
	put_text(&s->out, p, a->cond_span);
	out_text(&s->out, "` | ");
	if (a->because != IR_NO_NODE)
		put_text(&s->out, p, p->nodes.at[a->because].span);
	out_text(&s->out, " | ");
	put_doc(&s->out, a->doc);
	out_text(&s->out, " |\n");
}

/* The names of the files under targets/; some are parts of others. */
static uint32_t list_files(struct session *s, struct str *names, uint32_t most)
{
	uint32_t n = 0;

	for (const struct embedded_file *f = stdlib_files; f->name && n < most; f++) {
		struct str name = str_of(f->name);

		if (str_starts(name, "targets/") && str_ends(name, ".plan"))
			names[n++] = str_copy(&s->arena, str_slice(name, 8, name.n - 5));
	}
	return n;
}

static int unknown_target(struct session *s, const char *name)
{
	struct str files[TARGETS_MAX];
	const char *names[TARGETS_MAX];
	uint32_t n = list_files(s, files, TARGETS_MAX);

	for (uint32_t i = 0; i < n; i++)
		names[i] = files[i].p;
	return usage_error(s, "the library has no target `%s`%s", name, did_you_mean(s, name, names, n));
}

static int print_rules(struct session *s, const struct options *o, const char *name)
{
	struct target_entry t;

	if (!open_target(s, o, str_of(name), &t)) {
		session_leave(s, t.session);
		return unknown_target(s, name);
	}
	out_text(&s->out, "| rule | holds | otherwise | versions and source |\n|---|---|---|---|\n");
	for (uint32_t i = first_rule(t.session->program); i < t.schema->assert_count; i++)
		print_rule(s, t.session->program, &t.schema->asserts[i]);
	session_leave(s, t.session);
	return EXIT_FINE;
}

int command_targets(struct session *s, const struct options *o)
{
	const char *only = o->operands.n > 0 ? o->operands.at[0] : NULL;
	struct str files[TARGETS_MAX];
	uint32_t n;

	if (o->given[OPTION_RULES] && !only)
		return usage_error(s, "`--rules` needs the NAME of a target");
	if (o->given[OPTION_RULES])
		return print_rules(s, o, only);
	n = list_files(s, files, TARGETS_MAX);
	for (uint32_t i = 0; i < n; i++)
		if (!only || str_is(files[i], only))
			list_target(s, o, files[i]);
	return s->out.n > 0 ? EXIT_FINE : unknown_target(s, only ? only : "");
}
