#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The wall clock over boots, and the counter of milliseconds at its end.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154 # each test is a subshell; the helper sets and uses the variables

load helper

# answer N: line N of what commands have printed.
answer() {
	grep -v '^#' <<<"$output" | sed '1,/^Welcome/d' | sed -n "$1p"
}

# near SECONDS LINE: so many seconds since 1970, or some more.
near() {
	local got
	got=$(answer "$2")
	if [ "$got" -lt "$1" ] || [ "$got" -gt $(($1 + 3)) ]; then
		echo "line $2: $got, not $1"
		echo "$output"
		return 1
	fi
}

over_boots() { # BOARD
	on_card "$1"
	board --eeprom "$T/eeprom" <<-'END'
		date +%s
		date -u 020304052030.06
		date +%s
		reboot
		date +%s
		sleep 2
		halt
	END
	[ "$status" = 0 ] || { echo "$output"; return 1; }
	near 1767225600 1 # 2026-01-01
	[ "$(answer 2)" = 'Sun Feb  3 04:05:06 UTC 2030' ]
	near 1896321906 3
	has Restarting.
	output=$(sed '1,/^Restarting/d' <<<"$output")
	near 1896321906 1
	board --eeprom "$T/eeprom" <<<$'date +%s\nhalt'
	near 1896321908 1 # the time of the halt
}

@test "the wall clock is kept over a reboot and a halt, on m1284p" {
	over_boots m1284p
}

@test "the wall clock is kept over a reboot and a halt, on mega2560" {
	over_boots mega2560
}

@test "without a halt the time is that of the last setting; damaged, that of a new board" {
	on_card m1284p
	board --eeprom "$T/eeprom" --until 03:04:05 <<<'date 010203042020.05'
	[ "$(stat -c %s "$T/eeprom")" = 4096 ]
	board --eeprom "$T/eeprom" <<<$'date +%s\nhalt'
	near 1577934245 1
	printf '\1' | dd of="$T/eeprom" bs=1 seek=4090 conv=notrunc status=none
	board --eeprom "$T/eeprom" <<<$'date +%s\nhalt'
	near 1767225600 1
}

@test "dates: formats, zones, and what is none" {
	on_card m1284p
	board <<-'END'
		date -u 122423592031.58
		date +%Y-%m-%dT%H:%M:%S
		export TZ=CET-1CEST,M3.5.0,M10.5.0/3; date; date -u; date 070112002031; date -u +%H:%M; unset TZ
		date 0230; date 02300000; date 0101000; date 01012400; date 010100001969; date 01010000.60; date x; date 010100002107
		date 1 2; date -x
		echo status $?
		date 0229000024; date +%j
		: >/tmp/f; ls -l /tmp/f
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	has '2031-12-24T23:59:'
	has 'Thu Dec 25 00:59:'
	has 'Wed Dec 24 23:59:'
	has 'Tue Jul  1 12:00:00 CEST 2031'
	has '10:00'
	for wrong in 0230 02300000 0101000 01012400 01010000.60 x; do
		has "date: $wrong: no such time: MMDDhhmm[[CC]YY][.ss]"
	done
	has 'date: 010100001969: no such time'
	has 'date: 010100002107: the clock holds 1970 to 2106'
	has 'status 2'
	has 'Thu Feb 29 00:00:00 GMT 2024'
	has '2024-02-29 00:00 /tmp/f'
	[ "$(grep -c '^usage: date ' <<<"$output")" = 2 ]
}

# The kernel for tests begins 10 seconds before the counter's end.
wrap() { # BOARD
	on_card "$1"
	KERNEL=$TOP/build/tests/kernel/$1/kernel.elf
	board <<-'END'
		uptime
		sleep 15 & sleep 5; date +%s
		sleep 1; wait; uptime
		sleep 2; date +%s
		: >/tmp/f; ls -l /tmp/f
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	grep -Eq '^17:02:3[78] up 49 days, 17:02:3[78]$' <<<"$output"
	grep -Eq '^17:02:5[2-4] up 49 days, 17:02:5[2-4]$' <<<"$output"
	near 1771520562 3 # 2026-01-01 and what has passed
	near 1771520574 5
	has '2026-02-19 17:02 /tmp/f'
	[ "$(grep -o 'seconds": [0-9]*' "$T/stats.json" | grep -o '[0-9]*')" -lt 30 ] # nobody slept for another 49 days
}

@test "after 49 days the counter of milliseconds begins anew, on m1284p" {
	wrap m1284p
}

@test "after 49 days the counter of milliseconds begins anew, on mega2560" {
	wrap mega2560
}
