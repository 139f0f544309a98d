/* fix.c - planc fix: applies the corrections that messages carry. */
#include "cli/command.h"

#include "cli/plan_file.h"
#include "compiler/base/utf8.h"
#include "runtime/api/shared/corrections.h"

/* One plan being corrected. Texts live in the session of the command. */
struct repair {
	struct session *session;
	const struct options *options;
	const char *path;
	struct str text;             /* as it stands; p NULL: as the file has it */
	uint32_t changes;
};

/* ---- corrections -------------------------------------------------------------------------------- */

/* Characters that are not shown, or move what is shown, by their number. */
static void print_visibly(struct out *o, struct str s)
{
	uint32_t code = 0, n;

	for (uint32_t i = 0; i < s.n; i += n) {
		n = utf8_decode(str_slice(s, i, s.n), &code);
		n = n == 0 ? 1 : n;
		if (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
		    utf8_width(code) == 0)
			out_printf(o, "U+%04X", (unsigned)code);
		else
			out_bytes(o, s.p + i, n);
	}
}

struct telling {
	struct repair *r;
	const struct sources *sources;
};

static void say(const struct diag_edit *e, void *context)
{
	struct telling *t = context;
	struct repair *r = t->r;
	struct position at = source_position(source_get(t->sources, e->span.file), e->span.lo);
	struct str old = source_slice(t->sources, e->span), text = e->text;

	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	out_printf(&r->session->out, "%s:%u:%u: ", r->path, at.line, at.column);
	if (old.n > 0) {
		out_char(&r->session->out, '`');
		print_visibly(&r->session->out, old);
		out_text(&r->session->out, text.n > 0 ? "` -> " : "` deleted\n");
	}
	if (text.n > 0)
		out_printf(&r->session->out, "`%.*s`\n", (int)text.n, text.p);
}

/* false: the file cannot be read. */
static bool compile(const struct repair *r, struct session *s)
{
	bool sound = r->text.p ? session_compile_text(s, r->options, str_of(r->path), r->text)
			       : session_compile(s, r->options, r->path);

	s->ev.without_model = true;
	if (sound)
		program_check(&s->ev);
	return sound || session_failure(s) != EXIT_USAGE;
}

/* One round; false when there was nothing more to do. */
static bool improve(struct repair *r)
{
	struct session *child = session_child(r->session);
	struct telling telling = { r, &child->sources };
	uint32_t made;

	compile(r, child);
	made = corrections_make(&child->sink, str_of(r->path), &r->session->arena, &r->text, say, &telling);
	r->changes += made;
	session_leave(r->session, child);
	return made > 0;
}

/* false: the file could not be replaced. */
static bool repair(struct repair *r)
{
	for (uint32_t round = 0; round < CORRECTION_ROUNDS_MAX && improve(r); round++)
		;
	return r->changes == 0 || r->options->given[OPTION_DRY_RUN] ||
	       plan_file_write(r->session, r->path, r->text);
}

/* ---- what is left ---------------------------------------------------------------------------- */

/* In another file of the command line, which has its own turn. */
static bool is_of_another(const struct repair *r, const struct session *s, const struct diag *d)
{
	const struct source *f = d->span.file == SPAN_NONE.file ? NULL : source_get(&s->sources, d->span.file);

	if (!f || f->library || str_is(f->path, r->path))
		return false;
	for (uint32_t i = 0; i < r->options->operands.n; i++)
		if (str_is(f->path, r->options->operands.at[i]))
			return true;
	return false;
}

static void drop_others(const struct repair *r, struct session *s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->sink.diags.n; i++) {
		struct diag *d = s->sink.diags.at[i];

		if (!is_of_another(r, s, d))
			s->sink.diags.at[kept++] = d;
		else
			*(d->severity == DIAG_ERROR ? &s->sink.errors : &s->sink.warnings) -= 1;
	}
	s->sink.diags.n = kept;
}

/* The messages that remain, and the exit code that they mean. */
static int report(struct repair *r)
{
	struct session *child = session_child(r->session);
	uint32_t errors;
	bool unreadable;

	unreadable = !compile(r, child);
	drop_others(r, child);
	errors = child->sink.errors;
	session_join(r->session, child);
	if (unreadable)
		return EXIT_USAGE;
	if (errors > 0)
		return EXIT_PLAN;
	return r->changes > 0 && r->options->given[OPTION_DRY_RUN] ? EXIT_DIFFERENT : EXIT_FINE;
}

/* All files are corrected before anything is said about what remains: they may import each other. */
int command_fix(struct session *s, const struct options *o)
{
	struct repair *files = ARENA_ARRAY(&s->arena, struct repair, o->operands.n + 1);
	int worst = EXIT_FINE;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	for (uint32_t i = 0; i < o->operands.n; i++) {
		files[i] = (struct repair){ .session = s, .options = o, .path = o->operands.at[i] };
		if (!repair(&files[i]))
			worst = EXIT_USAGE;
	}
	for (uint32_t i = 0; i < o->operands.n; i++) {
		int code = report(&files[i]);

		if (worst == EXIT_FINE || code == EXIT_USAGE || (code == EXIT_PLAN && worst == EXIT_DIFFERENT))
			worst = code;
	}
	return worst;
}
