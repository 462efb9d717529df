// SPDX-License-Identifier: ISC
//
// SD card in SPI mode: start-up, single blocks, errors. Sections are those of the SD Physical Layer Simplified
// Specification. Byte and block loops are in sd_xfer.S.
//
// Rules kept here: start-up runs at 400 kHz at most; chip select stays low from a command to the end of its data and
// every path raises it through release(), which also clocks the byte that makes the card let go of its line; every
// wait has a deadline on clock_ms().

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdbool.h>
#include <string.h>
#include <util/crc16.h>

#include "board.h"
#include "drivers/sd.h"
#include "drivers/sd_bus.h"
#include "kernel/clock.h"

enum { // commands (section 7.3.1.3)
	GO_IDLE = 0, SEND_IF_COND = 8, SEND_CSD = 9, STOP_TRANSMISSION = 12, SEND_STATUS = 13, SET_BLOCKLEN = 16,
	READ_BLOCK = 17, WRITE_BLOCK = 24, SD_SEND_OP_COND = 41, APP_CMD = 55, READ_OCR = 58, CRC_ON_OFF = 59,
};

enum { // bits of R1 (section 7.3.2.1)
	R1_IDLE = 0x01, R1_ILLEGAL = 0x04, R1_CRC = 0x08, R1_NONE = 0xff,
};

enum { START_TOKEN = 0xfe, STOP_TOKEN = 0xfd }; // section 7.3.3.2

enum { ACCEPTED = 0xe5, DAMAGED = 0xeb }; // data response with its upper bits set (section 7.3.3.1)

#define READ_MS 300 // section 4.6.2: 100 ms, and some cards need more
#define BUSY_MS 600 // 500 ms
#define RESET_MS 1000
#define START_MS 2000 // section 4.2.3: 1 s
#define TRIES 6 // from the third on each at half the speed

uint32_t sd_sectors, sd_reads, sd_writes;
uint16_t sd_crc;
uint8_t sd_token, sd_ready, sd_by_block;
uint32_t sd_argument;

static uint8_t divider; // log2 of F_CPU / bus clock

// Bus clock F_CPU / 2^log2, log2 1 to 6.
static void set_speed(uint8_t log2)
{
	static const uint8_t spr[] PROGMEM = { 0, 0, 1, 1, 2, 2 };

	divider = log2;
	sd_ready = false;
	SPCR = _BV(SPE) | _BV(MSTR) | pgm_read_byte(&spr[log2 - 1]);
	SPSR = log2 & 1 ? _BV(SPI2X) : 0;
}

static void release(void)
{
	PORTB |= _BV(BOARD_SD_CS_BIT);
	sd_byte(0xff);
}

// Clocks bytes through until one is what is waited for (not 0xff: a token; or 0xff: no longer busy); returns the last.
static uint8_t poll(bool ready, uint16_t ms)
{
	uint16_t start = clock_ms();
	uint8_t byte;

	do {
		byte = sd_byte(0xff);
		if ((byte == 0xff) == ready)
			break;
	} while ((uint16_t)(clock_ms() - start) < ms);
	return byte;
}

// Selects the card and waits until it is not busy.
static __attribute__((noinline)) bool wait_ready(void)
{
	PORTB &= (uint8_t)~_BV(BOARD_SD_CS_BIT);
	if (sd_byte(0xff) != 0xff && poll(true, BUSY_MS) != 0xff) // mostly the first will do
		return false;
	sd_ready = divider == 1;
	return true;
}

// Sends a command when the card is ready. R1, or R1_NONE; the card stays selected.
static uint8_t command(uint8_t index, uint32_t argument)
{
	return wait_ready() ? sd_frame(index, argument) : R1_NONE;
}

// A command whose answer is R1 alone.
static uint8_t simple_command(uint8_t index, uint32_t argument)
{
	uint8_t r1 = command(index, argument);

	release();
	return r1;
}

// A command answered by R3 or R7: R1 and 32 bits.
static uint8_t long_command(uint8_t index, uint32_t argument, uint32_t *answer)
{
	uint8_t r1 = command(index, argument);

	*answer = 0;
	for (uint8_t i = 4; i && !(r1 & ~R1_IDLE); i--)
		*answer = *answer << 8 | sd_byte(0xff);
	release();
	return r1;
}

static uint8_t app_command(uint8_t index, uint32_t argument)
{
	uint8_t r1 = simple_command(APP_CMD, 0);

	return r1 & ~R1_IDLE ? r1 : simple_command(index, argument);
}

