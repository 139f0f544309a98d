/* trace.c - a job to a schedule, and the schedule to events, one a line. */
#include "runtime/report/trace/trace_int.h"

#include <math.h>

#include "runtime/io/json_write.h"

/* Behind the parts of a step: a stage that is done before the slowest. */
enum { PART_WAIT = STEP_PART_COUNT, PART_COUNT };

/* What stands for a rank whatever it does: names, first counter, tail. */
enum { EVENTS_OF_RANK = 16 };

static const char head[] = "{\"otherData\":{\"generator\":\"planc trace\"";

bool trace_is_ours(struct str text)
{
	return text.n >= sizeof head - 1 && memcmp(text.p, head, sizeof head - 1) == 0;
}

/* ---- counting ---------------------------------------------------------------------------------- */

static int64_t events_of_pass(const struct trace *t, const struct recipe *r)
{
	int64_t inner = t->detail == TRACE_PASSES ? 0 : r->n;

	/* The pass, two of memory, two for each traffic that hides, two in the gap before it. */
	for (int i = 0; i < TRAFFIC_COUNT; i++)
		inner += r->hidden[i] > 0 ? 2 : 0;
	return 1 + 2 + 2 + inner;
}

/* Upper bound, known before the schedule is. */
static int64_t count_events(const struct trace *t)
{
	const int64_t m = t->job->input.batch.micro_batches;
	int64_t each = 0, sum;

	for (int64_t i = 0; i < t->result.stage_count; i++) {
		for (int kind = 0; kind < (t->split ? PASS_KINDS : PASS_INPUT); kind++)
			each += events_of_pass(t, &t->recipe[kind][i]);
		each += 4;
	}
	if (__builtin_mul_overflow(each, m, &sum) ||
	    __builtin_add_overflow(sum, EVENTS_OF_RANK * t->job->input.parallel.pp, &sum))
		return INT64_MAX;
	return sum;
}

static bool is_split(const struct job *j)
{
	const enum engine_schedule s = j->input.parallel.schedule;

	return s == SCHEDULE_ZB1P || s == SCHEDULE_ZB2P || s == SCHEDULE_DUALPIPE;
}

struct trace *trace_make(const struct job *j, enum trace_detail detail, int64_t events_max,
			 struct arena *a, int64_t *events)
{
	struct trace *t = ARENA_NEW(a, struct trace);
	struct engine_error error;
	int64_t least = engine_schedule_size(&j->input);

	*t = (struct trace){ .job = j, .detail = detail, .split = is_split(j), .arena = a };
	*events = least;
	if (least > events_max)
		return NULL;
	/* The job was evaluated before; the same input cannot be refused now. */
	invariant(engine_schedule(&j->input, a, &t->result, &t->log, &error) == ENGINE_OK,
		  "a job that was evaluated has no schedule");
	recipes_make(t);
	if (t->log.hold == HOLDS_NOBODY)
		t->causes = causes_make(t);
	*events = t->events = count_events(t);
	return *events > events_max ? NULL : t;
}

/* ---- events ------------------------------------------------------------------------------------- */

struct pen {
	const struct trace *t;
	struct out *o;
	int64_t ids;                 /* of events that may overlap */
};

/* Nanoseconds as the microseconds of the format. */
static void put_time(struct out *o, const char *key, int64_t ns)
{
	out_printf(o, ",\"%s\":%lld.%03lld", key, (long long)(ns / 1000), (long long)(ns % 1000));
}

static void begin(struct pen *p, const char *phase, int64_t rank, int64_t ns)
{
	out_printf(p->o, ",\n{\"ph\":\"%s\",\"pid\":%lld,\"tid\":0", phase, (long long)rank);
	put_time(p->o, "ts", ns);
}

/* Names are static texts and numbers: nothing in them needs an escape. */
static void put_name(struct pen *p, struct str name, const char *category)
{
	out_printf(p->o, ",\"name\":\"%.*s\",\"cat\":\"%s\"", (int)name.n, name.p, category);
}

static void slice(struct pen *p, int64_t rank, int64_t from, int64_t to, struct str name,
		  const char *category)
{
	if (to <= from)
		return;
	begin(p, "X", rank, from);
	put_time(p->o, "dur", to - from);
	put_name(p, name, category);
	out_char(p->o, '}');
}

