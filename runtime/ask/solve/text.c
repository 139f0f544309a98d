/* text.c - the answer of `planc solve`, for people and for programs. */
#include "runtime/ask/solve/solve_int.h"
#include "runtime/ask/value_json.h"

struct printing {
	const struct ir_program *p;
	const struct solve_result *r;
	struct out *o;
};

/* "55.864 GiB": the unit that people read, and digits enough to tell neighbours apart. */
void solve_print_value(struct out *o, const struct ir_program *p, struct value v, const struct type *t)
{
	struct out plain, format;
	uint32_t unit = 0, digits = 0;

	out_init(&plain, o->arena);
	out_init(&format, o->arena);
	value_print(&plain, p, v, t);
	while (unit < plain.n && plain.p[unit] != ' ')
		digits += plain.p[unit] >= '0' && plain.p[unit] <= '9' && !memchr(plain.p, '.', unit), unit++;
	if (unit < plain.n && digits < 5) {
		out_bytes(&format, plain.p + unit + 1, plain.n - unit - 1);
		out_printf(&format, ".%u", 5 - digits);
		if (memchr(plain.p, '.', unit) && value_print_format(o, p, v, t, out_view(&format)))
			return;
	}
	out_bytes(o, plain.p, plain.n);
}

static void out_value(const struct printing *w, struct value v)
{
	solve_print_value(w->o, w->p, v, w->r->question->path.type);
}

/* Lines of a text, each behind some blanks. */
static void out_indented(struct out *o, struct str text, uint32_t by)
{
	for (uint32_t i = 0, line = 0; i < text.n; i = line) {
		while (line < text.n && text.p[line] != '\n')
			line++;
		if (line > i)
			out_repeat(o, ' ', by);
		out_bytes(o, text.p + i, line - i);
		out_char(o, '\n');
		line++;
	}
}

/* The words of the conditions: "`days <= 30 d`, memory and the rules". */
static void out_conditions(const struct printing *w)
{
	const struct ir_inverse *q = w->r->question;

	if (q->such_that.cond != IR_NO_NODE) {
		struct str text = source_slice(w->p->sources, q->such_that.cond_span);

		out_printf(w->o, "`%.*s`%s", (int)text.n, text.p, q->fits.cond == IR_NO_NODE ? " and the rules" : ", ");
	} else if (q->fits.cond == IR_NO_NODE) {
		out_text(w->o, "the rules");
	}
	if (q->fits.cond != IR_NO_NODE)
		out_text(w->o, "memory and the rules");
}

static void out_answer(const struct printing *w)
{
	const struct solve_result *r = w->r;
	struct str path = r->question->path.text;
	struct str subject = sym_str(w->p->names, w->p->globals.at[r->question->subject].name);

	out_printf(w->o, "%.*s = ", (int)path.n, path.p);
	out_value(w, r->answer);
	out_printf(w->o, ": the %s for %.*s that keeps ", r->options.maximise ? "greatest" : "least", (int)subject.n,
		   subject.p);
	out_conditions(w);
	if (r->now.kind == VALUE_NUMBER || r->now.kind == VALUE_REAL) {
		out_text(w->o, "; the plan has ");
		out_value(w, r->now);
	}
	out_char(w->o, '\n');
}

/* Of the library: such codes carry the name of a rule. */
static bool is_rule(enum diag_code code)
{
	const char *name = diag_info(code)->name;

	return strncmp(name, "E21", 3) == 0 || strncmp(name, "E22", 3) == 0;
}

static void out_reason(const struct printing *w, const struct solve_reason *why, const char *word)
{
	struct out drawing;

	out_text(w->o, "  ");
	out_value(w, why->value);
	out_printf(w->o, "%s: %.*s", word, (int)why->shown->message.n, why->shown->message.p);
	if (is_rule(why->shown->code))
		out_printf(w->o, " (%s)", diag_info(why->shown->code)->slug);
	out_char(w->o, '\n');
	out_init(&drawing, why->shown->sink->arena);
	diag_render_drawing(why->shown->sink, why->shown, &drawing);
	out_indented(w->o, out_view(&drawing), 2);
}

