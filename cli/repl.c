/* repl.c - planc repl: declarations and questions, one a line, over a plan or over nothing.
 *
 * Every line is compiled with the plan and with what was declared before, as if all of it stood in one file:
 * there is no state but that text. */
#include "cli/command.h"

#include "cli/line_edit.h"
#include "cli/plan_file.h"
#include "compiler/syntax/parse.h"
#include "runtime/ask/why/why.h"

struct repl {
	struct session *session;
	const struct options *options;
	const char *path;
	struct str text;             /* the plan and what was declared */
};

static const char *const help =
	"an expression      its value\n"
	"a declaration      is kept: let x = 3, strategy wide extends base { tp = 8 }, assert ...\n"
	":why NAME          where a value comes from\n"
	":plan              what has been declared, and the plan\n"
	":quit              leaves, as the end of the input does\n";

static struct str trimmed(struct str s)
{
	while (s.n > 0 && strchr(" \t\r", s.p[0]))
		s = str_slice(s, 1, s.n);
	while (s.n > 0 && strchr(" \t\r", s.p[s.n - 1]))
		s.n--;
	return s;
}

static void show(const struct out *text, FILE *to)
{
	if (text->n == 0)
		return;                      /* nothing written yet: there is no buffer either */
	fwrite(text->p, 1, text->n, to);
	fflush(to);
}

/* What a line left, at once: nobody waits for the end of a conversation. */
static void answer(struct session *child)
{
	struct out messages;

	out_init(&messages, &child->arena);
	diag_render(&child->sink, child->style, &messages);
	show(&messages, stderr);
	show(&child->out, stdout);
}

static bool is_expression(struct session *child, struct str line)
{
	struct parse_input in = { &child->arena, child->names, &child->sources, &child->sink, 0 };
	bool ok;

	in.file = sources_add(&child->sources, STR("<expression>"), line, false);
	child->sink.muted = true;
	ok = parse_expression(&in).ok;
	child->sink.muted = false;
	return ok;
}

/* Whether a line begins like a declaration; decides which complaint about a faulty one is of use. */
static bool looks_like_declaration(struct str line)
{
	static const char *const words[] = { "let ",    "param ", "fn ",   "enum ", "schema ", "import ",
					     "assert ", "test ",  "emit ", "sweep ", "edition " };
	uint32_t i = 0;

	for (size_t k = 0; k < PLAN_COUNT(words); k++)
		if (str_starts(line, words[k]))
			return true;
	/* `strategy wide ...`: two names side by side. */
	while (i < line.n && ((line.p[i] >= 'a' && line.p[i] <= 'z') || line.p[i] == '_'))
		i++;
	return i > 0 && i + 1 < line.n && line.p[i] == ' ' && line.p[i + 1] >= 'a' && line.p[i + 1] <= 'z' &&
	       memchr(line.p, '{', line.n) != NULL;
}

static void ask(struct repl *r, struct session *child, struct str question, bool why)
{
	struct value v;

	child->question = question;
	if (!session_compile_text(child, r->options, str_of(r->path), r->text))
		return;
	if (why) {
		why_print(&child->ev, child->program->question, question, &child->out);
		return;
	}
	v = eval_node(&child->ev, child->program->question, (struct scope){ 0 });
	if (v.kind == VALUE_POISON)
		return;
	value_print(&child->out, child->program, v, child->program->nodes.at[child->program->question].type);
	out_char(&child->out, '\n');
}

/* Kept only when the plan is as sound with it as without. */
static void declare(struct repl *r, struct session *child, struct str line)
{
	struct out text;

	out_init(&text, &r->session->arena);
	out_printf(&text, "%.*s%.*s\n", (int)r->text.n, r->text.p, (int)line.n, line.p);
	if (session_compile_text(child, r->options, str_of(r->path), out_view(&text)) &&
	    program_check(&child->ev))
		r->text = out_view(&text);
}

static void take(struct repl *r, struct str line)
{
	struct session *child = session_child(r->session);

	if (str_is(line, ":help"))
		out_text(&child->out, help);
	else if (str_is(line, ":plan"))
		out_str(&child->out, r->text);
	else if (str_starts(line, ":why "))
		ask(r, child, trimmed(str_slice(line, 5, line.n)), true);
	else if (line.p[0] == ':')
		out_printf(&child->out, "there is no %.*s; :help lists what there is\n", (int)line.n, line.p);
	else if (!looks_like_declaration(line) || is_expression(child, line))
		ask(r, child, line, false);
	else
		declare(r, child, line);
	answer(child);
	session_leave(r->session, child);
}

static bool open_plan(struct repl *r, struct session *s, const struct options *o)
{
	uint32_t file;
	struct out text;

	r->path = "<repl>";
	r->text = STR("edition 1\n");
	if (o->operands.n == 0)
		return true;
	r->path = o->operands.at[0];
	if (!plan_file_read(s, r->path, &file))
		return false;
	out_init(&text, &s->arena);
	out_str(&text, source_get(&s->sources, file)->text);
	if (text.n > 0 && text.p[text.n - 1] != '\n')
		out_char(&text, '\n');
	r->text = out_view(&text);
	return true;
}

int command_repl(struct session *s, const struct options *o)
{
	struct repl r = { .session = s, .options = o };
	struct str line;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	if (!open_plan(&r, s, o))
		return EXIT_USAGE;
	while (line_read(&s->arena, "plan> ", &line)) {
		line = trimmed(line);
		if (str_is(line, ":quit"))
			break;
		if (line.n > 0 && line.p[0] != '#')
			take(&r, line);
	}
	return EXIT_FINE;
}
