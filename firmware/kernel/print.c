// SPDX-License-Identifier: ISC
//
// The kernel's own messages on the console.

#include "kernel/print.h"

#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "drivers/uart.h"

static void put(char c)
{
	if (c == '\n')
		uart_put('\r');
	uart_put((uint8_t)c);
}

void print(const char *flash)
{
	for (char c; (c = (char)pgm_read_byte(flash)) != 0; flash++)
		put(c);
}

void print_ram(const char *s)
{
	while (*s)
		put(*s++);
}

void print_number(uint32_t n)
{
	char digits[11];
	char *p = digits + sizeof digits;

	*--p = 0;
	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	print_ram(p);
}

void print_hex(uint16_t n)
{
	print(P("0x"));
	for (uint8_t i = 0; i < 4; i++, n <<= 4)
		put((char)((n >> 12) + (n >> 12 < 10 ? '0' : 'a' - 10)));
}

void halt(const char *flash)
{
	print(flash);
	uart_drain();
	cli();
	set_sleep_mode(SLEEP_MODE_PWR_DOWN);
	for (;;)
		sleep_mode();
}
