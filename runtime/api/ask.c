/* ask.c - questions about a plan: expressions, where values come from, what differs, the documentation. */
#include "runtime/api/api_int.h"

#include "compiler/syntax/parse.h"
#include "runtime/ask/diff/diff.h"
#include "runtime/ask/doc.h"
#include "runtime/ask/why/why.h"
#include "runtime/report/sweep.h"

static const char *finished(struct out *o)
{
	return arena_copy(o->arena, o->p ? o->p : "", o->n);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* The plan once more with an expression in it, in an evaluator of its own; NULL after a diagnostic. */
static struct ir_program *with_question(struct plan_context *c, const char *expression, struct eval *ev)
{
	struct compile_input in = c->input;
	uint32_t errors = c->sink.errors;
	struct ir_program *p;

	in.question = str_copy(&c->work, str_of(expression));
	in.library = stdlib_files;
	p = plan_compile(&in);
	if (!p || c->sink.errors > errors || p->question == IR_NO_NODE)
		return NULL;
	compilation_evaluator(&in, p, ev);
	context_limit(c, ev);
	return p;
}

static enum plan_status evaluate(struct plan_context *c, const char *expression, struct plan_value *value)
{
	struct eval ev;
	uint32_t errors = c->sink.errors;
	struct ir_program *p = with_question(c, expression, &ev);
	struct value v;

	if (!p)
		return context_errors(c);
	v = eval_node(&ev, p->question, (struct scope){ 0 });
	if (v.kind == VALUE_POISON || c->sink.errors > errors)
		return context_errors(c);
	value_describe(c, p, v, p->nodes.at[p->question].type, value);
	return PLAN_OK;
}

enum plan_status plan_eval(struct plan_context *c, const char *expression, struct plan_value *value)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!expression || !value)
		return context_say(c, PLAN_MISUSE, "an expression has a text, and its value an address to go to");
	memset(value, 0, sizeof *value);
	if (setjmp(c->escape) != 0) {
		memset(value, 0, sizeof *value);
		return context_out_of_memory(c);
	}
	return evaluate(c, expression, value);
}

static enum plan_status explain_value(struct plan_context *c, const char *expression, const char **text)
{
	struct eval ev;
	uint32_t errors = c->sink.errors;
	struct ir_program *p = with_question(c, expression, &ev);
	struct out o;

	if (!p)
		return context_errors(c);
	out_init(&o, &c->work);
	if (!why_print(&ev, p->question, str_of(expression), &o) || c->sink.errors > errors)
		return context_errors(c);
	*text = finished(&o);
	return PLAN_OK;
}

enum plan_status plan_why(struct plan_context *c, const char *expression, const char **text)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!expression || !text)
		return context_say(c, PLAN_MISUSE, "an expression has a text, and the answer an address to go to");
	*text = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	return explain_value(c, expression, text);
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* The point is read with the plan, like a question. */
static enum plan_status why_not(struct plan_context *c, const char *sweep, const char *point, const char **text)
{
	struct compile_input in = c->input;
	uint32_t errors = c->sink.errors, index;
	enum plan_status status = sweeps_find(c, sweep, &index);
	struct ir_program *p;
	struct search *search;
	struct search_why why;
	struct eval ev;
	struct out o;

	if (status == PLAN_OK)
		status = context_check(c, PLAN_CHECK_RULES);
	if (status != PLAN_OK)
		return status;
	in.point = str_copy(&c->work, str_of(point));
	in.point_sweep = sym_str(c->names, c->program->sweeps.at[index].name);
	p = plan_compile(&in);
	if (!p || c->sink.errors > errors)
		return context_errors(c);
	if (p->points.n == 0)
		return context_say(c, PLAN_MISUSE, "a point is `axis = value, ...`, as in \"strategy.tp = 2\"");
	compilation_evaluator(&in, p, &ev);
	context_limit(c, &ev);
	index = p->points.at[0].sweep;
	search = search_once(&ev, index, NULL, p->sweeps.at[index].span);
	if (!search || !search_why_not(search, &why))
		return context_errors(c);
	out_init(&o, &c->work);
	report_why_text(search, &why, &o);
	*text = finished(&o);
	return PLAN_OK;
}

enum plan_status plan_why_not(struct plan_context *c, const char *sweep, const char *point, const char **text)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!point || !text)
		return context_say(c, PLAN_MISUSE, "a candidate has a point, and the answer an address to go to");
	*text = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	return why_not(c, sweep, point, text);
}

/* ---- whole plans ----------------------------------------------------------------------------- */

/* Values are computed in both contexts: whichever runs out of memory loses its plan. */
enum plan_status plan_diff(struct plan_context *c, struct plan_context *other, const char **text)
{
	struct out o;
	uint32_t lines;

	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!text || context_needs_program(other) != PLAN_OK)
		return context_say(c, PLAN_MISUSE, "two plans are compared, and the answer has an address to go to");
	*text = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	if (setjmp(other->escape) != 0) {
		context_out_of_memory(other);
		return context_say(c, PLAN_NO_MEMORY, plan_status_text(PLAN_NO_MEMORY));
	}
	out_init(&o, &c->work);
	lines = diff_print(&c->ev, &other->ev, &o);
	*text = finished(&o);
	return lines > 0 ? context_say(c, PLAN_DIFFERENT, "the plans differ") : PLAN_OK;
}

enum plan_status plan_doc(struct plan_context *c, const char **text)
{
	struct parse_input in;
	struct diag_sink quiet;
	struct out o;

	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!text)
		return context_say(c, PLAN_MISUSE, "a page has an address to go to");
	*text = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	/* The comment at the head of the file belongs to the tree, not to the program. */
	diag_sink_init(&quiet, &c->work, &c->sources);
	in = (struct parse_input){ &c->work, c->names, &c->sources, &quiet, c->program->root_file };
	out_init(&o, &c->work);
	doc_print(&o, c->program, c->program->root_file, parse_file(&in).tree->doc);
	*text = finished(&o);
	return PLAN_OK;
}
