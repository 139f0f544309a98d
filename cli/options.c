/* options.c - parses the options behind a command's name. */
#include "cli/options.h"

#include <inttypes.h>
#include <unistd.h>

#include "cli/command.h"
#include "runtime/search/team/post.h"

const struct option_info option_table[OPTION_COUNT] = {
	[OPTION_HELP] = { "--help", 'h', 0, "", "print this text" },
	[OPTION_FORMAT] = { "--format", 0, 1, "FORMAT", "form of the output" },
	[OPTION_PARAMETER] = { "--param", 'p', 1, "NAME=VALUE",
			       "set a `param` of the plan, any number of times" },
	[OPTION_PROFILE] = { "--profile", 0, 1, "NAME",
			     "assumptions of the cost model: standard, simumax, ideal" },
	[OPTION_SIMUMAX] = { "--simumax", 0, 3, "MODEL STRATEGY SYSTEM",
			     "read the three JSON files of SimuMax instead of a plan" },
	[OPTION_OUTPUT] = { "--output", 'o', 1, "DIR", "folder that artefacts are written below" },
	[OPTION_CHECK] = { "--check", 0, 0, "",
			   "write nothing, exit 2 when a file is missing or not current" },
	[OPTION_LIBRARY] = { "--library", 0, 0, "", "also print what the standard library declares" },
	[OPTION_DRY_RUN] = { "--dry-run", 0, 0, "", "write nothing, say what would be changed" },
	[OPTION_JUNIT] = { "--junit", 0, 1, "FILE", "also write the results as JUnit XML" },
	[OPTION_FILTER] = { "--filter", 0, 1, "TEXT", "run only tests whose title contains TEXT" },
	[OPTION_STDLIB] = { "--stdlib", 0, 1, "DIR",
			    "read the standard library from a folder instead of the built-in one" },
	[OPTION_COLOUR] = { "--colour", 0, 1, "WHEN", "colour in messages: auto, always, never" },
	[OPTION_LIMIT] = { "--limit", 0, 1, "NAME=NUMBER",
			   "another limit of: file, depth, artefact, candidates, steps, events" },
	[OPTION_TRACE_FILE] = { "--output", 'o', 1, "FILE",
				"file to write, whole or not at all; without it, standard output" },
	[OPTION_PROFILES] = { "--profiles", 0, 0, "",
			      "which fields of the profile make the difference to profile `standard`" },
	[OPTION_DETAIL] = { "--detail", 0, 1, "LEVEL", "passes, parts (the default) or operators" },
	[OPTION_JOBS] = { "--jobs", 'j', 1, "N",
			  "threads of a sweep; one for each processor unless given" },
	[OPTION_MIN] = { "--min", 0, 0, "", "look for the least value" },
	[OPTION_MAX] = { "--max", 0, 0, "", "look for the greatest value" },
	[OPTION_SUCH_THAT] = { "--such-that", 0, 1, "CONDITION",
			       "what has to hold, in the fields of the job: 'days <= 30 d'" },
	[OPTION_IN] = { "--in", 0, 1, "VALUES", "values to search: A..B, A..B by C, or a list [A, B, C]" },
	[OPTION_PRECISION] = { "--precision", 0, 1, "RATIO",
			       "how close neighbouring quantities are; 0.1% unless given" },
	[OPTION_TARGET] = { "--target", 0, 1, "NAME[@VERSION]",
			    "test the jobs against the rules of a framework, as if they named it" },
	[OPTION_RULES] = { "--rules", 0, 0, "", "print the target's rules, with versions and sources" },
	[OPTION_PROGRESS] = { "--progress", 0, 1, "WHEN",
			      "a line on standard error: auto (on a terminal), always, never; json: one a second" },
	[OPTION_CHECKPOINT] = { "--checkpoint", 0, 1, "FILE", "write what was found to FILE, every few seconds" },
	[OPTION_RESUME] = { "--resume", 0, 0, "", "go on from the checkpoint, if it is there" },
	[OPTION_SHARD] = { "--shard", 0, 1, "K/N", "search only the K-th of N parts; `planc merge` joins them" },
	[OPTION_MODEL] = { "--model", 0, 1, "MODEL", "what is trained: a model of the library, or FILE.plan:NAME" },
	[OPTION_CLUSTER] = { "--cluster", 0, 1, "CLUSTER", "where: a cluster of the library, or FILE.plan:NAME" },
	[OPTION_GPUS] = { "--gpus", 0, 1, "N", "GPUs to use; without it the cluster's, or what is usual for the model" },
	[OPTION_SEQUENCE] = { "--sequence", 0, 1, "N", "tokens of a sample; 4096 unless given" },
	[OPTION_GLOBAL_BATCH] = { "--global-batch", 0, 1, "N", "samples of a step; what is usual for the model" },
	[OPTION_EXACT] = { "--exact", 0, 0, "",
			   "test conditions of the cost model for all candidates, for exact counts" },
};

