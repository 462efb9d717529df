#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The cycles of the opcode table, by which oxpack chooses, are those of the kernel's handlers.

load helper

@test "the table's cycles are those that the handlers take" {
	run "$TOP/tests/bench/handlers" m1284p
	echo "$output"
	[ "$status" = 0 ]
	[ "${#lines[@]}" -gt 100 ]
}

@test "handlers of a kernel without a core are refused" {
	fails 2 'has no bytecode core' "$HOSTBIN/oxsim" --handlers "$T/table" "$TOP/build/tests/sim/m1284p/hello.elf"
}

@test "a handler that an interrupt broke off is not counted" {
	on_card m1284p
	board --handlers "$T/table" < <(printf '%s\n' 'ls /bin' 'ls /bin | wc' halt)
	[ "$status" = 0 ]
	# lw0 takes the same each time; thousands of them meet some ticks and faults
	awk '$1 == "lw0" { n = $2; least = $4; most = $5 } END { exit !(n > 1000 && least == most) }' "$T/table"
}
