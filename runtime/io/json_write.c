/* json_write.c - the only door to cJSON, which escapes and lays out the text.
 *
 * Values are collected in the arena and turned into cJSON items only while they are printed, so
 * that no item can be lost when the arena takes its escape. Numbers are handed over as raw text:
 * cJSON itself would hold them as doubles and lose digits of integers beyond 2^53.
 */
#include "runtime/io/json_write.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <limits.h>

enum node_kind { NODE_OBJECT, NODE_ARRAY, NODE_STRING, NODE_RAW };

struct json_node {
	enum node_kind kind;
	const char *key;             /* NULL inside an array */
	struct str text;             /* NODE_STRING, NODE_RAW; NUL-terminated */
	struct json_node *parent;
	struct json_node *first, *last, *next;
};

void json_writer_init(struct json_writer *w, struct arena *a)
{
	*w = (struct json_writer){ .arena = a };
}

static struct json_node *add_node(struct json_writer *w, const char *key, enum node_kind kind)
{
	struct json_node *node = ARENA_NEW(w->arena, struct json_node);
	struct json_node *open = w->open;

	invariant(open || !w->root, "a JSON text is one value");
	invariant((key != NULL) == (open && open->kind == NODE_OBJECT),
		  "members have keys, other values have none");
	node->kind = kind;
	node->key = key ? arena_copy(w->arena, key, strlen(key)) : NULL;
	node->parent = open;
	if (!open)
		w->root = node;
	else if (open->last)
		open->last->next = node;
	else
		open->first = node;
	if (open)
		open->last = node;
	return node;
}

void json_begin_object(struct json_writer *w, const char *key)
{
	w->open = add_node(w, key, NODE_OBJECT);
}

void json_begin_array(struct json_writer *w, const char *key)
{
	w->open = add_node(w, key, NODE_ARRAY);
}

/* Ends the innermost open object or array. */
void json_end(struct json_writer *w)
{
	invariant(w->open != NULL, "every end has its begin");
	w->open = w->open->parent;
}

void json_str(struct json_writer *w, const char *key, struct str text)
{
	struct json_node *node = add_node(w, key, NODE_STRING);
	struct out o;

	if (text.n == 0 || !memchr(text.p, '\0', text.n)) {
		node->text = str_copy(w->arena, text);
		return;
	}
	out_init(&o, w->arena);
	for (uint32_t i = 0; i < text.n; i++)
		if (text.p[i] != '\0')
			out_char(&o, text.p[i]);
		else
			out_text(&o, "\xef\xbf\xbd");
	node->text = out_view(&o);
}

void json_text(struct json_writer *w, const char *key, const char *z)
{
	json_str(w, key, str_of(z));
}

static void add_raw(struct json_writer *w, const char *key, struct str text)
{
	add_node(w, key, NODE_RAW)->text = text;
}

void json_int(struct json_writer *w, const char *key, int64_t x)
{
	struct out o;

	out_init(&o, w->arena);
	out_printf(&o, "%" PRId64, x);
	add_raw(w, key, out_view(&o));
}

void json_real(struct json_writer *w, const char *key, double x)
{
	struct out o;

	out_init(&o, w->arena);
	out_real(&o, x);
	add_raw(w, key, out_view(&o));
}

void json_num(struct json_writer *w, const char *key, struct num x)
{
	struct out o;

	out_init(&o, w->arena);
	num_print_decimal(&o, x);
	if (memchr(out_view(&o).p, '/', out_view(&o).n))
		json_real(w, key, num_to_double(x));
	else
		add_raw(w, key, out_view(&o));
}

void json_decimal(struct json_writer *w, const char *key, struct num x)
{
	struct out o;

	if (!num_is_int(x)) {
		json_num(w, key, x);
		return;
	}
	out_init(&o, w->arena);
	num_print_decimal(&o, x);
	out_text(&o, ".0");
	add_raw(w, key, out_view(&o));
}

void json_digits(struct json_writer *w, const char *key, struct str digits)
{
	add_raw(w, key, str_copy(w->arena, digits));
}

void json_bool(struct json_writer *w, const char *key, bool x)
{
	add_raw(w, key, x ? STR("true") : STR("false"));
}

void json_null(struct json_writer *w, const char *key)
{
	add_raw(w, key, STR("null"));
}

/* Bytes that cJSON needs at most for the node: a byte of text becomes up to six ("\u001f"), and
 * brackets, colon, comma, line break and one tab for each level surround it. */
static size_t printed_bound(const struct json_node *node, size_t depth)
{
	size_t size = 16 + 2 * depth + 6 * (size_t)node->text.n;

	if (node->key)
		size += 6 * strlen(node->key) + 2;
	for (const struct json_node *child = node->first; child; child = child->next)
		size += printed_bound(child, depth + 1);
	return size;
}

static cJSON *item_of(const struct json_node *node);

/* Adds the item of every child; false when memory ran out. cJSON owns what was added. */
static bool add_children(cJSON *item, const struct json_node *node)
{
	for (const struct json_node *child = node->first; child; child = child->next) {
		cJSON *part = item_of(child);
		bool added = part && (child->key ? cJSON_AddItemToObject(item, child->key, part)
						 : cJSON_AddItemToArray(item, part));

		if (!added) {
			cJSON_Delete(part);
			return false;
		}
	}
	return true;
}

/* The node and all below it as cJSON items; NULL when memory ran out. Takes nothing from arenas. */
static cJSON *item_of(const struct json_node *node)
{
	cJSON *item = NULL;

	switch (node->kind) {
	case NODE_OBJECT: item = cJSON_CreateObject(); break;
	case NODE_ARRAY: item = cJSON_CreateArray(); break;
	case NODE_STRING: item = cJSON_CreateString(node->text.p); break;
	case NODE_RAW: item = cJSON_CreateRaw(node->text.p); break;
	}
	if (item && !add_children(item, node)) {
		cJSON_Delete(item);
		return NULL;
	}
	return item;
}

/* cJSON indents by tabs and puts one behind each colon; outside of strings no other tab occurs. It
 * breaks the line even inside an empty object. */
static void print_with_spaces(struct out *o, const char *p)
{
	bool inside = false;

	for (; *p; p++) {
		if (inside && *p == '\\') {
			out_char(o, *p++);
		} else if (*p == '"') {
			inside = !inside;
		} else if (*p == '{' && !inside && p[1 + strspn(p + 1, "\n\t")] == '}') {
			out_char(o, *p++);
			p += strspn(p, "\n\t");
		} else if (*p == '\t' && !inside) {
			out_text(o, p[-1] == ':' ? " " : "  ");
			continue;
		}
		out_char(o, *p);
	}
}

void json_print(const struct json_writer *w, struct out *o, bool indented)
{
	size_t size;
	char *text;
	cJSON *item;
	bool printed;

	invariant(w->root && !w->open, "a JSON text is printed when it is complete");
	size = printed_bound(w->root, 0) + 64;
	invariant(size <= INT_MAX, "a JSON text has less than 2 GiB");
	text = arena_alloc(o->arena, size);
	item = item_of(w->root);
	if (!item)
		arena_alloc(o->arena, SIZE_MAX);     /* never returns: takes the escape */
	printed = cJSON_PrintPreallocated(item, text, (int)size, indented);
	cJSON_Delete(item);
	invariant(printed, "the bound of a JSON text suffices");
	if (indented)
		print_with_spaces(o, text);
	else
		out_text(o, text);
}
