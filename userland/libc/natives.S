// SPDX-License-Identifier: ISC
//
// What the bytecode has instructions for (octix/opcodes.def, rows n*; custom-0, funct7 counts them): string functions, whose
// instructions advance their registers, and gcc's functions for multiplication and division of 64 bits. Left out of the library variant
// for --no-natives, where those of picolibc and libgcc serve.

	.macro function name
	.section .text.\name, "ax"
	.globl \name
	.type \name, @function
\name:
	.endm
	.macro native number, first=x0, second=x0, third=x0
	.insn r 0x0B, 0, \number, \first, \second, \third
	.endm

	.equ NMEMCPY, 0
	.equ NMEMSET, 1
	.equ NMEMREV, 2
	.equ NMEMCMP, 3
	.equ NSTRLEN, 4
	.equ NSTRCPY, 5
	.equ NSTRCMP, 6
	.equ NSTRCHR, 7
	.equ NUDIV64, 8
	.equ NMUL64, 9

	function memcpy
	mv a3, a0
	native NMEMCPY, a3, a1, a2
	ret

	function mempcpy
	native NMEMCPY, a0, a1, a2
	ret

	function memset
	mv a3, a0
	native NMEMSET, a3, a1, a2
	ret

	function memmove
	sub a4, a0, a1
	mv a3, a0
	bltu a4, a2, 1f      // the destination begins inside the source
	native NMEMCPY, a3, a1, a2
	ret
1:	add a3, a3, a2
	add a1, a1, a2
	native NMEMREV, a3, a1, a2
	ret

	function memcmp
	native NMEMCMP, a0, a1, a2
	beqz a2, 1f
	lbu a0, 0(a0)
	lbu a1, 0(a1)
	sub a0, a0, a1
	ret
1:	li a0, 0
	ret

	function strlen
	mv a1, a0
	native NSTRLEN, a1
	sub a0, a1, a0
	ret

	function strcpy
	mv a2, a0
	native NSTRCPY, a2, a1
	ret

	function stpcpy
	native NSTRCPY, a0, a1
	ret

	function strcat
	mv a2, a0
	native NSTRLEN, a2
	native NSTRCPY, a2, a1
	ret

	function strcmp
	native NSTRCMP, a0, a1
	lbu a0, 0(a0)
	lbu a1, 0(a1)
	sub a0, a0, a1
	ret

	function strchr
	native NSTRCHR, a0, a1
	lbu a2, 0(a0)
	andi a1, a1, 255
	bne a2, a1, 1f
	ret
1:	li a0, 0
	ret

	function strchrnul
	native NSTRCHR, a0, a1
	ret

	function __muldi3
	native NMUL64
	ret

// Division by zero, which C leaves undefined: all ones and the dividend; of a negative number, 1 and the dividend.

	.macro negate low, high    // changes a4
	snez a4, \low
	add \high, \high, a4
	neg \low, \low
	neg \high, \high
	.endm
	.macro magnitude low, high
	bgez \high, 9f
	negate \low, \high
9:
	.endm

	function __udivdi3
	native NUDIV64
	ret

	function __umoddi3
	native NUDIV64
	mv a0, a2
	mv a1, a3
	ret

	function __divdi3
	xor a5, a1, a3
	magnitude a0, a1
	magnitude a2, a3
	native NUDIV64
	bgez a5, 1f
	negate a0, a1
1:	ret

	function __moddi3
	mv a5, a1
	magnitude a0, a1
	magnitude a2, a3
	native NUDIV64
	mv a0, a2
	mv a1, a3
	bgez a5, 1f
	negate a0, a1
1:	ret
