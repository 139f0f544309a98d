/* options.h - the options of all commands in one table, and the parser of a command line. */
#ifndef PLAN_CLI_OPTIONS_H
#define PLAN_CLI_OPTIONS_H

#include "compiler/base/vec.h"
#include "compiler/check/compile.h"

enum option_id {
	OPTION_HELP,
	OPTION_FORMAT,
	OPTION_PARAMETER,
	OPTION_PROFILE,
	OPTION_SIMUMAX,
	OPTION_OUTPUT,
	OPTION_CHECK,
	OPTION_LIBRARY,
	OPTION_STDLIB,
	OPTION_COLOUR,
	OPTION_DRY_RUN,
	OPTION_EXACT,
	OPTION_JUNIT,
	OPTION_FILTER,
	OPTION_LIMIT,
	OPTION_TRACE_FILE,
	OPTION_DETAIL,
	OPTION_PROFILES,
	OPTION_JOBS,
	OPTION_MIN,
	OPTION_MAX,
	OPTION_SUCH_THAT,
	OPTION_IN,
	OPTION_PRECISION,
	OPTION_TARGET,
	OPTION_RULES,
	OPTION_PROGRESS,
	OPTION_CHECKPOINT,
	OPTION_RESUME,
	OPTION_SHARD,
	OPTION_MODEL,
	OPTION_CLUSTER,
	OPTION_GPUS,
	OPTION_SEQUENCE,
	OPTION_GLOBAL_BATCH,
	OPTION_COUNT
};

enum { OPTION_VALUES_MAX = 3 };

/* A set of options. */
#define OPTION_BIT(ID) (UINT64_C(1) << (ID))

struct option_info {
	const char *name;            /* "--format" */
	char letter;                 /* 'p' for -p, or 0 */
	int values;
	const char *value_names;     /* "MODEL STRATEGY SYSTEM" */
	const char *help;
};

extern const struct option_info option_table[OPTION_COUNT];

/* A command line, parsed. Strings are those of argv. */
struct options {
	bool given[OPTION_COUNT];
	const char *value[OPTION_COUNT][OPTION_VALUES_MAX];
	VEC(struct parameter) parameters;
	VEC(const char *) operands;
	struct {
		uint32_t file, artefact; /* bytes; 0 = what is usual */
		uint32_t depth;
		uint64_t steps, candidates, events;
	} limits;
	uint32_t jobs;               /* threads of a sweep */
	const char *command;         /* for messages */
};

struct session;
struct command;

/* Parses the arguments behind the command's name. false after a usage message. */
bool options_parse(struct options *o, struct session *s, const struct command *c, int argc,
		   char **argv);

/* The value of an option, or `otherwise`. */
const char *option_value(const struct options *o, enum option_id id, const char *otherwise);

#endif
