/* team_test.c - several ranks that search one sweep: what becomes of those that do not do what they should. */
#include "tests/unit/unit.h"

#include "runtime/report/sweep.h"
#include "tests/unit/plan_fixture.h"
#include "tests/unit/team_fixture.h"

static const char plan[] = "edition 1\n"
			   "schema box {\n  x: int\n  y: int\n  z: int\n}\n"
			   "box one { x = 1, y = 1, z = 1 }\n"
			   "sweep boxes of one {\n"
			   "  vary x in 1..25\n  vary y in 1..25\n  vary z in 1..25\n"
			   "  constraint small: x * y + z <= 150\n"
			   "  objective { maximise x * y * z, minimise x }\n"
			   "}\n";

static struct str report(struct run *r, struct search *s)
{
	struct out o;

	ck_assert_ptr_nonnull(s);
	out_init(&o, &r->arena);
	report_sweep_text(s, &o);
	report_sweep_jsonl(s, &o);
	return out_view(&o);
}

static void check_same(struct run *r, struct search *s)
{
	struct str alone = report(r, search_run(&r->ev, 0, NULL)), together = report(r, s);

	ck_assert_msg(str_equal(alone, together), "alone:\n%.*s\ntogether:\n%.*s", (int)alone.n, alone.p, (int)together.n,
		      together.p);
}

/* All messages, as people read them. */
static const char *messages(struct run *r)
{
	struct out o;

	out_init(&o, &r->arena);
	diag_render(&r->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	return arena_copy(&r->arena, o.p ? o.p : "", o.n);
}

START_TEST(several_ranks_find_what_one_finds)
{
	struct run r;
	uint32_t arrived = 0;

	open_plan(&r, plan);
	check_same(&r, team_search(&r.ev, 0, (struct search_options){ .threads = 2, .per_thread = 1 },
				   (struct team){ .ranks = 4, .arrived = &arrived }));
	/* A greeting, a farewell, and what it had found in between. */
	ck_assert_uint_gt(arrived, 3 * 2);
	ck_assert_str_eq(messages(&r), "");
	close_plan(&r);
}
END_TEST

START_TEST(what_a_silent_rank_had_in_hand_is_searched_again)
{
	struct run r;

	open_plan(&r, plan);
	check_same(&r, team_search(&r.ev, 0, (struct search_options){ 0 },
				   (struct team){ .ranks = 3, .silent = 2, .after = 1 }));
	ck_assert_ptr_nonnull(strstr(messages(&r), "warning[W2404]: rank 2 on here has not been heard of for 0.2 s\n"));
	ck_assert_ptr_nonnull(strstr(messages(&r), " candidates that it had in hand are searched again\n"));
	close_plan(&r);
}
END_TEST

START_TEST(what_cannot_be_read_is_not_believed)
{
	static const char *const garbage[] = { "", "part", "part 1\n", "hello\n", "bye 1\nplanc sweep part 1\nend 0\n" };

	for (size_t i = 0; i < PLAN_COUNT(garbage); i++) {
		struct run r;

		open_plan(&r, plan);
		check_same(&r, team_search(&r.ev, 0, (struct search_options){ 0 },
					   (struct team){ .ranks = 2, .silent = 1, .after = 1, .garbage = garbage[i] }));
		ck_assert_ptr_nonnull(strstr(messages(&r), "what cannot be read\n"));
		close_plan(&r);
	}
}
END_TEST

START_TEST(one_with_another_plan_takes_no_part)
{
	struct run r;

	open_plan(&r, plan);
	check_same(&r, team_search(&r.ev, 0, (struct search_options){ 0 }, (struct team){ .ranks = 3, .stranger = 1 }));
	ck_assert_ptr_nonnull(strstr(messages(&r), "rank 1 on here has another plan or another planc, and takes no part"));
	close_plan(&r);
}
END_TEST

START_TEST(one_without_memory_takes_no_part)
{
	struct run r;

	open_plan(&r, plan);
	check_same(&r, team_search(&r.ev, 0, (struct search_options){ 0 },
				   (struct team){ .ranks = 2, .memory = 20000 }));
	ck_assert_ptr_nonnull(strstr(messages(&r), "rank 1 on here takes no part: it is through\n"));
	close_plan(&r);
}
END_TEST

static bool stop_soon(const struct search *s, const struct search_progress *p, void *context)
{
	(void)s;
	(void)context;
	return p->tested < 5000;
}

START_TEST(a_stopped_search_is_gone_on_with)
{
	struct search_options options = { .watch = stop_soon, .eager = true, .identity = 7 };
	struct search_part part;
	struct search *s;
	struct run r;
	struct out o;

	open_plan(&r, plan);
	s = team_search(&r.ev, 0, options, (struct team){ .ranks = 3 });
	ck_assert_ptr_nonnull(s);
	ck_assert(s->partial && s->tested >= 5000 && s->tested < s->total);
	out_init(&o, &r.arena);
	search_part_write(s, &o);
	ck_assert(search_part_read(out_view(&o), &part));
	ck_assert(!part.complete && part.tested == s->tested);
	options = (struct search_options){ .parts = &part, .part_count = 1, .identity = 7 };
	check_same(&r, search_run(&r.ev, 0, &options));
	check_same(&r, team_search(&r.ev, 0, options, (struct team){ .ranks = 4 }));
	close_plan(&r);
}
END_TEST

UNIT_MAIN("team", several_ranks_find_what_one_finds, what_a_silent_rank_had_in_hand_is_searched_again,
	  what_cannot_be_read_is_not_believed, one_with_another_plan_takes_no_part, one_without_memory_takes_no_part,
	  a_stopped_search_is_gone_on_with)
