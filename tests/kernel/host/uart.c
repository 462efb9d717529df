// SPDX-License-Identifier: ISC
//
// firmware/drivers/uart.h with the console's input in memory and its output on standard output: the rings, the speed and the
// interrupts of the real one. See machine.h.

#include "drivers/uart.h"

#include <stdio.h>
#include <string.h>

#include "kernel/param.h"
#include "machine.h"

#define RX_SIZE 128
#define TX_SIZE 64
#define INTR    3
#define BYTE_CYCLES (10 * (BOARD_F_CPU / BOARD_CONSOLE_BAUD))
#define NEVER UINT64_MAX

volatile uint8_t uart_lost;
bool uart_quiet;
const char *uart_prompt = "# ";
uint64_t uart_prompts;

static uint8_t rx[RX_SIZE], tx[TX_SIZE];
static uint8_t rx_head, rx_tail, tx_head, tx_tail;
static bool interrupted, notify;
static uint8_t notify_left;
static uint64_t sent_at = NEVER, received_at = NEVER; // the byte being sent or received is done

static const char *typed = "";
static bool held;
static size_t seen;        // bytes of the prompt just printed
static bool line_allowed;

// ---- the world outside

static void receive_next(void)
{
	received_at = *typed && (!held || line_allowed) ? machine_cycles + BYTE_CYCLES : NEVER;
	if (received_at < machine_next)
		machine_next = received_at;
}

void uart_type(const char *text, bool hold)
{
	typed = text;
	held = hold;
	line_allowed = false;
	receive_next();
}

static void printed(uint8_t c)
{
	if (!uart_quiet)
		putchar(c);
	seen = c == (uint8_t)uart_prompt[seen] ? seen + 1 : c == (uint8_t)uart_prompt[0];
	if (uart_prompt[seen])
		return;
	seen = 0;
	uart_prompts++;
	line_allowed = true;
	if (received_at == NEVER)
		receive_next();
}

// ---- interrupts

static void received(uint8_t c)
{
	uint8_t next = (rx_head + 1) % RX_SIZE;

	if (c == INTR) {
		rx_tail = rx_head;
		interrupted = true;
	} else if (next != rx_tail) {
		rx[rx_head] = c;
		rx_head = next;
	} else if (uart_lost < 255) {
		uart_lost++;
	}
	machine_request();
}

static void sent(void)
{
	printed(tx[tx_tail]);
	tx_tail = (tx_tail + 1) % TX_SIZE;
	sent_at = tx_tail == tx_head ? NEVER : machine_cycles + BYTE_CYCLES;
	if (notify && uart_waiting() <= notify_left) {
		notify = false;
		machine_request();
	}
}

uint64_t uart_interrupts(uint64_t now)
{
	if (now >= sent_at)
		sent();
	if (now >= received_at) {
		uint8_t c = (uint8_t)*typed++;

		if (c == '\n')
			line_allowed = false;
		receive_next();
		received(c == '\n' ? '\r' : c);
	}
	return sent_at < received_at ? sent_at : received_at;
}

// ---- the driver

void uart_init(void)
{
}

uint8_t uart_waiting(void)
{
	return (uint8_t)(tx_head - tx_tail) % TX_SIZE;
}

uint8_t uart_room(void)
{
	return TX_SIZE - 1 - uart_waiting();
}

void uart_notify(uint8_t left)
{
	notify_left = left;
	notify = true;
}

void uart_put(uint8_t c)
{
	while (!uart_room())
		machine_wait();
	tx[tx_head] = c;
	tx_head = (tx_head + 1) % TX_SIZE;
	if (sent_at == NEVER) {
		sent_at = machine_cycles + BYTE_CYCLES;
		if (sent_at < machine_next)
			machine_next = sent_at;
	}
}

void uart_drain(void)
{
	while (tx_head != tx_tail)
		machine_wait();
}

int16_t uart_get(void)
{
	uint8_t c;

	if (rx_tail == rx_head)
		return -1;
	c = rx[rx_tail];
	rx_tail = (rx_tail + 1) % RX_SIZE;
	return c;
}

bool uart_interrupted(void)
{
	bool was = interrupted;

	interrupted = false;
	return was;
}
