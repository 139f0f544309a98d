/* expr.c - expressions and types. Long ones break before operators, before `then` and `else`, and
 * inside brackets; a break the author made at such a place stays. */
#include "compiler/syntax/fmt/fmt_int.h"

void fmt_path(struct printer *p, const struct ast *path)
{
	fmt_take(p);
	for (uint32_t i = 1; i < path->path.parts.n; i++) {
		fmt_take(p);
		fmt_take(p);
	}
}

void fmt_type(struct printer *p, const struct ast *type)
{
	if (type->kind == AST_TYPE_NAME) {
		fmt_path(p, type->type_name.path);
	} else if (type->kind == AST_TYPE_OPTION) {
		fmt_type(p, type->type_option.of);
		fmt_take(p);
	} else if (type->kind == AST_TYPE_APPLY) {
		fmt_path(p, type->type_apply.path);
		fmt_take(p);
		for (uint32_t i = 0; i < type->type_apply.arguments.n; i++) {
			if (i > 0) {
				fmt_text(p, ",");
				fmt_space(p);
			}
			fmt_type(p, type->type_apply.arguments.at[i]);
		}
		fmt_take(p);
	} else if (type->kind == AST_TYPE_QUOTIENT) {
		const struct ast *over = type->type_quotient.over,
				 *under = type->type_quotient.under;

		if (over->kind == AST_PATH)
			fmt_path(p, over);
		else
			fmt_take(p);
		fmt_take(p);
		fmt_path(p, under);
	} else {
		p->lost = true;
	}
}

static void any(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail);

static void flat_any(struct printer *p, const struct ast *e)
{
	if (!p->failed)
		any(p, e, 0, 0);
}

/* ---- chains of operators --------------------------------------------------------------------- */

/* Operators that form one chain have equal numbers. */
static int precedence(enum ast_op op)
{
	switch (op) {
	case OP_IMPLIES: return 1;
	case OP_OR: return 2;
	case OP_AND: return 3;
	case OP_NOT: return 4;
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_GT:
	case OP_LE:
	case OP_GE:
	case OP_IN:
		return 5;
	case OP_COALESCE: return 6;
	case OP_ADD: case OP_SUB: return 7;
	case OP_MUL: case OP_DIV: case OP_INT_DIV: case OP_MOD: return 8;
	case OP_NEG: return 9;
	case OP_POW: return 10;
	}
	return 0;
}

static bool is_link(const struct ast *e, int level)
{
	return e->kind == AST_BINARY && precedence(e->binary.op) == level;
}

static void blank_and_take(struct printer *p)
{
	fmt_space(p);
	fmt_take(p);
	fmt_space(p);
}

/* ` op operand`, or ` within t of operand`. */
static void flat_link(struct printer *p, const struct ast *operand)
{
	fmt_broken(p, 0);
	fmt_broken(p, 1);
	blank_and_take(p);
	fmt_expr(p, operand, 0, 0);
}

static void flat_within(struct printer *p, const struct ast *e)
{
	fmt_broken(p, 0);
	blank_and_take(p);
	fmt_expr(p, e->within.tolerance, 0, 0);
	blank_and_take(p);
	fmt_expr(p, e->within.of, 0, 0);
}

static bool has_brackets(const struct ast *e)
{
	return e->kind == AST_GROUP || e->kind == AST_CALL || e->kind == AST_LIST_OF ||
	       e->kind == AST_COMPREHENSION || e->kind == AST_RECORD || e->kind == AST_WITH;
}

/* One more operand of a chain: on this line if it fits, or if it is in brackets that the author
 * broke. */
static void link(struct printer *p, const struct ast *operand, uint32_t next, uint32_t tail)
{
	bool broken = fmt_broken(p, 0) || fmt_broken(p, 1);

	if (!broken && fmt_flat(p, flat_link, operand, tail))
		return;
	if (!broken && has_brackets(operand) && fmt_forced(p, flat_link, operand))
		fmt_space(p);
	else
		fmt_break(p, next, 2);
	fmt_take(p);
	fmt_space(p);
	fmt_expr(p, operand, next + FMT_INDENT, tail);
}

