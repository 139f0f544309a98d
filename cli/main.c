/* main.c - finds the command, runs it, writes what it left behind. */
#include "cli/command.h"

#include <signal.h>
#include <stdarg.h>

#include "runtime/search/team/post.h"

#define VERSION "0.1.0"

enum { FILES_MAX = 100000 };     /* operands of commands that take any number */

#define PLAN_OPTIONS \
	(OPTION_BIT(OPTION_PARAMETER) | OPTION_BIT(OPTION_STDLIB) | OPTION_BIT(OPTION_COLOUR) | OPTION_BIT(OPTION_LIMIT) | \
	 OPTION_BIT(OPTION_JOBS))

#define LONG_OPTIONS \
	(OPTION_BIT(OPTION_PROGRESS) | OPTION_BIT(OPTION_CHECKPOINT) | OPTION_BIT(OPTION_RESUME) | OPTION_BIT(OPTION_SHARD))

const struct command commands[] = {
	{ "check", "FILE", "say whether a plan is sound",
	  "Parses the plan and its imports, finds names and types, and tests every rule of the library,\n"
	  "every assert of the plan, and the rules of the frameworks that its emits write for. The cost model\n"
	  "does not run. With --target every job is tested as if it named that framework:\n"
	  "  planc check plan.plan --target megatron@0.14\n"
	  "FORMAT is text, json (one message a line), github (workflow annotations) or sarif (2.1.0); all but\n"
	  "text are written to standard output.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_TARGET), 1, 1, command_check },
	{ "report", "FILE [JOB]", "predict step time and memory of a job",
	  "Evaluates a job of the plan, or every job in turn when none is named.\n"
	  "FORMAT is text or json; json is one object, described by docs/report.schema.json.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_PROFILE) | OPTION_BIT(OPTION_SIMUMAX), 1, 2,
	  command_report },
	{ "trace", "FILE [JOB]", "write the schedule of one step for a trace viewer",
	  "Predicts a job and writes what every pipeline stage does when, in Chrome's trace event format, which\n"
	  "Perfetto (ui.perfetto.dev) and chrome://tracing show: forwards and backwards of micro-batches with their\n"
	  "parts, transfers, bubbles, gradient traffic, the optimizer, and memory over time. The events of the stage\n"
	  "that decides add up to the parts that `planc report` prints.\n"
	  "LEVEL says how deep it goes; operators name every layer. A trace has at most 1,000,000 events unless\n"
	  "--limit events=NUMBER allows more. FILE is never written over a file that planc did not write.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_PROFILE) | OPTION_BIT(OPTION_SIMUMAX) | OPTION_BIT(OPTION_TRACE_FILE) |
		  OPTION_BIT(OPTION_DETAIL),
	  1, 2, command_trace },
	{ "emit", "FILE [TARGET]", "write the artefacts a plan asks for",
	  "Runs the `emit` declarations of the plan, or only those of one target. Paths are relative to\n"
	  "the folder of the plan, or to DIR, and may not leave it. A file is written whole or not at\n"
	  "all, and never over a file that planc did not write.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_CHECK), 1, 2, command_emit },
	{ "import", "FROM FILE...", "write a plan that says what files of another program say",
	  "FROM is the program, FILE what it reads:\n"
	  "  simumax      MODEL STRATEGY SYSTEM, its three JSON files\n"
	  "  huggingface  CONFIG, the config.json of a model\n"
	  "  megatron     SCRIPT, a launch script of Megatron-LM, or a file of its arguments\n"
	  "  deepspeed    CONFIG, the JSON of DeepSpeed\n"
	  "  llamafactory CONFIG [DEEPSPEED], its YAML and the DeepSpeed JSON that it names\n"
	  "The plan goes to standard output, or to the file that -o names, which is never written over when it\n"
	  "says something else. What a file says and a plan cannot is named in a comment; what a file leaves open\n"
	  "becomes a `param`. Messages have positions in the file that was read.",
	  OPTION_BIT(OPTION_TRACE_FILE) | OPTION_BIT(OPTION_COLOUR) | OPTION_BIT(OPTION_LIMIT), 2, FILES_MAX, command_import },
	{ "suggest", "--model MODEL --cluster CLUSTER", "write a plan to start from, for a model and a cluster",
	  "Rules of thumb of the library (planc doc std:suggest) say how models of this size are spread; the\n"
	  "values around that are searched, and the fastest that fits is written as a plan, with the rule and the\n"
	  "figures behind each choice in comments, and the sweep that found it:\n"
	  "  planc suggest --model llama3_70b --cluster dgx_h100 --gpus 256 -o llama.plan\n"
	  "  planc suggest --model ours.plan:our_model --cluster dgx_b200 --gpus 64 --sequence 8192\n"
	  "With --target the rules of that framework hold as well. The plan goes to standard output, or to the file\n"
	  "that -o names, which is never written over. Exit 3: nothing fits, or no rule lets anything through.",
	  OPTION_BIT(OPTION_MODEL) | OPTION_BIT(OPTION_CLUSTER) | OPTION_BIT(OPTION_GPUS) |
		  OPTION_BIT(OPTION_SEQUENCE) | OPTION_BIT(OPTION_GLOBAL_BATCH) | OPTION_BIT(OPTION_TARGET) |
		  OPTION_BIT(OPTION_PROFILE) | OPTION_BIT(OPTION_TRACE_FILE) | OPTION_BIT(OPTION_STDLIB) |
		  OPTION_BIT(OPTION_COLOUR) | OPTION_BIT(OPTION_JOBS),
	  0, 0, command_suggest },
	{ "sweep", "FILE [NAME]", "test all candidates of a sweep and rank them",
	  "Goes through every candidate of a sweep of the plan, or of every sweep when none is named: how\n"
	  "many each condition removes, how many break it, how many only it keeps out, and the best ones.\n"
	  "When nothing is left: the nearest candidate and the smallest sets of conditions to give up.\n"
	  "FORMAT is text, json, jsonl (an object a line), csv or html (a page with a picture). json lists all feasible\n"
	  "candidates, the best first. jsonl and csv write them in the order of their numbers while the search runs,\n"
	  "in memory that does not grow; with -o the file is there when the last one is. With --checkpoint they are\n"
	  "part of the checkpoint, and written at the end. Exit 3: none is feasible.\n"
	  "Ctrl-C (or SIGTERM) prints the best so far, says that it is partial, and exits with 5. With\n"
	  "--checkpoint, --resume goes on from there, also after a crash, and the answer is that of an unbroken run.\n"
	  "With --shard the checkpoint is a part for `planc merge`; --format then says what the report will need.\n"
	  "`mpirun -n N planc-mpi sweep ...` searches with N processes at once (built by `make MPI=1`).",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_EXACT) | OPTION_BIT(OPTION_TRACE_FILE) | LONG_OPTIONS, 1, 2,
	  command_sweep },
	{ "merge", "FILE PART...", "join the parts of a sweep that was searched in shards",
	  "PART... are all the files that `planc sweep FILE NAME --shard K/N --checkpoint PART` wrote, on one machine\n"
	  "or many, in any order: the report is that of one run. A part that is missing, not finished, of another\n"
	  "plan, or there twice is refused by its name. FORMAT is as for sweep.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_TRACE_FILE), 2, FILES_MAX, command_merge },
	{ "why-not", "FILE POINT [NAME]", "say why the candidates of a sweep at a point are out",
	  "POINT gives values to axes of a sweep, in full or by the end of their path:\n"
	  "  planc why-not plan.plan 'strategy.tp = 2, pp = 4'\n"
	  "Says how many candidates match, and of the one that comes closest to feasible which conditions\n"
	  "it breaks, by how much, and which change of a single axis would help.",
	  PLAN_OPTIONS, 2, 3, command_why_not },
	{ "solve", "FILE PATH [JOB]", "find the least or greatest value of a field that is enough",
	  "PATH is a number or quantity of the plan, or of its only job, as in `planc set`:\n"
	  "  planc solve plan.plan cluster.nodes --min --such-that 'days <= 30 d'\n"
	  "  planc solve plan.plan batch.micro --max\n"
	  "  planc solve plan.plan cluster.inter.bandwidth --min --such-that 'mfu >= 40%'\n"
	  "JOB (any record, where the path begins with one) has to keep its rules, to fit into memory, and to\n"
	  "meet CONDITION. Prints the value, and why the next one is not enough. FORMAT is text or json. Exit\n"
	  "3: no value is enough.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_MIN) | OPTION_BIT(OPTION_MAX) |
		  OPTION_BIT(OPTION_SUCH_THAT) | OPTION_BIT(OPTION_IN) | OPTION_BIT(OPTION_PRECISION), 2, 3, command_solve },
	{ "sensitivity", "FILE [SWEEP|JOB]", "say what one small change does to a job",
	  "For the best candidate of a sweep, or for a job: one step along every axis of the sweep, and every\n"
	  "figure of the hardware a tenth less and a tenth more, with what becomes of step time, memory and the\n"
	  "first goal, the largest effect first. Without a name: the only sweep, else the only job. FORMAT is\n"
	  "text or json. Exit 3: the sweep has no feasible candidate.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_JOBS), 1, 2, command_sensitivity },
	{ "fmt", "FILE...", "lay plans out the usual way",
	  "Writes each file anew where its layout differs, and names the files that it changed. Comments,\n"
	  "strings and numbers stay as they are; a file with a syntax error is left alone. `-` stands for\n"
	  "standard input, whose layout goes to standard output.",
	  OPTION_BIT(OPTION_CHECK) | OPTION_BIT(OPTION_COLOUR) | OPTION_BIT(OPTION_LIMIT), 1, FILES_MAX, command_fmt },
	{ "set", "FILE PATH=VALUE...", "put another value into a plan",
	  "PATH begins with the name of a record or `param` of the plan, or is a path in its only job:\n"
	  "  planc set plan.plan node_count=16 base.recompute.granularity=full batch.micro=2\n"
	  "VALUE is an expression of the language. A field that the braces of the record do not set is added\n"
	  "to them. The rest of the text stays as it is, and the lines that changed are printed. A change\n"
	  "that brings an error of names or types into a sound plan is refused.",
	  OPTION_BIT(OPTION_STDLIB) | OPTION_BIT(OPTION_COLOUR), 2, FILES_MAX, command_set },
	{ "eval", "FILE EXPR", "evaluate an expression over a plan",
	  "EXPR is an expression of the language; it sees what the plan declares and imports:\n"
	  "  planc eval plan.plan 'pretrain.memory.peak / 1 GiB'\n"
	  "A record is printed field by field. FORMAT is text or json; json has the value in base units, the\n"
	  "unit, the exact value as text, and the text that people read.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT), 2, 2, command_eval },
	{ "why", "FILE NAME", "say where a value comes from",
	  "NAME is a path such as pretrain.dp, or any expression. Prints its value and its definition, who\n"
	  "set it and where, and the same for everything it is computed from. A result of the cost model is\n"
	  "taken apart, down to the operators.\n"
	  "--profiles compares a time, memory or rate under profile `standard` with that under another profile,\n"
	  "`simumax` unless --profile names one: how much each field changes alone, and all of them together.\n"
	  "FORMAT is text or json.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_PROFILES) | OPTION_BIT(OPTION_PROFILE) | OPTION_BIT(OPTION_FORMAT), 2, 2, command_why },
	{ "diff", "BEFORE AFTER", "say what two plans say differently",
	  "Compares two plans by value: a line for each field of a record, each value, each result of a job and\n"
	  "each winner of a sweep that changed, by how much, and for each name that only one of them has. Layout,\n"
	  "comments and order do not count. Exit code 2 when anything differs.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_FORMAT), 2, 2, command_diff },
	{ "ci", "DIR", "run everything over the plans of a folder",
	  "For each plan below DIR, in the order of their names: fmt --check, check, test, emit --check, and a\n"
	  "line with what failed. Hidden folders and links are left out. Exit code 1 for mistakes and failed\n"
	  "tests, 2 when only a layout or an artefact is not current.",
	  OPTION_BIT(OPTION_STDLIB) | OPTION_BIT(OPTION_COLOUR), 1, 1, command_ci },
	{ "fix", "FILE...", "apply the fixes that messages offer",
	  "Makes the changes that messages about a plan are sure of, such as a field whose name can only be\n"
	  "one: a file is replaced whole or not at all, and what changed is printed. What is left is reported.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_DRY_RUN), 1, FILES_MAX, command_fix },
	{ "doc", "FILE...", "print the documentation of plans",
	  "One Markdown page a file: its parameters, records and schemas, each field with its type, unit,\n"
	  "default and comment. `planc doc std:prelude` documents a file of the library, `planc doc units` the\n"
	  "units.",
	  OPTION_BIT(OPTION_STDLIB) | OPTION_BIT(OPTION_COLOUR), 1, FILES_MAX, command_doc },
	{ "test", "FILE...", "run the tests of plans",
	  "Runs every `test` of the plans, a line each; what failed is drawn on standard error. A plan that\n"
	  "is not sound fails as a whole.\n"
	  "--junit writes the results for a build server.",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_JUNIT) | OPTION_BIT(OPTION_FILTER), 1, FILES_MAX, command_test },
	{ "repl", "[FILE]", "try expressions and declarations, one a line",
	  "Reads lines: an expression is answered with its value, a declaration is kept for the lines that\n"
	  "follow, `:why NAME` says where a value comes from, `:help` what else there is. With FILE, all of it\n"
	  "sees what the plan declares. Nothing is written anywhere.",
	  PLAN_OPTIONS, 0, 1, command_repl },
	{ "debug", "ast|types|ir|graph|profile FILE [JOB]", "print a stage of the compiler, a job's operators, or profiles",
	  "ast    the syntax tree, one node a line\n"
	  "types  every declaration with the type that was found for it\n"
	  "ir     the program that is evaluated\n"
	  "graph  the operators of a job's layers with tensor types and collectives\n"
	  "profile  the assumptions of the cost model: values in all profiles, meaning, source. FILE can be the name of\n"
	  "       a profile of the library. FORMAT is text or, for profile, json",
	  PLAN_OPTIONS | OPTION_BIT(OPTION_LIBRARY) | OPTION_BIT(OPTION_FORMAT), 2, 3, command_debug },
	{ "explain", "CODE", "explain a message such as E2004, or a rule such as heads_divide",
	  "Prints the page of a diagnostic: what it means, an example, what to do.", 0, 1, 1,
	  command_explain },
	{ "targets", "[NAME]", "list the frameworks that `emit` can write for, and their rules",
	  "Lists the targets of the standard library: versions, numbers of rules and of flags. A plan can declare\n"
	  "its own. `planc targets NAME --rules` prints the rules of one as a table: name, what has to hold, and\n"
	  "versions and source.",
	  OPTION_BIT(OPTION_RULES) | OPTION_BIT(OPTION_STDLIB), 0, 1, command_targets },
	{ NULL, NULL, NULL, NULL, 0, 0, 0, NULL },
};

const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

int usage_error(const struct session *s, const char *fmt, ...)
{
	va_list args;

	if (session_serves(s))
		return EXIT_USAGE;
	fputs(s->command ? "planc " : "planc", stderr);
	fputs(s->command ? s->command : "", stderr);
	fputs(": ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, "\ntry `planc %s%s--help`\n", s->command ? s->command : "",
		s->command ? " " : "");
	return EXIT_USAGE;
}

const char *did_you_mean(struct session *s, const char *wrong, const char *const *candidates,
			 size_t count)
{
	struct suggestions near;
	struct out text;

	suggestions_init(&near, &s->arena, str_of(wrong));
	for (size_t i = 0; i < count; i++)
		suggestions_add(&near, str_of(candidates[i]), false);
	if (near.names.n == 0)
		return "";
	out_init(&text, &s->arena);
	out_printf(&text, "; did you mean `%.*s`?", (int)near.names.at[0].n, near.names.at[0].p);
	return arena_copy(&s->arena, text.p, text.n);
}

static int unknown_command(struct session *s, const char *name)
{
	const char *names[PLAN_COUNT(commands)];
	size_t n = 0;

	for (const struct command *c = commands; c->name; c++)
		names[n++] = c->name;
	return usage_error(s, "there is no command `%s`%s", name, did_you_mean(s, name, names, n));
}

/* `planc help [COMMAND]`. */
static int command_help(struct session *s, int argc, char **argv)
{
	const struct command *c = argc > 0 ? command_find(argv[0]) : NULL;

	if (argc > 0 && !c)
		return unknown_command(s, argv[0]);
	help_print(&s->out, c);
	return EXIT_FINE;
}

static int dispatch(struct session *s, int argc, char **argv)
{
	struct options o;

	if (argc < 2) {
		help_print(&s->messages, NULL);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		out_text(&s->out, "planc " VERSION ", language edition 1\n");
		return EXIT_FINE;
	}
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return command_help(s, argc - 2, argv + 2);

	const struct command *c = command_find(argv[1]);
	if (!c && argv[1][0] == '-')
		return usage_error(s, "there is no option `%s`", argv[1]);
	if (!c)
		return unknown_command(s, argv[1]);
	s->command = c->name;
	if (argc > 2 && strcmp(argv[2], "--version") == 0) {
		out_text(&s->out, "planc " VERSION ", language edition 1\n");
		return EXIT_FINE;
	}
	if (!options_parse(&o, s, c, argc - 2, argv + 2))
		return EXIT_USAGE;
	if (session_serves(s) && c->run != command_sweep)
		return EXIT_FINE;
	if (o.given[OPTION_HELP]) {
		help_print(&s->out, c);
		return EXIT_FINE;
	}
	return c->run(s, &o);
}

/* One that serves says so with some of the memory that it gives back. */
static int out_of_memory(struct session *s)
{
	struct arena a;

	if (!session_serves(s))
		fputs("planc: out of memory\n", stderr);
	session_release(s);
	if (session_serves(s)) {
		arena_init(&a, NULL);
		post_leave(s->post, &a, STR("out of memory"));
		arena_release(&a);
	}
	return EXIT_INTERNAL;
}

int planc_main(int argc, char **argv, struct post *post)
{
	/* Static: the escape may be taken anywhere, and what the jump finds must be the latest. */
	static struct session s;
	static jmp_buf escape;
	int code;

	/* A write that is refused is an error like any other: it has a message, and leaves no file. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (setjmp(escape) != 0)
		return out_of_memory(&s);
	session_init(&s, &escape);
	s.post = post;
	code = session_finish(&s, dispatch(&s, argc, argv));
	session_release(&s);
	return code;
}
