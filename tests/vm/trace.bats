#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# What oxrun tells about a run: system calls, functions, references to pages; and pagesim, which simulates page replacement.
load ../helper
load helpers

setup() {
	cd "$TOP"
	bin=$ASAN/bin
	[ -x "$bin/oxrun" ] || bin=$HOSTBIN
}

# lru FRAMES: the faults of LRU on page names, one a line, computed in another way than pagesim does.
lru() {
	awk -v frames="$1" '{
		for (i = 1; i <= n && stack[i] != $1; i++) ;
		if (i > n) { faults++; if (n < frames) n++; i = n }
		for (; i > 1; i--) stack[i] = stack[i - 1]
		stack[1] = $1
	} END { print faults }'
}

@test "--trace syscall: names, arguments, results, errors" {
	mkdir -p "$T/etc"
	printf 'two\nlines\n' >"$T/etc/f"
	run "$bin/oxrun" --trace syscall --root "$T" --argv0 cat build/userland/root/bin/core /etc/f /etc/none
	echo "$output"
	[ "$status" = 1 ]
	[[ $output =~ 'open("/etc/f", O_RDONLY) = '[0-9] ]]
	[[ $output =~ 'read('[0-9]', "two\nlines\n", '[0-9]+') = 10' ]]
	[[ $output == *'write(1, "two\nlines\n", 10) = 10'* ]]
	[[ $output == *'open("/etc/none", O_RDONLY) = -1 ENOENT (No such file or directory)'* ]]
	[[ $output == *'_exit(1) = ?' ]]
}

@test "--trace syscall: children, pipes, lists of strings" {
	cp -r build/userland/root "$T/root"
	run "$bin/oxrun" --trace syscall --root "$T/root" build/userland/root/bin/sh -c 'echo one >/new; nosuch | echo hi there'
	echo "$output"
	[ "$status" = 0 ]
	[[ $output =~ 'pipe(['[0-9]', '[0-9]']) = 0' ]]
	[[ $output =~ 'open("/new", O_WRONLY|O_CREAT|O_TRUNC, 0666) = '[0-9] ]]
	[[ $output =~ '[pid '[0-9]+'] execve("/bin/echo", ["echo", "hi", "there"], '.*') = ?' ]]
	[[ $output =~ '[pid '[0-9]+'] <... execve is back> = -1 ENOENT' ]]
	[[ $output =~ '[pid '[0-9]+'] write(1, "hi there\n", 9) = 9' ]]
	[[ $output =~ waitpid\([0-9]+,\ \[0x7f00\],\ 0\)\ =\ [0-9]+ ]]
	fails 2 'insn or syscall' "$bin/oxrun" --trace everything build/userland/root/bin/hello
}

@test "--profile: the functions by their share; pages of code without a map" {
	printf 'int hot(int n)\n{\n\tint s = 0;\n\tfor (int i = 0; i < n; i++)\n\t\ts ^= i;\n\treturn s;\n}\n' >"$T/hot.c"
	printf 'int hot(int n);\nint main(void)\n{\n\treturn hot(5000) & 1;\n}\n' >"$T/main.c"
	scripts/octix cc --map="$T/p.map" -o "$T/p" "$T/hot.c" "$T/main.c"
	for map in "--map=$T/p.map" ''; do # the second time it must be found beside the program
		run "$bin/oxrun" ${map:+"$map"} --profile "$T/p"
		echo "$output"
		[[ ${lines[0]} =~ instructions\ +share\ +function ]]
		[[ ${lines[1]} =~ ^\ +[0-9]+\ +(9[5-9]|100)\.[0-9]\ %\ +hot$ ]]
		[[ $output == *'%  main'* ]]
	done
	total=$("$bin/oxrun" --stats "$T/p" 2>&1 | sed -n 's/ instructions,.*//p')
	[ "$(echo "$output" | awk '{ n += $1 } END { print n }')" = "$total" ]
	mv "$T/p.map" "$T/elsewhere.map"
	run "$bin/oxrun" --profile "$T/p"
	[[ ${lines[1]} == *'%  page 000'* ]]
}

