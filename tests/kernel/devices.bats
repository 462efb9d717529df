#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# /dev and /proc.
# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables

load helper

calls() { # BOARD
	on_card "$1" "$PROGRAMS/nodes"
	board <<-'END'
		./nodes
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	grep -Eq '^[0-9]{4,} checks, 0 wrong$' <<<"$output"
}

@test "calls on nodes, good and bad, on m1284p" {
	calls m1284p
}

@test "calls on nodes, good and bad, on mega2560" {
	calls mega2560
}

typed() { # BOARD
	on_card "$1"
	smoke <<-'END'
		limit 60s
		$ echo nothing >/dev/null; echo seen >/dev/tty; cat </dev/null; echo more >>/dev/console
		seen
		more
		$ cat /etc/motd /etc/motd >/dev/null; cat /dev/null | wc -c
		0
		$ ls -1 /dev; ls -1 /proc | head -n 2
		adc
		console
		eeprom
		gpio
		i2c
		mem
		null
		random
		spi
		tty
		ttyS1
		zero
		1
		2
		$ ls -l /dev/null /proc/stat
		~ crw-rw-rw- +root +root +0 .* /dev/null
		~ -r--r--r-- +root +root +0 .* /proc/stat
		$ ls -a / | head -n 4
		.
		..
		bin
		dev
		$ echo x >/proc/stat
		sh: /proc/stat: permission denied
		? 1
		$ echo x >/dev/new; mkdir /proc/x; rm /dev/null; mv /dev/null /tmp/n
		sh: /dev/new: read-only
		mkdir: /proc/x: read-only
		rm: /dev/null: read-only
		mv: /dev/null: read-only
		? 1
		$ cd /proc/1; pwd; cat stat | head -n 4; cd ..; pwd; cd
		/proc/1
		~ pid +1
		~ ppid +0
		~ pgid +1
		~ state +W
		/proc
		$ /dev/zero
		sh: /dev/zero: not executable: permission denied
		? 126
		$ cp /proc/stat /tmp/copy; wc -l /tmp/copy
		~ 16 /tmp/copy
		$ cp -r /dev/null /tmp/copy; wc -c /tmp/copy
		~ 0 /tmp/copy
		$ sleep 9 & cd /proc/$!; kill $!; wait $!; cat stat; pwd; ls; cd
		...
		$ halt
		System halted.
		halts
	END
}

@test "at the prompt on m1284p" {
	typed m1284p
}

@test "at the prompt on mega2560" {
	typed mega2560
}

@test "names on the card are hidden, and come back on a PC" {
	on_card m1284p
	echo hidden >"$T/null"
	"$OCTIX" image mkdir "$card" /DEV /devil >/dev/null
	"$OCTIX" image put "$card" "$T/null" /DEV/null >/dev/null
	"$OCTIX" image put "$card" "$T/null" /proc >/dev/null
	board <<-'END'
		ls -1 /
		cat /dev/null /DEV/NULL
		ls -l /dev/null
		rm -r /dev
		mkdir /devil/dev; echo shown >/devil/dev/null; cat /devil/dev/null
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	[ "$(grep -c '^dev$' <<<"$output")" = 1 ]
	[ "$(grep -c '^proc$' <<<"$output")" = 1 ]
	[ "$(grep -c '^devil$' <<<"$output")" = 1 ]
	[ "$(grep -ci '^dev$' <<<"$output")" = 1 ]
	has 'crw-rw-rw-'
	has shown
	run grep hidden <<<"$output"
	[ "$status" = 1 ]
	[ "$(fetch /DEV/null)" = hidden ]
}

# field NAME N: the number that the Nth text of /proc in $output shows.
field() {
	awk -v name="$1" -v want="$2" '$1 == name && ++n == want { print $2 }' <<<"$output"
}

counters() { # BOARD
	on_card "$1" "$PROGRAMS/bigdata"
	board <<-'END'
		cat /proc/stat
		./bigdata >/dev/null; sleep 1
		cat /proc/stat
		cat /proc/meminfo
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	for name in uptime_ms reads writes faults zero_filled soft_faults write_backs switches calls idle kernel vm kinsns; do
		[ "$(field "$name" 2)" -gt "$(field "$name" 1)" ]
	done
	[ $(($(field idle 2) - $(field idle 1))) -ge 95 ] # the second of sleep
	local ticks=$(($(field idle 2) + $(field kernel 2) + $(field vm 2))) up=$(($(field uptime_ms 2) / 10))
	[ "$ticks" -le $((up + 1)) ]
	[ "$ticks" -ge $((up * 8 / 10)) ] # a slice that ends while the kernel does not look counts once
	[ "$(field reads 2)" -ge $(($(field faults 2) - $(field zero_filled 2) - $(field faults 2) / 4)) ]
	local kinds=0
	for name in free block code image data pipe; do kinds=$((kinds + $(field "$name" 1))); done
	[ "$kinds" -le $(($(field frames 1) * 5 / 4)) ] # frames change hands between two reads of the text
	[ "$kinds" -ge $(($(field frames 1) / 3)) ]
	[ "$(field clusters_free 1)" -lt "$(field clusters 1)" ]
}

@test "counters grow with what they count on m1284p" {
	counters m1284p
}

@test "counters grow with what they count on mega2560" {
	counters mega2560
}

@test "instructions are estimated within a factor of two" {
	on_card m1284p "$PROGRAMS/worker"
	board <<-'END'
		cat /proc/stat
		./worker x 300 >/dev/null
		cat /proc/stat
		halt
	END
	local said=$(($(field kinsns 2) - $(field kinsns 1))) counted
	counted=$(($("$HOSTBIN/oxrun" --stats "$PROGRAMS/worker" x 300 2>&1 >/dev/null | sed -n 's/^\([0-9][0-9]*\) instructions.*/\1/p') / 1000))
	echo "said $said, counted $counted"
	[ "$said" -gt $((counted / 2)) ]
	[ "$said" -lt $((counted * 2)) ]
}
