/* head.c - the comment at the head of the plan: what is predicted, of how many ways, what stays open, how to go on. */
#include "runtime/report/units.h"
#include "runtime/suggest/suggest_int.h"

/* The words and numbers of `planc report`. */
static void put_prediction(struct out *o, const struct advice *a, const struct job *j, const struct found *f)
{
	const struct engine_result *r = &j->result;
	struct out line;

	out_init(&line, o->arena);
	out_printf(&line, "Predicted under profile %.*s: step time ", (int)j->profile_name.n, j->profile_name.p);
	put_time(&line, r->step.time);
	out_text(&line, ", MFU ");
	put_share(&line, r->throughput.mfu);
	out_text(&line, "; ");
	if (j->input.parallel.pp > 1)
		out_printf(&line, "stage %lld needs most, ", (long long)r->memory.worst_stage);
	put_gib(&line, r->memory.reserved);
	out_text(&line, " reserved of ");
	put_gib(&line, j->hardware.memory);
	out_text(&line, ". What the profile takes for granted ends `planc report`; measure the first steps.");
	put_line(o, "##", &line);
	out_init(&line, o->arena);
	out_grouped(&line, (int64_t)f->total);
	out_text(&line, " ways to spread it were tried, ");
	out_grouped(&line, (int64_t)f->feasible);
	out_printf(&line, " keep all rules and fit; %.*s.", (int)a->goals_say.n, a->goals_say.p);
	put_line(o, "##", &line);
}

/* The same GPUs twice: dense layers and experts each fold them in their own way. */
static void put_meshes(struct out *o, const struct job *j)
{
	const struct engine_parallel *p = &j->input.parallel;
	int64_t tokens = p->tp * p->cp, experts = p->ep * p->etp;
	struct out line;

	if (experts == 1)
		return;
	out_init(&line, o->arena);
	out_printf(&line, "%lld GPUs, folded twice: tp %lld * cp %lld * dp %lld * pp %lld, and for the experts ep %lld * "
			  "etp %lld * edp %lld * pp %lld; the fewest that hold these degrees are pp * max(tp * cp, ep * etp) = %lld.",
		   (long long)p->world, (long long)p->tp, (long long)p->cp, (long long)p->dp, (long long)p->pp,
		   (long long)p->ep, (long long)p->etp, (long long)p->edp, (long long)p->pp,
		   (long long)(p->pp * (tokens > experts ? tokens : experts)));
	put_line(o, "##", &line);
}

/* Advice of the library that the best candidate does not follow. */
static void put_remaining(struct out *o, const struct trial *t)
{
	struct out line;

	for (uint32_t i = 0; i < t->sink.diags.n; i++) {
		const struct diag *d = t->sink.diags.at[i];
		const struct diag_info *info = diag_info(d->code);

		if (d->severity != DIAG_WARNING)
			continue;
		out_init(&line, o->arena);
		out_printf(&line, "Advice that is left open, `%s` (%s): %.*s.", info->slug, info->name,
			   (int)d->message.n, d->message.p);
		put_line(o, "##", &line);
	}
}

/* A question about a value that was not taken; none where nothing else was tried. */
static void put_why_not(struct out *o, const struct advice *a, const struct found *f)
{
	for (uint32_t k = 0; k < a->choice_count; k++)
		for (uint32_t v = 0; v < a->choices[k].count; v++) {
			struct str path = a->choices[k].fields.at[0], other = a->choices[k].values[v].at[0];

			if (str_equal(other, taken(a, f, k)->at[0]))
				continue;
			out_printf(o, "##     planc why-not FILE '%.*s = %.*s'    why others are out\n", (int)path.n, path.p,
				   (int)other.n, other.p);
			return;
		}
}

void put_head(struct out *o, const struct suggest_question *q, const struct advice *a, const struct found *f,
		     const struct trial *t, const struct job *j)
{
	struct out line;

	out_init(&line, o->arena);
	out_printf(&line, "%.*s on %lld GPU%s of %.*s: a plan to start from, as `planc suggest` found it.",
		   (int)q->model.name.n, q->model.name.p, (long long)a->gpus, a->gpus == 1 ? "" : "s",
		   (int)q->cluster.name.n, q->cluster.name.p);
	put_line(o, "##", &line);
	out_text(o, "##\n");
	put_prediction(o, a, j, f);
	put_meshes(o, j);
	put_remaining(o, t);
	out_init(&line, o->arena);
	out_printf(&line, "GPUs: %.*s. Comments name the rules of thumb (std:suggest, `planc doc std:suggest`) and what "
			  "other values would cost, each with the best of all other choices.",
		   (int)a->gpus_says.n, a->gpus_says.p);
	put_line(o, "##", &line);
	out_text(o, "##\n##     planc report FILE    the prediction, part by part\n"
		    "##     planc sweep FILE     the neighbourhood, candidate by candidate\n");
	put_why_not(o, a, f);
	out_char(o, '\n');
}
