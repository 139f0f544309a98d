/* solve.c - planc solve: the least or greatest value of a field that is enough. */
#include "cli/command.h"

#include "runtime/ask/solve/solve.h"

/* "0.1%" or "0.001" as a share; 0 when it is neither. */
static double read_precision(struct session *s, const char *text)
{
	struct str number = str_of(text);
	bool percent = number.n > 0 && number.p[number.n - 1] == '%';
	struct num n;
	double x;

	number.n -= percent;
	if (!num_parse(&s->arena, number, &n))
		return 0;
	x = num_to_double(n) / (percent ? 100 : 1);
	return solve_takes(x) ? x : 0;
}

static bool read_options(struct session *s, const struct options *o, struct solve_options *solve)
{
	const char *text = option_value(o, OPTION_PRECISION, "0.1%");

	if (o->given[OPTION_MIN] == o->given[OPTION_MAX]) {
		usage_error(s, "say which value is looked for: `--min` or `--max`");
		return false;
	}
	solve->maximise = o->given[OPTION_MAX];
	solve->precision = read_precision(s, text);
	if (solve->precision > 0)
		return true;
	usage_error(s, "`--precision %s`: it is a share from 0.01%% to 50%%", text);
	return false;
}

static struct str given(const struct options *o, enum option_id id)
{
	return o->given[id] ? str_of(o->value[id][0]) : (struct str){ NULL, 0 };
}

static int answer(struct session *s, struct solve_options solve, bool json)
{
	struct solve_result r;
	enum solve_answer found = solve_run(&s->ev, s->program->inverse, solve, &r);

	if (found != SOLVE_FOUND)
		return found == SOLVE_NEVER ? EXIT_NOTHING : EXIT_PLAN;
	if (json)
		solve_print_json(s->program, &r, &s->arena, &s->out);
	else
		solve_print_text(s->program, &r, &s->out);
	return EXIT_FINE;
}

int command_solve(struct session *s, const struct options *o)
{
	const char *format = option_value(o, OPTION_FORMAT, "text");
	bool json = strcmp(format, "json") == 0;
	struct compile_inverse in = { .path = str_of(o->operands.at[1]),
				      .such_that = given(o, OPTION_SUCH_THAT),
				      .values = given(o, OPTION_IN) };
	struct solve_options solve;

	if (o->operands.n > 2)
		in.subject = str_of(o->operands.at[2]);
	if (!json && strcmp(format, "text") != 0)
		return usage_error(s, "`--format %s`: it is text or json", format);
	if (!read_options(s, o, &solve) || !session_style(s, o, false))
		return EXIT_USAGE;
	s->inverse = &in;
	s->without_emits = true;
	if (!session_compile(s, o, o->operands.at[0]))
		return session_failure(s);
	invariant(s->program->inverse, "a sound plan lost the question about it");
	return answer(s, solve, json);
}
