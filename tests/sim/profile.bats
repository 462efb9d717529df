#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# oxsim --profile: where cycles and page faults of the programs on the board go.
load ../helper

setup() {
	cd "$TOP"
	sim=$ASAN/bin
	[ -x "$sim/oxsim" ] || sim=$HOSTBIN
}

# column NAME PROGRAM FUNCTION: of $T/profile.
column() {
	awk -F '\t' -v name="$1" -v program="$2" -v wanted="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
		$8 == program && $9 == wanted { print $c }' "$T/profile"
}

# total NAME: the sum of a column.
total() {
	awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 { n += $c } END { printf "%.0f\n", n }' "$T/profile"
}

# counter NAME: a number of the run's statistics.
counter() {
	sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$T/stats" | head -n 1
}

# boot OPTION...: types the lines of $T/typed at the image's prompt.
boot() {
	timeout 100 "$sim/oxsim" --quiet --card "$T/x.img" --prompt '# ' --input "$T/typed" --profile "$T/profile" --stats "$T/stats" "$@" \
		build/m1284p/kernel.elf >"$T/printed"
}

@test "--profile: a function's instructions, all cycles, all page faults" {
	printf 'int hot(int n)\n{\n\tint s = 0;\n\tfor (int i = 0; i < n; i++)\n\t\ts ^= i;\n\treturn s;\n}\n' >"$T/hot.c"
	printf '__attribute__((noinline)) void wide(void)\n{\n\t__asm__ volatile(".rept 1400\\n addi a0, a0, 17\\n .endr" ::: "a0");\n}\n' >"$T/wide.c"
	printf 'int hot(int n);\nvoid wide(void);\nint main(void)\n{\n\twide();\n\treturn hot(5000) & 1;\n}\n' >"$T/main.c"
	scripts/octix cc --map="$T/spin.map" -o "$T/spin" "$T/hot.c" "$T/main.c" "$T/wide.c"
	cp build/m1284p/octix.img "$T/x.img"
	scripts/octix image put "$T/x.img" "$T/spin" /bin
	printf 'spin\nls /bin\nhalt\n' >"$T/typed"
	boot --map "$T/spin.map" --map build/userland/map/sh.map
	head -n 12 "$T/profile"
	# as many as on this machine; those that a fault made start again count twice
	insns=$("$HOSTBIN/oxrun" --map "$T/spin.map" --profile "$T/spin" 2>&1 | awk '$4 == "hot" { print $1 }')
	again=$(($(column insns spin hot) - insns))
	[ "$again" -ge 0 ] && [ "$again" -le 2 ]
	[ "$(column core spin hot)" -gt $((10 * insns)) ]
	[ "$(column faults spin hot)" -le 2 ]
	# a page that a jump brings in belongs to where it goes: each sector of wide, but for the first, in which main lies
	sectors=$(sed -n '/^F .* wide$/,/^F .* [^w]/ s/^I \(....\):.*/\1/p' "$T/spin.map" | while read -r page; do echo $((0x$page / 2)); done | sort -u | wc -l)
	[ "$sectors" -ge 5 ]
	[ "$(column faults spin wide)" = $((sectors - 1)) ]
	[ "$(column insns sh execve)" -gt 0 ]
	[ "$(column kernel sh execve)" -gt "$(column core sh execve)" ]
	grep -q "$(printf '\tsector [0-9]*\tpage 000[0-9]')" "$T/profile" # core, whose map was not given
	# nothing is lost
	[ "$(total faults)" = "$(counter hard)" ]
	[ "$(total soft)" = "$(counter soft)" ]
	[ "$(counter hard)" -gt 50 ]
	awake=$(($(counter cycles) - $(counter sleep_cycles)))
	[ "$(total cycles)" -le "$awake" ]
	[ $((1000 * $(total cycles))) -ge $((998 * awake)) ] # the rest is the entry of interrupts
	# most cycles first
	sed 1d "$T/profile" | cut -f 1 | sort -n -r -c
}

@test "--profile: octix sim adds the maps of what make has built" {
	cp build/m1284p/octix.img "$T/x.img"
	printf 'echo hi | wc\nhalt\n' >"$T/typed"
	timeout 100 scripts/octix sim --quiet --prompt '# ' --input "$T/typed" --profile "$T/profile" "$T/x.img" >"$T/printed"
	cut -f 8 "$T/profile" | sort -u | tr '\n' ' ' >"$T/programs"
	[ "$(cat "$T/programs")" = '- core init program sh ' ]
	! grep -q "$(printf '\tpage ')" "$T/profile"
	[ "$(column insns core fputc)" -gt 0 ]
}

@test "--profile: what is no kernel, no map, no file is said" {
	printf 'halt\n' >"$T/typed"
	cp build/m1284p/octix.img "$T/x.img"
	fails 2 'no kernel of Octix' "$sim/oxsim" --profile "$T/profile" build/tests/sim/m1284p/spin.elf
	fails 2 'none.map: cannot be opened' "$sim/oxsim" --profile "$T/profile" --map "$T/none.map" build/m1284p/kernel.elf
	fails 1 'not a map of oxpack' "$sim/oxsim" --profile "$T/profile" --map README.md build/m1284p/kernel.elf
	fails 2 'none/profile: cannot be written' boot --profile "$T/none/profile"
}
