/* eval_fixture.h - small programs built by hand, for the tests of values and of the evaluator. */
#ifndef PLAN_UNIT_EVAL_FIXTURE_H
#define PLAN_UNIT_EVAL_FIXTURE_H

#include "compiler/ir/build.h"
#include "runtime/eval/eval.h"

struct fixture {
	struct arena arena;
	struct interner *names;
	struct sources sources;
	struct diag_sink sink;
	struct ir_program *p;
	struct eval ev;
	const struct type *integer, *rational, *real, *ratio, *boolean, *string;
	const struct type *bytes, *time, *work, *rate, *money, *price, *per_second, *power, *energy;
};

/* An empty program whose user file has this text. */
void fixture_init(struct fixture *f, const char *text);
void fixture_release(struct fixture *f);

/* Call once everything is declared: globals are numbered now. */
void fixture_start(struct fixture *f);

/* The n-th occurrence (from 0) of a piece of the user file; SPAN_NONE for text that is not there. */
struct span fixture_span(const struct fixture *f, const char *piece, int n);

ir_id fixture_int(struct fixture *f, int64_t n);
ir_id fixture_ratio(struct fixture *f, int64_t n, int64_t d);
ir_id fixture_text(struct fixture *f, const char *z);
ir_id fixture_real(struct fixture *f, int64_t n); /* sqrt(n): a measured value */
ir_id fixture_op(struct fixture *f, enum ir_op op, const struct type *t, ir_id a, ir_id b);
ir_id fixture_list(struct fixture *f, enum ir_op op, const struct type *t, const ir_id *at,
		   uint32_t n);

/* A call of a built-in function; names may be NULL, a NULL name is positional. */
ir_id fixture_call(struct fixture *f, enum builtin b, const struct type *t, const ir_id *at,
		   const char *const *names, uint32_t n);

struct value fixture_eval(struct fixture *f, ir_id node);

/* The value of a node as it is displayed; "?" for poison. */
const char *fixture_show(struct fixture *f, ir_id node);
const char *fixture_print(struct fixture *f, struct value v, const struct type *t);

/* Codes of what was reported so far, "E2001 E2004"; forgets them. */
const char *fixture_codes(struct fixture *f);

/* The message of the last report. */
const char *fixture_message(const struct fixture *f);

/* A schema with fields; each field's default may be IR_NO_NODE. */
uint32_t fixture_schema(struct fixture *f, const char *name, uint32_t field_count);
void fixture_field(struct fixture *f, uint32_t schema, uint32_t slot, const char *name,
		   const struct type *t, ir_id value);
uint32_t fixture_layer(struct fixture *f, uint32_t schema, const char *name,
		       const struct ir_binding *bindings, uint32_t n);
uint32_t fixture_instance(struct fixture *f, const char *name, uint32_t schema, uint32_t base,
			  uint32_t layer);
const struct type *fixture_record_type(struct fixture *f, uint32_t schema);

#endif
