#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# C's corners (tests/vm/corners) in the kernel's VM, against what the host prints, and again while other processes compute.

# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables
load helper

CORNERS=$TOP/build/tests/corners
SHORT="jumps tables varargs structs"
# what runs on the boards: arithmetic is the library's at all levels
RUNS="$(for n in $SHORT; do echo "$n.O0" "$n.O2" "$n.Os"; done) long64.O2 divide64.O2 soft.Os"
BUSY="./busy & ./busy & ./busy &"

agree() { # BOARD
	local r
	# shellcheck disable=SC2046,SC2086 # words
	on_card "$1" "$CORNERS"/stack.O{0,2,s} $(printf "$CORNERS/%s " $RUNS)
	board --rw < <(
		for r in $RUNS; do echo "./$r >/tmp/$r"; done
		for r in O0 O2 Os; do echo "./stack.$r; echo \$? stack.$r; ./stack.$r more; echo \$? more.$r"; done
		echo halt
	)
	[ "$status" = 0 ]
	for r in $RUNS; do
		fetch "/tmp/$r" | diff "$CORNERS/${r%.*}.expected" - || { echo "$r on $1"; return 1; }
	done
	for r in O0 O2 Os; do
		has "0 stack.$r"
		has "139 more.$r"
	done
}

@test "C's corners on m1284p" {
	agree m1284p
}

@test "C's corners on mega2560" {
	agree mega2560
}

# crowded BOARD TEST...: with three processes that compute all the time, each program loses its turn many times.
crowded() {
	local n board=$1 vm=$TOP/build/tests/vm
	shift
	# shellcheck disable=SC2046,SC2086 # words
	on_card "$board" "$PROGRAMS/busy" $(printf "$vm/%s.oxe " "$@") $(printf "$CORNERS/%s.O2 " $SHORT)
	board --rw < <(
		echo "$BUSY"
		for n in $SHORT; do echo "./$n.O2 >/tmp/$n"; done
		for n; do echo "./$n.oxe >/tmp/$n"; done
		printf 'ps\nhalt\n'
	)
	[ "$status" = 0 ]
	[ "$(grep -cE ' busy$' <<<"$output")" = 3 ]
	for n in $SHORT; do
		fetch "/tmp/$n" | diff "$CORNERS/$n.expected" - || { echo "$n on $board, preempted"; return 1; }
	done
	for n; do fetch "/tmp/$n" | cmp - "$vm/$n.expected"; done
}

@test "preemption changes no result, on m1284p" {
	crowded m1284p imm native acc
}

@test "preemption changes no result, on mega2560" {
	crowded mega2560 imm acc
}
