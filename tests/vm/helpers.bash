# SPDX-License-Identifier: ISC
#
# What the suites of this folder share.
bin=${HOSTBIN:-build/host/bin}
out=build/tests/vm
work=$BATS_TEST_TMPDIR

# poke FILE OFFSET BYTES: overwrites bytes (as printf escapes).
poke() {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# peek FILE OFFSET: one byte as a decimal number.
peek() {
	od -An -tu1 -j"$2" -N1 "$1" | tr -d ' '
}

# flip FILE OFFSET BIT
flip() {
	poke "$1" "$2" "\\$(printf %03o $(($(peek "$1" "$2") ^ (1 << $3))))"
}

cflags="-march=rv32em -mabi=ilp32e -Os -ffreestanding -fno-builtin -nostdlib -fno-asynchronous-unwind-tables"
link="-T userland/sdk/octix.ld -Wl,--emit-relocs,--no-relax,--no-warn-rwx-segments,--build-id=none"

# link_asm NAME: assembles and links standard input as $work/NAME.elf.
link_asm() {
	cat >"$work/$1.S"
	riscv64-unknown-elf-gcc $cflags $link -o "$work/$1.elf" "$work/$1.S"
}

# code NAME [OPTION]...: packs $work/NAME.elf and prints its instructions, without bytes and addresses.
code() {
	local name=$1
	shift
	"$bin/oxpack" "$@" -o "$work/$name.oxe" "$work/$name.elf" && "$bin/oxdump" "$work/$name.oxe" | sed -n 's/^....:..  \(.. \)*  *//p'
}

# accumulator: the opcodes that work on it, with commas.
accumulator() {
	sed -nE 's/^OP\(([a-z0-9]+_(a|n|an)),.*/\1/p' userland/include/octix/opcodes.def | paste -sd,
}
