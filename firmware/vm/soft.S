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
#define COLDER (FRAMES + 1)     /* offsets of the rows */
#define FLAGS (2 * (FRAMES + 1))
#define PAGE (3 * (FRAMES + 1))
#define KIND (PAGE + FRAMES + 1)
#define OWNER (KIND + FRAMES)
#define KEY (OWNER + 2 * FRAMES)
#define NONE 0xff

	.section .text.vm_soft, "ax", @progbits

; r23 = the next frame whose page is r22, r0 = its kind, Z in its row of pages + 1. A last page, of no frame, ends the search: goes
; to \none.
.macro FIND none
	ldi ZL, PAGE
	ldi ZH, hi8(frame_rows)
	sts frame_rows+PAGE+FRAMES, r22
2:	ld r0, Z+
	cp r0, r22
	breq 3f
	ld r0, Z+
	cp r0, r22
	brne 2b
3:	mov r23, ZL
	subi r23, PAGE + 1
	cpi r23, FRAMES
	brne 4f
	rjmp \none
4:	ldd r0, Z+KIND-PAGE-1
.endm

; Goes on with the search (to 2) unless the frame's key is r18, r17, r20, r19.
.macro SAME_KEY
	mov YL, r23
	lsl YL
	lsl YL
	subi YL, lo8(-KEY)
	ldi YH, hi8(frame_rows)
	ldd r0, Y+0
	cp r0, r18
	ldd r0, Y+1
	cpc r0, r17
	ldd r0, Y+2
	cpc r0, r20
	ldd r0, Y+3
	cpc r0, r19
	brne 2b
.endm

; The frame before Z (in the row of pages) is mapped in this slot.
.macro IN_SLOT
	ldd r19, Z+OWNER-PAGE-1
	lds r17, vm_slot_bit
	or r19, r17
	std Z+OWNER-PAGE-1, r19
.endm

; r22 = high byte of the address of frame r23; changes r17.
.macro NUMBER
	mov r22, r23
.if PAGES_PER_FRAME == 2
	lsl r22
.endif
	ldi r17, hi8(pool_memory)
	add r22, r17
.endm

; Z = place in the order of frame \f.
.macro PLACE f
	mov ZL, \f
	ldi ZH, hi8(frame_rows)
.endm

; \z = the process's struct space.
.macro SPACE z
	lds \z\()L, vm_space_at+0
	lds \z\()H, vm_space_at+1
.endm

; The core stops at X, INDEX, TAG.
.macro LEAVE
	out _SFR_IO_ADDR(GPIOR1), r1
	sts vm_pc+0, XL
	sts vm_pc+1, INDEX
	sts vm_pc+2, TAG
.endm

; Frame r23 is mapped: makes it the hottest, counts, and goes on. r16: flags to be set.
finish:
	PLACE r23
	ldd r18, Z+FLAGS
	andi r18, FRAME_PASSED - 1
	or r18, r16
	std Z+FLAGS, r18
	ld r18, Z               ; the next hotter
	cpi r18, FRAMES
	breq 1f
	ldd r19, Z+COLDER
	lds r20, frame_rows+COLDER+FRAMES ; the hottest
	ldi r21, FRAMES
	st Z, r21
	std Z+COLDER, r20
	PLACE r19
	st Z, r18
	PLACE r18
	std Z+COLDER, r19
	PLACE r20
	st Z, r23
	sts frame_rows+COLDER+FRAMES, r23
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

; void frame_move(uint8_t frame, uint8_t below)
	.global frame_move
frame_move:
	cp r24, r22
	breq 1f
	PLACE r24
	ld r18, Z
	ldd r19, Z+COLDER
	PLACE r19
	st Z, r18
	PLACE r18
	std Z+COLDER, r19
	PLACE r22
	ld r18, Z
	st Z, r24
	PLACE r18
	std Z+COLDER, r24
	PLACE r24
	st Z, r18
	std Z+COLDER, r22
1:	ret

; Data page YL, ZL the byte in it; r16: STOP_READ or STOP_WRITE. X stands at the instruction. A private frame of the space is what there is to
; find; else, for reading, the frame of the program's image, unless a private copy is in swap.
	.global vm_data_soft
vm_data_soft:
	LEAVE
	sts vm_page, YL
	sts vm_byte, ZL
	mov r22, YL
	andi r22, PAGE_MASK
	ldi r21, NONE           ; r23 of the image frame
	FIND no_private
	ldi r17, FRAME_PRIVATE
	cp r0, r17
	breq 4f
	ldi r17, FRAME_IMAGE
	cpse r0, r17
	rjmp 2b
	mov r18, r22            ; its sector: page / 2 behind the last of the code, as page 2 is the first
	lsr r18
	SPACE Y
	ldd r0, Y+SPACE_CODE_SECTORS
	add r18, r0
	ldd r17, Y+SPACE_CODE_SECTORS+1
	adc r17, r1
	ld r0, Y
	add r18, r0
	ldd r0, Y+1
	adc r17, r0
	ldd r20, Y+2
	adc r20, r1
	ldd r19, Y+3
	adc r19, r1
	SAME_KEY
	mov r21, r23
	rjmp 2b
4:	ldd r0, Z+OWNER-PAGE-1
	lds r17, vm_space
	cpse r0, r17
	rjmp 2b
	mov ZL, r22
	NUMBER
	mov r18, ZL
	PLACE r23
	ldd r19, Z+FLAGS
	sbrc r16, 1             ; STOP_WRITE
	ori r19, FRAME_DIRTY
	mov r16, r19
	ori r16, FRAME_MAPPED
	sbrs r19, 1             ; FRAME_DIRTY
map_clean:
	ori r22, MAP_CLEAN
	mov ZL, r18
	mov ZH, MAP
	st Z, r22
.if PAGES_PER_FRAME == 2
	inc r22
	std Z+1, r22
.endif
	rjmp finish

no_private:
	sbrc r16, 1             ; STOP_WRITE
	rjmp kernel
	cpi r21, NONE
	brne 4f
	rjmp kernel
4:
	mov r18, r22
.if PAGES_PER_FRAME == 2
	lsr r18
.endif
	mov r19, r18            ; its bit in in_swap
	lsr r19
	lsr r19
	lsr r19
	SPACE Z
	add ZL, r19
	adc ZH, r1
	ldd r19, Z+SPACE_IN_SWAP
	andi r18, 7
	breq 2f
1:	lsr r19
	dec r18
	brne 1b
2:	sbrc r19, 0
	rjmp kernel
	mov r18, r22
	mov r23, r21
	NUMBER
	PLACE r23
	subi ZL, lo8(-(PAGE + 1))
	IN_SLOT
	ldi r16, FRAME_MAPPED
	rjmp map_clean

; The code page of INDEX and TAG; XL stands at the instruction.
	.global vm_code_soft
vm_code_soft:
	LEAVE
	ldi r16, STOP_CODE
	mov r18, INDEX          ; r18, r17, r20, r19: its sector
	andi r18, 0x7f
	lsr r18
	lsr r18
	ldi r20, 32
	mul TAG, r20
	or r18, r0
	mov r17, r1
	clr r1
	SPACE Y
	ldd r20, Y+SPACE_CODE_SECTORS
	ldd r19, Y+SPACE_CODE_SECTORS+1
	cp r18, r20
	cpc r17, r19
	brlo 4f
	rjmp kernel
4:
	ld r20, Y
	sec                     ; behind the header
	adc r18, r20
	ldd r20, Y+1
	adc r17, r20
	ldd r20, Y+2
	adc r20, r1
	ldd r19, Y+3
	adc r19, r1
	mov r22, INDEX
	andi r22, INDEX_MASK
	FIND kernel
	ldi r21, FRAME_CODE
	cpse r0, r21
	rjmp 2b
	SAME_KEY
	IN_SLOT
	mov ZL, r22
	NUMBER
	mov ZH, CODE
	std Z+0, r22
	std Z+1, TAG
.if PAGES_PER_FRAME == 2
	inc r22
	std Z+2, r22
	std Z+3, TAG
.endif
	ldi r16, FRAME_MAPPED
	rjmp finish

kernel:
	mov r24, r16
	jmp enter_kernel