/* An event on a track of its own kind, where it may overlap with others. */
static void beside(struct pen *p, int64_t rank, int64_t from, int64_t to, const char *name,
		   const char *category, const struct engine_pass *pass)
{
	if (to <= from)
		return;
	p->ids++;
	begin(p, "b", rank, from);
	put_name(p, str_of(name), category);
	out_printf(p->o, ",\"id\":%lld", (long long)p->ids);
	if (pass)
		out_printf(p->o, ",\"args\":{\"to_stage\":%d,\"micro_batch\":%d,\"chunk\":%d}", pass->peer,
			   pass->micro_batch, pass->chunk);
	out_char(p->o, '}');
	begin(p, "e", rank, to);
	put_name(p, str_of(name), category);
	out_printf(p->o, ",\"id\":%lld}", (long long)p->ids);
}

static void memory(struct pen *p, int64_t rank, int64_t ns, int64_t activations)
{
	const struct engine_stage *s = &p->t->result.stages[rank];

	begin(p, "C", rank, ns);
	out_printf(p->o,
		   ",\"name\":\"memory, bytes\",\"args\":{\"states\":%lld,\"activations\":%lld}}",
		   (long long)(s->weights + s->gradients + s->optimizer + s->other_static),
		   (long long)activations);
}

/* ---- one rank ----------------------------------------------------------------------------------- */

/* How far a rank has come. `ns` is what was written of each part: always what `total` rounds to, so that
 * rounding never adds up. */
struct progress {
	struct pen *pen;
	const struct rank_line *line;
	double total[PART_COUNT];
	int64_t ns[PART_COUNT];
	double hidden[TRAFFIC_COUNT];
	int64_t hidden_ns[TRAFFIC_COUNT];
	int64_t now;
	int64_t live;                /* bytes of activations kept */
	int64_t *done[PASS_KINDS];   /* passes of each chunk */
	int64_t *edge;               /* scratch for the items of a pass */
};

/* Lets a part reach `total`; the nanoseconds that takes. */
static int64_t reach(struct progress *g, int part, double total)
{
	int64_t ns = llround(total * 1e9), more = ns - g->ns[part];

	/* Sums in another order can be a little smaller than they were. */
	if (more < 0)
		more = 0;
	g->total[part] = total;
	g->ns[part] += more;
	g->now += more;
	return more;
}

static void spend(struct progress *g, int part, double seconds, const char *name)
{
	const char *category = part == PART_WAIT ? "wait" : step_part_name((enum step_part)part);
	int64_t from = g->now;

	if (seconds <= 0)
		return;
	reach(g, part, g->total[part] + seconds);
	slice(g->pen, g->line->rank, from, g->now, str_of(name), category);
}

/* What the passes run so far come to in one part: counted, not added up. */
static double spent_in_passes(const struct progress *g, int part)
{
	const struct trace *t = g->pen->t;
	double sum = 0;

	for (int64_t c = 0; c < rank_chunks(t); c++)
		for (int kind = 0; kind < PASS_KINDS; kind++)
			sum += (double)g->done[kind][c] *
			       t->recipe[kind][chunk_stage(t, g->line->rank, c)].part[part];
	return sum;
}

/* Moves through the items of a recipe and notes where each begins, and ends. */
static void walk_items(struct progress *g, const struct recipe *r)
{
	double sum[STEP_PART_COUNT];

	memcpy(sum, g->total, sizeof sum);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct item *item = &r->at[i];

		g->edge[i] = g->now;
		if (item->kind == ITEM_WORK)
			reach(g, (int)item->part, sum[item->part] += item->seconds);
	}
	g->edge[r->n] = g->now;
}

static uint32_t closing(const struct recipe *r, uint32_t i)
{
	for (uint32_t depth = 0; i < r->n; i++) {
		depth += r->at[i].kind == ITEM_OPEN;
		depth -= r->at[i].kind == ITEM_CLOSE;
		if (depth == 0)
			break;
	}
	return i;
}

static void print_items(struct progress *g, const struct recipe *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct item *item = &r->at[i];

		if (item->kind == ITEM_WORK)
			slice(g->pen, g->line->rank, g->edge[i], g->edge[i + 1], item->name,
			      step_part_name(item->part));
		else if (item->kind == ITEM_OPEN)
			slice(g->pen, g->line->rank, g->edge[i], g->edge[closing(r, i)], item->name,
			      str_equal(item->name, STR("recompute")) ? "recompute_pass" : "layer");
	}
}