/* Chains lean to the left, those of `=>`, `??` and `^` to the right. */
static void chain_left(struct printer *p, const struct ast *e, int level, uint32_t next,
		       uint32_t tail)
{
	if (is_link(e->binary.left, level))
		chain_left(p, e->binary.left, level, next, 0);
	else
		fmt_expr(p, e->binary.left, next + FMT_INDENT, 0);
	link(p, e->binary.right, next, tail);
}

static void chain_right(struct printer *p, const struct ast *e, int level, uint32_t next,
			uint32_t tail)
{
	fmt_expr(p, e->binary.left, next + FMT_INDENT, 0);
	while (is_link(e->binary.right, level)) {
		e = e->binary.right;
		link(p, e->binary.left, next, 0);
	}
	link(p, e->binary.right, next, tail);
}

static void binary(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	int level = precedence(e->binary.op);

	if (e->binary.op == OP_IMPLIES || e->binary.op == OP_COALESCE || e->binary.op == OP_POW)
		chain_right(p, e, level, next, tail);
	else
		chain_left(p, e, level, next, tail);
}

static void within(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	fmt_expr(p, e->within.value, next + FMT_INDENT, 0);
	if (!fmt_broken(p, 0) && fmt_flat(p, flat_within, e, tail))
		return;
	fmt_break(p, next, 1);
	fmt_take(p);
	fmt_space(p);
	fmt_expr(p, e->within.tolerance, next + FMT_INDENT, 0);
	blank_and_take(p);
	fmt_expr(p, e->within.of, next + FMT_INDENT, tail);
}

static void range(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	fmt_expr(p, e->range.low, next, 0);
	fmt_take(p);
	fmt_expr(p, e->range.high, next, e->range.step ? 0 : tail);
	if (e->range.step) {
		blank_and_take(p);
		fmt_expr(p, e->range.step, next, tail);
	}
}

/* ---- choice ---------------------------------------------------------------------------------- */

/* `if c then a` */
static void flat_branch(struct printer *p, const struct ast *e)
{
	fmt_take(p);
	fmt_space(p);
	fmt_expr(p, e->conditional.cond, 0, 0);
	fmt_broken(p, 0);
	blank_and_take(p);
	fmt_expr(p, e->conditional.then, 0, 0);
}

static void flat_else(struct printer *p, const struct ast *otherwise)
{
	fmt_broken(p, 0);
	blank_and_take(p);
	fmt_expr(p, otherwise, 0, 0);
}

/* Whether the author broke the line before an `else` of a chain. */
static bool else_broken(struct printer *p, const struct ast *e)
{
	for (; e->kind == AST_IF; e = e->conditional.otherwise) {
		uint32_t first = fmt_token_at(p, e->conditional.otherwise->span.lo);

		if (first > 0 && p->tokens.all.at[first - 1].newline)
			return true;
	}
	return false;
}

static void branch(struct printer *p, const struct ast *e, uint32_t next, uint32_t then)
{
	if (fmt_flat(p, flat_branch, e, 0))
		return;
	fmt_take(p);
	fmt_space(p);
	fmt_expr(p, e->conditional.cond, next + FMT_INDENT, 0);
	fmt_break(p, then, 1);
	fmt_take(p);
	fmt_space(p);
	fmt_expr(p, e->conditional.then, then + FMT_INDENT, 0);
}

/* Every `else` gets a line of its own; in a chain the author has broken, where he broke it. */
static void conditional(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	bool keep = else_broken(p, e);
	uint32_t then = next;

	for (;;) {
		const struct ast *otherwise = e->conditional.otherwise;

		branch(p, e, next, then);
		if (keep && fmt_flat(p, flat_else, otherwise, tail))
			return;
		fmt_break(p, next, 2);
		fmt_take(p);
		fmt_space(p);
		if (otherwise->kind != AST_IF) {
			fmt_expr(p, otherwise, next + FMT_INDENT, tail);
			return;
		}
		if (keep && fmt_flat(p, flat_any, otherwise, tail))
			return;
		e = otherwise;
		then = next + FMT_INDENT;
	}
}

