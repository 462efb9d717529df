#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Programs that are none, damaged programs, and programs that do what they must not: a message names the file and the fault, the status is
# 126, 127 or 128 + signal, and all others go on.
# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables

load helper

# set_bytes FILE OFFSET BYTE...: overwrites bytes, given as two hexadecimal digits each.
set_bytes() {
	printf '%b' "$(printf '\\x%s' "${@:3}")" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# header NAME OFFSET BYTE...: a copy of a good program with other bytes in its header, whose CRC is right.
header() {
	cp "$PROGRAMS/worker" "$bad/$1"
	set_bytes "$bad/$1" "${@:2}"
	"$HOSTBIN/isolation" --seal "$bad/$1"
}

# alias_to NAME TARGET
alias_to() {
	header "$1" 26 01 00
	printf '%s\0' "$2" | dd of="$bad/$1" bs=1 seek=28 conv=notrunc status=none
	truncate -s 512 "$bad/$1"
	"$HOSTBIN/isolation" --seal "$bad/$1"
}

make_bad() {
	bad=$T/bad
	mkdir -p "$bad"
	for n in 0 1 511 512 1000 1024 3000; do head -c "$n" "$PROGRAMS/worker" >"$bad/cut$n"; done
	cp "$PROGRAMS/worker" "$bad/crc" && set_bytes "$bad/crc" 100 55
	echo 'some text' >"$bad/text"
	head -c 3000 /dev/urandom >"$bad/noise" && set_bytes "$bad/noise" 0 00
	cp "$TOP/build/tests/vm/alu.elf" "$bad/elf"
	header magic 0 50
	header format 4 02
	header bytecode 5 fe
	header abi 6 02
	header code 28 07                # no code section
	header beyond 36 ff ff           # bytes of the code section
	header sector 32 09 00           # code section elsewhere
	header stack 22 00 00
	header end 20 00 ff              # data reaches into the stack
	header type 26 05
	header entry 16 08 08 66
	alias_to nowhere /bin/not-there
	alias_to totext /etc/motd
	alias_to todir /etc
	alias_to toalias /root/nowhere
	header flipped 8 00
	set_bytes "$bad/flipped" 700 "$(printf %02x $((0x$(xxd -s 700 -l 1 -p "$PROGRAMS/worker") ^ 16)))"
}

# says NAME STATUS WORDS: the session in $output ran ./NAME, which ended so, with these words in its messages.
says() {
	local part
	part=$(sed -n "/^# \.\/$1; echo/,/^[0-9]* was $1\$/p" <<<"$output")
	if ! grep -qx "$2 was $1" <<<"$part" || ! grep -q "$1.*$3" <<<"$part"; then
		echo "$part"
		echo "--- wanted: $2, $3"
		return 1
	fi
}

run_all() { # NAME...
	for name in "${@#./}"; do echo "./$name; echo \$? was $name"; done
}

broken() { # BOARD
	make_bad
	on_card "$1" --mode 755 "$bad"/*
	board < <(
		cd "$bad" && run_all ./*
		run_all missing
		echo 'cd /; bin; echo $? folder'
		echo 'no-such-command; echo $? missing'
		echo 'echo still here; halt'
	)
	[ "$status" = 0 ]
	echo "$output"
	for n in 0 1 511; do says "cut$n" 126 'not an Octix program'; done
	for n in 512 1000 1024 3000; do says "cut$n" 126 'truncated'; done
	says crc 126 'header is damaged'
	says text 126 'not an Octix program'
	says noise 126 'not an Octix program'
	says elf 126 'not an Octix program'
	says magic 126 'not an Octix program'
	says format 126 'another version'
	says bytecode 126 'another version'
	says abi 126 'another version'
	says code 126 'without code'
	says beyond 126 'truncated'
	says sector 126 'truncated'
	says stack 126 'do not fit'
	says end 126 'do not fit'
	says type 126 'unknown kind'
	says entry 139 'jump outside its code'
	says flipped 138 'code is damaged on the card'
	says missing 127 'not found'
	has 'still here'
}

@test "broken programs on m1284p" {
	broken m1284p
}

@test "broken programs on mega2560" {
	broken mega2560
}

@test "aliases of nothing, of a text, of a folder, of an alias" {
	make_bad
	on_card m1284p "$bad"/{nowhere,totext,todir,toalias}
	board < <(run_all nowhere totext todir toalias; echo halt)
	[ "$status" = 0 ]
	echo "$output"
	has '/bin/not-there: not there, but an alias names it'
	says nowhere 127 'not found'
	has '/etc/motd: an alias names it, but nobody may execute it'
	grep -qx '126 was totext' <<<"$output"
	grep -qx '126 was todir' <<<"$output"
	has '/root/nowhere: an alias of an alias'
	grep -qx '126 was toalias' <<<"$output"
}

@test "a program in pieces" {
	head -c 4096 "$PROGRAMS/worker" >"$T/one"
	tail -c +4097 "$PROGRAMS/worker" >"$T/two"
	on_card m1284p "$T/one" "$T/two"
	board <<-'END'
		cat one >whole; cat two >>whole; chmod +x whole; ./whole x 1; echo $? was whole
		cat one >pieces; cat one >gap; cat two >>pieces; chmod +x pieces
		./pieces; echo $? was pieces
		halt
	END
	[ "$status" = 0 ]
	has '0 was whole'
	says pieces 126 'not contiguous'
}

faulty() { # BOARD
	local faults=(null rodata jump jump0 stack ebreak)
	for name in "${faults[@]}"; do cp "$TOP/build/tests/vm/fault-$name.oxe" "$T/$name"; done
	on_card "$1" "$PROGRAMS/worker" "${faults[@]/#/$T/}"
	board < <(
		echo './worker w 40 >/tmp/w &'
		run_all "${faults[@]}"
		echo 'wait; cat /tmp/w; halt'
	)
	[ "$status" = 0 ]
	echo "$output"
	says null 139 'NULL pointer'
	says rodata 139 'read-only data'
	says jump 139 'jump outside its code'
	says jump0 132 'illegal instruction'
	says stack 139 'stack overflow'
	says ebreak 133 'breakpoint'
	has "$("$HOSTBIN/oxrun" "$PROGRAMS/worker" w 40 | tail -n 1)"
}

@test "faults kill the one that makes them, on m1284p" {
	faulty m1284p
}

@test "faults kill the one that makes them, on mega2560" {
	faulty mega2560
}
