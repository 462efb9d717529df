; SPDX-License-Identifier: ISC
;
; The kernel's end for a reason that cannot be: keeps the registers on the stack and leaves the rest to panic().

#include <avr/io.h>

	.section .text.panic_here, "ax", @progbits
	.global panic_here
panic_here:
	cli
	.irp r, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
	push r\r
	.endr
	clr r1
	in r24, _SFR_IO_ADDR(SPL)
	in r25, _SFR_IO_ADDR(SPH)
	jmp panic

; An interrupt without a handler.
	.global __vector_default
__vector_default:
	call panic_here
1:
	.pushsection .debug_asserts, "", @progbits
	.long 1b
	.asciz "an interrupt without a handler"
	.popsection
