/* megatron_int.h - what the parts of the reader of Megatron-LM launch scripts share. Flags, their defaults
 * and meaning: NVIDIA/Megatron-LM, megatron/training/arguments.py and the config classes it reads, cores
 * 0.12 to 0.20. stdlib/targets/megatron.plan writes the same flags; tests hold the two together. */
#ifndef PLAN_MEGATRON_MEGATRON_INT_H
#define PLAN_MEGATRON_MEGATRON_INT_H

#include "runtime/import/plan_text.h"
#include "runtime/import/shell/shell.h"

struct megatron_arg {
	struct shell_text flag;      /* "--tensor-model-parallel-size" */
	VEC(struct shell_text) values;
	bool used;
};

/* A value that the script leaves open and the plan asks for. */
struct megatron_open {
	const char *name;            /* of the `param` */
	const char *type;            /* "int", "rational", "string" */
	struct str spelling;         /* "$GBS" */
	uint32_t line;
};

struct megatron {
	struct foreign f;
	struct sources *sources;
	struct shell_script script;
	struct str path;
	struct plan_text w;
	uint32_t command;                    /* of the script, that trains */
	bool bare;                           /* there is none: a file of arguments */
	VEC(struct shell_text) settings;     /* NAME=value in front of the training program */
	VEC(struct megatron_arg) args;       /* of the training program */
	VEC(struct megatron_arg) launcher;   /* of torchrun or srun, and of #SBATCH lines */
	VEC(struct shell_text) strays;       /* words that are unknown, flags perhaps */
	VEC(struct megatron_open) open;
	bool fine;
	/* Values that others follow from, as expressions of the plan. */
	const char *ffn;
	bool virtual_one;            /* a virtual size of one is given, which is not the same as none before 0.14 */
	int64_t hidden, heads, layers, tp, pp;   /* 0: not known */
};

/* ---- arguments ------------------------------------------------------------------------------- */

/* Finds the command that trains and takes it apart. false after reporting. */
bool megatron_find_args(struct megatron *m);

/* Reports (E0209) arguments that Megatron refuses together and that a plan cannot both say, and takes away
 * those that do nothing without another one. */
void megatron_refuse_exclusions(struct megatron *m);

/* Where messages about all arguments point to: the first one, or the script when there are none. */
struct span megatron_place(const struct megatron *m);

/* The last argument with a flag, which counts; NULL when there is none. */
const struct megatron_arg *megatron_arg(struct megatron *m, const char *flag);
bool megatron_has(struct megatron *m, const char *flag);     /* a switch */

/* ---- values: text of the plan, or `otherwise` where the flag is absent ------------------------ */

/* A whole number from `least` on. Unknown ones become a `param`, whose name is the text. */
const char *megatron_int(struct megatron *m, const char *flag, int64_t least, const char *otherwise);

/* The name of a `param` of a type, after the flag; for a value that the script does not know. */
const char *megatron_ask(struct megatron *m, const char *flag, const struct shell_text *value, const char *type);

/* Writes a field that a script has to give; E0209 when it does not. */
void megatron_need(struct megatron *m, const char *field, const char *flag);
/* Any number. */
const char *megatron_number(struct megatron *m, const char *flag, const char *otherwise);
/* A known whole number; 0 when it is absent or not known. */
int64_t megatron_count(struct megatron *m, const char *flag);
/* One of some words, in the plan's spelling. What is not among them is refused. */
struct megatron_word {
	const char *word, *plan;
};
const char *megatron_choice(struct megatron *m, const char *flag, const struct megatron_word *words,
			    size_t count, const char *otherwise);
const char *megatron_choice_of(struct megatron *m, const char *flag, const struct shell_text *value,
			       const struct megatron_word *words, size_t count);
/* The only value, as it stands; NULL when it is absent or, after a report, unknown or not one. */
const struct shell_text *megatron_text(struct megatron *m, const char *flag);

/* The inside of a text of the language; variables of the environment as ${NAME}, which a script that is
 * written again finds where this one does. false where something else is unknown. */
bool megatron_inside(const struct megatron *m, struct out *o, const struct shell_text *v);

/* Reports E0209 at a text of the script. */
void megatron_refuse(struct megatron *m, const struct shell_text *at, const char *fmt, ...)
	PLAN_PRINTF(3, 4);

/* `field = value` from a flag, nothing where it is absent. */
void megatron_line(struct megatron *m, const char *field, const char *value);

/* ---- records --------------------------------------------------------------------------------- */

void megatron_write_model(struct megatron *m);
void megatron_write_attention(struct megatron *m);
void megatron_write_experts(struct megatron *m);
void megatron_write_strategy(struct megatron *m);
void megatron_write_overlap(struct megatron *m);     /* recomputation, off-load, overlap, kernels */
void megatron_write_job(struct megatron *m);         /* optimizer, batch, job */
void megatron_write_release(struct megatron *m);     /* `framework`, where the arguments need another */
void megatron_write_emit(struct megatron *m);
void megatron_write_environment(struct megatron *m); /* of the target */

#endif
