/* lint.c - warnings about plans that mean something, but perhaps not what was meant. */
#include "compiler/check/check_int.h"

/* A device has 80 GiB; who writes 80 GB gives away 7 %. */
void lint_memory(struct check *c, const struct env *e, struct sym field, const struct type *type,
		 const struct ast *value)
{
	static const char *const decimal[] = { "MB", "GB", "TB" };
	static const char *const binary[] = { "MiB", "GiB", "TiB" };
	struct dimension bytes = { 1, 0, 0, 0, 0 };

	if (e->module->library || value->kind != AST_QUANTITY || type->kind != TYPE_NUMBER ||
	    !dim_equal(type->dim, bytes) || !str_is(sym_str(c->names, field), "memory"))
		return;
	for (size_t i = 0; i < PLAN_COUNT(decimal); i++) {
		struct str number = value->quantity.number;
		struct diag *d;
		struct out o;

		if (!str_is(value->quantity.unit, decimal[i]))
			continue;
		out_init(&o, c->arena);
		out_printf(&o, "%.*s %s", (int)number.n, number.p, binary[i]);
		d = diag_new(c->sink, W0310, value->span);
		diag_message(d, "device memory is counted in %s, this is in %s (powers of ten)", binary[i],
			     decimal[i]);
		diag_help(d, "was `%.*s` meant?", (int)o.n, o.p);
		diag_fix(d, value->span, str_copy(c->arena, out_view(&o)), "use the binary unit");
		diag_submit(d);
	}
}
