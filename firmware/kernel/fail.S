; SPDX-License-Identifier: ISC
;
; The kernel's stack is dropped, and the core goes on: with whatever process can run, at the end of a system call that fails in the midst; or with the
; one that is loaded. Nothing of vm_run is on the stack.

#include <avr/io.h>
#include "vm/vm.h"

	.section .text.kernel_again, "ax", @progbits

.macro DROP_STACK
	ldi r24, lo8(__stack)
	ldi r25, hi8(__stack)
	in r0, _SFR_IO_ADDR(SREG)
	cli
	out _SFR_IO_ADDR(SPH), r25
	out _SFR_IO_ADDR(SREG), r0
	out _SFR_IO_ADDR(SPL), r24
.endm

	.global kernel_again
kernel_again:
	DROP_STACK
	ldi r24, STOP_PREEMPT
	jmp enter_from_call

	.global kernel_leave
kernel_leave:
	DROP_STACK
	jmp vm_run
