/* part.c - what was found, as a text that a later run goes on from, or that is joined with others.
 *
 * Lines of words: first what the part belongs to, then units, counts, sets of rows, candidates. The last line
 * tells a damaged file. Numbers are exact: a fraction as it is, a real by its bits.
 *
 *	planc sweep part 2
 *	sweep layouts
 *	plan 9f3c01d2a4b5e677
 *	exact 0
 *	keep 10 0
 *	shard 2 3
 *	candidates 45000 15010
 *	complete 1
 *	units 0-512
 *	asked 812 9000 77
 *	message E2008
 *	set 12 345 0 3 64
 *	kept 17 n3/2 r3ff8000000000000
 *	rows 5 12                      only between ranks: of unit 5, so many bytes
 *	end 0123456789abcdef
 */
#include <inttypes.h>

#include "runtime/search/crew/ledger.h"

static const char head_line[] = "planc sweep part 2\n";

/* ---- identity ---------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, struct str s)
{
	uint64_t both[2] = { hash, hash_bytes(s.p, s.n) };

	return hash_bytes(both, sizeof both);
}

/* The name in front of a folder may differ between machines; that of a parameter may not. */
static struct str last_name(struct str path)
{
	uint32_t from = path.n;

	while (from > 0 && path.p[from - 1] != '/')
		from--;
	return str_slice(path, from, path.n);
}

uint64_t search_identity(const struct eval *ev, uint32_t sweep, bool exact, struct str version)
{
	const struct ir_program *p = ev->program;
	uint64_t sum = 0, all[3];

	/* Files in any order: parameters come in that of the command line. */
	for (uint32_t i = 0; i < p->sources->files.n; i++) {
		const struct source *f = p->sources->files.at[i];

		sum += mix(i == p->root_file ? 1 : mix(2, last_name(f->path)), f->text);
	}
	all[0] = sum;
	all[1] = mix(mix(3, sym_str(p->names, p->sweeps.at[sweep].name)), version);
	all[2] = ev->steps_max * 2 + exact;
	return hash_bytes(all, sizeof all);
}

