/* statement.c - declarations, fields, clauses and steps: where each of them may be broken. */
#include "compiler/syntax/fmt/fmt_int.h"

static void take_and_blank(struct printer *p)
{
	fmt_take(p);
	fmt_space(p);
}

static void blank_and_take(struct printer *p)
{
	fmt_space(p);
	fmt_take(p);
}

/* ---- ` word expression`, on this line or the next -------------------------------------------- */

static void flat_clause(struct printer *p, const struct ast *e)
{
	fmt_broken(p, 0);
	fmt_space(p);
	take_and_blank(p);
	fmt_expr(p, e, 0, 0);
}

static void clause(struct printer *p, const struct ast *e, uint32_t indent, uint32_t tail,
		   bool alone)
{
	if (e == NULL)
		return;
	if (!alone && fmt_flat(p, flat_clause, e, tail))
		return;
	fmt_break(p, indent + FMT_INDENT, 2);
	take_and_blank(p);
	fmt_expr(p, e, indent + 2 * FMT_INDENT, tail);
}

/* `= value`; the author may have put it on a line of its own. */
static void assignment(struct printer *p, const struct ast *value, uint32_t indent, bool alone)
{
	if (fmt_broken(p, 0) || alone) {
		fmt_break(p, indent + FMT_INDENT, 1);
		take_and_blank(p);
		fmt_expr(p, value, indent + 2 * FMT_INDENT, 0);
		return;
	}
	fmt_space(p);
	take_and_blank(p);
	fmt_expr(p, value, indent + FMT_INDENT, 0);
}

static void annotation(struct printer *p, const struct ast *type)
{
	if (type) {
		take_and_blank(p);
		fmt_type(p, type);
	}
}

/* ---- files ----------------------------------------------------------------------------------- */

static void import_as(struct printer *p, const struct ast *s)
{
	uint32_t lines = p->lines, stop;

	take_and_blank(p);
	fmt_take(p);
	stop = fmt_stop(p, FMT_KEY_AS);
	blank_and_take(p);
	blank_and_take(p);
	annotation(p, s->import_as.type);
	fmt_stop_end(p, stop, lines);
}

static void import_names(struct printer *p, const struct ast *s)
{
	uint32_t lines = p->lines, stop;

	take_and_blank(p);
	fmt_take(p);
	stop = fmt_stop(p, FMT_KEY_IMPORT);
	fmt_space(p);
	fmt_block(p, s, 0);
	fmt_stop_end(p, stop, lines);
}

static void flat_fn_head(struct printer *p, const struct ast *s)
{
	fmt_list(p, s, 0);
	blank_and_take(p);
	fmt_space(p);
	fmt_type(p, s->fn.type);
}

static void flat_fn(struct printer *p, const struct ast *s)
{
	flat_fn_head(p, s);
	fmt_broken(p, 0);
	blank_and_take(p);
	fmt_space(p);
	fmt_expr(p, s->fn.body, 0, 0);
}

/* A body that does not stand behind the head has a line of its own, `=` first. */
static void fn(struct printer *p, const struct ast *s, uint32_t indent)
{
	take_and_blank(p);
	fmt_take(p);
	if (fmt_flat(p, flat_fn, s, 0))
		return;
	if (!fmt_flat(p, flat_fn_head, s, 0))
		flat_fn_head(p, s);
	assignment(p, s->fn.body, indent, true);
}

static void emit(struct printer *p, const struct ast *s, uint32_t indent)
{
	uint32_t lines, stop;

	take_and_blank(p);
	fmt_take(p);
	fmt_stop(p, FMT_KEY_FROM);
	fmt_space(p);
	take_and_blank(p);
	fmt_expr(p, s->emit.from, indent + FMT_INDENT, 0);
	lines = p->lines;
	stop = fmt_stop(p, FMT_KEY_TO);
	clause(p, s->emit.to, indent, 0, false);
	fmt_stop_end(p, stop, lines);
	if (s->emit.braced) {
		fmt_space(p);
		fmt_block(p, s, 0);
	}
}

