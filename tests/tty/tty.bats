#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Terminals: the line discipline on this machine, and the terminal of a board.
# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables

load ../kernel/helper

@test "line discipline and flow control, against a pseudo-terminal" {
	run timeout 60 "$ASAN/test/discipline"
	grep -v '^ok' <<<"$output"
	[ "$status" = 0 ]
	[ "$(grep -c '^ok' <<<"$output")" -ge 80 ]
}

modes() { # BOARD
	on_card "$1"
	smoke <<-'END'
		limit 30s
		$ stty
		...
		$ stty rows 24 cols 80; stty -a | head -n 1
		speed 115200 baud; rows 24; columns 80;
		$ stty erase ^H intr % -echoe; stty
		speed 115200 baud;
		~ intr = %;.* erase = \^H;
		-echoe
		$ cat
		key %
		%
		? 130
		$ stty sane; stty -a | tail -n 1
		...
		? any
		$ saved=$(stty -g); stty raw -echo; stty $saved; stty
		...
		$ stty nonsense
		stty: nonsense: no such setting
		? 1
		$ stty rows
		~ usage: stty
		? 2
		$ stty </dev/null
		stty: standard input: not a terminal
		? 1
		$ cat
		> hello
		hello
		hello
		key ^V
		key ^C
		key ^U
		key ^D
		~ .*
		$ halt
		System halted.
		halts
	END
}

@test "stty on m1284p" {
	modes m1284p
}

# sent BOARD ECHO [OPTION...]: 64 KB sent back to back while another process writes the card; they must arrive. $output is the console.
sent() {
	on_card "$1"
	timeout 5 awk 'BEGIN { srand(1); for (n = 65536; n > 0; n -= k + 1) { k = int(rand() * rand() * 254); if (k >= n) k = n - 1
		for (i = 0; i < k; i++) printf "%c", 33 + int(rand() * 94); print "" } }' >"$T/bytes"
	[ "$(wc -c <"$T/bytes")" = 65536 ]
	{
		printf 'while true; do cp /bin/sh /tmp/busy; done &\nstty %s; cat >/root/bytes\n' "$2"
		cat "$T/bytes"
		printf '\004kill $!\nstty echo; ls -l /root/bytes\nhalt\n'
	} >"$T/typed"
	shift 2
	output=$(timeout 600 "$HOSTBIN/oxsim" --board "$board" --card "$card" --rw --max-seconds 300 --write-latency 1000 --input "$T/typed" \
		"$@" "$TOP/build/$board/kernel.elf" 2>"$T/summary") && status=0 || status=$?
	cat "$T/summary"
}

arrived() {
	[ "$status" = 0 ]
	grep -q ' 0 overruns, [1-9][0-9]* times stopped' "$T/summary"
	fetch /root/bytes >"$T/back"
	[ "$(sum "$T/back")" = "$(sum "$T/bytes")" ]
	fetch /tmp/busy >/dev/null
}

@test "64 KB back to back while the card is written, on m1284p" {
	sent m1284p -echo
	arrived
}

@test "the same with echo, on mega2560" {
	sent mega2560 echo
	arrived
}

@test "without flow control they would not arrive" {
	sent m1284p -echo --no-flow --max-seconds 60
	fetch /root/bytes >"$T/back" || :
	[ "$(sum "$T/back")" != "$(sum "$T/bytes")" ]
}

@test "Ctrl-C while a program computes and the line is full" {
	on_card m1284p "$PROGRAMS/busy"
	full=$(printf '%0240d' 0)
	smoke <<-END
		limit 30s
		$ ./busy
		pause 1s
		key ^C
		^C
		? 130
		$ ./busy
		> $full
		$full
		key ^C
		^C
		? 130
		$ cat
		> $full$full
		~ ^0{254}
		~ ^0{254}\$
		key ^C
		^C
		? any
		$ echo alive
		alive
		$ halt
		System halted.
		halts
	END
}

# Both terminals are used at once: each line is typed when its own prompt is there. The first key on the second one calls init.
two() { # BOARD
	on_card "$1"
	printf '\nstty rows 30; stty -a | head -n 1; cp /bin/sh /tmp/second\nps; echo done >/tmp/done\nexit\n' >"$T/typed"
	board --rw --uart1 "$T/second" --uart1-input "$T/typed" <<-'END'
		stty -a | head -n 1; cp /bin/core /tmp/first
		while ! test -e /tmp/done; do sleep 1; done; sleep 2
		echo in session $$; ps
		head -n 9 /proc/meminfo
		halt
	END
	second=$(tr -d '\r' <"$T/second")
	echo "$output"
	echo "$second"
	[ "$status" = 0 ]
	has 'rows 0; columns 0;'
	grep -q 'rows 30; columns 0;' <<<"$second"
	[ "$(grep -Ec '^ +[0-9]+ +1 +[0-9]+ .* sh$' <<<"$second")" = 2 ] # two shells of init
	[ "$(grep -Ec '^ +[0-9]+ +1 +[0-9]+ .* sh$' <<<"$output")" = 1 ] # then one
	grep -Eq '^pipe +0$' <<<"$output" # and the buffer is gone
	fetch /tmp/first | cmp - "$TOP/build/userland/root/bin/core"
	fetch /tmp/second | cmp - "$TOP/build/userland/root/bin/sh"
}

@test "two terminals at once on m1284p" {
	two m1284p
}

@test "two terminals at once on mega2560" {
	two mega2560
}

@test "a second terminal that nobody uses costs nothing" {
	on_card m1284p
	board --uart1 "$T/second" <<-'END'
		ps
		head -n 9 /proc/meminfo
		halt
	END
	[ "$status" = 0 ]
	grep -Eq '^pipe +0$' <<<"$output"
	[ "$(grep -Ec '^ +[0-9]+ +[0-9]+ ' <<<"$output")" = 3 ] # init, the shell, ps
	[ ! -s "$T/second" ]
}

@test "the second terminal as a pseudo-terminal" {
	on_card m1284p
	printf 'sleep 1; while ! test -e /tmp/done; do sleep 1; done; halt\n' >"$T/first"
	(timeout 100 "$HOSTBIN/oxsim" --card "$card" --input "$T/first" --prompt '# ' --max-seconds 3000 --uart1 pty "$TOP/build/m1284p/kernel.elf" >"$T/out" 2>"$T/summary") &
	for _ in $(seq 100); do
		pty=$(sed -n 's/.*UART1 is //p' "$T/summary") && [ -n "$pty" ] && break
		sleep 0.1
	done
	[ -c "$pty" ]
	exec 9<>"$pty"
	printf '\r' >&9
	(while read -r -t 60 line <&9; do [[ $line != *hello* ]] || exit 0; done; exit 1) &
	reader=$!
	sleep 3
	printf 'echo hello >/tmp/done; cat /tmp/done\r' >&9
	wait "$reader"
	exec 9>&-
	wait
	grep -q 'System halted' "$T/out"
}
