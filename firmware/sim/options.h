// SPDX-License-Identifier: ISC
// Options that oxsim and oxsmoke share: board, card, latencies, faults, limits.
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "board.h"

struct options {
	struct board_config cfg;        // latencies and max_cycles are set by options_finish()
	double read_us, write_us;
	double max_seconds;             // < 0: not given
	uint64_t max_cycles;
};

enum {
	OPT_BOARD = 256, OPT_SD, OPT_READ_LATENCY, OPT_WRITE_LATENCY, OPT_ACMD41, OPT_FAULT,
	OPT_MAX_CYCLES, OPT_MAX_SECONDS, OPT_NO_FLOW, OPT_EEPROM, OPT_LEVEL,
	OPT_I2C_EEPROM, OPT_SPI_WIRE, OPT_OWN,       // programs number their own from OPT_OWN
};

#define OPTIONS_SHARED \
	{ "board", required_argument, 0, OPT_BOARD }, \
	{ "sd", required_argument, 0, OPT_SD }, \
	{ "read-latency", required_argument, 0, OPT_READ_LATENCY }, \
	{ "write-latency", required_argument, 0, OPT_WRITE_LATENCY }, \
	{ "acmd41", required_argument, 0, OPT_ACMD41 }, \
	{ "fault", required_argument, 0, OPT_FAULT }, \
	{ "max-cycles", required_argument, 0, OPT_MAX_CYCLES }, \
	{ "max-seconds", required_argument, 0, OPT_MAX_SECONDS }, \
	{ "no-flow", no_argument, 0, OPT_NO_FLOW }, \
	{ "eeprom", required_argument, 0, OPT_EEPROM }, \
	{ "level", required_argument, 0, OPT_LEVEL }, \
	{ "i2c-eeprom", no_argument, 0, OPT_I2C_EEPROM }, \
	{ "spi-wire", no_argument, 0, OPT_SPI_WIRE }

extern const char options_help[];       // text for --help

void options_init(struct options *o);

// Takes one shared option. Returns 0, or -1 after a message on stderr.
int options_take(struct options *o, int opt, const char *arg);

// Turns seconds and microseconds into cycles of the chosen board. default_seconds: limit when
// none was given, 0 = none.
void options_finish(struct options *o, double default_seconds);

#endif