static void group(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	uint32_t outer = p->line_indent;
	bool broken;

	fmt_take(p);
	broken = fmt_broken(p, 0);
	if (p->flat || !broken) {
		fmt_expr(p, e->group.inner, next, tail + 1);
		fmt_take(p);
		return;
	}
	fmt_lead(p, outer + FMT_INDENT, true);
	fmt_expr(p, e->group.inner, outer + 2 * FMT_INDENT, 0);
	fmt_lead_closer(p, outer + FMT_INDENT, outer);
	fmt_take(p);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void argument(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	if (e->argument.name.sym.id != 0) {
		fmt_take(p);
		blank_and_take(p);
	}
	fmt_expr(p, e->argument.value, next, tail);
}

static void fn_param(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	fmt_take(p);
	fmt_take(p);
	fmt_space(p);
	fmt_type(p, e->fn_param.type);
	if (e->fn_param.fallback) {
		blank_and_take(p);
		fmt_expr(p, e->fn_param.fallback, next, tail);
	}
}

static void unary(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	fmt_take(p);
	if (e->unary.op == OP_NOT)
		fmt_space(p);
	fmt_expr(p, e->unary.operand, next, tail);
}

static void postfix(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	if (e->kind == AST_MEMBER) {
		fmt_expr(p, e->member.of, next, 0);
		if (e->member.of->kind == AST_NUMBER)   /* no decimal point */
			fmt_space(p);
		fmt_take(p);
		fmt_take(p);
	} else if (e->kind == AST_INDEX) {
		fmt_expr(p, e->index.of, next, 0);
		fmt_take(p);
		fmt_expr(p, e->index.at, next, 1);
		fmt_take(p);
	} else if (e->kind == AST_CALL) {
		fmt_expr(p, e->call.callee, next, 0);
		if (e->call.arguments.n == 1 && e->call.arguments.at[0]->kind == AST_COMPREHENSION)
			fmt_comprehension(p, e->call.arguments.at[0], tail);
		else
			fmt_list(p, e, tail);
	} else {
		fmt_expr(p, e->with.base, next, 0);
		blank_and_take(p);
		fmt_block(p, e, tail);
	}
}

static void match(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	fmt_take(p);
	fmt_space(p);
	fmt_expr(p, e->match.value, next, 0);
	fmt_space(p);
	fmt_block(p, e, tail);
}

/* Prints a node without asking whether it fits flat. */
static void any(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	switch ((int)e->kind) {
	case AST_NAME: case AST_NUMBER: case AST_QUANTITY: case AST_STRING: case AST_TEMPLATE:
	case AST_TRUE: case AST_NONE:
		fmt_take(p);
		break;
	case AST_UNARY: unary(p, e, next, tail); break;
	case AST_BINARY: binary(p, e, next, tail); break;
	case AST_WITHIN: within(p, e, next, tail); break;
	case AST_RANGE: range(p, e, next, tail); break;
	case AST_IF:
		if (p->flat) {
			flat_branch(p, e);
			flat_else(p, e->conditional.otherwise);
		} else {
			conditional(p, e, next, tail);
		}
		break;
	case AST_MATCH: match(p, e, next, tail); break;
	case AST_GROUP: group(p, e, next, tail); break;
	case AST_TUPLE: fmt_list(p, e, tail); break;
	case AST_LIST_OF: fmt_list(p, e, tail); break;
	case AST_COMPREHENSION: fmt_comprehension(p, e, tail); break;
	case AST_RECORD: fmt_block(p, e, tail); break;
	case AST_MEMBER:
	case AST_INDEX:
	case AST_CALL:
	case AST_WITH:
		postfix(p, e, next, tail);
		break;
	case AST_ARGUMENT: argument(p, e, next, tail); break;
	case AST_FN_PARAM: fn_param(p, e, next, tail); break;
	default: p->lost = true; break;
	}
}

void fmt_expr(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail)
{
	if (!fmt_flat(p, flat_any, e, tail))
		any(p, e, next, tail);
}
