/* rules.c - the asserts of a target: a framework's own rules, what it has no words for, and what it
 * warns of or silently changes.
 */
#include "runtime/emit/emit_int.h"

static const char loss_prefix[] = "cannot_express_", advice_prefix[] = "advises_";

struct broken {
	const struct ir_assert *first;
	VEC(struct str) others;
	VEC(const struct ir_assert *) advice;
};

static struct str rule_name(struct emission *e, const struct ir_assert *a)
{
	return a->name.id ? sym_str(e->program->names, a->name) : STR("");
}

/* The sentence behind `because`, or the name of the rule in words. */
static struct str reason(struct emission *e, const struct ir_assert *a)
{
	struct scope scope = { .self = e->target };
	struct value v;

	if (a->because != IR_NO_NODE) {
		v = eval_node(e->ev, a->because, scope);
		if (v.kind == VALUE_STRING)
			return v.text;
	}
	return rule_name(e, a);
}

/* A loss ends the emission unless the plan accepts losses; then it is said twice: here, and in the
 * artefact. */
static bool report_loss(struct emission *e, const struct ir_assert *a)
{
	struct str why = reason(e, a), name = rule_name(e, a);
	struct diag *d = diag_new(e->sink, e->lossy ? W2511 : E2511, e->emit->span);

	diag_message(d,
		     e->lossy ? "target `%.*s` leaves this out: %.*s"
			      : "target `%.*s` cannot express this: %.*s",
		     (int)e->target_name.n, e->target_name.p, (int)why.n, why.p);
	diag_note(d, "rule `%.*s` of `%.*s`", (int)name.n, name.p, (int)e->target_name.n,
		  e->target_name.p);
	if (!a->library)
		diag_label(d, a->span, "said here");
	if (e->lossy)
		*VEC_ADD(e->arena, &e->losses) = why;
	else
		diag_help(d, "`lossy = true` leaves it out and says so in the artefact");
	diag_submit(d);
	return e->lossy;
}

/* The evaluator says what is broken and draws the condition with its values; the code tells that
 * the rule is the framework's. */
static void report_rule(struct emission *e, const struct broken *b)
{
	assert_report(e->ev, b->first, (struct scope){ .self = e->target },
		      (struct assert_telling){ .at = e->emit->span,
					       .instance = e->target_name,
					       .also = b->others.at,
					       .also_count = b->others.n,
					       .code = E2505 });
}

/* The name under which a job silences a rule `advises_NAME`. */
static struct str advice_name(struct emission *e, const struct ir_assert *a)
{
	struct str name = rule_name(e, a);

	return str_slice(name, sizeof advice_prefix - 1, name.n);
}

/* What the framework warns of, or changes without a word, in a plan that keeps its rules. */
static void report_advice(struct emission *e, const struct ir_assert *a)
{
	struct value job = record_get_named(e->ev, e->target, "job");

	if (job.kind == VALUE_RECORD && advice_is_silenced(e->ev, job.record, advice_name(e, a)))
		return;
	advice_report(e->ev, a, e->target, advice_name(e, a),
		      (struct assert_telling){
			      .at = e->emit->span, .instance = e->target_name, .code = W2505 });
}

static bool test_rules(struct emission *e, const struct ir_assert *asserts, uint32_t count,
		       struct broken *b)
{
	struct scope scope = { .self = e->target };
	bool fine = true;

	for (uint32_t i = 0; i < count; i++) {
		const struct ir_assert *a = &asserts[i];

		if (assert_test(e->ev, a, scope) != VERDICT_BROKEN)
			continue;
		if (str_starts(rule_name(e, a), loss_prefix))
			fine = report_loss(e, a) && fine;
		else if (str_starts(rule_name(e, a), advice_prefix))
			*VEC_ADD(e->arena, &b->advice) = a;
		else if (!b->first)
			b->first = a;
		else if (a->name.id)
			*VEC_ADD(e->arena, &b->others) = rule_name(e, a);
	}
	return fine;
}

uint32_t emit_rules_held(struct emission *e)
{
	const struct ir_schema *schema = &e->program->schemas.at[e->emit->schema];
	uint32_t held = 0;

	for (uint32_t i = 0; i < schema->assert_count; i++)
		if (assert_test(e->ev, &schema->asserts[i], (struct scope){ .self = e->target }) ==
		    VERDICT_HOLDS)
			held++;
	return held;
}

bool emit_check_rules(struct emission *e)
{
	const struct ir_schema *schema = &e->program->schemas.at[e->emit->schema];
	uint32_t errors = e->sink->errors;
	struct broken b = { 0 };
	bool fine = test_rules(e, schema->asserts, schema->assert_count, &b);

	if (e->emit->layer != IR_NONE) {
		const struct ir_layer *layer = &e->program->layers.at[e->emit->layer];

		fine = test_rules(e, layer->asserts, layer->assert_count, &b) && fine;
	}
	if (b.first)
		report_rule(e, &b);
	fine = fine && !b.first && e->sink->errors == errors;
	for (uint32_t i = 0; fine && i < b.advice.n; i++)
		report_advice(e, b.advice.at[i]);
	return fine;
}
