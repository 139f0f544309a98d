/* json_write.h - builds a JSON value and writes it as text.
 *
 *	struct json_writer w;
 *	json_writer_init(&w, arena);
 *	json_begin_object(&w, NULL);
 *	json_int(&w, "layers", 32);
 *	json_begin_array(&w, "stages");
 *	json_real(&w, NULL, 0.5);
 *	json_end(&w);
 *	json_end(&w);
 *	json_print(&w, out, true);
 *
 * Members keep the order in which they were added. A key is given inside an object and is NULL
 * inside an array and for the root. Everything is copied into the arena; nothing has to be
 * released.
 * The caller adds a key once: that is not checked.
 */
#ifndef PLAN_IO_JSON_WRITE_H
#define PLAN_IO_JSON_WRITE_H

#include "compiler/base/num.h"
#include "compiler/base/out.h"

struct json_node;

struct json_writer {
	struct arena *arena;
	struct json_node *root;      /* NULL until the first value */
	struct json_node *open;      /* innermost container that is not ended */
};

void json_writer_init(struct json_writer *w, struct arena *a);

void json_begin_object(struct json_writer *w, const char *key);
void json_begin_array(struct json_writer *w, const char *key);
void json_end(struct json_writer *w);

/* Text must be UTF-8; a NUL byte in it, which cJSON cannot carry, becomes U+FFFD. */
void json_str(struct json_writer *w, const char *key, struct str text);
void json_text(struct json_writer *w, const char *key, const char *z);
void json_int(struct json_writer *w, const char *key, int64_t x);      /* all digits, always */
void json_real(struct json_writer *w, const char *key, double x);      /* null when not finite */
void json_bool(struct json_writer *w, const char *key, bool x);
void json_null(struct json_writer *w, const char *key);

/* Integers and terminating decimals with all digits, other fractions as the nearest double. */
void json_num(struct json_writer *w, const char *key, struct num x);

/* The same with a point in any case ("0.0"), for readers that tell a float from an integer by it. */
void json_decimal(struct json_writer *w, const char *key, struct num x);

/* A number that is text already; it must be one of JSON. */
void json_digits(struct json_writer *w, const char *key, struct str digits);

/* Appends the finished value: in one line without spaces, or indented by two spaces. No line break
 * at the end. When cJSON runs out of memory the arena's escape is taken. */
void json_print(const struct json_writer *w, struct out *o, bool indented);

#endif
