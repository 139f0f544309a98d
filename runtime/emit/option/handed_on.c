/* handed_on.c - what the plan hands on in `extra`, as far as it has names. */
#include "runtime/emit/option/option_int.h"

/* Where line i of `extra` is written: its own text where the plan lists them, else the emit. */
static struct span extra_span(const struct emission *e, uint32_t i)
{
	const struct ir_program *p = e->program;
	uint32_t slot = ir_find_field(p, e->emit->schema, STR("extra"));
	const struct ir_layer *layer = e->emit->layer == IR_NONE ? NULL : &p->layers.at[e->emit->layer];

	for (uint32_t k = 0; layer && k < layer->binding_count; k++) {
		const struct ir_binding *b = &layer->bindings[k];
		const struct ir_node *n = &p->nodes.at[b->what];

		if (b->slot == slot && b->kind == BIND_SET && n->op == IR_LIST && i < n->b)
			return p->nodes.at[p->lists.at[n->a + i]].span;
	}
	return e->emit->span;
}

/* The words of `extra`, cut at blanks, each with the number of its line. */
struct extra_words {
	VEC(struct str) at;
	VEC(uint32_t) lines;
};

static struct extra_words cut_extra(struct emission *e)
{
	struct extra_words words = { 0 };

	for (uint32_t i = 0; i < e->extra.n; i++)
		for (uint32_t at = 0, end; at < e->extra.at[i].n; at = end + 1) {
			struct str line = e->extra.at[i];

			for (end = at; end < line.n && line.p[end] != ' ';)
				end++;
			if (end == at)
				continue;
			*VEC_ADD(e->arena, &words.at) = str_slice(line, at, end);
			*VEC_ADD(e->arena, &words.lines) = i;
		}
	return words;
}

/* A flag without its =VALUE, or the name of NAME=VALUE; empty for a value. */
static struct str name_in(struct str word)
{
	const char *sign = memchr(word.p, '=', word.n);
	struct str name = sign ? str_slice(word, 0, (uint32_t)(sign - word.p)) : word;

	return shell_is_flag(name) || (sign && override_is_name(name)) ? name : STR("");
}

/* Hydra's + adds a key that nobody knows, ~ takes one away. */
static bool is_addition(struct str word)
{
	return word.p[0] == '+' || word.p[0] == '~';
}

static bool check_extra_words(struct emission *e)
{
	struct extra_words words = cut_extra(e);
	bool fine = true, known;

	for (uint32_t i = 0, end; i < words.at.n; i = end) {
		struct str word = words.at.at[i], name = name_in(word);

		for (end = i + 1; end < words.at.n && name_in(words.at.at[end]).n == 0;)
			end++;
		if (name.n == 0 || is_addition(word))
			continue;
		e->place = extra_span(e, words.lines.at[i]);
		if (shell_is_flag(name) && name.n == word.n)
			fine = option_check_flag(e, name, words.at.at + i + 1, end - i - 1) && fine;
		else
			fine = (option_find(e, name, &known) || known) && fine;
	}
	return fine;
}

/* Lines NAME=VALUE for a document; what is no such line is refused when it is written. */
static bool check_extra_lines(struct emission *e)
{
	bool fine = true, known;

	for (uint32_t i = 0; i < e->extra.n; i++) {
		struct str name = e->extra.at[i];
		const char *sign = memchr(name.p, '=', name.n);

		name.n = sign ? (uint32_t)(sign - name.p) : 0;
		while (name.n > 0 && name.p[name.n - 1] == ' ')
			name.n--;
		e->place = extra_span(e, i);
		if (name.n > 0)
			fine = (option_find(e, name, &known) || known) && fine;
	}
	return fine;
}

bool options_check_extra(struct emission *e)
{
	bool words = e->kind == ARTEFACT_SHELL || e->kind == ARTEFACT_FLAGS ||
		     (e->kind == ARTEFACT_FILES && emit_has_rest(e));
	bool fine;

	if (e->extra.n == 0)
		return true;
	fine = words ? check_extra_words(e) : check_extra_lines(e);
	e->place = e->emit->span;
	return fine;
}
