#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Random code pages on the kernel's bytecode core, with every access of the core watched. ISOLATION_PAGES and ISOLATION_SEED set another
# number of pages for each board and another start.

# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables
load helper

attack() { # BOARD PAGES
	on_card "$1" "$PROGRAMS"/attack "$PROGRAMS"/innocent "$PROGRAMS"/hostile.oxe
	run timeout 7200 "$HOSTBIN/isolation" --board "$1" --card "$card" --pages "${ISOLATION_PAGES:-$2}" \
		--seed "${ISOLATION_SEED:-1}" --donor "$TOP/build/userland/root/bin/sh" "$TOP/build/$1/kernel.elf"
	echo "$output"
	[ "$status" = 0 ]
	echo "# ran ${lines[0]}, on $1" >&3
}

@test "random code reaches nothing but its own on m1284p" {
	attack m1284p 2000
}

@test "random code reaches nothing but its own on mega2560" {
	attack mega2560 1000
}

@test "random code reaches nothing but its own on nano" {
	attack nano 1000
}
