/* blame.c - where the values of a broken condition come from: labels at the fields that the user set. */
#include "runtime/eval/eval_int.h"

enum {
	LABELS_MAX = 3,
	DEPTH_MAX = 40,
	FOLLOWED_MAX = 2 /* derived fields inside one another that are looked into */
};

struct blame {
	struct eval *ev;
	struct diag *d;
	struct scope scope;
	uint32_t labels;
	uint32_t left; /* how many derived fields may still be looked into, one inside the other */
};

static bool same_span(struct span a, struct span b)
{
	return a.file == b.file && a.lo == b.lo && a.hi == b.hi;
}

static struct span origin(const struct blame *b, struct span at)
{
	return source_origin(b->ev->program->sources, at);
}

static void add_label(struct blame *b, struct span at)
{
	if (b->labels == LABELS_MAX || same_span(origin(b, b->d->span), origin(b, at)))
		return;
	for (uint32_t i = 0; i < b->d->labels.n; i++)
		if (same_span(b->d->labels.at[i].span, at))
			return;
	diag_label(b->d, at, "set here");
	b->labels++;
}

static void blame_node(struct blame *b, ir_id node, uint32_t depth);

/* A field that follows from others: what its definition in the schema reads. */
static void blame_definition(struct blame *b, struct record *r, uint32_t slot)
{
	ir_id value = b->ev->program->schemas.at[r->schema].fields[slot].value;
	struct scope around = b->scope;

	if (value == IR_NO_NODE || b->left == 0)
		return;
	b->left--;
	b->scope = (struct scope){ .self = r };
	blame_node(b, value, 0);
	b->scope = around;
	b->left++;
}

/* The newest layer that sets the field says where; one of the library does not count. */
static void blame_field(struct blame *b, struct record *r, uint32_t slot)
{
	for (const struct link_layer *l = r->layers; l; l = l->older) {
		const struct ir_layer *layer = &b->ev->program->layers.at[l->layer];
		for (uint32_t i = 0; i < layer->binding_count; i++) {
			struct span at = layer->bindings[i].span;
			if (layer->bindings[i].slot != slot)
				continue;
			if (span_is_known(b->ev, at) && !span_is_library(b->ev, at))
				add_label(b, at);
			return;
		}
	}
	blame_definition(b, r, slot);
}

static bool is_plain(struct value v)
{
	return v.kind != VALUE_RECORD && v.kind != VALUE_POISON;
}

static struct value quietly(struct blame *b, ir_id node)
{
	bool muted = b->ev->sink->muted;
	b->ev->sink->muted = true;
	struct value v = eval_node(b->ev, node, b->scope);
	b->ev->sink->muted = muted;
	return v;
}

static bool is_true(struct value v)
{
	return v.kind == VALUE_BOOL && v.truth;
}

/* The operands of a node, by the letters of ir.def. What a comprehension or a call evaluates has names of
 * its own and is left out. */
static void blame_parts(struct blame *b, const struct ir_node *n, uint32_t depth)
{
	const uint32_t operands[] = { n->a, n->b, n->c };
	const char *letters = ir_op_operands(n->op);
	bool binds = n->op == IR_COMPREHEND;

	for (int i = 0; i < (binds ? 1 : 3); i++) {
		if (letters[i] == 'n' || (letters[i] == 'o' && operands[i] != IR_NO_NODE))
			blame_node(b, operands[i], depth);
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			blame_node(b, list_item(b->ev, operands[i], k), depth);
		if (letters[i] == 'l')
			break;
	}
}

static void blame_node(struct blame *b, ir_id node, uint32_t depth)
{
	const struct ir_node *n = node_at(b->ev, node);
	struct value of;

	if (depth > DEPTH_MAX || b->labels == LABELS_MAX)
		return;
	if (n->op == IR_SLOT && b->scope.self && is_plain(quietly(b, node)))
		blame_field(b, b->scope.self, n->a);
	if (n->op == IR_AND && !is_true(quietly(b, node))) {
		/* Only one side makes it false. */
		blame_node(b, is_true(quietly(b, n->a)) ? n->b : n->a, depth + 1);
		return;
	}
	if (n->op != IR_FIELD) {
		blame_parts(b, n, depth + 1);
		return;
	}
	of = quietly(b, n->a);
	if (of.kind == VALUE_RECORD && is_plain(quietly(b, node)))
		blame_field(b, of.record, n->b);
}

void blame_condition(struct eval *ev, struct diag *d, ir_id condition, struct scope scope)
{
	struct blame b = { ev, d, scope, d->labels.n, 0 };

	/* What the condition names itself comes first. */
	for (uint32_t left = 0; left <= FOLLOWED_MAX; left++) {
		b.left = left;
		blame_node(&b, condition, 0);
	}
}
