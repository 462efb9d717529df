// SPDX-License-Identifier: ISC
//
// The interrupts of serial line 0, the console.

#include <avr/interrupt.h>
#include <avr/io.h>

#include "drivers/uart.h"
#include "kernel/tty.h"

ISR(USART0_RX_vect)
{
	uart_received(&ttys[0].line, UART_REGISTERS(0));
}

ISR(USART0_UDRE_vect)
{
	uart_transmit(&ttys[0].line, UART_REGISTERS(0));
}
