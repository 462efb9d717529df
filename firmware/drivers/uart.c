// SPDX-License-Identifier: ISC
//
// UART 0. The receive interrupt also watches for Ctrl-C, so that a program can be interrupted while typed-ahead input
// waits unread.

#include "drivers/uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "kernel/param.h"
#include "kernel/request.h"

#define RX_SIZE 128
#define TX_SIZE 64
#define INTR    3

static volatile uint8_t rx[RX_SIZE], tx[TX_SIZE];
static volatile uint8_t rx_head, rx_tail, tx_head, tx_tail;
static volatile bool interrupted, notify;
static volatile uint8_t notify_left;
volatile uint8_t uart_lost;

void uart_init(void)
{
	UBRR0 = (BOARD_F_CPU + 4ul * BOARD_CONSOLE_BAUD) / (8ul * BOARD_CONSOLE_BAUD) - 1;
	UCSR0A = _BV(U2X0);
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART0_RX_vect)
{
	uint8_t lost = UCSR0A & _BV(DOR0);
	uint8_t c = UDR0;
	uint8_t next = (rx_head + 1) % RX_SIZE;

	if (c == INTR) {
		rx_tail = rx_head;
		interrupted = true;
	} else if (next != rx_tail) {
		rx[rx_head] = c;
		rx_head = next;
	} else {
		lost = 1;
	}
	if (lost && uart_lost < 255)
		uart_lost++;
	kernel_request();
}

ISR(USART0_UDRE_vect)
{
	uint8_t tail = tx_tail;

	UDR0 = tx[tail];
	UCSR0A = _BV(U2X0) | _BV(TXC0); // TXC then means: all is sent
	tail = (tail + 1) % TX_SIZE;
	tx_tail = tail;
	if (tail == tx_head)
		UCSR0B &= (uint8_t)~_BV(UDRIE0);
	if (notify && (uint8_t)(tx_head - tail) % TX_SIZE <= notify_left) {
		notify = false;
		kernel_request();
	}
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
	uint8_t head = tx_head;

	while (!uart_room())
		;
	tx[head] = c;
	tx_head = (head + 1) % TX_SIZE;
	cli();
	UCSR0B |= _BV(UDRIE0);
	sei();
}

void uart_drain(void)
{
	while (tx_head != tx_tail)
		;
	while (!(UCSR0A & _BV(UDRE0)))
		;
	for (uint16_t i = 0; i < 20000 && !(UCSR0A & _BV(TXC0)); i++) // one frame at the most
		;
}

int16_t uart_get(void)
{
	uint8_t tail = rx_tail;
	uint8_t c;

	if (tail == rx_head)
		return -1;
	c = rx[tail];
	cli();
	if (rx_tail == tail) // no INTR has emptied the ring meanwhile
		rx_tail = (tail + 1) % RX_SIZE;
	sei();
	return c;
}

bool uart_interrupted(void)
{
	bool was;

	cli();
	was = interrupted;
	interrupted = false;
	sei();
	return was;
}
