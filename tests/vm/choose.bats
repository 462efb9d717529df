#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# oxchoose: its costs are those of the programs when they run, and its sets are what it says.
# shellcheck disable=SC2030,SC2031,SC2086,SC2154 # run; names without blanks; helpers
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	elf=build/bench/expr.plain.elf
	def=userland/include/octix/opcodes.def
}

# counts ELF NAME: runs it and counts.
counts() {
	"$bin/oxpack" --map "$work/$2.map" -o "$work/$2.oxe" "$1"
	"$bin/oxrun" --map "$work/$2.map" --counts "$work/$2.counts" "$work/$2.oxe" >"$work/$2.out"
}

# cycles ELF OXPACK-OPTION...: what the run of the program costs by the table, without jumps between pages.
cycles() {
	"$bin/oxpack" "${@:2}" -o "$work/cycles.oxe" "$1"
	"$bin/oxrun" --stats "$work/cycles.oxe" 2>"$work/stats" >/dev/null
	sed -nE 's/^(OP|BASIC)\(([a-z0-9_]+), [a-zA-Z]*, ([0-9]+), [a-z0-9]*\).*/\2 \3/p' "$def" >"$work/table"
	awk 'FNR == NR { cycles[$1] = $2; next } $4 in cycles && $4 != "jf" && $4 != "pgend" { sum += $1 * cycles[$4] } END { printf "%d\n", sum }' \
		"$work/table" "$work/stats"
}

# near A B PERCENT [OR]: apart by no more than so many percent of B, or OR.
near() {
	awk -v a="$1" -v b="$2" -v p="$3" -v or="${4-0}" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b > 0 && (d <= b * p / 100 || d <= or)) }' || { echo "$1 is not near $2"; return 1; }
}

@test "instructions are counted, and runs add up" {
	link_asm t <<-'END'
		.globl _start
		_start:	li a1, 1000
		1:	addi a2, a2, 7
			addi a1, a1, -1
			bnez a1, 1b
			li a0, 0
			li t0, 0
			ecall
		2:	j 2b
	END
	counts "$work/t.elf" t
	head -n 1 "$work/t.counts" | grep -qx 'octix counts 1'
	grep -qx '100000 1' "$work/t.counts"
	grep -qx '100004 3e8' "$work/t.counts"
	run grep '^10001c' "$work/t.counts" # the endless loop
	[ "$status" = 1 ]
	counts "$work/t.elf" t
	grep -qx '100004 7d0' "$work/t.counts"
}

@test "a program's cycles, and what an opcode is worth, are those of its runs" {
	counts $elf expr
	"$bin/oxchoose" $elf:"$work/expr.counts" >"$work/table.out"
	whole=$(awk '$1 == "expr.plain" { print $4 }' "$work/table.out")
	near "$whole" "$(cycles $elf)" 1
	for op in li8 sh2add lwa lbup; do
		without=$(cycles $elf --without=$op)
		# by cycles, of 70 for all of them
		worth=$(awk -v op=$op -v whole="$whole" '$1 == op { print $2 / 70 * whole }' "$work/table.out")
		near "$worth" $((without - $(cycles $elf))) 10 $((whole / 1000))
	done
}

@test "a chosen set has the size asked for, costs what it says, and packs programs that do the same" {
	counts $elf expr
	counts build/bench/strings.plain.elf strings
	"$bin/oxchoose" --opcodes 100 --set "$work/set" $elf:"$work/expr.counts" --weight 3 build/bench/strings.plain.elf:"$work/strings.counts" >"$work/chosen"
	[ $(($(grep -vc '^#' "$work/set") + $(grep -c '^BASIC' "$def"))) = 100 ]
	# the sum of the worths left out is the cost that the blocks have together
	sum=$(awk '/^Left out/ { on = 1 } on && NF == 6 && $6 + 0 { cost = $6 } /^Cycles and/ { on = 0 } END { print cost }' "$work/chosen")
	near "$sum" "$(awk '/^Together: cost/ { print $3 }' "$work/chosen")" 0.002
	for name in expr strings; do
		part=$(awk -v name=$name.plain '/^Cycles and/ { on = 1 } on && $1 == name { print $4 }' "$work/chosen")
		near "$part" "$(awk "BEGIN { print 100 * $(cycles build/bench/$name.plain.elf --only="$work/set") / $(cycles build/bench/$name.plain.elf) }")" 1
		"$bin/oxrun" "$work/cycles.oxe" >"$work/out"
		cmp "$work/out" "$work/$name.out"
	done
}

@test "by flash, and chosen on other programs" {
	counts $elf expr
	counts build/bench/strings.plain.elf strings
	kernel=build/m1284p/kernel.elf
	"$bin/oxchoose" --kernel $kernel --flash 3600 --validate $elf:"$work/expr.counts" build/bench/strings.plain.elf:"$work/strings.counts" >"$work/chosen"
	flash=$(awk '/^Together/ { print $(NF - 3) }' "$work/chosen")
	[ "$flash" -le 3600 ] && [ "$flash" -gt 3500 ]
	awk '/^Chosen on all other/ { on = 1 } on && /\.plain/ { n++; bad += $2 < 100 } END { exit !(n == 2 && !bad) }' "$work/chosen"
	grep -q '^Chosen on halves' "$work/chosen"
	size=$(avr-nm $kernel | sort | awk '$3 == "h_inc8" { on = 1; a = $1; next } on && $1 != a { print a, $1; exit }')
	[ "$(awk '$1 == "inc8" { print $5; exit }' "$work/chosen")" = $((0x${size#* } - 0x${size% *})) ]
}

# refused STATUS TEXT OPTION...
refused() {
	run "$bin/oxchoose" "${@:3}"
	echo "$output"
	[ "$status" = "$1" ]
	[[ $output == *"$2"* ]]
}

@test "what cannot be chosen from is refused" {
	refused 2 'name programs'
	refused 2 'needs --kernel' --flash 3000 $elf
	refused 2 'need a number to choose' --set "$work/s" $elf
	refused 2 'need a number to choose' --validate $elf
	refused 2 'two programs' --validate --opcodes 100 $elf
	refused 2 usage --opcodes ten $elf
	refused 1 'exceed the budget' --opcodes 20 $elf
	refused 1 'has no handler' --kernel $elf $elf
	refused 1 'cannot be read as an ELF file' --kernel "$def" $elf
	echo 'octix counts 2' >"$work/c"
	refused 1 "$work/c:1: not a line of counts" $elf:"$work/c"
	printf 'octix counts 1\n100000 x\n' >"$work/c"
	refused 1 "$work/c:2: not a line of counts" $elf:"$work/c"
	echo 'octix counts 1' >"$work/c"
	refused 1 'says that nothing of' $elf:"$work/c"
	run make --no-print-directory choose VALIDATE=1
	[ "$status" = 2 ]
	[[ $output == *'need a number to choose: OPCODES=N'* ]]
	run "$bin/oxrun" --counts "$work/c" "$out/alu.oxe"
	[ "$status" = 2 ]
}
