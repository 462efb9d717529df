// SPDX-License-Identifier: ISC
//
// The kernel's own messages on the console.

#include "kernel/print.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "kernel/tty.h"

static void put(char c)
{
	if (c == '\n')
		put('\r');
	if (GPIOR2 & _BV(PRINT_NOW))
		uart_send(&ttys[0].line, (uint8_t)c);
	else
		uart_put(&ttys[0].line, (uint8_t)c);
}

static const char phrases[] PROGMEM = PHRASES;

const char *text_at(const char *texts, uint8_t n)
{
	while (n--)
		texts += strlen_P(texts) + 1;
	return texts;
}

void print(const char *flash)
{
	for (uint8_t c; (c = pgm_read_byte(flash)) != 0; flash++)
		if (BOARD_HAS_WORDS && c <= T_LAST)
			print(text_at(phrases, c - 1));
		else
			put((char)c);
}

static const char whys[] PROGMEM =
#define WHY(name, text) text "\0"
#include "kernel/why.def"
#undef WHY
	;

const char *why_text(uint8_t why)
{
	return BOARD_HAS_WORDS ? text_at(whys, why - 1) : 0;
}

void print_why(const char *text, uint8_t number)
{
	print(BOARD_HAS_WORDS ? text : P("error "));
	if (!BOARD_HAS_WORDS) {
		print_number(number);
		print(P(" "));
	}
}

void print_ram(const char *s)
{
	while (*s)
		put(*s++);
}

void number_text(char *text, uint32_t n)
{
	uint32_t rest = n;
	char *p = text;

	do
		p++;
	while (rest /= 10);
	*p = 0;
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
}

void print_number(uint32_t n)
{
	char text[11];

	number_text(text, n);
	print_ram(text);
}

void print_hex(uint16_t n)
{
	print(P("0x"));
	for (uint8_t i = 0; i < 4; i++, n <<= 4)
		put((char)((n >> 12) + (n >> 12 < 10 ? '0' : 'a' - 10)));
}

void print_pc(const struct pc *pc)
{
	print_number((uint16_t)pc->tag * 64 + (pc->index & 0x7f) / 2);
	print(P(":"));
	print_number(pc->offset);
}

void halt(const char *flash)
{
	print(flash);
	if (!(GPIOR2 & _BV(PRINT_NOW)))
		uart_drain(&ttys[0].line);
	cli();
	wdt_disable();
	set_sleep_mode(SLEEP_MODE_PWR_DOWN);
	for (;;)
		sleep_mode();
}
