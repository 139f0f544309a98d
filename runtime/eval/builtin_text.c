/* builtin_text.c - texts, versions, names, and the lines of artefacts. */
#include "runtime/eval/eval_int.h"

static bool text_argument(const struct call *c, uint32_t i, struct str *s)
{
	if (!fail_unless_present(c->ev, c->args[i], call_node(c, i)))
		return false;
	invariant(c->args[i].kind == VALUE_STRING, "a text that is none");
	*s = c->args[i].text;
	return true;
}

/* ---- versions -------------------------------------------------------------------------------- */

enum { VERSION_PARTS_MAX = 16 };

static bool is_digit_at(struct str s, uint32_t i)
{
	return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* What may follow the numbers: "rc1", "a0+34c6371d24.nv25.08", ".dev0", "-beta". It does not count. */
static bool is_suffix(struct str s)
{
	static const char *const words[] = { ".dev", ".post", ".rc", ".alpha", ".beta" };
	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		if (str_starts(s, words[i]))
			return true;
	return s.n == 0 || s.p[0] == '-' || s.p[0] == '+' || (s.p[0] >= 'a' && s.p[0] <= 'z');
}

/* Numbers with points between them, into parts; what is not there is 0. False for anything else. */
static bool read_version(struct str s, uint64_t parts[VERSION_PARTS_MAX])
{
	uint32_t i = 0;
	memset(parts, 0, VERSION_PARTS_MAX * sizeof *parts);
	for (uint32_t n = 0; n < VERSION_PARTS_MAX && is_digit_at(s, i); n++) {
		for (; is_digit_at(s, i); i++)
			if (parts[n] < UINT64_MAX / 10 - 1)
				parts[n] = parts[n] * 10 + (uint64_t)(s.p[i] - '0');
		if (i >= s.n || s.p[i] != '.' || !is_digit_at(s, i + 1))
			break;
		i++;
	}
	return i > 0 && is_suffix(str_slice(s, i, s.n));
}

static bool version_argument(const struct call *c, uint32_t i, uint64_t parts[VERSION_PARTS_MAX])
{
	struct str text;
	if (!text_argument(c, i, &text))
		return false;
	if (read_version(text, parts))
		return true;
	struct diag *d = call_fail(c, i);
	diag_message(d, "\"%.*s\" is not a version", (int)(text.n < 60 ? text.n : 60), text.p);
	diag_help(d, "a version is numbers with points between them, as in \"0.14.1\"");
	diag_submit(d);
	return false;
}

static bool reaches(const uint64_t version[VERSION_PARTS_MAX], const uint64_t wanted[VERSION_PARTS_MAX])
{
	for (int i = 0; i < VERSION_PARTS_MAX; i++)
		if (version[i] != wanted[i])
			return version[i] > wanted[i];
	return true;
}

struct value builtin_at_least(const struct call *c)
{
	uint64_t version[VERSION_PARTS_MAX], wanted[VERSION_PARTS_MAX];
	if (!version_argument(c, 0, version) || !version_argument(c, 1, wanted))
		return value_poison();
	return value_bool(reaches(version, wanted));
}

bool version_reaches(struct str version, struct str least)
{
	uint64_t parts[VERSION_PARTS_MAX], wanted[VERSION_PARTS_MAX];
	return !read_version(version, parts) || !read_version(least, wanted) || reaches(parts, wanted);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static struct value text_result(const struct call *c, const struct out *o)
{
	return value_string(str_copy(c->ev->arena, out_view(o)));
}

static struct value too_long(const struct call *c)
{
	struct diag *d = fail_at(c->ev, E2003, c->node->span);
	diag_message(d, "this text grows beyond a million bytes");
	diag_submit(d);
	return value_poison();
}

struct value builtin_text(const struct call *c)
{
	struct out o;
	out_init(&o, c->ev->arena);
	value_print(&o, c->ev->program, c->args[0], node_at(c->ev, call_node(c, 0))->type);
	return text_result(c, &o);
}

struct value builtin_name_of(const struct call *c)
{
	if (!fail_unless_present(c->ev, c->args[0], call_node(c, 0)))
		return value_poison();
	invariant(c->args[0].kind == VALUE_RECORD, "the name of something else");
	return value_string(record_name(c->ev, c->args[0].record));
}

struct value builtin_join(const struct call *c)
{
	struct eval *ev = c->ev;
	struct str separator;
	struct out o;
	if (!fail_unless_present(ev, c->args[0], call_node(c, 0)) ||
	    !text_argument(c, 1, &separator))
		return value_poison();
	out_init(&o, ev->arena);
	const struct type *of = node_at(ev, call_node(c, 0))->type->of;
	uint32_t n = sequence_count(c->args[0]);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			out_str(&o, separator);
		value_print(&o, ev->program, sequence_get(ev, c->args[0], i), of);
		if (o.n > EVAL_TEXT_MAX)
			return too_long(c);
	}
	return text_result(c, &o);
}

struct value builtin_replace(const struct call *c)
{
	struct str text;
	struct str from;
	struct str to;
	struct out o;
	if (!text_argument(c, 0, &text) || !text_argument(c, 1, &from) || !text_argument(c, 2, &to))
		return value_poison();
	if (from.n == 0)
		return c->args[0];
	out_init(&o, c->ev->arena);
	for (uint32_t i = 0; i < text.n;) {
		if (i + from.n <= text.n && memcmp(text.p + i, from.p, from.n) == 0) {
			out_str(&o, to);
			i += from.n;
		} else {
			out_char(&o, text.p[i++]);
		}
		if (o.n > EVAL_TEXT_MAX)
			return too_long(c);
	}
	return text_result(c, &o);
}

/* ---- lines of artefacts ---------------------------------------------------------------------- */

static struct value make_arg(const struct call *c)
{
	uint32_t name_at = call_find(c, "name", 0);
	uint32_t value_at = call_find(c, "value", 1);
	uint32_t when_at = call_find(c, "when", 2);
	struct arg *a = ARENA_NEW(c->ev->arena, struct arg);
	*a = (struct arg){ .value = value_none(), .on = true };
	if (name_at == IR_NONE || !text_argument(c, name_at, &a->name))
		return value_poison();
	if (value_at != IR_NONE) {
		a->value = c->args[value_at];
		a->type = node_at(c->ev, call_node(c, value_at))->type;
	}
	if (when_at != IR_NONE) {
		if (!fail_unless_present(c->ev, c->args[when_at], call_node(c, when_at)))
			return value_poison();
		a->on = c->args[when_at].truth;
	}
	/* A bare flag has no value at all; one whose value is none is left out. */
	if (c->node->a == BUILTIN_FLAG && value_at != IR_NONE && a->value.kind == VALUE_NONE)
		a->on = false;
	return (struct value){ .kind = VALUE_ARG, .arg = a };
}

/* flag("--bf16"), flag("--seq-length", 8192), flag("--sp", when = cond) */
struct value builtin_flag(const struct call *c)
{
	return make_arg(c);
}

/* key("stage", 3), key("path", none): none is a value that a document can say. */
struct value builtin_key(const struct call *c)
{
	return make_arg(c);
}
