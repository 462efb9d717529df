// SPDX-License-Identifier: ISC
// A shell that is none: enough of prompt, echo and commands to test oxsmoke with. Input comes by
// interrupt into a small ring, so that the CPU sleeps while nothing is typed.
#include "fw.h"

#include <stdbool.h>
#include <string.h>

static volatile uint8_t ring[64], head, tail;
static char line[80];
static uint8_t status;

ISR(USART0_RX_vect) { ring[head++ & 63] = UDR0; }

static uint8_t get(void)
{
	while (head == tail) {
		SMCR = _BV(SE);
		__asm__ volatile("sleep");
	}
	return ring[tail++ & 63];
}

static void text(const char *s)
{
	while (*s)
		put(*s++);
}

static void newline(void) { print("\r\n"); }

static void read_line(void)
{
	uint8_t n = 0, c;
	while ((c = get()) != '\r')
		if (n < sizeof line - 1) {
			line[n++] = (char)c;
			put((char)c);
		}
	line[n] = '\0';
	newline();
}

static void spin_until_key(void)
{
	print("busy\r\n");
	while (get() != 3)
		;
	print("^C\r\n");
	status = 130;
}

static void ask(void)
{
	print("name? ");
	read_line();
	print("hello ");
	text(line);
	newline();
}

static void run(void)
{
	uint8_t last = status;
	status = 0;
	if (!strcmp_P(line, PSTR("echo \"=$?=\""))) {
		put('=');
		print_num(last);
		print("=\r\n");
	} else if (!strncmp_P(line, PSTR("echo "), 5)) {
		text(line + 5);
		newline();
	} else if (!strcmp_P(line, PSTR("bare"))) {
		print("no newline");
	} else if (!strcmp_P(line, PSTR("trap"))) {
		print("looks like a prompt:\r\n# ");
		for (uint16_t i = 0; i < 20000; i++)
			__asm__ volatile("nop");
		print("but is none\r\n");
	} else if (!strcmp_P(line, PSTR("false"))) {
		status = 1;
	} else if (!strcmp_P(line, PSTR("seq"))) {
		print("one\r\ntwo\r\nthree\r\nfour\r\n");
	} else if (!strcmp_P(line, PSTR("crash"))) {
		__asm__ volatile(".word 0x0001");
	} else if (!strcmp_P(line, PSTR("hang"))) {
		for (;;)
			;
	} else if (!strcmp_P(line, PSTR("loop"))) {
		spin_until_key();
	} else if (!strcmp_P(line, PSTR("ask"))) {
		ask();
	} else if (!strcmp_P(line, PSTR("halt"))) {
		print("System halted.\r\n");
		halt();
	} else if (line[0]) {
		text(line);
		print(": not found\r\n");
		status = 127;
	}
}

int main(void)
{
	console_start();
	UCSR0B |= _BV(RXCIE0);
	sei();
	print("Octix fake for tests\r\n");
	for (;;) {
		print("# ");
		read_line();
		run();
	}
}
