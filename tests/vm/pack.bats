# SPDX-License-Identifier: ISC
#
# oxpack: which bytecode comes from which instructions, what is refused, how pages are filled.
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
}

# becomes EXPECTED: standard input, between a start and an endless loop, becomes these instructions, all bytes computed.
becomes() {
	{ printf '.globl _start\n_start:\n'; cat; printf '\n ecall\n.Lend: j .Lend\n'; } | link_asm t
	becomes_with "--no-narrow --without=$(accumulator)" "$@"
}

# shrinks EXPECTED: the same, with bytes left out that nobody reads.
shrinks() {
	{ printf '.globl _start\n_start:\n'; cat; printf '\n ecall\n.Lend: j .Lend\n'; } | link_asm t
	becomes_with "--without=$(accumulator)" "$@"
}

# accumulates EXPECTED: the same, all bytes computed, with the accumulator.
accumulates() {
	{ printf '.globl _start\n_start:\n'; cat; printf '\n ecall\n.Lend: j .Lend\n'; } | link_asm t
	becomes_with --no-narrow "$@"
}

becomes_with() { # OPTIONS EXPECTED
	# shellcheck disable=SC2086 # several options
	code t $1 >"$work/got"
	shift
	sed -i '1d;$d' "$work/got" # the trap of page 0, the loop
	sed -i '$d' "$work/got"    # the system call, before which all registers are live
	printf '%s\n' "$@" >"$work/want"
	diff "$work/want" "$work/got"
}

# refused TEXT: standard input is refused with TEXT.
refused() {
	link_asm t
	run "$bin/oxpack" -o "$work/t.oxe" "$work/t.elf"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *"$1"* ]]
	[ ! -e "$work/t.oxe" ]
}

@test "constants and moves" {
	becomes 'li0 a0' 'li8 0xff, a1' 'li8n 0, a2' 'li16 0x1234, a3' 'lih 0x1234, a4' 'li32 0x12345678, a5' 'li0 a0' 'mv a1, a2' <<-'END'
		li a0, 0
		li a1, 255
		li a2, -256
		li a3, 0x1234
		li a4, 0x12340000
		li a5, 0x12345678
		add a0, x0, x0
		or a2, x0, a1
		mv a2, a2
		addi x0, a1, 5
	END
}

@test "immediate arithmetic" {
	becomes 'inc1 a0' 'dec1 a0' 'inc8 a0, 0xff' 'dec8 a0, 0x10' 'addi8 a0, 1, a1' 'addi16 a0, 0xffff, a1' 'addi16 a0, 0x100, a0' \
		'andi8 a0, 0x7f, a0' 'andi16 a0, 0xfff0, a0' 'xori16 a0, 0xffff, a1' 'seqz a0, a1' 'sltiu a0, 2, a1' 'slli2 a0, a0' 'slli2 a0, a1' \
		'srli a0, 0x18, a0' 'srai a0, 5, a0' <<-'END'
		addi a0, a0, 1
		addi a0, a0, -1
		addi a0, a0, 255
		addi a0, a0, -16
		addi a1, a0, 1
		addi a1, a0, -1
		addi a0, a0, 256
		andi a0, a0, 127
		andi a0, a0, -16
		xori a1, a0, -1
		sltiu a1, a0, 1
		sltiu a1, a0, 2
		slli a0, a0, 2
		slli a1, a0, 2
		srli a0, a0, 24
		srai a0, a0, 5
	END
}

@test "register arithmetic" {
	becomes 'add2 a1, a0' 'add2 a1, a0' 'sub2 a1, a0' 'sub a1, a0, a0' 'add a1, a2, a0' 'sub zero, a1, a0' 'snez a1, a0' \
		'sltu a0, zero, a1' 'mul a0, a1, a0' <<-'END'
		add a0, a0, a1
		add a0, a1, a0
		sub a0, a0, a1
		sub a0, a1, a0
		add a0, a1, a2
		sub a0, x0, a1
		sltu a0, x0, a1
		sltu a1, a0, x0
		mul a0, a0, a1
		add x0, a0, a1
	END
}

