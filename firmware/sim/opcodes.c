// SPDX-License-Identifier: ISC
// Classes of opcodes, decoded once into a table so that the run loop spends one look-up an
// instruction. simavr runs unknown opcodes as no-ops; here they are told apart.
#include "opcodes.h"

#include <stdbool.h>

// 1001 000d dddd xxxx: loads. Low nibbles 3, 8 and 11 are reserved.
static enum opclass class_load(unsigned low)
{
	if (low == 3 || low == 8 || low == 11)
		return OPC_BAD;
	return low >= 4 && low <= 7 ? OPC_LPM : OPC_PLAIN;
}

// 1001 001d dddd xxxx: stores. 4 to 7 are XMEGA's exchange instructions.
static enum opclass class_store(unsigned low)
{
	return low == 3 || low == 8 || low == 11 || (low >= 4 && low <= 7) ? OPC_BAD : OPC_PLAIN;
}

// 1001 0101 xxxx 1000: instructions without operands.
static enum opclass class_single(unsigned op)
{
	switch (op) {
	case 0x9508: case 0x9518: case 0x9598: case 0x95a8:
		return OPC_PLAIN;       // ret reti break wdr
	case 0x9588:
		return OPC_SLEEP;
	case 0x95c8: case 0x95d8:
		return OPC_LPM;
	case 0x95e8: case 0x95f8:
		return OPC_SPM;
	}
	return OPC_BAD;
}

// 1001 010x xxxx xxxx: one-register operations, jumps, flags.
static enum opclass class_94(unsigned op, const struct chip *chip)
{
	switch (op & 15) {
	case 4: case 11:
		return OPC_BAD;
	case 8:
		return op < 0x9500 ? OPC_PLAIN : class_single(op);
	case 9:
		if (op == 0x9409 || op == 0x9509)
			return OPC_PLAIN;
		return (op == 0x9419 || op == 0x9519) && chip->eind_mask ? OPC_PLAIN : OPC_BAD;
	}
	return OPC_PLAIN;
}

static enum opclass class_of(unsigned op, const struct chip *chip)
{
	if (op == 0xffff)
		return OPC_ERASED;
	if (op > 0 && op < 0x100)
		return OPC_BAD;
	if (op >= 0xf800 && op & 8)
		return OPC_BAD;
	switch (op >> 9) {
	case 0x48: return class_load(op & 15);
	case 0x49: return class_store(op & 15);
	case 0x4a: return class_94(op, chip);
	}
	return OPC_PLAIN;
}

void opcodes_fill(uint8_t table[65536], const struct chip *chip)
{
	for (unsigned op = 0; op < 65536; op++)
		table[op] = (uint8_t)class_of(op, chip);
}

void opcodes_watch(uint8_t table[65536])
{
	for (unsigned op = 0; op < 65536; op++) {
		bool displaced = (op & 0xd000) == 0x8000, other = (op & 0xfc00) == 0x9000 && (op & 15) != 15;
		if (table[op] == OPC_PLAIN && (displaced || other))
			table[op] = OPC_ACCESS;
	}
}
