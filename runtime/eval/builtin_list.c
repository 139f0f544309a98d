/* builtin_list.c - len, all, any, unique, and the lists that axes are made of. */
#include "runtime/eval/eval_int.h"

static bool only(const struct call *c, struct value *v)
{
	*v = c->args[0];
	return fail_unless_present(c->ev, *v, call_node(c, 0));
}

/* Characters of a text, not bytes. */
static int64_t text_length(struct str s)
{
	int64_t n = 0;
	for (uint32_t i = 0; i < s.n; i++)
		n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
	return n;
}

struct value builtin_len(const struct call *c)
{
	struct value v;
	if (!only(c, &v))
		return value_poison();
	return value_int(v.kind == VALUE_STRING ? text_length(v.text) : (int64_t)sequence_count(v));
}

/* Whether some element is `wanted`; -1 after a message. */
static int has_element(const struct call *c, bool wanted)
{
	struct value all;
	if (!only(c, &all))
		return -1;
	uint32_t n = sequence_count(all);
	for (uint32_t i = 0; i < n; i++) {
		struct value v = sequence_get(c->ev, all, i);
		if (!fail_unless_present(c->ev, v, call_node(c, 0)))
			return -1;
		invariant(v.kind == VALUE_BOOL, "a condition that is no bool");
		if (v.truth == wanted)
			return 1;
	}
	return 0;
}

struct value builtin_all(const struct call *c)
{
	int found = has_element(c, false);
	return found < 0 ? value_poison() : value_bool(!found);
}

struct value builtin_any(const struct call *c)
{
	int found = has_element(c, true);
	return found < 0 ? value_poison() : value_bool(found);
}

/* ---- unique ---------------------------------------------------------------------------------- */

/* Equal values have equal hashes; values without a good hash share one and are compared. */
static uint64_t hash_value(struct value v)
{
	if (v.kind == VALUE_NUMBER)
		return num_hash(v.number);
	if (v.kind == VALUE_STRING)
		return hash_bytes(v.text.p, v.text.n);
	return v.kind == VALUE_ENUM ? v.ordinal + 1 : 0;
}

static bool hashes(struct value all, struct eval *ev)
{
	uint32_t n = sequence_count(all);
	for (uint32_t i = 0; i < n; i++) {
		enum value_kind k = sequence_get(ev, all, i).kind;
		if (k != VALUE_NUMBER && k != VALUE_STRING && k != VALUE_ENUM)
			return false;
	}
	return true;
}

struct value builtin_unique(const struct call *c)
{
	struct eval *ev = c->ev;
	struct value all;
	if (!only(c, &all))
		return value_poison();
	const struct type *of = node_at(ev, call_node(c, 0))->type->of;
	uint32_t n = sequence_count(all);
	struct value *kept = ARENA_ARRAY(ev->arena, struct value, n);
	uint32_t *next = ARENA_ARRAY(ev->arena, uint32_t, n); /* older element of the same hash */
	uint32_t count = 0;
	bool by_hash = hashes(all, ev);
	struct map last;
	map_init(&last, ev->arena);
	for (uint32_t i = 0; i < n; i++) {
		struct value v = sequence_get(ev, all, i);
		uint64_t hash = by_hash ? hash_value(v) : 0;
		uint32_t seen = map_find(&last, hash);
		uint32_t at = seen;
		while (at != MAP_NONE && !eval_equal(ev, kept[at], v, of))
			at = next[at];
		if (at != MAP_NONE)
			continue;
		kept[count] = v;
		next[count] = seen;
		map_set(&last, hash, count++);
	}
	return list_value(ev, kept, count);
}

/* ---- divisors, powers, values ---------------------------------------------------------------- */

static int compare_nums(const void *a, const void *b)
{
	return num_compare(*(const struct num *)a, *(const struct num *)b);
}

/* Grows the list by the multiples with every power of a prime. */
static uint32_t multiply_out(struct num *at, uint32_t count, int64_t prime, uint32_t exponent)
{
	uint32_t before = count;
	int64_t power = 1;
	for (uint32_t e = 0; e < exponent; e++) {
		power *= prime;
		for (uint32_t i = 0; i < before; i++)
			at[count++] = num_int(at[i].n * power);
	}
	return count;
}

enum { DIVISORS_COUNT_MAX = 6720 }; /* of any number up to 10^12: that of 963761198400 */

struct num *divisors_of(struct eval *ev, int64_t n, uint32_t *count)
{
	struct num *at = ARENA_ARRAY(ev->arena, struct num, DIVISORS_COUNT_MAX);
	at[0] = num_int(1);
	*count = 1;
	for (int64_t p = 2; p * p <= n; p += p == 2 ? 1 : 2) {
		uint32_t exponent = 0;
		for (; n % p == 0; n /= p)
			exponent++;
		*count = multiply_out(at, *count, p, exponent);
	}
	if (n > 1)
		*count = multiply_out(at, *count, n, 1);
	qsort(at, *count, sizeof(*at), compare_nums);
	return at;
}

static struct value list_of_nums(struct eval *ev, const struct num *at, uint32_t n)
{
	struct value *v = ARENA_ARRAY(ev->arena, struct value, n);
	for (uint32_t i = 0; i < n; i++)
		v[i] = value_number(at[i]);
	return list_value(ev, v, n);
}

struct value builtin_divisors(const struct call *c)
{
	int64_t n;
	uint32_t count;
	if (!call_int(c, 0, 1, divisors_max, &n))
		return value_poison();
	const struct num *at = divisors_of(c->ev, n, &count);
	return list_of_nums(c->ev, at, count);
}

/* powers(2, 1, 8) is [1, 2, 4, 8]: the powers, from the zeroth on, that lie in the range. */
struct value builtin_powers(const struct call *c)
{
	int64_t base;
	int64_t low;
	int64_t high;
	struct num at[64];
	uint32_t n = 0;
	if (!call_int(c, 0, 2, INT64_MAX, &base) || !call_int(c, 1, INT64_MIN, INT64_MAX, &low) ||
	    !call_int(c, 2, INT64_MIN, INT64_MAX, &high))
		return value_poison();
	for (int64_t x = 1; x <= high; x *= base) {
		if (x >= low)
			at[n++] = num_int(x);
		if (x > INT64_MAX / base)
			break;
	}
	if (n == 0) {
		struct diag *d = call_fail(c, 1);
		diag_message(d, "no power of %lld lies from %lld to %lld", (long long)base,
			     (long long)low, (long long)high);
		if (low > high)
			diag_help(d, "the smaller bound comes first");
		diag_submit(d);
		return value_poison();
	}
	return list_of_nums(c->ev, at, n);
}

struct value builtin_values(const struct call *c)
{
	struct eval *ev = c->ev;
	const struct type *of = c->node->type->of;
	if (of->kind == TYPE_RECORD) {
		const struct ir_schema *s = &ev->program->schemas.at[of->index];
		struct value *at = ARENA_ARRAY(ev->arena, struct value, s->preset_count);
		for (uint32_t i = 0; i < s->preset_count; i++) {
			at[i] = eval_global_at(ev, s->presets[i], c->node->span);
			if (at[i].kind == VALUE_POISON)
				return at[i];
		}
		return list_value(ev, at, s->preset_count);
	}
	invariant(of->kind == TYPE_ENUM, "the values of something else");
	uint32_t n = ev->program->enums.at[of->index].count;
	struct value *at = ARENA_ARRAY(ev->arena, struct value, n);
	for (uint32_t i = 0; i < n; i++)
		at[i] = value_enum(i);
	return list_value(ev, at, n);
}