@test "the accumulator: what it may hold alone, and what ends it" {
	# a5 is dead behind the last xor: its sum stays in the accumulator
	accumulates 'addi8_n a1, 1, acc' 'xor_a acc, a2, a3' 'li0 a5' <<-'END'
		addi a5, a1, 1
		xor a3, a5, a2
		li a5, 0
	END
	# read twice, stored and held: the second reader still finds it
	accumulates 'add a0, a1, a2' 'sw8_a a3, 8, acc' 'xor_a acc, a4, a5' <<-'END'
		add a2, a0, a1
		sw a2, 8(a3)
		xor a5, a2, a4
	END
	# it changes in its register
	accumulates 'add a0, a1, a2' 'inc1 a2' 'xor2 a2, a5' <<-'END'
		add a2, a0, a1
		addi a2, a2, 1
		xor a5, a5, a2
	END
	# a label, and a call
	accumulates 'add a0, a1, a2' 'xor2 a2, a5' <<-'END'
		add a2, a0, a1
		1: xor a5, a5, a2
		.pushsection .data; .word 1b; .popsection
	END
	# needed where a branch goes
	accumulates 'addi8 a1, 1, a5' 'beqz a2, :0a' 'mv_a acc, a3' 'mv a5, a4' 'li0 a5' <<-'END'
		addi a5, a1, 1
		beqz a2, 1f
		mv a3, a5
		1: mv a4, a5
		li a5, 0
	END
}

@test "loads and stores" {
	becomes 'lw0 a0, a1' 'lw8 a0, 0xfc, a1' 'lw16 a0, 0xfffc, a1' 'lw16 a0, 0x100, a1' 'lwsp 4, a0' 'lbu8 sp, 1, a0' 'sw0 sp, zero' \
		'sb0 a0, zero' 'sw8 a0, 4, a1' <<-'END' 
		lw a1, 0(a0)
		lw a1, 252(a0)
		lw a1, -4(a0)
		lw a1, 256(a0)
		lw a0, 4(sp)
		lbu a0, 1(sp)
		sw x0, 0(sp)
		sb x0, 0(a0)
		sw a1, 4(a0)
		lw x0, 0(a0)
	END
}

@test "addresses of data: absolute, the upper part dropped when nothing reads it" {
	becomes 'lwa 0x400, a0' 'swa 0x404, a0' 'li16 0x404, a1' 'li0 a2' 'add2 a0, a2' 'lw16 a2, 0x400, a2' 'li0 a5' 'li0 a0' <<-'END'
		lui a5, %hi(v)
		lw a0, %lo(v)(a5)
		sw a0, %lo(v + 4)(a5)
		addi a1, a5, %lo(v + 4)
		lui a2, %hi(v)
		add a2, a2, a0
		lw a2, %lo(v)(a2)
		li a5, 0
		li a0, 0
		.data
		.space 512
	v:	.word 1, 2
		.text
	END
}

@test "addresses of code are code pointers, in text and in data" {
	link_asm t <<-'END'
		.globl _start
	_start:	lui a0, %hi(f)
		addi a0, a0, %lo(f)
		jr a0
		.globl f
	f:	j f
		.data
		.word f, f + 4
	END
	! "$bin/oxpack" -o "$work/t.oxe" "$work/t.elf" # f + 4 is behind the text
	sed 's/, f + 4//' "$work/t.S" >"$work/u.S"
	link_asm t <"$work/u.S"
	code t >"$work/got"
	diff - "$work/got" <<-'END'
	trap
	li16 7, a0
	jr a0
	j :07
	END
	[ "$(od -An -tx4 -j1024 -N4 "$work/t.oxe")" = " 00000007" ]
}

@test "upper parts are followed through moves and branches" {
	becomes 'beqz a0, :09' 'mv a4, s0' 'j :0e' 'li0 a0' 'mv a4, s0' 'li16 0x16, a1' 'lwa 0x400, a2' 'bnez a0, :01' 'li0 a3' <<-'END'
		lui a4, %hi(g)
		lui a3, %hi(w)
		beqz a0, 1f
		mv s0, a4
		j 2f
	1:	li a0, 0
		mv s0, a4
	2:	addi a1, s0, %lo(g)
		lw a2, %lo(w)(a3)
	g:	bnez a0, _start
		li a3, 0
		.data
		.space 512
	w:	.word 1
		.text
	END
}

@test "a link register that calls keep holds no constant any more" {
	link_asm link <<-'END'
		.globl _start
		_start:	lui s0, 5
			jal s0, 1f
			mv a0, s0
			sub a0, a0, s0
			li t0, 0
			ecall
		1:	jr s0
	END
	code link | grep -xF 'mv s0, a0'
	"$bin/oxrun" "$work/link.oxe"
}

