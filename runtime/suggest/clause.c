/* clause.c - parts of plans as text: names, imports, the head of a job, the sweep. */
#include "runtime/suggest/suggest_int.h"

static bool is_letter(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && c >= '0' && c <= '9');
}

static bool is_identifier(struct str name)
{
	for (uint32_t i = 0; i < name.n; i++)
		if (!is_letter(name.p[i], i == 0))
			return false;
	return name.n > 0;
}

/* In backticks where it has to be; what cannot even stand there becomes `_`, and then is the name of nothing. */
void put_name(struct out *o, struct str name)
{
	bool plain = is_identifier(name);

	out_text(o, plain ? "" : "`");
	for (uint32_t i = 0; i < name.n; i++)
		out_char(o, name.p[i] >= 0x20 && name.p[i] < 0x7f && name.p[i] != '`' ? name.p[i] : '_');
	out_text(o, plain ? "" : "`");
}

void put_quoted(struct out *o, struct str text)
{
	out_char(o, '"');
	for (uint32_t i = 0; i < text.n; i++) {
		if (strchr("\"\\{}", text.p[i]) && text.p[i])
			out_char(o, '\\');
		out_char(o, (unsigned char)text.p[i] < 0x20 ? '?' : text.p[i]);
	}
	out_char(o, '"');
}

static void put_import(struct out *o, struct str file, struct str name, struct str other)
{
	out_text(o, "import ");
	put_quoted(o, file);
	out_text(o, " { ");
	put_name(o, name);
	if (other.n > 0 && !str_equal(name, other)) {
		out_text(o, ", ");
		put_name(o, other);
	}
	out_text(o, " }\n");
}

void put_imports(struct out *o, const struct suggest_question *q)
{
	if (str_equal(q->model.file, q->cluster.file)) {
		put_import(o, q->model.file, q->model.name, q->cluster.name);
		return;
	}
	put_import(o, q->model.file, q->model.name, STR(""));
	put_import(o, q->cluster.file, q->cluster.name, STR(""));
}

static bool is_subject(const struct suggest_question *q, const char *name)
{
	return str_is(q->model.name, name) || str_is(q->cluster.name, name);
}

const char *free_name(const struct suggest_question *q, const char *usual, const char *otherwise)
{
	return is_subject(q, usual) ? otherwise : usual;
}

const char *launch_name(const struct suggest_question *q)
{
	return free_name(q, "launch", "launched_job");
}

const char *sweep_name(const struct suggest_question *q)
{
	return free_name(q, "neighbours", "neighbouring_plans");
}

bool has_target(const struct suggest_question *q)
{
	return q->target.n > 0;
}

void put_job_head(struct out *o, const struct suggest_question *q, const struct advice *a)
{
	out_text(o, "  model = ");
	put_name(o, q->model.name);
	out_text(o, "\n  cluster = ");
	put_name(o, q->cluster.name);
	if (a->other_nodes)
		out_printf(o, " with { nodes = %lld }", (long long)a->nodes);
	out_char(o, '\n');
	if (a->gpus != a->nodes * a->gpus_per_node)
		out_printf(o, "  gpus = %lld\n", (long long)a->gpus);
	if (has_target(q)) {
		out_printf(o, "  framework { name = %.*s, version = ", (int)a->framework.n, a->framework.p);
		put_quoted(o, a->version);
		out_text(o, " }\n");
	}
	if (q->profile.n > 0) {
		out_text(o, "  profile = ");
		put_name(o, q->profile);
		out_char(o, '\n');
	}
}

void put_launch(struct out *o, const struct suggest_question *q, const char *job)
{
	put_name(o, q->target);
	out_printf(o, " %s { job = %s, written = false }\n", launch_name(q), job);
}

struct str field_below(struct str path, const char *record)
{
	uint32_t n = (uint32_t)strlen(record);

	if (!str_starts(path, record) || path.n <= n || path.p[n] != '.')
		return (struct str){ NULL, 0 };
	return str_slice(path, n + 1, path.n);
}

/* ---- the sweep ---------------------------------------------------------------------------------------- */

/* Fields and values of several go in parentheses. */
static void put_tuple(struct out *o, const char *at, const struct texts *t)
{
	if (t->n > 1)
		out_char(o, '(');
	for (uint32_t i = 0; i < t->n; i++)
		out_printf(o, "%s%s%.*s", i > 0 ? ", " : "", at, (int)t->at[i].n, t->at[i].p);
	if (t->n > 1)
		out_char(o, ')');
}

static void put_axis(struct out *o, const char *at, const struct choice *c)
{
	out_text(o, "  vary ");
	put_tuple(o, at, &c->fields);
	out_text(o, " in [");
	for (uint32_t i = 0; i < c->count; i++) {
		out_text(o, i > 0 ? ", " : "");
		put_tuple(o, "", &c->values[i]);
	}
	out_text(o, "]\n");
}

static void put_limit(struct out *o, const struct limit *l)
{
	out_printf(o, "  constraint %.*s", (int)l->name.n, l->name.p);
	if (l->counts.n > 0)
		out_printf(o, " when %.*s", (int)l->counts.n, l->counts.p);
	/* Its braces are those of a template. */
	out_printf(o, ": %.*s\n    because \"%.*s\"\n", (int)l->holds.n, l->holds.p, (int)l->says.n, l->says.p);
}

static void put_objective(struct out *o, const struct texts *goals)
{
	out_text(o, "\n  objective { ");
	for (uint32_t i = 0; i < goals->n; i++)
		out_printf(o, "%sminimise %.*s", i > 0 ? ", " : "", (int)goals->at[i].n, goals->at[i].p);
	out_text(o, " }\n");
}

void put_sweep(struct out *o, const struct suggest_question *q, const struct advice *a, const char *job,
	       const struct found *found)
{
	const char *at = has_target(q) ? "job." : "";

	out_printf(o, "sweep %s of %s {\n", sweep_name(q), has_target(q) ? launch_name(q) : job);
	if (!found)
		out_printf(o, "  vary %sbatch.global in [%lld]\n", at, (long long)a->global);
	for (uint32_t k = 0; k < a->choice_count; k++)
		if (a->choices[k].count > 1)
			put_axis(o, at, &a->choices[k]);
	out_char(o, '\n');
	for (uint32_t i = 0; i < a->limit_count; i++)
		if (!found || !found->idle[i])
			put_limit(o, &a->limits[i]);
	put_objective(o, &a->goals);
	out_text(o, "}\n");
}
