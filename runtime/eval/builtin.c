/* builtin.c - calls of built-in functions: the table, and how they read their arguments. */
#include "runtime/eval/eval_int.h"

static builtin_function *const functions[BUILTIN_COUNT] = {
	[BUILTIN_MIN] = builtin_min,
	[BUILTIN_MAX] = builtin_max,
	[BUILTIN_SUM] = builtin_sum,
	[BUILTIN_LEN] = builtin_len,
	[BUILTIN_ALL] = builtin_all,
	[BUILTIN_ANY] = builtin_any,
	[BUILTIN_CEIL] = builtin_ceil,
	[BUILTIN_FLOOR] = builtin_floor,
	[BUILTIN_ROUND] = builtin_round,
	[BUILTIN_ABS] = builtin_abs,
	[BUILTIN_SQRT] = builtin_sqrt,
	[BUILTIN_LOG2] = builtin_log2,
	[BUILTIN_EXP] = builtin_exp,
	[BUILTIN_UNIQUE] = builtin_unique,
	[BUILTIN_DIVISORS] = builtin_divisors,
	[BUILTIN_POWERS] = builtin_powers,
	[BUILTIN_VALUES] = builtin_values,
	[BUILTIN_AT_LEAST] = builtin_at_least,
	[BUILTIN_TEXT] = builtin_text,
	[BUILTIN_NAME_OF] = builtin_name_of,
	[BUILTIN_JOIN] = builtin_join,
	[BUILTIN_REPLACE] = builtin_replace,
	[BUILTIN_EVEN] = builtin_even,
	[BUILTIN_BALANCED] = builtin_balanced,
	[BUILTIN_ENDS] = builtin_ends,
	[BUILTIN_COUNTS] = builtin_counts,
	[BUILTIN_STAGES] = builtin_stages,
	[BUILTIN_BLOCKS] = builtin_blocks,
	[BUILTIN_SPAN_LEVEL] = builtin_span_level,
	[BUILTIN_FLOPS_PER_TOKEN] = builtin_flops_per_token,
	[BUILTIN_LOOKUP] = builtin_lookup,
	[BUILTIN_FLAG] = builtin_flag,
	[BUILTIN_KEY] = builtin_key,
};

ir_id call_node(const struct call *c, uint32_t i)
{
	return list_item(c->ev, c->node->b, i);
}

static struct sym argument_name(const struct call *c, uint32_t i)
{
	uint32_t at = c->node->b + i;
	return at < c->ev->program->list_names.n ? c->ev->program->list_names.at[at]
						 : (struct sym){ 0 };
}

uint32_t call_find(const struct call *c, const char *name, uint32_t position)
{
	uint32_t nameless = 0;
	uint32_t found = IR_NONE;
	for (uint32_t i = 0; i < c->n; i++) {
		struct sym given = argument_name(c, i);
		if (given.id && str_is(sym_str(c->ev->program->names, given), name))
			return i;
		if (!given.id && nameless++ == position)
			found = i;
	}
	return found;
}

struct diag *call_fail(const struct call *c, uint32_t i)
{
	return fail_at(c->ev, E2005, node_at(c->ev, i < c->n ? call_node(c, i) : c->id)->span);
}

bool call_int(const struct call *c, uint32_t i, int64_t least, int64_t most, int64_t *result)
{
	struct value v = c->args[i];
	if (!fail_unless_present(c->ev, v, call_node(c, i)))
		return false;
	if (v.kind == VALUE_NUMBER && num_fits_int64(v.number, result) && *result >= least &&
	    *result <= most)
		return true;
	struct str text = value_text(c->ev, v, node_at(c->ev, call_node(c, i))->type);
	struct diag *d = call_fail(c, i);
	struct out range;
	out_init(&range, c->ev->arena);
	if (most == INT64_MAX && least > INT64_MIN)
		out_printf(&range, "from %lld on", (long long)least);
	else
		out_printf(&range, "from %lld to %lld", (long long)least, (long long)most);
	diag_message(d, "`%s` takes an int %.*s here, not %.*s",
		     builtin_name((enum builtin)c->node->a), (int)range.n, range.p, (int)text.n, text.p);
	diag_submit(d);
	return false;
}

/* values(x) reads only the type of its result: its argument names an enum or a schema. */
struct value eval_builtin(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct call c = { ev, id, n, scope, n->c, NULL };
	if (n->a != BUILTIN_VALUES) {
		struct value *args = ARENA_ARRAY(ev->arena, struct value, n->c);
		for (uint32_t i = 0; i < n->c; i++) {
			args[i] = eval_node(ev, list_item(ev, n->b, i), scope);
			if (args[i].kind == VALUE_POISON)
				return args[i];
		}
		c.args = args;
	}
	builtin_function *f = n->a < BUILTIN_COUNT ? functions[n->a] : NULL;
	invariant(f, "a built-in function without its code");
	return f(&c);
}
