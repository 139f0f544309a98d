/* watch.c - see watch.h. */
#include "cli/watch.h"

#include <inttypes.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "runtime/io/json_write.h"

/* Seconds: nothing is shown of what is over sooner; between two lines; between two checkpoints, which begin close to
 * each other and never take more than a small share of the time. */
static const double quiet = 1, line_every = 0.2, json_every = 1;
static const double save_first = 0.3, save_last = 5, save_share = 0.2, saving_share = 20;

/* ---- signals ------------------------------------------------------------------------------------------ */

static volatile sig_atomic_t asked_to_stop;

static void ask_to_stop(int signal_number)
{
	(void)signal_number;
	asked_to_stop = 1;
}

/* The first one is an order to say what was found; the next one ends the program as usual. */
static void listen(void)
{
	struct sigaction action = { .sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND };

	asked_to_stop = 0;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void listen_no_more(void)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

static double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- progress ------------------------------------------------------------------------------------------- */

/* Candidates a second of this run. */
static double rate_of(const struct watch *w, const struct search_progress *p, double now)
{
	return now > w->began ? (double)(p->tested - w->before) / (now - w->began) : 0;
}

/* Seconds that are left; below 0 when nobody can tell. */
static double left_of(const struct search_progress *p, double rate)
{
	return rate > 0 && p->total >= p->tested ? (double)(p->total - p->tested) / rate : -1;
}

static void print_goal(const struct search *s, struct out *o, uint32_t goal, struct value v)
{
	const struct ir_program *p = s->ev->program;

	value_print(o, p, v, p->nodes.at[s->sweep->goals[goal].value].type);
}

/* "3:07", "2:15:00" */
static void print_time(struct out *o, double seconds)
{
	uint64_t t = (uint64_t)seconds;

	if (t >= 3600)
		out_printf(o, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, t / 3600, t / 60 % 60, t % 60);
	else
		out_printf(o, "%" PRIu64 ":%02" PRIu64, t / 60, t % 60);
}

static void print_line(const struct watch *w, const struct search *s, const struct search_progress *p, double now,
		       struct out *o)
{
	double rate = rate_of(w, p, now), left = left_of(p, rate);

	out_printf(o, "\r%3.0f%%  ", p->total > 0 && p->tested < p->total ? 100 * (double)p->tested / (double)p->total : 100);
	out_grouped(o, (int64_t)p->tested);
	out_text(o, " candidates, ");
	out_grouped(o, (int64_t)rate);
	out_text(o, "/s, ");
	out_grouped(o, (int64_t)p->feasible);
	out_text(o, " feasible");
	if (p->best > 0 && s->sweep->goal_count > 0) {
		out_text(o, ", best ");
		print_goal(s, o, 0, p->goals[0]);
	}
	if (left >= 0) {
		out_text(o, ", ");
		print_time(o, left);
		out_text(o, " left");
	}
	out_text(o, "\033[K");
}

static void json_goal(struct json_writer *j, struct value v)
{
	if (v.kind == VALUE_NUMBER)
		json_num(j, NULL, v.number);
	else
		json_real(j, NULL, v.real);
}

static double thousandths(double x)
{
	return (double)(int64_t)(x * 1000 + 0.5) / 1000;
}

static void print_json(const struct watch *w, const struct search *s, const struct search_progress *p, double now,
		       struct out *o)
{
	double rate = rate_of(w, p, now), left = left_of(p, rate);
	struct json_writer j;

	json_writer_init(&j, o->arena);
	json_begin_object(&j, NULL);
	json_text(&j, "schema", "planc.progress/1");
	json_str(&j, "sweep", sym_str(s->ev->program->names, s->sweep->name));
	json_int(&j, "candidates", (int64_t)p->total);
	json_int(&j, "tested", (int64_t)p->tested);
	json_int(&j, "evaluated", (int64_t)p->evaluated);
	json_int(&j, "feasible", (int64_t)p->feasible);
	json_real(&j, "seconds", thousandths(now - w->began));
	json_real(&j, "rate", thousandths(rate));
	if (left >= 0)
		json_real(&j, "left", thousandths(left));
	else
		json_null(&j, "left");
	if (p->best > 0) {
		json_begin_object(&j, "best");
		json_int(&j, "number", (int64_t)p->best);
		json_begin_array(&j, "goals");
		for (uint32_t g = 0; g < s->sweep->goal_count; g++)
			json_goal(&j, p->goals[g]);
		json_end(&j);
		json_end(&j);
	} else {
		json_null(&j, "best");
	}
	json_end(&j);
	json_print(&j, o, false);
	out_char(o, '\n');
}

static void tell(struct watch *w, const struct search *s, const struct search_progress *p, double now)
{
	struct out o;

	out_init(&o, &w->scratch);
	if (w->progress == PROGRESS_JSON)
		print_json(w, s, p, now, &o);
	else
		print_line(w, s, p, now, &o);
	fwrite(o.p, 1, o.n, stderr);
	fflush(stderr);
	w->shown = w->progress == PROGRESS_LINE;
	w->told = now;
}

static bool is_due(const struct watch *w, double now)
{
	switch (w->progress) {
	case PROGRESS_NONE:
		return false;
	case PROGRESS_LINE:
		return now - w->began > quiet && now - w->told > line_every;
	case PROGRESS_JSON:
		return now - w->told > json_every;
	}
	return false;
}

/* ---- the checkpoint ---------------------------------------------------------------------------------------- */

static void save(struct watch *w, const struct search *s)
{
	double from = clock_seconds();
	struct out o;

	out_init(&o, &w->scratch);
	search_part_write(s, &o);
	w->trouble = o.n > UINT32_MAX ? FILE_FULL : file_target_write(&w->file, out_view(&o));
	w->saved = clock_seconds();
	w->saving = w->saved - from;
}

static bool is_save_due(const struct watch *w, double now)
{
	double every = (now - w->began) * save_share;

	if (!w->path)
		return false;
	every = every < save_first ? save_first : every > save_last ? save_last : every;
	return now - w->saved > (every > w->saving * saving_share ? every : w->saving * saving_share);
}

/* ---- watching ------------------------------------------------------------------------------------------------ */

static bool look(const struct search *s, const struct search_progress *p, void *context)
{
	struct watch *w = context;
	double now = clock_seconds();
	bool told = is_due(w, now), saved = is_save_due(w, now);

	if (told || saved) {
		if (told)
			tell(w, s, p, now);
		if (saved)
			save(w, s);
		arena_release(&w->scratch);
	}
	return asked_to_stop == 0;
}

static bool read_progress(struct watch *w, const struct options *o)
{
	const char *text = option_value(o, OPTION_PROGRESS, "auto"), *term = getenv("TERM");

	if (strcmp(text, "auto") == 0)
		w->progress = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 ? PROGRESS_LINE : PROGRESS_NONE;
	else if (strcmp(text, "always") == 0)
		w->progress = PROGRESS_LINE;
	else if (strcmp(text, "json") == 0)
		w->progress = PROGRESS_JSON;
	else if (strcmp(text, "never") != 0)
		return usage_error(w->session, "`--progress %s`: it is auto, always, json or never", text) == EXIT_FINE;
	return true;
}

/* "2/3" */
static bool read_shard(struct watch *w, const struct options *o, struct search_options *options)
{
	const char *text = option_value(o, OPTION_SHARD, NULL);
	enum { SHARDS_MAX = 100000 };
	unsigned k = 0, n = 0;
	int end = 0;

	if (!text)
		return true;
	if (sscanf(text, "%6u/%6u%n", &k, &n, &end) == 2 && text[end] == '\0' && k >= 1 && k <= n && n <= SHARDS_MAX) {
		options->shard = k;
		options->shards = n;
		return w->path || usage_error(w->session, "`--shard` needs `--checkpoint FILE`, which becomes the part") ==
					  EXIT_FINE;
	}
	usage_error(w->session, "`--shard %s`: it is k/n, the k-th of n parts, as in 2/3", text);
	return false;
}

static bool go_on_from(struct watch *w, uint32_t sweep, struct search_options *options)
{
	uint32_t shard = options->shards > 0 ? options->shard : 1, shards = options->shards > 0 ? options->shards : 1;

	if (!part_load(w->session, w->path, &w->part) ||
	    !part_fits(w->session, w->path, &w->part, sweep, options))
		return false;
	if (w->part.shard != shard || w->part.shards != shards) {
		diag_report(&w->session->sink, E2415, SPAN_NONE, "`%s`: this is part %u/%u, and %u/%u is asked for", w->path,
			    w->part.shard, w->part.shards, shard, shards);
		return false;
	}
	options->parts = &w->part;
	options->part_count = 1;
	w->before = w->part.tested;
	return true;
}

static bool cannot_write(struct watch *w, enum file_status status)
{
	diag_report(&w->session->sink, E2502, SPAN_NONE, "`%s`: %s", w->path, file_status_text(status));
	return false;
}

/* What is there is gone on from, or nobody loses it. */
static bool open_file(struct watch *w, const struct options *o, uint32_t sweep, struct search_options *options)
{
	struct session *s = w->session;
	struct str head;
	enum file_status status = file_read_head(&s->arena, str_of(w->path), 64, &head);

	if (status == FILE_OK && o->given[OPTION_RESUME]) {
		if (!go_on_from(w, sweep, options))
			return false;
	} else if (status == FILE_OK && search_part_begins(head)) {
		usage_error(s, "%s holds what an earlier run found; go on with `--resume`, or remove it", w->path);
		return false;
	} else if (status == FILE_OK) {
		diag_report(&s->sink, E2503, SPAN_NONE, "`%s`: this file exists and is no part of a sweep that planc wrote",
			    w->path);
		return false;
	} else if (status != FILE_MISSING) {
		return cannot_write(w, status);
	}
	status = file_target_init(&w->file, &s->arena, str_of(w->path), 0);
	return status == FILE_OK || cannot_write(w, status);
}

bool watch_open(struct watch *w, struct session *s, const struct options *o, uint32_t sweep,
		struct search_options *options)
{
	*w = (struct watch){ .session = s, .path = option_value(o, OPTION_CHECKPOINT, NULL) };
	arena_init_under(&w->scratch, &s->arena);
	if (!read_progress(w, o) || !read_shard(w, o, options))
		return false;
	options->identity = part_identity(s, sweep, options->exact);
	options->post = s->post;
	if (session_serves(s))
		return true;
	if (o->given[OPTION_RESUME] && !w->path)
		return usage_error(s, "`--resume` needs `--checkpoint FILE`, the file to go on from") == EXIT_FINE;
	if (w->path && !open_file(w, o, sweep, options))
		return false;
	w->began = w->saved = clock_seconds();
	options->watch = look;
	options->context = w;
	listen();
	return true;
}

bool watch_close(struct watch *w, const struct search *search)
{
	listen_no_more();
	if (w->shown)
		fputs("\r\033[K", stderr);
	if (!search || !w->path)
		return true;
	save(w, search);
	arena_release(&w->scratch);
	return w->trouble == FILE_OK || cannot_write(w, w->trouble);
}
