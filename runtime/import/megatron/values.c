/* values.c - values of flags as text of the plan. */
#include "runtime/import/megatron/megatron_int.h"

#include <inttypes.h>
#include <stdarg.h>

void megatron_refuse(struct megatron *m, const struct shell_text *at, const char *fmt, ...)
{
	char text[400];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	foreign_refuse(&m->f, shell_span(&m->script, at), "%s", text);
	m->fine = false;
}

void megatron_line(struct megatron *m, const char *field, const char *value)
{
	if (value)
		plan_text_line(&m->w, SPAN_NONE, "%s = %s", field, value);
}

/* Words that follow unknown ones could be anything. */
static const struct shell_text *only_value(struct megatron *m, const char *flag)
{
	const struct megatron_arg *a = megatron_arg(m, flag);

	if (!a)
		return NULL;
	if (a->values.n == 0) {
		megatron_refuse(m, &a->flag, "`%s` has no value", flag);
		return NULL;
	}
	for (uint32_t i = 1; i < a->values.n; i++) {
		if (!shell_known(&a->values.at[i])) {
			*VEC_ADD(m->f.arena, &m->strays) = a->values.at[i];
			continue;
		}
		megatron_refuse(m, &a->values.at[i], "`%s` takes one value", flag);
		return NULL;
	}
	return &a->values.at[0];
}

/* "--global-batch-size" is asked for as global_batch_size. */
const char *megatron_ask(struct megatron *m, const char *flag, const struct shell_text *value, const char *type)
{
	const char *p = memchr(value->p, SHELL_UNKNOWN, value->n);
	struct span at = { m->script.file, p ? value->at[p - value->p] : value->at[0], 0 };
	struct out name;

	out_init(&name, m->f.arena);
	for (flag += strspn(flag, "-"); *flag; flag++)
		out_char(&name, *flag == '-' ? '_' : *flag);
	/* "save" alone is the field that the value is for. */
	if (strcmp(type, "string") == 0 && !memchr(name.p, '_', name.n))
		out_text(&name, "_path");
	out_char(&name, '\0');
	for (uint32_t i = 0; i < m->open.n; i++)
		if (strcmp(m->open.at[i].name, name.p) == 0)
			return m->open.at[i].name;
	*VEC_ADD(m->f.arena, &m->open) = (struct megatron_open){
		.name = name.p,
		.type = type,
		.spelling = shell_unknown(m->sources, &m->script, value),
		.line = source_position(source_get(m->sources, m->script.file), at.lo).line,
	};
	return name.p;
}

static bool parse_int(struct str t, int64_t *n)
{
	bool minus = t.n > 1 && t.p[0] == '-';

	*n = 0;
	for (uint32_t i = minus; i < t.n; i++)
		if (t.p[i] < '0' || t.p[i] > '9' || __builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, t.p[i] - '0', n))
			return false;
	*n = minus ? -*n : *n;
	return t.n > 0;
}

static int cut(const struct shell_text *t)
{
	return (int)(t->n > 60 ? 60 : t->n);
}

static const char *int_of(struct megatron *m, const char *flag, const struct shell_text *v, int64_t least,
			  const char *otherwise)
{
	int64_t n;

	if (!shell_known(v))
		return megatron_ask(m, flag, v, "int");
	if (!parse_int(shell_view(v), &n)) {
		megatron_refuse(m, v, "`%s` is `%.*s`; it must be a whole number", flag, cut(v), v->p);
		return otherwise;
	}
	if (n < least || n > FOREIGN_MOST) {
		megatron_refuse(m, v, "`%s` is %" PRIi64 "; it must be at %s %" PRIi64, flag, n,
				n < least ? "least" : "most", n < least ? least : FOREIGN_MOST);
		return otherwise;
	}
	return plan_text_int(&m->w, n);
}

const char *megatron_int(struct megatron *m, const char *flag, int64_t least, const char *otherwise)
{
	const struct shell_text *v = only_value(m, flag);

	return v ? int_of(m, flag, v, least, otherwise) : otherwise;
}

