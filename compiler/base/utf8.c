/* utf8.c - one strict decoder, used by everything that looks inside text. */
#include "compiler/base/utf8.h"

bool utf8_is_code(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/* Bytes that a lead byte announces; 0 for a byte that cannot lead. C0, C1 and F5 to FF would only
 * start overlong forms or characters that do not exist. */
static uint32_t announced(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 2;
	if (lead >= 0xe0 && lead <= 0xef)
		return 3;
	return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

uint32_t utf8_decode(struct str s, uint32_t *code)
{
	/* smallest character that needs so many bytes */
	static const uint32_t least[UTF8_BYTES_MAX + 1] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead;
	uint32_t n, value;

	if (s.n == 0)
		return 0;
	lead = (unsigned char)s.p[0];
	n = announced(lead);
	if (n == 0 || n > s.n)
		return 0;
	value = n == 1 ? lead : lead & (0x7fu >> n);
	for (uint32_t i = 1; i < n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (c & 0x3f);
	}
	if (value < least[n] || !utf8_is_code(value))
		return 0;
	*code = value;
	return n;
}

uint32_t utf8_check(struct str s)
{
	uint32_t at = 0;

	while (at < s.n) {
		uint32_t code, n;

		if ((unsigned char)s.p[at] < 0x80) {
			at++;
			continue;
		}
		n = utf8_decode((struct str){ s.p + at, s.n - at }, &code);
		if (n == 0)
			break;
		at += n;
	}
	return at;
}

uint32_t utf8_encode(uint32_t code, char p[UTF8_BYTES_MAX])
{
	uint32_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	invariant(utf8_is_code(code), "only real characters are written");
	if (n == 1) {
		p[0] = (char)code;
		return 1;
	}
	for (uint32_t i = n - 1; i > 0; i--) {
		p[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	p[0] = (char)((0xf00u >> n & 0xf0) | code);
	return n;
}
