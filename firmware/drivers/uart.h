// SPDX-License-Identifier: ISC
//
// The console's serial line, UART 0, 8N1: interrupt-driven rings in both directions.
#ifndef OCTIX_UART_H
#define OCTIX_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_init(void);

// Sends one byte, waiting for room; interrupts must be on.
void uart_put(uint8_t c);

// Bytes that uart_put takes now without waiting.
uint8_t uart_room(void);

// Bytes that wait to be sent.
uint8_t uart_waiting(void);

// Asks for the kernel (vm_pending) once at most `left` bytes wait to be sent.
void uart_notify(uint8_t left);

// Waits until everything has been sent, interrupts on or off.
void uart_drain(void);

// The next received byte, or -1.
int16_t uart_get(void);

// Has INTR (Ctrl-C) come since the last call? What was received before it is gone.
bool uart_interrupted(void);

// Received bytes that were lost, saturated.
extern volatile uint8_t uart_lost;

#endif
