// SPDX-License-Identifier: ISC
//
// File names: UTF-8 in the kernel; on the card 8.3 names, and long names as UTF-16 in pieces of 13 units, the last
// piece first (section Long File Name Implementation). Nothing here holds a whole long name: pieces are compared,
// made and shown one by one.

#include <avr/pgmspace.h>
#include <string.h>

#include "fs/fat.h"

bool name_ends(char c)
{
	return !c || c == '/';
}

uint16_t utf_next(struct utf *u)
{
	uint16_t unit = u->low;
	char c = *u->s;

	u->low = 0;
	if (unit)
		return unit;
	if (name_ends(c)) {
		unit = u->ended ? UTF_AFTER : UTF_END;
		u->ended = true;
		return unit;
	}
	u->s++;
	return (uint8_t)c < 0x80 ? (uint8_t)c : utf_sequence(u, (uint8_t)c);
}

uint8_t name_units(const char *name)
{
	struct utf u = { name, 0, false };
	uint16_t unit, before = 0;
	uint8_t n = 0;

	while ((unit = utf_next(&u)) != UTF_END) {
		if (unit == UTF_BAD || unit < 0x20 || (unit < 0x80 && strchr_P(PSTR("\"*:<>?\\|\x7f"), (char)unit)))
			return 0;
		n++;
		before = unit;
	}
	return before == '.' || before == ' ' || u.s - name > OX_NAME_MAX ? 0 : n;
}

static uint16_t fold(uint16_t unit)
{
	return unit >= 'a' && unit <= 'z' ? unit - 32 : unit;
}

bool name_equal(const char *name, const char *shown)
{
	while (*shown && fold((uint8_t)*name) == fold((uint8_t)*shown)) {
		name++;
		shown++;
	}
	return !*shown && name_ends(*name);
}

uint8_t name_sum(const uint8_t *short_name)
{
	uint8_t sum = 0;

	for (uint8_t i = 11; i; i--)
		sum = (uint8_t)((sum << 7 | sum >> 1) + *short_name++);
	return sum;
}

// Unit i (0 to 12) of a long name entry.
static uint8_t *unit_of(const struct disk_entry *e, uint8_t i)
{
	i = (uint8_t)(i << 1);
	if (i >= 10)
		i += 3;
	if (i >= 25)
		i += 2;
	return (uint8_t *)e + 1 + i;
}

static uint16_t get_unit(const struct disk_entry *e, uint8_t i)
{
	const uint8_t *p = unit_of(e, i);

	return (uint16_t)(p[0] | p[1] << 8);
}

// A reader that stands at the first unit of a piece.
static void utf_seek(struct utf *u, const char *name, uint8_t ordinal)
{
	u->s = name;
	u->low = 0;
	u->ended = false;
	for (uint8_t skip = (uint8_t)(13 * ((ordinal & 0x3f) - 1)); skip; skip--)
		utf_next(u);
}

NOINLINE bool lfn_match(const struct disk_entry *e, const char *name)
{
	struct utf u;

	utf_seek(&u, name, e->name[0]);
	for (uint8_t i = 0; i < 13; i++)
		if (fold(get_unit(e, i)) != fold(utf_next(&u)))
			return false;
	return !(e->name[0] & LFN_LAST) || u.ended || utf_next(&u) == UTF_END;
}

void lfn_fill(struct disk_entry *e, const char *name, uint8_t ordinal, uint8_t sum)
{
	struct utf u;
	uint16_t unit;
	uint8_t *p;

	memset(e, 0, sizeof *e);
	e->name[0] = ordinal;
	e->attr = ATTR_LFN;
	e->tenth = sum;
	utf_seek(&u, name, ordinal);
	for (uint8_t i = 0; i < 13; i++) {
		unit = utf_next(&u);
		p = unit_of(e, i);
		p[0] = (uint8_t)unit;
		p[1] = (uint8_t)(unit >> 8);
	}
}

void back_put(struct back *b, uint8_t c)
{
	if (b->p == b->limit)
		b->bad = true;
	else
		*--b->p = (char)c;
}

void lfn_prepend(struct back *b, const struct disk_entry *e)
{
	bool filling = e->name[0] & LFN_LAST;
	uint16_t unit;

	for (uint8_t i = 13; i--;) {
		unit = get_unit(e, i);
		if (filling && (uint16_t)(unit + 1) < 2) // the end mark and what follows it
			continue;
		filling = false;
		put_unit(b, unit);
	}
}

// Part of an 8.3 name without its blanks; returns where it ends in `out`.
static char *show_part(char *out, const uint8_t *part, uint8_t n, bool lower)
{
	char *end = out;

	for (; n; n--) {
		uint8_t c = *part++;

		if (c < 0x20 || c >= 0x7f || c == '/')
			c = '_'; // of a code page nobody knows
		if (lower && c >= 'A' && c <= 'Z')
			c |= 0x20;
		*out++ = (char)c;
		if (c != ' ')
			end = out;
	}
	return end;
}

uint8_t short_text(const struct disk_entry *e, char *out)
{
	char *p = show_part(out, e->name, 8, e->letters & CASE_BASE);

	if (e->name[8] != ' ') {
		*p++ = '.';
		p = show_part(p, e->name + 8, 3, e->letters & CASE_EXT);
	}
	*p = 0;
	return (uint8_t)(p - out);
}

// Puts the characters of `name` up to `end` into a field of n blanks. Flags as name_alias; `lower`: the case bit.
static uint8_t alias_part(const char *name, const char *end, uint8_t *out, uint8_t n, uint8_t lower)
{
	uint8_t flags = 0, c;
	bool upper = false;

	for (; name != end; name++) {
		c = (uint8_t)*name;
		if (c == ' ' || c == '.' || !n) {
			flags |= ALIAS_TAIL | ALIAS_LFN;
			continue;
		}
		if (c >= 'a' && c <= 'z') {
			c -= 32;
			flags |= lower;
		} else if (c >= 'A' && c <= 'Z') {
			upper = true;
		} else if (c >= 0x80 || strchr_P(PSTR("+,;=[]"), (char)c)) {
			c = '_';
			flags |= ALIAS_TAIL | ALIAS_LFN;
		}
		*out++ = c;
		n--;
	}
	return upper && flags & lower ? flags | ALIAS_LFN : flags;
}

uint8_t name_alias(const char *name, uint8_t *out)
{
	const char *end = name, *dot = 0;
	uint8_t flags;

	memset(out, ' ', 11);
	for (; !name_ends(*end); end++)
		if (*end == '.' && end != name)
			dot = end;
	flags = alias_part(name, dot ? dot : end, out, 8, CASE_BASE);
	if (dot)
		flags |= alias_part(dot + 1, end, out + 8, 3, CASE_EXT);
	if (out[0] == ' ') // nothing but blanks and dots before the last dot
		out[0] = '_';
	return flags;
}

void alias_hash(uint8_t *alias, const char *name, uint8_t seed)
{
	uint16_t hash = seed;

	while (!name_ends(*name))
		hash = hash * 33 + (uint8_t)*name++;
	if (alias[1] == ' ' || alias[1] == '~')
		alias[1] = '_';
	for (uint8_t i = 2; i < 6; i++) {
		alias[i] = 'A' + (hash & 15);
		hash >>= 4;
	}
}
