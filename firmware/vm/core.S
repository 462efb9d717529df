; SPDX-License-Identifier: ISC
;
; The bytecode core: executes OXE code pages (userland/sdk/OXE.md) for the process whose slot is current.
;
; X is the code pointer, in the frame of the current code page. YH is the slot's register page, so `ld YL,X+` makes Y
; the address of a register. Z dispatches and points to data. Dispatch goes through a 256-entry table of rjmp whose
; high byte is in r2; an interrupt that wants the kernel swaps r2 for a table that leads to the exit (preemption costs
; nothing here).
;
; Rules. A handler writes no register and no memory before its last possible fault, so that a fault restarts the
; instruction; what it writes earlier must come out the same again. A jump that misses the code map does not restart:
; its target becomes the program counter. Only the operand bytes of the page itself are fetched: the kernel keeps the
; last six bytes of every code page page-ends.

#include <avr/io.h>
#include "board.h"
#include "vm/vm.h"

#define XL r26
#define XH r27
#define YL r28
#define YH r29
#define ZL r30
#define ZH r31

#define DISP  r2            /* high byte of the dispatch table's word address */
#define MAP   r4            /* page of the data map */
#define REGS  r5            /* page of the registers */
#define ZERO  r3            /* 0 even while mul uses r1 */
#define CODE  r6            /* page of the code map */
#define INDEX r24           /* of the current code page, 0x80 | 2 * (page & 63) */
#define TAG   r25
#define A0 r16
#define A1 r17
#define A2 r18
#define A3 r19
#define B0 r20
#define B1 r21
#define B2 r22
#define B3 r23

#define REG_RA 4
#define REG_SP 8

; ---- building blocks

.macro H name
h_\name:
.endm

.macro NEXT
	ld ZL, X+
	mov ZH, DISP
	ijmp
.endm

; For handlers that are short and leave ZH alone: preemption waits for one that does not.
.macro NEXT_KEEP
	ld ZL, X+
	ijmp
.endm

.macro SKIP_TARGET
	inc XL
	NEXT
.endm
.macro SKIP_TARGET_KEEP
	inc XL
	NEXT_KEEP
.endm

.macro LOADY4 r0, r1, r2, r3
	ldd \r0, Y+0
	ldd \r1, Y+1
	ldd \r2, Y+2
	ldd \r3, Y+3
.endm

.macro LDA                  ; A = register operand
	ld YL, X+
	LOADY4 A0, A1, A2, A3
.endm

.macro LDB
	ld YL, X+
	LOADY4 B0, B1, B2, B3
.endm

.macro STAY                 ; register Y = A
	std Y+0, A0
	std Y+1, A1
	std Y+2, A2
	std Y+3, A3
.endm

.macro STA
	ld YL, X+
	STAY
.endm

.macro STA0                 ; register operand = byte A0, zero-extended
	ld YL, X+
	std Y+0, A0
	std Y+1, r1
	std Y+2, r1
	std Y+3, r1
.endm

.macro ALU first, rest
	\first A0, B0
	\rest A1, B1
	\rest A2, B2
	\rest A3, B3
.endm

.macro SHL1
	lsl A0
	rol A1
	rol A2
	rol A3
.endm
.macro SHR1
	lsr A3
	ror A2
	ror A1
	ror A0
.endm
.macro SAR1
	asr A3
	ror A2
	ror A1
	ror A0
.endm

.macro SIGN from            ; B0 = 0 or 0xff
	mov B0, \from
	lsl B0
	sbc B0, B0
.endm

.macro IMM16                ; B = sign-extended 16-bit immediate
	ld B0, X+
	ld B1, X+
	mov B2, B1
	lsl B2
	sbc B2, B2
	mov B3, B2
.endm

; Z = translated address for reading; \n bytes of the instruction are fetched. Falls to the local label 7 on a fault.
.macro TREAD
	mov YL, ZH
	mov YH, MAP
	ld ZH, Y
	mov YH, REGS
	andi ZH, 0x7f
	breq 7f
.endm

.macro FREAD n
7:	rjmp read_fault\n
.endm

.macro TWRITE n
	mov YL, ZH
	mov YH, MAP
	ld ZH, Y
	mov YH, REGS
	sbrc ZH, 7
	rjmp write_fault\n
.endm

.macro TWRITE_FAR n         ; where rjmp does not reach
	mov YL, ZH
	mov YH, MAP
	ld ZH, Y
	mov YH, REGS
	sbrs ZH, 7
	rjmp 1f
	jmp write_fault\n
1:
.endm

; Jump to code pointer: offset A0, index ZL, tag A1.
.macro GO
	andi ZL, 0x7e
	ori ZL, 0x80
	andi A1, 0x7f
	mov ZH, CODE
	mov INDEX, ZL
	mov TAG, A1
	ldd A2, Z+1
	ld XH, Z
	mov XL, A0
	cpse A2, A1
	rjmp code_miss
	NEXT
.endm

; ra-style link into the register at Y: code pointer of X.
.macro LINK
	std Y+0, XL
	std Y+1, INDEX
	std Y+2, TAG
	std Y+3, r1
.endm

; Three sections, in this order: the linker's relaxation does not keep an alignment in the middle of one. Their name lets the
; linker put them right behind the interrupt vectors, where the gap before the table is the same in every build.

	.section .progmem.gcc_vm_1, "ax", @progbits

; ---- entry and exit

	.global vm_run
vm_run:
	lds YH, vm_slot_page
	mov REGS, YH
	mov CODE, YH
	inc CODE
	mov MAP, CODE
	inc MAP
	clr r1
	clr ZERO
	.global vm_resume       ; from soft.S
vm_resume:
	ldi r16, hi8(pm(optab))
	mov DISP, r16
	ldi r16, VM_RUNNING
	out _SFR_IO_ADDR(GPIOR1), r16
	lds r17, vm_pending     ; an interrupt before the flag stood left it here; one after it swaps DISP
	lds A0, vm_pc+0
	lds ZL, vm_pc+1
	tst r17
	brne 1f
	lds A1, vm_pc+2
	GO
1:	out _SFR_IO_ADDR(GPIOR1), r1
	ldi r24, STOP_PREEMPT
	rjmp enter_kernel

; The program counter is in XL, INDEX, TAG; the reason in r16.
exit:
	out _SFR_IO_ADDR(GPIOR1), r1
	sts vm_pc+0, XL
	sts vm_pc+1, INDEX
	sts vm_pc+2, TAG
	mov r24, r16
	.global enter_kernel    ; from soft.S