int64_t megatron_count(struct megatron *m, const char *flag)
{
	const struct megatron_arg *a = megatron_arg(m, flag);
	int64_t n;

	return a && a->values.n > 0 && shell_known(&a->values.at[0]) &&
			       parse_int(shell_view(&a->values.at[0]), &n) && n > 0 && n <= FOREIGN_MOST
		       ? n
		       : 0;
}

/* Python's spelling of a number that a plan spells likewise: digits, a point, an exponent. */
static bool number_text(struct str t, struct out *o)
{
	uint32_t i = t.n > 0 && t.p[0] == '-', digits = 0, exponent = 0;

	if (i)
		out_char(o, '-');
	if (i < t.n && t.p[i] == '.')
		out_char(o, '0');
	for (; i < t.n && t.p[i] >= '0' && t.p[i] <= '9'; i++, digits++)
		out_char(o, t.p[i]);
	if (i < t.n && t.p[i] == '.') {
		uint32_t k = i + 1;

		for (; k < t.n && t.p[k] >= '0' && t.p[k] <= '9'; k++)
			digits++;
		if (k > i + 1)
			out_bytes(o, t.p + i, k - i);
		i = k;
	}
	if (digits > 0 && i < t.n && (t.p[i] == 'e' || t.p[i] == 'E')) {
		out_char(o, 'e');
		i++;
		if (i < t.n && (t.p[i] == '-' || t.p[i] == '+')) {
			if (t.p[i] == '-')
				out_char(o, '-');
			i++;
		}
		for (; i < t.n && t.p[i] >= '0' && t.p[i] <= '9'; i++, exponent++)
			out_char(o, t.p[i]);
		if (exponent == 0 || exponent > 3)
			return false;
	}
	out_char(o, '\0');
	return digits > 0 && digits < 60 && i == t.n;
}

const char *megatron_number(struct megatron *m, const char *flag, const char *otherwise)
{
	const struct shell_text *v = only_value(m, flag);
	struct out o;

	if (!v)
		return otherwise;
	if (!shell_known(v))
		return megatron_ask(m, flag, v, "rational");
	out_init(&o, m->f.arena);
	if (number_text(shell_view(v), &o))
		return o.p;
	megatron_refuse(m, v, "`%s` is `%.*s`; it must be a number", flag, cut(v), v->p);
	return otherwise;
}

const struct shell_text *megatron_text(struct megatron *m, const char *flag)
{
	const struct shell_text *v = only_value(m, flag);
	struct str s;

	if (!v || shell_known(v))
		return v;
	s = shell_unknown(m->sources, &m->script, v);
	megatron_refuse(m, v, "`%s` takes `%.*s`, which this script does not set; planc needs its value", flag,
			(int)s.n, s.p);
	return NULL;
}

const char *megatron_choice_of(struct megatron *m, const char *flag, const struct shell_text *value,
			       const struct megatron_word *words, size_t count)
{
	struct diag *d;
	struct out all;

	out_init(&all, m->f.arena);
	for (size_t i = 0; i < count; i++) {
		if (str_is(shell_view(value), words[i].word))
			return words[i].plan;
		out_printf(&all, "%s%s", i ? ", " : "", words[i].word);
	}
	d = diag_new(m->f.sink, E0209, shell_span(&m->script, value));
	diag_message(d, "`%s` is `%.*s`, which a plan cannot say", flag, cut(value), value->p);
	diag_help(d, "it can say %.*s", (int)all.n, all.p);
	diag_submit(d);
	m->fine = false;
	return NULL;
}

const char *megatron_choice(struct megatron *m, const char *flag, const struct megatron_word *words,
			    size_t count, const char *otherwise)
{
	const struct shell_text *v = megatron_text(m, flag);
	const char *plan = v ? megatron_choice_of(m, flag, v, words, count) : NULL;

	return plan ? plan : otherwise;
}

void megatron_need(struct megatron *m, const char *field, const char *flag)
{
	const char *v = megatron_int(m, flag, 1, NULL);

	if (!v && m->fine) {
		foreign_refuse(&m->f, megatron_place(m),
			       "the arguments of this script have no `%s`", flag);
		m->fine = false;
	}
	megatron_line(m, field, v);
}
