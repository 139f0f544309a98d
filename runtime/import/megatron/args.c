/* args.c - the command of a script that trains, taken apart into flags and values. */
#include "runtime/import/megatron/megatron_int.h"

static bool is_flag(const struct shell_text *t)
{
	return t->n > 2 && t->p[0] == '-' && t->p[1] == '-';
}

static bool is_option(const struct shell_text *t)
{
	return is_flag(t) || (t->n >= 2 && t->p[0] == '-' && t->p[1] >= 'A' && t->p[1] <= 'z');
}

static struct shell_text part(const struct shell_text *t, uint32_t lo, uint32_t hi)
{
	return (struct shell_text){ t->p + lo, t->at + lo, hi - lo };
}

/* `bash -c "torchrun ..."`: the words inside. Dollars that single quotes kept are not known. */
static void split_again(struct megatron *m, const struct shell_text *t, struct shell_words *o)
{
	uint32_t lo = 0;

	for (uint32_t i = 0; i <= t->n; i++) {
		bool blank = i == t->n || strchr(" \t\n\\\r", t->p[i]);

		if (blank && i > lo) {
			struct shell_text word = part(t, lo, i);
			char *dollar = memchr(word.p, '$', word.n);

			if (dollar)
				*dollar = SHELL_UNKNOWN;
			*VEC_ADD(m->f.arena, &o->list) = word;
		}
		if (blank)
			lo = i + 1;
	}
}

static bool holds_command(const struct shell_text *t)
{
	return t->n > 20 && memchr(t->p, ' ', t->n) && !is_option(t);
}

/* Words of a command, those of one in quotes among them. */
static struct shell_words flatten(struct megatron *m, const struct shell_words *w)
{
	struct shell_words o = { 0 };

	for (uint32_t i = 0; i < w->list.n; i++) {
		const struct shell_text *t = &w->list.at[i];
		bool inner = false;

		for (uint32_t k = 0; holds_command(t) && k + 3 < t->n; k++)
			inner = inner || memcmp(t->p + k, " --", 3) == 0;
		if (inner)
			split_again(m, t, &o);
		else
			*VEC_ADD(m->f.arena, &o.list) = *t;
	}
	return o;
}

/* How many words only a training program of Megatron takes. */
static uint32_t weight(const struct shell_words *w)
{
	static const char *const marks[] = { "--num-layers",	    "--hidden-size",
					     "--num-attention-heads", "--micro-batch-size",
					     "--global-batch-size",   "--seq-length",
					     "--tensor-model-parallel-size" };
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->list.n; i++)
		for (size_t k = 0; k < PLAN_COUNT(marks); k++)
			n += str_starts(shell_view(&w->list.at[i]), marks[k]);
	return n;
}

/* A file of bare arguments is a script whose commands are flags. */
static bool is_bare(const struct shell_words *w)
{
	return w->list.n > 0 && is_flag(&w->list.at[0]);
}

static struct shell_words find_command(struct megatron *m)
{
	struct shell_words best = { 0 }, bare = { 0 };
	uint32_t most = 0;

	for (uint32_t i = 0; i < m->script.commands.n; i++) {
		const struct shell_words *w = &m->script.commands.at[i];
		struct shell_words flat = flatten(m, w);

		for (uint32_t k = 0; is_bare(w) && k < flat.list.n; k++)
			*VEC_ADD(m->f.arena, &bare.list) = flat.list.at[k];
		if (!is_bare(w) && weight(&flat) > 0 && weight(&flat) >= most) {
			most = weight(&flat);
			best = flat;
			m->command = i;
		}
	}
	m->bare = most == 0;
	return m->bare ? bare : best;
}

static void add_arg(struct megatron *m, bool launcher, struct shell_text flag)
{
	struct megatron_arg *a = launcher ? VEC_ADD(m->f.arena, &m->launcher) : VEC_ADD(m->f.arena, &m->args);
	const char *equals = memchr(flag.p, '=', flag.n);

	a->flag = flag;
	if (!equals)
		return;
	a->flag = part(&flag, 0, (uint32_t)(equals - flag.p));
	*VEC_ADD(m->f.arena, &a->values) = part(&flag, (uint32_t)(equals - flag.p) + 1, flag.n);
}

static void add_value(struct megatron *m, bool launcher, struct shell_text value)
{
	struct megatron_arg *a = launcher ? &m->launcher.at[m->launcher.n - 1] : &m->args.at[m->args.n - 1];

	*VEC_ADD(m->f.arena, &a->values) = value;
}

