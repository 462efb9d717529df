// SPDX-License-Identifier: ISC
//
// The SD driver on the chip: start-up, whole blocks and halves read, written and read back, cycles counted.
// Prints one NAME=VALUE a line. Runs alone: a millisecond tick of its own, polled console.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>

#include "drivers/sd.h"
#include "kernel/clock.h"
#include "tests/sim/fw/fw.h"

static volatile uint16_t milliseconds;
static uint8_t buffer[512], other[512];

ISR(TIMER0_COMPA_vect)
{
	milliseconds++;
}

uint16_t clock_ms(void)
{
	uint8_t sreg = SREG;
	uint16_t now;

	cli();
	now = milliseconds;
	SREG = sreg;
	return now;
}

static void say(const char *name, uint32_t value)
{
	print_p(name);
	put('=');
	print_num(value);
	put('\n');
}

#define say(name, value) say(PSTR(name), value)

// A number to compare with what the card holds, as `cksum` would: sum of byte times place.
static uint16_t sum(const uint8_t *p, uint16_t n)
{
	uint16_t s = 0;

	while (n--)
		s = (uint16_t)(s * 31 + *p++);
	return s;
}

static void timed_read(void)
{
	uint16_t cycles;
	int8_t result;

	cli(); // the count is of the driver alone
	TCNT1 = 0;
	TCCR1B = _BV(CS10);
	result = sd_read(77, buffer, SD_WHOLE);
	cycles = TCNT1;
	sei();
	say("read_cycles", cycles);
	say("read", (uint8_t)result);
}

static void timed_write(void)
{
	uint16_t cycles;
	int8_t result;

	cli();
	TCNT1 = 0;
	TCCR1B = _BV(CS10);
	result = sd_write(78, buffer, SD_WHOLE);
	cycles = TCNT1;
	sei();
	say("write_cycles", cycles);
	say("write", (uint8_t)result);
}

static void halves(void)
{
	sd_read(77, other, SD_WHOLE);
	say("sum", sum(other, 512));
	memset(buffer, 0, sizeof buffer);
	sd_read(77, buffer, SD_FIRST);
	say("first_same", !memcmp(buffer, other, 256) && !buffer[256]);
	sd_read(77, buffer, SD_SECOND);
	say("second_same", !memcmp(buffer, other + 256, 256) && !buffer[256]);
	sd_write(79, buffer, SD_FIRST);
	say("flush", (uint8_t)sd_flush());
	sd_read(79, other, SD_WHOLE);
	say("half_same", !memcmp(buffer, other, 256));
	say("half_zero", !other[256] && !memcmp(other + 256, other + 257, 255));
}

// Many blocks there and back, for cards with faults. Counts those that came back wrong and those refused.
static void many(void)
{
	uint16_t wrong = 0, refused = 0, start = clock_ms();

	for (uint16_t i = 0; i < 100 && refused < 30 && clock_ms() - start < 5000; i++) {
		for (uint16_t k = 0; k < 512; k++)
			buffer[k] = (uint8_t)(k * 3 + i);
		if (sd_write(100 + i, buffer, SD_WHOLE) || sd_read(100 + i, other, SD_WHOLE))
			refused++;
		else if (memcmp(buffer, other, 512))
			wrong++;
	}
	say("wrong", wrong);
	say("refused", refused);
	say("divider", sd_divider());
}

int main(void)
{
	uint16_t start;
	int8_t result;

	console_start();
	TCCR0A = _BV(WGM01);
	TCCR0B = _BV(CS02);
	OCR0A = F_CPU / 256000 - 1;
	TIMSK0 = _BV(OCIE0A);
	TCCR1A = 0;
	sei();
	start = clock_ms();
	result = sd_init();
	say("init_ms", (uint16_t)(clock_ms() - start));
	say("init", (uint8_t)-result);
	if (!result) {
		say("sectors", sd_sectors);
		timed_read();
		timed_write();
		halves();
		start = clock_ms();
		many();
		say("many_ms", (uint16_t)(clock_ms() - start));
		say("reads", sd_reads);
		say("writes", sd_writes);
	} else {
		print_p(sd_error_text(result));
		put('\n');
	}
	while (!(UCSR0A & _BV(TXC0)))
		;
	cli();
	sleep_mode();
	return 0;
}
