/* doc.h - the documentation of a file as a page of Markdown. */
#ifndef PLAN_ASK_DOC_H
#define PLAN_ASK_DOC_H

#include "compiler/ir/ir.h"

/* What one file of the program declares. `about` is the comment of the file itself. */
void doc_print(struct out *o, const struct ir_program *p, uint32_t file, struct str about);

/* All units. */
void doc_units(struct out *o);

#endif
