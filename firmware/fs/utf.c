// SPDX-License-Identifier: ISC
//
// Letters of names beyond ASCII: UTF-8 here, UTF-16 on the card.

#include "fs/fat.h"

uint16_t utf_sequence(struct utf *u, uint8_t c)
{
	uint8_t n = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
	uint16_t value = c & (0x3f >> n), before = 0;

	if (c < 0xc2 || c > 0xf4)
		return UTF_BAD;
	for (uint8_t i = n; i; i--) {
		c = (uint8_t)*u->s ^ 0x80;
		if (c >= 0x40)
			return UTF_BAD;
		u->s++;
		before = value;
		value = (uint16_t)(value << 6 | c);
	}
	if (n == 3) {
		u->low = 0xdc00 | (value & 0x3ff);
		value = 0xd800 - 0x40 + (before >> 4);
		return before < 0x400 || before >= 0x4400 ? UTF_BAD : value;
	}
	return (n == 2 && value < 0x800) || value >> 11 == 0x1b ? UTF_BAD : value;
}

// Six bits of a UTF-8 sequence; returns the others.
static uint16_t put_six(struct back *b, uint16_t value)
{
	back_put(b, (uint8_t)(0x80 | (value & 0x3f)));
	return value >> 6;
}

void put_unit(struct back *b, uint16_t unit)
{
	uint16_t low = b->low;
	uint8_t lead = 0xe0, kind = unit >> 10;

	b->low = 0;
	if (kind == 0x37 && !low) { // the second of a pair comes first
		b->low = unit;
		return;
	}
	if ((kind == 0x36) != (low != 0) || unit < 0x20 || unit == '/')
		b->bad = true;
	if (unit < 0x80) {
		back_put(b, (uint8_t)unit);
		return;
	}
	if (low) {
		put_six(b, low);
		unit = (uint16_t)(((unit & 0x3ff) + 0x40) << 4 | (low >> 6 & 15));
		lead = 0xf0;
	}
	unit = put_six(b, unit);
	if (unit >= 0x20 || low)
		unit = put_six(b, unit);
	else
		lead = 0xc0;
	back_put(b, (uint8_t)(lead | unit));
}
