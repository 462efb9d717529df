// SPDX-License-Identifier: ISC
// Small helpers of the test firmwares: polled console at 115200, decimal numbers, SPI, SD commands.
// Header-only, so that a firmware is one file and one compiler call. Works on both boards.
#ifndef FW_H
#define FW_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdint.h>

#ifdef __AVR_ATmega2560__
enum { CS_BIT = 0, SCK_BIT = 1, MOSI_BIT = 2, UBRR_115200 = 16 };       // U2X
#else
enum { CS_BIT = 4, SCK_BIT = 7, MOSI_BIT = 5, UBRR_115200 = 21 };       // U2X
#endif

static inline void console_start(void)
{
	UBRR0 = UBRR_115200;
	UCSR0A = _BV(U2X0);
	UCSR0B = _BV(TXEN0) | _BV(RXEN0);
}

static inline void put(char c)
{
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UCSR0A = _BV(TXC0) | _BV(U2X0);
	UDR0 = (uint8_t)c;
}

static inline void print_p(const char *s)
{
	char c;
	while ((c = (char)pgm_read_byte(s++)))
		put(c);
}

#define print(s) print_p(PSTR(s))

static inline void print_num(uint32_t v)
{
	char buf[11];
	uint8_t n = 0;
	do {
		buf[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while (n)
		put(buf[--n]);
}

static inline void print_hex(uint8_t v)
{
	put("0123456789abcdef"[v >> 4]);
	put("0123456789abcdef"[v & 15]);
}

#define report(name, value) do { print(name "="); print_num(value); print("\r\n"); } while (0)

// Waits until the last byte has left, then stops the simulation.
static inline void halt(void)
{
	while (!(UCSR0A & _BV(TXC0)))
		;
	cli();
	SMCR = _BV(SE);
	for (;;)
		__asm__ volatile("sleep");
}

static inline void timer_start(void)
{
	TCCR1A = 0;
	TCCR1B = _BV(CS10);
	TCNT1 = 0;
}

// ---------------------------------------------------------------- SPI and card

static inline void cs_high(void) { PORTB |= _BV(CS_BIT); }
static inline void cs_low(void) { PORTB &= (uint8_t)~_BV(CS_BIT); }

static inline void spi_start(void)
{
	cs_high();
	DDRB |= _BV(CS_BIT) | _BV(SCK_BIT) | _BV(MOSI_BIT);
	SPCR = _BV(SPE) | _BV(MSTR);
}

static inline void spi_slow(void) { SPCR |= _BV(SPR1); SPSR = 0; }              // F/64
static inline void spi_fast(void) { SPCR &= (uint8_t)~(_BV(SPR1) | _BV(SPR0)); SPSR = _BV(SPI2X); }

static inline uint8_t spi(uint8_t v)
{
	SPDR = v;
	while (!(SPSR & _BV(SPIF)))
		;
	return SPDR;
}

static uint8_t crc_override;    // not 0: sent in place of the right CRC7

static uint8_t crc7_of(const uint8_t *p, uint8_t n)
{
	uint8_t crc = 0;
	while (n--) {
		crc ^= *p++;
		for (uint8_t i = 0; i < 8; i++)
			crc = (uint8_t)(crc & 0x80 ? (crc << 1) ^ 0x12 : crc << 1);
	}
	return crc | 1;
}

// Sends a command with chip select low already; returns R1, or 0xff when there is no answer.
static uint8_t command(uint8_t cmd, uint32_t arg)
{
	uint8_t f[6] = { (uint8_t)(0x40 | cmd), (uint8_t)(arg >> 24), (uint8_t)(arg >> 16),
			 (uint8_t)(arg >> 8), (uint8_t)arg, 0 };
	uint8_t r = 0xff;
	f[5] = crc_override ? crc_override : crc7_of(f, 5);
	for (uint8_t i = 0; i < 6; i++)
		spi(f[i]);
	for (uint8_t i = 0; i < 9 && r & 0x80; i++)
		r = spi(0xff);
	return r;
}

static inline void deselect(void)
{
	cs_high();
	spi(0xff);
}

static inline uint8_t simple(uint8_t cmd, uint32_t arg)
{
	cs_low();
	uint8_t r = command(cmd, arg);
	deselect();
	return r;
}

static inline void power_up_clocks(void)
{
	for (uint8_t i = 0; i < 10; i++)
		spi(0xff);
}

static inline uint32_t read_be32(void)
{
	uint32_t v = 0;
	for (uint8_t i = 0; i < 4; i++)
		v = v << 8 | spi(0xff);
	return v;
}

static uint32_t card_ocr;

// CMD0, CMD8, ACMD41, CMD58. Returns 0, or the number of the command that failed.
static uint8_t card_start(void)
{
	uint8_t r = simple(0, 0);
	if (r != 1)
		return 100;
	cs_low();
	if (command(8, 0x1aa) == 1 && read_be32() != 0x1aa)
		return 8;
	deselect();
	for (uint8_t i = 0; i < 100; i++) {
		if (simple(55, 0) > 1)
			return 55;
		r = simple(41, 0x40000000);
		if (r == 0)
			break;
	}
	if (r)
		return 41;
	cs_low();
	if (command(58, 0))
		return 58;
	card_ocr = read_be32();
	deselect();
	spi_fast();
	return 0;
}

static uint8_t block[512];
static uint16_t block_crc;

// Waits for a data token and reads n bytes. Returns the token, 0xff on time-out.
static uint8_t read_data(uint16_t n)
{
	uint8_t t = 0xff;
	for (uint16_t i = 0; i < 60000 && t == 0xff; i++)
		t = spi(0xff);
	if (t != 0xfe)
		return t;
	for (uint16_t i = 0; i < n; i++)
		block[i] = spi(0xff);
	block_crc = (uint16_t)(spi(0xff) << 8);
	block_crc |= spi(0xff);
	return t;
}

static inline uint8_t read_block(uint32_t at)
{
	cs_low();
	uint8_t r = command(17, at);
	if (r == 0)
		r = read_data(512);
	deselect();
	return r;
}

static uint16_t crc16_of(const uint8_t *p, uint16_t n)
{
	uint16_t crc = 0;
	while (n--) {
		crc ^= (uint16_t)(*p++ << 8);
		for (uint8_t i = 0; i < 8; i++)
			crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
	}
	return crc;
}

// Sends token, block and crc; returns the data response, masked, after busy has ended.
static uint8_t write_data(uint8_t token, uint16_t crc)
{
	spi(0xff);
	spi(token);
	for (uint16_t i = 0; i < 512; i++)
		spi(block[i]);
	spi((uint8_t)(crc >> 8));
	spi((uint8_t)crc);
	uint8_t r = spi(0xff) & 0x1f;
	for (uint16_t i = 0; i < 60000 && spi(0xff) != 0xff; i++)
		;
	return r;
}

static inline uint8_t write_block(uint32_t at)
{
	cs_low();
	uint8_t r = command(24, at);
	if (r == 0)
		r = write_data(0xfe, crc16_of(block, 512));
	deselect();
	return r;
}

#endif
