# SPDX-License-Identifier: ISC
#
# For the scripts of this folder: running a program as the first process of a simulated board. $board is set before.
# shellcheck shell=sh disable=SC2154

out=build/bench
sim="build/host/bin/oxsim --quiet --board $board --max-seconds 60"
work=$out/work-$board
PATH=$PATH:/usr/sbin:/sbin
export MTOOLS_SKIP_CHECK=1

# define NAME: the number that the board has for it.
define() {
	sed -n "s/^#define BOARD_$1 //p" "build/$board/board.h"
}

# card PROGRAM [FILE...]: a card whose first process is PROGRAM, FILEs in /bin.
card() {
	image=$work/card.img
	rm -f "$image"
	truncate -s 16M "$image"
	mkfs.fat -F 16 -s 4 "$image" >/dev/null
	mmd -i "$image" ::/sbin ::/bin
	mcopy -i "$image" "$work/swap" ::/swap
	mcopy -i "$image" "$1" ::/sbin/init
	shift
	[ $# = 0 ] || mcopy -i "$image" "$@" ::/bin
}

# boot KERNEL [OPTION...]: runs the card; $work/out is what it printed, $work/marks its marks.
boot() {
	rm -f "$work/marks"
	boot_kernel=$1
	shift
	$sim --card "$work/card.img" --marks "$work/marks" --stats "$work/stats" "$@" "$boot_kernel" </dev/null >"$work/out"
	cat "$work/stats" >>"$work/all-stats"
}

# stack_share: the most that a kernel of the runs so far has used of the room for its stack, in percent.
stack_share() {
	sed -n 's/.*"stack": {.*"bytes": \([0-9]*\), "left": \([0-9-]*\)}.*/\1 \2/p' "$work/all-stats" |
		awk '{ s = 100 * $1 / ($1 + $2) } s > most { most = s } END { printf "%.0f", most }'
}

# same CHECKSUM PROGRAM: the run printed the checksum that the chip's own code has.
same() {
	grep -q "^$1" "$work/out" || { echo "bench: $2: wrong result:"; cat "$work/out"; exit 1; }
}

# faults: what the kernel counted in the run just made.
faults() {
	sed -n 's/.*"paging": {"hard": \([0-9]*\).*/\1/p' "$work/stats"
}

# new_work: an empty folder for files, with what becomes /swap.
new_work() {
	rm -rf "$work"
	mkdir -p "$work"
	truncate -s 2M "$work/swap"
}
