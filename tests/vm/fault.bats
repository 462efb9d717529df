# SPDX-License-Identifier: ISC
#
# Programs that do what they must not: killed with a message that says what and where.
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
}

# killed NAME STATUS TEXT
killed() {
	run "$bin/oxrun" --map "$out/fault-$1.map" "$out/fault-$1.oxe"
	echo "$output"
	[ "$status" = "$2" ]
	[[ $output == before* ]]
	[[ $output != *after* ]]
	[[ $output == *"$3"* ]]
}

@test "NULL is not mapped" { killed null 139 "segmentation fault: read of address 0x000c, at 0000:"; }
@test "read-only data cannot be written" { killed rodata 139 "segmentation fault: write to address 0x"; }
@test "a stack overflow is caught" { killed stack 139 "(deep, ELF 0x"; }
@test "a jump to a number is caught" { killed jump 139 "jump to 0x12345678, which is no code pointer"; }
@test "a call of NULL traps" { killed jump0 132 "jump to code pointer 0"; }
@test "ebreak" { killed ebreak 133 "breakpoint"; }

@test "misaligned accesses: reported, low bits ignored; killed by --strict" {
	run "$bin/oxrun" "$out/fault-align.oxe"
	[ "$status" = 0 ]
	[[ $output == *"4 bytes at 0xff"*"are not aligned"* ]]
	[[ $output == *"word 11223344 00005566"* ]]
	run "$bin/oxrun" --strict "$out/fault-align.oxe"
	[ "$status" = 138 ]
}

@test "random code never crashes the host" {
	run "$bin/oxfuzz" "${FUZZ_RUNS:-4000}" "${FUZZ_SEED:-1}"
	echo "$output"
	[ "$status" = 0 ]
}

@test "a run can be limited" {
	link_asm endless <<-'END'
		.globl _start
		_start:	j _start
	END
	"$bin/oxpack" -o "$work/endless.oxe" "$work/endless.elf"
	run "$bin/oxrun" --max-insns 1000 "$work/endless.oxe"
	[ "$status" = 124 ]
	[[ $output == *"stopped after 1000 instructions"* ]]
}
