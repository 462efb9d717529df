; SPDX-License-Identifier: ISC
;
; First thing after reset: the watchdog goes off. It survives a reset with its shortest time-out, and boot takes longer.

#include <avr/io.h>

	.section .init3, "ax", @progbits
	out _SFR_IO_ADDR(MCUSR), r1
	ldi r24, _BV(WDCE) | _BV(WDE)
	sts WDTCSR, r24
	sts WDTCSR, r1
