// SPDX-License-Identifier: ISC
//
// Serial lines, 8N1: interrupt-driven rings in both directions, with software flow control and the characters that act at once.
//
// A byte that arrives is looked at in the interrupt, so that INTR, QUIT and SUSP work while typed-ahead input waits unread and nobody
// looks, and STOP stops the output within the byte being sent. With IXOFF, STOP is sent when half of the ring is full, and START when it
// is nearly empty again.
#ifndef OCTIX_UART_H
#define OCTIX_UART_H

#include <stdbool.h>
#include <stdint.h>

#include <octix/termios.h>

#define RX_SIZE 64 // bytes of a ring, a power of 2; one stays empty
#define TX_SIZE 64

enum { // struct uart flags
	UART_INTR = 0x01, UART_QUIT = 0x02, UART_SUSP = 0x04, // have come: as 1 << OX_VINTR and so on
	UART_LITERAL = 0x08, // LNEXT has come: the next byte is an ordinary one
	UART_STOPPED = 0x10, // no output
	UART_HELD = 0x20,    // the other side has been sent STOP
	UART_CALLED = 0x40,  // a byte has come, and there are no rings
};

struct uart_rings {
	uint8_t rx[RX_SIZE], tx[TX_SIZE];
};

struct uart {
	uint8_t rx_head, rx_tail, tx_head, tx_tail;
	uint8_t flags;
	uint8_t urgent;      // byte to be sent before all others; 0: none
	uint8_t notify;      // the kernel is wanted when fewer bytes wait to be sent; 0: it has been told
	uint8_t lost;        // received bytes that were lost, saturated
	volatile struct uart_rings *rings; // NULL: what comes and goes is lost
	struct oct_termios mode;
};

// The registers of line n; both chips have them 8 bytes apart.
typedef volatile uint8_t uart_registers;
#define UART_REGISTERS(n) (&UCSR0A + 8 * (n))
enum { UART_A, UART_B, UART_C, UART_BRRL = 4, UART_BRRH, UART_DR };

// For the interrupts: a byte has come; the transmitter takes one.
void uart_received(volatile struct uart *u, uart_registers *regs);
void uart_transmit(volatile struct uart *u, uart_registers *regs);

// From now on these are the rings, empty; NULL: there are none.
void uart_use(volatile struct uart *u, struct uart_rings *rings);

// Starts line n (0: UART 0) with its mode set. Interrupts may be off.
void uart_init(volatile struct uart *u, uint8_t n);

// Sends one byte, waiting for room; interrupts must be on. Output that was stopped goes on when the ring is full.
void uart_put(volatile struct uart *u, uint8_t c);

// Bytes that uart_put takes now without waiting.
uint8_t uart_room(const volatile struct uart *u);

// Bytes that wait to be sent.
uint8_t uart_waiting(const volatile struct uart *u);

// Asks for the kernel (vm_pending) once at most `left` bytes wait to be sent.
void uart_notify(volatile struct uart *u, uint8_t left);

// Sends what waits, then this byte, with interrupts off, where none must come: a panic.
void uart_send(volatile struct uart *u, uint8_t c);

// Waits until everything has been sent, also what was stopped; interrupts must be on.
void uart_drain(volatile struct uart *u);

// Sends a break of some 15 ms; nothing must be waiting to be sent.
void uart_break(volatile struct uart *u);

// Something has changed that output may depend on.
void uart_wake(const volatile struct uart *u);

// Stops or starts output; sends a byte before all others.
void uart_stop(volatile struct uart *u, bool stop);
void uart_urgent(volatile struct uart *u, uint8_t c);

// The next received byte, or -1.
int16_t uart_get(volatile struct uart *u);

// Has INTR, QUIT or SUSP come since the last call? What was received before it is gone, unless NOFLSH is set.
uint8_t uart_signals(volatile struct uart *u);

// Forgets what was received, or what waits to be sent.
void uart_flush_input(volatile struct uart *u);
void uart_flush_output(volatile struct uart *u);

#endif
