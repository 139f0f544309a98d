/* reads_int.h - abstract values: what is known of one. Private to this folder. */
#ifndef PLAN_READS_READS_INT_H
#define PLAN_READS_READS_INT_H

#include "compiler/ir/reads/reads.h"

struct shape;

/* What is known of a value. With a shape, `reads` is what the choice of the record depends on. */
struct known {
	struct ir_reads reads;
	struct shape *shape;         /* NULL: no record, or one whose layers cannot be seen */
};

struct names {
	struct known value;
	const struct names *up;
};

/* A layer over a record; of an axis with `when`, one that may be absent. */
struct coat {
	uint32_t layer;
	const struct names *names;
	bool maybe;
	struct ir_reads when;
	const struct coat *older;
};

enum shape_state { SHAPE_EMPTY, SHAPE_BUSY, SHAPE_DONE };

struct shape {
	uint32_t schema;
	const struct coat *coats;    /* newest first */
	bool open;                   /* a record that cannot be seen lies below them */
	struct ir_reads under;       /* what that one depends on */
	struct known *slots;
	unsigned char *states;
	struct ir_reads deep;
	unsigned char deep_state;
};

struct reads {
	const struct ir_program *p;
	struct arena *arena;         /* of shapes, coats and names */
	struct ir_reads everything;  /* the answer where nothing can be said */
	struct known *globals;
	unsigned char *global_states;
	uint32_t model;              /* schema whose natives need no cost model */
	uint32_t depth, steps;
};

static inline struct ir_reads reads_join(struct ir_reads a, struct ir_reads b)
{
	return (struct ir_reads){ a.axes | b.axes, a.model || b.model };
}

/* ---- value.c ------------------------------------------------------------------------------------- */

/* What the value of a node is known to be in the text of a record (NULL: in none), and everything it depends on. */
struct known reads_node(struct reads *r, ir_id node, struct shape *self, const struct names *names);
struct ir_reads reads_all(struct reads *r, ir_id node, struct shape *self, const struct names *names);

/* One more name around an expression. */
const struct names *reads_bind(struct reads *r, struct known v, const struct names *up);

/* Two values that may both be meant. */
struct known reads_either(struct reads *r, struct known a, struct known b);

/* One deeper: the caller comes back with r->depth--. False too deep, or after too much: the answer is r->everything. */
bool reads_enter(struct reads *r);

/* ---- record.c ------------------------------------------------------------------------------------ */

/* A record of which only its layers are known. */
struct shape *reads_shape(struct reads *r, uint32_t schema, const struct coat *coats);

/* A coat over what is known of a record: over the schema's defaults when that is nothing at all (`absent`). */
struct known reads_put_on(struct reads *r, struct known base, bool absent, struct coat coat);

/* What is known of a field. */
struct known reads_slot(struct reads *r, struct shape *s, uint32_t slot);

/* What a value depends on, the fields of a record included. */
struct ir_reads reads_deep(struct reads *r, struct known v);

/* ---- rules.c ------------------------------------------------------------------------------------- */

/* The rules for a candidate of this shape, in front of the constraints of the sweep. */
void reads_rules(struct reads *r, struct ir_sweep *sweep, struct shape *candidate);

#endif
