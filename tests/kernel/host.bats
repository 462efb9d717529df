#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The kernel as a program of this machine, under the sanitizers (tests/kernel/host): the same sessions as on the simulated board, random
# system calls, a storm of processes. HOST_RUNS and HOST_SEED set another number of wild sessions and another start, HOST_STORM
# the simulated seconds of the storm.
# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables

load helper

# lines_of FILE...: what smoke files type at the prompt, without the commands that want keys or tell the time.
lines_of() {
	awk '
		function out() { if (line != "" && !keys && line !~ /^(cycles|ps|vmstat)/) print line; line = "" }
		/^(key|>|pause)/ { keys = 1 }
		/^\$ / { out(); line = substr($0, 3); keys = 0 }
		END { out() }' "$@"
}

# same BOARD SMOKE-FILE: on the board, on the host, and there with a card that makes its readers wait.
same() {
	on_card "$1"
	lines_of "$TOP/$2" >"$T/typed"
	[ "$(wc -l <"$T/typed")" -ge 8 ]
	board <"$T/typed"
	[ "$status" = 0 ]
	echo "$output" >"$T/board"
	on_host "$1" --leaks --preempt 50 "$card" <"$T/typed"
	[ "$status" = 0 ]
	diff "$T/board" - <<<"$output"
	grep -q 'System halted.' "$T/board"
	on_host "$1" --leaks --check --latency 300 "$card" <"$T/typed"
	[ "$status" = 0 ]
	diff "$T/board" - <<<"$output"
}

@test "the tour on m1284p: board and host print the same" {
	same m1284p tests/smoke/tour.smoke
}

@test "the tour on mega2560: board and host print the same" {
	same mega2560 tests/smoke/tour.smoke
}

@test "a session on m1284p: board and host print the same" {
	same m1284p tests/userland/session.smoke
}

wild() { # BOARD RUNS
	on_card "$1"
	run timeout 100000 "$ASAN/test/oxkernel-$1" --fuzz "${HOST_RUNS:-$2}" --seed "${HOST_SEED:-1}" \
		--then "$TOP/tests/kernel/host/check_card" "$card" </dev/null
	tail -n 60 <<<"$output" | tr -d '\r\0' | sed 's/^/# /' >&3
	[ "$status" = 0 ]
}

@test "wild processes on m1284p" {
	wild m1284p 25
}

@test "wild processes on mega2560" {
	wild mega2560 25
}

storm() { # BOARD
	on_card "$1" "$PROGRAMS/storm"
	on_host "$1" --leaks --stats --log "$T/log" --max-seconds 100000 "$card" <<-END
		/root/storm ${HOST_STORM:-120} ${HOST_SEED:-1}
		echo \$? blown over
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	has '0 blown over'
	has ' 0 wrong'
	grep -E 'started|longest' <<<"$output" "$T/messages" | sed "s/^/# $1: /" >&3
	wait=$(sed -n 's/.*longest wait for the CPU \([0-9]*\).*/\1/p' "$T/messages")
	[ "$wait" -lt 1000 ]
	# no file is written, so nothing but /swap is: it is the first file of an image
	first=$("$OCTIX" image info "$card" | sed -n 's/^data area *from sector //p')
	sectors=$("$OCTIX" image info "$card" | awk '$1 == "swap" { print 2 * $2 }')
	awk -v first="$first" -v end="$((first + sectors))" '$1 == "w" { n++; if ($2 < first || $2 >= end) { print "written: sector " $2; bad = 1 } }
		END { exit bad || n < 1000 }' "$T/log"
}

@test "a storm of processes on m1284p" {
	storm m1284p
}

@test "a storm of processes on mega2560" {
	storm mega2560
}

@test "a storm of processes on nano" {
	storm nano
}

# left CALL: how often the call was left for the card, as --trace shows it.
left() {
	awk -v call="$1" '/: [a-z_0-9]+\(/ { sub(/\(.*/, "", $3); last = $3 } / state 10, / && last == call { n++ } END { print n + 0 }' "$T/messages"
}

