// SPDX-License-Identifier: ISC
// Tells for each sector of a card what it belongs to, from the file system found on the card.
#ifndef SIM_AREAS_H
#define SIM_AREAS_H

#include <stdint.h>

#include "image.h"

enum area { AREA_OTHER, AREA_FAT, AREA_DIR, AREA_SWAP, AREA_FILE, AREA_COUNT };

extern const char *const area_names[AREA_COUNT];

struct area_totals {
	uint64_t reads[AREA_COUNT], writes[AREA_COUNT];
	uint64_t all_reads, all_writes;
};

// One byte (enum area) per sector, from malloc; NULL when memory is short. A card without a FAT
// file system is AREA_OTHER all over. Reads the card as it is now, changes of the run included.
uint8_t *areas_map(const struct image *im);

// Sums the counters of the image by area.
void areas_total(const struct image *im, const uint8_t *map, struct area_totals *out);

#endif