enter_kernel:
	call stop
	rjmp vm_run

code_miss:
	jmp vm_code_soft

; ---- control

H trap
	ldi r16, STOP_ILLEGAL
	rjmp exit

H ebreak
	ldi r16, STOP_BREAK
	rjmp exit

H ecall
	ldi r16, STOP_ECALL
	rjmp exit

H pgend
	clr A0
	mov ZL, INDEX
	mov A1, TAG
	subi ZL, -2
	brcs 1f                 ; no carry out of 0xfe + 2: the next group of 64 pages
	inc A1
1:	rjmp go

H j
	ld XL, X
	NEXT

H jf
	ld A0, X+
	ld ZL, X+
	ld A1, X+
go:	GO

H call
	ldi YL, REG_RA
	ld A0, X+
	ld ZL, X+
	ld A1, X+
	LINK
	GO

H callx
	ld A0, X+
	ld ZL, X+
	ld A1, X+
	ld YL, X+
	LINK
	rjmp go

H callr
	ld YL, X+
	ldd A0, Y+0
	ldd ZL, Y+1
	ldd A1, Y+2
	ldi YL, REG_RA
	LINK
	rjmp go

H callrx
	ld YL, X+
	ldd A0, Y+0
	ldd ZL, Y+1
	ldd A1, Y+2
	ld YL, X+
	LINK
	rjmp go

H jr
	ld YL, X+
	ldd A0, Y+0
	ldd ZL, Y+1
	ldd A1, Y+2
	rjmp go

H ret
	ldi YL, REG_RA
go_y:
	ldd A0, Y+0
	ldd ZL, Y+1
	ldd A1, Y+2
	GO

; push and pop store and load word by word from the top down; sp moves last, so a fault in the middle restarts all.
; B0: how many are left, B1: register, A0: bytes in all, Z: translated place, r7: its page.

.macro STACK_COUNT          ; 0 of hostile code does nothing: to 9
	ld B0, X+
	andi B0, 3
	breq 9f
	mov A0, B0
	lsl A0
	lsl A0
	ldi B1, REG_RA
	ldi YL, REG_SP
	ldd ZL, Y+0
	ldd ZH, Y+1
.endm

.macro STACK_NEXT again, translate
	dec B0
	breq 3f
	cpi B1, 32              ; ra, s0, s1
	brsh 4f
	ldi B1, 28
4:	subi B1, -4
	subi ZL, 4
	brcc \again
	mov ZH, r7
	dec ZH
	rjmp \translate
3:
.endm

.macro STACK_MOVE op, carry
	ldi YL, REG_SP
	ldd A2, Y+0
	ldd A3, Y+1
	\op A2, A0
	\carry A3, r1
	std Y+0, A2
	std Y+1, A3
.endm

H push
	STACK_COUNT
	sbiw ZL, 4
	andi ZL, 0xfc
1:	mov r7, ZH
	TWRITE 2
2:	mov YL, B1
	LOADY4 A2, A3, B2, B3
	std Z+0, A2
	std Z+1, A3
	std Z+2, B2
	std Z+3, B3
	STACK_NEXT 2b, 1b
	STACK_MOVE sub, sbc
9:	NEXT

H pop
	clt
	rjmp pop_all
H popret
	set
pop_all:
	STACK_COUNT
	add ZL, A0
	adc ZH, r1
	sbiw ZL, 4
	andi ZL, 0xfc
1:	mov r7, ZH
	TREAD
2:	ldd A2, Z+0
	ldd A3, Z+1
	ldd B2, Z+2
	ldd B3, Z+3
	mov YL, B1
	std Y+0, A2
	std Y+1, A3
	std Y+2, B2
	std Y+3, B3
	STACK_NEXT 2b, 1b
	STACK_MOVE add, adc
9:	brtc 1f
	rjmp h_ret
1:	NEXT
	FREAD 2

; ---- constants and moves

H mv
	LDA
	STA
	NEXT_KEEP

H mvb
	ld YL, X+
	ldd A0, Y+0
	ld YL, X+
	std Y+0, A0
	NEXT_KEEP

.macro STAH                 ; lowest halfword of the register operand = A
	ld YL, X+
	std Y+0, A0
	std Y+1, A1
.endm
.macro LDAH
	ld YL, X+
	ldd A0, Y+0
	ldd A1, Y+1
.endm
.macro LDBH
	ld YL, X+
	ldd B0, Y+0
	ldd B1, Y+1
.endm
.macro STAB
	ld YL, X+
	std Y+0, A0
.endm

H mvh
	LDAH
	STAH
	NEXT_KEEP

H li0b
	ld YL, X+
	std Y+0, r1
	NEXT_KEEP

H li8b
	ld A0, X+
	STAB
	NEXT_KEEP

H li16h
	ld A0, X+
	ld A1, X+
	STAH
	NEXT_KEEP

H li0
	ld YL, X+
	std Y+0, r1
	std Y+1, r1
	std Y+2, r1
	std Y+3, r1
	NEXT_KEEP

H li8
	ld A0, X+
	STA0
	NEXT_KEEP

H li8n
	ld A0, X+
	ldi A1, 0xff
	ld YL, X+
	std Y+0, A0
	std Y+1, A1
	std Y+2, A1
	std Y+3, A1
	NEXT_KEEP

H li16
	ld A0, X+
	ld A1, X+
	ld YL, X+
	std Y+0, A0
	std Y+1, A1
	std Y+2, r1
	std Y+3, r1
	NEXT_KEEP

H lih
	ld A2, X+
	ld A3, X+
	ld YL, X+
	std Y+0, r1
	std Y+1, r1
	std Y+2, A2
	std Y+3, A3
	NEXT_KEEP

H li32
	ld A0, X+
	ld A1, X+
	ld A2, X+
	ld A3, X+
	STA
	NEXT_KEEP

; ---- register arithmetic

store_a:                    ; the end of what is rare
	STA
	NEXT
store_a0:
	STA0
	NEXT

.macro RRR name, first, rest
H \name
	LDA
	LDB
	ALU \first, \rest
	STA
	NEXT_KEEP
.endm
	RRR add, add, adc
	RRR sub, sub, sbc
.macro RRR_COLD name, op
H \name
	LDA
	LDB
	ALU \op, \op
	rjmp store_a
.endm
	RRR_COLD and, and
	RRR_COLD or, or
	RRR_COLD xor, eor

.macro RR2 name, first, rest
H \name
	LDB
	LDA
	ALU \first, \rest
	STAY
	NEXT_KEEP
