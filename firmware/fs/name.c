// SPDX-License-Identifier: ISC
//
// File names: UTF-8 in the kernel; on the card 8.3 names, and long names as UTF-16 in pieces of 13 units, the last
// piece first (section Long File Name Implementation). Nothing here holds a whole long name: pieces are compared,
// made and shown one by one.

#include <avr/pgmspace.h>
#include <string.h>
#include <util/crc16.h>

#include "fs/fat.h"

static bool is_end(char c)
{
	return !c || c == '/';
}

// The rest of a UTF-8 sequence after its first byte `c`; a value below 0x80 stands for an ill-formed one.
static uint32_t utf_sequence(struct utf *u, uint8_t c)
{
	uint8_t n = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
	uint32_t value = c & (0x3f >> n);

	if (c < 0xc2 || c > 0xf4)
		return 0;
	for (uint8_t i = n; i; i--) {
		c = (uint8_t)*u->s;
		if ((c & 0xc0) != 0x80)
			return 0;
		u->s++;
		value = value << 6 | (c & 0x3f);
	}
	if ((n == 2 && value < 0x800) || (value >> 11) == 0x1b || (n == 3 && value < 0x10000) || value > 0x10ffff)
		return 0;
	return value;
}

uint16_t utf_next(struct utf *u)
{
	uint16_t unit = u->low;
	uint32_t value;
	uint8_t c;

	u->low = 0;
	if (unit)
		return unit;
	if (u->ended)
		return UTF_AFTER;
	c = (uint8_t)*u->s;
	u->ended = is_end((char)c);
	if (u->ended)
		return UTF_END;
	u->s++;
	if (c < 0x80)
		return c;
	value = utf_sequence(u, c);
	if (value < 0x80)
		return UTF_BAD;
	if (value < 0x10000)
		return (uint16_t)value;
	u->low = (uint16_t)(0xdc00 | (value & 0x3ff));
	return (uint16_t)(0xd800 | ((value - 0x10000) >> 10));
}

static bool forbidden(uint8_t c)
{
	return c < 0x20 || c == 0x7f || strchr_P(PSTR("\"*:<>?\\|"), c);
}

uint8_t name_units(const char *name)
{
	struct utf u = { name, 0, false };
	uint16_t unit, before = 0;
	uint8_t n = 0;

	for (;;) {
		unit = utf_next(&u);
		if (unit == UTF_END)
			return before == '.' || before == ' ' || u.s - name > OX_NAME_MAX ? 0 : n;
		if (unit == UTF_BAD || (unit < 0x80 && forbidden((uint8_t)unit)) || ++n == 255)
			return 0;
		before = unit;
	}
}

