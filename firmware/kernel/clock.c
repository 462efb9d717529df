// SPDX-License-Identifier: ISC
//
// Time, from timer 1 and the tick's counter. The wall clock is the time of boot and what has passed since. It is kept in EEPROM when the
// machine halts or restarts, and when it is set; from there it goes on at the next boot.

#include "kernel/clock.h"

#include <avr/io.h>
#include <octix/abi.h>
#include <util/atomic.h>

#include "drivers/eeprom.h"
#include "kernel/param.h"
#include "vm/vm.h"

#define CYCLES_PER_MS (BOARD_F_CPU / 1000)
#define WALL_START    1767225600ul // 2026-01-01
#define WRAP_SECONDS  4294967ul    // 2^32 ms are these
#define WRAP_MS       296          //   and these

extern uint8_t slice_left; // milliseconds, in tick.S
extern volatile uint8_t tick_wraps; // of tick_ms

static struct oct_time boot_time; // on the wall clock

// What EEPROM holds: the second one tells whether the first one is whole.
struct kept {
	uint32_t seconds, inverse;
};

_Static_assert(sizeof(struct kept) == EEPROM_CLOCK_BYTES, "eeprom.h");

static void clock_load(void)
{
	struct kept k = { 0, 0 };

	for (uint8_t i = 0; BOARD_HAS_CLOCK && i < sizeof k; i++)
		((uint8_t *)&k)[i] = eeprom_read(EEPROM_CLOCK + i);
	boot_time.seconds = k.seconds == ~k.inverse ? k.seconds : WALL_START;
}

void clock_save(void)
{
	struct kept k;

	k.seconds = clock_wall();
	k.inverse = ~k.seconds;
	for (uint8_t i = 0; BOARD_HAS_CLOCK && i < sizeof k; i++)
		eeprom_write(EEPROM_CLOCK + i, ((const uint8_t *)&k)[i]);
}

void clock_init(void)
{
	slice_left = SLICE_MS;
	tick_ms = BOARD_HAS_TEST ? (uint32_t)-10000 : 0;
	OCR1A = CYCLES_PER_MS - 1;
	TCCR1B = _BV(WGM12) | _BV(CS10);
	TIMSK1 = _BV(OCIE1A);
	clock_load();
}

uint32_t clock_uptime(void)
{
	uint32_t ms;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) ms = tick_ms;
	return ms;
}

uint16_t clock_ms(void)
{
	uint16_t ms;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) ms = (uint16_t)tick_ms;
	return ms;
}

uint32_t clock_cycles(void)
{
	uint32_t ms;
	uint16_t count;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		count = TCNT1;
		ms = tick_ms;
		if (TIFR1 & _BV(OCF1A)) { // the tick is due and could not come yet
			count = TCNT1;
			ms++;
		}
	}
	return ms * CYCLES_PER_MS + count;
}

// Seconds and milliseconds that are more than one.
static void add_ms(struct oct_time *t, uint32_t ms)
{
	t->seconds += ms / 1000;
	t->ms = ms % 1000;
}

void clock_get(struct oct_time *t, uint8_t clock)
{
	uint32_t ms;
	uint8_t wraps;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		ms = tick_ms;
		wraps = tick_wraps;
	}
	t->seconds = wraps * WRAP_SECONDS;
	add_ms(t, ms);
	add_ms(t, t->ms + (uint32_t)wraps * WRAP_MS);
	if (clock == OCT_CLOCK_WALL) {
		t->seconds += boot_time.seconds;
		add_ms(t, t->ms + boot_time.ms);
	}
}

void clock_set(const struct oct_time *t)
{
	struct oct_time up;

	clock_get(&up, OCT_CLOCK_BOOT);
	boot_time.seconds = t->seconds - up.seconds - 1;
	add_ms(&boot_time, t->ms + 1000 - up.ms);
	clock_save();
}

uint32_t clock_wall(void)
{
	struct oct_time now;

	clock_get(&now, OCT_CLOCK_WALL);
	return now.seconds;
}