# beside BOARD OPTION...: a session beside a process that computes.
beside() {
	local board=$1
	shift
	on_card "$board"
	on_host "$board" --check --save "$T/after.img" "$@" "$card" >/dev/null <<-'END'
		while :; do :; done &
		cp /bin/sh /tmp/copy
		wc -c /bin/sh /tmp/copy
		ls /bin
		mkdir /tmp/d; mv /tmp/copy /tmp/d/moved; ls /tmp/d
		cat /tmp/d/nothing /tmp/d/moved >/tmp/twice; cat /tmp/d/moved >>/tmp/twice
		kill $!; wait
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	"$TOP/tests/kernel/host/check_card" "$T/after.img" 0
	"$OCTIX" image cat "$card" /bin/sh >"$T/sh"
	cat "$T/sh" "$T/sh" >"$T/twice"
	"$OCTIX" image cat "$T/after.img" /tmp/d/moved | cmp - "$T/sh"
	"$OCTIX" image cat "$T/after.img" /tmp/twice | cmp - "$T/twice"
	grep -qx "  *[0-9]* /bin/sh" <<<"$output"
	has 'cat: /tmp/d/nothing: no such file'
}

@test "system calls are left for a slow card, and run again" {
	for board in m1284p mega2560; do
		beside "$board"
		echo "$output" >"$T/quick"
		beside "$board" --trace --latency 1000
		diff "$T/quick" - <<<"$output"
		for call in read write open getdents oct_stat execve; do
			echo "# $board: $call left $(left "$call") times" >&3
			[ "$(left "$call")" -gt 0 ]
		done
	done
}

@test "a sector that cannot be read, of a call that has been left: the call is told, and the rest goes on" {
	local sector

	yes 'the part of a file that the card has lost' | head -c 4096 >"$T/lost"
	on_card m1284p "$T/lost"
	sector=$(($(grep -abo -m 1 'the part of a file that the card has lost' "$card" | head -n 1 | cut -d : -f 1) / 512 + 4))
	on_host m1284p --check --trace --latency 1000 --bad-sector "$sector" "$card" <<-'END'
		while :; do :; done &
		wc /root/lost; cat /root/lost /bin/sh >/dev/null; echo "status $?"
		ls /root
		kill $!
		halt
	END
	[ "$status" = 0 ]
	has 'wc: /root/lost: I/O error'
	has 'cat: /root/lost: I/O error'
	has 'status 1'
	has 'System halted.'
	[ "$(left read)" -gt 0 ]
	[ "$(grep -c "the card fails: r $sector" "$T/messages")" -ge 4 ] # left, and when it is asked again
}

@test "two writers on a full pipe do not wake each other for ever" {
	on_card m1284p "$PROGRAMS/pipes"
	on_host m1284p --leaks --max-seconds 30 "$card" <<-END
		/root/pipes
		echo \$? pipes
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	has '0 pipes'
}

@test "six processes that do not fit into the pool get on" {
	on_card m1284p
	on_host m1284p --leaks --max-seconds 22 "$card" <<-'END' # 12 when one after the other; 33 with slices that are over when a process has its pages back
		for i in 1 2 3; do figlet $i | wc -c & done; wait; echo all
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	[ "$(grep -cx ' *\(24\|48\)' <<<"$output")" = 3 ]
	has all
}

@test "sh: when there are no more pipes, it says so and runs nothing of the pipeline's rest" {
	on_card m1284p
	on_host m1284p --leaks --max-seconds 30 "$card" <<-'END'
		sleep 2 | sleep 2 | sleep 2 | sleep 2 & echo a | cat | cat | cat >/tmp/x; echo $?; x=$(echo a); echo $? "$x."; wait; echo ab | cat | wc -c; cat /tmp/x
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	has 'sh: pipe: file table full'
	grep -qx 126 <<<"$output"
	has '0 a.'
	grep -qx ' *3' <<<"$output"
	has 'cat: /tmp/x: no such file'
}

@test "whichever write the card refuses, the file system stays whole" {
	on_card m1284p
	for n in $(seq 1 200); do
		on_host m1284p --fail-write "$n" --stats --save "$T/after.img" "$card" <<-END
			mkdir /tmp/a
			echo one >/tmp/a/f
			mkdir '/tmp/a/a long name'
			mv /tmp/a/f '/tmp/a/a long name/g'
			cp /etc/motd /tmp/a/f
			echo two >>/tmp/a/f
			rm /tmp/a/f
			halt
		END
		[ "$status" = 0 ]
		"$TOP/tests/kernel/host/check_card" "$T/after.img" 1
		grep -q ' 0 writes failed' "$T/messages" && break
	done
	[ "$n" -gt 30 ] && [ "$n" -lt 200 ]
}
