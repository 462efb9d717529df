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
