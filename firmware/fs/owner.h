// SPDX-License-Identifier: ISC
//
// Owner and mode of a file in the creation time of its directory entry, of a directory in that of its `.`. Shared with the
// image tools.
//
// The five bytes at offset 13 of an entry (hundredths; time; date: section Directory Structure) hold 28 bits and their parity as a
// valid FAT date of the years 2084 to 2087, in which nothing is created. So a PC that reads such a time and writes it back by way of
// its own time type keeps every bit. Bits of the fields, from the highest, after 1 is taken from day and month:
//
//   date       1101 0uG0 UUU0 UUUU   u, U: user, bit 7 and the others; G, g: group, the same
//   time       0MMM M0PM ggg0 gggg   M: mode, bits 10 to 7 in the hour, bit 11 lowest; P: odd parity
//   hundredths 0MMM MMMM             mode, bits 6 to 0
//
// Anything else is what a PC has written: the file's owner is not known.
#ifndef OCTIX_OWNER_H
#define OCTIX_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#define OWNER_OFFSET 13  // in a directory entry
#define OWNER_BYTES  5
#define OWNER_MAX    254 // highest user and group (OCT_ID_MAX); 255 stands for none
#define OWNER_MODE   07777

struct owner {
	uint8_t uid, gid;
	uint16_t mode; // permissions, set-uid, set-gid, sticky
};

void owner_encode(uint8_t *at, const struct owner *o);

// False: there is no owner; *o is as before.
bool owner_decode(const uint8_t *at, struct owner *o);

#endif