/* `kind name`, `extends` or `of` or a title, then braces. */
static void headed(struct printer *p, const struct ast *s, const struct ast *path)
{
	take_and_blank(p);
	fmt_take(p);
	if (path) {
		blank_and_take(p);
		fmt_space(p);
		fmt_path(p, path);
	}
	fmt_space(p);
	fmt_block(p, s, 0);
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* assert, constraint and expect in one shape. */
struct condition {
	bool named;
	const struct ast *when, *cond, *because;
};

static struct condition condition_of(const struct ast *s)
{
	if (s->kind == AST_CONSTRAINT)
		return (struct condition){ true, s->constraint.when, s->constraint.cond,
					   s->constraint.because };
	if (s->kind == AST_EXPECT)
		return (struct condition){ false, NULL, s->expect.cond, s->expect.because };
	return (struct condition){ s->assertion.name.sym.id != 0, s->assertion.when,
				   s->assertion.cond, s->assertion.because };
}

static void flat_condition(struct printer *p, const struct ast *s)
{
	struct condition c = condition_of(s);

	take_and_blank(p);
	if (c.named) {
		fmt_take(p);
		if (c.when)
			flat_clause(p, c.when);
		fmt_take(p);
		fmt_broken(p, 0);
		fmt_space(p);
	}
	fmt_expr(p, c.cond, 0, 0);
	if (c.because)
		flat_clause(p, c.because);
}

static void flat_blank_expr(struct printer *p, const struct ast *e)
{
	fmt_broken(p, 0);
	fmt_space(p);
	fmt_expr(p, e, 0, 0);
}

/* Behind the colon, if it fits or the author has broken it himself; else in the next line. */
static void named_condition(struct printer *p, const struct ast *cond, uint32_t indent)
{
	bool broken = fmt_broken(p, 0);

	if (!broken && fmt_flat(p, flat_blank_expr, cond, 0))
		return;
	if (!broken && fmt_forced(p, flat_blank_expr, cond))
		fmt_space(p);
	else
		fmt_break(p, indent + FMT_INDENT, 1);
	fmt_expr(p, cond, indent + 2 * FMT_INDENT, 0);
}

static void condition(struct printer *p, const struct ast *s, uint32_t indent)
{
	struct condition c = condition_of(s);
	uint32_t lines = p->lines;

	if (fmt_flat(p, flat_condition, s, 0))
		return;
	take_and_blank(p);
	if (c.named) {
		fmt_take(p);
		clause(p, c.when, indent, 1, false);
		fmt_take(p);
		named_condition(p, c.cond, indent);
	} else {
		fmt_expr(p, c.cond, indent + 2 * FMT_INDENT, 0);
	}
	clause(p, c.because, indent, 0, p->lines != lines);
}

/* ---- inside braces --------------------------------------------------------------------------- */

static void set(struct printer *p, const struct ast *s, uint32_t indent)
{
	uint32_t lines = p->lines, stop;

	fmt_path(p, s->set.path);
	stop = fmt_stop(p, FMT_KEY_ASSIGN);
	assignment(p, s->set.value, indent, false);
	fmt_stop_end(p, stop, lines);
}

static void amend(struct printer *p, const struct ast *s)
{
	uint32_t lines = p->lines, stop;

	fmt_path(p, s->amend.path);
	stop = fmt_stop(p, FMT_KEY_ASSIGN);
	p->table = !p->flat;
	fmt_space(p);
	fmt_block(p, s, 0);
	fmt_stop_end(p, stop, lines);
}

static void let(struct printer *p, const struct ast *s, uint32_t indent)
{
	uint32_t lines = p->lines, stop;

	take_and_blank(p);
	fmt_take(p);
	annotation(p, s->let.type);
	stop = fmt_stop(p, s->let.type ? FMT_KEY_NONE : FMT_KEY_LET);
	assignment(p, s->let.value, indent, false);
	fmt_stop_end(p, stop, lines);
}

static void field(struct printer *p, const struct ast *s, uint32_t indent)
{
	if (s->field.final || s->field.native)
		take_and_blank(p);
	fmt_take(p);
	annotation(p, s->field.type);
	if (s->field.value)
		assignment(p, s->field.value, indent, false);
}

static void vary(struct printer *p, const struct ast *s, uint32_t indent)
{
	uint32_t lines = p->lines, stop;

	take_and_blank(p);
	if (s->vary.tuple)
		fmt_take(p);
	for (uint32_t i = 0; i < s->vary.targets.n; i++) {
		if (i > 0) {
			fmt_text(p, ",");
			fmt_space(p);
		}
		fmt_path(p, s->vary.targets.at[i]);
	}
	if (s->vary.tuple)
		fmt_take(p);
	stop = fmt_stop(p, FMT_KEY_IN);
	blank_and_take(p);
	fmt_space(p);
	fmt_expr(p, s->vary.in, indent + 2 * FMT_INDENT, 0);
	clause(p, s->vary.when, indent, 0, false);
	fmt_stop_end(p, stop, lines);
}

static void arm(struct printer *p, const struct ast *s, uint32_t indent)
{
	uint32_t lines = p->lines, stop;

	fmt_expr(p, s->arm.pattern, indent + FMT_INDENT, 0);
	stop = fmt_stop(p, FMT_KEY_ARROW);
	blank_and_take(p);
	fmt_space(p);
	fmt_expr(p, s->arm.value, indent + FMT_INDENT, 0);
	fmt_stop_end(p, stop, lines);
}

static void goal(struct printer *p, const struct ast *s, uint32_t indent)
{
	take_and_blank(p);
	fmt_expr(p, s->goal.value, indent + 2 * FMT_INDENT, 0);
	clause(p, s->goal.slack, indent, 0, false);
}

static void param(struct printer *p, const struct ast *s, uint32_t indent)
{
	take_and_blank(p);
	fmt_take(p);
	annotation(p, s->param.type);
	assignment(p, s->param.value, indent, false);
}

static void objective(struct printer *p, const struct ast *s)
{
	take_and_blank(p);
	if (s->objective.mode.sym.id != 0)
		take_and_blank(p);
	fmt_block(p, s, 0);
}

static void expect_failure(struct printer *p, const struct ast *s)
{
	take_and_blank(p);
	headed(p, s, NULL);
}

static void print(struct printer *p, const struct ast *s, uint32_t indent)
{
	switch ((int)s->kind) {
	case AST_EDITION: take_and_blank(p); fmt_take(p); break;
	case AST_IMPORT_AS: import_as(p, s); break;
	case AST_IMPORT_NAMES: import_names(p, s); break;
	case AST_PARAM: param(p, s, indent); break;
	case AST_LET: let(p, s, indent); break;
	case AST_FN: fn(p, s, indent); break;
	case AST_ENUM: case AST_TEST: headed(p, s, NULL); break;
	case AST_SCHEMA: headed(p, s, s->schema.base); break;
	case AST_INSTANCE: headed(p, s, s->instance.base); break;
	case AST_SWEEP: headed(p, s, s->sweep.of); break;
	case AST_ASSERT: case AST_CONSTRAINT: case AST_EXPECT: condition(p, s, indent); break;
	case AST_EMIT: emit(p, s, indent); break;
	case AST_FIELD: field(p, s, indent); break;
	case AST_SET: set(p, s, indent); break;
	case AST_AMEND: amend(p, s); break;
	case AST_VARY: vary(p, s, indent); break;
	case AST_OBJECTIVE: objective(p, s); break;
	case AST_GOAL: goal(p, s, indent); break;
	case AST_EXPECT_FAILURE: expect_failure(p, s); break;
	case AST_ARM: arm(p, s, indent); break;
	case AST_NAME_REF: fmt_take(p); break;
	default: p->lost = true; break;
	}
}

void fmt_statement(struct printer *p, const struct ast *s, uint32_t indent)
{
	uint32_t home = p->home;

	if (!p->flat)
		p->home = indent;
	print(p, s, indent);
	p->home = home;
}