@test "--pages: the reference string has the code pages in the order of the instructions" {
	"$bin/oxrun" --pages "$T/pages" --trace insn build/bench/printf.once 2>"$T/insns" >"$T/out"
	[ "$(head -n 1 "$T/pages")" = 'octix pages 1' ]
	sed -n 's/^\(....\):.. .*/\1/p' "$T/insns" >"$T/all"
	sed -n 's/^c//p' "$T/pages" >"$T/short"
	for frames in 2 3 4 6; do
		echo "# $frames frames: $(lru "$frames" <"$T/all") faults"
		[ "$(lru "$frames" <"$T/all")" = "$(lru "$frames" <"$T/short")" ]
	done
	[ "$(lru 2 <"$T/all")" -gt 100 ]
	# data of loads and stores, of system calls, and the arguments before anything else
	[ "$(sed -n 2p "$T/pages")" = dff ]
	fails 1 'No such file' "$bin/oxrun" --pages "$T/none/pages" build/bench/printf.once
}

@test "--pages: nothing is written to and fro, and the order of last use is kept" {
	{
		printf '.globl _start\n_start: j 1f\n1:\n'
		for address in 1000 1000 1100 1000 1100 1200; do
			printf 'li a1, 0x%s\n lbu a0, (a1)\n' "$address"
		done
		printf 'li t0, 0\n ecall\n'
	} | link_asm t
	"$bin/oxpack" -o "$work/t.oxe" "$work/t.elf"
	run "$bin/oxrun" --pages "$T/pages" "$work/t.oxe"
	[ "$(sed 1d "$T/pages" | tr '\n' ' ')" = 'dff c0 d10 c0 d11 c0 d10 c0 d11 c0 d12 ' ]
}

@test "pagesim: LRU, OPT and CLOCK on strings worked out by hand, and LRU on a program" {
	{ echo 'octix pages 1'; printf 'd%s\n' 2 4 6 8 2 4 a 2 4 6 8 a; } >"$T/belady"
	[ "$("$HOSTBIN/pagesim" 256 3 "$T/belady")" = '10 7 9' ]
	[ "$("$HOSTBIN/pagesim" 512 4 "$T/belady")" = '8 6 10' ]
	# a data page and a code page with one number are two; with 512 bytes two pages are one
	{ echo 'octix pages 1'; printf '%s\n' c0 d0 c1 d1 c0; } >"$T/kinds"
	[ "$("$HOSTBIN/pagesim" 256 8 "$T/kinds")" = '4 4 4' ]
	[ "$("$HOSTBIN/pagesim" 512 8 "$T/kinds")" = '2 2 2' ]
	# read-ahead: page 1 comes with page 0, 3 with 2, and 1 once more; there is no code to read ahead
	{ echo 'octix pages 1'; printf 'd%s\n' 0 1 2 3 0 1; } >"$T/turn"
	[ "$("$HOSTBIN/pagesim" --ahead d 256 3 "$T/turn")" = '6 3 3 3' ]
	[ "$("$HOSTBIN/pagesim" --ahead c 256 3 "$T/turn")" = '6 6 0 0' ]
	fails 2 usage "$HOSTBIN/pagesim" --ahead x 256 3 "$T/turn"
	"$bin/oxrun" --pages "$T/pages" build/bench/sortl.once >"$T/out"
	for frames in 4 6 9; do
		read -r lru opt clock <<<"$("$HOSTBIN/pagesim" 256 "$frames" "$T/pages")"
		[ "$lru" = "$(sed 1d "$T/pages" | lru "$frames")" ]
		[ "$opt" -le "$lru" ] && [ "$opt" -le "$clock" ]
	done
	fails 1 'not a reference string' "$HOSTBIN/pagesim" 512 8 "$T/out"
	fails 2 'usage: pagesim' "$HOSTBIN/pagesim" 500 8 "$T/pages"
}
