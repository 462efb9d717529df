# SPDX-License-Identifier: ISC
#
# Every RV32EM instruction on edge values: bytecode on oxrun, and the reference interpreter, against qemu-riscv32.
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
}

# With all bytes of all results, addresses can be checked strictly.
agree() {
	"$bin/oxdump" --check "$out/$1.oxe"
	"$bin/oxrun" --strict "$out/$1.oxe" | cmp - "$out/$1.expected"
	"$bin/oxpack" --no-narrow -o "$work/$1.oxe" "$out/$1.elf"
	"$bin/oxrun" --strict --wide "$work/$1.oxe" | cmp - "$out/$1.expected"
}

reference() {
	"$bin/rv32ref" "$out/$1.elf" | cmp - "$out/$1.expected"
}

@test "register-register instructions" { agree alu; reference alu; }
@test "register-immediate instructions and constants" { agree imm; reference imm; }
@test "loads and stores" { agree memory; reference memory; }
@test "conditional branches, near and far" { agree branch; reference branch; }
@test "jumps, calls, function pointers, jump tables" { agree jump; reference jump; }
@test "native bytecodes" { agree native; }
@test "the cases of riscv-tests and riscv-arch-test that these leave" { agree cases; reference cases; }

@test "sequences that become one bytecode, and narrow results" { agree fused; reference fused; }
@test "sequences that compute in the accumulator" { agree acc; reference acc; }

@test "every opcode of the table is run by these programs" {
	for t in alu imm memory branch jump native cases fused acc; do
		"$bin/oxrun" --stats "$out/$t.oxe" 2>&1 >/dev/null
		"$bin/oxpack" --without "$(accumulator)" -o "$work/t.oxe" "$out/$t.elf"
		"$bin/oxrun" --stats "$work/t.oxe" 2>&1 >/dev/null
	done | awk '{ print $4 }' | sort -u >"$work/ran"
	sed -nE 's/^(OP|BASIC)\(([a-z0-9_]*),.*/\2/p' userland/include/octix/opcodes.def | grep -vxE 'trap|ebreak' | sort >"$work/all"
	comm -13 "$work/ran" "$work/all" >"$work/missing"
	[ ! -s "$work/missing" ] || { echo "never run: $(tr '\n' ' ' <"$work/missing")"; false; }
}

@test "instructions are counted as qemu counts them" {
	# a loop of known length: 2 + 3 * 1000 + 1 (jal) + 3 (exit)
	link_asm count <<-'END'
		.globl _start
		_start:	li a0, 0
			li a1, 1000
		1:	addi a0, a0, 1
			xor a2, a0, a1
			bne a0, a1, 1b
			j 2f
		2:	li a0, 7
			li t0, 0
			ecall
	END
	run "$bin/rv32ref" --count "$work/count.elf"
	[ "$status" = 7 ]
	[ "$output" = 3006 ]
}
