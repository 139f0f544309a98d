/* tables.c - names of operations and built-in functions, and lookups by name in a program. */
#include "compiler/ir/ir.h"

static const struct {
	const char *name, *operands;
} ops[IR_OP_COUNT] = {
#define IR(OP, name, operands) [IR_##OP] = { name, operands },
#include "compiler/ir/ir.def"
#undef IR
};

static const struct builtin_info builtins[BUILTIN_COUNT] = {
#define BUILTIN(ID, name, least, most, doc) [BUILTIN_##ID] = { name, least, most, doc },
#include "compiler/ir/builtins.def"
#undef BUILTIN
};

const char *const layout_member_names[LAYOUT_MEMBER_COUNT] = {
	[LAYOUT_KIND] = "kind",
	[LAYOUT_STAGES] = "stages",
	[LAYOUT_LAYERS] = "layers",
	[LAYOUT_MTP] = "mtp",
	[LAYOUT_ENTRIES] = "entries",
	[LAYOUT_EMBEDDING] = "embedding",
	[LAYOUT_LOSS] = "loss",
	[LAYOUT_FIRST] = "first",
	[LAYOUT_LAST] = "last",
	[LAYOUT_TEXT] = "text",
	[LAYOUT_WELL_FORMED] = "well_formed",
	[LAYOUT_MTP_WELL_PLACED] = "mtp_well_placed",
	[LAYOUT_MTP_STAGE] = "mtp_stage",
	[LAYOUT_LARGEST] = "largest",
	[LAYOUT_PER_STAGE] = "counts",
};

const char *const selection_names[SELECT_COUNT] = {
	[SELECT_BEST] = "best",
	[SELECT_TOP] = "top",
	[SELECT_PARETO] = "pareto",
	[SELECT_ALL] = "all",
};

uint32_t ir_level(struct ir_reads reads)
{
	uint32_t level = 0;

	for (uint64_t axes = reads.axes; axes != 0; axes >>= 1)
		level++;
	return level;
}

const char *ir_op_name(enum ir_op op)
{
	return ops[op].name;
}

const char *ir_op_operands(enum ir_op op)
{
	return ops[op].operands;
}

const char *builtin_name(enum builtin b)
{
	return builtins[b].name;
}

const struct builtin_info *builtin_info(enum builtin b)
{
	return &builtins[b];
}

static bool name_is(const struct ir_program *p, struct sym name, const char *z)
{
	return name.id != 0 && str_is(sym_str(p->names, name), z);
}

/* C asks for schemas of the prelude; a schema of the same name that the user declares is another. */
uint32_t ir_find_schema(const struct ir_program *p, const char *name)
{
	for (uint32_t i = 0; i < p->schemas.n; i++)
		if (p->schemas.at[i].library && name_is(p, p->schemas.at[i].name, name))
			return i;
	for (uint32_t i = 0; i < p->schemas.n; i++)
		if (name_is(p, p->schemas.at[i].name, name))
			return i;
	return IR_NONE;
}

uint32_t ir_find_enum(const struct ir_program *p, const char *name)
{
	for (uint32_t i = 0; i < p->enums.n; i++)
		if (name_is(p, p->enums.at[i].name, name))
			return i;
	return IR_NONE;
}

uint32_t ir_find_field(const struct ir_program *p, uint32_t schema, struct str name)
{
	const struct ir_schema *s = &p->schemas.at[schema];

	for (uint32_t i = 0; i < s->field_count; i++)
		if (str_equal(sym_str(p->names, s->fields[i].name), name))
			return i;
	return IR_NONE;
}

/* The root file's own declarations come before those it imported by name. */
uint32_t ir_find_global(const struct ir_program *p, struct str name)
{
	for (uint32_t i = 0; i < p->globals.n; i++) {
		const struct ir_global *g = &p->globals.at[i];

		if (g->file == p->root_file && g->name.id != 0 &&
		    str_equal(sym_str(p->names, g->name), name))
			return i;
	}
	for (uint32_t i = 0; i < p->visible.n; i++)
		if (str_equal(sym_str(p->names, p->visible.at[i].name), name))
			return p->visible.at[i].global;
	return IR_NONE;
}

bool ir_schema_extends(const struct ir_program *p, uint32_t schema, uint32_t ancestor)
{
	for (uint32_t i = 0; i <= p->schemas.n && schema != IR_NONE; i++) {
		if (schema == ancestor)
			return true;
		schema = p->schemas.at[schema].base;
	}
	return false;
}