.endm
	RR2 add2, add, adc
	RR2 sub2, sub, sbc
	RR2 and2, and, and
	RR2 or2, or, or
	RR2 xor2, eor, eor

.macro RRRB name, op
H \name
	ld YL, X+
	ldd A0, Y+0
	ld YL, X+
	ldd B0, Y+0
	\op A0, B0
	STAB
	NEXT_KEEP
.endm
	RRRB xorb, eor

H addh
	LDAH
	LDBH
	add A0, B0
	adc A1, B1
	STAH
	NEXT_KEEP

H add2h
	LDBH
	LDAH
	add A0, B0
	adc A1, B1
	std Y+0, A0
	std Y+1, A1
	NEXT_KEEP

H sh2add
	LDA
	SHL1
	SHL1
	LDB
	ALU add, adc
	rjmp store_a

.macro SETC name, branch
H \name
	LDA
	LDB
compare_\name:
	ALU cp, cpc
	ldi A0, 1
	\branch 1f
	clr A0
1:	rjmp store_a0
.endm
	SETC slt, brlt
	SETC sltu, brlo

H slti
	LDA
	IMM16
	rjmp compare_slt
H sltiu
	LDA
	IMM16
	rjmp compare_sltu

; ---- immediate arithmetic

.macro IMM8P name, first, rest   ; A op zero-extended byte
H \name
	LDA
	ld B0, X+
	\first A0, B0
	\rest A1, r1
	\rest A2, r1
	\rest A3, r1
	STA
	NEXT_KEEP
.endm
	IMM8P addi8, add, adc

.macro IMM16OP name, first, rest
H \name
	LDA
	IMM16
	ALU \first, \rest
	rjmp store_a
.endm
	IMM16OP addi16, add, adc
	IMM16OP andi16, and, and
	IMM16OP ori16, or, or
	IMM16OP xori16, eor, eor

.macro CARRY op             ; go on with the carry into bytes 1..3 of register Y
	ldd A0, Y+1
	\op A0, r1
	std Y+1, A0
	ldd A0, Y+2
	\op A0, r1
	std Y+2, A0
	ldd A0, Y+3
	\op A0, r1
	std Y+3, A0
	NEXT_KEEP
.endm

H inc8
	ld YL, X+
	ld B0, X+
	ldd A0, Y+0
	add A0, B0
	std Y+0, A0
	brcs carry_up
	NEXT_KEEP

H inc1
	ld YL, X+
	ldd A0, Y+0
	subi A0, 0xff
	std Y+0, A0
	breq 1f
	NEXT_KEEP
1:	sec
carry_up:
	CARRY adc

H dec8
	ld YL, X+
	ld B0, X+
	ldd A0, Y+0
	sub A0, B0
	std Y+0, A0
	brcs carry_down
	NEXT_KEEP

H dec1
	ld YL, X+
	ldd A0, Y+0
	subi A0, 1
	std Y+0, A0
	brcs carry_down
	NEXT_KEEP
carry_down:
	CARRY sbc

H addiz
	ld YL, X+
	ldd A0, Y+0
	ld B0, X+
	add A0, B0
	STA0
	NEXT_KEEP

H addib
	ld YL, X+
	ldd A0, Y+0
	ld B0, X+
	add A0, B0
	STAB
	NEXT_KEEP

H andib
	ld YL, X+
	ldd A0, Y+0
	ld B0, X+
	and A0, B0
	STAB
	NEXT_KEEP

H addi8h
	LDAH
	ld B0, X+
	add A0, B0
	adc A1, r1
	STAH
	NEXT_KEEP

H andi8
	ld YL, X+
	ldd A0, Y+0
	ld B0, X+
	and A0, B0
	STA0
	NEXT_KEEP

.macro LOGIC8 name, op
H \name
	LDA
	ld B0, X+
	\op A0, B0
	rjmp store_a
.endm
	LOGIC8 ori8, or

; ---- branches within the page

.macro COMPARE_EQ           ; branches to 1 when different
	ld YL, X+
	ld ZL, X+
	mov ZH, YH
	ldd A0, Y+0
	ldd B0, Z+0
	cp A0, B0
	brne 1f
	ldd A0, Y+1
	ldd B0, Z+1
	cp A0, B0
	brne 1f
	ldd A0, Y+2
	ldd B0, Z+2
	cp A0, B0
	brne 1f
	ldd A0, Y+3
	ldd B0, Z+3
	cp A0, B0
	brne 1f
.endm

H bne
	COMPARE_EQ
	SKIP_TARGET
1:	ld XL, X
	NEXT
H beq
	COMPARE_EQ
	ld XL, X
	NEXT
1:	SKIP_TARGET

.macro TEST_ZERO            ; branches to 1 when not zero
	ld YL, X+
	ldd A0, Y+0
	tst A0
	brne 1f
	ldd A1, Y+1
	or A0, A1
	ldd A1, Y+2
	or A0, A1
	ldd A1, Y+3
	or A0, A1
	brne 1f
.endm
H bnez
	TEST_ZERO
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
H beqz
	TEST_ZERO
	ld XL, X
	NEXT
1:	SKIP_TARGET_KEEP

.macro BCC name, branch
H \name
	LDA
	ld YL, X+
	ldd B0, Y+0
	cp A0, B0
	ldd B0, Y+1
	cpc A1, B0
	ldd B0, Y+2
	cpc A2, B0
	ldd B0, Y+3
	cpc A3, B0
	\branch 1f
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
.endm
; Signed: the highest bytes decide if they differ.
.macro BSIGNED name, branch, low
H \name
	ld YL, X+
	ld ZL, X+
	mov ZH, YH
	ldd A0, Y+3
	ldd B0, Z+3
	cp A0, B0
	brne 3f
	ldd A0, Y+0
	ldd B0, Z+0
	cp A0, B0
	ldd A0, Y+1
	ldd B0, Z+1
	cpc A0, B0
	ldd A0, Y+2
	ldd B0, Z+2
	cpc A0, B0
	\low 1f
2:	SKIP_TARGET
3:	\branch 1f
	rjmp 2b
1:	ld XL, X
	NEXT
.endm
	BSIGNED blt, brlt, brlo
	BSIGNED bge, brge, brsh
	BCC bltu, brlo
	BCC bgeu, brsh

.macro BSIGN name, branch
H \name
	ld YL, X+
	ldd A0, Y+3
	tst A0
	\branch 1f
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
.endm
	BSIGN bltz, brmi
	BSIGN bgez, brpl

; ---- branches by bytes and immediates, with something done before

