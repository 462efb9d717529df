// SPDX-License-Identifier: ISC
// USART: see serial.h. Data sheet ATmega1284P, chapter USART; the same block sits in the 2560.
// Registers stand at base + A 0, B 1, C 2, BRRL 4, BRRH 5, DR 6.
#include "serial.h"

#include <simavr/sim_avr.h>
#include <string.h>

#include "board.h"

enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, FE = 0x10, DOR = 0x08, UPE = 0x04, U2X = 0x02 };
enum { RXEN = 0x10, TXEN = 0x08, UCSZ2 = 0x04 };
enum { XON = 0x11, XOFF = 0x13, STOP_DELAY = 8 }; // bytes that a terminal still sends after XOFF
enum { UCSRA = 0, UCSRB = 1, UCSRC = 2, UBRRL = 4, UBRRH = 5, UDR = 6 };

static uint8_t *reg(const struct serial *s, int offset)
{
	return &s->board->avr->data[s->base + offset];
}

// Start bit, 5 to 9 data bits, parity, stop bits.
static unsigned frame_bits(const struct serial *s)
{
	uint8_t c = *reg(s, UCSRC);
	unsigned data = *reg(s, UCSRB) & UCSZ2 ? 9 : 5 + (c >> 1 & 3);
	return 1 + data + (c & 0x20 ? 1 : 0) + (c & 0x08 ? 2 : 1);
}

uint64_t serial_frame(const struct serial *s)
{
	unsigned ubrr = (*reg(s, UBRRH) & 15u) << 8 | *reg(s, UBRRL);
	unsigned bit = (*reg(s, UCSRA) & U2X ? 8 : 16) * (ubrr + 1);
	return (uint64_t)bit * frame_bits(s);
}

// ---------------------------------------------------------------- transmitter

static avr_cycle_count_t tx_end(avr_t *avr, avr_cycle_count_t when, void *arg);

static void start_tx(struct serial *s, uint8_t v, uint64_t in)
{
	s->shifting = true;
	s->shift = v;
	board_at(s->board, in, tx_end, s);
}

// Is the byte for the terminal itself?
static bool take_flow(struct serial *s, uint8_t v)
{
	if (s->board->cfg.no_flow || (v != XON && v != XOFF))
		return false;
	s->stopped = v == XOFF;
	s->stops += s->stopped;
	s->since_stop = 0;
	if (!s->stopped)
		serial_kick(s);
	return true;
}

static void tell_host(struct serial *s)
{
	s->sent++;
	if (take_flow(s, s->shift))
		return;
	if (s->board->hooks.sent)
		s->board->hooks.sent(s->board->hooks.arg, s->port, s->shift);
}

static avr_cycle_count_t tx_end(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct serial *s = arg;
	(void)avr;
	tell_host(s);
	irq_check(s->board);
	if (!s->buffered) {
		s->shifting = false;
		*reg(s, UCSRA) |= TXC;
		return 0;
	}
	s->buffered = false;
	s->shift = s->buffer;
	*reg(s, UCSRA) |= UDRE;
	return when + serial_frame(s);
}

static void write_udr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct serial *s = arg;
	(void)avr;
	(void)addr;
	if (!(*reg(s, UCSRB) & TXEN))
		return;
	if (!s->shifting) {
		start_tx(s, v, serial_frame(s));
		return;
	}
	s->overwritten += s->buffered;
	s->buffered = true;
	s->buffer = v;
	*reg(s, UCSRA) &= (uint8_t)~UDRE;
}

// ---------------------------------------------------------------- receiver

static void show_fifo(struct serial *s)
{
	uint8_t a = *reg(s, UCSRA) & (uint8_t)~(RXC | FE | DOR | UPE);
	if (s->fifo_len)
		a |= RXC | (s->fifo_lost[0] ? DOR : 0);
	*reg(s, UCSRA) = a;
	if (s->fifo_len)
		irq_check(s->board);
}

static void push(struct serial *s, uint8_t v)
{
	s->fifo[s->fifo_len] = v;
	s->fifo_lost[s->fifo_len++] = s->lost;
	s->lost = false;
	show_fifo(s);
}

static avr_cycle_count_t rx_end(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct serial *s = arg;
	(void)avr;
	(void)when;
	s->receiving = false;
	s->received++;
	if (s->fifo_len < 2) {
		push(s, s->incoming);
	} else {
		s->holding = true;
		s->held = s->incoming;
	}
	serial_kick(s);
	return 0;
}

// A new start bit with FIFO and shift register full: the byte in the shift register is lost.
static void start_bit(struct serial *s)
{
	if (!s->holding)
		return;
	s->holding = false;
	s->lost = true;
	s->overruns++;
}

void serial_kick(struct serial *s)
{
	struct board_hooks *h = &s->board->hooks;
	if (s->receiving || !h->fetch || !(*reg(s, UCSRB) & RXEN))
		return;
	if (s->stopped && s->since_stop == STOP_DELAY)
		return;
	int c = h->fetch(h->arg, s->port);
	if (c < 0)
		return;
	s->since_stop += s->stopped;
	start_bit(s);
	s->receiving = true;
	s->incoming = (uint8_t)c;
	board_at(s->board, serial_frame(s), rx_end, s);
}

static uint8_t read_udr(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	struct serial *s = arg;
	(void)avr;
	(void)addr;
	if (!s->fifo_len)
		return 0;
	uint8_t v = s->fifo[0];
	s->fifo[0] = s->fifo[1];
	s->fifo_lost[0] = s->fifo_lost[1];
	s->fifo_len--;
	if (s->holding) {
		s->holding = false;
		push(s, s->held);
	}
	show_fifo(s);
	return v;
}

// ---------------------------------------------------------------- control registers

static void write_ucsra(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	uint8_t a = avr->data[addr];
	(void)arg;
	if (v & TXC)
		a &= (uint8_t)~TXC;
	avr->data[addr] = (uint8_t)((a & ~3) | (v & 3));
}

static void flush_receiver(struct serial *s)
{
	s->fifo_len = 0;
	s->holding = s->lost = false;
	show_fifo(s);
}

static void write_ucsrb(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct serial *s = arg;
	avr->data[addr] = v & (uint8_t)~2;
	if (!(v & RXEN))
		flush_receiver(s);
	else
		serial_kick(s);
	irq_check(s->board);
}

static void write_plain(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	(void)arg;
	avr->data[addr] = v;
}

static uint8_t read_plain(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	(void)arg;
	return avr->data[addr];
}

void serial_init(struct board *b, int port, uint16_t base)
{
	struct serial *s = &b->uart[port];
	*s = (struct serial){ .board = b, .port = port, .base = base };
	for (int i = 0; i <= UDR; i++) {
		board_on_write(b, (uint16_t)(base + i), write_plain, s);
		board_on_read(b, (uint16_t)(base + i), read_plain, s);
	}
	board_on_write(b, base + UCSRA, write_ucsra, s);
	board_on_write(b, base + UCSRB, write_ucsrb, s);
	board_on_write(b, base + UDR, write_udr, s);
	board_on_read(b, base + UDR, read_udr, s);
	serial_reset(s);
}

void serial_reset(struct serial *s)
{
	s->stopped = s->shifting = s->buffered = s->receiving = s->holding = s->lost = false;
	s->fifo_len = 0;
	*reg(s, UCSRA) = UDRE;
	*reg(s, UCSRB) = 0;
	*reg(s, UCSRC) = 0x06;
	*reg(s, UBRRL) = *reg(s, UBRRH) = 0;
}
