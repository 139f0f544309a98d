/* eval_fixture.c - see eval_fixture.h. */
#include "tests/unit/eval_fixture.h"

static const struct type *quantity(struct fixture *f, int info, int time, int work, int money,
				   int energy)
{
	struct dimension d = { (int8_t)info, (int8_t)time, (int8_t)work, (int8_t)money,
			       (int8_t)energy };
	return type_number(f->p->types, d, EXACT_RATIONAL);
}

void fixture_init(struct fixture *f, const char *text)
{
	struct dimension one = { 0, 0, 0, 0, 0 };
	memset(f, 0, sizeof(*f));
	arena_init(&f->arena, NULL);
	f->names = interner_make(&f->arena);
	sources_init(&f->sources, &f->arena);
	sources_add(&f->sources, STR("t.plan"), str_of(text), false);
	diag_sink_init(&f->sink, &f->arena, &f->sources);
	f->p = ir_program_make(&f->arena, f->names, &f->sources);
	f->integer = type_number(f->p->types, one, EXACT_INT);
	f->rational = type_number(f->p->types, one, EXACT_RATIONAL);
	f->real = type_number(f->p->types, one, EXACT_REAL);
	f->ratio = type_ratio(f->p->types);
	f->boolean = type_simple(f->p->types, TYPE_BOOL);
	f->string = type_simple(f->p->types, TYPE_STRING);
	f->bytes = quantity(f, 1, 0, 0, 0, 0);
	f->time = quantity(f, 0, 1, 0, 0, 0);
	f->work = quantity(f, 0, 0, 1, 0, 0);
	f->rate = quantity(f, 1, -1, 0, 0, 0);
	f->money = quantity(f, 0, 0, 0, 1, 0);
	f->price = quantity(f, 0, -1, 0, 1, 0);
	f->per_second = quantity(f, 0, -1, 0, 0, 0);
	f->power = quantity(f, 0, -1, 0, 0, 1);
	f->energy = quantity(f, 0, 0, 0, 0, 1);
	fixture_start(f);
}

void fixture_release(struct fixture *f)
{
	arena_release(&f->arena);
}

void fixture_start(struct fixture *f)
{
	eval_init(&f->ev, &f->arena, f->p, &f->sink);
}

struct span fixture_span(const struct fixture *f, const char *piece, int n)
{
	const char *text = source_get(&f->sources, 0)->text.p;
	const char *at = strstr(text, piece);
	for (; at && n > 0; n--)
		at = strstr(at + 1, piece);
	if (!at)
		return SPAN_NONE;
	uint32_t lo = (uint32_t)(at - text);
	return (struct span){ 0, lo, lo + (uint32_t)strlen(piece) };
}

ir_id fixture_int(struct fixture *f, int64_t n)
{
	return ir_add_number(f->p, f->integer, SPAN_NONE, num_int(n));
}

ir_id fixture_ratio(struct fixture *f, int64_t n, int64_t d)
{
	return ir_add_number(f->p, f->rational, SPAN_NONE, num_ratio(&f->arena, n, d));
}

ir_id fixture_text(struct fixture *f, const char *z)
{
	return ir_add_string(f->p, SPAN_NONE, str_of(z));
}

ir_id fixture_real(struct fixture *f, int64_t n)
{
	ir_id arg = fixture_int(f, n);
	return fixture_call(f, BUILTIN_SQRT, f->real, &arg, NULL, 1);
}

ir_id fixture_op(struct fixture *f, enum ir_op op, const struct type *t, ir_id a, ir_id b)
{
	return ir_add(f->p, op, t, SPAN_NONE, a, b, 0);
}

ir_id fixture_list(struct fixture *f, enum ir_op op, const struct type *t, const ir_id *at,
		   uint32_t n)
{
	return ir_add(f->p, op, t, SPAN_NONE, ir_add_list(f->p, at, NULL, n), n, 0);
}

