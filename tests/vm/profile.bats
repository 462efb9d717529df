# SPDX-License-Identifier: ISC
#
# Profiles: what oxrun records, what oxpack makes of it, and that the program stays the same.
load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
}

# sample: 40 functions of which the program runs the first and the last, and these not to their ends.
sample() {
	{
		printf '.globl _start\n_start: la sp, stack\n li s0, 10\n li s1, 7\n bnez s0, 1f\n'
		for i in $(seq 40); do printf ' call f%d\n' "$i"; done
		printf '1: call f1\n call f40\n addi s0, s0, -1\n bnez s0, 1b\n mv a0, s1\n li t0, 0\n ecall\n'
		for i in $(seq 40); do
			printf '.globl f%d\n.type f%d, @function\nf%d: addi s1, s1, %d\n beqz s1, 1f\n ret\n' "$i" "$i" "$i" "$i"
			printf '1: .rept 20\n addi a1, a1, 1000\n .endr\n ret\n.size f%d, . - f%d\n' "$i" "$i"
		done
		printf '.data\n.space 64\nstack:\n'
	} | link_asm t
	"$bin/oxpack" --map "$work/t.map" -o "$work/t.oxe" "$work/t.elf"
}

record() {
	run "$bin/oxrun" --map "$work/t.map" --record "$work/t.profile" "$work/t.oxe"
	[ "$status" = 161 ] # 7 + 10 * (1 + 40), the lowest byte
}

# place MAP FUNCTION: its page.
place() {
	sed -n "s/^F \\(....\\):.* $2\$/\\1/p" "$1"
}

@test "functions that run together get on one page, what never ran to the end" {
	sample
	record
	[ "$(place "$work/t.map" f1)" != "$(place "$work/t.map" f40)" ]
	"$bin/oxpack" --map "$work/p.map" --profile "$work/t.profile" -o "$work/p.oxe" "$work/t.elf"
	grep '^F' "$work/p.map"
	[ "$(place "$work/p.map" f1)" = 0000 ]
	[ "$(place "$work/p.map" f40)" = 0000 ]
	[ "$(place "$work/p.map" _start)" = 0000 ]
	[[ $(place "$work/p.map" f1.cold) > $(place "$work/p.map" f39) ]] || [ "$(place "$work/p.map" f1.cold)" = "$(place "$work/p.map" f39)" ]
	[ -z "$(place "$work/p.map" f2.cold)" ]
}

@test "the program does the same, and its file is the same each time" {
	sample
	record
	"$bin/oxpack" --profile "$work/t.profile" -o "$work/p.oxe" "$work/t.elf"
	"$bin/oxpack" --profile "$work/t.profile" -o "$work/q.oxe" "$work/t.elf"
	cmp "$work/p.oxe" "$work/q.oxe"
	"$bin/oxdump" --check "$work/p.oxe"
	run "$bin/oxrun" --strict "$work/p.oxe"
	[ "$status" = 161 ]
}

@test "test programs give the same results with what ran of them set apart" {
	for name in alu jump; do
		"$bin/oxrun" --record "$work/$name.profile" --map "$out/$name.map" "$out/$name.oxe" >"$work/$name.1"
		"$bin/oxpack" --profile "$work/$name.profile" -o "$work/$name.oxe" "$out/$name.elf"
		"$bin/oxrun" --strict "$work/$name.oxe" >"$work/$name.2"
		cmp "$work/$name.1" "$work/$name.2"
	done
}

@test "runs add up, and several profiles are one" {
	sample
	record
	cp "$work/t.profile" "$work/once.profile"
	record
	[ "$(grep -c ^R "$work/t.profile")" = 2 ]
	[ "$(grep -c ^F "$work/t.profile")" = 3 ]
	"$bin/oxpack" --profile "$work/t.profile" -o "$work/p.oxe" "$work/t.elf"
	"$bin/oxpack" --profile "$work/once.profile" --profile "$work/once.profile" -o "$work/q.oxe" "$work/t.elf"
	cmp "$work/p.oxe" "$work/q.oxe"
}

@test "unknown functions are ignored; a function that has changed is not cut" {
	sample
	record
	sed 's/^F /F other_/' "$work/t.profile" >"$work/unknown"
	"$bin/oxpack" --profile "$work/unknown" -o "$work/p.oxe" "$work/t.elf"
	cmp "$work/t.oxe" "$work/p.oxe"
	sed 's/^F \([^ ]*\) .*/F \1 400 0-400/' "$work/t.profile" >"$work/changed"
	"$bin/oxpack" --map "$work/p.map" --profile "$work/changed" -o "$work/p.oxe" "$work/t.elf"
	! grep -q cold "$work/p.map"
	[ "$(place "$work/p.map" f1)" = "$(place "$work/p.map" f40)" ]
}

# wrong TEXT PATTERN: a profile with this text is refused with this message.
wrong() {
	printf "$1" >"$work/wrong"
	run "$bin/oxpack" --profile "$work/wrong" -o "$work/w.oxe" "$work/t.elf"
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == "oxpack: $work/wrong:"*"not a profile: $2"* ]]
	[ ! -e "$work/w.oxe" ]
}

@test "what is no profile is refused with the line" {
	sample
	wrong '' 'it is empty'
	wrong 'F main 10 0-10\n' 'its first line'
	wrong 'octix profile 2\n' 'its first line'
	wrong 'octix profile 1\nX\n' 'a line begins'
	wrong 'octix profile 1\nF main\n' 'a function without'
	wrong 'octix profile 1\nF main x\n' 'a number'
	wrong 'octix profile 1\nF main 10 0-20\n' 'a number'
	wrong 'octix profile 1\nF main fffffffff\n' 'a number'
	wrong 'octix profile 1\nF main 10\nF main 10\n' 'a function stands there twice'
	wrong 'octix profile 1\nF main 10\nW 1\n' "a window's functions"
	wrong 'octix profile 1\nF main 10\nW 0\nW 0\n' 'a window stands there twice'
	wrong 'octix profile 1\nF main 10\nW 0\nR 0 1\n' 'a run has a number'
	run "$bin/oxpack" --profile "$work/none" -o "$work/w.oxe" "$work/t.elf"
	[ "$status" = 1 ]
	[[ $output == "oxpack: $work/none: No such file"* ]]
	run "$bin/oxrun" --record "$work/p" "$work/t.oxe"
	[ "$status" = 2 ]
}
