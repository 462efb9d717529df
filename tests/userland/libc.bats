#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The C library: programs of c/ built by octix cc, with the native bytecodes and without, under oxrun.
bats_require_minimum_version 1.5.0
load userland

setup() {
	make_root
}

# build NAME OPTIONS: c/NAME.c to NAME.oxe
build() {
	"$CC" -std=gnu11 -Wall -Wextra -Werror -Wno-format-truncation -Wno-alloc-size-larger-than -I "$BATS_TEST_DIRNAME/c" "${@:2}" -o "$1.oxe" "$BATS_TEST_DIRNAME/c/$1.c"
}

start() { # FILE ARGUMENTS
	timeout 120 "$OXRUN" --strict --root "$ROOT" --env PATH=/bin:/sbin "$@"
}

@test "octix cc: usage, errors, compile only, ELF only" {
	run "$CC" --help
	[ "$status" = 0 ]
	run "$CC"
	[ "$status" = 2 ]
	run "$CC" -o x.oxe nofile.c
	[ "$status" != 0 ]
	echo 'int main(void) { return 7; }' >seven.c
	"$CC" -c -o seven.o seven.c
	"$CC" --elf=kept.elf -o seven.oxe seven.o
	run start seven.oxe
	expect 7 ''
	"$CC" -o seven.elf seven.c
	riscv64-unknown-elf-readelf -h seven.elf kept.elf >/dev/null
	"$CC" --stack=8192 -o eight.oxe seven.c
	run start eight.oxe
	expect 7 ''
	run "$CC" --stack=70000 -o big.oxe seven.c
	[ "$status" != 0 ]
}

@test "octix cc: the same bits twice, from another folder" {
	mkdir other
	cp "$BATS_TEST_DIRNAME/c/check.h" "$BATS_TEST_DIRNAME/c/strings.c" other/
	"$CC" -o one.oxe "$BATS_TEST_DIRNAME/c/strings.c"
	cd other && "$CC" -o two.oxe "$BATS_TEST_DIRNAME/c/strings.c"
	cmp two.oxe ../one.oxe
}

@test "constants of the kernel are those of the headers" {
	build constants
}

@test "string functions, native bytecodes" {
	build strings
	run start strings.oxe
	[ "$status" = 0 ] || { echo "$output" | tail -n 20; false; }
}

@test "string functions, without native bytecodes" {
	build strings --no-natives
	run start strings.oxe
	[ "$status" = 0 ] || { echo "$output" | tail -n 20; false; }
	! riscv64-unknown-elf-objdump -d "$REPO/build/libc/nonative/libc-octix.a" 2>/dev/null | grep -q '\.word\|\.insn'
}

@test "streams, and their flushing at exit" {
	build stdio
	run start stdio.oxe
	[ "$status" = 0 ] || { echo "$output" | tail -n 20; false; }
	[[ $output == *'dprintf 1'*'stream constant'* ]]
	[ "$(cat left)" = 'flushed by exit' ]
}

@test "heap" {
	build heap
	run start heap.oxe
	[ "$status" = 0 ] || { echo "$output" | tail -n 20; false; }
}

@test "octix cc --heap: with enough of it no system call, with less one for each step" {
	printf '#include <stdlib.h>\nint main(int c, char **v)\n{\n\tfor (int i = 0; i < 4; i++)\n\t\tif (!malloc(2000))\n\t\t\treturn 1;\n\treturn 0;\n}\n' >four.c
	for heap in '' '--heap 8200' --heap=8200; do
		"$CC" $heap -o four.oxe four.c
		run start --trace syscall four.oxe
		expect 0 '_exit(0) = ?'
	done
	"$REPO/build/host/bin/oxdump" four.oxe | grep -q 'heap 8200'
	for step in '6200 1' '2100 3'; do
		"$CC" --heap ${step% *} -o four.oxe four.c
		run start --trace syscall four.oxe
		[ "$(grep -c 'oct_brk([0-9]*) = 0' <<<"$output")" = "${step#* }" ] || { echo "$step: $output"; false; }
	done
	run "$CC" --heap lots four.c
	expect 2 'octix cc: --heap=lots: a number of bytes must stand there'
	run "$CC" -o four.oxe --heap
	expect 2 'octix cc: --heap needs a value'
}

@test "POSIX calls and the rest of the library" {
	build posix
	run start posix.oxe one 't w o'
	[ "$status" = 0 ] || { echo "$output" | tail -n 20; false; }
	[[ $output == *'atexit 2'$'\n''atexit 1' ]]
}

@test "division of doubles and floats is that of the host" {
	build divide
	gcc -o divide "$BATS_TEST_DIRNAME/c/divide.c"
	start divide.oxe >got
	./divide >expected
	cmp expected got
}

@test "printf and scanf of doubles and long longs, mathematics" {
	build float --float -lm
	gcc -fno-builtin -o float "$BATS_TEST_DIRNAME/c/float.c" -lm
	start float.oxe >got
	./float >expected
	diff expected got
}

@test "division of 64 bits is ours for printf, strtoll and time" {
	cat >times.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		#include <time.h>
		int main(int argc, char **argv)
		{
			time_t t = argc > 1 ? strtoll(argv[1], NULL, 10) : 0;
			struct tm *tm = gmtime(&t);

			printf("%lld %d-%02d-%02d\n", (long long)t * t, tm->tm_year + 1900, tm->tm_mon + 1, tm->tm_mday);
			return 0;
		}
	END
	build_times() { # OPTION... linked as times.oxe, what was linked in `linked`
		"$CC" --float "$@" -Wl,-Map=linked --elf=times.elf -o times.oxe times.c
	}
	build_times
	! grep -E 'libgcc\.a\(_(u?divdi3|u?moddi3|udivmoddi4|muldi3)\.o\)' linked
	run start --stats times.oxe 1767225600
	[[ $output == *'3123086321295360000 2026-01-01'*nudiv64* ]]
	build_times --no-natives
	grep -q 'libgcc\.a(_udivdi3\.o)' linked
	run start --stats times.oxe 1767225600
	[[ $output == *'3123086321295360000 2026-01-01'* && $output != *nudiv64* ]]
}

@test "hello is small and makes two system calls" {
	[ "$(wc -c <"$ROOT/bin/hello")" -le 3584 ]
	calls=$("$OXRUN" --trace insn "$ROOT/bin/hello" 2>&1 >/dev/null | grep -c ecall)
	[ "$calls" -le 3 ]
}
