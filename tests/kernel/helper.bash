# SPDX-License-Identifier: ISC
#
# For the suites of this folder: cards with programs of their own, and consoles typed into.
# shellcheck shell=bash disable=SC2034 # used by the suites

load ../helper

PROGRAMS=$TOP/build/tests/kernel

# on_card BOARD FILE...: $card is a copy of the board's image with FILEs in /root.
on_card() {
	board=$1
	card=$T/$board.img
	cp --sparse=always "$TOP/build/$board/octix.img" "$card"
	shift
	[ $# = 0 ] || "$OCTIX" image put "$card" "$@" /root/ >/dev/null
}

# board OPTION...: runs the card, with the board's kernel or $KERNEL; types the lines of standard input at the prompt; $output is the console without CR.
board() {
	output=$(timeout 1800 "$HOSTBIN/oxsim" --board "$board" --card "$card" --prompt '# ' --max-seconds 300 \
		--stats "$T/stats.json" "$@" "${KERNEL-$TOP/build/$board/kernel.elf}" 2>"$T/summary" | tr -d '\r') && status=0 || status=$?
	grep -q ' 0 protocol errors' "$T/summary" || { cat "$T/summary"; return 1; }
	stack_fits
}

# The kernel has not used more than three quarters of the room for its stack.
stack_fits() {
	sed -n 's/.*"stack": {.*"bytes": \([0-9]*\), "left": \([0-9-]*\)}.*/\1 \2/p' "$T/stats.json" |
		awk '{ n++ } $1 > 3 * $2 { bad = 1 } END { exit bad || !n }' || { echo 'stack of the kernel:'; grep '"stack"' "$T/stats.json"; return 1; }
}

# smoke OPTION...: the steps of standard input on the card, by the smoke tester.
smoke() {
	run "$HOSTBIN/oxsmoke" --board "$board" --kernel "$TOP/build/$board/kernel.elf" "$@" "$card" -
	[ "$status" = 0 ] || { echo "$output"; return 1; }
}

# on_host BOARD OPTION...: types standard input to the kernel of a board as a program of this machine, under the sanitizers; $output is the console without CR.
on_host() {
	local board=$1
	shift
	output=$(set -o pipefail; timeout 600 "$ASAN/test/oxkernel-$board" "$@" 2>"$T/messages" | tr -d '\r\0') && status=0 || status=$?
	cat "$T/messages"
}

# fetch PATH: the file of the card, on standard output.
fetch() {
	"$OCTIX" image cat "$card" "$1"
}

has() {
	grep -qF -- "$1" <<<"$output" || { printf 'not there: %s\n--- output\n%s\n' "$1" "$output"; return 1; }
}
