/* builtin_model.c - layouts, letter texts of mixed models, and what knows cluster and model. */
#include "runtime/eval/eval_int.h"

#include "runtime/value/layout.h"

enum { LAYERS_MAX = 1000000 };

static struct value layout_value(const struct layout *l)
{
	return (struct value){ .kind = VALUE_LAYOUT, .layout = l };
}

/* An optional int argument by name; false after a message. `given` stays NULL when it is absent. */
static bool optional_int(const struct call *c, const char *name, uint32_t position, int64_t *value,
			 const int64_t **given)
{
	uint32_t i = call_find(c, name, position);
	*given = NULL;
	*value = 0;
	if (i == IR_NONE || c->args[i].kind == VALUE_NONE)
		return true;
	*given = value;
	return call_int(c, i, 0, LAYERS_MAX, value);
}

static struct value even_or_balanced(const struct call *c, enum layout_kind kind)
{
	int64_t embedding;
	int64_t loss;
	const int64_t *given;
	if (!optional_int(c, "embedding", 0, &embedding, &given) ||
	    !optional_int(c, "loss", 1, &loss, &given))
		return value_poison();
	return layout_value(layout_make_even(c->ev->arena, kind, embedding, loss));
}

struct value builtin_even(const struct call *c)
{
	return even_or_balanced(c, LAYOUT_EVEN);
}

struct value builtin_balanced(const struct call *c)
{
	return even_or_balanced(c, LAYOUT_BALANCED);
}

struct value builtin_ends(const struct call *c)
{
	int64_t first;
	int64_t last;
	const int64_t *first_given;
	const int64_t *last_given;
	if (!optional_int(c, "first", 0, &first, &first_given) ||
	    !optional_int(c, "last", 1, &last, &last_given))
		return value_poison();
	return layout_value(layout_make_ends(c->ev->arena, first_given, last_given));
}

struct value builtin_counts(const struct call *c)
{
	if (!fail_unless_present(c->ev, c->args[0], call_node(c, 0)))
		return value_poison();
	uint32_t n = sequence_count(c->args[0]);
	int64_t *counts = ARENA_ARRAY(c->ev->arena, int64_t, n);
	if (n == 0) {
		struct diag *d = call_fail(c, 0);
		diag_message(d, "a layout needs at least one stage");
		diag_submit(d);
		return value_poison();
	}
	for (uint32_t i = 0; i < n; i++) {
		struct value v = sequence_get(c->ev, c->args[0], i);
		if (v.kind == VALUE_NUMBER && num_fits_int64(v.number, &counts[i]) &&
		    counts[i] >= 0 && counts[i] <= LAYERS_MAX)
			continue;
		struct str text = value_text(c->ev, v, NULL);
		struct diag *d = call_fail(c, 0);
		diag_message(d, "a stage holds 0 to %d layers, not %.*s", LAYERS_MAX, (int)text.n,
			     text.p);
		diag_submit(d);
		return value_poison();
	}
	return layout_value(layout_make_counts(c->ev->arena, counts, n));
}

/* ---- letter texts ---------------------------------------------------------------------------- */

/* The exact place when the text is a plain literal; the whole argument otherwise. */
static struct span text_place(const struct call *c, uint32_t i, const struct letters_fault *fault)
{
	struct span at = node_at(c->ev, call_node(c, i))->span;
	if (!span_is_known(c->ev, at))
		return at;
	struct str source = source_slice(c->ev->program->sources, at);
	struct str text = c->args[i].text;
	if (source.n != text.n + 2 || memcmp(source.p + 1, text.p, text.n) != 0)
		return at;
	uint32_t lo = at.lo + 1 + fault->offset;
	return (struct span){ at.file, lo, lo + fault->length };
}

static struct diag *bad_letters(const struct call *c, uint32_t i, const struct letters_fault *fault)
{
	struct str text = c->args[i].text;
	struct str shown = str_slice(text, fault->offset < text.n ? fault->offset : text.n, text.n);
	if (shown.n > 20)
		shown.n = 20;
	while (shown.n > 0 && shown.n < text.n - fault->offset &&
	       ((unsigned char)shown.p[shown.n] & 0xC0) == 0x80)
		shown.n--;
	struct diag *d = fail_at(c->ev, E2007, text_place(c, i, fault));
	diag_message(d, "%s", fault->what);
	if (shown.n > 0)
		diag_note(d, "at character %u: `%.*s`", fault->offset + 1, (int)shown.n, shown.p);
	return d;
}

