// SPDX-License-Identifier: ISC
//
// The interrupts of serial line 1, the second terminal; only on boards that have it.

#include <avr/interrupt.h>
#include <avr/io.h>

#include "drivers/uart.h"
#include "kernel/tty.h"

ISR(USART1_RX_vect)
{
	uart_received(&ttys[1].line, UART_REGISTERS(1));
}

ISR(USART1_UDRE_vect)
{
	uart_transmit(&ttys[1].line, UART_REGISTERS(1));
}
