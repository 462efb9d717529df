#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Random RV32EM programs against qemu-riscv32: tests/random/batch says what is compared. RANDOM_RUNS programs from seed RANDOM_SEED on, two
# batches at a time: each other one on the mega2560, each eighth beside processes that compute all the time.

load ../helper

BATCH=12

# batches FIRST LAST: the arguments of each, a line each.
batches() {
	local from to busy board=m1284p n=0
	for ((from = $1; from <= $2; from = to + 1)); do
		to=$((from + BATCH - 1 < $2 ? from + BATCH - 1 : $2))
		((n++ % 8)) && busy='' || busy=busy
		echo "$board $from $to${busy:+ $busy}" # no blank at the end: xargs would go on in the next line
		[ "$board" = m1284p ] && board=mega2560 || board=m1284p
	done
}

@test "random programs do the same on qemu, oxrun and both boards" {
	local first=${RANDOM_SEED:-1} runs=${RANDOM_RUNS:-24}
	cd "$TOP"
	batches "$first" $((first + runs - 1)) | xargs -P 2 -L 1 tests/random/batch >"$T/lines" || { grep -v '^[0-9]* programs' "$T/lines"; return 1; }
	sum=$(tr -d , <"$T/lines" | awk '{ n += $1; ways += $3; board[$NF == "preempted" ? $(NF - 1) : $NF] += $9; if (/preempted/) busy += $9 }
		END { printf "%d programs packed in %d ways: all on oxrun, %d on m1284p, %d on mega2560, %d of these preempted", n, ways,
			board["m1284p"], board["mega2560"], busy }')
	echo "# ran $sum" >&3
	[[ $sum == "$runs programs packed in $((6 * runs)) ways"* ]]
}
