/* text_memory.c - the memory of every pipeline stage, as figures and as bars. */
#include "runtime/report/text_int.h"

#include "runtime/report/units.h"

enum { COLUMN = 11, WIDE = 13, STAGE_COLUMN = 8, LAYER_COLUMN = 7 };

/* Parts that add up to the peak of a stage. */
enum part { PART_WEIGHTS, PART_GRADIENTS, PART_OPTIMIZER, PART_OTHER, PART_ACTIVATIONS, PART_COUNT };

static const char *const part_names[PART_COUNT] = {
	"weights", "gradients", "optimizer", "other", "activations",
};
static const char *const part_blocks[PART_COUNT] = { "█", "▓", "▒", "+", "░" };

/* Consecutive ranks whose figures are the same; `further` of them predict further tokens. */
struct group {
	int64_t first, last, layers, further;
	const struct engine_stage *stage;
};

static void stage_parts(const struct engine_stage *s, int64_t parts[PART_COUNT])
{
	parts[PART_WEIGHTS] = s->weights;
	parts[PART_GRADIENTS] = s->gradients;
	parts[PART_OPTIMIZER] = s->optimizer;
	parts[PART_OTHER] = s->other_static;
	parts[PART_ACTIVATIONS] =
		s->peak - s->weights - s->gradients - s->optimizer - s->other_static;
}

static bool same_memory(const struct engine_stage *a, const struct engine_stage *b)
{
	int64_t x[PART_COUNT], y[PART_COUNT];

	stage_parts(a, x);
	stage_parts(b, y);
	return memcmp(x, y, sizeof x) == 0 && a->peak == b->peak && a->in_flight == b->in_flight &&
	       a->reserved == b->reserved;
}

static struct group rank_alone(const struct engine_result *r, const struct engine_stage *s)
{
	struct group g = { .first = s->rank, .last = s->rank, .stage = s };

	for (int64_t i = 0; i < r->stage_count; i++) {
		if (r->stages[i].rank != s->rank && r->stages[i].mirror != s->rank)
			continue;
		g.layers += r->stages[i].layers;
		g.further += r->stages[i].mtp;
	}
	return g;
}

static uint32_t make_groups(const struct engine_result *r, struct arena *a, struct group **result)
{
	struct group *groups = ARENA_ARRAY(a, struct group, r->stage_count);
	uint32_t n = 0;

	for (int64_t i = 0; i < r->stage_count; i++) {
		const struct engine_stage *s = &r->stages[i];
		struct group g = rank_alone(r, s);

		if (s->chunk != 0)
			continue;
		if (n > 0 && same_memory(groups[n - 1].stage, s) &&
		    groups[n - 1].layers == g.layers && groups[n - 1].further == g.further)
			groups[n - 1].last = s->rank;
		else
			groups[n++] = g;
	}
	*result = groups;
	return n;
}

static void put_stage_name(struct out *o, const struct group *g)
{
	struct out text;

	out_init(&text, o->arena);
	out_printf(&text, "%lld", (long long)g->first);
	if (g->last > g->first)
		out_printf(&text, "-%lld", (long long)g->last);
	out_text(o, "  ");
	put_left(o, out_view(&text), STAGE_COLUMN - 2);
}

static void put_column(struct out *o, int64_t bytes, uint32_t width)
{
	struct out text;

	out_init(&text, o->arena);
	out_fixed(&text, (double)bytes / 1073741824.0, 2);
	put_right(o, out_view(&text), width);
}

static void put_count(struct out *o, int64_t n, uint32_t width)
{
	struct out text;

	out_init(&text, o->arena);
	out_grouped(&text, n);
	put_right(o, out_view(&text), width);
}

/* "4", or "3+1" with one that predicts a further token. */
static void put_layers(struct out *o, const struct group *g)
{
	struct out text;

	out_init(&text, o->arena);
	out_grouped(&text, g->layers);
	if (g->further > 0)
		out_printf(&text, "+%lld", (long long)g->further);
	put_right(o, out_view(&text), LAYER_COLUMN);
}

static bool any_part(const struct group *groups, uint32_t n, enum part part)
{
	for (uint32_t i = 0; i < n; i++) {
		int64_t parts[PART_COUNT];

		stage_parts(groups[i].stage, parts);
		if (parts[part] != 0)
			return true;
	}
	return false;
}

