// SPDX-License-Identifier: ISC
//
// Names of ASCII letters only: others cannot be made or found, and files that have them show their 8.3 names. Stands for fs/utf.c.

#include "fs/fat.h"

uint16_t utf_sequence(struct utf *u, uint8_t c)
{
	(void)u;
	(void)c;
	return UTF_BAD;
}

void put_unit(struct back *b, uint16_t unit)
{
	if (unit < 0x20 || unit >= 0x80 || unit == '/')
		b->bad = true;
	back_put(b, (uint8_t)unit);
}