ir_id fixture_call(struct fixture *f, enum builtin b, const struct type *t, const ir_id *at,
		   const char *const *names, uint32_t n)
{
	struct sym syms[16] = { { 0 } };
	for (uint32_t i = 0; i < n && names; i++) {
		if (names[i])
			syms[i] = sym_of_z(f->names, names[i]);
	}
	return ir_add(f->p, IR_BUILTIN, t, SPAN_NONE, (uint32_t)b, ir_add_list(f->p, at, syms, n),
		      n);
}

struct value fixture_eval(struct fixture *f, ir_id node)
{
	return eval_node(&f->ev, node, (struct scope){ 0 });
}

const char *fixture_print(struct fixture *f, struct value v, const struct type *t)
{
	struct out o;
	out_init(&o, &f->arena);
	value_print(&o, f->p, v, t);
	return str_copy(&f->arena, out_view(&o)).p;
}

const char *fixture_show(struct fixture *f, ir_id node)
{
	return fixture_print(f, fixture_eval(f, node), f->p->nodes.at[node].type);
}

const char *fixture_codes(struct fixture *f)
{
	struct out o;
	out_init(&o, &f->arena);
	for (uint32_t i = 0; i < f->sink.diags.n; i++)
		out_printf(&o, "%s%s", i ? " " : "", diag_info(f->sink.diags.at[i]->code)->name);
	f->sink.diags.n = 0;
	f->sink.errors = 0;
	return str_copy(&f->arena, out_view(&o)).p;
}

const char *fixture_message(const struct fixture *f)
{
	return f->sink.diags.n ? f->sink.diags.at[f->sink.diags.n - 1]->message.p : "";
}

uint32_t fixture_schema(struct fixture *f, const char *name, uint32_t field_count)
{
	struct ir_schema *s = VEC_ADD(&f->arena, &f->p->schemas);
	s->name = sym_of_z(f->names, name);
	s->base = IR_NONE;
	s->fields = ARENA_ARRAY(&f->arena, struct ir_field, field_count);
	s->field_count = field_count;
	s->span = SPAN_NONE;
	return f->p->schemas.n - 1;
}

void fixture_field(struct fixture *f, uint32_t schema, uint32_t slot, const char *name,
		   const struct type *t, ir_id value)
{
	f->p->schemas.at[schema].fields[slot] = (struct ir_field){
		.name = sym_of_z(f->names, name), .type = t, .value = value, .span = SPAN_NONE
	};
}

uint32_t fixture_layer(struct fixture *f, uint32_t schema, const char *name,
		       const struct ir_binding *bindings, uint32_t n)
{
	struct ir_layer *l = VEC_ADD(&f->arena, &f->p->layers);
	l->schema = schema;
	l->bindings = ARENA_ARRAY(&f->arena, struct ir_binding, n);
	for (uint32_t i = 0; i < n; i++) {
		l->bindings[i] = bindings[i];
		l->bindings[i].span = SPAN_NONE;
	}
	l->binding_count = n;
	l->name = name ? sym_of_z(f->names, name) : (struct sym){ 0 };
	l->span = SPAN_NONE;
	return f->p->layers.n - 1;
}

const struct type *fixture_record_type(struct fixture *f, uint32_t schema)
{
	return type_of(f->p->types, (struct type){ .kind = TYPE_RECORD, .index = schema });
}

uint32_t fixture_instance(struct fixture *f, const char *name, uint32_t schema, uint32_t base,
			  uint32_t layer)
{
	const struct type *t = fixture_record_type(f, schema);
	ir_id over =
		base == IR_NONE ? IR_NO_NODE : ir_add(f->p, IR_GLOBAL, t, SPAN_NONE, base, 0, 0);
	ir_id value = ir_add(f->p, IR_LAYER, t, SPAN_NONE, over, layer, 0);
	struct ir_global *g = VEC_ADD(&f->arena, &f->p->globals);
	*g = (struct ir_global){ .kind = GLOBAL_INSTANCE,
				 .name = sym_of_z(f->names, name),
				 .type = t,
				 .value = value,
				 .table = IR_NONE,
				 .base = base,
				 .span = fixture_span(f, name, 0) };
	return f->p->globals.n - 1;
}
