// SPDX-License-Identifier: ISC
//
// The registers that the kernel's C files name, for tests on a host. tests/kernel/host/machine.c gives timer 1 its life.
#ifndef HOST_IO_H
#define HOST_IO_H

#include <stdint.h>

#define _BV(bit) (1 << (bit))
#define FLASHEND 0x1ffff

extern volatile uint8_t GPIOR0, GPIOR2, TCCR1B, TIMSK1;
extern volatile uint16_t OCR1A;
enum { PORF, EXTRF, BORF, WDRF };
enum { WGM12 = 3, CS10 = 0, OCIE1A = 1, OCF1A = 1 };

extern volatile uint8_t machine_lines[16]; // the registers of UART 0 and 1; tests/kernel/host/uart.c
#define UCSR0A machine_lines[0]
extern volatile uint8_t PORTD;
enum { PD2 = 2 };
enum { DOR0 = 3, FE0 = 4, UDRE0 = 5, TXC0 = 6, U2X0 = 1, RXCIE0 = 7, UDRIE0 = 5, RXEN0 = 4, TXEN0 = 3, UCSZ01 = 2, UCSZ00 = 1 };

uint16_t machine_timer(void);
#define TCNT1 machine_timer()
#define TIFR1 0 // a tick is never late: time goes on between instructions only

#endif
