#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Every RV32EM instruction on edge values in the kernel's VM, against the expectations of tests/vm (qemu-riscv32).

load helper

TESTS="alu imm memory branch jump native cases fused acc"

agree() { # BOARD [FOLDER]: with the packed programs of this folder
	local t files=()
	for t in $TESTS; do
		[ -s "$TOP/build/tests/vm/$t.expected" ]
		files+=("${2-$TOP/build/tests/vm}/$t.oxe")
	done
	on_card "$1" "${files[@]}"
	board --rw < <(for t in $TESTS; do echo "./$t.oxe > /tmp/$t"; done; echo halt)
	[ "$status" = 0 ]
	for t in $TESTS; do
		fetch "/tmp/$t" | cmp - "$TOP/build/tests/vm/$t.expected"
	done
}

@test "all instructions on m1284p" {
	agree m1284p
}

@test "all instructions on mega2560" {
	agree mega2560
}

@test "all instructions on nano" {
	agree nano
}

@test "all instructions without the accumulator" {
	list=$(sed -nE 's/^OP\(([a-z0-9]+_(a|n|an)),.*/\1/p' "$TOP/userland/include/octix/opcodes.def" | paste -sd,)
	mkdir "$T/plain"
	for t in $TESTS; do
		"$HOSTBIN/oxpack" --without "$list" -o "$T/plain/$t.oxe" "$TOP/build/tests/vm/$t.elf"
	done
	agree m1284p "$T/plain"
}

@test "all instructions with the basic opcodes alone" {
	mkdir "$T/basic"
	for t in $TESTS; do
		"$HOSTBIN/oxpack" --only /dev/null -o "$T/basic/$t.oxe" "$TOP/build/tests/vm/$t.elf"
	done
	agree m1284p "$T/basic"
}
