// SPDX-License-Identifier: ISC
// The table of chips: see chip.h.
#include "chip.h"

#include <stddef.h>
#include <string.h>

static const struct chip chips[] = {
	{ "m1284p", "atmega1284p", 20000000, 0x100, 4, 5, 7, 4, 0x01, 0x00, 0x1e000, 256 },
	{ "nano", "atmega1284p", 20000000, 0x100, 4, 5, 7, 4, 0x01, 0x00, 0x1e000, 256 },
	{ "mega2560", "atmega2560", 16000000, 0x200, 0, 2, 1, 5, 0x03, 0x01, 0x3e000, 256 },
};

const struct chip *chip_find(const char *name)
{
	for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
		if (!strcmp(chips[i].board, name))
			return &chips[i];
	return NULL;
}
