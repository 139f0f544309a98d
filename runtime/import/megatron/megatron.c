/* megatron.c - a launch script of Megatron-LM as a plan: model, strategy, job, and what stays open. */
#include "runtime/import/megatron/megatron_int.h"

#include "compiler/base/path.h"
#include "runtime/import/importer.h"

static bool load(struct megatron *m, const struct import_input *in)
{
	struct str path = str_of(in->paths[0]);
	uint32_t file;

	m->path = path_name(path);
	return foreign_load_text(in->sources, in->sink, path, "script", &file) &&
	       foreign_is_utf8(in->sources, in->sink, file) &&
	       shell_read(&m->f, in->sources, file, &m->script) && megatron_find_args(m);
}

/* A value of the plan that the script takes from elsewhere: 0, or no text, until somebody gives it. */
static void write_param(struct plan_text *w, const struct megatron *m, const struct megatron_open *o)
{
	bool text;

	if (o->spelling.n > 0)
		plan_text_comment(w, "%.*s:%u takes it from %.*s.", (int)m->path.n, m->path.p, o->line,
				  (int)o->spelling.n, o->spelling.p);
	else
		plan_text_comment(w, "%.*s does not say %s.", (int)m->path.n, m->path.p,
				  strcmp(o->name, "vocab_size") == 0 ? "it: the tokenizer has it" : "it");
	text = strcmp(o->type, "string") == 0;
	plan_text_line(w, SPAN_NONE, "param %s: %s = %s", o->name, o->type, text ? "\"\"" : "0");
	plan_text_line(w, SPAN_NONE, "assert %s_given: %s %s", o->name, o->name, text ? "!= \"\"" : "> 0");
	plan_text_line(w, SPAN_NONE, "  because \"this plan needs a value: -p %s=...\"", o->name);
	plan_text_blank(w);
}

/* Every assert that the script leaves open stands in front of what needs it. */
static void write_head(struct plan_text *w, const struct megatron *m)
{
	out_text(&w->text->text, "edition 1\n\nimport \"std:clusters\" as clusters\n\n");
	plan_text_comment(w, "A script does not say on which machines it runs: give them, or put a cluster here.");
	plan_text_line(w, SPAN_NONE, "param machines: cluster = {}");
	plan_text_line(w, SPAN_NONE, "assert machines_given: len(machines.levels) > 0");
	plan_text_line(w, SPAN_NONE, "  because \"which machines? -p machines=clusters.dgx_h100, for one\"");
	plan_text_blank(w);
	for (uint32_t i = 0; i < m->open.n; i++)
		write_param(w, m, &m->open.at[i]);
}

/* Words that could be arguments, and statements that may run or not. */
static void write_unsure(struct megatron *m)
{
	const struct source *file = source_get(m->sources, m->script.file);
	struct plan_words words;
	uint32_t last = 0;

	plan_words_init(&words, &m->w, "Not known, arguments perhaps:");
	for (uint32_t i = 0; i < m->strays.n; i++)
		plan_words_add(&words, shell_unknown(m->sources, &m->script, &m->strays.at[i]));
	plan_words_end(&words);
	plan_words_init(&words, &m->w, "Depend on what the script does not say, and were left out, the lines");
	for (uint32_t i = 0; i < m->script.unsure.n; i++) {
		uint32_t line = source_position(file, m->script.unsure.at[i].lo).line;
		struct out text;

		out_init(&text, m->f.arena);
		out_printf(&text, "%u", line);
		if (line != last)
			plan_words_add(&words, out_view(&text));
		last = line;
	}
	plan_words_end(&words);
}

bool import_megatron(const struct import_input *in, struct import_text *result)
{
	struct import_text body;
	struct megatron m = { .f = { .arena = in->arena, .sink = in->sink, .program = "Megatron-LM" },
			      .sources = in->sources,
			      .w = { .arena = in->arena, .text = &body },
			      .fine = true };
	struct plan_text head = { .arena = in->arena, .text = result };

	memset(result, 0, sizeof *result);
	memset(&body, 0, sizeof body);
	out_init(&result->text, in->arena);
	out_init(&body.text, in->arena);
	if (!load(&m, in))
		return false;
	megatron_refuse_exclusions(&m);
	megatron_write_model(&m);
	plan_text_blank(&m.w);
	megatron_write_strategy(&m);
	plan_text_blank(&m.w);
	megatron_write_job(&m);
	plan_text_blank(&m.w);
	megatron_write_emit(&m);
	plan_text_blank(&m.w);
	write_unsure(&m);
	write_head(&head, &m);
	out_str(&result->text, out_view(&body.text));
	result->origins.n = 0;
	return m.fine;
}
