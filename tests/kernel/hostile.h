// SPDX-License-Identifier: ISC
//
// A hostile program: random code pages, and the register values they start with.
#ifndef TESTS_HOSTILE_H
#define TESTS_HOSTILE_H

#include <stddef.h>
#include <stdint.h>

#define HOSTILE_PAGES 256
#define HOSTILE_ENTRY 4                 // page 0, behind the mark
#define HOSTILE_READ_ONLY_END 0x0a      // high byte of its first writable address
#define HOSTILE_MARK  "\0HOS"           // the first four bytes of each of its code pages; byte 0 traps

void hostile_seed(uint64_t seed);
uint32_t hostile_random(void);

// Code pages to mutate: those of an OXE file. Returns NULL or what failed.
const char *hostile_donor(const char *path);

// New bytes for the nth page, all but the mark and the page ends.
void hostile_page(uint8_t *page, unsigned long n);

// A value for a register: pointers into data, pointers at edges, code pointers, anything.
uint32_t hostile_value(void);

// Bytes that end the process with exit status `status`.
void hostile_exit(uint8_t *page, uint8_t status);

// Makes the CRC of an OXE file's header right. 0 or -1.
int hostile_seal(const char *path);

// Writes an OXE file of HOSTILE_PAGES random pages. 0 or -1.
int hostile_write(const char *path);

#endif
