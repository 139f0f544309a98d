/* test.c - planc test: runs the tests of plans, a line each, and says how many passed. */
#include "cli/command.h"

#include "cli/junit.h"
#include "cli/plan_file.h"

/* What all files came to. */
struct tally {
	uint32_t passed, failed, left_out;
	uint32_t unsound;            /* files whose tests could not run */
	bool unreadable;
};

struct run {
	struct session *session;
	const struct options *options;
	struct str filter;
	struct tally tally;
	struct out *junit;           /* NULL unless asked for */
};

static bool contains(struct str s, struct str part)
{
	for (uint32_t i = 0; i + part.n <= s.n; i++)
		if (memcmp(s.p + i, part.p, part.n) == 0)
			return true;
	return false;
}

/* Moves what a test reported to the messages of the file. */
static void keep_messages(struct session *s, const struct diag_sink *found)
{
	for (uint32_t i = 0; i < found->diags.n; i++) {
		struct diag *d = found->diags.at[i];

		d->sink = &s->sink;
		diag_submit(d);
	}
}

static struct str rendered(struct session *s, const struct diag_sink *found)
{
	struct diag_style plain = { .format = DIAG_HUMAN };
	struct out o;

	out_init(&o, &s->arena);
	diag_render(found, plain, &o);
	return out_view(&o);
}

static void run_one(struct run *r, struct session *s, const char *path, const struct ir_test *t)
{
	struct diag_sink found;
	struct position at = source_position(source_get(&s->sources, t->span.file), t->span.lo);
	bool passed;

	if (!contains(t->title, r->filter)) {
		r->tally.left_out++;
		return;
	}
	diag_sink_init(&found, &s->arena, &s->sources);
	passed = test_run(&s->ev, t, &found);
	if (passed)
		r->tally.passed++;
	else
		r->tally.failed++;
	out_printf(&r->session->out, "%s %s:%u  %.*s\n", passed ? "ok    " : "FAILED", path, at.line,
		   (int)t->title.n, t->title.p);
	if (r->junit)
		junit_case(r->junit, t->title, str_of(path), passed ? STR("") : rendered(s, &found));
	keep_messages(s, &found);
}

/* The plan itself has to be sound: a test says nothing about one that is not. */
static bool open_plan(struct run *r, struct session *s, const char *path)
{
	s->test_failures = true;
	if (session_compile(s, r->options, path))
		return program_check(&s->ev) && s->sink.errors == 0;
	if (session_failure(s) == EXIT_USAGE)
		r->tally.unreadable = true;
	return false;
}

static void run_file(struct run *r, const char *path)
{
	struct session *s = session_child(r->session);

	if (open_plan(r, s, path)) {
		if (r->junit)
			junit_suite(r->junit, str_of(path));
		for (uint32_t i = 0; i < s->program->tests.n; i++)
			run_one(r, s, path, &s->program->tests.at[i]);
	} else {
		r->tally.unsound++;
		out_printf(&r->session->out, "FAILED %s  %s\n", path,
			   session_failure(s) == EXIT_USAGE ? "it cannot be read"
							     : "the plan is not sound");
		if (r->junit) {
			junit_suite(r->junit, str_of(path));
			junit_case(r->junit, STR("the plan is sound"), str_of(path),
				   rendered(s, &s->sink));
		}
	}
	if (r->junit)
		junit_suite_end(r->junit);
	session_join(r->session, s);
}

static void summary(struct out *o, const struct tally *t)
{
	uint32_t all = t->passed + t->failed;

	out_printf(o, "%u test%s, %u failed", all, all == 1 ? "" : "s", t->failed);
	if (t->unsound > 0)
		out_printf(o, "; %u plan%s not sound", t->unsound, t->unsound == 1 ? "" : "s");
	if (t->left_out > 0)
		out_printf(o, "; %u left out by --filter", t->left_out);
	out_char(o, '\n');
}

static bool write_junit(struct session *s, const char *path, struct out *junit)
{
	struct out whole;

	out_init(&whole, &s->arena);
	junit_document(&whole, out_view(junit));
	return plan_file_write(s, path, out_view(&whole));
}

int command_test(struct session *s, const struct options *o)
{
	struct run r = { .session = s, .options = o,
			 .filter = str_of(option_value(o, OPTION_FILTER, "")) };
	struct out junit;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	out_init(&junit, &s->arena);
	if (o->given[OPTION_JUNIT])
		r.junit = &junit;
	for (uint32_t i = 0; i < o->operands.n; i++)
		run_file(&r, o->operands.at[i]);
	summary(&s->out, &r.tally);
	if (r.junit && !write_junit(s, o->value[OPTION_JUNIT][0], &junit))
		return EXIT_USAGE;
	if (r.tally.unreadable)
		return EXIT_USAGE;
	if (r.tally.passed + r.tally.failed + r.tally.unsound == 0 && r.filter.n > 0)
		return usage_error(s, "no test has `%s` in its title", o->value[OPTION_FILTER][0]);
	return r.tally.failed + r.tally.unsound > 0 ? EXIT_PLAN : EXIT_FINE;
}
