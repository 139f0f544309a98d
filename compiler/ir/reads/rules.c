/* rules.c - the rules that a candidate of a sweep has to keep: those of its schema, of the records inside
 * it that an axis can change, and the asserts in the braces of them all; then the constraints. */
#include "compiler/ir/reads/reads_int.h"

enum { INSIDE_DEPTH_MAX = 6, PLACES_MAX = 4000 };

struct rules {
	struct reads *r;
	VEC(struct ir_condition) schemas, braces;
	uint32_t slots[INSIDE_DEPTH_MAX], depth;
	uint32_t places;
};

static struct ir_inside place_here(struct rules *c)
{
	uint32_t *slots = ARENA_ARRAY(c->r->arena, uint32_t, c->depth + 1);

	memcpy(slots, c->slots, c->depth * sizeof *slots);
	return (struct ir_inside){ slots, c->depth };
}

/* A rule has one place for each record that it holds for. The text of a rule says which it is: schemas
 * that extend another have copies. */
static void add_place(struct rules *c, struct ir_condition *k, struct ir_reads reads)
{
	struct ir_inside *places = ARENA_ARRAY(c->r->arena, struct ir_inside, k->place_count + 1);

	if (k->place_count > 0)
		memcpy(places, k->places, k->place_count * sizeof *places);
	places[k->place_count++] = place_here(c);
	k->places = places;
	k->reads = reads_join(k->reads, reads);
	c->places++;
}

static struct ir_condition *find_rule(struct ir_condition *at, uint32_t n, const struct ir_assert *rule,
				      uint32_t layer)
{
	for (uint32_t i = 0; i < n; i++)
		if (at[i].layer == layer && at[i].rule.span.file == rule->span.file &&
		    at[i].rule.span.lo == rule->span.lo)
			return &at[i];
	return NULL;
}

static void add_rule(struct rules *c, const struct ir_assert *rule, uint32_t layer, struct ir_reads reads)
{
	struct arena *a = c->r->arena;
	struct ir_condition *k;

	/* What no axis can change inside the candidate was tested where it was declared; advice rules nothing out. */
	if (rule->advice || c->places >= PLACES_MAX || (c->depth > 0 && reads.axes == 0))
		return;
	k = layer == IR_NONE ? find_rule(c->schemas.at, c->schemas.n, rule, layer)
			     : find_rule(c->braces.at, c->braces.n, rule, layer);
	if (!k) {
		k = layer == IR_NONE ? VEC_ADD(a, &c->schemas) : VEC_ADD(a, &c->braces);
		*k = (struct ir_condition){ .rule = *rule, .layer = layer };
	}
	add_place(c, k, reads);
}

static struct ir_reads rule_reads(struct rules *c, const struct ir_assert *a, struct known v,
				  const struct names *names)
{
	struct ir_reads reads = v.reads;

	if (!v.shape)
		return reads;
	if (a->when != IR_NO_NODE)
		reads = reads_join(reads, reads_all(c->r, a->when, v.shape, names));
	return reads_join(reads, reads_all(c->r, a->cond, v.shape, names));
}

/* The oldest braces first, as the text reads. */
static void rules_of_coats(struct rules *c, struct known v, const struct coat *coat)
{
	const struct ir_layer *l;

	if (!coat)
		return;
	rules_of_coats(c, v, coat->older);
	l = &c->r->p->layers.at[coat->layer];
	for (uint32_t i = 0; i < l->assert_count; i++)
		add_rule(c, &l->asserts[i], coat->layer,
			 rule_reads(c, &l->asserts[i], v, coat->names));
}

static const struct type *record_inside(const struct type *t)
{
	if (t->kind == TYPE_OPTION)
		t = t->of;
	if (t->kind == TYPE_LIST)
		t = t->of;
	return t->kind == TYPE_RECORD ? t : NULL;
}

static void rules_of(struct rules *c, struct known v, uint32_t schema);

static void rules_inside(struct rules *c, struct known v, uint32_t schema)
{
	const struct ir_schema *s = &c->r->p->schemas.at[schema];

	if (c->depth == INSIDE_DEPTH_MAX)
		return;
	for (uint32_t i = 0; i < s->field_count; i++) {
		const struct type *t = record_inside(s->fields[i].type);
		struct known inner = v;

		if (!t || s->fields[i].native)
			continue;
		if (v.shape) {
			inner = reads_slot(c->r, v.shape, i);
			inner.reads = reads_join(inner.reads, v.reads);
		}
		if (reads_deep(c->r, inner).axes == 0)
			continue;
		c->slots[c->depth++] = i;
		rules_of(c, inner, inner.shape ? inner.shape->schema : t->index);
		c->depth--;
	}
}

static void rules_of(struct rules *c, struct known v, uint32_t schema)
{
	const struct ir_schema *s = &c->r->p->schemas.at[schema];

	for (uint32_t i = 0; i < s->assert_count; i++)
		add_rule(c, &s->asserts[i], IR_NONE, rule_reads(c, &s->asserts[i], v, NULL));
	if (v.shape)
		rules_of_coats(c, v, v.shape->coats);
	rules_inside(c, v, schema);
}

/* A constraint is written in the text of the candidate itself. */
static void read_constraint(struct rules *c, struct ir_condition *k, struct shape *candidate)
{
	k->layer = IR_NONE;
	k->own = true;
	add_place(c, k, rule_reads(c, &k->rule, (struct known){ .shape = candidate }, NULL));
}

void reads_rules(struct reads *r, struct ir_sweep *sweep, struct shape *candidate)
{
	struct rules c = { .r = r };
	struct ir_condition *own = sweep->conditions, *at;
	uint32_t own_count = sweep->condition_count, n = 0;

	rules_of(&c, (struct known){ .shape = candidate }, candidate->schema);
	at = ARENA_ARRAY(r->arena, struct ir_condition, c.schemas.n + c.braces.n + own_count + 1);
	for (uint32_t i = 0; i < c.schemas.n; i++)
		at[n++] = c.schemas.at[i];
	for (uint32_t i = 0; i < c.braces.n; i++)
		at[n++] = c.braces.at[i];
	for (uint32_t i = 0; i < own_count; i++) {
		read_constraint(&c, &own[i], candidate);
		at[n++] = own[i];
	}
	sweep->conditions = at;
	sweep->condition_count = n;
}
