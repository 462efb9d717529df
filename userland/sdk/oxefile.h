// SPDX-License-Identifier: ISC
//
// OXE files as bytes: reading, the CRC, and all checks that need nothing but the file (OXE.md).
#ifndef SDK_OXEFILE_H
#define SDK_OXEFILE_H

#include <octix/oxe.h>
#include <stddef.h>
#include <stdint.h>

struct oxe_file {
	uint8_t *bytes;
	size_t size;
	const struct oxe_header *header;  // in bytes
	const struct oxe_section *code;   // NULL when the file has none; likewise the others
	const struct oxe_section *rodata;
	const struct oxe_section *data;
};

// CRC16-CCITT (polynomial 0x1021, start 0) of n bytes, as SD cards use it.
uint16_t oxe_crc(const uint8_t *p, size_t n);

// Writes the CRC of the sector's first 510 bytes into its last two.
void oxe_seal(uint8_t *sector);

// Reads a whole file. Returns NULL, or what failed (a static string or strerror's).
const char *oxe_read(const char *path, struct oxe_file *f);

void oxe_free(struct oxe_file *f);

// First byte of a section in the file.
const uint8_t *oxe_bytes(const struct oxe_file *f, const struct oxe_section *s);

// Code pages of the file.
unsigned oxe_pages(const struct oxe_file *f);

// Receives one fault as a line of text without a newline.
typedef void oxe_report(void *arg, const char *text);

// Checks header and section table and sets code, rodata and data. Returns the number of faults reported.
unsigned oxe_check_header(struct oxe_file *f, oxe_report *report, void *arg);

// Checks the CRC of every code sector; the header must be good. Returns the number of faults reported.
unsigned oxe_check_crcs(const struct oxe_file *f, oxe_report *report, void *arg);

// Checks that all instructions decode and all targets are starts of instructions. Returns the number of faults.
unsigned oxe_check_code(const struct oxe_file *f, oxe_report *report, void *arg);

#endif
