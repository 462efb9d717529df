#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The shell: scripts by table, and what a table cannot hold.
load userland

setup() {
	make_root
}

@test "sh: the scripts of shell.table" {
	sh "$BATS_TEST_DIRNAME/table.sh" "$BATS_TEST_DIRNAME/shell.table"
}

@test "sh: commands from a pipe, several lines each" {
	run ox sh <<-'END'
		for i in 1 2
		do
			echo line $i
		done
		if true
		then echo "two
		lines"
		fi
		echo a \
		b
		echo x |
		cat
		true &&
		echo and
		(echo sub
		echo shell)
		case b in
		a) echo wrong ;;
		b) echo right ;;
		esac
		exit 4
	END
	expect 4 'line 1
line 2
two
lines
a b
x
and
sub
shell
right'
}

@test "sh: what the shell has not read is left to its commands" {
	printf 'read a\nfor read\necho got $a\n' | ox sh >out
	[ "$(cat out)" = 'got for read' ]
}

@test "sh: a syntax error ends a script with 2, a missing command does not" {
	printf 'nosuch\necho on\nif\n' >s
	run ox sh s
	expect 2 'sh: nosuch: not found
on
sh: syntax error: unexpected end'
}

@test "sh: a program that is none" {
	printf 'OXE\032 but no more' >broken
	head -c 600 "$ROOT/bin/hello" >short
	: >empty
	for file in broken short empty; do
		run oxsh "./$file; echo \$?"
		[[ $output == "sh: ./$file: not executable: "*$'\n'126 ]] || { echo "$output"; return 1; }
	done
}

@test "sh: long lines and many words" {
	words=$(seq 1 150 | tr '\n' ' ')
	echo "for i in $words; do last=\$i; done; echo \$last; set -- $words; echo \$#" >script
	run ox sh script
	expect 0 '150
150'
}

@test "sh: a hundred loops leak no memory and no descriptors" {
	run oxsh 'n=; for a in 1 2 3 4 5 6 7 8 9 0; do for b in 1 2 3 4 5 6 7 8 9 0; do
	x=$(echo $a$b); { true; } > f; true | true; n=x; done; done; echo $n $x'
	expect 0 'x 00'
}

@test "sh: scripts do what this machine's sh does with them" {
	run sh "$BATS_TEST_DIRNAME/posix.sh" "$BATS_TEST_DIRNAME/posix.scripts"
	[ "$status" = 0 ] || { echo "$output"; false; }
}

@test "sh: a file of 38 KB, data below 4 KB" {
	size=$(riscv64-unknown-elf-size -A "$REPO/build/userland/elf/sh.elf" |
		awk '/^\.(rodata|data|bss|tbss)/ { n += $2 } END { print n }')
	[ "$size" -lt 4096 ]
	[ "$(wc -c <"$ROOT/bin/sh")" -lt 38912 ]
}
