// SPDX-License-Identifier: ISC
//
// The bytecode core (core.S) as the kernel sees it: context slots, why it stopped, and the state it stopped in.
//
// A context slot is three pages of 256 bytes. Page 0: the registers of the process at offset 0..63; the rest of the
// page can be reached by hostile operand bytes, so nothing else lies there. Page 1: bytes 0..3 belong to nobody (an
// operand byte of 0xFF reaches them), bytes 4..127 are the kernel's, 128..255 the code map. Page 2: the data map.
#ifndef OCTIX_VM_H
#define OCTIX_VM_H

// Data map entry of a 256-byte data page: high byte of its frame; bit 7: clean, a store faults; 0x80: absent.
#define MAP_ABSENT 0x80
#define MAP_CLEAN  0x80

// Code map: 64 pairs of frame page and tag, indexed by code page mod 64.
#define CODE_MAP_OFFSET 128
#define CODE_TAG_NONE   0xff

// Why the core stopped.
#define STOP_PREEMPT  0 // vm_pending was set
#define STOP_READ     1 // data page vm_page is absent
#define STOP_WRITE    2 // data page vm_page is absent or clean
#define STOP_CODE     3 // the code page in vm_pc is not in the code map
#define STOP_ECALL    4 // vm_pc is behind the ecall
#define STOP_ILLEGAL  5 // vm_pc is behind the opcode
#define STOP_BREAK    6 // vm_pc is behind the opcode

// vm_pending: 0; or something for the kernel to do; with PENDING_SLICE: the time slice is over, and with VM_RUNNING, the core ran at its end.
#define PENDING_SLICE 2

// Bit in GPIOR1: the core runs, r2 is its dispatch table.
#define VM_RUNNING 1

#ifndef __ASSEMBLER__

#include <stdint.h>

struct pc {
	uint8_t offset;
	uint8_t index; // 0x80 | 2 * (page & 63)
	uint8_t tag;   // page >> 6
};

struct slot {
	uint32_t regs[16];
	uint8_t hostile[256 - 64];  // reachable by any program: no use
	uint8_t nobody[4];
	uint8_t kernel[124];        // buffers of the kernel, see slots.h
	struct code_entry { uint8_t frame, tag; } code[64];
	uint8_t data[256];          // MAP_*
};

extern struct slot slots[];     // 256-byte aligned

// The address with this high byte, in slots or pool. (On the chip the first two terms are nothing.)
static inline uint8_t *page_address(uint8_t high)
{
	return (uint8_t *)slots - (uint16_t)(uintptr_t)slots + ((uint16_t)high << 8);
}

extern struct pc vm_pc;         // of the running process
extern uint32_t vm_acc;         // its accumulator
extern uint8_t vm_slot_page;    // high byte of its slot's address
extern uint8_t vm_space;        // its data space
extern const struct space *vm_space_at; // what is known about it (pager.h)
extern uint8_t vm_slot_bit;     // 1 << number of its slot
extern uint8_t vm_page;         // data page of the last STOP_READ or STOP_WRITE
extern uint8_t vm_byte;         // and the byte in it
extern volatile uint8_t vm_pending; // the kernel wants to be entered: set by interrupts
extern volatile uint32_t tick_ms;   // milliseconds since boot

// slot.S: copies registers, all but x0, in whose place the accumulator lies when they are not in a slot; empties the maps of a slot.
void copy_regs(uint32_t *to, const uint32_t *from);
void slot_clear(struct slot *slot);

// Runs processes for ever: enters the core with vm_pc, vm_acc and vm_slot_page, and calls stop() each time it stops.
void vm_run(void) __attribute__((noreturn));

// The kernel's part, called with STOP_*: returns when some process can run, with its vm_pc, vm_acc and vm_slot_page set.
void stop(uint8_t why);

#endif
#endif
