// SPDX-License-Identifier: ISC
//
// Serial lines. See uart.h.

#include "drivers/uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "kernel/param.h"
#include "kernel/request.h"
#include "kernel/tty.h"

#define RX_HIGH (RX_SIZE / 2) // received bytes at which STOP is sent
#define RX_LOW 8 // received bytes at which START is sent
#define DIVIDER ((BOARD_F_CPU + 4ul * BOARD_CONSOLE_BAUD) / (8ul * BOARD_CONSOLE_BAUD) - 1)

// ---- interrupts

static uint8_t uart_count(uint8_t head, uint8_t tail)
{
	return (uint8_t)(head - tail) % RX_SIZE;
}

// Into the ring. Asks the other side to stop when it fills.
static inline void uart_store(volatile struct uart *u, uart_registers *regs, uint8_t c)
{
	uint8_t head = u->rx_head, tail = u->rx_tail;
	uint8_t next = (head + 1) % RX_SIZE;

	if (next == tail) {
		if (u->lost < 255)
			u->lost++;
		return;
	}
	u->rings->rx[head] = c;
	u->rx_head = next;
	if (uart_count(next, tail) >= RX_HIGH && u->mode.iflag & OX_IXOFF && !(u->flags & UART_HELD)) {
		u->flags |= UART_HELD;
		u->urgent = u->mode.cc[OX_VSTOP];
		regs[UART_B] |= _BV(UDRIE0);
	}
}

// INTR, QUIT or SUSP: forgets what waits, and lets output go on.
static void uart_signal(volatile struct uart *u, uart_registers *regs, uint8_t which)
{
	uint8_t flags = (u->flags | which) & (uint8_t)~UART_STOPPED;

	u->flags = flags;
	if (!(u->mode.lflag & OX_NOFLSH))
		u->rx_tail = u->rx_head;
	regs[UART_B] |= _BV(UDRIE0);
}

__attribute__((noinline)) void uart_received(volatile struct uart *u, uart_registers *regs)
{
	uint8_t bad = regs[UART_A];
	uint8_t c = regs[UART_DR];

	if (bad & _BV(DOR0) && u->lost < 255)
		u->lost++;
	if (bad & _BV(FE0))
		return; // a break, or noise on a line where nothing is connected
	if (TTYS > 1 && !u->rings) {
		u->flags |= UART_CALLED;
		kernel_request();
		return;
	}
	if (u->mode.iflag & OX_ISTRIP)
		c &= 0x7f;
	if (u->flags & UART_LITERAL) {
		u->flags &= (uint8_t)~UART_LITERAL;
		uart_store(u, regs, c);
	} else if (c == u->mode.cc[OX_VINTR] && u->mode.lflag & OX_ISIG && c != OX_VDISABLE) {
		uart_signal(u, regs, UART_INTR);
	} else if (c == u->mode.cc[OX_VQUIT] && u->mode.lflag & OX_ISIG && c != OX_VDISABLE) {
		uart_signal(u, regs, UART_QUIT);
	} else if (c == u->mode.cc[OX_VSUSP] && u->mode.lflag & OX_ISIG && c != OX_VDISABLE) {
		uart_signal(u, regs, UART_SUSP);
	} else if (c == u->mode.cc[OX_VSTART] && u->mode.iflag & OX_IXON) {
		u->flags &= (uint8_t)~UART_STOPPED;
		regs[UART_B] |= _BV(UDRIE0);
	} else if (c == u->mode.cc[OX_VSTOP] && u->mode.iflag & OX_IXON) {
		u->flags |= UART_STOPPED;
		return;
	} else {
		if (c == u->mode.cc[OX_VLNEXT] && (u->mode.lflag & (OX_IEXTEN | OX_ICANON)) == (OX_IEXTEN | OX_ICANON) && c != OX_VDISABLE)
			u->flags |= UART_LITERAL;
		uart_store(u, regs, c);
	}
	kernel_request();
}

__attribute__((noinline)) void uart_transmit(volatile struct uart *u, uart_registers *regs)
{
	uint8_t c = u->urgent, tail = u->tx_tail, waiting;

	if (!c && (tail == u->tx_head || u->flags & UART_STOPPED)) {
		regs[UART_B] &= (uint8_t)~_BV(UDRIE0);
		return;
	}
	if (c) {
		u->urgent = 0;
	} else {
		c = u->rings->tx[tail];
		u->tx_tail = tail = (tail + 1) % TX_SIZE;
	}
	wdt_reset(); // the kernel may wait for a slow line
	regs[UART_DR] = c;
	regs[UART_A] = _BV(U2X0) | _BV(TXC0); // TXC then means: all is sent
	waiting = (uint8_t)(u->tx_head - tail) % TX_SIZE;
	if (!waiting)
		regs[UART_B] &= (uint8_t)~_BV(UDRIE0);
	if (waiting < u->notify) {
		u->notify = 0;
		kernel_request();
	}
}

// ---- for the kernel

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
	if (n)
		PORTD |= _BV(PD2); // RXD1, pulled up: nothing may be connected
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

	if (TTYS > 1 && !u->rings)
		return;
	while (!uart_room(u)) {
		if (u->flags & UART_STOPPED)
			uart_stop(u, false);
		busy();
	}
	u->rings->tx[head] = c;
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

void uart_send(volatile struct uart *u, uint8_t c)
{
	uart_registers *regs = registers_of(u);

	u->flags &= (uint8_t)~UART_STOPPED;
	for (uint8_t n = TX_SIZE; n && u->tx_head != u->tx_tail; n--) {
		wait_for(regs, _BV(UDRE0), 20000);
		uart_transmit(u, regs);
	}
	wait_for(regs, _BV(UDRE0), 20000);
	regs[UART_A] = _BV(U2X0) | _BV(TXC0);
	regs[UART_DR] = c;
	wait_for(regs, _BV(TXC0), 60000);
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
	c = u->rings->rx[tail];
	cli();
	if (u->rx_tail == tail) // no INTR has emptied the ring meanwhile
		u->rx_tail = (tail + 1) % RX_SIZE;
	sei();
	return c;
}

void uart_use(volatile struct uart *u, struct uart_rings *rings)
{
	cli();
	u->rx_head = u->rx_tail = u->tx_head = u->tx_tail = u->flags = u->urgent = u->notify = 0;
	u->rings = rings;
	sei();
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
