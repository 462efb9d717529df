// SPDX-License-Identifier: ISC
//
// firmware/drivers/sd.h on an image in memory. See machine.h.

#include "drivers/sd.h"
#include "drivers/sd_bus.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <util/crc16.h>

#include "machine.h"

#define TRANSFER 11000 // cycles of a sector
#define BYTE     40    // of a look at the card
#define START_TOKEN 0xfe

uint32_t sd_sectors, sd_reads, sd_writes;
uint16_t sd_crc;
struct card_trouble card_trouble;
uint64_t card_failed_writes, card_failed_reads;
unsigned card_latency;

static uint8_t *image;
static FILE *log_file;
static uint64_t writes; // tried

void card_open(const char *path, bool shared)
{
	int fd = open(path, shared ? O_RDWR : O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		fprintf(stderr, "oxkernel: %s: ", path);
		perror(0);
		exit(2);
	}
	image = mmap(0, (size_t)st.st_size, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE, fd, 0);
	close(fd);
	if (image == MAP_FAILED) {
		fprintf(stderr, "oxkernel: %s: cannot be mapped: is it an image?\n", path);
		exit(2);
	}
	sd_sectors = (uint32_t)(st.st_size / 512);
}

const uint8_t *card_sector(uint32_t lba)
{
	return image + (size_t)lba * 512;
}

bool card_save(const char *path)
{
	static const uint8_t zeros[65536];
	FILE *f = fopen(path, "w");
	size_t size = (size_t)sd_sectors * 512, at, n;
	bool ok = f != 0;

	for (at = 0; ok && at < size; at += n) { // empty stretches become holes
		n = size - at < sizeof zeros ? size - at : sizeof zeros;
		if (memcmp(image + at, zeros, n))
			ok = fwrite(image + at, n, 1, f) == 1;
		else
			ok = !fseek(f, (long)n, SEEK_CUR);
	}
	if (f)
		ok = ok && !fflush(f) && !ftruncate(fileno(f), (off_t)size);
	if (!f || fclose(f) || !ok)
		fprintf(stderr, "oxkernel: %s: cannot be written\n", path);
	return ok;
}

void card_log(const char *path)
{
	log_file = fopen(path, "a");
	if (!log_file) {
		perror(path);
		exit(2);
	}
}

static bool goes_wrong(unsigned one_of, uint64_t *left)
{
	if (!one_of || !*left || (wild_on && !wild_runs()) || machine_pick(one_of))
		return false;
	--*left;
	return true;
}

static void move(char how, uint32_t lba, bool failed)
{
	if (!machine_interrupts)
		machine_fail("the card is used with interrupts off");
	if (lba >= sd_sectors)
		machine_fail("sector %u is beyond the card", lba);
	machine_spend(TRANSFER);
	if (core_trace && failed)
		fprintf(stderr, "  the card fails: %c %u\n", how, lba);
	if (log_file)
		fprintf(log_file, "%c %u%s\n", how, lba, failed ? " !" : "");
}

int8_t sd_init(void)
{
	return image ? SD_OK : SD_NO_CARD;
}

// The block's transfer, when it has come.
static int8_t take(uint32_t lba, uint8_t *buf, uint8_t half)
{
	bool failed = goes_wrong(card_trouble.read, &card_trouble.reads_left) || (lba && lba == card_trouble.bad_sector);
	const uint8_t *from;

	move('r', lba, failed);
	from = card_sector(lba);
	if (failed) {
		card_failed_reads++;
		memset(buf, 0xa5, half == SD_WHOLE ? 512 : 256);
		return SD_FAILED;
	}
	sd_crc = 0;
	for (unsigned i = 0; i < 512; i++)
		sd_crc = _crc_xmodem_update(sd_crc, from[i]);
	sd_reads++;
	memcpy(buf, from + (half == SD_SECOND ? 256 : 0), half == SD_WHOLE ? 512 : 256);
	return SD_OK;
}

uint8_t sd_ready = 1, sd_token = SD_NO_TOKEN;
static bool reading;      // from command to block
static uint32_t started;
static uint64_t comes;    // cycle, when the card answers

static void wait_ready(void)
{
	while (!sd_ready)
		sd_answers();
}

void sd_start(uint32_t lba)
{
	wait_ready();
	if (reading)
		machine_fail("sector %u is read while sector %u is on its way", lba, started);
	reading = true;
	started = lba;
	comes = machine_cycles + card_latency;
	sd_token = card_latency ? SD_WAITING : START_TOKEN;
}

// As the tick does.
bool card_tick(void)
{
	if (machine_cycles < comes || (sd_token != SD_WAITING && sd_token != SD_BUSY))
		return false;
	if (sd_token == SD_WAITING)
		sd_token = START_TOKEN;
	return true;
}

bool sd_answers(void)
{
	machine_spend(BYTE);
	if (reading && sd_token != SD_WAITING && sd_token != START_TOKEN)
		machine_fail("sector %u is on its way and nobody looks for it", started);
	if (card_tick() && sd_token == SD_BUSY) {
		sd_token = SD_NO_TOKEN;
		sd_ready = 1;
	}
	return sd_token != SD_WAITING && sd_token != SD_BUSY;
}

int8_t sd_finish(uint8_t *buf, uint8_t half)
{
	if (!reading)
		machine_fail("a block is taken that nobody has asked for");
	while (!sd_answers())
		;
	reading = false;
	return take(started, buf, half);
}

int8_t sd_read(uint32_t lba, uint8_t *buf, uint8_t half)
{
	sd_start(lba);
	return sd_finish(buf, half);
}

int8_t sd_write(uint32_t lba, const uint8_t *buf, uint8_t half)
{
	if (reading)
		machine_fail("sector %u is written while sector %u is on its way", lba, started);
	bool failed = goes_wrong(card_trouble.write, &card_trouble.writes_left) || ++writes == card_trouble.one_write;
	uint8_t *to;

	if (half == SD_SECOND)
		machine_fail("sector %u: only the second half is written", lba);
	wait_ready();
	move('w', lba, failed);
	to = image + (size_t)lba * 512;
	if (failed) {
		card_failed_writes++;
		return SD_FAILED;
	}
	sd_writes++;
	if (card_latency) {
		sd_ready = 0;
		sd_token = SD_BUSY;
		comes = machine_cycles + card_latency;
	}
	memset(to, 0, 512);
	memcpy(to, buf, half == SD_WHOLE ? 512 : 256);
	return SD_OK;
}

int8_t sd_flush(void)
{
	if (reading)
		machine_fail("the card is asked for its status while sector %u is on its way", started);
	wait_ready();
	return SD_OK;
}

const char *sd_error_text(int8_t code)
{
	(void)code;
	return PSTR("no card: name an image with --card");
}

uint8_t sd_divider(void)
{
	return 2;
}
