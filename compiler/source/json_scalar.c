/* json_scalar.c - JSON strings with their escapes, and numbers with all their digits. */
#include "compiler/base/utf8.h"
#include "compiler/source/json_int.h"

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits behind "\u"; false, without a message, when there are not four. */
static bool read_hex(struct json_reader *r, uint32_t *code)
{
	*code = 0;
	for (int i = 0; i < 4; i++) {
		int digit = hex_value(json_peek(r));

		if (digit < 0)
			return false;
		*code = *code << 4 | (uint32_t)digit;
		r->at++;
	}
	return true;
}

/* A \u escape from its backslash on; two of them when the first is half of a pair. */
static bool read_unicode(struct json_reader *r, struct out *o)
{
	uint32_t lo = r->at, code, low;
	char bytes[UTF8_BYTES_MAX];

	r->at += 2;
	if (!read_hex(r, &code))
		return json_fail(r, lo, r->at, "`\\u` needs four hexadecimal digits");
	if (code >= 0xd800 && code <= 0xdbff && json_peek(r) == '\\' &&
	    r->at + 1 < r->text.n && r->text.p[r->at + 1] == 'u') {
		uint32_t second = r->at;

		r->at += 2;
		if (!read_hex(r, &low))
			return json_fail(r, second, r->at, "`\\u` needs four hexadecimal digits");
		if (low >= 0xdc00 && low <= 0xdfff)
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	if (!utf8_is_code(code))
		return json_fail(r, lo, r->at, "half of a surrogate pair is not a character");
	out_bytes(o, bytes, utf8_encode(code, bytes));
	return true;
}

static bool read_escape(struct json_reader *r, struct out *o)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *found;
	char c = r->at + 1 < r->text.n ? r->text.p[r->at + 1] : '\0';

	if (c == 'u')
		return read_unicode(r, o);
	found = c ? strchr(letters, c) : NULL;
	if (!found)
		return json_fail(r, r->at, r->at + 1, "JSON strings do not have this escape");
	out_char(o, meanings[found - letters]);
	r->at += 2;
	return true;
}

/* Runs of plain characters are copied whole; without any escape nothing is copied. */
bool json_read_string(struct json_reader *r, struct str *text)
{
	uint32_t open = r->at++, run = r->at;
	bool escaped = false;
	struct out o;

	out_init(&o, r->arena);
	for (;;) {
		char c = json_peek(r);

		if (r->at == r->text.n || c == '\n')
			return json_fail(r, open, open + 1, "this string has no closing quote");
		if ((unsigned char)c < 0x20)
			return json_fail(r, r->at, r->at + 1,
					 "a control character in a string must be escaped");
		if (c == '"')
			break;
		if (c == '\\') {
			escaped = true;
			out_bytes(&o, r->text.p + run, r->at - run);
			if (!read_escape(r, &o))
				return false;
			run = r->at;
		} else {
			r->at++;
		}
	}
	*text = str_slice(r->text, run, r->at);
	if (escaped) {
		out_str(&o, *text);
		*text = out_view(&o);
	}
	r->at++;
	return true;
}

/* Passes a run of digits; false when there is none. */
static bool pass_digits(struct json_reader *r)
{
	uint32_t lo = r->at;

	while (json_peek(r) >= '0' && json_peek(r) <= '9')
		r->at++;
	return r->at > lo;
}

/* Checks the grammar, which is narrower than that of num_parse. */
static bool pass_number(struct json_reader *r, bool *whole)
{
	uint32_t lo = r->at;

	if (!pass_digits(r))
		return json_fail(r, lo, r->at, "a digit is expected behind the minus sign");
	if (r->text.p[lo] == '0' && r->at - lo > 1)
		return json_fail(r, lo, r->at, "a JSON number does not begin with a zero");
	*whole = true;
	if (json_peek(r) == '.') {
		*whole = false;
		r->at++;
		if (!pass_digits(r))
			return json_fail(r, lo, r->at, "a digit is expected behind the point");
	}
	if (json_peek(r) == 'e' || json_peek(r) == 'E') {
		*whole = false;
		r->at++;
		if (json_peek(r) == '+' || json_peek(r) == '-')
			r->at++;
		if (!pass_digits(r))
			return json_fail(r, lo, r->at, "a digit is expected in the exponent");
	}
	return true;
}

bool json_read_number(struct json_reader *r, struct json *v)
{
	uint32_t start = r->at, lo;
	bool negative = json_peek(r) == '-';

	if (negative)
		r->at++;
	lo = r->at;
	if (!pass_number(r, &v->written_as_int))
		return false;
	if (!num_parse(r->arena, str_slice(r->text, lo, r->at), &v->number))
		return json_fail(r, start, r->at, "this number has too many digits");
	if (negative)
		v->number = num_neg(r->arena, v->number);
	return true;
}