.macro BYTES name, branch
H \name
	ld YL, X+
	ldd A0, Y+0
	ld YL, X+
	ldd B0, Y+0
	cp A0, B0
	\branch 1f
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
.endm
	BYTES beqb, breq
	BYTES bneb, brne
	BYTES bltub, brlo
	BYTES bgeub, brsh

.macro BYTE_IMM name, compare, branch
H \name
	ld YL, X+
	ldd A0, Y+0
	ld B0, X+
	\compare A0, B0
	\branch 1f
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
.endm
	BYTE_IMM beqib, cp, breq
	BYTE_IMM bneib, cp, brne
	BYTE_IMM bltuib, cp, brlo
	BYTE_IMM bgeuib, cp, brsh
	BYTE_IMM tbz, and, breq
	BYTE_IMM tbnz, and, brne

.macro BYTE_ZERO name, branch
H \name
	ld YL, X+
	ldd A0, Y+0
	tst A0
	\branch 1f
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
.endm
	BYTE_ZERO beqzb, breq
	BYTE_ZERO bnezb, brne

.macro EQUAL_IMM            ; branches to 1 when different
	ld YL, X+
	ld B0, X+
	ldd A0, Y+0
	cp A0, B0
	brne 1f
	ldd A0, Y+1
	ldd A1, Y+2
	or A0, A1
	ldd A1, Y+3
	or A0, A1
	brne 1f
.endm
H bnei
	EQUAL_IMM
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
H beqi
	EQUAL_IMM
	ld XL, X
	NEXT
1:	SKIP_TARGET_KEEP

.macro SHIFT_BRANCH name, branch
H \name
	LDA
	SHR1
	std Y+0, A0
	std Y+1, A1
	std Y+2, A2
	std Y+3, A3
	\branch 1f
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT
.endm
	SHIFT_BRANCH shrz, brcc
	SHIFT_BRANCH shrnz, brcs

H incbne
	ld YL, X+
	ld B0, X+
	ldd A0, Y+0
	add A0, B0
	std Y+0, A0
	brcs 3f
2:	ld ZL, X+
	mov ZH, YH
	ldd B0, Z+0
	cp A0, B0
	brne 1f
	ldd A0, Y+1
	ldd B0, Z+1
	cp A0, B0
	brne 1f
	ldd A0, Y+2
	ldd B0, Z+2
	cp A0, B0
	brne 1f
	ldd A0, Y+3
	ldd B0, Z+3
	cp A0, B0
	brne 1f
	SKIP_TARGET
3:	ldd A1, Y+1
	adc A1, r1
	std Y+1, A1
	ldd A1, Y+2
	adc A1, r1
	std Y+2, A1
	ldd A1, Y+3
	adc A1, r1
	std Y+3, A1
	rjmp 2b
1:	ld XL, X
	NEXT

H decbnz
	ld YL, X+
	ldd A0, Y+0
	subi A0, 1
	std Y+0, A0
	brcs 2f
	brne 1f
	ldd A0, Y+1
	ldd A1, Y+2
	or A0, A1
	ldd A1, Y+3
	or A0, A1
	brne 1f
	SKIP_TARGET_KEEP
2:	ldd A1, Y+1             ; 0xff below: never zero
	sbc A1, r1
	std Y+1, A1
	ldd A1, Y+2
	sbc A1, r1
	std Y+2, A1
	ldd A1, Y+3
	sbc A1, r1
	std Y+3, A1
1:	ld XL, X
	NEXT

H decbnzb
	ld YL, X+
	ldd A0, Y+0
	dec A0
	std Y+0, A0
	brne 1f
	SKIP_TARGET_KEEP
1:	ld XL, X
	NEXT

; ---- faults stand in the middle, where both halves reach them: the instruction's fetched bytes are given back

read_fault4:
	dec XL
read_fault3:
	dec XL
read_fault2:
	subi XL, 2
	ldi r16, STOP_READ
	jmp vm_data_soft

write_fault4:
	dec XL
write_fault3:
	dec XL
write_fault2:
	subi XL, 2
	ldi r16, STOP_WRITE
	jmp vm_data_soft

; ---- dispatch tables, in the middle: rjmp reaches 4 KB each way

preempt:
	dec XL
	ldi r16, STOP_PREEMPT
	jmp exit

	.section .progmem.gcc_vm_2, "ax", @progbits
	.balign 512
	.global vm_optab
vm_optab:
optab:
#define OP(name, ...) rjmp h_##name
#include <octix/opcodes.def>
#undef OP
optab_end:
	.rept 256 - (optab_end - optab) / 2
	rjmp h_trap
	.endr

preempt_table:
	.rept 256
	rjmp preempt
	.endr

	.global vm_preempt_page
vm_preempt_page = preempt_table

	.section .progmem.gcc_vm_3, "ax", @progbits

.macro SETZ name, branch
H \name
	LDA
	or A0, A1
	or A0, A2
	or A0, A3
	ldi A0, 1
	\branch 1f
	clr A0
1:	rjmp store_a0
.endm
	SETZ seqz, breq
	SETZ snez, brne

; ---- loads and stores

.macro BASE
	ld YL, X+
	ldd ZL, Y+0
	ldd ZH, Y+1
.endm
.macro EA0
	BASE
.endm
.macro EA8
	BASE
	ld B0, X+
	add ZL, B0
	adc ZH, r1
.endm
.macro EA16
	BASE
	ld B0, X+
	ld B1, X+
	add ZL, B0
	adc ZH, B1
.endm
.macro EAA
	ld ZL, X+
	ld ZH, X+
.endm
.macro EASP
	ldi YL, REG_SP
	ldd ZL, Y+0
	ldd ZH, Y+1
	ld B0, X+
	add ZL, B0
	adc ZH, r1
.endm

.macro LOAD_WORD name, ea, n
H \name
	\ea
	andi ZL, 0xfc
	TREAD
end_\name:
	ldd A0, Z+0
	ldd A1, Z+1
	ldd A2, Z+2
	ldd A3, Z+3
	STA
	NEXT
	FREAD \n
.endm

.macro LOAD_LBU suffix, ea, n
H lbu\suffix
	\ea
	TREAD
end_lbu\suffix:
	ld A0, Z
	STA0
	NEXT
	FREAD \n
.endm

.macro LOAD_LBUB suffix, ea, n
H lbu\suffix\()b
	\ea
	TREAD
	ld A0, Z
	STAB
	NEXT
	FREAD \n
.endm

.macro LOAD_HALF suffix, ea, n
H lhu\suffix
	\ea
	andi ZL, 0xfe
	TREAD