@test "save and restore, prologues and epilogues" {
	becomes 'push 3' 'dec8 sp, 4' 'inc8 sp, 4' 'popret 3' 'push 2' 'pop 2' 'popret 1' <<-'END'
		addi sp, sp, -16
		sw ra, 12(sp)
		sw s0, 8(sp)
		sw s1, 4(sp)
		lw ra, 12(sp)
		lw s0, 8(sp)
		lw s1, 4(sp)
		addi sp, sp, 16
		ret
		addi sp, sp, -8
		sw ra, 4(sp)
		sw s0, 0(sp)
		lw ra, 4(sp)
		lw s0, 0(sp)
		addi sp, sp, 8
		lw ra, 0(sp)
		addi sp, sp, 4
		ret
	END
}

@test "branches with x0, always and never" {
	becomes 'beqz a0, :01' 'bnez a0, :01' 'bltz a0, :01' 'bgez a0, :01' 'blt zero, a0, :01' 'bge zero, a0, :01' 'bnez a0, :01' \
		'j :01' <<-'END'
		beq a0, x0, _start
		bne x0, a0, _start
		blt a0, x0, _start
		bge a0, x0, _start
		blt x0, a0, _start
		bge x0, a0, _start
		bltu x0, a0, _start
		bltu a0, x0, _start
		bne a0, a0, _start
		bgeu a0, x0, _start
	END
}

# in_between LINE...: the code address of _start is made in two steps, with the lines between them; the second takes the upper part from a5.
in_between() {
	printf '.globl _start\n_start: lui a4, %%hi(_start)\n'
	printf '%s\n' "$@"
	printf 'addi a1, a5, %%lo(_start)\n'
}

@test "the upper part of a code address may wait on the stack" {
	{ in_between 'sw a4, 8(sp)' 'lw a5, 8(sp)'; printf '\n ecall\n.Lend: j .Lend\n'; } | link_asm t
	becomes_with "--without=$(accumulator)" 'li16 1, a1'
	local keep='sw a4, 8(sp)' back='lw a5, 8(sp)' end='j _start'
	{ in_between "$keep" 'sw a0, 12(sp)' 'jal f' "$back"; echo "$end; f: ret"; } | link_asm t
	"$bin/oxpack" -o "$work/called.oxe" "$work/t.elf"
	rm "$work/t.oxe"
	refused 'computes with the code address' < <(in_between "$keep" 'sw a0, 8(sp)' "$back"; echo "$end")
	refused 'computes with the code address' < <(in_between "$keep" 'sb a0, 11(sp)' "$back"; echo "$end")
	refused 'computes with the code address' < <(in_between "$keep" 'addi sp, sp, 4' "$back"; echo "$end")
	refused 'computes with the code address' < <(in_between "$keep" 'lw a5, 4(sp)'; echo "$end")
	refused 'computes with the code address' < <(in_between 'beqz a0, 1f' "$keep" '1:' "$back"; echo "$end")
	refused 'upper part of a code address' < <(in_between 'sw a4, 8(a0)' "$back"; echo "$end")
	refused 'upper part of a code address' < <(in_between "$keep" "$back" 'add a5, a5, a0'; echo "$end")
}

@test "what cannot be packed is refused with its place" {
	refused 'not of RV32EM' <<<'.globl _start; _start: .word 0xc0002573; j _start'
	refused '(_start+0x4): instruction' <<<'.globl _start; _start: nop; .word 0x30051073; j _start'
	refused 'plus 4; code pointers are not numbers' <<<'.globl _start; _start: jr 4(a0); j _start'
	refused 'auipc without a relocation' <<<'.globl _start; _start: auipc a0, 5; jr a0; la a1, _start; j _start'
	refused 'code cannot be read as data' <<<'.globl _start; _start: lui a0, %hi(_start); lw a0, %lo(_start)(a0); j _start'
	refused 'upper part of a code address' <<<'.globl _start; _start: lui a0, %hi(_start); add a0, a0, a1; j _start'
	refused 'computes with the code label' <<<'.globl _start; _start: j _start; .data; .word _start - .'
	refused 'native bytecode 99 does not exist' <<<'.globl _start; _start: .insn r 0x0B, 0, 99, a0, a1, a2; j _start'
	refused 'would write x0' <<<'.globl _start; _start: .insn r 0x0B, 0, 0, a0, x0, a2; j _start'
}

