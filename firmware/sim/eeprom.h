// SPDX-License-Identifier: ISC
// EEPROM with its time: a write takes 3.4 ms, and needs EEMPE within four cycles before EEPE.
#ifndef SIM_EEPROM_H
#define SIM_EEPROM_H

#include <stddef.h>
#include <stdint.h>

struct board;

enum { EEPROM_BYTES = 4096 }; // of both chips

struct eeprom {
	uint8_t bytes[EEPROM_BYTES];
	uint64_t armed_until;   // EEPE is honoured up to this cycle
	uint64_t busy_until;    // the write ends
	uint64_t written;       // bytes
	uint64_t refused;       // reads and writes that the chip ignores
};

// Erased, or with the contents of the file b->cfg.eeprom, if there is one.
int eeprom_init(struct board *b, char *err, size_t errlen);

// Keeps the contents in that file. 0, or -1 with errno.
int eeprom_keep(const struct board *b);

#endif
