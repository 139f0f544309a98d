/* print_sweep.c - a sweep as the loop nest that it becomes: what is tested at each level, the outermost
 * first (`planc debug ir`). */
#include "compiler/ir/print_int.h"

static void print_paths(struct printer *w, const struct ir_axis *a)
{
	for (uint32_t i = 0; i < a->path_count; i++)
		out_printf(w->o, "%s%.*s", i > 0 ? ", " : "", (int)a->paths[i].text.n, a->paths[i].text.p);
}

static void print_axis(struct printer *w, const struct ir_axis *a)
{
	print_node(w, a->values);
	if (a->when != IR_NO_NODE)
		print_node(w, a->when);
	out_text(w->o, "  vary ");
	print_paths(w, a);
	out_text(w->o, " in ");
	print_reference(w, a->values);
	if (a->when != IR_NO_NODE) {
		out_text(w->o, " when ");
		print_reference(w, a->when);
	}
	out_char(w->o, '\n');
}

static void print_goal(struct printer *w, const struct ir_goal *g)
{
	print_node(w, g->value);
	if (g->slack != IR_NO_NODE)
		print_node(w, g->slack);
	out_printf(w->o, "  %s ", g->maximise ? "maximise" : "minimise");
	print_reference(w, g->value);
	if (g->slack != IR_NO_NODE) {
		out_text(w->o, g->relative ? " slack relative " : " slack ");
		print_reference(w, g->slack);
	}
	out_char(w->o, '\n');
}

static void print_constraint(struct printer *w, const struct ir_condition *k)
{
	if (k->rule.when != IR_NO_NODE)
		print_node(w, k->rule.when);
	print_node(w, k->rule.cond);
	out_printf(w->o, "  constraint %s ", sym_str(w->p->names, k->rule.name).p);
	print_reference(w, k->rule.cond);
	if (k->rule.when != IR_NO_NODE) {
		out_text(w->o, " when ");
		print_reference(w, k->rule.when);
	}
	out_char(w->o, '\n');
}

static void print_condition_name(struct printer *w, const struct ir_condition *k, bool *first)
{
	out_text(w->o, *first ? " test " : ", ");
	*first = false;
	out_text(w->o, k->rule.name.id != 0 ? sym_str(w->p->names, k->rule.name).p : "(unnamed)");
	if (k->place_count > 1)
		out_printf(w->o, " x %u", k->place_count);
}

/* Conditions and goals that are known at this level and not outside it. */
static void print_level(struct printer *w, const struct ir_sweep *s, uint32_t level, bool model)
{
	bool first = true;

	for (uint32_t i = 0; i < s->condition_count; i++)
		if (s->conditions[i].reads.model == model && ir_level(s->conditions[i].reads) == level)
			print_condition_name(w, &s->conditions[i], &first);
	for (uint32_t i = 0; i < s->goal_count; i++)
		if (s->goals[i].reads.model == model && ir_level(s->goals[i].reads) == level)
			out_printf(w->o, "%s goal %u", first ? "" : ",", i + 1);
}

static void print_nest(struct printer *w, const struct ir_sweep *s)
{
	for (uint32_t level = 0; level <= s->axis_count; level++) {
		out_printf(w->o, "  level %u", level);
		if (level > 0) {
			out_text(w->o, " (");
			print_paths(w, &s->axes[level - 1]);
			out_char(w->o, ')');
		}
		out_char(w->o, ':');
		print_level(w, s, level, false);
		out_char(w->o, '\n');
	}
	out_text(w->o, "  cost model:");
	for (uint32_t level = 0; level <= s->axis_count; level++)
		print_level(w, s, level, true);
	out_char(w->o, '\n');
}

void print_sweep(struct printer *w, const struct ir_sweep *s)
{
	print_type_line(w, "sweep", s->name, s->type);
	if (s->type->kind == TYPE_POISON)
		return;
	print_start(w);
	print_value(w, "of", s->of);
	w->schema = s->type->index;
	for (uint32_t i = 0; i < s->axis_count; i++)
		print_axis(w, &s->axes[i]);
	for (uint32_t i = 0; i < s->condition_count; i++)
		if (s->conditions[i].own)
			print_constraint(w, &s->conditions[i]);
	for (uint32_t i = 0; i < s->goal_count; i++)
		print_goal(w, &s->goals[i]);
	print_nest(w, s);
	w->schema = IR_NONE;
}
