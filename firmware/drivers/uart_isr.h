// SPDX-License-Identifier: ISC
//
// The interrupts of a serial line. They stand in the handlers themselves, once for each line, so that addresses are constants and only
// the registers that are used are saved.
#ifndef OCTIX_UART_ISR_H
#define OCTIX_UART_ISR_H

#include <avr/io.h>

#include "drivers/uart.h"
#include "kernel/request.h"

#define RX_HIGH (RX_SIZE / 2) // received bytes at which STOP is sent

// The registers of line n; both chips have them 8 bytes apart.
typedef volatile uint8_t uart_registers;
#define UART_REGISTERS(n) (&UCSR0A + 8 * (n))
enum { UART_A, UART_B, UART_C, UART_BRRL = 4, UART_BRRH, UART_DR };

#define UART_ALWAYS static inline __attribute__((always_inline))

UART_ALWAYS uint8_t uart_count(uint8_t head, uint8_t tail)
{
	return (uint8_t)(head - tail) % RX_SIZE;
}

// Into the ring. Asks the other side to stop when it fills.
UART_ALWAYS void uart_store(volatile struct uart *u, uart_registers *regs, uint8_t c)
{
	uint8_t head = u->rx_head, tail = u->rx_tail;
	uint8_t next = (head + 1) % RX_SIZE;

	if (next == tail) {
		if (u->lost < 255)
			u->lost++;
		return;
	}
	u->rx[head] = c;
	u->rx_head = next;
	if (uart_count(next, tail) >= RX_HIGH && u->mode.iflag & OX_IXOFF && !(u->flags & UART_HELD)) {
		u->flags |= UART_HELD;
		u->urgent = u->mode.cc[OX_VSTOP];
		regs[UART_B] |= _BV(UDRIE0);
	}
}

// INTR, QUIT or SUSP: forgets what waits, and lets output go on.
UART_ALWAYS void uart_signal(volatile struct uart *u, uart_registers *regs, uint8_t which)
{
	uint8_t flags = (u->flags | which) & (uint8_t)~UART_STOPPED;

	u->flags = flags;
	if (!(u->mode.lflag & OX_NOFLSH))
		u->rx_tail = u->rx_head;
	regs[UART_B] |= _BV(UDRIE0);
}

UART_ALWAYS void uart_received(volatile struct uart *u, uart_registers *regs)
{
	uint8_t bad = regs[UART_A];
	uint8_t c = regs[UART_DR];

	if (bad & _BV(DOR0) && u->lost < 255)
		u->lost++;
	if (bad & _BV(FE0))
		return; // a break, or noise on a line where nothing is connected
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

// Room for a byte in the transmitter.
UART_ALWAYS void uart_transmit(volatile struct uart *u, uart_registers *regs)
{
	uint8_t c = u->urgent, tail = u->tx_tail, waiting;

	if (!c && (tail == u->tx_head || u->flags & UART_STOPPED)) {
		regs[UART_B] &= (uint8_t)~_BV(UDRIE0);
		return;
	}
	if (c) {
		u->urgent = 0;
	} else {
		c = u->tx[tail];
		u->tx_tail = tail = (tail + 1) % TX_SIZE;
	}
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

#endif
