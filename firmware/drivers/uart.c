// SPDX-License-Identifier: ISC
//
// Serial lines: what the kernel calls. See uart.h; the interrupts are in uart_isr.h.

#include "drivers/uart.h"

#include <avr/interrupt.h>

#include "drivers/uart_isr.h"
#include "kernel/param.h"
#include "kernel/tty.h"

#define RX_LOW 8 // received bytes at which START is sent
#define DIVIDER ((BOARD_F_CPU + 4ul * BOARD_CONSOLE_BAUD) / (8ul * BOARD_CONSOLE_BAUD) - 1)

static uart_registers *registers_of(const volatile struct uart *u)
{
	return TTYS > 1 && u != &ttys[0].line ? UART_REGISTERS(1) : UART_REGISTERS(0);
}

static void set_divider(uart_registers *regs, uint16_t divider)
{
	regs[UART_BRRH] = (uint8_t)(divider >> 8);
	regs[UART_BRRL] = (uint8_t)divider;
}

void uart_init(volatile struct uart *u, uint8_t n)
{
	uart_registers *regs = UART_REGISTERS(n);

	(void)u;
	set_divider(regs, DIVIDER);
	regs[UART_A] = _BV(U2X0);
	regs[UART_C] = _BV(UCSZ01) | _BV(UCSZ00);
	regs[UART_B] = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

uint8_t uart_waiting(const volatile struct uart *u)
{
	return (uint8_t)(u->tx_head - u->tx_tail) % TX_SIZE;
}

uint8_t uart_room(const volatile struct uart *u)
{
	return TX_SIZE - 1 - uart_waiting(u);
}

void uart_notify(volatile struct uart *u, uint8_t left)
{
	u->notify = left + 1;
	if (uart_waiting(u) <= left) // sent meanwhile: at the next tick
		u->notify = 0;
}

void uart_wake(const volatile struct uart *u)
{
	cli();
	registers_of(u)[UART_B] |= _BV(UDRIE0);
	sei();
}

void uart_stop(volatile struct uart *u, bool stop)
{
	cli();
	u->flags &= (uint8_t)~UART_STOPPED;
	if (stop)
		u->flags |= UART_STOPPED;
	sei();
	uart_wake(u);
}

void uart_urgent(volatile struct uart *u, uint8_t c)
{
	u->urgent = c;
	uart_wake(u);
}

void uart_put(volatile struct uart *u, uint8_t c)
{
	uint8_t head = u->tx_head;

	while (!uart_room(u)) {
		if (u->flags & UART_STOPPED)
			uart_stop(u, false);
		busy();
	}
	u->tx[head] = c;
	u->tx_head = (head + 1) % TX_SIZE;
	uart_wake(u);
}

static void wait_for(uart_registers *regs, uint8_t flag, uint16_t turns)
{
	while (!(regs[UART_A] & flag) && turns--)
		busy();
}

void uart_drain(volatile struct uart *u)
{
	uart_registers *regs = registers_of(u);

	uart_stop(u, false);
	while (u->tx_head != u->tx_tail)
		busy();
	wait_for(regs, _BV(UDRE0), 20000);
	wait_for(regs, _BV(TXC0), 20000); // one frame at the most
}

// A zero at the lowest speed there is.
void uart_break(volatile struct uart *u)
{
	uart_registers *regs = registers_of(u);

	uart_drain(u);
	set_divider(regs, 4095);
	regs[UART_A] = _BV(U2X0) | _BV(TXC0);
	regs[UART_DR] = 0;
	wait_for(regs, _BV(TXC0), 60000);
	set_divider(regs, DIVIDER);
}

// The other side may go on when there is room.
static void let_go(volatile struct uart *u)
{
	if (!(u->flags & UART_HELD) || uart_count(u->rx_head, u->rx_tail) > RX_LOW)
		return;
	cli();
	u->flags &= (uint8_t)~UART_HELD;
	u->urgent = u->mode.cc[OX_VSTART];
	sei();
	uart_wake(u);
}

int16_t uart_get(volatile struct uart *u)
{
	uint8_t tail = u->rx_tail;
	uint8_t c;

	let_go(u);
	if (tail == u->rx_head)
		return -1;
	c = u->rx[tail];
	cli();
	if (u->rx_tail == tail) // no INTR has emptied the ring meanwhile
		u->rx_tail = (tail + 1) % RX_SIZE;
	sei();
	return c;
}

uint8_t uart_signals(volatile struct uart *u)
{
	uint8_t which;

	cli();
	which = u->flags & (UART_INTR | UART_QUIT | UART_SUSP);
	u->flags ^= which;
	sei();
	return which;
}

void uart_flush_input(volatile struct uart *u)
{
	cli();
	u->rx_tail = u->rx_head;
	sei();
	let_go(u);
}

void uart_flush_output(volatile struct uart *u)
{
	cli();
	u->tx_tail = u->tx_head;
	u->notify = 0;
	sei();
}
