// SPDX-License-Identifier: ISC
// SPI master with the timing of the chip: 8 SCK periods a byte, then readable; a write while busy
// is a collision. The card hangs on port B; its chip select is read from the port.
#ifndef SIM_SPI_H
#define SIM_SPI_H

#include <stdbool.h>
#include <stdint.h>

struct board;

struct spi {
	bool busy, seen;        // seen: SPSR was read while SPIF or WCOL was set
	uint64_t done, free;    // cycle from which the byte can be read, the next be written
	uint8_t shifting, received;
	uint64_t bytes, collisions, mistakes;
	char mistake[128];      // first mistake in words
};

void spi_init(struct board *b);

// Puts the SPI and the chip select into the state after a reset of the chip.
void spi_reset(struct board *b);

#endif