static void take_words(struct megatron *m, bool launcher, const struct shell_words *w, uint32_t lo, uint32_t hi)
{
	bool any = false;

	for (uint32_t i = lo; i < hi; i++) {
		const struct shell_text *t = &w->list.at[i];

		if (is_option(t)) {
			add_arg(m, launcher, *t);
			any = true;
		} else if (any) {
			add_value(m, launcher, *t);
		} else if (!launcher && !shell_known(t)) {
			*VEC_ADD(m->f.arena, &m->strays) = *t;
		}
	}
}

/* Keeps NAME=value; false for another word. */
static bool take_setting(struct megatron *m, struct shell_text t)
{
	const char *equals = t.n > 0 ? memchr(t.p, '=', t.n) : NULL;
	struct shell_text name = part(&t, 0, equals ? (uint32_t)(equals - t.p) : 0);

	if (!shell_is_word(&name))
		return false;
	t.n -= t.p[t.n - 1] == ';';
	*VEC_ADD(m->f.arena, &m->settings) = t;
	return true;
}

/* `srun --export=ALL,A=1,B=2`. */
static void take_list(struct megatron *m, const struct shell_text *t)
{
	for (uint32_t lo = (uint32_t)strlen("--export="), hi; lo < t->n; lo = hi + 1) {
		for (hi = lo; hi < t->n && t->p[hi] != ','; hi++)
			;
		(void)take_setting(m, part(t, lo, hi));
	}
}

/* `env A=1 torchrun`, `mpirun -x A=1`, `docker run -e A=1`, `bash -c "export A=1; torchrun"`: what runs
 * the program with variables of its own. */
static void take_settings(struct megatron *m, const struct shell_words *w, uint32_t program)
{
	static const char *const heads[] = { "env", "export", "-x", "-e", "--env" };
	bool behind = true;

	for (uint32_t i = 0; i < program; i++) {
		const struct shell_text *t = &w->list.at[i];
		bool head = false;

		for (size_t k = 0; k < PLAN_COUNT(heads); k++)
			head = head || str_is(shell_view(t), heads[k]);
		if (str_starts(shell_view(t), "--export="))
			take_list(m, t);
		else if (behind && !head && take_setting(m, *t))
			continue;
		behind = head;
	}
}

/* The word behind which the training program's own arguments begin. */
static uint32_t program_end(const struct shell_words *w)
{
	for (uint32_t i = 0; i < w->list.n; i++) {
		struct str next = i + 1 < w->list.n ? shell_view(&w->list.at[i + 1]) : (struct str){ "", 0 };

		if (str_ends(shell_view(&w->list.at[i]), ".py"))
			return i + 1;
		/* torch.distributed.run starts another program. */
		if (str_is(shell_view(&w->list.at[i]), "-m") && next.n > 0 && i > 0 &&
		    !str_starts(next, "torch.distributed."))
			return i + 2;
	}
	return 0;
}

bool megatron_find_args(struct megatron *m)
{
	struct shell_words w = find_command(m);
	uint32_t program;

	if (w.list.n == 0) {
		foreign_refuse(&m->f, (struct span){ m->script.file, 0, 1 },
			       "no command of this script has Megatron's arguments (--num-layers, "
			       "--micro-batch-size, ...)");
		return false;
	}
	program = program_end(&w);
	take_settings(m, &w, program);
	take_words(m, true, &w, 0, program);
	take_words(m, false, &w, program, w.list.n);
	take_words(m, true, &m->script.directives, 0, m->script.directives.list.n);
	return true;
}

struct span megatron_place(const struct megatron *m)
{
	static const struct shell_text nothing;

	return shell_span(&m->script, m->args.n > 0 ? &m->args.at[0].flag : &nothing);
}

const struct megatron_arg *megatron_arg(struct megatron *m, const char *flag)
{
	const struct megatron_arg *last = NULL;

	for (uint32_t i = 0; i < m->args.n; i++)
		if (str_is(shell_view(&m->args.at[i].flag), flag)) {
			m->args.at[i].used = true;
			last = &m->args.at[i];
		}
	return last;
}

/* What stands behind a switch belongs to nothing: flags perhaps, where it is unknown. */
bool megatron_has(struct megatron *m, const char *flag)
{
	const struct megatron_arg *a = megatron_arg(m, flag);

	for (uint32_t i = 0; a && i < a->values.n; i++) {
		if (!shell_known(&a->values.at[i]))
			*VEC_ADD(m->f.arena, &m->strays) = a->values.at[i];
		else
			megatron_refuse(m, &a->values.at[i], "`%s` takes no value", flag);
	}
	return a != NULL;
}
