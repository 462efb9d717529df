; SPDX-License-Identifier: ISC
;
; The short way through a pipe: read and write of up to 255 bytes that lie in one page of the program, which is mapped, and in one
; stretch of the ring, while at most one process waits for the pipe. The core comes here from its ecall with its registers as they are, and goes on with
; the next instruction; nothing else of the kernel runs. All other calls go back, with nothing changed, and take the long way.

#include <avr/io.h>
#include "kernel/param.h"
#include "kernel/quick.h"
#include "vm/vm.h"

#define DISP   r2           /* the core's registers, as in core.S */
#define MAP    r4
#define REGS   r5
#define WRITE  r16          /* 0: read, 1: write */
#define PART   r17
#define T0     r18
#define T1     r19
#define FD     r20
#define COUNT  r21
#define USER_L r22          /* address of the program's bytes */
#define USER_H r23
#define LEFT_L r8           /* bytes that are then in the pipe */
#define LEFT_H r9
#define END_L  r10          /* end of the stretch in the ring */
#define END_H  r11
#define PIPE   r10          /* later: its address */

; From offset 512 on to the long way, unless it is 512.
.macro AT_MOST_512 low, high
	sbrs \high, 1
	rjmp 1f
	cpse \low, r1
	rjmp long_way
1:
.endm

; Takes or gives COUNT bytes from T1:T0 of the ring on, where the stretch ends at END; the pipe then has LEFT.
.macro STRETCH
	movw END_L, T0
	add END_L, COUNT
	adc END_H, r1
	AT_MOST_512 END_L, END_H
	std Z+PIPE_COUNT, LEFT_L
	std Z+PIPE_COUNT+1, LEFT_H
.endm

	.section .text.quick_io, "ax", @progbits

no:	jmp ecall_long

; Y: the register t0; WRITE as above.
	.global quick_io
quick_io:
	out _SFR_IO_ADDR(GPIOR1), r1 ; not the core any more
	ldd T0, Y+1
	ldd T1, Y+2
	or T0, T1
	ldd T1, Y+3
	or T0, T1
	ldi YL, 40              ; a0, a1, a2
	ldd T1, Y+1
	or T0, T1
	ldd T1, Y+2
	or T0, T1
	ldd T1, Y+3
	or T0, T1
	ldd T1, Y+6
	or T0, T1
	ldd T1, Y+7
	or T0, T1
	ldd T1, Y+9
	or T0, T1
	ldd T1, Y+10
	or T0, T1
	ldd T1, Y+11
	or T0, T1
	brne no
	ldd FD, Y+0
	cpi FD, FDS
	brsh no
	ldd COUNT, Y+8
	mov PART, COUNT
	subi PART, 1
	brcs no
	ldd USER_L, Y+4
	add PART, USER_L
	brcs no           ; the last byte is in the next page
	ldd ZL, Y+5
	mov ZH, MAP
	ld USER_H, Z

	lds ZL, running
	lds ZH, running+1
	ldd T0, Z+PROC_CALL
	andi T0, ~CALL_BITS
	std Z+PROC_CALL, T0
	ldd T0, Z+PROC_FLAGS
	sbrc T0, SIGNALED_BIT
	rjmp long_way           ; a handler comes right after the call
	mov T0, FD
	lsr T0
	add ZL, T0
	adc ZH, r1
	ldd T0, Z+PROC_FD
	sbrc FD, 0
	swap T0
	andi T0, 15
	cpi T0, 15
	breq long_way
	mov T1, T0
	lsl T1
	lsl T1
	add T1, T0              ; times OPEN_SIZE
	ldi ZL, lo8(opens)
	ldi ZH, hi8(opens)
	add ZL, T1
	adc ZH, r1
	ld T0, Z
	andi T0, 0x7f
	subi T0, KIND_READ
	cpse T0, WRITE
	rjmp long_way
	ldd T0, Z+OPEN_PIPE
	ldd ZH, Z+OPEN_PIPE+1
	mov ZL, T0
	ldd T0, Z+PIPE_WAITER
	ldd T1, Z+PIPE_WAITER+1
	cpi T0, 1
	cpc T1, r1
	breq long_way           ; MANY
	ldd T0, Z+PIPE_HEAD
	ldd T1, Z+PIPE_HEAD+1
	ldd LEFT_L, Z+PIPE_COUNT
	ldd LEFT_H, Z+PIPE_COUNT+1
	tst WRITE
	brne write

	sbrc USER_H, 7          ; absent or clean
	rjmp long_way
	sub LEFT_L, COUNT
	sbc LEFT_H, r1
	brcs long_way           ; less is there
	STRETCH
	mov PART, END_H
	andi PART, 1
	std Z+PIPE_HEAD, END_L
	std Z+PIPE_HEAD+1, PART
	movw PIPE, ZL
	ldd YL, Z+PIPE_MEMORY
	ldd YH, Z+PIPE_MEMORY+1
	add YL, T0
	adc YH, T1
	movw ZL, USER_L
	rjmp copy

long_way:
	jmp ecall_long

write:
	cpi USER_H, 0x80        ; MAP_ABSENT
	breq long_way
	andi USER_H, 0x7f
	ldd PART, Z+PIPE_READER
	tst PART
	breq long_way
	add T0, LEFT_L
	adc T1, LEFT_H
	andi T1, 1              ; where the free part begins
	add LEFT_L, COUNT
	adc LEFT_H, r1
	AT_MOST_512 LEFT_L, LEFT_H
	STRETCH
	movw PIPE, ZL
	ldd PART, Z+PIPE_MEMORY
	ldd ZH, Z+PIPE_MEMORY+1
	mov ZL, PART
	add ZL, T0
	adc ZH, T1
	movw YL, USER_L

copy:
	mov PART, COUNT
1:	ld T0, Y+
	st Z+, T0
	dec PART
	brne 1b

	movw ZL, PIPE           ; as pipe_wake
	ldd YH, Z+PIPE_WAITER+1
	tst YH
	breq 3f
	ldd YL, Z+PIPE_WAITER
	std Z+PIPE_WAITER+1, r1
	std Z+PIPE_WAITER, r1
	ldd PART, Y+PROC_STATE
	ldd T0, Y+PROC_WAIT_ON
	cpi PART, STATE_PIPE
	brne 3f
	cp T0, ZL
	brne 3f
	ldi PART, STATE_RUN
	std Y+PROC_STATE, PART
	sts woken, YL
	sts woken+1, YH

3:	mov YH, REGS
	ldi YL, 40
	st Y, COUNT             ; a0, whose other bytes are 0
	lds T0, syscalls
	subi T0, 0xff
	sts syscalls, T0
	brcs 2f                 ; no carry out: subtracting -1 borrows unless it wrapped to 0
	lds T0, syscalls+1
	subi T0, 0xff
	sts syscalls+1, T0
	brcs 2f
	lds T0, syscalls+2
	subi T0, 0xff
	sts syscalls+2, T0
	brcs 2f
	lds T0, syscalls+3
	subi T0, 0xff
	sts syscalls+3, T0
2:	ldi T0, VM_RUNNING      ; as in vm_resume
	out _SFR_IO_ADDR(GPIOR1), T0
	lds T0, vm_pending
	tst T0
	brne 4f
	ld ZL, X+
	mov ZH, DISP
	ijmp
4:	ldi r16, STOP_PREEMPT
	jmp vm_exit