bool search_is_complete(const struct search *s)
{
	return s->ledger->complete;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void write_value(struct out *o, struct value v)
{
	uint64_t bits;

	if (v.kind == VALUE_NUMBER) {
		out_printf(o, " n%" PRId64 "/%" PRId64, v.number.n, v.number.d);
	} else {
		memcpy(&bits, &v.real, sizeof bits);
		out_printf(o, " r%016" PRIx64, bits);
	}
}

static void write_kept(struct ledger *l, struct out *o)
{
	struct search_candidate *at;
	uint32_t n = keep_list(&l->keep, o->arena, &at);

	for (uint32_t i = 0; i < n; i++) {
		out_printf(o, "kept %" PRIu64, at[i].number);
		for (uint32_t g = 0; g < l->search->sweep->goal_count; g++)
			write_value(o, at[i].goals[g]);
		out_char(o, '\n');
	}
}

static void write_rows(const struct ledger *l, struct out *o)
{
	size_t begin = 0;

	for (uint32_t i = 0; i < l->row_ends.n; i++) {
		size_t end = l->row_ends.at[i].end;

		out_printf(o, "rows %" PRIu64 " %zu\n", l->row_ends.at[i].unit, end - begin);
		out_bytes(o, l->rows.p + begin, end - begin);
		out_char(o, '\n');
		begin = end;
	}
}

static void write_found(struct ledger *l, struct out *o)
{
	const struct search *s = l->search;

	out_text(o, "units");
	for (uint32_t i = 0; i < l->done.at.n; i++)
		out_printf(o, " %" PRIu64 "-%" PRIu64, l->done.at.at[i].lo, l->done.at.at[i].hi);
	out_printf(o, "\nasked %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", l->evaluated, l->structural, l->keep.count);
	for (uint32_t i = s->sweep->condition_count; i < s->row_count; i++)
		out_printf(o, "message %s\n", diag_info(s->rows[i].code)->name);
	for (uint32_t i = 0; i < s->tally->entries.n; i++) {
		const struct tally_entry *e = &s->tally->entries.at[i];

		out_printf(o, "set %" PRIu64 " %" PRIu64, e->count, e->first);
		for (uint32_t row = 0; row < s->row_count; row++)
			if (rowset_has(e->set, row))
				out_printf(o, " %u", row);
		out_char(o, '\n');
	}
	write_kept(l, o);
	write_rows(l, o);
}

void search_part_write(const struct search *s, struct out *o)
{
	struct ledger *l = s->ledger;
	size_t from = o->n;

	out_printf(o, "%ssweep %s\nplan %016" PRIx64 "\nexact %d\nkeep %u %d\n", head_line,
		   sym_str(s->ev->program->names, s->sweep->name).p, s->options.identity, s->options.exact, s->options.keep,
		   s->options.picture);
	out_printf(o, "shard %u %u\ncandidates %" PRIu64 " %" PRIu64 "\ncomplete %d\n",
		   s->options.shards > 0 ? s->options.shard : 1, s->options.shards > 0 ? s->options.shards : 1,
		   s->total, l->tested, l->complete);
	write_found(l, o);
	out_printf(o, "end %016" PRIx64 "\n", hash_bytes(o->p + from, o->n - from));
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* What is left of a text. */
struct reader {
	const char *p, *end;
	bool bad;
};

static bool next_is(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
		return false;
	r->p += n;
	return true;
}

static void expect(struct reader *r, const char *word)
{
	if (!next_is(r, word))
		r->bad = true;
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static uint64_t number(struct reader *r, unsigned base)
{
	uint64_t n = 0;
	const char *from = r->p;

	for (; r->p < r->end && digit(*r->p) < (int)base; r->p++) {
		if (n > (UINT64_MAX - base + 1) / base)
			r->bad = true;
		n = n * base + (unsigned)digit(*r->p);
	}
	if (r->p == from)
		r->bad = true;
	return n;
}

static uint64_t word_number(struct reader *r)
{
	expect(r, " ");
	return number(r, 10);
}

static struct str word(struct reader *r)
{
	const char *from = r->p;

	while (r->p < r->end && *r->p != ' ' && *r->p != '\n')
		r->p++;
	return (struct str){ from, (uint32_t)(r->p - from) };
}

static uint32_t small(struct reader *r, uint64_t n)
{
	if (n > UINT32_MAX)
		r->bad = true;
	return (uint32_t)n;
}

static int64_t signed_number(struct reader *r)
{
	bool minus = next_is(r, "-");
	uint64_t n = number(r, 10);

	if (n > INT64_MAX)
		r->bad = true;
	return minus ? -(int64_t)(n & INT64_MAX) : (int64_t)(n & INT64_MAX);
}

static struct value read_value(struct reader *r)
{
	struct value v = { .kind = VALUE_NUMBER };
	uint64_t bits;

	if (next_is(r, " n")) {
		v.number.n = signed_number(r);
		expect(r, "/");
		v.number.d = signed_number(r);
		r->bad = r->bad || v.number.d < 1;
		return v;
	}
	expect(r, " r");
	bits = number(r, 16);
	v = value_real(0);
	memcpy(&v.real, &bits, sizeof bits);
	/* No infinity, no NaN. */
	r->bad = r->bad || (bits >> 52 & 0x7ff) == 0x7ff;
	return v;
}

/* The last line says that all lines before it are as they were written. */
static bool is_whole(struct str text)
{
	enum { LAST = 21 };
	struct reader r = { .end = text.p + text.n };

	if (text.n < LAST)
		return false;
	r.p = text.p + text.n - LAST;
	expect(&r, "end ");
	return number(&r, 16) == hash_bytes(text.p, text.n - LAST) && next_is(&r, "\n") && !r.bad;
}

bool search_part_begins(struct str text)
{
	struct reader r = { .p = text.p, .end = text.p + text.n };

	return next_is(&r, head_line);
}

bool search_part_read(struct str text, struct search_part *part)
{
	struct reader r = { .p = text.p, .end = text.p + text.n };

	*part = (struct search_part){ 0 };
	if (!is_whole(text))
		return false;
	expect(&r, head_line);
	expect(&r, "sweep ");
	part->sweep = word(&r);
	expect(&r, "\nplan ");
	part->identity = number(&r, 16);
	expect(&r, "\nexact ");
	part->exact = number(&r, 10) != 0;
	expect(&r, "\nkeep ");
	part->keep = small(&r, number(&r, 10));
	part->picture = word_number(&r) != 0;
	expect(&r, "\nshard");
	part->shard = small(&r, word_number(&r));
	part->shards = small(&r, word_number(&r));
	expect(&r, "\ncandidates");
	part->total = word_number(&r);
	part->tested = word_number(&r);
	expect(&r, "\ncomplete ");
	part->complete = number(&r, 10) != 0;
	expect(&r, "\n");
	part->found = (struct str){ r.p, (uint32_t)(r.end - r.p) };
	return !r.bad && part->shard >= 1 && part->shard <= part->shards;
}

/* ---- what was found ------------------------------------------------------------------------------------- */

static void read_units(struct reader *r, struct parcel *p)
{
	expect(r, "units");
	while (!r->bad && next_is(r, " ")) {
		uint64_t lo = number(r, 10), hi;

		expect(r, "-");
		hi = number(r, 10);
		if (hi <= lo || hi > INT64_MAX)
			r->bad = true;
		else
			units_add(&p->units, &p->arena, (struct unit_range){ lo, hi });
	}
	expect(r, "\nasked");
	p->evaluated = word_number(r);
	p->structural = word_number(r);
	p->keep.count = word_number(r);
	expect(r, "\n");
}

static bool find_code(struct str name, enum diag_code *code)
{
	*code = diag_code_of_name(name);
	return *code != DIAG_NONE;
}

static void read_messages(struct reader *r, struct parcel *p, uint32_t most)
{
	p->messages = ARENA_ARRAY(&p->arena, enum diag_code, most + 1);
	while (!r->bad && next_is(r, "message ")) {
		struct str name = word(r);

		if (p->message_count == most || !find_code(name, &p->messages[p->message_count]))
			r->bad = true;
		p->message_count += !r->bad;
		expect(r, "\n");
	}
}

static void read_sets(struct reader *r, struct parcel *p, uint32_t rows)
{
	uint64_t *set = ARENA_ARRAY(&p->arena, uint64_t, p->tally.words);

	while (!r->bad && next_is(r, "set")) {
		uint64_t count = word_number(r), first = word_number(r);

		memset(set, 0, p->tally.words * sizeof *set);
		while (!r->bad && next_is(r, " ")) {
			uint64_t row = number(r, 10);

			if (row >= rows)
				r->bad = true;
			else
				rowset_add(set, (uint32_t)row);
		}
		expect(r, "\n");
		tally_add(&p->tally, set, count, first);
		p->tested += count;
	}
}

static void read_kept(struct reader *r, struct parcel *p, const struct search *s)
{
	uint64_t count = p->keep.count;
	struct value *goals = ARENA_ARRAY(&p->arena, struct value, s->sweep->goal_count + 1);

	while (!r->bad && next_is(r, "kept")) {
		uint64_t at = word_number(r);

		for (uint32_t g = 0; g < s->sweep->goal_count; g++)
			goals[g] = read_value(r);
		expect(r, "\n");
		if (at < 1 || at > s->total)
			r->bad = true;
		if (!r->bad)
			keep_add(&p->keep, at, goals);
	}
	p->keep.count = count;
}

static void read_rows(struct reader *r, struct parcel *p)
{
	while (!r->bad && next_is(r, "rows")) {
		uint64_t unit = word_number(r), n = word_number(r);

		expect(r, "\n");
		r->bad = r->bad || n > (uint64_t)(r->end - r->p) || !units_has(&p->units, unit);
		if (r->bad)
			return;
		out_bytes(&p->rows, r->p, (size_t)n);
		*VEC_ADD(&p->arena, &p->row_ends) = (struct unit_rows){ unit, p->rows.n };
		r->p += n;
		expect(r, "\n");
	}
}

static struct parcel *incoming(struct ledger *l)
{
	struct arena *a = l->search->ev->lasting;

	if (!l->incoming) {
		l->incoming = ARENA_NEW(a, struct parcel);
		parcel_init(l->incoming, l->search, a);
	}
	return l->incoming;
}

bool search_part_add(struct ledger *l, const struct search_part *part)
{
	struct search *s = l->search;
	struct reader r = { .p = part->found.p, .end = part->found.p + part->found.n };
	uint32_t conditions = s->sweep->condition_count;
	struct parcel *p = incoming(l);

	read_units(&r, p);
	read_messages(&r, p, s->verdicts->row_max - conditions);
	read_sets(&r, p, conditions + p->message_count);
	read_kept(&r, p, s);
	read_rows(&r, p);
	expect(&r, "end ");
	r.bad = r.bad || p->tested != part->tested || part->total != s->total;
	if (!r.bad) {
		ledger_add(l, p);
		stream_copy(&l->stream, p);
	}
	parcel_clear(p, s);
	return !r.bad;
}
