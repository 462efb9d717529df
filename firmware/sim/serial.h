// SPDX-License-Identifier: ISC
// USART in asynchronous mode: transmit buffer and shift register, two-byte receive FIFO and shift
// register, frames of the right length, data overrun. Bytes go out and come in through the hooks
// of the board, at the speed the program has set. The host end is a terminal with software flow control: after XOFF it sends a few
// bytes more, then none until XON; both are not passed on.
#ifndef SIM_SERIAL_H
#define SIM_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

struct board;

struct serial {
	struct board *board;
	int port;
	uint16_t base;                  // address of UCSRnA
	bool shifting, buffered;
	uint8_t shift, buffer;
	uint8_t fifo[2];
	bool fifo_lost[2];              // data overrun is reported with this byte
	unsigned fifo_len;
	bool receiving, holding, lost;  // holding: a whole byte waits in the shift register
	uint8_t incoming, held;
	bool stopped;                   // XOFF was sent; so many bytes have come since
	unsigned since_stop;
	uint64_t sent, received, overruns, overwritten, stops;
};

void serial_init(struct board *b, int port, uint16_t base);
void serial_reset(struct serial *s);

// Starts receiving the next byte from the host if the receiver is on and the line is free.
void serial_kick(struct serial *s);

// Cycles of one frame at the current settings.
uint64_t serial_frame(const struct serial *s);

#endif
