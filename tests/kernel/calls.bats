#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Random system calls with hostile arguments. CALLS_BATCHES (of 120 calls) and CALLS_SEED set another number and start.
# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables

load helper

attack() { # BOARD
	on_card "$1" "$PROGRAMS/calls"
	board --rw --max-seconds 50000 <<-END
		chmod 711 /root; mkdir /tmp/calls; chmod 777 /tmp/calls; cd /tmp/calls
		cp /etc/motd in; /root/calls ${CALLS_BATCHES:-$2} ${CALLS_SEED:-1} <in >out 2>&1
		echo \$? all batches
		cd /; ps
		echo one | cat | wc -l
		cd /tmp/calls; rm -r *; cd /; rmdir /tmp/calls; echo \$? removed # names may be too long for a path from the root
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	has '0 all batches'
	has '0 removed'
	has 'System halted.'
	[ "$(grep -Ec '[0-9] (init|sh|ps)$' <<<"$output")" = 3 ]
	run "$OCTIX" image check "$card"
	echo "$output"
	[ "$status" = 0 ]
	echo "# ran $((120 * ${CALLS_BATCHES:-$2})) system calls on $1" >&3
}

@test "nobody writes to the swap file, removes or replaces it" {
	on_card m1284p
	board <<-'END'
		echo x >/swap
		echo x >>/swap
		rm /swap
		mv /etc/motd /swap
		ls -l /swap
		halt
	END
	[ "$status" = 0 ]
	echo "$output"
	[ "$(grep -c 'in use as program or swap' <<<"$output")" = 4 ]
}

@test "random system calls on m1284p" {
	attack m1284p 40
}

@test "random system calls on mega2560" {
	attack mega2560 25
}