/* Threads that anybody can want. */
enum { JOBS_MAX = 256 };

static uint32_t processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : (uint32_t)n;
}

const char *option_value(const struct options *o, enum option_id id, const char *otherwise)
{
	return o->given[id] ? o->value[id][0] : otherwise;
}

static bool takes(const struct command *c, int id)
{
	return id == OPTION_HELP || (c->options & OPTION_BIT(id)) != 0;
}

/* The option a word names, by name, "--name=value" or letter. OPTION_COUNT when none does. */
static int option_of(const struct command *c, const char *word, const char **attached)
{
	*attached = NULL;
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *info = &option_table[i];
		size_t n = strlen(info->name);

		if (!takes(c, i))
			continue;
		if (strncmp(word, info->name, n) == 0 && (word[n] == '\0' || word[n] == '=')) {
			*attached = word[n] == '=' ? word + n + 1 : NULL;
			return i;
		}
		if (info->letter && word[0] == '-' && word[1] == info->letter &&
		    (word[2] == '\0' || info->values == 1)) {
			*attached = word[2] ? word + 2 : NULL;
			return i;
		}
	}
	/* Both spellings of the word are around; one is in the help. */
	if (strncmp(word, "--color", 7) == 0 && (word[7] == '\0' || word[7] == '=') &&
	    takes(c, OPTION_COLOUR)) {
		*attached = word[7] == '=' ? word + 8 : NULL;
		return OPTION_COLOUR;
	}
	return OPTION_COUNT;
}

static bool unknown_option(struct session *s, const struct command *c, const char *word)
{
	const char *names[OPTION_COUNT];
	size_t n = 0;

	for (int i = 0; i < OPTION_COUNT; i++)
		if (takes(c, i))
			names[n++] = option_table[i].name;
	usage_error(s, "there is no option `%s`%s", word, did_you_mean(s, word, names, n));
	return false;
}

static bool add_parameter(struct options *o, struct session *s, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text) {
		usage_error(s, "`-p %s` is not of the form NAME=VALUE", text);
		return false;
	}
	*VEC_ADD(&s->arena, &o->parameters) = (struct parameter){
		.name = { text, (uint32_t)(equals - text) },
		.value = str_of(equals + 1),
	};
	return true;
}

/* A number of digits, with `_` between them; 0 when it is none or has more than 18. */
static uint64_t read_limit(const char *text)
{
	uint64_t n = 0;
	int digits = 0;

	for (; (*text >= '0' && *text <= '9') || (*text == '_' && digits > 0); text++) {
		if (*text == '_')
			continue;
		if (++digits > 18)
			return 0;
		n = n * 10 + (uint64_t)(*text - '0');
	}
	return *text ? 0 : n;
}

enum limit {
	LIMIT_FILE,
	LIMIT_DEPTH,
	LIMIT_ARTEFACT,
	LIMIT_CANDIDATES,
	LIMIT_STEPS,
	LIMIT_EVENTS
};

/* An event takes about 150 bytes, and a document is less than 4 GiB long. */
enum { EVENTS_LIMIT_MAX = 20000000 };

static const struct {
	const char *name;
	uint64_t most;
} limit_table[] = {
	[LIMIT_FILE] = { "file", INT32_MAX },
	[LIMIT_DEPTH] = { "depth", SOURCE_DEPTH_MAX },
	[LIMIT_ARTEFACT] = { "artefact", INT32_MAX },
	[LIMIT_CANDIDATES] = { "candidates", UINT64_MAX },
	[LIMIT_STEPS] = { "steps", UINT64_MAX },
	[LIMIT_EVENTS] = { "events", EVENTS_LIMIT_MAX },
};