// A block at any speed, 16 or 512 bytes; the counterpart of sd_data_in.
static int8_t slow_in(uint8_t *buf, uint16_t count, uint8_t half)
{
	uint16_t crc = 0;
	uint8_t byte;

	for (uint16_t i = 0; i < count; i++) {
		byte = sd_byte(0xff);
		crc = _crc_xmodem_update(crc, byte);
		if (half == SD_WHOLE || (uint8_t)(i >> 8) == half)
			*buf++ = byte;
	}
	sd_crc = crc;
	crc = _crc_xmodem_update(crc, sd_byte(0xff));
	crc = _crc_xmodem_update(crc, sd_byte(0xff));
	release();
	return crc ? SD_CRC : SD_OK;
}

static void slow_out(const uint8_t *buf, uint8_t half)
{
	uint16_t crc = 0;
	uint8_t byte;

	for (uint16_t i = 0; i < 512; i++) {
		byte = half == SD_WHOLE || i < 256 ? *buf++ : 0;
		crc = _crc_xmodem_update(crc, byte);
		sd_byte(byte);
	}
	sd_byte((uint8_t)(crc >> 8));
	sd_byte((uint8_t)crc);
}

// Why a command was refused.
static __attribute__((noinline)) int8_t r1_error(uint8_t r1)
{
	if ((r1 | 0x80) == R1_NONE)
		return SD_NOT_READY;
	return r1 & R1_CRC ? SD_CRC : SD_FAILED;
}

// After a damaged block: whether to try again. Two in a row mean wires that do not carry this speed.
static bool try_again(int8_t result, uint8_t *tries)
{
	if (result != SD_CRC || ++*tries >= TRIES)
		return false;
	if (*tries > 1 && divider < 5)
		set_speed(divider + 1);
	return true;
}

void sd_start_slowly(uint32_t argument)
{
	uint8_t r1 = R1_NONE;

	sd_argument = argument;
	if (wait_ready()) {
		if (sd_ready) {
			sd_start_at(argument);
			return;
		}
		sd_reads++;
		r1 = sd_frame(READ_BLOCK, argument);
	}
	sd_token = r1 ? r1 & 0x7f : poll(false, READ_MS) == START_TOKEN ? START_TOKEN : SD_NO_TOKEN;
}

bool sd_answers(void)
{
	uint8_t byte;

	if (sd_token != SD_WAITING && sd_token != SD_BUSY)
		return true;
	PORTB &= (uint8_t)~_BV(BOARD_SD_CS_BIT);
	byte = sd_byte(0xff);
	if (byte == sd_token)
		return false;
	if (sd_token == SD_BUSY) {
		release();
		sd_ready = byte == 0xff;
		byte = SD_NO_TOKEN;
	} else {
		SPDR = 0xff;
	}
	sd_token = byte;
	return true;
}

static int8_t finish(uint8_t *buf, uint8_t half)
{
	if (sd_token == SD_WAITING) {
		sd_token = SD_NO_TOKEN;
		if (poll(false, READ_MS) == START_TOKEN) {
			sd_token = START_TOKEN;
			SPDR = 0xff;
		}
	}
	if (sd_token == START_TOKEN)
		return divider > 1 ? slow_in(buf, 512, half) : sd_data_in(buf, half) ? SD_CRC : SD_OK;
	sd_ready = false;
	release();
	return r1_error(sd_token);
}

int8_t sd_finish_slowly(uint8_t *buf, uint8_t half)
{
	int8_t result = finish(buf, half);
	uint8_t tries = 0;

	if (!result)
		return SD_OK;
	result = SD_CRC; // an error token may be the only one
	while (try_again(result, &tries)) {
		sd_start_slowly(sd_argument);
		result = finish(buf, half);
	}
	return result;
}

int8_t sd_read(uint32_t lba, uint8_t *buf, uint8_t half)
{
	sd_start(lba);
	return sd_finish(buf, half);
}

// A block at any speed; the counterpart of sd_write_fast.
static uint8_t slow_write(const uint8_t *buf, uint8_t half)
{
	uint8_t r1 = sd_frame(WRITE_BLOCK, sd_argument);

	sd_writes++;
	if (r1)
		return r1;
	sd_byte(0xff);
	sd_byte(START_TOKEN);
	slow_out(buf, half);
	return sd_byte(0xff) | 0xe0;
}

// Sends a block and takes the data response (section 7.3.3.1).
static uint8_t write_once(const uint8_t *buf, uint8_t half)
{
	if (!wait_ready())
		return R1_NONE;
	return sd_ready ? sd_write_fast(sd_argument, buf, half) : slow_write(buf, half);
}

static int8_t write_result(uint8_t response)
{
	if (response == ACCEPTED)
		return SD_OK;
	if (response == DAMAGED)
		return SD_CRC;
	return response & 0x80 && response != R1_NONE ? SD_FAILED : r1_error(response);
}

int8_t sd_write_slowly(const uint8_t *buf, uint8_t half, uint8_t response)
{
	int8_t result;
	uint8_t tries = 0;

	do {
		if (!response)
			response = write_once(buf, half);
		if (sd_token != SD_BUSY)
			release();
		result = write_result(response);
		response = 0;
	} while (try_again(result, &tries));
	return result;
}