static void print_hidden(struct progress *g, const struct recipe *r, int64_t from)
{
	static const char *const names[TRAFFIC_COUNT] = { "hidden tensor traffic",
							  "hidden context traffic",
							  "hidden expert traffic" };

	for (int i = 0; i < TRAFFIC_COUNT; i++) {
		int64_t before = g->hidden_ns[i];

		g->hidden[i] += r->hidden[i];
		g->hidden_ns[i] = llround(g->hidden[i] * 1e9);
		beside(g->pen, g->line->rank, from, from + g->hidden_ns[i] - before, names[i], "hidden",
		       NULL);
	}
}

static void print_pass(struct progress *g, const struct engine_pass *pass, int64_t from)
{
	static const char *const names[PASS_KINDS] = { "forward", "backward", "input gradients",
						       "weight gradients" };
	static const char *const colours[PASS_KINDS] = { "thread_state_running", "rail_animation",
							 "rail_animation", "rail_load" };
	struct pen *p = g->pen;

	if (g->now <= from)
		return;
	begin(p, "X", g->line->rank, from);
	put_time(p->o, "dur", g->now - from);
	put_name(p, str_of(names[pass->kind]), "pass");
	out_printf(p->o, ",\"cname\":\"%s\",\"args\":{\"micro_batch\":%d,\"chunk\":%d}}",
		   colours[pass->kind], pass->micro_batch, pass->chunk);
}

/* Bytes of activations above what is live at the highest point of a pass, and what changes behind it. */
static int64_t pass_peak(const struct engine_stage *s, enum pass_kind kind)
{
	if (kind == PASS_WEIGHT)
		return 0;
	return kind == PASS_FORWARD ? s->forward_peak : s->backward_peak - s->activations;
}

static int64_t pass_keeps(const struct engine_stage *s, enum pass_kind kind)
{
	switch (kind) {
	case PASS_FORWARD:
		return s->activations;
	case PASS_BACKWARD:
		return -s->activations;
	case PASS_INPUT:
		return s->deferred - s->activations;
	case PASS_WEIGHT:
		return -s->deferred;
	case PASS_SEND_FORWARD:
	case PASS_SEND_BACKWARD:
		break;
	}
	return 0;
}

static void run_pass(struct progress *g, const struct engine_pass *pass)
{
	const struct trace *t = g->pen->t;
	const int64_t stage = chunk_stage(t, pass->rank, pass->chunk), from = g->now;
	const struct engine_stage *s = &t->result.stages[stage];
	const struct recipe *r = &t->recipe[pass->kind][stage];

	walk_items(g, r);
	g->done[pass->kind][pass->chunk]++;
	for (int part = 0; part < STEP_PART_COUNT; part++)
		if (part != STEP_BUBBLE && part != STEP_PIPELINE_COMM)
			g->total[part] = spent_in_passes(g, part);
	print_pass(g, pass, from);
	if (t->detail != TRACE_PASSES)
		print_items(g, r);
	print_hidden(g, r, from);
	memory(g->pen, g->line->rank, from, g->live + pass_peak(s, pass->kind));
	g->live += pass_keeps(s, pass->kind);
	memory(g->pen, g->line->rank, g->now, g->live);
}

static void run_gap(struct progress *g, const struct gap *gap)
{
	spend(g, STEP_PIPELINE_COMM, gap->transfer, "pipeline traffic");
	spend(g, STEP_BUBBLE, gap->idle - gap->transfer, "bubble");
}

/* Data-parallel traffic behind the last backward, and in front of the first forward. */
static void hidden_traffic(struct progress *g, int64_t pipeline_end)
{
	const struct engine_stage *s = &g->pen->t->result.stages[g->line->rank];
	int64_t reduce = llround(s->gradient_reduce_hidden * 1e9);
	int64_t gather = llround(s->parameter_gather_hidden * 1e9);
	const int64_t began = llround(g->line->began * 1e9);
	int64_t from = reduce < pipeline_end - began ? pipeline_end - reduce : began;

	beside(g->pen, g->line->rank, from, from + reduce, "hidden gradient reduce", "hidden", NULL);
	beside(g->pen, g->line->rank, began, began + gather, "hidden parameter gather", "hidden", NULL);
}

