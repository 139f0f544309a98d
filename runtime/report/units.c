/* units.c - how the text report writes times, sizes, rates and shares. */
#include "runtime/report/units.h"

#include <math.h>

void put_time(struct out *o, double seconds)
{
	double size = fabs(seconds);

	if (seconds == 0) {
		out_text(o, "0 s");
	} else if (size >= 10) {
		out_fixed(o, seconds, 2);
		out_text(o, " s");
	} else if (size >= 1) {
		out_fixed(o, seconds, 3);
		out_text(o, " s");
	} else if (size >= 1e-3) {
		out_fixed(o, seconds * 1e3, size >= 0.1 ? 1 : 2);
		out_text(o, " ms");
	} else {
		out_fixed(o, seconds * 1e6, 1);
		out_text(o, " us");
	}
}

void put_gib(struct out *o, int64_t bytes)
{
	out_fixed(o, (double)bytes / 1073741824.0, 2);
	out_text(o, " GiB");
}

void put_share(struct out *o, double share)
{
	out_fixed(o, share * 100, 1);
	out_text(o, " %");
}

void put_scaled(struct out *o, double x, const char *unit)
{
	static const char *const prefixes[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t step = 0;

	while (fabs(x) >= 1000 && step + 1 < PLAN_COUNT(prefixes)) {
		x /= 1000;
		step++;
	}
	out_fixed(o, x, fabs(x) >= 100 ? 1 : 2);
	out_printf(o, " %s%s", prefixes[step], unit);
}

void put_rate(struct out *o, double x)
{
	if (x >= 100 && x < 9e18)
		out_grouped(o, (int64_t)nearbyint(x));
	else
		out_fixed(o, x, 2);
}

void put_left(struct out *o, struct str text, uint32_t width)
{
	uint32_t n = text_width(text);

	out_str(o, text);
	if (n < width)
		out_repeat(o, ' ', width - n);
}

void put_right(struct out *o, struct str text, uint32_t width)
{
	uint32_t n = text_width(text);

	if (n < width)
		out_repeat(o, ' ', width - n);
	out_str(o, text);
}

uint32_t bar_columns(double from, double to, uint32_t width)
{
	double lo = floor(from * width + 0.5), hi = floor(to * width + 0.5);

	return hi > lo ? (uint32_t)(hi - lo) : 0;
}
