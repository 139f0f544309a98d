/* fewest.c - on how many GPUs the model would fit: doubled until it does, then counted between the last two. */
#include "runtime/suggest/suggest_int.h"

enum {
	GPUS_MAX = 131072,
	COUNTED_MAX = 16             /* numbers that are tried between one that is too few and its double */
};

static bool fits(const struct suggest_asker *a, const struct suggest_question *q, int64_t gpus)
{
	struct suggest_question free = *q;
	struct advice advice;
	struct found found;

	/* As few samples as a batch of so many GPUs asks for: the question is about memory. */
	free.global = 0;
	if (!advice_ask(a, &free, (struct range){ .gpus = gpus, .reach = GPUS_MAX, .lean = true }, &advice) ||
	    advice.fault.n > 0)
		return false;
	neighbourhood_search(a, &free, &advice, &found);
	return found.feasible > 0;
}

static int64_t up_to(int64_t n, int64_t step)
{
	return (n + step - 1) / step * step;
}

int64_t fewest_gpus(const struct suggest_asker *a, const struct suggest_question *q, const int64_t from,
		    int64_t *step)
{
	int64_t node = *step, low = from, high = from < node ? from * 2 : up_to(from + 1, node);

	while (high <= GPUS_MAX && !fits(a, q, high)) {
		low = high;
		high = high < node ? high * 2 : up_to(high * 2, node);
	}
	if (high > GPUS_MAX)
		return 0;
	*step = high <= node ? 1 : up_to((high - low + COUNTED_MAX - 1) / COUNTED_MAX, node);
	for (int64_t n = up_to(low + 1, *step); n < high; n += *step)
		if (fits(a, q, n))
			return n;
	return high;
}
