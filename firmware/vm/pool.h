// SPDX-License-Identifier: ISC
//
// The one pool of frames: code, data, directories, FAT and file blocks all live in it, each frame keyed by the
// sector it holds. A frame has FRAME_SIZE bytes (512 or 256, board.h); a sector takes FRAMES_PER_SECTOR adjacent
// frames when the file system has it, a page one frame. Victims are chosen by CLOCK among frames that are not pinned.
//
// Rules for callers: every block_get/block_new is paired with a block_put; at most three frames (or sector runs) are
// pinned at once; a pointer is good until its block_put. Nothing here yields the CPU.
#ifndef OCTIX_POOL_H
#define OCTIX_POOL_H

#include <stdbool.h>
#include <stdint.h>

// What asks for the card now may be left and run again from its start: page faults, and system calls as long as they have changed nothing.
// Then block_get, block_new and block_flush do not return. block_dirty and block_write end that; who changes something else first sets it to false.
extern bool card_restart;

// The 512-byte block `lba` of the card, read when it is not in the pool, pinned. NULL: the read failed (EIO).
uint8_t *block_get(uint32_t lba);

// The same for a block whose old contents do not matter: no read, filled with zeros, already dirty.
uint8_t *block_new(uint32_t lba);

// The block has been changed: it is written when its frame is needed, or by block_flush.
void block_dirty(uint8_t *block);

// It has been written to its end and is not likely to be wanted soon: it goes next.
void block_done(uint8_t *block);

// Does the block end with the CRC16 of its other 510 bytes? False: perhaps not. (The card's transfer has computed it.)
bool block_sealed(const uint8_t *block);

// Writes the 512 bytes of `block` to sector `lba` now (its own, which makes it clean, or a copy's, as of FAT 2).
// 0, or -OX_EIO: it is dirty, and written when its frame is needed or by block_flush.
int8_t block_write(uint8_t *block, uint32_t lba);

// Is it in the pool?
bool block_here(uint32_t lba);

// The card made the last reader wait, and nothing is read ahead yet.
extern bool card_slow;

// Asks for a block that will be wanted soon; nobody waits for it. Not when it is in the pool, the card is busy, or a frame would have
// to be written. For when card_slow, and a block is one frame: a pool of smaller ones has none to spare.
void block_ahead(uint32_t lba);

// Unpins.
void block_put(uint8_t *block);

// Writes every dirty block of the file system (not process data). 0 or -OX_EIO; goes on after an error.
int8_t block_flush(void);

// Forgets blocks first .. first + count - 1 without writing them: their clusters have been freed.
void block_forget(uint32_t first, uint32_t count);

#endif
