; SPDX-License-Identifier: ISC
;
; The kernel's stack is dropped, and the core goes on with whatever process can run: the end of a system call that fails in the
; midst. Nothing of vm_run is on the stack.

#include <avr/io.h>
#include "vm/vm.h"

	.section .text.kernel_again, "ax", @progbits
	.global kernel_again
kernel_again:
	ldi r24, lo8(__stack)
	ldi r25, hi8(__stack)
	in r0, _SFR_IO_ADDR(SREG)
	cli
	out _SFR_IO_ADDR(SPH), r25
	out _SFR_IO_ADDR(SREG), r0
	out _SFR_IO_ADDR(SPL), r24
	ldi r24, STOP_PREEMPT
	jmp enter_from_call
