/* reads.c - what a definition reads: the fields and names in it, where they lead. */
#include "runtime/ask/reads.h"

static const struct ir_node *node_at(const struct eval *ev, ir_id id)
{
	return &ev->program->nodes.at[id];
}

static struct value quietly(struct eval *ev, ir_id node, struct scope scope)
{
	bool muted = ev->sink->muted;
	struct value v;

	ev->sink->muted = true;
	v = eval_node(ev, node, scope);
	ev->sink->muted = muted;
	return v;
}

/* ---- texts ----------------------------------------------------------------------------------- */

enum { TEXT_SHOWN_MAX = 72 };

static bool in_sources(const struct eval *ev, struct span at)
{
	return at.file < ev->program->sources->files.n;
}

struct str ask_text(struct eval *ev, struct span at)
{
	struct str s = in_sources(ev, at) ? source_slice(ev->program->sources, at) : STR("");
	struct out o;
	bool blank = false;

	out_init(&o, ev->arena);
	for (uint32_t i = 0; i < s.n; i++) {
		if (strchr(" \t\n", s.p[i])) {
			blank = true;
			continue;
		}
		if (blank && o.n > 0)
			out_char(&o, ' ');
		blank = false;
		if (o.n >= TEXT_SHOWN_MAX && ((unsigned char)s.p[i] & 0xC0) != 0x80) {
			out_text(&o, "...");
			break;
		}
		out_char(&o, s.p[i]);
	}
	return str_copy(ev->arena, out_view(&o));
}

struct str ask_place(struct eval *ev, struct span at)
{
	const struct source *f;
	struct out o;

	out_init(&o, ev->arena);
	if (in_sources(ev, at)) {
		f = source_get(ev->program->sources, at.file);
		out_printf(&o, "%.*s:%u", (int)f->path.n, f->path.p, source_position(f, at.lo).line);
	}
	return str_copy(ev->arena, out_view(&o));
}

/* ---- one read -------------------------------------------------------------------------------- */

/* Whether a node depends on a name bound outside of it; `bound` of them are bound inside, on the way. */
static bool reads_outer(const struct ir_program *p, ir_id id, uint32_t bound)
{
	const struct ir_node *n = &p->nodes.at[id];
	const char *letters = ir_op_operands(n->op);
	uint32_t operands[] = { n->a, n->b, n->c };

	if (n->op == IR_LOCAL)
		return n->a >= bound;
	for (uint32_t i = 0; letters[i] != '\0'; i++) {
		uint32_t inner = n->op == IR_COMPREHEND && i > 0 ? bound + 1 : bound;

		if ((letters[i] == 'n' || letters[i] == 'o') && operands[i] != IR_NO_NODE &&
		    reads_outer(p, operands[i], inner))
			return true;
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			if (reads_outer(p, p->lists.at[operands[i] + k], inner))
				return true;
	}
	return false;
}

/* Whether a node depends on a name that a comprehension around it or a function binds. */
static bool reads_local(const struct ir_program *p, ir_id id)
{
	return reads_outer(p, id, 0);
}

/* Results of the cost model belong to the job on the way to them. */
static void find_owner(struct eval *ev, struct read *r, ir_id node, struct scope scope)
{
	uint32_t job = ir_find_schema(ev->program, "job");

	while (!r->job) {
		struct value v = node == IR_NO_NODE
					 ? (struct value){ .kind = VALUE_RECORD, .record = scope.self }
					 : quietly(ev, node, scope);

		if (v.kind == VALUE_RECORD && v.record &&
		    ir_schema_extends(ev->program, v.record->schema, job)) {
			const struct job *j = v.record->native;

			r->job = j && j->record ? j : NULL;
			return;
		}
		if (node == IR_NO_NODE)
			return;
		if (node_at(ev, node)->op == IR_FIELD || node_at(ev, node)->op == IR_INDEX)
			node = node_at(ev, node)->a;
		else if (node_at(ev, node)->op == IR_SLOT)
			node = IR_NO_NODE;
		else
			return;
	}
}

static bool is_native(const struct eval *ev, const struct record *r, uint32_t slot)
{
	return ev->program->schemas.at[r->schema].fields[slot].native;
}

struct read read_of(struct eval *ev, ir_id node, struct scope scope, struct str label)
{
	const struct ir_node *n = node_at(ev, node);
	struct read r = { .kind = READ_NODE, .label = label, .node = node, .scope = scope };
	struct value of;

	while (n->op == IR_TO_INT || n->op == IR_TO_ENUM || n->op == IR_TO_MAP) {
		node = n->a;
		n = node_at(ev, node);
	}
	if (n->op == IR_GLOBAL) {
		r.kind = READ_GLOBAL;
		r.global = n->a;
	} else if (n->op == IR_SLOT && scope.self) {
		r.kind = READ_SLOT;
		r.record = scope.self;
		r.slot = n->a;
	} else if (n->op == IR_FIELD) {
		of = quietly(ev, n->a, scope);
		if (of.kind != VALUE_RECORD)
			return r;
		r.kind = READ_SLOT;
		r.record = of.record;
		r.slot = n->b;
	}
	if (r.kind == READ_SLOT && is_native(ev, r.record, r.slot)) {
		read_value_of(ev, &r);
		find_owner(ev, &r, n->op == IR_FIELD ? n->a : IR_NO_NODE, scope);
	}
	return r;
}

struct value read_value_of(struct eval *ev, const struct read *r)
{
	bool muted = ev->sink->muted;
	struct value v = value_poison();

