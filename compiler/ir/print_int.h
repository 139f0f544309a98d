/* print_int.h - the printer of programs, shared by print.c and print_sweep.c; private to this folder. */
#ifndef PLAN_IR_PRINT_INT_H
#define PLAN_IR_PRINT_INT_H

#include "compiler/ir/ir.h"

struct printer {
	struct out *o;
	const struct ir_program *p;
	struct map numbers;          /* node -> number in this declaration */
	uint32_t next;
	uint32_t schema;             /* of the record that SLOT means; IR_NONE outside one */
};

/* A new declaration: nodes are numbered from 0 again. */
void print_start(struct printer *w);

/* The node and what it needs, one a line, unless they stand above already. */
void print_node(struct printer *w, ir_id id);
void print_reference(struct printer *w, ir_id id);

/* "  name = %3", after the nodes; nothing for IR_NO_NODE. */
void print_value(struct printer *w, const char *name, ir_id id);
void print_type_line(struct printer *w, const char *word, struct sym name, const struct type *t);

void print_sweep(struct printer *w, const struct ir_sweep *s);

#endif
