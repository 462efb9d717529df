#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Random C programs in the kernel's VM, on both boards: they must print what their RV32 instructions print in the reference
# interpreter. RANDOM_RUNS seeds from RANDOM_SEED on, at three optimisation levels each.

load helper

CFLAGS="-march=rv32em -mabi=ilp32e -ffreestanding -fno-builtin -nostdlib -fno-asynchronous-unwind-tables -w
	-idirafter $TOP/userland/include -I$TOP/tests/vm/insn -T $TOP/userland/sdk/octix.ld
	-Wl,--emit-relocs,--no-relax,--no-warn-rwx-segments,--build-id=none"

# one NAME SEED FLAG...: packs the program of a seed as $T/p/NAME; $T/want/NAME is what it prints.
one() {
	local name=$1 seed=$2
	shift 2
	[ -f "$T/$seed.c" ] || awk -v SEED="$seed" -f "$TOP/tests/vm/random.awk" >"$T/$seed.c"
	# shellcheck disable=SC2086
	riscv64-unknown-elf-gcc $CFLAGS "$@" -o "$T/elf" "$T/$seed.c" -lgcc
	"$HOSTBIN/oxpack" -o "$T/p/$name" "$T/elf"
	timeout 60 "$HOSTBIN/rv32ref" "$T/elf" >"$T/want/$name"
}

# batch SEED...: packs them all.
batch() {
	rm -rf "$T/p" "$T/want"
	mkdir -p "$T/p" "$T/want"
	for seed; do
		one "a$seed" "$seed" -O0
		one "b$seed" "$seed" -O2
		one "c$seed" "$seed" -Os -msave-restore -fno-schedule-insns -fno-schedule-insns2
	done
}

# run_all BOARD: runs the batch; each program writes its output to the card.
run_all() {
	on_card "$1" "$T"/p/*
	board --rw < <(for p in "$T"/p/*; do echo "./${p##*/} > /tmp/${p##*/}"; done; echo halt)
	[ "$status" = 0 ]
	for p in "$T"/p/*; do
		fetch "/tmp/${p##*/}" | cmp - "$T/want/${p##*/}" || { echo "seed and level: ${p##*/} on $1"; return 1; }
	done
}

@test "random programs on both boards" {
	first=${RANDOM_SEED:-1} last=$((${RANDOM_SEED:-1} + ${RANDOM_RUNS:-4} - 1))
	for from in $(seq "$first" 16 "$last"); do
		to=$((from + 15 < last ? from + 15 : last))
		# shellcheck disable=SC2046
		batch $(seq "$from" "$to")
		run_all m1284p
		run_all mega2560
	done
}
