#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# oxsmoke: matching, exit codes 0 to 5, reports; on a firmware that plays a shell.

load helper

setup_file() {
	load helper
	build_all
	make_card "$BATS_FILE_TMPDIR/card.img"
	[ -e "$fw/m1284p/shell.elf" ] || make -s -C "$top" build/tests/sim/m1284p/shell.elf build/tests/sim/mega2560/shell.elf >&2
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	card=$BATS_FILE_TMPDIR/card.img
}

# smoke FILE... : runs with the shell firmware.
smoke() {
	run "$bin/oxsmoke" --kernel "$fw/m1284p/shell.elf" "$@"
}

@test "0: everything a file can say" {
	cat >all.smoke <<-'EOT'
		# comment
		boot
		Octix fake for tests
		$ echo hello
		hello
		$ bare
		no newline
		$ trap
		looks like a prompt:
		= # but is none
		$ false
		? 1
		$ false
		? any
		$ seq
		one
		...
		four
		$ seq
		~ ^o.e$
		two
		~ ee
		...
		$ echo $ x
		= $ x
		$ loop
		busy
		= ^C
		key ^C
		? 130
		$ ask
		name? octopus
		hello octopus
		pause 100ms
		> octopus
		limit 500ms
		$ nothing
		nothing: not found
		? 127
		$ halt
		System halted.
		halts
	EOT
	before=$(sha256sum <"$card")
	smoke "$card" all.smoke
	[ "$status" = 0 ]
	[ "${lines[0]}" = "TAP version 13" ]
	[ "${lines[1]}" = "ok 1 - all.smoke:2: boot" ]
	[ "${lines[-1]}" = "1..14" ]
	[ "$before" = "$(sha256sum <"$card")" ]
	run "$bin/oxsmoke" --board mega2560 --kernel "$fw/mega2560/shell.elf" "$card" all.smoke
	[ "$status" = 0 ]
}

@test "0: without a file the machine is booted" {
	smoke "$card"
	[ "$status" = 0 ]
	[ "${lines[1]}" = "ok 1 - boot: boot" ]
}

@test "1: a wrong line, with a comparison; the rest still runs" {
	printf '$ seq\none\ntoo\nthree\nfour\n$ echo x\nx\n' >f.smoke
	smoke "$card" f.smoke
	[ "$status" = 1 ]
	[[ $output == *"not ok 2 - f.smoke:1: seq"* ]]
	[[ $output == *"#   one"*"# - too"*"# + two"*"#   three"* ]]
	[[ $output == *"ok 3 - f.smoke:6: echo x"* ]]
}

@test "1: output missing, output too much, wrong status, wrong boot text" {
	printf '$ echo a\n' >a.smoke
	printf '$ echo a\na\nb\n' >b.smoke
	printf '$ false\n' >c.smoke
	printf 'boot\nOctix real\n' >d.smoke
	for f in a b c d; do
		smoke "$card" $f.smoke
		[ "$status" = 1 ]
	done
}

@test "2: usage, bad files" {
	run "$bin/oxsmoke"
	[ "$status" = 2 ]
	smoke /nonexistent.img
	[ "$status" = 2 ]
	run "$bin/oxsmoke" --kernel /nonexistent.elf "$card"
	[ "$status" = 2 ]
	[[ $output == *"name one with --kernel"* ]]
	smoke "$card" /nonexistent.smoke
	[ "$status" = 2 ]
	printf 'x\n$ y\n~ (\n? z\nlimit x\nkey abc\n' >f.smoke
	smoke "$card" f.smoke
	[ "$status" = 2 ]
	for n in 1 3 4 6; do
		[[ $output == *"f.smoke:$n: "* ]]
	done
}

@test "3: crash" {
	printf '$ crash\n$ echo x\nx\n' >f.smoke
	smoke "$card" f.smoke
	[ "$status" = 3 ]
	[[ $output == *"bad opcode 0x0001"* ]]
	[[ $output == *"# not run"* ]]
}

@test "4: time-out" {
	printf 'limit 1s\n$ hang\n' >f.smoke
	smoke "$card" f.smoke
	[ "$status" = 4 ]
	[[ $output == *"not done after 1 simulated seconds"* ]]
	printf 'prompt %%\n' >g.smoke
	smoke --limit 1 "$card" g.smoke
	[ "$status" = 4 ]
}

@test "5: halted too early" {
	printf '$ halt\nSystem halted.\n$ echo x\nx\n' >f.smoke
	smoke "$card" f.smoke
	[ "$status" = 5 ]
	printf '$ halt\nSystem halted.\nhalts\n$ echo x\nx\n' >g.smoke
	smoke "$card" g.smoke
	[ "$status" = 5 ]
}

@test "-j: results stay in order; JUnit has them all" {
	printf 'limit 1s\n$ hang\n' >a.smoke
	printf '$ echo "<&>"\n<>\n' >b.smoke
	printf '$ echo c\nc\n' >c.smoke
	smoke -j 3 --junit out.xml "$card" a.smoke b.smoke c.smoke
	[ "$status" = 4 ]
	order=$(grep -o 'ok [0-9]* - .*: [eh].*' <<<"$output" | tr '\n' ';')
	[ "$order" = 'ok 2 - a.smoke:2: hang;ok 4 - b.smoke:1: echo "<&>";ok 7 - c.smoke:1: echo c;' ]
	[ "$(grep -o '<testsuite name="[a-z.]*" tests="[0-9]*" failures="[0-9]*"' out.xml | cut -d'"' -f2,6 | tr '\n' ' ')" = 'a.smoke"1 b.smoke"1 c.smoke"0 ' ]
	[ "$(grep -c '<testcase ' out.xml)" = "$(grep -c '^\(not \)*ok ' <<<"$output")" ]
	grep -qF 'name="b.smoke:1: echo &quot;&lt;&amp;&gt;&quot;"' out.xml
	grep -qF '+ &quot;&lt;&amp;&gt;&quot;' out.xml
	[ "$(tail -n 1 out.xml)" = "</testsuites>" ]
}

@test "steps can come from standard input" {
	run "$bin/oxsmoke" --kernel "$fw/m1284p/shell.elf" "$card" - <<<$'$ echo hi\nhi'
	[ "$status" = 0 ]
}
