/* inverse.c - the question of `planc solve`: which field, of which record, within what, under which condition.
 *
 * The field is a path that begins with a name of the plan or, where it has only one job, in that job. What
 * the condition names are fields of the record that is solved for, then names of the file.
 */
#include "compiler/check/sweep/sweep_int.h"

#include "compiler/ir/depend.h"
#include "compiler/syntax/parse.h"

/* Values that may be `none` in one condition. */
enum { GUARDS_MAX = 4 };

struct asking {
	struct check *c;
	const struct compile_inverse *in;
	struct ir_inverse q;
	uint32_t job;                /* schema of that name; IR_NONE in a library without it */
	struct env *env;             /* the text of the record that is solved for */
};

static struct parse_result parse_option(struct check *c, const char *name, struct str text)
{
	struct parse_input in = { c->arena, c->names, c->in->sources, c->sink, 0 };

	in.file = sources_add(c->in->sources, str_of(name), text, false);
	return parse_expression(&in);
}

/* ---- the record ------------------------------------------------------------------------------- */

static bool is_record(const struct check *c, uint32_t global)
{
	return c->p->globals.at[global].type->kind == TYPE_RECORD;
}

static bool is_job(const struct asking *a, uint32_t global)
{
	return a->job != IR_NONE && is_record(a->c, global) &&
	       ir_schema_extends(a->c->p, a->c->p->globals.at[global].type->index, a->job);
}

/* A value of the plan by its name; IR_NONE. */
static uint32_t value_named(struct check *c, struct sym name)
{
	struct decl *d = find_decl(c, c->modules->root, name);

	if (!d || d->home->prelude ||
	    (d->kind != DECL_PARAM && d->kind != DECL_LET && d->kind != DECL_INSTANCE))
		return IR_NONE;
	return ensure(c, d, d->span) ? d->index : IR_NONE;
}

/* The only job that the plan declares. */
static uint32_t only_job(struct asking *a, uint32_t *count)
{
	const struct ir_program *p = a->c->p;
	uint32_t found = IR_NONE;

	*count = 0;
	for (uint32_t i = 0; i < p->globals.n; i++) {
		const struct ir_global *g = &p->globals.at[i];

		if (g->kind != GLOBAL_INSTANCE || g->file != a->c->modules->root->file || !is_job(a, i))
			continue;
		found = (*count)++ == 0 ? i : IR_NONE;
	}
	return found;
}

static void report_no_job(struct asking *a, uint32_t count)
{
	struct diag *d = diag_new(a->c->sink, E2702, SPAN_NONE);

	if (count == 0)
		diag_message(d, "the plan declares no job to solve for");
	else
		diag_message(d, "the plan has %u jobs; say which one is solved for", count);
	diag_help(d, count == 0 ? "begin the path with the name of a record, as in `round.prompts`"
				: "name it behind the path, or begin the path with it");
	diag_submit(d);
}

static void report_no_record(struct asking *a, struct str name)
{
	struct check *c = a->c;
	struct diag *d = diag_new(c->sink, E1202, SPAN_NONE);
	struct suggestions near;

	diag_message(d, "the plan has no record `%.*s`", (int)name.n, name.p);
	suggestions_init(&near, c->arena, name);
	for (uint32_t i = 0; i < c->p->globals.n; i++)
		if (c->p->globals.at[i].file == c->modules->root->file && is_record(c, i))
			suggestions_add(&near, sym_str(c->names, c->p->globals.at[i].name), is_job(a, i));
	diag_suggest(d, &near);
	diag_submit(d);
}

/* ---- the path --------------------------------------------------------------------------------- */

/* `a.b.c` as the names that it is made of; false when it is anything else. */
static bool names_of(struct check *c, const struct ast *x, struct ast_list *parts)
{
	struct ast *part;

	if (x->kind != AST_NAME && x->kind != AST_MEMBER)
		return false;
	if (x->kind == AST_MEMBER && !names_of(c, x->member.of, parts))
		return false;
	part = ARENA_NEW(c->arena, struct ast);
	part->kind = AST_NAME_REF;
	part->name_ref.name = x->kind == AST_NAME ? x->ident.name : x->member.name;
	part->span = part->name_ref.name.span;
	parts->at[parts->n++] = part;
	return true;
}