struct value builtin_stages(const struct call *c)
{
	struct letters_fault fault;
	if (!fail_unless_present(c->ev, c->args[0], call_node(c, 0)))
		return value_poison();
	invariant(c->args[0].kind == VALUE_STRING, "stages of no text");
	const struct layout *l = layout_parse(c->ev->arena, c->args[0].text, &fault);
	if (l)
		return layout_value(l);
	struct diag *d = bad_letters(c, 0, &fault);
	diag_help(d, "E embedding, t layer, m extra-prediction layer, L head and loss, | ends a "
		     "stage; `t*3` and `(tt|)*4` repeat");
	diag_submit(d);
	return value_poison();
}

/* The argument bound to a letter; IR_NONE when nobody bound it. */
static uint32_t find_letter(const struct call *c, char letter)
{
	const char name[2] = { letter, '\0' };
	return call_find(c, name, UINT32_MAX);
}

static void unknown_letter(const struct call *c, struct letter l)
{
	struct letters_fault fault = { l.offset, 1, "a letter that stands for no block" };
	struct diag *d = bad_letters(c, 0, &fault);
	diag_help(d, "give it one: `%c = { ... }`", l.c);
	diag_submit(d);
}

/* blocks("(S f)*3 A f", S = ..., A = ..., f = ...): one block record per letter. */
struct value builtin_blocks(const struct call *c)
{
	struct letters letters;
	struct letters_fault fault;
	if (!fail_unless_present(c->ev, c->args[0], call_node(c, 0)))
		return value_poison();
	invariant(c->args[0].kind == VALUE_STRING, "blocks of no text");
	if (!letters_expand(c->ev->arena, c->args[0].text, false, &letters, &fault)) {
		diag_submit(bad_letters(c, 0, &fault));
		return value_poison();
	}
	struct value *at = ARENA_ARRAY(c->ev->arena, struct value, letters.n);
	for (uint32_t i = 0; i < letters.n; i++) {
		uint32_t arg = find_letter(c, letters.at[i].c);
		if (arg == IR_NONE) {
			unknown_letter(c, letters.at[i]);
			return value_poison();
		}
		at[i] = c->args[arg];
	}
	return list_value(c->ev, at, letters.n);
}

/* ---- cluster and model ----------------------------------------------------------------------- */

static bool record_argument(const struct call *c, uint32_t i, struct record **r)
{
	if (!fail_unless_present(c->ev, c->args[i], call_node(c, i)))
		return false;
	invariant(c->args[i].kind == VALUE_RECORD, "a record that is none");
	*r = c->args[i].record;
	return true;
}

/* The levels are listed from the innermost; a group beyond the outermost one is E2005. */
struct value builtin_span_level(const struct call *c)
{
	struct record *cluster;
	int64_t n;
	if (!record_argument(c, 0, &cluster) || !call_int(c, 1, 1, INT64_MAX, &n))
		return value_poison();
	struct value levels = record_get_named(c->ev, cluster, "levels");
	if (levels.kind != VALUE_LIST)
		return value_poison();
	for (uint32_t i = 0; i < levels.list->n; i++) {
		struct value size = record_get_named(c->ev, levels.list->at[i].record, "size");
		if (size.kind != VALUE_NUMBER)
			return value_poison();
		if (num_compare(size.number, num_int(n)) >= 0)
			return record_get_named(c->ev, levels.list->at[i].record, "name");
	}
	struct diag *d = call_fail(c, 1);
	struct str name = record_title(c->ev, cluster);
	diag_message(d, "no level of `%.*s` holds %lld GPUs", (int)name.n, name.p, (long long)n);
	diag_submit(d);
	return value_poison();
}

struct value builtin_flops_per_token(const struct call *c)
{
	struct flops_question q = { .at = c->node->span };
	uint32_t sequence = call_find(c, "sequence", UINT32_MAX);
	uint32_t profile = call_find(c, "profile", UINT32_MAX);
	invariant(sequence != IR_NONE, "flops_per_token without a sequence");
	if (!record_argument(c, 0, &q.model) || !call_int(c, sequence, 1, INT64_MAX, &q.sequence))
		return value_poison();
	if (profile != IR_NONE && !record_argument(c, profile, &q.profile))
		return value_poison();
	if (!c->ev->model_flops)
		return value_poison();
	return c->ev->model_flops(c->ev, &q, c->ev->model_flops_context);
}
