#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# systest on all boards, on their kernels under the sanitizers, and on this machine. The boards run the quick set; with TEST_LONG=1 everything.
# shellcheck disable=SC2153,SC2154 # the helper sets the variables

load ../kernel/helper

HERE=$ASAN/test/systest
DEVICE=$TOP/build/tests/systest/systest
quick=-q
[ -z "${TEST_LONG-}" ] || quick=

setup() {
	cd "$T" || return
}

# marked WORD OPTION...: the number of tests that are marked so; `.` for all.
marked() {
	"$HERE" -l "${@:2}" | grep -c "$1"
}

# summary PASSED SKIPPED: the last line of systest says so.
summary() {
	grep -E '^(FAILED|known|skipped)|passed' <<<"$output" || :
	has "$1 passed, 0 failed, $2 skipped"
}

# What stands in the list behind tests that boards cannot run.
lacks_nano=' nice\| users\| sems\| poll\| proc\| unicode\| many'

on_board() { # BOARD
	on_card "$1" "$DEVICE"
	board --rw --max-seconds 2000 < <(session)
	right "$1"
	"$OCTIX" image check "$card"
}

on_this_machine() { # BOARD
	on_card "$1" "$DEVICE"
	on_host "$1" --leaks --save "$T/after.img" --max-seconds 2000 "$card" < <(session)
	right "$1"
	"$OCTIX" image check "$T/after.img"
}

session() {
	cat <<-END
		./systest $quick
		echo status \$?
		./systest -x nonblock 0
		ls systest.tmp
		ps
		halt
	END
}

right() { # BOARD
	local lacks=lacks_$1
	[ "$status" = 0 ] || { echo "$output"; return 1; }
	skipped=$(marked " known: \\| full${!lacks:+\\|${!lacks}}" $quick)
	summary $(($(marked . $quick) - skipped)) "$skipped"
	has 'status 0'
	has 'ls: systest.tmp: no such file'
	[ -n "${!lacks-}" ] || [ "$(grep -Ec '[0-9] (init|sh|ps)$' <<<"$output")" = 3 ]
	! grep -E '[0-9] systest$' <<<"$output" # nothing that a test started is left
}

@test "system calls on m1284p" {
	on_board m1284p
}

@test "system calls on mega2560" {
	on_board mega2560
}

@test "system calls on nano" {
	on_board nano
}

@test "system calls on the kernel as a program of this machine, as for m1284p" {
	on_this_machine m1284p
}

@test "system calls on the kernel as a program of this machine, as for mega2560" {
	on_this_machine mega2560
}

@test "system calls on the kernel as a program of this machine, as for nano" {
	on_this_machine nano
}

@test "a full card" {
	on_card m1284p "$DEVICE"
	free=$("$OCTIX" image info "$card" | awk '$1 == "free" { print $2 }') # KiB
	truncate -s "$((free - 300))K" "$T/large"
	"$OCTIX" image put "$card" "$T/large" /home/ >/dev/null
	board --rw --max-seconds 600 <<-'END'
		./systest full
		halt
	END
	[ "$status" = 0 ] || { echo "$output"; return 1; }
	summary "$(marked ' full')" 0
	"$OCTIX" image check "$card"
}

@test "the same tests on this machine, in a terminal" {
	run script -qec "$HERE" /dev/null </dev/null
	output=$(tr -d '\r' <<<"$output")
	[ "$status" = 0 ] || { echo "$output"; false; }
	octix=$(marked ' octix')
	[ "$(id -u)" = 0 ] || octix=$((octix + $(marked ' root')))
	summary $(($(marked .) - octix)) "$octix"
}

@test "choosing tests, and the exit status" {
	run "$HERE" -q pipes/passing times/wrong_clock
	[ "$status" = 0 ] && [ "${#lines[@]}" = 3 ]
	[ "${lines[0]}" = 'ok      pipes/passing' ] && [ "${lines[2]}" = '2 passed, 0 failed, 0 skipped' ]
	run "$HERE" rename
	[ "$status" = 0 ]
	[ "${#lines[@]}" = $(($("$HERE" -l rename | wc -l) + 1)) ]
	fails 2 'no test of that name' "$HERE" pipes/none
	fails 2 'no test of that name' "$HERE" pipe
	fails 2 'no test of that name' "$HERE" -q files/large
	fails 2 Usage "$HERE" -z
	run "$HERE" -l -q
	[ "$status" = 0 ] && ! grep ' slow' <<<"$output"
	fails 1 'FAILED  files/large: files.c:' bash -c "trap '' XFSZ; ulimit -f 8; exec $HERE files/large files/nothing"
	[[ $output == *'ok      files/nothing'*'1 passed, 1 failed, 0 skipped' ]]
}

@test "every system call is among what the tests use" {
	while read -r name; do
		riscv64-unknown-elf-nm "$DEVICE.elf" | grep -q " T $name\$" || grep -q "CALL_$name\\b" "$TOP"/tests/systest/*.c || {
			echo "no test calls $name"
			false
		}
	done < <(sed -n 's/^SYSCALL(\([a-z0-9_]*\),.*/\1/p' "$TOP/userland/include/octix/syscalls.def")
}