/* The parts of the path that are fields of `global`, from `from` on. */
static bool take_fields(struct asking *a, struct ast_list parts, uint32_t from)
{
	struct check *c = a->c;
	struct ast path = { .kind = AST_PATH };

	path.path.parts = (struct ast_list){ parts.at + from, parts.n - from };
	path.span = parts.at[parts.n - 1]->span;
	return resolve_path(c, c->p->globals.at[a->q.global].type->index, &path, PATH_SOLVED, &a->q.path);
}

static bool is_number(struct asking *a, const struct type *t, struct span at, struct str text)
{
	t = without_none(t);
	if (t->kind == TYPE_NUMBER)
		return true;
	if (!is_poison(t))
		diag_report(a->c->sink, E2701, at, "`%.*s` is %s; solved for are numbers and quantities", (int)text.n,
			    text.p, type_phrase(a->c, t));
	return false;
}

/* The record that has to keep what follows, where the path begins with a value of the plan: a job it is part of, the
 * only job that follows from it, or itself. IR_NONE after a report. */
static uint32_t subject_of(struct asking *a, uint32_t named)
{
	struct check *c = a->c;
	uint32_t jobs, job;

	if (is_job(a, named))
		return named;
	job = only_job(a, &jobs);
	if (is_record(c, named) &&
	    (jobs == 0 || (job != IR_NONE && !ir_dependents_of(c->p, named, c->arena).globals[job])))
		return named;
	if (job == IR_NONE)
		report_no_job(a, jobs);
	return job;
}

/* Where the path begins: with a value of the plan, or in the job. */
static bool take_start(struct asking *a, struct ast_list parts, struct span span)
{
	struct check *c = a->c;
	uint32_t named = value_named(c, parts.at[0]->name_ref.name.sym), jobs;
	const struct type *t;

	a->q.path = (struct ir_path){ .span = span, .text = source_slice(c->p->sources, span) };
	if (named != IR_NONE && (parts.n == 1 || is_record(c, named))) {
		a->q.global = named;
		t = c->p->globals.at[named].type;
		a->q.path.type = t;
		if (parts.n > 1 && !take_fields(a, parts, 1))
			return false;
		if (a->q.subject == IR_NONE)
			a->q.subject = subject_of(a, named);
		return a->q.subject != IR_NONE;
	}
	if (a->q.subject == IR_NONE)
		a->q.subject = only_job(a, &jobs);
	if (a->q.subject == IR_NONE) {
		report_no_job(a, jobs);
		return false;
	}
	a->q.global = a->q.subject;
	return take_fields(a, parts, 0);
}

static bool take_path(struct asking *a)
{
	struct check *c = a->c;
	struct parse_result r = parse_option(c, "PATH", a->in->path);
	struct ast_list parts;

	if (!r.ok)
		return false;
	parts = (struct ast_list){ ARENA_ARRAY(c->arena, struct ast *, r.tree->depth + 1), 0 };
	if (!names_of(c, r.tree, &parts)) {
		diag_report(c->sink, E2701, r.tree->span, "this is not the path of a field, as `cluster.nodes` is");
		return false;
	}
	if (!take_start(a, parts, r.tree->span))
		return false;
	a->q.path.span = r.tree->span;
	a->q.path.text = source_slice(c->p->sources, r.tree->span);
	return is_number(a, a->q.path.type, r.tree->span, a->q.path.text);
}

/* ---- what it is tried with, and what must hold -------------------------------------------------- */

static ir_id lower_end(struct asking *a, struct ast *x)
{
	struct env file = file_env(a->c->modules->root);
	struct goal goal = { .what = "an end of the range", .declared = SPAN_NONE };

	return lower(a->c, &file, x, without_none(a->q.path.type), &goal);
}

static bool take_values(struct asking *a)
{
	struct check *c = a->c;
	struct env file = file_env(c->modules->root);
	struct goal goal = { .what = "`--in`", .declared = SPAN_NONE };
	struct parse_result r;

	a->q.low = a->q.high = a->q.step = a->q.values = IR_NO_NODE;
	if (!a->in->values.p)
		return true;
	r = parse_option(c, "--in", a->in->values);
	if (!r.ok)
		return false;
	if (r.tree->kind != AST_RANGE) {
		a->q.values = lower(c, &file, r.tree, type_list(c->p->types, without_none(a->q.path.type)), &goal);
		return !is_poison(ir_type(c->p, a->q.values));
	}
	a->q.low = lower_end(a, r.tree->range.low);
	a->q.high = lower_end(a, r.tree->range.high);
	if (r.tree->range.step)
		a->q.step = lower_end(a, r.tree->range.step);
	return !is_poison(ir_type(c->p, a->q.low)) && !is_poison(ir_type(c->p, a->q.high)) &&
	       (a->q.step == IR_NO_NODE || !is_poison(ir_type(c->p, a->q.step)));
}

