#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The figures of `make bench`: right results, and none worse than its limit.

load ../helper

@test "no figure is worse than its limit" {
	cd "$TOP"
	run tests/bench/run m1284p
	echo "$output"
	[ "$status" = 0 ]
	grep -q '"vm.cycles_per_insn.mean": {"value": [0-9.]*, "unit": "cycles"}' build/m1284p/bench.json
}

@test "the table has limits, references, and ratios to these" {
	cd "$TOP"
	run tests/bench/run --report tests/bench/limits m1284p
	[[ ${lines[0]} =~ ^name\ +value\ +unit\ +limit\ +reference\ +ratio$ ]]
	cycles=$(sed -n 's/.*"boot.cycles": {"value": \([0-9]*\),.*/\1/p' build/m1284p/bench.json)
	ratio=$(awk "BEGIN { printf \"%.3f\", $cycles / 25500000 }")
	echo "$output" | grep -q "^boot.cycles  *$cycles cycles  *<= [0-9]*  *25500000  *$ratio  NanoOs"
	# every reference is to a figure that is measured
	for name in $(sed '/^#/d; s/ .*//' tests/bench/references | sort -u); do
		grep -q "^  \"$name\": " build/m1284p/bench.json || { echo "$name is not measured"; false; }
	done
}

@test "calls for more heap, and those besides a command's work, are counted" {
	cd "$TOP"
	[ "$(tests/bench/startup "$T/all")" = $'startup.syscalls 0 calls\nstartup.sbrk.max 0 calls' ]
	[ "$(wc -l <"$T/all/commands")" = "$(ls build/userland/root/bin | grep -Ecv '^(core|login|su|passwd)$')" ]
	# one that asks for more
	printf '#include <stdlib.h>\nint main(void)\n{\n\treturn malloc(9000) == 0;\n}\n' >"$T/more.c"
	scripts/octix cc --heap=1000 -o "$T/mkdir" "$T/more.c"
	printf '#!/bin/sh\nshift 7\nprogram=$1\n[ "${program##*/}" != mkdir ] || program=%s\nshift\nexec %s --trace syscall "$program" "$@"\n' \
		"$T/mkdir" "$HOSTBIN/oxrun" >"$T/oxrun"
	chmod +x "$T/oxrun"
	OXRUN=$T/oxrun run tests/bench/startup "$T/more"
	echo "$output"
	[ "${lines[0]}" = 'startup.syscalls 1 calls' ]
}

@test "octix bench: a table, JSON, and what is wrong with an image" {
	run "$OCTIX" bench "$TOP/build/m1284p/octix.img"
	echo "$output"
	[ "$status" = 0 ]
	[[ ${lines[0]} =~ ^name\ +value\ +unit ]]
	[[ $output =~ boot\.cycles\ +[1-9][0-9]+\ cycles ]]
	[[ $output =~ shell\.hello\.second\.reads\ +[0-9]+\ blocks ]]
	cp "$TOP/build/m1284p/octix.img" "$T/less.img"
	"$OCTIX" image rm "$T/less.img" /bin/hello
	sum "$T/less.img" >"$T/before"
	"$OCTIX" bench --json "$T/less.img" >"$T/json" 2>"$T/errors"
	grep -q "has no 'hello': not measured" "$T/errors"
	! grep -q hello "$T/json"
	[ "$(grep -c '^  "[a-z.]*": {"value": [0-9.]*, "unit": "[a-z]*"},$' "$T/json")" = $(($(wc -l <"$T/json") - 3)) ] # all but the last
	grep -q '"shell.loop.cycles": {"value": [1-9][0-9]*, "unit": "cycles"},' "$T/json"
	[ "$(sum "$T/less.img")" = "$(cat "$T/before")" ]
	fails 1 'there is no such image' "$OCTIX" bench "$T/none.img"
	fails 2 'unknown option' "$OCTIX" bench --fast
	fails 7 "make BOARD=z80" "$OCTIX" bench --board z80
	truncate -s 1M "$T/empty.img"
	fails 5 'did not come to its prompt' "$OCTIX" bench "$T/empty.img"
}

@test "plots say what is missing" {
	cd "$TOP"
	command -v gnuplot >"$T/where" || skip 'gnuplot is not installed'
	fails 1 'make BOARD=none bench' tests/bench/plots none
}

@test "a limit that is passed fails the run" {
	cd "$TOP"
	sed 's/size.flash <= .*/size.flash <= 1000/' tests/bench/limits >"$T/limits"
	run tests/bench/run --report "$T/limits" m1284p
	[ "$status" = 1 ]
	[[ $output == *"size.flash"*"WORSE THAN ITS LIMIT"* ]]
	echo 'm1284p no.such.figure <= 1' >>"$T/limits"
	run tests/bench/run --report "$T/limits" m1284p
	[[ $output == *"no.such.figure has a limit and was not measured"* ]]
}
