; SPDX-License-Identifier: ISC
;
; Soft faults: the page is in the pool and only its map entry is missing, or says clean. The core leaves off and comes
; back by vm_resume, without a call of C: DISP, MAP, REGS, CODE and r1 stay. What is not found here goes on to the kernel.

#include <avr/io.h>
#include "board.h"
#include "kernel/param.h"
#include "vm/frames.h"
#include "vm/vm.h"

#define XL r26
#define YL r28
#define YH r29
#define ZL r30
#define ZH r31
#define MAP r4
#define REGS r5
#define CODE r6
#define INDEX r24
#define TAG r25

#define PAGE_MASK (0x100 - PAGES_PER_FRAME)
#define INDEX_MASK (0x100 - 2 * PAGES_PER_FRAME)
#define COLDER (FRAMES + 1)     /* from a frame's place in frame_hotter to that in frame_colder */

	.section .text.vm_soft, "ax", @progbits

; Lets Y be the next frame (r23: FRAMES less its number) whose frame_page is r22, of kind \kind. None: goes to \none.
.macro FIND kind, none
	ldi ZL, lo8(frame_page)
	ldi ZH, hi8(frame_page)
	ldi r23, FRAMES
1:	ld r0, Z+
	cp r0, r22
	breq 3f
2:	dec r23
	brne 1b
	rjmp \none
3:	ldi YL, FRAMES
	sub YL, r23
	lsl YL
	lsl YL
	lsl YL
	clr YH
	subi YL, lo8(-(frames))
	sbci YH, hi8(-(frames))
	ldd r0, Y+FRAME_KIND
	ldi r17, \kind
	cpse r0, r17
	rjmp 2b
.endm

; r23 = number of the frame, r22 = high byte of its address.
.macro NUMBER
	ldi r22, FRAMES
	sub r22, r23
	mov r23, r22
.if PAGES_PER_FRAME == 2
	lsl r22
.endif
	ldi r17, hi8(pool_memory)
	add r22, r17
.endm

; Z = place in the order of frame \f.
.macro PLACE f
	ldi ZL, lo8(frame_order)
	ldi ZH, hi8(frame_order)
	add ZL, \f
	adc ZH, r1
.endm

; The core stops at X, INDEX, TAG.
.macro LEAVE
	out _SFR_IO_ADDR(GPIOR1), r1
	sts vm_pc+0, XL
	sts vm_pc+1, INDEX
	sts vm_pc+2, TAG
.endm

; Makes frame r23 the hottest, counts, and goes on.
finish:
	PLACE r23
	ld r18, Z               ; the next hotter
	cpi r18, FRAMES
	breq 1f
	ldd r19, Z+COLDER
	lds r20, frame_order+COLDER+FRAMES ; the hottest
	ldi r21, FRAMES
	st Z, r21
	std Z+COLDER, r20
	PLACE r19
	st Z, r18
	PLACE r18
	std Z+COLDER, r19
	PLACE r20
	st Z, r23
	sts frame_order+COLDER+FRAMES, r23
1:	lds r18, pool_counts+COUNT_SOFT+0
	subi r18, 0xff
	sts pool_counts+COUNT_SOFT+0, r18
	brcs 2f                 ; no carry out
	lds r18, pool_counts+COUNT_SOFT+1
	subi r18, 0xff
	sts pool_counts+COUNT_SOFT+1, r18
	brcs 2f
	lds r18, pool_counts+COUNT_SOFT+2
	subi r18, 0xff
	sts pool_counts+COUNT_SOFT+2, r18
	brcs 2f
	lds r18, pool_counts+COUNT_SOFT+3
	subi r18, 0xff
	sts pool_counts+COUNT_SOFT+3, r18
2:	mov YH, REGS
	jmp vm_resume

; Data page YL; r16: STOP_READ or STOP_WRITE. X stands at the instruction.
	.global vm_data_soft
vm_data_soft:
	LEAVE
	mov r18, YL
	mov r22, YL
	andi r22, PAGE_MASK
	lds r19, vm_space
	FIND FRAME_PRIVATE, data_exit
	ldd r0, Y+FRAME_OWNER
	cpse r0, r19
	rjmp 2b
	mov r18, r22
	NUMBER
	ldd r19, Y+FRAME_FLAGS
	andi r19, FRAME_PASSED - 1
	ori r19, FRAME_MAPPED
	sbrc r16, 1             ; STOP_WRITE
	ori r19, FRAME_DIRTY
	std Y+FRAME_FLAGS, r19
	sbrs r19, 1             ; FRAME_DIRTY
	ori r22, MAP_CLEAN
	mov ZL, r18
	mov ZH, MAP
	st Z, r22
.if PAGES_PER_FRAME == 2
	inc r22
	std Z+1, r22
.endif
	rjmp finish

; The code page of INDEX and TAG; XL stands at the instruction.
	.global vm_code_soft
vm_code_soft:
	LEAVE
	mov r18, INDEX          ; r18 to r21: its sector
	andi r18, 0x7f
	lsr r18
	lsr r18
	ldi r20, 32
	mul TAG, r20
	or r18, r0
	mov r19, r1
	clr r1
	lds r20, vm_code_sectors+0
	lds r21, vm_code_sectors+1
	cp r18, r20
	cpc r19, r21
	brlo 4f
	rjmp code_exit
4:	lds r20, vm_code_key+0
	add r18, r20
	lds r20, vm_code_key+1
	adc r19, r20
	lds r20, vm_code_key+2
	adc r20, r1
	lds r21, vm_code_key+3
	adc r21, r1
	mov r22, INDEX
	andi r22, INDEX_MASK
	FIND FRAME_CODE, code_exit
	ldd r0, Y+0
	cp r0, r18
	ldd r0, Y+1
	cpc r0, r19
	ldd r0, Y+2
	cpc r0, r20
	ldd r0, Y+3
	cpc r0, r21
	brne 2b
	mov ZL, r22
	mov ZH, CODE
	NUMBER
	ldd r19, Y+FRAME_FLAGS
	ori r19, FRAME_MAPPED
	std Y+FRAME_FLAGS, r19
	std Z+0, r22
	std Z+1, TAG
.if PAGES_PER_FRAME == 2
	inc r22
	std Z+2, r22
	std Z+3, TAG
.endif
	rjmp finish

code_exit:
	ldi r16, STOP_CODE
data_exit:                      ; r18 is of no use after STOP_CODE
	sts vm_page, r18
	mov r24, r16
	jmp enter_kernel