	ev->sink->muted = true;
	switch (r->kind) {
	case READ_SLOT:
		v = record_get(ev, r->record, r->slot);
		break;
	case READ_GLOBAL:
		v = eval_global(ev, r->global);
		break;
	case READ_NODE:
		v = eval_node(ev, r->node, r->scope);
		break;
	}
	ev->sink->muted = muted;
	return v;
}

const struct type *read_type(const struct eval *ev, const struct read *r)
{
	switch (r->kind) {
	case READ_SLOT:
		return ev->program->schemas.at[r->record->schema].fields[r->slot].type;
	case READ_GLOBAL:
		return ev->program->globals.at[r->global].type;
	case READ_NODE:
		break;
	}
	return ev->program->nodes.at[r->node].type;
}

/* ---- all reads of a definition --------------------------------------------------------------- */

struct collector {
	struct eval *ev;
	struct scope scope;
	struct reads *reads;
};

static void collect(struct collector *c, ir_id id);

static bool same(const struct read *a, const struct read *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == READ_SLOT)
		return a->record == b->record && a->slot == b->slot;
	if (a->kind == READ_GLOBAL)
		return a->global == b->global;
	return str_equal(a->label, b->label);
}

static void add(struct collector *c, ir_id id)
{
	struct read r = read_of(c->ev, id, c->scope, ask_text(c->ev, node_at(c->ev, id)->span));

	for (uint32_t i = 0; i < c->reads->all.n; i++)
		if (same(&c->reads->all.at[i], &r))
			return;
	*VEC_ADD(c->ev->arena, &c->reads->all) = r;
}

static void collect_operands(struct collector *c, const struct ir_node *n)
{
	const char *letters = ir_op_operands(n->op);
	uint32_t operands[] = { n->a, n->b, n->c };

	for (uint32_t i = 0; letters[i] != '\0'; i++) {
		if ((letters[i] == 'n' || letters[i] == 'o') && operands[i] != IR_NO_NODE)
			collect(c, operands[i]);
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			collect(c, c->ev->program->lists.at[operands[i] + k]);
	}
}

/* Whether the right side of `and`, `or`, `=>` and `??` was looked at. */
static bool looks_right(struct collector *c, const struct ir_node *n)
{
	struct value left = quietly(c->ev, n->a, c->scope);

	if (n->op == IR_COALESCE)
		return left.kind == VALUE_NONE;
	return left.kind != VALUE_BOOL || left.truth == (n->op != IR_OR);
}

static void collect_choice(struct collector *c, const struct ir_node *n)
{
	struct value cond = quietly(c->ev, n->a, c->scope);

	collect(c, n->a);
	if (cond.kind == VALUE_BOOL)
		collect(c, cond.truth ? n->b : n->c);
}

/* The result of the first arm that fits. */
static void collect_match(struct collector *c, const struct ir_node *n)
{
	const uint32_t *list = &c->ev->program->lists.at[n->b];
	struct value v = quietly(c->ev, n->a, c->scope);

	collect(c, n->a);
	for (uint32_t i = 0; i + 1 < n->c; i += 2) {
		struct value pattern = value_none();

		if (list[i] != IR_NO_NODE)
			pattern = quietly(c->ev, list[i], c->scope);
		if (list[i] != IR_NO_NODE && !eval_equal(c->ev, v, pattern, node_at(c->ev, n->a)->type))
			continue;
		collect(c, list[i + 1]);
		return;
	}
}

/* A `let` is the node it stands for, at the place of its use: a name in the text, an operation here. */
static bool is_let(struct collector *c, const struct ir_node *n)
{
	struct str text = ask_text(c->ev, n->span);

	if (n->op == IR_CONST || text.n == 0)
		return false;
	for (uint32_t i = 0; i < text.n; i++) {
		char x = text.p[i];
		bool letter = (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_';

		if (!letter && !(i > 0 && x >= '0' && x <= '9'))
			return false;
	}
	return true;
}

static void collect_inside(struct collector *c, const struct ir_node *n)
{
	if (n->op == IR_IF)
		collect_choice(c, n);
	else if (n->op == IR_MATCH)
		collect_match(c, n);
	else if (n->op == IR_AND || n->op == IR_OR || n->op == IR_IMPLIES || n->op == IR_COALESCE) {
		collect(c, n->a);
		if (looks_right(c, n))
			collect(c, n->b);
	} else {
		collect_operands(c, n);
	}
}

static void collect(struct collector *c, ir_id id)
{
	const struct ir_node *n = node_at(c->ev, id);

	if (n->op == IR_CONST || n->op == IR_LOCAL || n->op == IR_SELF)
		return;
	if (n->op == IR_FIELD && reads_local(c->ev->program, id)) {
		collect(c, n->a);
		return;
	}
	if (n->op == IR_SLOT || n->op == IR_GLOBAL || n->op == IR_FIELD)
		add(c, id);
	else if (is_let(c, n) && !reads_local(c->ev->program, id))
		add(c, id);
	else if (n->op == IR_COMPREHEND || !reads_local(c->ev->program, id))
		collect_inside(c, n);
	else
		collect_operands(c, n);
}

void reads_of(struct eval *ev, ir_id node, struct scope scope, struct reads *reads)
{
	struct collector c = { ev, scope, reads };

	collect_inside(&c, node_at(ev, node));
	/* A definition that is nothing but a name or a path. */
	if (node_at(ev, node)->op == IR_SLOT || node_at(ev, node)->op == IR_GLOBAL ||
	    node_at(ev, node)->op == IR_FIELD) {
		reads->all.n = 0;
		add(&c, node);
	}
}
