// SPDX-License-Identifier: ISC
// The image file behind the simulated card: sectors of 512 bytes, private to this run or shared
// with the file.
#ifndef SIM_IMAGE_H
#define SIM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECTOR = 512 };

struct image {
	uint8_t *bytes;
	uint64_t sectors;
	size_t mapped;
	bool shared;            // writes reach the file
	int fd;
	uint32_t *reads;        // per sector, counted by the card
	uint32_t *writes;
};

// Opens path. shared = false: the file is opened read-only and changes live in memory of this
// process alone (copy-on-write pages). shared = true: changes go to the file, which is locked
// against a second writer. Returns 0, or -1 with a message in err.
int image_open(struct image *im, const char *path, bool shared, char *err, size_t errlen);

// Address of one sector's 512 bytes, or NULL beyond the end. Does not count.
uint8_t *image_sector(const struct image *im, uint64_t lba);

// Flushes and closes. Returns 0, or -1 when the data could not be written to the file.
int image_close(struct image *im);

#endif
