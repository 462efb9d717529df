// SPDX-License-Identifier: ISC
// What is connected to the chip besides card and serial lines: levels at pins, voltages at the ADC, an EEPROM at the
// I2C bus (a 24C02: 256 bytes at address 0x50), a wire from MOSI to MISO.
#ifndef SIM_OUTSIDE_H
#define SIM_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct board;

enum { OUTSIDE_INPUTS = 32, I2C_EEPROM = 0x50, I2C_EEPROM_BYTES = 256 };

struct outside_input {
	char port;              // 'A' to 'L': a pin, its level; 0: channel `bit` of the ADC, millivolts
	uint8_t bit;
	uint16_t value;
};

struct outside_config {
	struct outside_input inputs[OUTSIDE_INPUTS];
	unsigned count;
	bool i2c_eeprom;
	bool spi_wire;
};

// One input from the text PIN=LEVEL (PD4=1) or ADCn=MILLIVOLTS. 0, or -1: it is none, or there are too many.
int outside_take(struct outside_config *c, const char *text);

// 0, or -1 with a message: the chip has no such pin or channel.
int outside_init(struct board *b, char *err, size_t errlen);

#endif
