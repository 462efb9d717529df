; SPDX-License-Identifier: ISC
;
; First thing after reset: why it came is kept in GPIOR2, and the watchdog goes off. It survives a reset with its shortest time-out, and
; boot takes longer. Boot loaders that clear MCUSR, as Optiboot does, leave it in r2.

#include <avr/io.h>

	.section .init3, "ax", @progbits
	in r24, _SFR_IO_ADDR(MCUSR)
	tst r24
	brne 1f
	mov r24, r2
1:	out _SFR_IO_ADDR(GPIOR2), r24
	out _SFR_IO_ADDR(MCUSR), r1
	ldi r24, _BV(WDCE) | _BV(WDE)
	sts WDTCSR, r24
	sts WDTCSR, r1
	ldi r24, 0xa5           ; STACK_GUARD, panic.h
	sts stack_guard, r24