lhu_end:
	ldd A0, Z+0
	ldd A1, Z+1
	ld YL, X+
	std Y+0, A0
	std Y+1, A1
	std Y+2, r1
	std Y+3, r1
	NEXT
	FREAD \n
H lh\suffix
	\ea
	andi ZL, 0xfe
	TREAD
lh_end:
	ldd A0, Z+0
	ldd A1, Z+1
	SIGN A1
	ld YL, X+
	std Y+0, A0
	std Y+1, A1
	std Y+2, B0
	std Y+3, B0
	NEXT
	FREAD \n
H sh\suffix
	\ea
	andi ZL, 0xfe
	TWRITE \n
sh_end:
	ld YL, X+
	ldd A0, Y+0
	ldd A1, Y+1
	std Z+0, A0
	std Z+1, A1
	NEXT
.endm

.macro STORE_WORD name, ea, n
H \name
	\ea
	andi ZL, 0xfc
	TWRITE \n
end_\name:
	LDA
	std Z+0, A0
	std Z+1, A1
	std Z+2, A2
	std Z+3, A3
	NEXT
.endm

.macro STORE_BYTE name, ea, n
H \name
	\ea
	TWRITE \n
end_\name:
	ld YL, X+
	ldd A0, Y+0
	st Z, A0
	NEXT
.endm

; The same of rare forms: they end in one of the others.
.macro LOAD_COLD name, ea, mask, n, tail
H \name
	\ea
	andi ZL, \mask
	TREAD
	rjmp \tail
	FREAD \n
.endm
.macro STORE_COLD name, ea, mask, n, tail
H \name
	\ea
	andi ZL, \mask
	TWRITE \n
	rjmp \tail
.endm

.macro MEMORY suffix, ea, n
	LOAD_WORD lw\suffix, \ea, \n
	LOAD_LBU \suffix, \ea, \n
	STORE_WORD sw\suffix, \ea, \n
	STORE_BYTE sb\suffix, \ea, \n
.endm
	MEMORY 0, EA0, 2
	MEMORY 8, EA8, 3
	LOAD_COLD lw16, EA16, 0xfc, 4, end_lw8
	LOAD_COLD lbu16, EA16, 0xff, 4, end_lbu8
	STORE_COLD sw16, EA16, 0xfc, 4, end_sw8
	STORE_COLD sb16, EA16, 0xff, 4, end_sb8
	LOAD_WORD lwa, EAA, 3
	STORE_WORD swa, EAA, 3
	LOAD_COLD lbua, EAA, 0xff, 3, end_lbu8
	STORE_COLD sba, EAA, 0xff, 3, end_sb8
	LOAD_HALF 0, EA0, 2
	LOAD_COLD lhu8, EA8, 0xfe, 3, lhu_end
	LOAD_COLD lh8, EA8, 0xfe, 3, lh_end
	STORE_COLD sh8, EA8, 0xfe, 3, sh_end
	LOAD_COLD lhu16, EA16, 0xfe, 4, lhu_end
	LOAD_COLD lh16, EA16, 0xfe, 4, lh_end
	STORE_COLD sh16, EA16, 0xfe, 4, sh_end
	LOAD_WORD lwsp, EASP, 2
	STORE_WORD swsp, EASP, 2
	LOAD_LBUB 0, EA0, 2

H lb16
	EA16
	TREAD
	ld A0, Z
	SIGN A0
	ld YL, X+
	std Y+0, A0
	std Y+1, B0
	std Y+2, B0
	std Y+3, B0
	NEXT
	FREAD 4

.macro EAX                  ; sum of two registers
	BASE
	ld YL, X+
	ldd B0, Y+0
	ldd B1, Y+1
	add ZL, B0
	adc ZH, B1
.endm
.macro EAX4                 ; 4 * the first + the second
	BASE
	lsl ZL
	rol ZH
	lsl ZL
	rol ZH
	ld YL, X+
	ldd B0, Y+0
	ldd B1, Y+1
	add ZL, B0
	adc ZH, B1
.endm
	LOAD_LBU x, EAX, 3
	LOAD_WORD lwx4, EAX4, 3

; Register B2, of which ZL0 was the lowest byte, += n: after the last possible fault.
.macro STEP n
	mov YL, B2
	subi B1, -\n
	std Y+0, B1
	brcs 1f                 ; no carry out
	ldd B1, Y+1
	subi B1, 0xff
	std Y+1, B1
	brcs 1f
	ldd B1, Y+2
	subi B1, 0xff
	std Y+2, B1
	brcs 1f
	ldd B1, Y+3
	subi B1, 0xff
	std Y+3, B1
1:
.endm
.macro STEP_BASE
	BASE
	mov B2, YL
	mov B1, ZL
.endm

.macro LOAD_STEP name, store
H \name
	STEP_BASE
	TREAD
	ld A0, Z
	STEP 1
	\store
	NEXT
	FREAD 2
.endm
	LOAD_STEP lbup, STA0

H lwp
	STEP_BASE
	andi ZL, 0xfc
	TREAD
	ldd A0, Z+0
	ldd A1, Z+1
	ldd A2, Z+2
	ldd A3, Z+3
	STEP 4
	STA
	NEXT
	FREAD 2

; The value stands before the base here, as in all stores that step.
.macro STORE_STEP
	ld YL, X+
	mov B0, YL
	STEP_BASE
.endm
H sbp
	STORE_STEP
	TWRITE 3
	mov YL, B0
	ldd A0, Y+0
	st Z, A0
	STEP 1
	NEXT

.macro LOAD_BRANCH name, branch, store
H \name
	EA0
	TREAD
	ld A0, Z
	\store
	tst A0
	\branch 1f
	SKIP_TARGET
1:	ld XL, X
	NEXT
	FREAD 2
.endm
	LOAD_BRANCH lbuzb, breq, STAB
	LOAD_BRANCH lbunzb, brne, STAB

; ---- shifts

H slli1
	LDA
	SHL1
	rjmp store_b
H slli2
	LDA
	SHL1
	SHL1
	rjmp store_b
H slli16
	ld YL, X+
	ldd A2, Y+0
	ldd A3, Y+1
	clr A0
	clr A1
	rjmp store_b
H srli1
	LDA
	SHR1
	rjmp store_b
H srli8
	ld YL, X+
	ldd A0, Y+1
	ldd A1, Y+2
	ldd A2, Y+3
	clr A3
	STA
	NEXT_KEEP
