# SPDX-License-Identifier: ISC
#
# Random C programs: the bytecode must print what the RV32 instructions print. RANDOM_RUNS and RANDOM_SEED for long runs.
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
}

# same SEED FLAGS...: compiles the program of a seed and compares.
same() {
	seed=$1
	shift
	[ -f "$work/r$seed.c" ] || awk -v SEED="$seed" -f tests/vm/random.awk >"$work/r$seed.c"
	riscv64-unknown-elf-gcc $cflags -w -idirafter userland/include -Itests/vm/insn $link "$@" -o "$work/r.elf" "$work/r$seed.c" -lgcc
	"$bin/oxpack" -o "$work/r.oxe" "$work/r.elf"
	timeout 60 "$bin/rv32ref" "$work/r.elf" >"$work/want"
	timeout 60 "$bin/oxrun" --strict "$work/r.oxe" >"$work/got"
	cmp "$work/want" "$work/got" || { echo "seed $seed, $*"; return 1; }
	"$bin/oxpack" --no-narrow -o "$work/r.oxe" "$work/r.elf"
	timeout 60 "$bin/oxrun" --strict --wide "$work/r.oxe" >"$work/got"
	cmp "$work/want" "$work/got" || { echo "seed $seed, $* --no-narrow"; return 1; }
}

@test "random programs, all optimisation levels" {
	first=${RANDOM_SEED:-1} runs=${RANDOM_RUNS:-4}
	for seed in $(seq "$first" $((first + runs - 1))); do
		for level in -O0 -O1 -O2 -O3 -Os; do
			same "$seed" $level
		done
		same "$seed" -Os -msave-restore -fno-schedule-insns -fno-schedule-insns2
		same "$seed" -O2 -fno-jump-tables -mcmodel=medany
	done
}
