// SPDX-License-Identifier: ISC
// Which of the 65,536 first words of an instruction the board must look at before simavr runs it.
#ifndef SIM_OPCODES_H
#define SIM_OPCODES_H

#include <stdint.h>

#include "chip.h"

enum opclass {
	OPC_PLAIN,      // simavr runs it
	OPC_BAD,        // no instruction of this chip
	OPC_ERASED,     // 0xFFFF: erased flash
	OPC_SLEEP,
	OPC_SPM,        // spm, spm Z+
	OPC_LPM,        // lpm and elpm in all forms: looked at while flash is being programmed
	OPC_ACCESS,     // loads and stores by pointer or address, when the board is watched
};

// Fills the table for one chip (AVR Instruction Set Manual, AVRe+ core).
void opcodes_fill(uint8_t table[65536], const struct chip *chip);

// Gives LD, LDD, LDS, ST, STD and STS the class OPC_ACCESS (not PUSH, POP, LPM).
void opcodes_watch(uint8_t table[65536]);

#endif
