; SPDX-License-Identifier: ISC
;
; The tick, once a millisecond: counts time, and ends the time slice of a running process. Entering the kernel from
; the bytecode core is a swap of the core's dispatch table (r2), done only while GPIOR1 says that the core runs:
; elsewhere r2 is the compiler's.

#include <avr/io.h>
#include "drivers/sd_bus.h"
#include "kernel/param.h"
#include "vm/vm.h"

	.section .text.tick, "ax", @progbits

; Asks for the kernel: callable from interrupts. Changes r24 only.
	.global kernel_request
kernel_request:
	ldi r24, 1
	sts vm_pending, r24
	in r24, _SFR_IO_ADDR(GPIOR1)
	sbrs r24, 0
	ret
	ldi r24, hi8(pm(vm_preempt_page))
	mov r2, r24
	ret

	.global TIMER1_COMPA_vect
TIMER1_COMPA_vect:
	push r24
	in r24, _SFR_IO_ADDR(SREG)
	push r24
	lds r24, tick_ms+0
	subi r24, 0xff
	sts tick_ms+0, r24
	brcs 1f                 ; no carry out: subtracting -1 borrows unless it wrapped to 0
	lds r24, tick_ms+1
	subi r24, 0xff
	sts tick_ms+1, r24
	brcs 1f
	lds r24, tick_ms+2
	subi r24, 0xff
	sts tick_ms+2, r24
	brcs 1f
	lds r24, tick_ms+3
	subi r24, 0xff
	sts tick_ms+3, r24
	brcs 1f
	lds r24, tick_wraps     ; every 49 days
	inc r24
	sts tick_wraps, r24
1:	sbis _SFR_IO_ADDR(PORTB), BOARD_SD_CS_BIT ; low: the card makes somebody wait
	rjmp card
3:	lds r24, slice_left
	subi r24, 1
	sts slice_left, r24
	brne 2f
	ldi r24, SLICE_MS
	sts slice_left, r24
	rcall kernel_request
	in r24, _SFR_IO_ADDR(GPIOR1) ; VM_RUNNING
	ori r24, PENDING_SLICE
	sts vm_pending, r24
2:	pop r24
	out _SFR_IO_ADDR(SREG), r24
	pop r24
	reti

; Looks at the card, unless the kernel does itself. SD_BUSY ends with another byte, SD_WAITING with one that is to be kept.
card:
	in r24, _SFR_IO_ADDR(GPIOR1)
	sbrs r24, 0
	rjmp 3b
	push r0
	push r25
	lds r25, sd_token
	cpi r25, SD_BUSY
	breq 5f
	cpi r25, SD_WAITING
	brne 4f
5:	ldi r24, 0xff
	call sd_byte
	cp r24, r25
	breq 4f
	sbrs r25, 0
	rjmp 6f
	sts sd_token, r24
	out _SFR_IO_ADDR(SPDR), r25 ; the first byte of the block
6:	rcall kernel_request
4:	pop r25
	pop r0
	rjmp 3b

	.section .noinit, "aw", @nobits ; survives a reset: watchdog.c
	.global tick_ms
tick_ms:
	.skip 4

	.section .bss
	.global tick_wraps
tick_wraps:
	.skip 1
	.global slice_left
slice_left:
	.skip 1