static void put_head(struct out *o, const struct group *groups, uint32_t n)
{
	put_left(o, STR("  stage"), STAGE_COLUMN);
	put_right(o, STR("layers"), LAYER_COLUMN);
	for (int p = 0; p < PART_COUNT; p++)
		if (p != PART_OTHER || any_part(groups, n, PART_OTHER))
			put_right(o, str_of(part_names[p]), p == PART_ACTIVATIONS ? WIDE : COLUMN);
	put_right(o, STR("in flight"), COLUMN);
	put_right(o, STR("peak"), COLUMN);
	put_right(o, STR("reserved"), COLUMN);
	out_char(o, '\n');
}

static void put_table(struct out *o, const struct group *groups, uint32_t n)
{
	put_head(o, groups, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct engine_stage *s = groups[i].stage;
		int64_t parts[PART_COUNT];

		stage_parts(s, parts);
		put_stage_name(o, &groups[i]);
		put_layers(o, &groups[i]);
		for (int p = 0; p < PART_COUNT; p++)
			if (p != PART_OTHER || any_part(groups, n, PART_OTHER))
				put_column(o, parts[p], p == PART_ACTIVATIONS ? WIDE : COLUMN);
		put_count(o, s->in_flight, COLUMN);
		put_column(o, s->peak, COLUMN);
		put_column(o, s->reserved, COLUMN);
		out_char(o, '\n');
	}
}

/* What a column of a bar stands for, from the places where the parts end. */
struct bar {
	uint32_t ends[PART_COUNT];   /* columns, ascending */
	uint32_t reserved, device, width;
};

static const char *bar_block(const struct bar *b, uint32_t column)
{
	for (int p = 0; p < PART_COUNT; p++)
		if (column < b->ends[p])
			return part_blocks[p];
	if (column < b->reserved)
		return ":";
	return column < b->device ? "·" : "";
}

/* One bar: the parts up to the peak, what is reserved beyond as `:`, free memory as `·`, and a `|`
 * where the device ends. */
static void put_bar(struct out *o, const struct engine_stage *s, int64_t device, double scale)
{
	int64_t parts[PART_COUNT];
	struct bar b = { .width = 2 * REPORT_BAR };
	double at = 0;

	stage_parts(s, parts);
	for (int p = 0; p < PART_COUNT; p++) {
		at += (double)parts[p] / scale;
		b.ends[p] = bar_columns(0, at, b.width);
	}
	b.reserved = bar_columns(0, (double)s->reserved / scale, b.width);
	b.device = bar_columns(0, (double)device / scale, b.width);
	for (uint32_t column = 0; column < b.width; column++) {
		if (column == b.device)
			out_char(o, '|');
		out_text(o, bar_block(&b, column));
	}
	if (b.device == b.width)
		out_char(o, '|');
	if (s->reserved > device) {
		out_text(o, "  ");
		put_gib(o, s->reserved - device);
		out_text(o, " too much");
	}
	out_char(o, '\n');
}

void text_memory(const struct job *j, struct out *o)
{
	const struct engine_result *r = &j->result;
	double scale = (double)j->hardware.memory;
	struct group *groups;
	uint32_t n = make_groups(r, o->arena, &groups);

	for (uint32_t i = 0; i < n; i++)
		if ((double)groups[i].stage->reserved > scale)
			scale = (double)groups[i].stage->reserved;
	out_text(o, "memory of one GPU in each pipeline stage, GiB\n");
	put_table(o, groups, n);
	out_char(o, '\n');
	for (uint32_t i = 0; i < n; i++) {
		put_stage_name(o, &groups[i]);
		put_bar(o, groups[i].stage, j->hardware.memory, scale);
	}
	out_text(o, "        ");
	for (int p = 0; p < PART_COUNT; p++)
		if (p != PART_OTHER || any_part(groups, n, PART_OTHER))
			out_printf(o, "%s %s  ", part_blocks[p], part_names[p]);
	out_text(o, ": reserved beyond  · free  | ");
	put_gib(o, j->hardware.memory);
	out_char(o, '\n');
	if (r->memory.host > 0) {
		out_text(o, "  on the host      ");
		put_gib(o, r->memory.host);
		out_printf(o, " of each GPU of stage %lld, not part of the sum\n",
			   (long long)r->memory.worst_stage);
	}
}
