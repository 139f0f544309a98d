/* units.c - the unit behind a number: its dimension and exact factor, and hints for near misses. */
#include "compiler/base/num.h"
#include "compiler/types/type.h"

static const struct unit_info units[] = {
#define UNIT(name, info, time, work, money, energy, num, den) \
	{ name, { info, time, work, money, energy }, num, den },
#include "compiler/types/units.def"
#undef UNIT
};

const struct unit_info *units_all(uint32_t *count)
{
	*count = PLAN_COUNT(units);
	return units;
}

static const struct unit_info *find_simple(struct str text)
{
	for (size_t i = 0; i < PLAN_COUNT(units); i++)
		if (str_is(text, units[i].name))
			return &units[i];
	return NULL;
}

/* Position of the `/` of a compound unit, or the length. */
static uint32_t slash_of(struct str text)
{
	uint32_t i = 0;

	while (i < text.n && text.p[i] != '/')
		i++;
	return i;
}

bool unit_find(struct arena *a, struct str text, struct dimension *dim, struct num *factor,
	       bool *percent)
{
	uint32_t slash = slash_of(text);
	const struct unit_info *over = find_simple(str_slice(text, 0, slash));
	const struct unit_info *under = NULL;

	if (!over)
		return false;
	*percent = str_is(text, "%");
	*dim = over->dim;
	*factor = num_ratio(a, over->num, over->den);
	if (slash == text.n)
		return true;
	under = find_simple(str_slice(text, slash + 1, text.n));
	if (!under || str_is(str_of(over->name), "%") || str_is(str_of(under->name), "%"))
		return false;
	*dim = dim_divide(over->dim, under->dim);
	return num_div(a, *factor, num_ratio(a, under->num, under->den), factor) == NUM_OK;
}

/* Spellings people bring along that no comparison of letters would find. */
static const struct {
	const char *wrong, *hint;
} habits[] = {
	{ "K", "write kB (1000 B) or KiB (1024 B)" },
	{ "M", "write MB or MiB for memory; a plain million is e6" },
	{ "G", "write GB or GiB for memory; a plain billion is e9" },
	{ "T", "write TB or TiB for memory; a plain trillion is e12" },
	{ "KB", "write kB (1000 B) or KiB (1024 B)" },
	{ "kb", "write kbit (125 B), kB (1000 B) or KiB (1024 B)" },
	{ "Kb", "write kbit (125 B), kB (1000 B) or KiB (1024 B)" },
	{ "Kbit", "write kbit (125 B)" },
	{ "Mb", "write Mbit for bits, MB or MiB for bytes" },
	{ "Gb", "write Gbit for bits, GB or GiB for bytes" },
	{ "Tb", "write Tbit for bits, TB or TiB for bytes" },
	{ "mb", "write MB (10^6 B) or MiB (2^20 B)" },
	{ "gb", "write GB (10^9 B) or GiB (2^30 B)" },
	{ "tb", "write TB (10^12 B) or TiB (2^40 B)" },
	{ "Mb/s", "write Mbit/s or Mbps for bits, MB/s or MiB/s for bytes" },
	{ "Gb/s", "write Gbit/s or Gbps for bits, GB/s or GiB/s for bytes" },
	{ "Tb/s", "write Tbit/s or Tbps for bits, TB/s or TiB/s for bytes" },
	{ "gb/s", "write Gbit/s or Gbps for bits, GB/s or GiB/s for bytes" },
	{ "GBps", "write GB/s for bytes, Gbps for bits" },
	{ "MBps", "write MB/s for bytes, Mbps for bits" },
	{ "TBps", "write TB/s for bytes, Tbps for bits" },
	{ "bytes", "write B" },
	{ "byte", "write B" },
	{ "Byte", "write B" },
	{ "Bytes", "write B" },
	{ "kilobytes", "write kB (1000 B) or KiB (1024 B)" },
	{ "megabytes", "write MB (10^6 B) or MiB (2^20 B)" },
	{ "gigabytes", "write GB (10^9 B) or GiB (2^30 B)" },
	{ "terabytes", "write TB (10^12 B) or TiB (2^40 B)" },
	{ "gibibytes", "write GiB" },
	{ "Gi", "write GiB" },
	{ "Mi", "write MiB" },
	{ "Ti", "write TiB" },
	{ "bits", "write bit" },
	{ "gigabit", "write Gbit" },
	{ "gigabits", "write Gbit" },
	{ "sec", "write s" },
	{ "secs", "write s" },
	{ "second", "write s" },
	{ "seconds", "write s" },
	{ "msec", "write ms" },
	{ "usec", "write us" },
	{ "nsec", "write ns" },
	{ "milliseconds", "write ms" },
	{ "microseconds", "write us" },
	{ "nanoseconds", "write ns" },
	{ "minute", "write min" },
	{ "minutes", "write min" },
	{ "mins", "write min" },
	{ "m", "write min for minutes" },
	{ "hour", "write h" },
	{ "hours", "write h" },
	{ "hr", "write h" },
	{ "hrs", "write h" },
	{ "day", "write d" },
	{ "days", "write d" },
	{ "usd", "write USD" },
	{ "dollars", "write USD" },
	{ "EUR", "money is counted in USD" },
	{ "dollar", "write USD" },
	{ "flops", "write FLOPS for a rate, FLOP for an amount of work" },
	{ "gigaflops", "write GFLOPS for a rate, GFLOP for an amount of work" },
	{ "teraflops", "write TFLOPS for a rate, TFLOP for an amount of work" },
	{ "petaflops", "write PFLOPS for a rate, PFLOP for an amount of work" },
	{ "TF", "write TFLOPS for a rate, TFLOP for an amount of work" },
	{ "PF", "write PFLOPS for a rate, PFLOP for an amount of work" },
	{ "watt", "write W" },
	{ "watts", "write W" },
	{ "Watt", "write W" },
	{ "percent", "write %" },
	{ "token", "write tokens" },
	{ "sample", "write samples" },
	{ "x", "a factor is a plain number" },
};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_letters(struct str a, const char *z)
{
	uint32_t i = 0;

	while (i < a.n && z[i] != '\0' && lower(a.p[i]) == lower(z[i]))
		i++;
	return i == a.n && z[i] == '\0';
}