H srli16
	ld YL, X+
	ldd A0, Y+2
	ldd A1, Y+3
	clr A2
	clr A3
	rjmp store_b
H srli24
	ld YL, X+
	ldd A0, Y+3
	STA0
	NEXT_KEEP
H srai1
	LDA
	SAR1
	rjmp store_b
H srai2
	LDA
	SAR1
	SAR1
	rjmp store_b
H srli8b
	ld YL, X+
	ldd A0, Y+1
	STAB
	NEXT_KEEP
H zexth
	LDAH
	clr A2
	clr A3
	rjmp store_b
H srlb
	ld YL, X+
	ld B0, X+
	andi B0, 3
	add YL, B0
	ldd A0, Y+0
	ldd A1, Y+1
	ld B0, X+
	mul A0, B0
	mov A0, r1
	mul A1, B0
	or A0, r0
	clr r1
	STAB
	NEXT_KEEP
H srlim
	LDA
	ld B1, X+
	clr B2
	rjmp shift_bits
H slli1x
	LDA
	SHL1
	STAY
	NEXT_KEEP
H srli1x
	LDA
	SHR1
	STAY
	NEXT_KEEP
H slli
	LDA
	ld B0, X+
	rjmp shift_left
H srli
	LDA
	ld B0, X+
	rjmp shift_right
H srai
	LDA
	ld B0, X+
	rjmp shift_arith
.macro SHIFT_REG name, target
H \name
	LDA
	ld YL, X+
	ldd B0, Y+0
	rjmp \target
.endm
	SHIFT_REG sll, shift_left
	SHIFT_REG srl, shift_right
	SHIFT_REG sra, shift_arith

; Shifts by bytes, then by 1 to 7 bits at once: the multiplication by a power of two leaves each byte's bits in r1 and r0.
.macro POWER of             ; B1 = 1 << (\of & 7)
	ldi B1, 1
	sbrc \of, 1
	ldi B1, 4
	sbrc \of, 0
	lsl B1
	sbrc \of, 2
	swap B1
.endm

shift_left:
	andi B0, 31
1:	cpi B0, 8
	brlo 2f
	mov A3, A2
	mov A2, A1
	mov A1, A0
	clr A0
	subi B0, 8
	rjmp 1b
2:	POWER B0
	mul A3, B1
	mov A3, r0
	mul A2, B1
	or A3, r1
	mov A2, r0
	mul A1, B1
	or A2, r1
	mov A1, r0
	mul A0, B1
	or A1, r1
	mov A0, r0
	clr r1
	rjmp store_b

shift_arith:
	andi B0, 31
	mov B2, A3
	lsl B2
	sbc B2, B2
	rjmp 1f
shift_right:
	andi B0, 31
	clr B2                  ; B2: what comes in from the left
1:	cpi B0, 8
	brlo 2f
	mov A0, A1
	mov A1, A2
	mov A2, A3
	mov A3, B2
	subi B0, 8
	rjmp 1b
2:	tst B0
	breq store_b
	dec B0
	com B0
	POWER B0                ; 1 << (8 - bits), its product's upper byte is what stays
shift_bits:
	mul A0, B1
	mov A0, r1
	mul A1, B1
	or A0, r0
	mov A1, r1
	mul A2, B1
	or A1, r0
	mov A2, r1
	mul A3, B1
	or A2, r0
	mov A3, r1
	mul B2, B1
	or A3, r0
	clr r1
store_b:
	STA
	NEXT

; ---- multiplication

H muladd
	set
	rjmp 2f
H mul
	clt
2:	LDA
	LDB
	mul A0, B0
	movw r12, r0
	mul A1, B1
	movw r14, r0
	mov r0, A2
	or r0, A3
	or r0, B2
	or r0, B3
	breq 1f                 ; two 16-bit numbers
	mul A2, B0
	add r14, r0
	adc r15, r1
	mul A0, B2
	add r14, r0
	adc r15, r1
	mul A3, B0
	add r15, r0
	mul A0, B3
	add r15, r0
	mul A2, B1
	add r15, r0
	mul A1, B2
	add r15, r0
1:	mul A0, B1
	add r13, r0
	adc r14, r1
	adc r15, ZERO
	mul A1, B0
	add r13, r0
	adc r14, r1
	adc r15, ZERO
	clr r1
	ld YL, X+
	brtc 3f
	LOADY4 A0, A1, A2, A3
	add r12, A0
	adc r13, A1
	adc r14, A2
	adc r15, A3
3:	std Y+0, r12
	std Y+1, r13
	std Y+2, r14
	std Y+3, r15
	NEXT

H mul16
	LDAH
	LDBH
	mul A0, B0
	movw r12, r0
	mul A0, B1
	add r13, r0
	mul A1, B0
	add r13, r0
	clr r1
	ld YL, X+
	std Y+0, r12
	std Y+1, r13
	NEXT

; The other long operations stand out of line: the table reaches only their first words.
.macro FAR name
H \name
	jmp long_\name
.endm
	FAR mulh
	FAR mulhsu
	FAR mulhu
	FAR div
	FAR divu
	FAR rem
	FAR remu
	FAR nmemcpy
	FAR nmemset
	FAR nmemrev
	FAR nmemcmp
	FAR nstrlen
	FAR nstrcpy
	FAR nstrcmp
	FAR nstrchr

; ---- upper half of the product: r12..r15 = (A * B) >> 32, unsigned; then corrected for signs

; A row for each byte of B: r12..r15 and r8 += A * B0, then the lowest byte falls out. B comes round to where it was.
product:
	clr r12
	clr r13
	movw r14, r12
	ldi ZL, 4
1:	clr r8
	mul A0, B0
	add r12, r0
	adc r13, r1
	adc r14, ZERO
	adc r15, ZERO
	adc r8, ZERO
	mul A2, B0
	add r14, r0
	adc r15, r1
	adc r8, ZERO
	mul A1, B0
	add r13, r0
	adc r14, r1
	adc r15, ZERO
	adc r8, ZERO
	mul A3, B0
	add r15, r0
	adc r8, r1
	mov r12, r13
	mov r13, r14
	mov r14, r15
	mov r15, r8
	mov r9, B0
	mov B0, B1
	mov B1, B2
	mov B2, B3
	mov B3, r9
	dec ZL
	brne 1b
	clr r1
	ret

.macro MINUS_IF_NEG sign, b0, b1, b2, b3   ; upper half -= b when sign is negative
	sbrs \sign, 7
	rjmp 1f
	sub r12, \b0
	sbc r13, \b1
	sbc r14, \b2
	sbc r15, \b3
