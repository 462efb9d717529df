#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Opcodes left out: the basic ones suffice for every program, and programs packed with them do the same.
# shellcheck disable=SC2030,SC2031,SC2154 # helpers; run
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

# basic_only FILE: no instruction in it has another opcode.
basic_only() {
	sed -n 's/^BASIC(\([a-z0-9_]*\),.*/\1/p' userland/include/octix/opcodes.def | sort >"$work/table"
	[ "$(wc -l <"$work/table")" -ge 50 ]
	"$bin/oxdump" --check "$1"
	"$bin/oxdump" "$1" | sed -n 's/^....:..  \(.. \)*  *\([a-z0-9_]*\).*/\2/p' | sort -u >"$work/used"
	[ -s "$work/used" ]
	[ -z "$(comm -13 "$work/table" "$work/used")" ] || { echo "$1 uses $(comm -13 "$work/table" "$work/used" | tr '\n' ' ')"; return 1; }
}

# basic ELF OUT: packs with the basic opcodes.
basic() {
	"$bin/oxpack" --only /dev/null -o "$2" "$1"
	basic_only "$2"
}

@test "every RV32EM instruction with the basic opcodes" {
	for t in alu imm memory branch jump native cases fused acc; do
		basic "$out/$t.elf" "$work/$t.oxe"
		"$bin/oxrun" --strict "$work/$t.oxe" | cmp - "$out/$t.expected"
	done
}

@test "the bench programs with the basic opcodes" {
	for elf in build/bench/*.once.elf; do
		basic "$elf" "$work/basic.oxe"
		timeout 60 "$bin/rv32ref" "$elf" >"$work/want"
		timeout 60 "$bin/oxrun" --strict "$work/basic.oxe" >"$work/got"
		cmp "$work/want" "$work/got"
	done
	for elf in build/bench/*.plain.elf; do
		basic "$elf" "$work/basic.oxe"
	done
}

# shell ROOT: what a script on the shell and the commands prints.
shell() {
	timeout 60 "$bin/oxrun" --strict --root "$1" --env PATH=/bin --argv0 sh "$1/bin/sh" <<-'END'
		cd /tmp
		for i in 1 2 3; do echo "line $i" >>f; done
		wc f; head -n 2 f | cat; ls /bin | wc -l
		x=$(cat f); case $x in *3) echo "three: ${x#line 1}" ;; esac
		test -f f && cp f g && mv g h && ls && rm f h
		nosuch || echo "status $?"
	END
}

@test "the shell and the commands with the basic opcodes" {
	for root in all basic; do
		mkdir -p "$work/$root/tmp"
		cp -r build/userland/root/bin "$work/$root/"
	done
	basic build/userland/elf/sh.elf "$work/basic/bin/sh"
	basic build/userland/elf/core.elf "$work/basic/bin/core"
	shell "$work/all" >"$work/want" 2>&1
	shell "$work/basic" >"$work/got" 2>&1
	grep -q 'status 127' "$work/want"
	diff "$work/want" "$work/got"
}

# favoured GROUP ELF EXPECTED: packs with each 11th opcode, from GROUP on, wherever it can stand.
favoured() {
	list=$(sed -nE 's/^(OP|BASIC)\(([a-z0-9_]*),.*/\2/p' userland/include/octix/opcodes.def | awk -v g="$1" 'NR % 11 == g' | paste -sd,)
	"$bin/oxpack" --favour "$list" -o "$work/f.oxe" "$2"
	timeout 60 "$bin/oxrun" --strict --stats "$work/f.oxe" 2>"$work/stats" | cmp "$3" - || { echo "$2 with $list"; return 1; }
	awk 'NF == 4 { print $4 }' "$work/stats" >>"$work/ran"
}

@test "every opcode wherever it can stand" {
	for group in 0 1 2 3 4 5 6 7 8 9 10; do
		for t in alu imm memory branch cases fused acc; do
			favoured "$group" "$out/$t.elf" "$out/$t.expected"
		done
	done
	sort -u "$work/ran" >"$work/used"
	for op in $(accumulator | tr , ' '); do
		grep -qx "$op" "$work/used" || { echo "$op never ran"; return 1; }
	done
}

@test "--without leaves out what it names, --only all but that" {
	printf '.globl _start\n_start: addi a0, a0, 1\n li t0, 0\n ecall\n1: j 1b\n' | link_asm t
	[[ $(code t | grep a0) == 'inc1 a0' ]]
	[[ $(code t --without=inc1 | grep a0) == 'inc8 a0, 1' ]]
	[[ $(code t --without=inc1,inc8 | grep a0) == 'addi8 a0, 1, a0' ]]
	printf '# one of two\ninc8 # this\n' >"$work/set"
	[[ $(code t --only="$work/set" | grep a0) == 'inc8 a0, 1' ]]
}

# refused TEXT OPTION
refused() {
	run "$bin/oxpack" "$2" -o "$work/x.oxe" "$out/alu.elf"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *"$1"* ]]
	[ ! -e "$work/x.oxe" ]
}

@test "sets that cannot be are refused" {
	refused "there is no opcode 'inc3'" --without=inc1,inc3
	refused 'add belongs to the basic opcodes' --without=add
	echo 'inc1 nonsense' >"$work/set"
	refused "there is no opcode 'inc3'" --favour=inc3
	refused "$work/set: there is no opcode 'nonsense'" --only="$work/set"
	refused 'No such file' --only="$work/none"
}

@test "the opcodes of a version that programs were made for stay as they are" {
	sed -nE 's/^(OP|BASIC)\(([a-z0-9_]+), ([a-zA-Z]*), [0-9]+, ([a-z0-9]+)\).*/\2 \3 \4/p' userland/include/octix/opcodes.def >"$work/rows"
	[ "$(grep -cE '^(OP|BASIC)\(' userland/include/octix/opcodes.def)" = "$(wc -l <"$work/rows")" ]
	grep -v '^#' tests/vm/bytecode.1 >"$work/frozen"
	[ "$(wc -l <"$work/frozen")" -gt 200 ]
	head -n "$(wc -l <"$work/frozen")" "$work/rows" | diff "$work/frozen" -
}