char name_fold(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

static uint16_t fold16(uint16_t unit)
{
	return unit < 0x80 ? (uint8_t)name_fold((char)unit) : unit;
}

bool name_equal(const char *name, const char *shown)
{
	while (*shown && name_fold(*name) == name_fold(*shown)) {
		name++;
		shown++;
	}
	return !*shown && is_end(*name);
}

uint8_t name_sum(const uint8_t *short_name)
{
	uint8_t sum = 0;

	for (uint8_t i = 11; i; i--)
		sum = (uint8_t)((sum << 7 | sum >> 1) + *short_name++);
	return sum;
}

// Offset of unit i (0 to 12) in a long name entry.
static uint8_t unit_at(uint8_t i)
{
	uint8_t at = (uint8_t)(1 + 2 * i);

	if (i >= 5)
		at += 3;
	return i >= 11 ? at + 2 : at;
}

// A reader that stands at the first unit of a piece.
static void utf_seek(struct utf *u, const char *name, uint8_t ordinal)
{
	u->s = name;
	u->low = 0;
	u->ended = false;
	for (uint8_t skip = (uint8_t)(13 * (ordinal - 1)); skip; skip--)
		utf_next(u);
}

bool lfn_match(const uint8_t *e, const char *name)
{
	struct utf u;
	uint16_t unit;

	utf_seek(&u, name, e[L_ORD] & 0x3f);
	for (uint8_t i = 0; i < 13; i++) {
		unit = utf_next(&u);
		if (fold16(get16(e + unit_at(i))) != fold16(unit))
			return false;
	}
	return !(e[L_ORD] & L_LAST) || u.ended || (is_end(*u.s) && !u.low);
}

void lfn_fill(uint8_t *e, const char *name, uint8_t ordinal, bool last, uint8_t sum)
{
	struct utf u;

	memset(e, 0, 32);
	e[L_ORD] = last ? ordinal | L_LAST : ordinal;
	e[D_ATTR] = ATTR_LFN;
	e[L_SUM] = sum;
	utf_seek(&u, name, ordinal);
	for (uint8_t i = 0; i < 13; i++)
		put16(e + unit_at(i), utf_next(&u));
}

// One byte before what is there.
static bool put_back(struct back *b, uint8_t c)
{
	if (b->p == b->limit)
		return false;
	*--b->p = (char)c;
	return true;
}

// The UTF-8 of a character before what is there.
static bool put_character(struct back *b, uint32_t value)
{
	uint8_t mark = 0x80, room = 0x3f;

	if (value < 0x80)
		return value >= 0x20 && value != '/' && put_back(b, (uint8_t)value);
	do {
		if (!put_back(b, (uint8_t)(0x80 | (value & 0x3f))))
			return false;
		value >>= 6;
		mark = mark >> 1 | 0x80;
		room >>= 1;
	} while (value > room);
	return put_back(b, (uint8_t)(mark | value));
}

static bool put_unit(struct back *b, uint16_t unit)
{
	uint16_t low = b->low;
	uint8_t kind = unit >> 10;

	b->low = 0;
	if (kind == 0x37 && !low) {
		b->low = unit;
		return true;
	}
	if ((kind == 0x36) != (low != 0))
		return false;
	return put_character(b, low ? 0x10000 + ((uint32_t)(unit & 0x3ff) << 10 | (low & 0x3ff)) : unit);
}

bool lfn_prepend(struct back *b, const uint8_t *e)
{
	bool tail = e[L_ORD] & L_LAST;
	uint16_t unit;

	for (uint8_t i = 13; i--;) {
		unit = get16(e + unit_at(i));
		if (tail && (!unit || unit == 0xffff)) // the end mark and the filling after it
			continue;
		tail = false;
		if (!put_unit(b, unit))
			return false;
	}
	return !((e[L_ORD] & 0x3f) == 1 && b->low);
}

// Part of an 8.3 name without its blanks; returns where it ends in `out`.
static char *show_part(char *out, const uint8_t *part, uint8_t n, bool lower)
{
	uint8_t c;

	while (n && part[n - 1] == ' ')
		n--;
	for (; n; n--) {
		c = *part++;
		if (c < 0x20 || c >= 0x7f || c == '/')
			c = '_'; // of a code page nobody knows
		*out++ = lower && c >= 'A' && c <= 'Z' ? (char)(c + 32) : (char)c;
	}
	return out;
}

uint8_t short_text(const uint8_t *e, char *out)
{
	char *p = show_part(out, e, 8, e[D_CASE] & CASE_BASE);
	char *ext = p + 1;
	char *end = show_part(ext, e + 8, 3, e[D_CASE] & CASE_EXT);

	if (end != ext) {
		*p = '.';
		p = end;
	}
	*p = 0;
	return (uint8_t)(p - out);
}

// Puts the characters of `name` up to `end` into a field of n blanks. Flags as name_alias; `lower`: the case bit.
static uint8_t alias_part(const char *name, const char *end, uint8_t *out, uint8_t n, uint8_t lower)
{
	uint8_t flags = 0;
	bool upper = false;

	for (; name != end; name++) {
		uint8_t c = (uint8_t)*name;

		if (c == ' ' || c == '.' || (c & 0xc0) == 0x80 || !n) {
			flags |= ALIAS_TAIL;
			continue;
		}
		if (c >= 0x80 || strchr_P(PSTR("+,;=[]"), c)) {
			c = '_';
			flags |= ALIAS_TAIL;
		}
		if (c >= 'a' && c <= 'z')
			flags |= lower;
		upper |= c >= 'A' && c <= 'Z';
		*out++ = (uint8_t)name_fold((char)c);
		n--;
	}
	if (flags & ALIAS_TAIL || (upper && flags & lower))
		flags |= ALIAS_LFN;
	return flags;
}

uint8_t name_alias(const char *name, uint8_t *out)
{
	const char *end, *dot = 0;
	uint8_t flags = 0;

	memset(out, ' ', 11);
	for (; *name == '.'; name++)
		flags = ALIAS_LFN | ALIAS_TAIL;
	for (end = name; !is_end(*end); end++)
		if (*end == '.')
			dot = end;
	flags |= alias_part(name, dot ? dot : end, out, 8, CASE_BASE);
	if (dot)
		flags |= alias_part(dot + 1, end, out + 8, 3, CASE_EXT);
	if (out[0] == ' ') { // nothing but blanks before the dot
		out[0] = '_';
		flags |= ALIAS_LFN | ALIAS_TAIL;
	}
	return flags;
}

uint8_t alias_keep(const uint8_t *alias)
{
	uint8_t n = 0;

	while (n < 6 && alias[n] != ' ')
		n++;
	return n;
}
