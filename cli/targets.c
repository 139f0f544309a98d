/* targets.c - planc targets: what the standard library can emit, and the rules of one framework. */
#include "cli/command.h"

#include "runtime/api/shared/targets.h"

/* One target of the library, with a program of its own. false when the file is a part of others. */
static bool open_target(struct session *child, const struct options *o, struct str name, struct target_entry *t)
{
	return session_compile_text(child, o, STR("targets"), targets_text(&child->arena, name)) &&
	       target_describe(&child->ev, name, t);
}

static void list_target(struct session *s, const struct options *o, struct str name)
{
	struct session *child = session_child(s);
	struct target_entry t;

	if (open_target(child, o, name, &t))
		out_printf(&s->out, "%-16.*s  %-13.*s %4u rules %4u flags  %.*s\n", (int)name.n, name.p,
			   (int)t.versions.n, t.versions.p, t.rules, t.flags, (int)t.title.n, t.title.p);
	session_leave(s, child);
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

static int unknown_target(struct session *s, const char *name)
{
	struct str files[TARGETS_MAX];
	const char *names[TARGETS_MAX];
	uint32_t n = targets_names(&s->arena, files, TARGETS_MAX);

	for (uint32_t i = 0; i < n; i++)
		names[i] = files[i].p;
	return usage_error(s, "the library has no target `%s`%s", name, did_you_mean(s, name, names, n));
}

static int print_rules(struct session *s, const struct options *o, const char *name)
{
	struct session *child = session_child(s);
	struct target_entry t;
	bool there = open_target(child, o, str_of(name), &t);

	if (there)
		out_text(&s->out, "| rule | holds | otherwise | versions and source |\n|---|---|---|---|\n");
	for (uint32_t i = there ? t.first_rule : 0; there && i < t.schema->assert_count; i++)
		print_rule(s, child->program, &t.schema->asserts[i]);
	session_leave(s, child);
	return there ? EXIT_FINE : unknown_target(s, name);
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
	n = targets_names(&s->arena, files, TARGETS_MAX);
	for (uint32_t i = 0; i < n; i++)
		if (!only || str_is(files[i], only))
			list_target(s, o, files[i]);
	return s->out.n > 0 ? EXIT_FINE : unknown_target(s, only ? only : "");
}
