/* pairs.c - maps: lists of pairs whose keys differ, and the value of a key. */
#include "runtime/eval/eval_int.h"

bool is_map(const struct eval *ev, ir_id node)
{
	return node_at(ev, node)->type->kind == TYPE_MAP;
}

static struct value pair_part(struct value map, uint32_t i, uint32_t part)
{
	return map.list->at[i].list->at[part];
}

uint32_t pairs_find(struct eval *ev, struct value map, struct value key, const struct type *type)
{
	uint32_t i = 0;

	while (i < map.list->n && !eval_equal(ev, pair_part(map, i, 0), key, type))
		i++;
	return i;
}

struct value pairs_get(struct eval *ev, ir_id id, struct value map, struct value key, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	const struct type *type = node_at(ev, n->a)->type->of->items[0];
	uint32_t at = pairs_find(ev, map, key, type);
	struct str text = node_text(ev, n->a), shown = value_text(ev, key, type);
	struct suggestions s;
	struct diag *d;

	if (at < map.list->n)
		return pair_part(map, at, 1);
	d = fail_node(ev, E2002, id, scope, true);
	diag_message(d, "`%.*s` has no key %.*s", (int)text.n, text.p, (int)shown.n, shown.p);
	suggestions_init(&s, ev->arena, shown);
	for (uint32_t i = 0; i < map.list->n; i++)
		suggestions_add(&s, value_text(ev, pair_part(map, i, 0), type), true);
	if (!diag_suggest(d, &s))
		diag_help(d, "ask `key in map` first, as in `if k in m then m[k] else 0`");
	diag_submit(d);
	return value_poison();
}

/* ---- keys that are given twice --------------------------------------------------------------- */

struct place {
	struct value key;
	uint32_t at;
};

static int compare_keys(struct value a, struct value b)
{
	if (a.kind == VALUE_NUMBER)
		return num_compare(a.number, b.number);
	if (a.kind == VALUE_STRING)
		return str_compare(a.text, b.text);
	if (a.kind == VALUE_ENUM)
		return (a.ordinal > b.ordinal) - (a.ordinal < b.ordinal);
	return a.truth - b.truth;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = compare_keys(x->key, y->key);

	return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* The first pair whose key an earlier one has; the number of pairs when all differ. */
static uint32_t first_repeated(struct eval *ev, struct value map)
{
	uint32_t n = map.list->n, first = n;
	struct place *places = ARENA_ARRAY(ev->arena, struct place, n + 1);

	for (uint32_t i = 0; i < n; i++)
		places[i] = (struct place){ pair_part(map, i, 0), i };
	if (n > 0)
		qsort(places, n, sizeof *places, compare_places);
	for (uint32_t i = 1; i < n; i++)
		if (compare_keys(places[i - 1].key, places[i].key) == 0 && places[i].at < first)
			first = places[i].at;
	return first;
}

struct value eval_to_map(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value map = eval_node(ev, n->a, scope);
	const struct type *pair;
	struct str text;
	struct diag *d;
	uint32_t at;

	if (map.kind != VALUE_LIST)
		return map;                      /* none, or poison */
	at = first_repeated(ev, map);
	if (at == map.list->n)
		return map;
	pair = node_at(ev, n->a)->type->of;
	text = value_text(ev, pair_part(map, at, 0), pair->items[0]);
	d = fail_node(ev, E2005, id, scope, false);
	diag_message(d, "the key %.*s is given twice", (int)text.n, text.p);
	diag_submit(d);
	return value_poison();
}