@test "inputs that are no linked RV32EM programs are refused with advice" {
	echo 'int main(void) { return 0; }' >"$work/m.c"
	riscv64-unknown-elf-gcc $cflags -c -o "$work/m.o" "$work/m.c"
	run "$bin/oxpack" -o "$work/m.oxe" "$work/m.o"
	[ "$status" = 1 ]
	[[ $output == *"link it statically first"* ]]
	run "$bin/oxpack" -o "$work/m.oxe" "$work/m.c"
	[[ $output == *"not an ELF file"* ]]
	run "$bin/oxpack" -o "$work/m.oxe" "$bin/oxpack"
	[[ $output == *"not a 32-bit RISC-V file"* ]]
	echo '.globl _start; _start: j _start' >"$work/n.S"
	riscv64-unknown-elf-gcc $cflags -T userland/sdk/octix.ld -o "$work/n.elf" "$work/n.S"
	run "$bin/oxpack" -o "$work/n.oxe" "$work/n.elf"
	[[ $output == *"--emit-relocs"* ]]
	run "$bin/oxpack" -o "$work/n.oxe" "$work/none.elf"
	[[ $output == *"No such file"* ]]
}

@test "programs larger than 64 KB of data are refused with the sizes" {
	cat >"$work/big.ld" <<-'END'
		SECTIONS { .text 0x100000 : { *(.text*) } .rodata 0x200 : { *(.rodata*) } .data ALIGN(512) : { *(.data*) } .bss : { *(.bss*) } }
	END
	printf '.globl _start\n_start: j _start\n.bss\n.space 0xf800\n' >"$work/big.S"
	riscv64-unknown-elf-gcc $cflags -T "$work/big.ld" -Wl,--emit-relocs,--no-relax,--no-warn-rwx-segments -o "$work/big.elf" "$work/big.S"
	run "$bin/oxpack" -o "$work/big.oxe" "$work/big.elf"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *"too big for 64 KB"*"stack 4096"* ]]
}

@test "read-only data must not share a page with data" {
	printf 'SECTIONS { .text 0x100000 : { *(.text*) } .rodata 0x200 : { *(.rodata*) } .data : { *(.data*) } }\n' >"$work/share.ld"
	printf '.globl _start\n_start: j _start\n.section .rodata\n.word 1\n.data\n.word 2\n' >"$work/share.S"
	riscv64-unknown-elf-gcc $cflags -T "$work/share.ld" -Wl,--emit-relocs,--no-relax,--no-warn-rwx-segments -o "$work/share.elf" "$work/share.S"
	run "$bin/oxpack" -o "$work/share.oxe" "$work/share.elf"
	[ "$status" = 1 ]
	[[ $output == *"read-only section .rodata"*"shares a 512-byte page"* ]]
}

@test "the same input gives the same file" {
	"$bin/oxpack" -o "$work/1.oxe" "$out/jump.elf"
	cp "$out/jump.elf" "$work/other.elf"
	"$bin/oxpack" -o "$work/2.oxe" "$work/other.elf"
	cmp "$work/1.oxe" "$work/2.oxe"
	"$bin/oxpack" -o "$work/3.oxe" "$out/alu.elf"
	! cmp -s -i 8:8 -n 8 "$work/1.oxe" "$work/3.oxe"
}

@test "the map names every function and instruction" {
	"$bin/oxpack" --map "$work/jump.map" -o "$work/jump.oxe" "$out/jump.elf"
	grep -qE '^F [0-9a-f]{4}:[0-9a-f]{2} [0-9a-f]{8} [0-9a-f]+ fibonacci$' "$work/jump.map"
	"$bin/oxdump" --map "$work/jump.map" "$work/jump.oxe" >"$work/dump"
	grep -q '^fibonacci:$' "$work/dump"
	sed -n 's/^I \(.*:..\) .*/\1/p' "$work/jump.map" | sort >"$work/mapped"
	grep -oE '^....:..' "$work/dump" | sort >"$work/dumped"
	[ -z "$(comm -23 "$work/mapped" "$work/dumped")" ]
}

