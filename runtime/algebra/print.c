/* print.c - the typed graph as text, one operator a line. */

#include <inttypes.h>

#include "compiler/base/out.h"
#include "runtime/algebra/algebra.h"

void tensor_print(const struct mesh *mesh, const struct tensor_type *type, struct out *out)
{
	out_char(out, '[');
	for (int i = 0; i < type->dims; i++) {
		int64_t cuts = tensor_cuts(mesh, type, type->dim[i].name);

		out_printf(out, "%s%s %" PRIi64, i > 0 ? ", " : "", dim_name(type->dim[i].name),
			   type->dim[i].size);
		if (cuts > 1)
			out_printf(out, "/%" PRIi64, cuts);
	}
	out_char(out, ']');
	for (int axis = 0; axis < AXIS_COUNT; axis++)
		if (mesh->size[axis] > 1 && type->on[axis].kind == PLACE_PARTIAL)
			out_printf(out, " partial(%s)", axis_name((enum axis)axis));
}

static void print_types(const struct mesh *mesh, const struct tensor_type *types, int n,
			struct out *out)
{
	for (int i = 0; i < n; i++) {
		out_text(out, i > 0 ? " " : "");
		tensor_print(mesh, &types[i], out);
	}
}

static void print_coercions(const struct operator* op, struct out *out)
{
	static const char *const phases[PHASE_COUNT] = { "forward", "dx", "dw" };
	int last = -1;

	for (int p = 0; p < PHASE_COUNT; p++) {
		for (int i = 0; i < op->coercions; i++) {
			const struct coercion *c = &op->coercion[i];

			if ((int)c->phase != p || c->kind == COERCE_SLICE)
				continue;
			out_printf(out, "%s %s(%s) %" PRIi64 " B", last == p ? "," : "",
				   coercion_name(c->kind), axis_name(c->axis), c->payload);
			last = p;
		}
		if (last == p)
			out_printf(out, " in %s;", phases[p]);
	}
	if (last < 0)
		out_text(out, " no collective;");
}

static void print_operator(const struct mesh *mesh, const struct operator* op, struct out *out)
{
	out_printf(out, "  %-15s ", op->name);
	print_types(mesh, op->in, op->inputs, out);
	out_text(out, " -> ");
	if (op->outputs > 0)
		print_types(mesh, op->out, op->outputs, out);
	else
		out_text(out, "loss");
	if (op->has_weight) {
		out_text(out, " weight ");
		tensor_print(mesh, &op->weight, out);
	}
	out_char(out, ':');
	print_coercions(op, out);
	out_printf(out, " flop %.0f/%.0f/%.0f;", op->flops[0], op->flops[1], op->flops[2]);
	out_printf(out, " moved %" PRIi64 "/%" PRIi64 "/%" PRIi64 " B; saved %" PRIi64 " B\n",
		   op->moved[0], op->moved[1], op->moved[2], op->saved);
}

void graph_print(const struct graph *graph, struct out *out)
{
	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		if (graph->first[part] == graph->first[part + 1])
			continue;
		out_printf(out, "%s\n", graph_part_name((enum graph_part)part));
		for (int i = graph->first[part]; i < graph->first[part + 1]; i++)
			print_operator(&graph->mesh, &graph->op[i], out);
	}
}
