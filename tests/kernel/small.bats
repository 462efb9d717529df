#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# oxoutline, which makes the code of kernels with BOARD_SMALL smaller. That they work is shown by all suites that run on such a board.
# shellcheck disable=SC2154 # the helper sets the variables

load helper

# function NAME, its lines on standard input.
function_of() {
	printf '\t.section\t.text.%s,"ax",@progbits\n%s:\n' "$1" "$1"
	sed 's/^/\t/; s/^\t\(.*:\)$/\1/'
}

outline() {
	cat >"$T/in.s"
	"$HOSTBIN/oxoutline" <"$T/in.s" >"$T/out.s"
	avr-as -mmcu=avr51 -o "$T/out.o" "$T/out.s"
	output=$(cat "$T/out.s")
}

# times N TEXT: so often it stands in the output.
times() {
	[ "$(grep -cF -- "$2" "$T/out.s")" = "$1" ] || { cat "$T/out.s"; return 1; }
}

work='ldd r24,Z+4
ldd r25,Z+5
subi r24,17
sbci r25,0
std Z+5,r25
std Z+4,r24'

@test "what stands in several functions becomes a routine" {
	for f in a b c; do
		function_of "$f" <<<"tst r22
breq .L$f
$work
.L$f:
ldi r24,$((0x$f))
ret"
	done | outline
	times 1 'subi r24,17'
	[ "$(grep -c 'call __' "$T/out.s")" = 3 ]
}

@test "equal ends become one" {
	for f in a b c; do
		function_of "$f" <<<"ldi r30,$((0x$f))
$work
pop r29
pop r28
ret"
	done | outline
	times 1 'pop r29'
	times 2 'jmp __'
	times 0 'call __'
}

@test "branches, labels, skips, the stack pointer, and inline assembly stay where they are" {
	for f in a b c; do
		function_of "$f" <<<"push r16
sbrc r24,3
inc r25
sbrc r24,4
rjmp .L$f
in r28,__SP_L__
in r29,__SP_H__
cli
out __SP_L__,r28
wdr
sts 0x60,r24
sts 0x60,r25
/* #APP */
lsl r24
rol r25
lsl r24
rol r25
lsl r24
/* #NOAPP */
.L$f:
ldi r30,$((0x$f))
ret"
	done | outline
	cmp <(grep -v '#' "$T/in.s" | tr -d '\t ' | sort) <(grep -v '#' "$T/out.s" | tr -d '\t ' | sort)
}

@test "an instruction that may be skipped goes with what skips it" {
	for f in a b c; do
		function_of "$f" <<<"cpse r24,r25
ldi r22,1
$work
ldi r23,$((0x$f))
ret"
	done | outline
	times 1 'cpse r24,r25'
	grep -A1 'cpse r24,r25' "$T/out.s" | grep -q 'ldi r22,1'
}

@test "the kernel's code comes out the same each time" {
	for f in a b c d e f; do
		function_of "$f" <<<"$work
call a
call b
$work
ret"
	done | outline
	cp "$T/out.s" "$T/first.s"
	"$HOSTBIN/oxoutline" <"$T/in.s" | cmp - "$T/first.s"
}

@test "reasons by number" {
	run "$TOP/scripts/octix" why 1 25 101 122
	[ "$status" = 0 ]
	[ "${lines[0]}" = '1 not an Octix program' ]
	[ "${lines[1]}" = '25 cannot be started' ]
	[ "${lines[2]}" = '101 no SD card answers; insert one, check its wires' ]
	[ "${lines[3]}" = '122 FAT larger than the card; write the image again' ]
	fails 1 "no error '26'" "$TOP/scripts/octix" why 26
	fails 2 "unknown option '-x'" "$TOP/scripts/octix" why -x
}
