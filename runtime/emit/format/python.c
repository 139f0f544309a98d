/* python.c - a Python file that sets attributes, for frameworks configured by objects.
 *
 * One function configure(cfg): a line `cfg.NAME = VALUE` for each key() line, the part's comment
 * above its first. A name may have points. Values are Python's own.
 */
#include "runtime/emit/emit_int.h"

static bool is_python_name(struct str s)
{
	bool start = true;

	for (uint32_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '.' ? start
			     : !(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
				 (!start && c >= '0' && c <= '9')))
			return false;
		start = c == '.';
	}
	return s.n > 0 && !start;
}

/* ${NAME} is left to the reader of the file, as it is to the shell in a script. */
static bool has_variable(const struct doc *d)
{
	bool found = d->kind == DOC_TEXT && shell_has_variable(d->text);

	for (const struct doc *m = d->first; m; m = m->next)
		found = found || has_variable(m);
	return found;
}

static void write_text(struct out *o, struct str text)
{
	bool variable = shell_has_variable(text);

	out_text(o, variable ? "os.path.expandvars(" : "");
	doc_quoted(o, text);
	out_text(o, variable ? ")" : "");
}

static const struct doc_notation python = { "None", "True", "False", ", ", ": ", doc_quoted, write_text };

bool emit_python(struct emission *e, struct doc *root, struct out *o)
{
	header_write(e, o);
	if (has_variable(root))
		out_text(o, "import os\n");
	out_text(o, "\n\ndef configure(cfg):\n"
		    "    \"\"\"Sets what the plan says on a configuration object, and returns "
		    "it.\"\"\"\n");
	for (const struct doc *d = root->first; d; d = d->next) {
		if (!is_python_name(d->name)) {
			diag_report(e->sink, E2005, e->emit->span,
				    "target `%.*s`: `%.*s` is no attribute of a Python object",
				    (int)e->target_name.n, e->target_name.p, (int)d->name.n,
				    d->name.p);
			return false;
		}
		if (d->note.n > 0) {
			out_char(o, '\n');
			doc_note(o, STR("    "), d->note);
		}
		out_printf(o, "    cfg.%.*s = ", (int)d->name.n, d->name.p);
		doc_line(d, &python, o);
		out_char(o, '\n');
	}
	out_text(o, "\n    return cfg\n");
	return true;
}
