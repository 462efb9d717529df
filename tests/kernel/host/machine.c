// SPDX-License-Identifier: ISC
//
// Memory, virtual time, sleep and the end of a run. See machine.h.

#include "machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <sanitizer/asan_interface.h>

#include "kernel/panic.h"
#include "kernel/param.h"
#include "vm/frames.h"
#include "vm/vm.h"

#define CYCLES_PER_MS (BOARD_F_CPU / 1000)

bool machine_interrupts;
uint64_t machine_cycles, machine_limit = UINT64_MAX, machine_next, machine_seed;

volatile uint8_t GPIOR0, GPIOR2, TCCR1B, TIMSK1;
volatile uint16_t OCR1A;
volatile uint32_t tick_ms;
volatile uint8_t tick_wraps;
const volatile uint8_t stack_guard = STACK_GUARD;
uint8_t slice_left;
static uint64_t next_tick = CYCLES_PER_MS;

// ---- memory

void machine_start(void)
{
	uint8_t *memory = (uint8_t *)MEMORY;
	uint8_t *end = pool_memory + FRAMES * FRAME_SIZE;

	if (mmap(memory, 0x10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != memory) {
		perror("oxkernel: no memory where slots and pool must lie");
		exit(2);
	}
	ASAN_POISON_MEMORY_REGION(memory, (size_t)((uint8_t *)slots - memory));
	ASAN_POISON_MEMORY_REGION(end, (size_t)(memory + 0x10000 - end));
	for (unsigned i = 0; i < SLOTS; i++)
		ASAN_POISON_MEMORY_REGION(slots[i].hostile, sizeof slots[i].hostile + sizeof slots[i].nobody);
}

// ---- time

void machine_sei(void)
{
	machine_interrupts = true;
	machine_next = machine_cycles;
}

void machine_request(void)
{
	vm_pending = 1;
}

static void tick(void)
{
	if (!++tick_ms)
		tick_wraps++;
	if (card_tick() && !vm_pending)
		machine_request();
	if (--slice_left)
		return;
	slice_left = SLICE_MS;
	vm_pending = PENDING_SLICE;
}

uint16_t machine_timer(void)
{
	return (uint16_t)(machine_cycles + CYCLES_PER_MS - next_tick);
}

void machine_interrupts_due(void)
{
	uint64_t line;

	if (!machine_interrupts)
		return;
	for (; machine_cycles >= next_tick; next_tick += CYCLES_PER_MS)
		if (TIMSK1)
			tick();
	line = uart_interrupts(machine_cycles);
	machine_next = line < next_tick ? line : next_tick;
	if (machine_cycles >= machine_limit)
		machine_ended(MACHINE_TIMEOUT);
}

void machine_wait(void)
{
	if (machine_cycles >= machine_next)
		machine_interrupts_due(); // says when the next one is
	if (machine_cycles < machine_next)
		machine_cycles = machine_next;
	machine_interrupts_due();
}

void machine_sleep(void)
{
	if (!machine_interrupts)
		machine_ended(MACHINE_HALTED);
	fuzz_idle();
	if (wild_on)
		wild_idle();
	machine_wait();
}

void machine_restart(void)
{
	machine_ended(MACHINE_RESTARTS);
}

void machine_fail(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "oxkernel: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	machine_ended(MACHINE_BROKEN);
}

uint32_t machine_random(void)
{
	machine_seed = machine_seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(machine_seed >> 33);
}