static struct ir_assert condition_of(struct asking *a, const char *source, const char *name, struct str text)
{
	struct check *c = a->c;
	struct parse_result r = parse_option(c, source, text);
	struct ir_assert k = { .cond = IR_NO_NODE, .when = IR_NO_NODE, .because = IR_NO_NODE };

	if (!r.ok)
		return k;
	k.name = sym_of(c->names, str_of(name));
	k.span = k.cond_span = r.tree->span;
	k.cond = lower_condition(c, a->env, r.tree, "what must hold");
	return k;
}

/* Whether `and` in front of a text stays outside all that is in it. */
static bool binds_tighter(struct check *c, struct str text)
{
	struct parse_result r = parse_option(c, "--such-that", text);

	return r.ok && r.tree->kind == AST_BINARY && r.tree->binary.op != OP_OR && r.tree->binary.op != OP_IMPLIES;
}

/* What a condition has to say first, because it takes a value that may be `none` for granted: "days != none and
 * days <= 30 d". The text itself when it does not. */
static struct str guarded(struct asking *a, struct str text)
{
	struct check *c = a->c;
	struct diag_sink *sink = c->sink, quiet;
	const char *open = "(", *close = ")";
	const struct diag *first;
	struct out o;

	diag_sink_init(&quiet, c->arena, c->in->sources);
	c->sink = &quiet;
	condition_of(a, "--such-that", "such_that", text);
	if (binds_tighter(c, text))
		open = close = "";
	c->sink = sink;
	first = quiet.diags.n > 0 ? quiet.diags.at[0] : NULL;
	if (!first || first->code != E1107)
		return text;
	out_init(&o, c->arena);
	out_str(&o, source_slice(c->in->sources, first->span));
	out_printf(&o, " != none and %s%.*s%s", open, (int)text.n, text.p, close);
	return out_view(&o);
}

static struct ir_assert such_that_of(struct asking *a)
{
	struct str text = a->in->such_that;

	for (int i = 0; i < GUARDS_MAX; i++)
		text = guarded(a, text);
	return condition_of(a, "--such-that", "such_that", text);
}

static struct ir_assert fits_of(struct asking *a)
{
	struct ir_assert k = condition_of(a, "fits", "fits", STR("memory.reserved <= cluster.gpu.memory - headroom"));
	struct parse_result r = parse_option(a->c, "fits",
					     STR("\"stage {memory.worst_stage} reserves {memory.reserved:GiB.1}\""));

	if (r.ok)
		k.because = infer(a->c, a->env, r.tree, a->c->t.string);
	return k;
}

/* A step that does not fit into memory is no answer, whatever was asked. */
static void take_conditions(struct asking *a)
{
	struct check *c = a->c;
	struct env file = file_env(c->modules->root);

	a->env = record_env(c, &file, c->p->globals.at[a->q.subject].type->index);
	a->q.such_that.cond = a->q.fits.cond = IR_NO_NODE;
	if (is_job(a, a->q.subject))
		a->q.fits = fits_of(a);
	if (a->in->such_that.p)
		a->q.such_that = such_that_of(a);
}

/* The record whose rules count, when the command line names one. */
static bool take_subject(struct asking *a)
{
	struct check *c = a->c;

	a->q.subject = IR_NONE;
	if (!a->in->subject.p)
		return true;
	a->q.subject = value_named(c, sym_of(c->names, a->in->subject));
	if (a->q.subject != IR_NONE && is_record(c, a->q.subject))
		return true;
	report_no_record(a, a->in->subject);
	return false;
}

void take_inverse(struct check *c)
{
	struct asking a = { .c = c, .in = c->in->inverse };

	if (!a.in || c->sink->errors > c->errors)
		return;
	a.job = ir_find_schema(c->p, "job");
	if (!take_subject(&a) || !take_path(&a) || !take_values(&a))
		return;
	take_conditions(&a);
	c->p->inverse = ARENA_NEW(c->arena, struct ir_inverse);
	*c->p->inverse = a.q;
}