1:
.endm

long_mulh:
	LDA
	LDB
	rcall product
	MINUS_IF_NEG B3, A0, A1, A2, A3
signed_a:
	MINUS_IF_NEG A3, B0, B1, B2, B3
store_upper:
	movw A0, r12
	movw A2, r14
	rjmp store_quotient
long_mulhsu:
	LDA
	LDB
	rcall product
	rjmp signed_a
long_mulhu:
	LDA
	LDB
	rcall product
	rjmp store_upper

; ---- division, RISC-V unprivileged ISA 7.2: x / 0 = -1, x % 0 = x, overflow wraps

; A = A / B, r12..r15 = A % B, unsigned. B = 0 gives what RISC-V wants. Leading zero bytes of A are skipped.
udivide:
	clr r12
	clr r13
	movw r14, r12
	cp B1, ZERO
	cpc B2, ZERO
	cpc B3, ZERO
	breq divide_byte
	ldi ZL, 32
1:	tst A3                  ; whole zero bytes give zero quotient bits
	brne 3f
	subi ZL, 8
	breq 4f
	mov A3, A2
	mov A2, A1
	mov A1, A0
	clr A0
	rjmp 1b
3:	lsl A0
	rol A1
	rol A2
	rol A3
	rol r12
	rol r13
	rol r14
	rol r15
	brcs 5f                 ; the remainder's 33rd bit: it is above any B
	cp r12, B0
	cpc r13, B1
	cpc r14, B2
	cpc r15, B3
	brlo 7f
5:	sub r12, B0
	sbc r13, B1
	sbc r14, B2
	sbc r15, B3
	inc A0
7:	dec ZL
	brne 3b
4:	ret

; The divisor is one byte: each byte of A becomes its part of the quotient, r12 keeps the remainder.
divide_byte:
	tst B0
	breq by_zero
	cp A3, ZERO
	cpc A2, ZERO
	cpc A1, ZERO
	breq 1f
	mov r0, A3
	rcall divide_step
	mov A3, r0
	mov r0, A2
	rcall divide_step
	mov A2, r0
	mov r0, A1
	rcall divide_step
	mov A1, r0
1:	mov r0, A0
	rcall divide_step
	mov A0, r0
	ret
divide_step:
	tst r12
	brne 1f
	cp r0, B0
	brsh 1f
	mov r12, r0             ; nothing to divide yet
	clr r0
	ret
1:	ldi ZL, 8
2:	lsl r0
	rol r12
	brcs 3f
	cp r12, B0
	brlo 4f
3:	sub r12, B0
	inc r0
4:	dec ZL
	brne 2b
	ret
by_zero:
	movw r12, A0
	movw r14, A2
	ldi A0, 0xff
	mov A1, A0
	movw A2, A0
	ret

.macro NEGATE a0, a1, a2, a3
	com \a3
	com \a2
	com \a1
	neg \a0
	sbci \a1, 0xff
	sbci \a2, 0xff
	sbci \a3, 0xff
.endm

; Makes A and B positive; r7 bit 7: the quotient is negative, r11 bit 7: the remainder is.
signs:
	mov r11, A3
	mov r7, A3
	eor r7, B3
	mov r10, B0             ; x / 0 is -1 whatever the sign
	or r10, B1
	or r10, B2
	or r10, B3
	brne 1f
	clr r7
1:	sbrs A3, 7
	rjmp 2f
	NEGATE A0, A1, A2, A3
2:	sbrs B3, 7
	ret
	NEGATE B0, B1, B2, B3
	ret

; Both operands are bytes, the usual case: to \to.
.macro IF_BYTES to
	mov r0, A1
	or r0, A2
	or r0, A3
	or r0, B1
	or r0, B2
	or r0, B3
	brne 1f
	rjmp \to
1:
.endm

; A0 = A0 / B0, r12 = A0 % B0; \zero: B0 is 0.
.macro DIVIDE_BYTES zero
	tst B0
	breq \zero
	clr r12
	ldi ZL, 2
1:	.rept 4
	lsl A0
	rol r12
	brcs 2f
	cp r12, B0
	brlo 3f
2:	sub r12, B0
	inc A0
3:
	.endr
	dec ZL
	brne 1b
.endm

quotient_of_bytes:
	DIVIDE_BYTES 4f
	STA0
	NEXT
4:	rcall by_zero
	rjmp store_quotient
remainder_of_bytes:
	DIVIDE_BYTES 4f
	mov A0, r12
4:	STA0
	NEXT

long_divu:
	LDA
	LDB
	IF_BYTES quotient_of_bytes
	rcall udivide
store_quotient:
	STA
	NEXT
long_remu:
	LDA
	LDB
	IF_BYTES remainder_of_bytes
	rcall udivide
	rjmp store_upper
long_div:
	LDA
	LDB
	IF_BYTES quotient_of_bytes
	rcall signs
	rcall udivide
	sbrs r7, 7
	rjmp store_quotient
	NEGATE A0, A1, A2, A3
	rjmp store_quotient
long_rem:
	LDA
	LDB
	IF_BYTES remainder_of_bytes
	rcall signs
	rcall udivide
	movw A0, r12
	movw A2, r14
	sbrs r11, 7
	rjmp store_quotient
	NEGATE A0, A1, A2, A3
	rjmp store_quotient

; ---- loops of the C library
;
; Each round works within one data page of each operand, stores the advanced registers, and dispatches the same
; instruction again while something is left: so a round is short, a fault restarts a round, and preemption waits
; for the end of a round at the most (about 2,000 cycles).

#define FIRST  r8           /* register addresses */
#define SECOND r9
#define THIRD  r10
#define LAST   r11          /* bytes of this round, minus 1 */

.macro OPERANDS3
	ld FIRST, X+
	ld SECOND, X+
	ld THIRD, X+
.endm

; Z = 16 bits of the register at address \reg
.macro POINTER reg
	mov YL, \reg
	ldd ZL, Y+0
	ldd ZH, Y+1
.endm

; LAST = min(LAST, \reg)
.macro LIMIT reg
	cp LAST, \reg
	brlo 1f
	mov LAST, \reg
1:
.endm

; LAST = min(count in THIRD, 256) - 1; done (local label 5) when the count is 0.
.macro COUNT
	mov YL, THIRD
	LOADY4 A0, A1, A2, A3
	or A1, A2
	or A1, A3
	ldi B0, 0xff
	mov LAST, B0
	brne 1f
	subi A0, 1
	brcs 5f
	mov LAST, A0
1:
.endm

