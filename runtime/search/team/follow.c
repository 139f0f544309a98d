/* follow.c - the other ranks of a search: they go through units that rank 0 gives out, and write what they find. */
#include "runtime/search/team/letter.h"

/* Letters in the time after which a silent rank is lost. Rank 0 may be silent for longer: so many times as long. */
enum { LETTERS = 50, PATIENCE = 60 };

/* Seconds between two letters when units run short. */
static const double short_seconds = 0.005;

/* Candidates, or bytes of rows, that are there when a letter has to go. */
enum { KEPT_MAX = 50000, ROWS_MAX = 1 << 20 };

struct follow {
	struct post *post;
	uint32_t threads;
	bool failed, ended;
	struct arena scratch;
	double written;              /* when the last letter was */
	struct waited waited;
	double silent;               /* seconds since rank 0 wrote */
};

/* A letter from rank 0, wherever we are. */
static void note(struct post *p, const struct letter *l)
{
	if (l->kind == LETTER_OVER)
		p->over = true;
	if (l->kind == LETTER_BEGIN)
		p->begun = (uint32_t)l->numbers[0] + 1;
}

static void write_part(struct follow *f, struct ledger *l, enum letter_kind kind)
{
	struct out o;

	out_init(&o, &f->scratch);
	search_part_write(l->search, &o);
	letter_send(f->post, &f->scratch, 0,
		    &(struct letter){ .kind = kind, .numbers = { f->threads }, .text = out_view(&o) });
	arena_release(&f->scratch);
	ledger_clear(l);
	f->written = hunt_clock();
}

static void read_letters(struct follow *f, struct ledger *l, struct tickets *t)
{
	struct letter letter;

	f->silent += waited_since(&f->waited);
	while (letter_receive(f->post, &f->scratch, &letter)) {
		f->silent = 0;
		note(f->post, &letter);
		if (letter.kind == LETTER_UNITS && letter.numbers[0] < letter.numbers[1])
			tickets_add(t, l->search->ev->lasting, (struct unit_range){ letter.numbers[0], letter.numbers[1] });
		f->ended = f->ended || letter.kind == LETTER_END;
	}
	arena_reset(&f->scratch, (struct arena_mark){ 0 });
}

/* All letters of rank 0 that it is over, or has gone on without us. */
static bool is_over(const struct follow *f)
{
	return f->ended || f->post->over || f->post->begun > 0 || f->silent > PATIENCE * f->post->patience;
}

static bool is_letter_due(const struct follow *f, const struct ledger *l, struct tickets *t)
{
	double since = hunt_clock() - f->written;

	if (since > f->post->patience / LETTERS || l->keep.at.n > KEPT_MAX || l->rows.n > ROWS_MAX)
		return true;
	return l->done.at.n > 0 && since > short_seconds && tickets_left(t) < f->threads;
}

static bool exchange(struct ledger *l, struct tickets *t, const struct crew_state *crew, void *context)
{
	struct follow *f = context;

	read_letters(f, l, t);
	f->failed = f->failed || crew->failed;
	if (f->failed || is_over(f))
		return false;
	if (is_letter_due(f, l, t))
		write_part(f, l, LETTER_PART);
	return true;
}

static struct follow *follow_make(struct ledger *l, uint32_t threads)
{
	struct search *s = l->search;
	struct follow *f = ARENA_NEW(s->ev->lasting, struct follow);

	*f = (struct follow){ .post = s->options.post, .threads = threads > 0 ? threads : 1 };
	arena_init_under(&f->scratch, s->ev->lasting);
	waited_since(&f->waited);
	return f;
}

/* Until rank 0 is at this sweep; false: it is past it. */
static bool wait_for_begin(struct follow *f, uint32_t sweep)
{
	struct letter letter;

	while (f->post->begun == 0 && !f->post->over && f->silent < PATIENCE * f->post->patience) {
		f->silent += waited_since(&f->waited);
		if (!letter_receive(f->post, &f->scratch, &letter)) {
			letter_pause();
			continue;
		}
		f->silent = 0;
		note(f->post, &letter);
	}
	if (f->post->begun != sweep + 1)
		return false;
	f->post->begun = 0;
	return !f->post->over;
}

void follow_run(struct ledger *l, uint32_t threads)
{
	struct follow *f = follow_make(l, threads);
	struct outside outside = { exchange, f };

	if (wait_for_begin(f, l->search->index)) {
		write_part(f, l, LETTER_PART);
		crew_share(l, threads, &outside);
		write_part(f, l, f->failed ? LETTER_FAILED : LETTER_BYE);
	}
	arena_release(&f->scratch);
}

/* ---- around the search ------------------------------------------------------------------------------------------ */

void post_finish(struct post *p, struct arena *a)
{
	letter_send_all(p, a, &(struct letter){ .kind = LETTER_OVER });
}

void post_leave(struct post *p, struct arena *a, struct str why)
{
	struct waited waited = { 0 };
	double silent = 0;
	struct letter letter;

	if (!p->over)
		letter_send(p, a, 0, &(struct letter){ .kind = LETTER_GONE, .text = why });
	waited_since(&waited);
	while (!p->over && silent < PATIENCE * p->patience) {
		silent += waited_since(&waited);
		if (!letter_receive(p, a, &letter)) {
			letter_pause();
			continue;
		}
		silent = 0;
		note(p, &letter);
	}
}
