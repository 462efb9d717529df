// SPDX-License-Identifier: ISC
//
// The OXE executable file: header sector and constants, shared by packer, host VM, kernel and checkers.
// userland/sdk/OXE.md specifies every byte. All numbers are little-endian, but for the CRCs, which are
// big-endian as SD sends them, so that the running CRC over a good sector ends at 0.
#ifndef OCTIX_OXE_H
#define OCTIX_OXE_H

#include <stdint.h>

#define OXE_SECTOR        512
#define OXE_MAGIC         "OXE\x1a"
#define OXE_FORMAT        1    // of the header
#define OXE_BYTECODE      1    // version of the opcode table (OXE.md, section 3)
#define OXE_ABI           1    // of the system calls
#define OXE_MAX_SECTIONS  30
#define OXE_ALIAS_MAX     64   // bytes of an alias target with its NUL

#define OXE_PAGE          256  // bytes of a code page
#define OXE_PAGE_USED     250  // instructions end before this offset; the rest is page ends (and the sector's CRC)
#define OXE_MAX_PAGES     8128 // 127 tags of 64 pages; tag 0x7f is reserved for native code, bit 7 is ignored
#define OXE_OP_MAX        6    // bytes of the longest instruction

#define OXE_DATA_BASE     0x0200u // first mapped data address; below it every access faults
#define OXE_DATA_END      0x10000ul
#define OXE_ARG_MAX       4096 // bytes of argument and environment strings and pointers at the top of the stack
#define OXE_ARG_FREE      1024 // of them as many lie in the stack that the program asks for; it grows by the others

enum oxe_type { OXE_PROGRAM = 0, OXE_ALIAS = 1 };

enum oxe_section_type {
	OXE_SEC_END = 0,
	OXE_SEC_CODE = 1,   // bytecode pages, two a sector, last two bytes of each sector are its CRC
	OXE_SEC_RODATA = 2, // loaded at `addr`, never written
	OXE_SEC_DATA = 3,   // loaded at `addr`
	// unknown types are skipped
};

struct oxe_section {
	uint8_t type;
	uint8_t flags;        // 0
	uint16_t addr;        // data address of the first byte; 0 for code
	uint16_t sector;      // first sector, counted from the start of the file
	uint16_t reserved;    // 0
	uint32_t bytes;       // without padding
};

struct oxe_header {
	uint8_t magic[4];     // OXE_MAGIC without its NUL
	uint8_t format;
	uint8_t bytecode;
	uint16_t abi;
	uint8_t build_id[8];  // hash of all sections; the same input gives the same id
	uint32_t entry;       // code pointer
	uint16_t data_end;    // first address behind bss, rounded up to 4: the heap begins here
	uint16_t stack;       // bytes of stack, a multiple of 512
	uint16_t heap;        // bytes of heap before brk is called; 0: all up to the stack
	uint8_t type;         // enum oxe_type
	uint8_t sections;     // 0..OXE_MAX_SECTIONS
	union {
		struct oxe_section section[OXE_MAX_SECTIONS]; // code, rodata, data first and in this order, adjacent in the file
		char alias[OXE_ALIAS_MAX];                    // OXE_ALIAS: absolute path of the program to run
	} u;
	uint8_t reserved[510 - 28 - 12 * OXE_MAX_SECTIONS];
	uint8_t crc[2];       // CRC16-CCITT (polynomial 0x1021, start 0) of the 510 bytes before, high byte first
};

_Static_assert(sizeof(struct oxe_section) == 12, "an OXE section row is 12 bytes");
_Static_assert(sizeof(struct oxe_header) == OXE_SECTOR, "the OXE header is one sector");

#endif