/* The unit that a hint names when it names nothing else. */
static struct str only_unit(const char *hint)
{
	struct str text = str_of(hint);

	if (!str_starts(text, "write "))
		return STR("");
	text = str_slice(text, 6, text.n);
	return find_simple(text) ? text : STR("");
}

/* "write GB or GiB"-like for a part of a unit that is not one; NULL when there is nothing to say.
 * *unit is the right spelling where there is only one. */
static const char *hint_part(struct arena *a, struct str part, struct str *unit)
{
	uint32_t found = 0;
	struct out o;

	out_init(&o, a);
	*unit = STR("");
	for (size_t i = 0; i < PLAN_COUNT(habits); i++) {
		if (str_is(part, habits[i].wrong)) {
			*unit = only_unit(habits[i].hint);
			return habits[i].hint;
		}
	}
	for (size_t i = 0; i < PLAN_COUNT(units); i++) {
		if (!same_letters(part, units[i].name))
			continue;
		out_text(&o, found++ == 0 ? "write " : " or ");
		out_text(&o, units[i].name);
	}
	if (found == 0)
		return NULL;
	*unit = only_unit(str_copy(a, out_view(&o)).p);
	return str_copy(a, out_view(&o)).p;
}

const char *unit_hint(struct arena *a, struct str text, struct str *repair)
{
	uint32_t slash = slash_of(text);
	struct str parts[2] = { str_slice(text, 0, slash),
				str_slice(text, slash < text.n ? slash + 1 : slash, text.n) };
	struct str right[2] = { parts[0], parts[1] };
	const char *hint = hint_part(a, text, repair), *first = NULL;
	struct out o;

	if (hint || slash == text.n)
		return hint;
	for (int i = 0; i < 2; i++) {
		if (find_simple(parts[i]))
			continue;
		hint = hint_part(a, parts[i], &right[i]);
		if (!first)
			first = hint;
		if (!hint)
			right[i] = STR("");
	}
	if (right[0].n == 0 || right[1].n == 0 || !first)
		return first;
	out_init(&o, a);
	out_printf(&o, "write %.*s/%.*s", (int)right[0].n, right[0].p, (int)right[1].n, right[1].p);
	hint = str_copy(a, out_view(&o)).p;
	*repair = str_slice(str_of(hint), 6, (uint32_t)strlen(hint));
	return hint;
}
