#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# C's corners, at each optimisation level: programs with the C library under oxrun print what they print on the host.
# shellcheck disable=SC2154 # helpers
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	corners=build/tests/corners
}

# agree NAME: at all levels.
agree() {
	for level in O0 O2 Os; do
		"$bin/oxdump" --check "$corners/$1.$level"
		timeout 60 "$bin/oxrun" --strict "$corners/$1.$level" >"$work/got"
		diff "$corners/$1.expected" "$work/got" || { echo "$1 at -$level"; return 1; }
	done
}

@test "setjmp, computed gotos, alloca" { agree jumps; }
@test "function tables, initialisers, constructors, switches, callbacks" { agree tables; }
@test "variable arguments" { agree varargs; }
@test "structures by value, bitfields, unions, large offsets and frames" { agree structs; }
@test "64-bit arithmetic" { agree long64; }
@test "the library's 64-bit multiplication and division" { agree divide64; }
@test "floating point" { agree soft; }

@test "the stack down to its last byte, and no further" {
	for level in O0 O2 Os; do
		run timeout 60 "$bin/oxrun" --strict "$corners/stack.$level"
		[ "$status" = 0 ]
		[ "$output" = $'down\nand back' ]
		run timeout 60 "$bin/oxrun" --strict "$corners/stack.$level" more
		echo "$level: $output"
		[ "$status" = 139 ]
		[[ $output == "down"*"segmentation fault: write to address 0xf7"* ]]
	done
}

@test "computed gotos by label differences are refused with advice" {
	cat >"$work/differences.c" <<-'END'
		int main(int argc, char **argv)
		{
			static const int labels[] = { &&one - &&one, &&two - &&one };

			(void)argv;
			goto *(&&one + labels[argc & 1]);
		one:
			return 1;
		two:
			return 2;
		}
	END
	run scripts/octix cc -o "$work/differences.oxe" "$work/differences.c"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *"computes with the code label"* ]]
	[ ! -e "$work/differences.oxe" ]
}
