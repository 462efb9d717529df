// SPDX-License-Identifier: ISC
//
// Data spaces and page faults. A space is 64 KB of data of one process and the program it runs: pages come from the
// program's file, are zero-filled, or come back from the space's own stretch of the swap area. A space that runs holds
// a context slot; its maps say which of its pages are resident.
//
// Rules for callers: a pointer from space_page is good until the next call that may need a frame.
#ifndef OCTIX_PAGER_H
#define OCTIX_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/param.h"
#include "vm/frames.h"

#define NO_SPACE 0xff
#define NO_SLOT  0xff

struct space {
	uint32_t file;        // (soft.S knows the first two and the last) sector of the program file's header, before its code; 0: space is free
	uint16_t code_sectors; // then comes what lies at data address 0x200
	uint16_t writebacks;  // pages written to swap (mod 65536)
	uint8_t readonly_end; // data pages (high bytes of addresses): read-only below,
	uint8_t image_end;    //   from the file below,
	uint8_t heap_end;     //   usable below,
	uint8_t stack_start;  //   and again from here on
	uint8_t slot;         // context slot or NO_SLOT
	uint8_t in_swap[DATA_PAGES / 8];
};

extern struct space spaces[SPACES];
_Static_assert(offsetof(struct space, code_sectors) == SPACE_CODE_SECTORS && offsetof(struct space, in_swap) == SPACE_IN_SWAP, "soft.S");

// What became of a fault: PAGER_HARD: a page had to be brought in; the others: why it could not be done.
enum pager_result { PAGER_OK, PAGER_HARD, PAGER_SEGV, PAGER_IO, PAGER_NO_FRAME, PAGER_BAD_CODE };

extern uint8_t pager_why; // of the last page brought in, or of the last failure of frame_take or frame_read

// The swap area: `sectors` from sector `first`. Returns how many spaces it has room for.
uint8_t pager_set_swap(uint32_t first, uint32_t sectors);

// A space of nobody, emptied, or NO_SPACE.
uint8_t space_new(void);

// A new space of the same program with the same limits; or NO_SPACE.
uint8_t space_like(uint8_t space);

// Copies changed pages of a space, from `page` on, to another's swap, up to the first that had to be written. The next page to begin with, or COPY_*.
uint16_t space_copy(uint8_t from, uint8_t to, uint16_t page);
#define COPY_DONE   256
#define COPY_FAILED 257

// Frees it with all its frames and its slot's maps.
void space_free(uint8_t space);

// Gives the space a context slot (its maps empty).
void slot_bind(uint8_t slot, uint8_t space);

// The kernel's address of data page `page` (high byte of its addresses) of a space, made resident; write: it will be
// changed. NULL: *result says why.
uint8_t *space_page(uint8_t space, uint8_t page, bool write, uint8_t *result);

// Faults of the space in a slot that soft.S has not found in the pool: the page becomes resident and mapped.
uint8_t pager_data_fault(uint8_t space, uint8_t page, bool write);
uint8_t pager_code_fault(uint8_t space, uint8_t index, uint8_t tag);

// For the pool: a code frame has been read; false: damaged. Removes a mapped frame from all maps; notes that a page has been written to swap.
bool pager_code_come(uint8_t frame);
void pager_unmap(uint8_t frame);
void pager_swapped(uint8_t space, uint8_t page);

// Pages of a space in swap; frames it owns.
uint16_t space_swapped(uint8_t space);
uint8_t space_resident(uint8_t space);

#endif
