// SPDX-License-Identifier: ISC
// Registers of the simulated card that describe it (SD Physical Layer Simplified Specification,
// sections 5.2 and 5.3), as the 16 bytes that CMD10 and CMD9 send, CRC7 included.
#ifndef SIM_SDREGS_H
#define SIM_SDREGS_H

#include <stdbool.h>
#include <stdint.h>

// high: CSD version 2.0, the size rounded down to 512 KiB (at least one such unit). Else version
// 1.0, rounded down to what its multiplier can say; up to 2 GiB.
void sd_csd(bool high, uint64_t sectors, uint8_t csd[16]);

void sd_cid(uint8_t cid[16]);

#endif