; Of LAST + 1 bytes B0 (0: 256) are left, the one that stopped the loop among them: LAST = the bytes passed, minus 1.
; None: to \none.
.macro PASSED none
	dec B0
	sub LAST, B0
	breq \none
	dec LAST
.endm

; Register at address YL += LAST + 1
advance:
	LOADY4 A0, A1, A2, A3
	sec
	adc A0, LAST
	adc A1, r1
	adc A2, r1
	adc A3, r1
	STAY
	ret

; Register at address YL -= LAST + 1
retreat:
	LOADY4 A0, A1, A2, A3
	sec
	sbc A0, LAST
	sbc A1, r1
	sbc A2, r1
	sbc A3, r1
	STAY
	ret

; The same instruction once more: \n bytes back.
.macro AGAIN n
	sbiw XL, \n
	NEXT
.endm

long_nmemcpy:
	OPERANDS3
	COUNT
	POINTER SECOND
	mov B1, ZL
	com B1
	TREAD
	LIMIT B1
	movw r12, ZL            ; source
	POINTER FIRST
	mov B1, ZL
	com B1
	TWRITE_FAR 4
	LIMIT B1
	movw r14, XL
	movw XL, r12
	mov B0, LAST
	inc B0                  ; 0: 256
	sbrs B0, 0
	rjmp 2f
	ld r0, X+
	st Z+, r0
	dec B0
	breq 3f
2:	ld r0, X+
	st Z+, r0
	ld r0, X+
	st Z+, r0
	subi B0, 2
	brne 2b
3:
copied:
	movw XL, r14
	mov YL, FIRST
	rcall advance
	mov YL, SECOND
	rcall advance
	mov YL, THIRD
	rcall retreat
	AGAIN 4
5:	NEXT
7:	jmp read_fault4

long_nmemset:
	OPERANDS3
	COUNT
	POINTER FIRST
	mov B1, ZL
	com B1
	TWRITE_FAR 4
	LIMIT B1
	mov YL, SECOND
	ldd r0, Y+0
	mov B0, LAST
	inc B0
	sbrs B0, 0
	rjmp 2f
	st Z+, r0
	dec B0
	breq 3f
2:	st Z+, r0
	st Z+, r0
	subi B0, 2
	brne 2b
3:	mov YL, FIRST
	rcall advance
	mov YL, THIRD
	rcall retreat
	AGAIN 4
5:	NEXT

long_nmemrev:
	OPERANDS3
	COUNT
	POINTER SECOND
	sbiw ZL, 1              ; the page of the byte below
	mov B1, ZL
	TREAD
	LIMIT B1
	movw r12, ZL
	POINTER FIRST
	sbiw ZL, 1
	mov B1, ZL
	TWRITE_FAR 4
	LIMIT B1
	movw r14, XL
	movw XL, r12
	adiw XL, 1
	adiw ZL, 1
	mov B0, LAST
	inc B0
2:	ld r0, -X
	st -Z, r0
	dec B0
	brne 2b
	movw XL, r14
	mov YL, FIRST
	rcall retreat
	mov YL, SECOND
	rcall retreat
	mov YL, THIRD
	rcall retreat
	AGAIN 4
5:	NEXT
7:	jmp read_fault4

long_nmemcmp:
	OPERANDS3
	COUNT
	POINTER SECOND
	mov B1, ZL
	com B1
	TREAD
	LIMIT B1
	movw r12, ZL
	POINTER FIRST
	mov B1, ZL
	com B1
	TREAD
	LIMIT B1
	movw r14, XL
	movw XL, r12
	mov B0, LAST
	inc B0
2:	ld A0, X+
	ld A1, Z+
	cp A0, A1
	brne 3f
	dec B0
	brne 2b
	rjmp copied
3:	movw XL, r14            ; different
	PASSED 5f
	mov YL, FIRST
	rcall advance
	mov YL, SECOND
	rcall advance
	mov YL, THIRD
	rcall retreat
5:	NEXT
7:	jmp read_fault4

long_nstrlen:
	ld FIRST, X+
	clr B2                  ; stops at 0 or at 0
	rjmp scan2
long_nstrchr:
	ld FIRST, X+
	ld YL, X+
	ldd B2, Y+0
	POINTER FIRST
	mov B1, ZL
	com B1
	TREAD
	rcall scan
	brts 1f
	AGAIN 3
1:	NEXT
7:	jmp read_fault3
scan2:
	POINTER FIRST
	mov B1, ZL
	com B1
	TREAD
	rcall scan
	brts 1f
	AGAIN 2
1:	NEXT
7:	jmp read_fault2

; From Z, B1 + 1 bytes: stops at 0 or B2 with T set; advances FIRST by the bytes before.
scan:
	mov LAST, B1
	mov B0, B1
	inc B0
	clt
2:	ld A0, Z+
	tst A0
	breq 3f
	cp A0, B2
	breq 3f
	dec B0
	brne 2b
	mov YL, FIRST
	rjmp advance
3:	set
	PASSED 4f
	mov YL, FIRST
	rjmp advance
4:	ret

; LAST = bytes left in both pages - 1, X = SECOND's translated pointer, Z = FIRST's (not yet translated); X in r14.
.macro TWO_STRINGS
	ld FIRST, X+
	ld SECOND, X+
	POINTER SECOND
	mov LAST, ZL
	com LAST
	TREAD
	movw r12, ZL
	POINTER FIRST
	mov B1, ZL
	com B1
.endm

long_nstrcpy:
	TWO_STRINGS
	TWRITE_FAR 3
	LIMIT B1
	movw r14, XL
	movw XL, r12
	mov B0, LAST
	inc B0
	clt
2:	ld A0, X+
	st Z+, A0
	tst A0
	breq strings_end
	dec B0
	brne 2b
strings_page:
	movw XL, r14
	mov YL, FIRST
	rcall advance
	mov YL, SECOND
	rcall advance
	AGAIN 3
strings_end:
	movw XL, r14
	PASSED 5f
	mov YL, FIRST
	rcall advance
	mov YL, SECOND
	rcall advance
5:	NEXT
7:	jmp read_fault3

long_nstrcmp:
	TWO_STRINGS
	TREAD
	LIMIT B1
	movw r14, XL
	movw XL, r12
	mov B0, LAST
	inc B0
2:	ld A0, X+
	ld A1, Z+
	cp A0, A1
	brne strings_end
	tst A0
	breq strings_end
	dec B0
	brne 2b
	rjmp strings_page
7:	jmp read_fault3

	.global vm_core_end
vm_core_end:
