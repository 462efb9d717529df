; SPDX-License-Identifier: ISC
;
; What a change of context slots takes time for.

#include "board.h"
#include "vm/vm.h"

	.section .text.vm_slot, "ax", @progbits

; void copy_regs(uint32_t *to, const uint32_t *from): all but x0
	.global copy_regs
copy_regs:
	movw r30, r24
	movw r26, r22
	adiw r30, 4
	adiw r26, 4
	ldi r24, 15
1:	.rept 4
	ld r0, X+
	st Z+, r0
	.endr
	dec r24
	brne 1b
	ret

; void slot_clear(struct slot *slot): both maps empty; they lie one behind the other
	.global slot_clear
slot_clear:
	movw r30, r24
	subi r30, lo8(-(256 + CODE_MAP_OFFSET))
	sbci r31, hi8(-(256 + CODE_MAP_OFFSET))
	ldi r24, CODE_TAG_NONE
	ldi r25, 128 / 8
	rcall fill
	ldi r24, MAP_ABSENT
	ldi r25, 256 / 8
fill:
	.rept 8
	st Z+, r24
	.endr
	dec r25
	brne fill
	ret