static void out_search(const struct printing *w)
{
	const struct solve_result *r = w->r;

	out_text(w->o, "  searched ");
	out_value(w, r->low);
	out_text(w->o, " to ");
	out_value(w, r->high);
	if (r->step.kind == VALUE_NUMBER && num_compare(r->step.number, num_int(1)) != 0) {
		out_text(w->o, " by ");
		out_value(w, r->step);
	}
	out_printf(w->o, ": %u full evaluation%s, %u test%s of rules alone\n", r->evaluations,
		   r->evaluations == 1 ? "" : "s", r->legalities, r->legalities == 1 ? "" : "s");
}

static void out_exception(const struct printing *w)
{
	out_text(w->o, "  not monotone: ");
	out_value(w, w->r->exception);
	out_printf(w->o, " is not met either%s\n",
		   w->r->values > SOLVE_ALL_TRIED ? "; of the values between not all were tried" : "");
}

void solve_print_text(const struct ir_program *p, const struct solve_result *r, struct out *o)
{
	struct printing w = { p, r, o };

	out_answer(&w);
	if (r->skipped)
		out_reason(&w, &r->hole, " is not legal");
	if (r->border)
		out_reason(&w, &r->beyond, r->beyond.legal ? " is not met" : " is not legal");
	else if (!r->skipped)
		out_text(o, "  no border was found: every value up to the end of the search is met\n");
	if (!r->monotone)
		out_exception(&w);
	out_search(&w);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

struct json_printing {
	struct json_writer w;
	const struct ir_program *p;
	const struct type *type;
	struct arena *arena;
};

static void json_value(struct json_printing *j, const char *key, struct value v)
{
	struct out text;

	if (v.kind != VALUE_NUMBER && v.kind != VALUE_REAL) {
		json_null(&j->w, key);
		return;
	}
	out_init(&text, j->arena);
	solve_print_value(&text, j->p, v, j->type);
	json_begin_object(&j->w, key);
	if (v.kind == VALUE_NUMBER)
		json_num(&j->w, "value", v.number);
	else
		json_real(&j->w, "value", v.real);
	json_str(&j->w, "text", out_view(&text));
	json_end(&j->w);
}

static void json_reason(struct json_printing *j, const char *key, bool there, const struct solve_reason *why)
{
	if (!there) {
		json_null(&j->w, key);
		return;
	}
	json_begin_object(&j->w, key);
	json_value(j, "at", why->value);
	json_bool(&j->w, "legal", why->legal);
	json_text(&j->w, "code", diag_info(why->shown->code)->name);
	json_text(&j->w, "name", diag_info(why->shown->code)->slug);
	json_str(&j->w, "message", why->shown->message);
	json_end(&j->w);
}

void solve_print_json(const struct ir_program *p, const struct solve_result *r, struct arena *a, struct out *o)
{
	const struct ir_inverse *q = r->question;
	struct json_printing j = { .p = p, .type = q->path.type, .arena = a };
	const struct type *t = j.type->kind == TYPE_OPTION ? j.type->of : j.type;

	json_writer_init(&j.w, a);
	json_begin_object(&j.w, NULL);
	json_text(&j.w, "schema", "planc.solve/1");
	json_str(&j.w, "path", q->path.text);
	json_str(&j.w, "subject", sym_str(p->names, p->globals.at[q->subject].name));
	json_text(&j.w, "wanted", r->options.maximise ? "greatest" : "least");
	if (q->such_that.cond != IR_NO_NODE)
		json_str(&j.w, "such_that", source_slice(p->sources, q->such_that.cond_span));
	else
		json_null(&j.w, "such_that");
	json_str(&j.w, "unit", type_base_unit(a, t));
	json_value(&j, "answer", r->answer);
	json_value(&j, "now", r->now);
	json_bool(&j.w, "border", r->border);
	json_reason(&j, "beyond", r->border, &r->beyond);
	json_reason(&j, "stepped_over", r->skipped, &r->hole);
	json_bool(&j.w, "monotone", r->monotone);
	json_value(&j, "exception", r->monotone ? value_none() : r->exception);
	json_begin_object(&j.w, "searched");
	json_value(&j, "low", r->low);
	json_value(&j, "high", r->high);
	json_value(&j, "step", r->step);
	json_int(&j.w, "values", (int64_t)r->values);
	json_end(&j.w);
	json_int(&j.w, "evaluations", r->evaluations);
	json_int(&j.w, "rule_tests", r->legalities);
	json_end(&j.w);
	json_print(&j.w, o, true);
	out_char(o, '\n');
}
