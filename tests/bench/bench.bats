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
