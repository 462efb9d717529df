// SPDX-License-Identifier: ISC
//
// The serial lines as the driver (firmware/drivers/uart.c) finds them: registers, interrupts and the speed of the real ones. Line 0's
// input comes from memory, its output goes to standard output; nothing is connected to the others. See machine.h.

#include <stdio.h>
#include <string.h>

#include <avr/io.h>

#include "drivers/uart.h"
#include "kernel/param.h"
#include "kernel/tty.h"
#include "machine.h"

#define BYTE_CYCLES (10 * (BOARD_F_CPU / BOARD_CONSOLE_BAUD))
#define NEVER UINT64_MAX
#define STOP  0x13
#define START 0x11
#define DELAY 4 // bytes that are typed after STOP was sent

void USART0_RX_vect(void);
void USART0_UDRE_vect(void);

volatile uint8_t machine_lines[16], PORTD;
bool uart_quiet;
const char *uart_prompt = "# ";
uint64_t uart_prompts;

static uint64_t sent_at = NEVER, received_at = NEVER; // the byte being sent or received is done
static const char *typed = "";
static bool held, stopped;
static unsigned after_stop; // bytes typed since
static size_t seen;         // bytes of the prompt just printed
static bool line_allowed;

// ---- the world outside

static bool may_type(void)
{
	return *typed && (!held || line_allowed) && (!stopped || after_stop++ < DELAY);
}

static void receive_next(void)
{
	received_at = may_type() ? machine_cycles + BYTE_CYCLES : NEVER;
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
	if (c == STOP || c == START) {
		stopped = c == STOP;
		after_stop = 0;
		if (!stopped && received_at == NEVER)
			receive_next();
		return;
	}
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

// ---- the line

static void transmit(void)
{
	uart_registers *regs = machine_lines;

	if (machine_cycles >= sent_at) {
		sent_at = NEVER;
		printed(regs[UART_DR]);
	}
	if (sent_at != NEVER)
		return;
	regs[UART_A] = _BV(UDRE0) | _BV(TXC0);
	if (!(regs[UART_B] & _BV(UDRIE0)))
		return;
	USART0_UDRE_vect();
	if (regs[UART_A] & _BV(UDRE0))
		return;
	regs[UART_A] = 0; // it has written a byte, and the flags
	sent_at = machine_cycles + BYTE_CYCLES;
}

static void receive(void)
{
	uart_registers *regs = machine_lines;
	uint8_t flags = regs[UART_A], sending = regs[UART_DR], c;

	if (machine_cycles < received_at)
		return;
	c = (uint8_t)*typed++;
	if (c == '\n')
		line_allowed = false;
	receive_next();
	regs[UART_A] = 0;
	regs[UART_DR] = c == '\n' ? '\r' : c;
	USART0_RX_vect();
	regs[UART_DR] = sending;
	regs[UART_A] = flags;
}

// Nothing is connected to the other lines: what they send is gone.
static void transmit_others(void)
{
	for (uint8_t n = 1; n < TTYS; n++) {
		uart_registers *regs = machine_lines + 8 * n;

		while (regs[UART_B] & _BV(UDRIE0))
			uart_transmit(&ttys[n].line, regs);
		regs[UART_A] = _BV(UDRE0) | _BV(TXC0);
	}
}

uint64_t uart_interrupts(uint64_t now)
{
	(void)now;
	transmit_others();
	transmit();
	receive();
	if (sent_at == NEVER && machine_lines[UART_B] & _BV(UDRIE0))
		transmit();
	return sent_at < received_at ? sent_at : received_at;
}
