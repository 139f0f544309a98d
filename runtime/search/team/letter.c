/* letter.c - letters as texts. */
#include "runtime/search/team/letter.h"

#include <inttypes.h>
#include <time.h>

static const struct {
	const char *word;
	int numbers;
} kinds[] = {
	[LETTER_BEGIN] = { "begin", 1 }, [LETTER_UNITS] = { "units", 2 },   [LETTER_ALIVE] = { "alive", 0 },
	[LETTER_END] = { "end", 0 },     [LETTER_OVER] = { "over", 0 },     [LETTER_PART] = { "part", 1 },
	[LETTER_BYE] = { "bye", 1 },     [LETTER_FAILED] = { "failed", 1 }, [LETTER_GONE] = { "gone", 0 },
};

static void print(struct out *o, const struct letter *l)
{
	out_text(o, kinds[l->kind].word);
	for (int i = 0; i < kinds[l->kind].numbers; i++)
		out_printf(o, " %" PRIu64, l->numbers[i]);
	out_char(o, '\n');
	out_bytes(o, l->text.p, l->text.n);
}

static bool read(struct letter *l, struct str text)
{
	const char *end = memchr(text.p, '\n', text.n);
	char word[8];
	uint64_t n[2] = { 0, 0 };
	int numbers;

	if (!end)
		return false;
	numbers = sscanf(text.p, "%7s %" SCNu64 " %" SCNu64, word, &n[0], &n[1]) - 1;
	for (size_t i = 0; i < PLAN_COUNT(kinds); i++) {
		if (strcmp(word, kinds[i].word) != 0 || numbers < kinds[i].numbers)
			continue;
		l->kind = (enum letter_kind)i;
		memcpy(l->numbers, n, sizeof n);
		l->text = str_slice(text, (uint32_t)(end + 1 - text.p), text.n);
		return true;
	}
	return false;
}

bool letter_receive(struct post *p, struct arena *a, struct letter *l)
{
	struct str text;

	*l = (struct letter){ .kind = LETTER_GONE };
	if (!p->receive(p, a, &l->from, &text))
		return false;
	if (!read(l, text))
		l->text = STR("it writes what cannot be read");
	return true;
}

void letter_send(struct post *p, struct arena *scratch, uint32_t to, const struct letter *l)
{
	struct out o;

	out_init(&o, scratch);
	print(&o, l);
	p->send(p, to, out_view(&o));
}

void letter_send_all(struct post *p, struct arena *scratch, const struct letter *l)
{
	for (uint32_t to = 1; to < p->ranks; to++)
		letter_send(p, scratch, to, l);
}

double waited_since(struct waited *w)
{
	static const double most = 0.1;
	double now = hunt_clock(), since = now - w->last;

	w->last = now;
	return since < most ? since : most;
}

void letter_pause(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
}