static void keep_limit(struct options *o, struct session *s, enum limit which, uint64_t n)
{
	switch (which) {
	case LIMIT_FILE: s->sources.size_max = o->limits.file = (uint32_t)n; break;
	case LIMIT_DEPTH: s->sources.depth_max = o->limits.depth = (uint32_t)n; break;
	case LIMIT_ARTEFACT: o->limits.artefact = (uint32_t)n; break;
	case LIMIT_CANDIDATES: o->limits.candidates = n; break;
	case LIMIT_STEPS: o->limits.steps = n; break;
	case LIMIT_EVENTS: o->limits.events = n; break;
	}
}

static bool set_limit(struct options *o, struct session *s, const char *text)
{
	const char *equals = strchr(text, '=');
	struct str name = { text, equals ? (uint32_t)(equals - text) : (uint32_t)strlen(text) };
	uint64_t n = equals ? read_limit(equals + 1) : 0;

	for (size_t i = 0; i < PLAN_COUNT(limit_table); i++) {
		if (!str_is(name, limit_table[i].name))
			continue;
		if (n > 0 && n <= limit_table[i].most) {
			keep_limit(o, s, (enum limit)i, n);
			return true;
		}
		if (n > 0)
			usage_error(s, "`--limit %s`: %" PRIu64 " is the most", text, limit_table[i].most);
		else
			usage_error(s, "`--limit %s`: a whole number from 1 on stands behind the `=`", text);
		return false;
	}
	usage_error(s, "`--limit %s`: there are file, depth, artefact, candidates, steps and events", text);
	return false;
}

static bool set_jobs(struct options *o, struct session *s, const char *text)
{
	uint64_t n = read_limit(text);

	o->jobs = (uint32_t)n;
	if (n > 0 && n <= JOBS_MAX)
		return true;
	usage_error(s, "`--jobs %s`: a whole number from 1 to %d stands here", text, JOBS_MAX);
	return false;
}

/* Takes the values of one option from the words behind it. */
static bool take_values(struct options *o, struct session *s, int id, const char *attached,
			char **argv, int argc, int *at)
{
	const struct option_info *info = &option_table[id];
	int have = 0;

	if (attached && info->values == 0) {
		usage_error(s, "`%s` takes no value", info->name);
		return false;
	}
	if (attached)
		o->value[id][have++] = attached;
	while (have < info->values) {
		if (*at + 1 >= argc) {
			usage_error(s, "`%s` needs %s", info->name, info->value_names);
			return false;
		}
		o->value[id][have++] = argv[++*at];
	}
	o->given[id] = true;
	if (id == OPTION_LIMIT)
		return set_limit(o, s, o->value[id][0]);
	if (id == OPTION_JOBS)
		return set_jobs(o, s, o->value[id][0]);
	return id != OPTION_PARAMETER || add_parameter(o, s, o->value[id][0]);
}

static bool operands_fit(const struct options *o, struct session *s, const struct command *c)
{
	int n = (int)o->operands.n;
	bool foreign = o->given[OPTION_SIMUMAX];

	if (n < c->least && !foreign) {
		usage_error(s, "%s needs %s", c->name, c->operands);
		return false;
	}
	if (foreign && n > 0) {
		usage_error(s, "`%s` stands beside --simumax, which names all the files there are",
			    o->operands.at[0]);
		return false;
	}
	if (n > c->most) {
		usage_error(s, "`%s` is one argument too many", o->operands.at[c->most]);
		return false;
	}
	return true;
}

/* `-` is standard input; no option begins with a digit, but an expression may: `-7 div 2`, `-(a + b)`. */
static bool is_operand(const char *word)
{
	return word[0] != '-' || word[1] == '\0' || strchr("0123456789(", word[1]);
}

bool options_parse(struct options *o, struct session *s, const struct command *c, int argc, char **argv)
{
	bool only_operands = false;

	memset(o, 0, sizeof *o);
	o->jobs = s->post ? s->post->processors : processors();
	o->command = c->name;
	for (int i = 0; i < argc; i++) {
		const char *word = argv[i], *attached;

		if (!only_operands && strcmp(word, "--") == 0) {
			only_operands = true;
			continue;
		}
		if (only_operands || is_operand(word)) {
			*VEC_ADD(&s->arena, &o->operands) = word;
			continue;
		}
		int id = option_of(c, word, &attached);
		if (id == OPTION_COUNT)
			return unknown_option(s, c, word);
		if (!take_values(o, s, id, attached, argv, argc, &i))
			return false;
	}
	return o->given[OPTION_HELP] || operands_fit(o, s, c);
}
