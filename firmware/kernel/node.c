// SPDX-License-Identifier: ISC
//
// /dev and /proc: the table of nodes, and finding in it.

#include "kernel/node.h"

#include <string.h>

#include <avr/pgmspace.h>

#include "fs/fat.h"
#include "kernel/part.h"
#include "kernel/print.h"
#include "kernel/proc.h"

enum row { ROW_DEV, ROW_PROC, ROW_PID, ROW_ROOT = 0xff }; // of those that others name

static const struct node_row {
	uint8_t parent; // enum row
	uint8_t attr;
	uint8_t kind;   // enum open_kind
	char name[8];
} rows[] PROGMEM = {
	[ROW_DEV] = { ROW_ROOT, ATTR_DIR | ATTR_READ_ONLY, OPEN_FILE, "dev" },
	PART(BOARD_HAS_PROC, [ROW_PROC] = { ROW_ROOT, ATTR_DIR | ATTR_READ_ONLY, OPEN_FILE, "proc" })
	PART(BOARD_HAS_PROC, [ROW_PID] = { ROW_PROC, ATTR_DIR | ATTR_READ_ONLY, OPEN_FILE, "" }) // one for each process, by its number
	{ ROW_DEV, ATTR_DEVICE, OPEN_CONSOLE, "console" },
	{ ROW_DEV, ATTR_DEVICE, OPEN_TTY, "tty" },
	PART(BOARD_HAS_TTY2, { ROW_DEV, ATTR_DEVICE, OPEN_TTYS1, "ttyS1" })
	{ ROW_DEV, ATTR_DEVICE, OPEN_NULL, "null" },
	{ ROW_DEV, ATTR_DEVICE, OPEN_ZERO, "zero" },
	{ ROW_DEV, ATTR_DEVICE, OPEN_RANDOM, "random" },
	PART(BOARD_HAS_MEM, { ROW_DEV, ATTR_DEVICE | ATTR_SYSTEM, OPEN_MEM, "mem" })
	PART(BOARD_HAS_EEPROM, { ROW_DEV, ATTR_DEVICE | ATTR_SYSTEM, OPEN_EEPROM, "eeprom" })
	PART(BOARD_HAS_GPIO, { ROW_DEV, ATTR_DEVICE | ATTR_SYSTEM, OPEN_GPIO, "gpio" })
	PART(BOARD_HAS_ADC, { ROW_DEV, ATTR_DEVICE | ATTR_READ_ONLY, OPEN_ADC, "adc" })
	PART(BOARD_HAS_I2C, { ROW_DEV, ATTR_DEVICE | ATTR_SYSTEM, OPEN_I2C, "i2c" })
	PART(BOARD_HAS_SPI, { ROW_DEV, ATTR_DEVICE | ATTR_SYSTEM, OPEN_SPI, "spi" })
	PART(BOARD_HAS_PROC, { ROW_PROC, ATTR_TEXT, OPEN_STAT, "stat" })
	PART(BOARD_HAS_PROC, { ROW_PROC, ATTR_TEXT, OPEN_MEMINFO, "meminfo" })
	PART(BOARD_HAS_PROC, { ROW_PROC, ATTR_TEXT, OPEN_MOUNTS, "mounts" })
	PART(BOARD_HAS_PROC, { ROW_PID, ATTR_TEXT, OPEN_PROCESS, "stat" })
};

#define ROWS (sizeof rows / sizeof rows[0])

#define ROW_16 2 // in the attributes' byte

#define FIRST 2 // place of the first row: before it are `.` and `..` of the root

_Static_assert(ROWS + PROCS + FIRST < NODE_PLACES, "fs.h");
_Static_assert(ROWS <= 32, "a row is five bits of a node's number: the fifth lies in a place that attributes leave free");

static uint8_t row_of(uint32_t number)
{
	return number ? ((uint8_t)(number >> 24) & 15) | ((uint8_t)(number >> 16) & ROW_16) << 3 : ROW_ROOT;
}

// Is it this row of /proc?
static inline bool is_row(uint8_t row, enum row of_proc)
{
	return BOARD_HAS_PROC && row == of_proc;
}

static NOINLINE uint32_t number_of(uint8_t row, uint16_t pid)
{
	return (uint32_t)(0xf0 | (row & 15)) << 24 | (uint32_t)(pgm_read_byte(&rows[row].attr) | (row >> 3 & ROW_16)) << 16 | pid;
}

uint8_t node_kind(uint32_t number)
{
	return pgm_read_byte(&rows[row_of(number)].kind);
}

bool node_next(uint32_t dir, uint8_t *i, uint32_t *number, char *name)
{
	uint8_t row = row_of(dir), n;

	if (*i < FIRST)
		*i = FIRST;
	while ((n = (*i)++ - FIRST) < ROWS)
		if (!is_row(n, ROW_PID) && pgm_read_byte(&rows[n].parent) == row) {
			strcpy_P(name, rows[n].name);
			*number = number_of(n, (uint16_t)dir);
			return true;
		}
	if (!is_row(row, ROW_PROC))
		return false;
	for (; n < ROWS + PROCS; n = (*i)++ - FIRST) {
		const struct proc *p = &procs[n - ROWS];

		if (p->state != PROC_FREE) {
			number_text(name, p->pid);
			*number = number_of(ROW_PID, p->pid);
			return true;
		}
	}
	return false;
}

uint32_t node_find(uint32_t dir, const char *name)
{
	char text[8];
	uint32_t number;
	uint8_t i = 0;

	if (dir && *name == '.') // `..`: nothing else begins so
		return name[1] != '.' || !name_ends(name[2]) ? NODE_NONE : is_row(row_of(dir), ROW_PID) ? number_of(ROW_PROC, 0) : 0;
	while (node_next(dir, &i, &number, text))
		if (name_equal(name, text))
			return number;
	return NODE_NONE;
}

bool node_check(uint32_t number)
{
	return !(uint16_t)number || proc_find((uint16_t)number);
}
