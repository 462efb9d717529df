; SPDX-License-Identifier: ISC
;
; A kernel without kernel/quick.S: read and write take the long way.

	.section .text.quick_io, "ax", @progbits
	.global quick_io
quick_io:
	jmp ecall_long
