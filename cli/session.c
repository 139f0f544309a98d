/* session.c - sets a compilation up, tears it down, writes what it produced. */
#include "cli/session.h"

#include <errno.h>
#include <unistd.h>

#include "cli/command.h"
#include "runtime/api/shared/compilation.h"
#include "runtime/search/search.h"
#include "runtime/search/team/post.h"

static void prepare(struct session *s)
{
	s->names = interner_make(&s->arena);
	sources_init(&s->sources, &s->arena);
	diag_sink_init(&s->sink, &s->arena, &s->sources);
	out_init(&s->out, &s->arena);
	out_init(&s->messages, &s->arena);
}

void session_init(struct session *s, jmp_buf *escape)
{
	memset(s, 0, sizeof *s);
	arena_init(&s->arena, escape);
	prepare(s);
}

struct session *session_child(struct session *parent)
{
	struct session *child = ARENA_NEW(&parent->arena, struct session);

	/* In the list before it has memory of its own: it may run out while the child is prepared. */
	arena_init(&child->arena, parent->arena.escape);
	child->next = parent->children;
	parent->children = child;
	prepare(child);
	child->style = parent->style;
	child->command = parent->command;
	return child;
}

void session_join(struct session *parent, struct session *child)
{
	struct out text;

	out_init(&text, &child->arena);
	out_bytes(&text, child->messages.p, child->messages.n);
	diag_render(&child->sink, child->style, &text);
	out_bytes(&parent->messages, text.p, text.n);
	session_leave(parent, child);
}

void session_leave(struct session *parent, struct session *child)
{
	struct session **link = &parent->children;

	while (*link != child)
		link = &(*link)->next;
	*link = child->next;
	session_release(child);
}

void session_release(struct session *s)
{
	/* Their structs lie in the memory of this one. */
	for (struct session *c = s->children; c; c = c->next)
		session_release(c);
	s->children = NULL;
	if (s->unfinished)
		file_target_abandon(s->unfinished);
	s->unfinished = NULL;
	arena_release(&s->arena);
}

/* Colour where somebody looks at it, unless he asked for none. */
static bool terminal_wants_colour(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 && !(no && *no);
}

static bool style_colour(struct session *s, const char *when)
{
	if (strcmp(when, "auto") == 0)
		s->style.colour = terminal_wants_colour();
	else if (strcmp(when, "always") == 0)
		s->style.colour = true;
	else if (strcmp(when, "never") != 0)
		return usage_error(s, "`--colour %s`: it is auto, always or never", when) == EXIT_FINE;
	return true;
}

bool session_style(struct session *s, const struct options *o, bool message_formats)
{
	const char *format = option_value(o, OPTION_FORMAT, "text");

	if (!style_colour(s, option_value(o, OPTION_COLOUR, "auto")))
		return false;
	if (!message_formats || strcmp(format, "text") == 0)
		return true;
	if (strcmp(format, "json") != 0 && strcmp(format, "github") != 0 && strcmp(format, "sarif") != 0) {
		usage_error(s, "`--format %s`: it is text, json, github or sarif", format);
		return false;
	}
	s->style.format = format[0] == 'j' ? DIAG_JSON : format[0] == 'g' ? DIAG_GITHUB : DIAG_SARIF;
	s->messages_to_stdout = true;
	s->style.colour = false;
	return true;
}

static bool compile(struct session *s, const struct options *o, struct compile_input *in)
{
	in->arena = &s->arena;
	in->names = s->names;
	in->sources = &s->sources;
	in->sink = &s->sink;
	in->library_folder = str_of(option_value(o, OPTION_STDLIB, ""));
	in->parameters = o->parameters.at;
	in->parameter_count = o->parameters.n;
	in->point = s->point;
	in->point_sweep = s->point_sweep;
	in->question = s->question;
	in->target = s->target;
	in->inverse = s->inverse;
	in->failures = s->test_failures;
	in->whole_library = o->given[OPTION_LIBRARY];
	in->without_emits = s->without_emits;
	if (o->limits.file > 0)
		s->sources.size_max = o->limits.file;
	if (o->limits.depth > 0)
		s->sources.depth_max = o->limits.depth;
	s->program = compilation_make(in, &s->ev);
	if (s->program)
		search_install(&s->ev, &(struct search_options){ .threads = o->jobs });
	if (s->program && o->limits.steps > 0)
		s->ev.steps_max = o->limits.steps;
	s->ev.candidates_max = o->limits.candidates;
	return s->program != NULL;
}

bool session_compile(struct session *s, const struct options *o, const char *path)
{
	struct compile_input in = { .path = str_of(path) };

	return compile(s, o, &in);
}

bool session_compile_text(struct session *s, const struct options *o, struct str path, struct str text)
{
	struct compile_input in = { .path = path, .text = text };

	return compile(s, o, &in);
}

bool session_compile_import(struct session *s, const struct options *o, struct import_text *text)
{
	struct compile_input in = {
		.path = STR("simumax.plan"),
		.text = out_view(&text->text),
		.origins = text->origins.at,
		.origin_count = text->origins.n,
	};

	return compile(s, o, &in);
}

int session_failure(const struct session *s)
{
	return compilation_lacks_file(&s->sink) ? EXIT_USAGE : EXIT_PLAN;
}

static bool write_all(FILE *f, const struct out *text)
{
	return text->n == 0 || (fwrite(text->p, 1, text->n, f) == text->n && fflush(f) == 0);
}

bool session_serves(const struct session *s)
{
	return s->post && s->post->rank > 0;
}

static struct str first_error(const struct session *s)
{
	for (uint32_t i = 0; i < s->sink.diags.n; i++)
		if (s->sink.diags.at[i]->severity == DIAG_ERROR)
			return s->sink.diags.at[i]->message;
	return STR("");
}

int session_finish(struct session *s, int code)
{
	struct out messages;

	if (session_serves(s)) {
		post_leave(s->post, &s->arena, first_error(s));
		return code;
	}
	out_init(&messages, &s->arena);
	out_bytes(&messages, s->messages.p, s->messages.n);
	diag_render(&s->sink, s->style, &messages);
	if (s->messages_to_stdout) {
		out_bytes(&messages, s->out.p, s->out.n);
		s->out = messages;
	} else {
		write_all(stderr, &messages);
	}
	if (!write_all(stdout, &s->out)) {
		fprintf(stderr, "planc: standard output cannot be written: %s\n", strerror(errno));
		return EXIT_USAGE;
	}
	return code;
}