int8_t sd_flush(void)
{
	uint8_t r1 = command(SEND_STATUS, 0);
	uint8_t status = sd_byte(0xff);

	release();
	if (r1)
		return r1_error(r1);
	return status ? SD_FAILED : SD_OK;
}

// Clocks out whatever block an interrupted transfer still wants to send or to be sent, and stops it.
static void end_transfer(void)
{
	PORTB &= (uint8_t)~_BV(BOARD_SD_CS_BIT);
	for (uint16_t i = 0; i < 540; i++)
		sd_byte(0xff);
	sd_byte(STOP_TOKEN);
	sd_byte(0xff);
	sd_frame(STOP_TRANSMISSION, 0);
	release();
}

// CMD0 and CMD8 as a pair, until the card has taken both (section 7.2.1). *v2: it knows CMD8.
static int8_t reset(bool *v2)
{
	uint16_t start = clock_ms();
	int8_t result = SD_NO_CARD;
	uint32_t answer;
	uint8_t r1;

	do {
		PORTB |= _BV(BOARD_SD_CS_BIT);
		for (uint8_t i = 0; i < 10; i++) // at least 74 clocks
			sd_byte(0xff);
		PORTB &= (uint8_t)~_BV(BOARD_SD_CS_BIT);
		r1 = sd_frame(GO_IDLE, 0);
		release();
		if (r1 == R1_IDLE) {
			r1 = long_command(SEND_IF_COND, 0x1aa, &answer);
			*v2 = r1 == R1_IDLE && (answer & 0xfff) == 0x1aa;
			if (*v2 || r1 == (R1_IDLE | R1_ILLEGAL))
				return SD_OK;
		}
		if (r1 != R1_NONE)
			result = r1 & 0x80 || !(r1 & R1_CRC) ? SD_UNUSABLE : SD_CRC;
		end_transfer();
	} while ((uint16_t)(clock_ms() - start) < RESET_MS);
	return result;
}

// ACMD41 until the card leaves the idle state. Only the HCS bit may be set in SPI mode.
static int8_t leave_idle(bool v2)
{
	uint16_t start = clock_ms();
	uint8_t r1;

	do {
		r1 = app_command(SD_SEND_OP_COND, v2 ? 0x40000000 : 0);
		if (!r1)
			return SD_OK;
		if (r1 != R1_IDLE && r1 != R1_NONE && !(r1 & R1_CRC))
			return SD_UNUSABLE;
	} while ((uint16_t)(clock_ms() - start) < START_MS);
	return SD_NOT_READY;
}

// How the card counts addresses, and its capacity.
static int8_t identify(bool v2)
{
	uint32_t ocr = 0;
	uint8_t csd[16];
	int8_t result;

	if (v2 && long_command(READ_OCR, 0, &ocr))
		return SD_UNUSABLE;
	sd_by_block = ocr >> 30 & 1;
	if (!sd_by_block && simple_command(SET_BLOCKLEN, 512))
		return SD_UNUSABLE;
	if (command(SEND_CSD, 0) || poll(false, READ_MS) != START_TOKEN) {
		release();
		return SD_FAILED;
	}
	result = slow_in(csd, sizeof csd, SD_FIRST);
	if (result)
		return result;
	sd_sectors = sd_csd_sectors(csd);
	return sd_sectors ? SD_OK : SD_UNUSABLE;
}

int8_t sd_init(void)
{
	bool v2 = false;
	int8_t result;

	PORTB |= _BV(BOARD_SD_CS_BIT) | _BV(BOARD_SPI_SS_BIT);
	DDRB |= _BV(BOARD_SD_CS_BIT) | _BV(BOARD_SPI_SS_BIT) | _BV(BOARD_SPI_MOSI_BIT) | _BV(BOARD_SPI_SCK_BIT);
	set_speed(6);
	sd_sectors = 0;
	result = reset(&v2);
	if (result)
		return result;
	simple_command(CRC_ON_OFF, 1);
	result = leave_idle(v2);
	if (!result)
		result = identify(v2);
	set_speed(1);
	return result;
}

uint8_t sd_divider(void)
{
	return (uint8_t)(1 << divider);
}

// In the order of enum sd_error, from -1 on.
static const char texts[] PROGMEM =
	"no SD card answers; insert one, check its wires\0"
	"this card is not an SD card that can be used\0"
	"the SD card does not become ready; try another\0"
	"damaged data from the SD card; check wires and voltage\0"
	"the SD card reports an error; try another";

const char *sd_error_text(int8_t code)
{
	const char *p = texts;

	while (++code < 0)
		p += strlen_P(p) + 1;
	return p;
}
