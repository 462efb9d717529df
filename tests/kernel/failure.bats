#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# A kernel that is broken on purpose: kernels for tests, where `mark 250` and so on do that (firmware/kernel/test.c).
# shellcheck disable=SC2030,SC2031,SC2034,SC2154 # each test is a subshell; the helper sets and uses the variables

load helper

setup() {
	TEXT='The watchdog has reset the machine: the kernel hung after'
}

# hangs BOARD MARK SECONDS: the kernel hangs two to three seconds after the counter's end; the next boot says after how many.
hangs() {
	on_card "$1"
	KERNEL=$TOP/build/tests/kernel/$1/kernel.elf
	board <<-END
		sleep 12
		mark $2
		echo alive
		reboot
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	grep -Eq "^$TEXT $3 seconds\\.\$" <<<"$output"
	[ "$(grep -c "$TEXT" <<<"$output")" = 1 ] # and not after the restart
	[ "$(grep -c '^Octix' <<<"$output")" = 3 ]
	has alive
	has 'System halted.'
	grep -q '"resets": 2' "$T/stats.json"
}

@test "a loop with interrupts on, m1284p" {
	hangs m1284p 250 '[67]'
}

@test "a loop with interrupts off, m1284p" {
	hangs m1284p 251 '[23]'
}

@test "a loop with interrupts on, mega2560" {
	hangs mega2560 250 '[67]'
}

@test "a loop with interrupts off, mega2560" {
	hangs mega2560 251 '[23]'
}

@test "no reset: a machine that sleeps, computes, reads, or has halted" {
	on_card m1284p
	board <<-'END'
		sleep 30
		i=; while [ ${#i} -lt 60 ]; do i=x$i; done; cat /bin/sh /bin/core /bin/sh /bin/core | wc -c >/dev/null
		uptime
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	grep -q '"resets": 0' "$T/stats.json"
	grep -Eq 'up 0 days, 00:0[0-9]:[0-9]' <<<"$output"
}

@test "a reset by the reset pin is not the watchdog's" {
	on_card m1284p
	board --fault reset=30000 <<<'halt'
	echo "$output"
	[ "$status" = 0 ]
	[ "$(grep -c '^Octix' <<<"$output")" = 2 ]
	[ "$(grep -c "$TEXT" <<<"$output")" = 0 ]
}

# panics BOARD MARK TEXT: the kernel says where it is broken and stops; that place is TEXT.
panics() {
	local dir=$TOP/build/tests/kernel/$1 where
	on_card "$1"
	KERNEL=$dir/kernel.elf
	board <<<"mark $2"
	echo "$output"
	[ "$status" = 0 ]
	where=$(sed -n 's/^panic: the kernel is broken at \(0x[0-9a-f]*\) .*, sp 0x[0-9a-f]*$/\1/p' <<<"$output")
	[ "$(grep -Ec '^process [23], code page [0-9]+:[0-9]+$' <<<"$output")" = 1 ]
	[ "$(grep -Ec '^(0x[0-9a-f]{4} ){7}0x[0-9a-f]{4}$' <<<"$output")" = 2 ]
	[ "$(tail -n 1 <<<"$output")" = 'System halted.' ]
	run env OCTIX_KERNEL_DIR="$dir" "$OCTIX" addr2line "$where"
	[[ $output == *"$3"* ]]
}

@test "panic: a block is put that nobody has, m1284p" {
	panics m1284p 252 'firmware/vm/blocks.c:'
}

@test "panic: a block is put that nobody has, mega2560" {
	panics mega2560 252 'state_at(i)->pins[0]'
}

@test "panic: the stack is too large, m1284p" {
	panics m1284p 253 'stack_guard == STACK_GUARD'
}

@test "panic: an interrupt that nobody handles, m1284p" {
	panics m1284p 254 'an interrupt without a handler'
}

@test "panic: an interrupt that nobody handles, mega2560" {
	panics mega2560 254 'an interrupt without a handler'
}

@test "addr2line: places in the kernel and in programs, and what is none" {
	local main
	main=$(avr-nm "$TOP/build/m1284p/kernel.elf" | awk '$3 == "main" { print $1 }')
	run "$OCTIX" addr2line "$(printf '0x%x' $((0x$main / 2 + 1)))"
	[ "$status" = 0 ]
	[[ $output == *' in main' ]]
	place=$(awk '$1 == "F" && $5 == "ls_main" { split($2, at, ":"); print at[1], at[2] }' "$TOP/build/userland/map/core.map")
	run "$OCTIX" addr2line /bin/ls "$((0x${place% *})):$((0x${place#* }))"
	[ "$status" = 0 ]
	[[ $output == *' in ls_main'* ]]
	fails 2 'is no address' "$OCTIX" addr2line 0xzz
	fails 2 'is no place' "$OCTIX" addr2line /bin/ls 12
	fails 1 'nothing is at' "$OCTIX" addr2line /bin/ls 9999:1
	fails 2 'usage' "$OCTIX" addr2line
}
