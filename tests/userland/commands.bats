#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The small commands, under oxrun on the host.
bats_require_minimum_version 1.5.0
load userland

setup() {
	make_root
}

@test "hello" {
	run ox hello
	expect 0 'Hello from Octix!'
}

@test "true, false" {
	run ox true
	expect 0 ''
	run ox false
	expect 1 ''
}

@test "echo" {
	run ox echo a 'b  c' d
	expect 0 'a b  c d'
	[ "$(ox echo -n a; echo .)" = a. ]
	run ox echo
	expect 0 ''
}

@test "every command knows --help, and help lists it" {
	ox help >list
	for file in "$REPO"/userland/bin/*.c "$REPO"/userland/sbin/*.c; do
		name=$(basename "$file" .c)
		grep -q "^$name " list || { echo "help does not list $name"; return 1; }
		grep -q '^COMMAND(' "$file" || continue
		[ "$name" != echo ] || continue
		run ox "$name" --help
		[ "$status" = 0 ]
		[[ $output == "usage: $name "* ]] || { echo "$output"; return 1; }
	done
}

@test "help NAME" {
	run ox help rm
	expect 0 'usage: rm [-rf] FILE...
remove files, -r: folders too'
	run ox help nosuch
	expect 1 'help: nosuch: no such command'
}

@test "a wrong option gives the usage and 2" {
	for name in cat cp ls mv rm mkdir rmdir wc head; do
		run ox "$name" -Z x y
		[ "$status" = 2 ]
		[[ $output == "usage: $name "* ]]
	done
}

@test "cat" {
	echo one >a
	echo two >b
	run ox cat a b
	expect 0 'one
two'
	[ "$(echo in | ox cat a - b)" = 'one
in
two' ]
	[ "$(echo in | ox cat)" = in ]
	run ox cat a nofile b
	expect 1 'one
cat: nofile: no such file
two'
	run ox cat .
	[ "$status" = 1 ]
	seq 1 2000 >big
	ox cat big | cmp - big
}

@test "cp: files, into folders, folders" {
	echo text >a
	ox cp a b && cmp a b
	mkdir d
	ox cp a b d && cmp a d/a && cmp b d/b
	run ox cp a nofile d
	expect 1 'cp: nofile: no such file'
	run ox cp a a
	expect 1 'cp: a: is the same file'
	run ox cp d e
	expect 1 'cp: d: is a directory (use -r)'
	run ox cp a b c
	expect 1 'cp: c: not a directory'
	mkdir -p d/x/y
	seq 1 500 >d/x/y/numbers
	ox cp -r d e && diff -r d e
	ox cp -r d e && diff -r d e/d
	run ox cp -r d d/x
	expect 1 'cp: d/x/d: is inside the source'
	run ox cp a
	[ "$status" = 2 ]
}

@test "mv" {
	echo text >a
	ox mv a b
	[ ! -e a ] && [ "$(cat b)" = text ]
	mkdir d
	ox mv b d
	[ "$(cat d/b)" = text ]
	ox mv d e
	[ -f e/b ]
	run ox mv nofile x
	expect 1 'mv: nofile: no such file'
}

@test "rm" {
	touch a b
	ox rm a b
	[ ! -e a ] && [ ! -e b ]
	run ox rm a
	expect 1 'rm: a: no such file'
	run ox rm -f a
	expect 0 ''
	mkdir -p d/x/y/z
	for i in $(seq 1 60); do : >"d/x/a-long-file-name-$i"; done
	touch d/x/y/z/f
	run ox rm d
	expect 1 'rm: d: is a directory (use -r)'
	ox rm -r d
	[ ! -e d ]
	run ox rm -rf nofile
	expect 0 ''
	for path in / . .. d/..; do
		run ox rm -rf "$path"
		expect 1 "rm: $path: refused"
	done
}

@test "mkdir, rmdir" {
	ox mkdir a a/b
	[ -d a/b ]
	run ox mkdir a
	expect 1 'mkdir: a: exists'
	ox mkdir -p a/b/c/d a
	[ -d a/b/c/d ]
	run ox rmdir a
	expect 1 'rmdir: a: directory not empty'
	ox rmdir a/b/c/d a/b/c
	[ ! -e a/b/c ]
}

@test "chmod" {
	echo >f
	mkdir -p d
	while read -r before how after; do
		chmod "$before" f
		run ox chmod "$how" f d
		[ "$status" = 0 ] && [ "$(stat -c %a f)" = "$after" ] || { echo "$before $how: $(stat -c %a f)"; false; }
	done <<-END
		644 755 755
		644 0 0
		644 u+x 744
		644 +x 755
		666 go-w 644
		777 a=r 444
		640 o=,g+w,u-w 460
		755 u+s,g+s 6755
	END
	run ox chmod 8 f
	[ "$status" = 2 ]
	run ox chmod u+z f
	[ "$status" = 2 ]
	run ox chmod 644 none
	expect 1 'chmod: none: no such file'
}

@test "umask in the shell" {
	run oxsh 'umask 027; umask; echo >x; umask 8'
	[[ $output == 0027*'not an octal number'* ]]
	[ "$(stat -c %a x)" = 640 ]
}

@test "ls" {
	touch b a .hidden
	mkdir d
	echo 12345 >d/file
	touch -d '2026-02-28 13:05 UTC' d/file
	chmod 640 d/file
	run ox ls
	expect 0 'a
b
d'
	run ox ls -a
	[[ $output == *.hidden* ]]
	run ox ls -l d
	[[ $status = 0 && $output =~ ^-rw-r-----\ [0-9]+\ +[0-9]+\ +6\ 2026-02-28\ 13:05\ file$ ]]
	run ox ls d/file a d
	expect 0 'a
d/file
d:
file'
	run ox ls nofile
	expect 1 'ls: nofile: no such file'
	for i in $(seq -w 1 99); do : >"d/f$i"; done
	run ox ls d
	[ "$(ls d)" = "$output" ]
}

@test "wc" {
	printf 'a b\nc  d\te\nlast' >a
	run ox wc a
	expect 0 '      2      6     15 a'
	run ox wc -l a
	expect 0 '      2 a'
	[ "$(ox wc -w <a)" = 6 ]
	[ "$(ox wc -c <a)" = 15 ]
	run ox wc -c a a
	expect 0 '     15 a
     15 a
     30 total'
}

@test "head" {
	seq 1 1000 >a
	[ "$(ox head a)" = "$(head a)" ]
	[ "$(ox head -n 3 a)" = "$(head -n 3 a)" ]
	[ "$(ox head -n300 <a)" = "$(head -n 300 a)" ]
	[ "$(ox head -n 1 a a)" = "$(head -n 1 a a)" ]
	run ox head -n 0 a
	expect 0 ''
	run ox head -n x a
	[ "$status" = 2 ]
}

@test "nice, renice" {
	run oxsh 'nice; nice nice; nice -n 3 nice nice; nice -n7 nice -- nice'
	expect 0 $'0\n10\n13\n17'
	run oxsh 'renice -n 4 $$; nice; renice -n 3 -p $$; nice'
	expect 0 $'4\n7'
	run oxsh 'nice -n much nice'
	expect 1 'nice: much: not a number'
	run -127 oxsh 'nice -n 2 nothing-here'
	expect 127 'nice: nothing-here: no such file'
	run oxsh 'renice -n 1 me'
	expect 1 'renice: me: not a number of a process, group or user'
	run oxsh 'renice -n 1 -p 99999999'
	[ "$status" = 1 ]
	run oxsh 'renice 5 1'
	[ "$status" = 2 ]
}

@test "pwd, env" {
	[ "$(ox pwd)" = /w ]
	run oxsh 'env A=1 env | head -n 9'
	[[ $output == *A=1* ]]
}

@test "kill" {
	run ox kill -l
	[ "${#lines[@]}" = 31 ] && [ "${lines[29]}" = '30 USR1' ]
	run ox kill -NOSUCH 1
	expect 1 'kill: NOSUCH: no such signal'
	run ox kill x
	expect 1 'kill: x: not a process number'
	run oxsh 'sleep 5 & kill -9 $!; wait $!; echo $?'
	expect 0 'Killed
137'
	run oxsh 'sleep 5 & kill $!; wait $!; echo $?'
	expect 0 'Terminated
143'
}

@test "sleep" {
	run ox sleep 0.01
	expect 0 ''
	run ox sleep x
	expect 1 'sleep: x: not a number of seconds'
	run ox sleep
	[ "$status" = 2 ]
}

@test "ps, free, vmstat print what is in /proc" {
	run ox ps
	expect 1 'ps: /proc: no such file'
	mkdir -p "$ROOT/proc/7"
	printf '%-12s %10s\n' pid 7 ppid 1 pgid 6 state T ticks 123 resident 4 swapped 5 faults 89 write_backs 10 name 'a name' >"$ROOT/proc/7/stat"
	run ox ps
	expect 0 '  PID  PPID  PGID STATE     TIME   RES  SWAP FAULT WBACK NAME
    7     1     6 tty       1.23     4     5    89    10 a name'
	run ox free
	expect 1 'free: /proc/meminfo: no such file'
	printf '%-12s %10s\n' frame_size 512 frames 18 free 3 swap 100 swap_used 40 procs 9 clusters 1000 \
		clusters_free 4294967295 cluster_size 2048 dirty 6 >"$ROOT/proc/meminfo"
	run ox free
	expect 0 '          bytes      all     used     free
frames       512       18       15        3
swap         512      100       40       60
procs          -        9        1        8
card        2048     1000        ?        ?
dirty frames: 6'
	run ox vmstat
	expect 1 'vmstat: /proc/stat: no such file'
	printf '%-12s %10s\n' uptime_ms 61234 khz 20000 board m1284p version 0.9 faults 4000000000 vm 17 >"$ROOT/proc/stat"
	run ox vmstat
	[ "$status" = 0 ]
	[ "${lines[0]}" = 'Octix 0.9 on m1284p, 20000 kHz, up 61.234 s' ]
	[[ $output == *'4000000000  faults '*'        17  vm '* ]]
}

@test "cycles, mark" {
	run ox cycles echo hi
	[ "$status" = 0 ]
	[[ $output == hi*cycles ]]
	run ox cycles false
	[ "$status" = 1 ]
	run -127 ox cycles nosuch
	ox mark 0
	ox mark 255
	for wrong in 256 -1 x ''; do
		run ox mark "$wrong"
		[ "$status" = 2 ]
	done
}

@test "a write that fails is told" {
	run bash -c "'$OXRUN' --argv0 echo '$ROOT/bin/core' hi >/dev/full"
	expect 1 'echo: write: no space left'
	run bash -c "'$OXRUN' --argv0 wc '$ROOT/bin/core' /etc/passwd >/dev/full"
	[ "$status" = 1 ]
}

@test "a name that is no command" {
	run -127 "$OXRUN" --argv0 nosuch "$ROOT/bin/core"
	expect 127 'nosuch: no such command'
}

@test "init refuses to be started by hand" {
	run ox init
	expect 1 'init: only the kernel starts this'
}

@test "a new command is one file" {
	mkdir "$BATS_TEST_TMPDIR/tree" && cd "$BATS_TEST_TMPDIR/tree"
	cp -r "$REPO/userland" "$REPO/scripts" .
	cat >userland/bin/hail.c <<-'END'
		#include "command.h"
		#include <stdio.h>

		COMMAND(hail, "", "greet")
		{
			puts("hail");
			return OK;
		}
	END
	make -s -j2 -f userland/userland.mk HOSTBIN="$REPO/build/host/bin" userland
	ROOT=$PWD/build/userland/root
	run ox hail
	expect 0 hail
	ox help | grep -q '^hail  *greet'
}
