// SPDX-License-Identifier: ISC
//
// bend FILE SEED COUNT OFFSET LENGTH [OFFSET LENGTH]...: changes COUNT bytes, each at random in one of the ranges, by the seed.
// bend --crc FILE: puts the right CRC16 into the header of an OXE file.
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "image/util.h"

static uint32_t state;

static uint32_t random_below(uint32_t n)
{
	state = state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(state >> 1) * n >> 31);
}

static void fix_crc(int fd)
{
	uint8_t header[512];
	uint16_t crc = 0;
	read_at(fd, header, sizeof header, 0, "bend");
	for (int i = 0; i < 510; i++) {
		crc ^= (uint16_t)(header[i] << 8);
		for (int bit = 0; bit < 8; bit++)
			crc = (uint16_t)(crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0));
	}
	write_at(fd, (uint8_t[]){(uint8_t)(crc >> 8), (uint8_t)crc}, 2, 510, "bend");
}

static void damage(int fd, int ranges, char **range, int count)
{
	static const uint8_t nasty[] = {0, 1, 2, 0xFF};
	while (count--) {
		int k = 2 * (int)random_below((uint32_t)ranges);
		off_t at = atoll(range[k]) + random_below((uint32_t)atol(range[k + 1]));
		uint8_t byte = random_below(2) ? nasty[random_below(sizeof nasty)] : (uint8_t)random_below(256);
		write_at(fd, &byte, 1, at, "bend");
	}
}

int main(int argc, char **argv)
{
	program = "bend";
	bool crc = argc == 3 && !strcmp(argv[1], "--crc");
	int fd = argc < 3 ? -1 : open(argv[crc ? 2 : 1], O_RDWR);
	if (fd < 0 || (!crc && (argc < 6 || argc % 2)))
		usage_error("see the head of bend.c");
	if (crc) {
		fix_crc(fd);
		return 0;
	}
	state = (uint32_t)atol(argv[2]) * 2654435761u;
	damage(fd, (argc - 4) / 2, argv + 4, atoi(argv[3]));
	return 0;
}
