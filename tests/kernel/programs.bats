#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Programs larger than memory, and several at once. What they compute is compared with the same programs under oxrun.

# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables
load helper

# expected PROGRAM ARGUMENT...: what it prints.
expected() {
	"$HOSTBIN/oxrun" "$PROGRAMS/$1" "${@:2}"
}

# counter NAME N: the number that the Nth `vmstat` in $output shows.
counter() {
	awk -v name="$1" -v want="$2" '$2 == name && ++n == want { print $1 }' <<<"$output"
}

# grew NAME AT-LEAST: from the first vmstat to the second one.
grew() {
	local by=$(($(counter "$1" 2) - $(counter "$1" 1)))
	echo "$1: $by more"
	[ "$by" -ge "$2" ]
}

larger() { # BOARD
	on_card "$1" "$PROGRAMS/bigcode" "$PROGRAMS/bigdata"
	board <<-'END'
		vmstat
		./bigcode
		vmstat
		halt
	END
	[ "$status" = 0 ]
	has "$(expected bigcode)"
	grew faults 128 # its functions fill 64 pages or more, and no frame lasts a round
	board <<-'END'
		vmstat
		./bigdata
		vmstat
		halt
	END
	[ "$status" = 0 ]
	expected bigdata | while read -r line; do has "$line"; done
	grew faults 320 # 80 pages of 512 bytes, four times over
	grew write_backs 80
}

@test "code and data larger than the pool, faults counted, on m1284p" {
	larger m1284p
}

@test "code and data larger than the pool, faults counted, on mega2560" {
	larger mega2560
}

# Do the four letters come in turns? Each must appear before any of the four has done its last step.
in_turns() {
	local first
	first=$(sed '/did/,$d' <<<"$output" | tr -cd 'abcd')
	echo "before the first was done: $first"
	for letter in a b c d; do
		[ "$(tr -cd "$letter" <<<"$first" | wc -c)" -ge 2 ]
	done
	[ "$(tr -s abcd <<<"$first" | wc -c)" -ge 9 ]
}

four() { # BOARD
	on_card "$1" "$PROGRAMS/worker"
	board <<-'END'
		./worker a 12 & ./worker b 12 & ./worker c 12 & ./worker d 12 & wait
		halt
	END
	[ "$status" = 0 ]
	for letter in a b c d; do has "$(expected worker "$letter" 12 | tail -n 1)"; done
	in_turns
}

@test "four processes at once all make progress on m1284p" {
	four m1284p
}

@test "four processes at once all make progress on mega2560" {
	four mega2560
}

pipeline() { # BOARD
	on_card "$1" "$PROGRAMS/produce" "$PROGRAMS/consume"
	board <<-'END'
		./produce 400 | cat | ./consume
		./produce 50 | cat | cat | head -n 3
		echo $? done
		halt
	END
	[ "$status" = 0 ]
	has "$(expected produce 400 | "$HOSTBIN/oxrun" "$PROGRAMS/consume")"
	has "line 2 of 50, 4"
	has "0 done"
}

@test "a pipeline of three moves more than its pipes hold on m1284p" {
	pipeline m1284p
}

@test "a pipeline of three moves more than its pipes hold on mega2560" {
	pipeline mega2560
}

jobs() { # BOARD
	on_card "$1" "$PROGRAMS/worker"
	smoke <<-'END'
		limit 60s
		$ sleep 100 & sleep 100 & sleep 100 & ./worker x 9999 >/tmp/x &
		...
		$ ps
		...
		~ sleep +[0-9.]+ .* sleep$
		~ sleep +[0-9.]+ .* sleep$
		~ sleep +[0-9.]+ .* sleep$
		~ run +[0-9.]+ .* worker$
		...
		$ kill -9 $!; wait $!
		...
		? 137
		$ echo here
		here
	END
}

@test "jobs in the background, on m1284p" {
	jobs m1284p
}

@test "jobs in the background, on mega2560" {
	jobs mega2560
}

full() { # BOARD PROCESSES
	on_card "$1"
	board < <(
		for _ in $(seq "$2"); do echo "sleep 20 &"; done
		echo 'sleep 1; echo $? sleep'
		echo 'ls /; echo $? ls'
		echo 'wait; echo all ended'
		echo 'ls /; echo $? ls again'
		echo halt
	)
	[ "$status" = 0 ]
	has 'sh: sleep: cannot start: too many processes'
	has '126 sleep'
	has '126 ls'
	has 'all ended'
	has '0 ls again'
	has 'System halted.'
}

@test "as many processes as fit, and a clear word about the next, on m1284p" {
	full m1284p 16
}

@test "as many processes as fit, and a clear word about the next, on mega2560" {
	full mega2560 8
}