/* Behind the pipeline: what the rank does until the step of the slowest one is over. */
static void run_tail(struct progress *g)
{
	const struct engine_result *r = &g->pen->t->result;
	const struct engine_stage *s = &r->stages[g->line->rank];

	hidden_traffic(g, g->now);
	spend(g, STEP_STRAGGLER, (r->step.straggler_ratio - 1) * r->step.pipeline, "stragglers");
	spend(g, STEP_GRADIENT_REDUCE, s->gradient_reduce, "gradient reduce");
	spend(g, STEP_OPTIMIZER, s->optimizer_step, "optimizer step");
	spend(g, STEP_PARAMETER_GATHER, s->parameter_gather, "parameter gather");
	spend(g, PART_WAIT, r->stages[r->step.critical_stage].total - s->total,
	      "waiting for the slowest stage");
}

static int64_t longest_recipe(const struct trace *t)
{
	uint32_t n = 0;

	for (int kind = 0; kind < PASS_KINDS; kind++)
		for (int64_t i = 0; i < t->result.stage_count; i++)
			n = t->recipe[kind][i].n > n ? t->recipe[kind][i].n : n;
	return (int64_t)n + 1;
}

static void name_rank(struct pen *p, int64_t rank)
{
	const struct engine_result *r = &p->t->result;
	int64_t layers = 0;

	for (int64_t c = 0; c < rank_chunks(p->t); c++)
		layers += r->stages[chunk_stage(p->t, rank, c)].layers;
	out_printf(p->o,
		   ",\n{\"ph\":\"M\",\"pid\":%lld,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"stage "
		   "%lld, %lld layers%s\"}}",
		   (long long)rank, (long long)rank, (long long)layers,
		   rank == r->step.critical_stage ? ", decides" : "");
	out_printf(p->o,
		   ",\n{\"ph\":\"M\",\"pid\":%lld,\"tid\":0,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%lld}}",
		   (long long)rank, (long long)rank);
	out_printf(p->o,
		   ",\n{\"ph\":\"M\",\"pid\":%lld,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"step\"}}",
		   (long long)rank);
}

static void print_rank(struct pen *p, int64_t rank)
{
	struct rank_line line = rank_line_make(p->t, rank);
	struct progress g = { .pen = p, .line = &line, .now = llround(line.began * 1e9) };

	for (int kind = 0; kind < PASS_KINDS; kind++)
		g.done[kind] = ARENA_ARRAY(p->t->arena, int64_t, rank_chunks(p->t));
	g.edge = ARENA_ARRAY(p->t->arena, int64_t, longest_recipe(p->t));
	name_rank(p, rank);
	memory(p, rank, g.now, 0);
	for (int64_t i = 0; i < line.count; i++) {
		run_gap(&g, &line.gap[i]);
		run_pass(&g, line.pass[i]);
	}
	run_gap(&g, &line.gap[line.count]);
	run_tail(&g);
	for (int64_t i = 0; i < line.sent_count; i++)
		beside(p, rank, llround(line.sent[i]->start * 1e9), llround(line.sent[i]->end * 1e9),
		       line.sent[i]->kind == PASS_SEND_FORWARD ? "send activation" : "send gradient", "p2p",
		       line.sent[i]);
}

/* ---- the document -------------------------------------------------------------------------------- */

static void about(struct json_writer *w, const struct trace *t)
{
	static const char *const details[] = { "passes", "parts", "operators" };
	const struct engine_step *s = &t->result.step;

	json_text(w, "generator", "planc trace");
	json_str(w, "job", t->job->name);
	json_str(w, "profile", t->job->profile_name);
	json_text(w, "detail", details[t->detail]);
	json_int(w, "critical_stage", s->critical_stage);
	json_real(w, "step_s", s->time);
	json_begin_object(w, "parts_s");
	for (int i = 0; i < STEP_PART_COUNT; i++)
		json_real(w, step_part_name((enum step_part)i), s->part[i]);
	json_end(w);
}

void trace_print(const struct trace *t, struct out *o)
{
	struct pen p = { .t = t, .o = o };
	struct json_writer w;

	json_writer_init(&w, o->arena);
	json_begin_object(&w, NULL);
	about(&w, t);
	json_end(&w);
	out_text(o, "{\"otherData\":");
	json_print(&w, o, false);
	out_text(o, ",\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
		    "{\"ph\":\"M\",\"pid\":0,\"tid\":0,\"name\":\"process_labels\",\"args\":{\"labels\":\"predicted\"}}");
	for (int64_t r = 0; r < t->job->input.parallel.pp; r++)
		print_rank(&p, r);
	out_text(o, "\n]}\n");
}
