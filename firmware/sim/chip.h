// SPDX-License-Identifier: ISC
// The boards and their chips, one table row each. Everything that differs
// between them stands here; register addresses that are the same on both are constants below
// (data-space addresses, as in the register summaries of the data sheets).
#ifndef SIM_CHIP_H
#define SIM_CHIP_H

#include <stdint.h>

struct chip {
	const char *board;      // name of the board, as in firmware/boards
	const char *mcu;        // simavr's name of the chip
	uint32_t hz;            // clock of the board
	uint16_t ram_start;     // first byte of internal SRAM
	uint8_t cs_bit;         // bit of port B that is the card's chip select (and SS)
	uint8_t mosi_bit;       // bit of port B that is MOSI
	uint8_t sck_bit;        // bit of port B that is SCK
	uint8_t irq_cycles;     // interrupt entry, and the same again on wake from sleep
	uint8_t rampz_mask;     // implemented bits of RAMPZ
	uint8_t eind_mask;      // implemented bits of EIND, 0: none
	uint32_t boot_start;    // first byte of the boot (and no-read-while-write) section
	uint16_t page_bytes;    // flash page
};

// Row of the board called name, or NULL.
const struct chip *chip_find(const char *name);

enum {
	REG_PINB = 0x23, REG_DDRB = 0x24, REG_PORTB = 0x25,
	REG_GPIOR0 = 0x3e, REG_GPIOR1 = 0x4a,
	REG_SPCR = 0x4c, REG_SPSR = 0x4d, REG_SPDR = 0x4e,
	REG_SMCR = 0x53, REG_MCUSR = 0x54, REG_SPMCSR = 0x57,
	REG_RAMPZ = 0x5b, REG_EIND = 0x5c, REG_SP = 0x5d,
	REG_UART0 = 0xc0, REG_UART1 = 0xc8,     // UCSRnA; B C - BRRL BRRH DR follow
};

#endif