@test "more pages than 64: code pointers with tags" {
	{
		printf '.globl _start\n_start: la sp, stack\n li s0, 0\n'
		for i in $(seq 100); do printf ' call f%d\n' $i; done
		printf ' la a0, f100\n jalr a0\n lw a0, pointer\n jalr a0\n mv a0, s0\n li t0, 0\n ecall\n'
		for i in $(seq 100); do printf '.globl f%d\nf%d:\n .rept 60\n addi a1, a1, 1000\n .endr\n addi s0, s0, 1\n ret\n' $i $i; done
		printf '.data\npointer: .word f99\n.space 64\nstack:\n'
	} | link_asm large
	run "$bin/oxpack" --stats -o "$work/large.oxe" "$work/large.elf"
	[ "$status" = 0 ]
	[[ $output == *" 1"[0-9][0-9]" pages"* ]] || [[ $output == *" 2"[0-9][0-9]" pages"* ]]
	"$bin/oxdump" --check "$work/large.oxe"
	run "$bin/oxrun" "$work/large.oxe"
	echo "$output"
	[ "$status" = 102 ]
}

# torn BREAK TEXT: oxpack with this fault built in refuses its own file.
torn() {
	run env BREAK="$1" build/host-asan/test/badpack -o "$work/bad.oxe" "$out/alu.elf"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *"$2"*"this is a bug of oxpack"* ]]
	[ ! -e "$work/bad.oxe" ]
}

@test "a function that fits a page and straddles two, and a torn instruction, are refused in the finished file" {
	build/host-asan/test/badpack -o "$work/good.oxe" "$out/alu.elf"
	cmp "$work/good.oxe" "$out/alu.oxe"
	torn straddle 'bytes) straddles two pages'
	torn torn "torn by the page's end"
}

@test "a function that would fit a page only where it lies now stays in two" {
	{
		printf '.globl _start\n_start: call f\n li t0, 0\n ecall\n1: j 1b\n'
		printf '.globl f\nf: addi a1, a1, 5\n .rept 48\n addi a1, a1, 1000\n .endr\n bnez a0, g\n ret\n'
		printf '.globl g\ng: li a0, 0\n ret\n'
	} | link_asm fits
	"$bin/oxpack" -v --map "$work/fits.map" -o "$work/fits.oxe" "$work/fits.elf" >"$work/stats"
	grep -q 'units in several pages 1$' "$work/stats"
	grep -q '^F 0001:.* g$' "$work/fits.map"
	"$bin/oxrun" "$work/fits.oxe"
}

@test "-v prints sizes and instructions by form" {
	{
		printf '.globl _start\n_start: la a1, r\n lw a2, v\n call f\n li t0, 0\n ecall\n1: j 1b\n'
		printf '.globl f\nf: addi a3, a3, 1\n .rept 60\n addi a1, a1, 1000\n .endr\n bnez a0, f\n ret\n'
		printf '.section .rodata\nr: .word 1, 2\n.data\nv: .word 1, 2, 3, 4\n.bss\n.space 20\n'
	} | link_asm v
	"$bin/oxpack" --no-narrow -v -o "$work/v.oxe" "$work/v.elf" >"$work/stats"
	cat "$work/stats"
	grep -q ', 2 pages, padding ' "$work/stats"
	grep -qx 'rodata 8, data 16, bss 20, heap 0, stack 4096 bytes' "$work/stats"
	grep -qx 'jumps and branches 2, 1 of them far; units in several pages 1' "$work/stats"
	grep -qxE ' +60 +300 bytes  addi16' "$work/stats"
	# all instructions are there: their bytes are those of the code
	[ "$(awk '/ bytes  / { n += $2 } END { print n }' "$work/stats")" = "$(sed -n 's/^bytecode \([0-9]*\) .*/\1/p' "$work/stats" | awk '{ print $1 + 1 }')" ]
}

@test "--link-order lays out functions as they are linked" {
	link_asm order <<-'END'
		.globl a
		a:	addi a0, a0, 1
			ret
		.globl _start
		_start:	call b
			call a
			li t0, 0
			ecall
		1:	j 1b
		.globl b
		b:	li a0, 1
			ret
	END
	"$bin/oxpack" --map "$work/m" -o "$work/o.oxe" "$work/order.elf"
	[ "$(sed -n 's/^F.* //p' "$work/m" | tr '\n' ' ')" = '_start b a ' ]
	"$bin/oxpack" --link-order --map "$work/m" -o "$work/o.oxe" "$work/order.elf"
	[ "$(sed -n 's/^F.* //p' "$work/m" | tr '\n' ' ')" = 'a _start b ' ]
	run "$bin/oxrun" "$work/o.oxe"
	[ "$status" = 2 ]
}
