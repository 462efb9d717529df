#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Cards that Octix cannot start from: a message says what was found and what to do, and the machine halts. Cards that it can: a session
# gives the same output on each, with slow and faulty ones too.
# shellcheck disable=SC2030,SC2031,SC2154 # each test is a subshell; the helper sets the variables

load helper

# refused WORDS [OPTION...]: booting $card halts after a message with these words; no $card: an empty slot.
refused() {
	local b output
	for b in m1284p mega2560; do
		output=$(timeout 60 "$HOSTBIN/oxsim" --board "$b" ${card:+--card "$card"} --max-seconds 20 --quiet "${@:2}" \
			"$TOP/build/$b/kernel.elf" 2>&1 | tr -d '\r') || { echo "$output"; return 1; }
		has "$1"
		has 'press reset'
	done
}

# image OPTION...: $card is a new image of the real programs.
image() {
	card=$T/card.img
	rm -f "$card"
	OCTIX_BIN=$HOSTBIN "$TOP/image/build" --root "$TOP/build/userland/root" --root "$TOP/distro/root" "$@" "$card" >/dev/null
}

# formatted SIZE OPTION...: $card is a blank file system.
formatted() {
	card=$T/blank.img
	rm -f "$card"
	truncate -s "$1" "$card"
	mkfs.fat --invariant "${@:2}" "$card" >/dev/null
}

# sector OFFSET TEXT: writes into the first bytes of $card.
sector() {
	printf '%b' "$2" | dd of="$card" bs=1 seek="$1" conv=notrunc status=none
}

# blank [MBR-TYPE]: an empty card, with one partition of that type (two hexadecimal digits).
blank() {
	card=$T/blank.img
	rm -f "$card"
	truncate -s 64M "$card"
	[ $# = 0 ] && return
	sector 446 "\\x00\\x00\\x00\\x00\\x$1\\x00\\x00\\x00\\x00\\x08\\x00\\x00\\x00\\xf0\\x01\\x00"
	sector 510 '\x55\xaa'
}

@test "no card, and cards that do not answer" {
	card=
	refused 'no SD card answers'
	image
	refused 'does not become ready' --fault never-ready=1
	refused 'no SD card answers' --fault ignore-cmd0=100000
	refused 'the card cannot be read' --fault bad-lba=0
}

@test "cards without a file system, or with a foreign one" {
	blank
	refused 'no file system found'
	blank 83
	refused 'no file system found'
	sector $((2048 * 512 + 1024 + 56)) '\x53\xef'
	refused 'ext found'
	blank ee
	refused 'GPT found'
	blank 07
	sector $((2048 * 512)) '\xeb\x76\x90EXFAT   '
	refused 'exFAT found'
	sector $((2048 * 512)) '\xeb\x52\x90NTFS    '
	refused 'NTFS found'
	blank
	sector 0 '\xeb\x76\x90EXFAT   '
	refused 'exFAT found'
}

@test "a card formatted as ext4" {
	command -v mkfs.ext4 >/dev/null || skip "no mkfs.ext4"
	blank
	mkfs.ext4 -q -F "$card"
	refused 'ext found'
}

@test "FAT that Octix does not take" {
	formatted 2M -F 12
	refused 'FAT12 found'
	formatted 512M -F 16 -s 128
	refused 'clusters over 32 KiB'
	formatted 64M -F 16 -S 4096
	refused 'sectors other than 512'
	image
	truncate -s 32M "$card"
	refused 'larger than the card'
}

@test "swap missing, too small, in pieces; init missing or broken" {
	formatted 64M -F 16
	refused '/swap: missing'
	head -c 60000 /dev/zero >"$T/swap"
	mcopy -i "$card" "$T/swap" ::swap
	refused '/swap: too small'
	formatted 64M -F 16
	mcopy -i "$card" "$T/swap" ::one
	mcopy -i "$card" "$T/swap" ::two
	mdel -i "$card" ::one
	head -c 3000000 /dev/zero >"$T/swap"
	mcopy -i "$card" "$T/swap" ::swap
	refused '/swap: in pieces'
	image --no-mbr
	mdel -i "$card" ::sbin/init
	refused '/sbin/init: cannot be started'
	mcopy -i "$card" "$TOP/distro/root/etc/motd" ::sbin/init
	refused '/sbin/init: not an Octix program'
}

# session OPTION...: a session on $card must print what it prints on the board's own image, and leave a clean file system.
session() {
	"$OCTIX" image put "$card" "$PROGRAMS/bigdata" /root/ >/dev/null
	board --rw --max-seconds 900 "$@" <<-'END'
		cat /etc/motd
		mkdir /tmp/d; cp /bin/sh /tmp/d/shell; ls /tmp/d
		/tmp/d/shell -c 'echo copied and run'
		./bigdata 10
		for i in 1 2 3 4 5; do echo line $i >>/tmp/d/lines; done; cat /tmp/d/lines | wc
		mv /tmp/d/lines /tmp/e; rm -r /tmp/d; cat /tmp/e; rm /tmp/e
		halt
	END
	cat "$T/summary"
	[ "$status" = 0 ]
	diff <(session_expected) <(tail -n +3 <<<"$output")
	"$OCTIX" image check "$card"
}

session_expected() {
	cat "$TOP/distro/root/etc/motd"
	cat <<-END
		# cat /etc/motd
		$(cat "$TOP/distro/root/etc/motd")
		# mkdir /tmp/d; cp /bin/sh /tmp/d/shell; ls /tmp/d
		shell
		# /tmp/d/shell -c 'echo copied and run'
		copied and run
		# ./bigdata 10
		$("$HOSTBIN/oxrun" "$PROGRAMS/bigdata" 10)
		# for i in 1 2 3 4 5; do echo line \$i >>/tmp/d/lines; done; cat /tmp/d/lines | wc
		      5     10     35
		# mv /tmp/d/lines /tmp/e; rm -r /tmp/d; cat /tmp/e; rm /tmp/e
		line 1
		line 2
		line 3
		line 4
		line 5
		# halt
		System halted.
	END
}

@test "FAT16 and FAT32, with and without partition table; SDHC, SDSC, version 1" {
	board=m1284p
	image --fat 16
	session --sd sdsc
	image --fat 16 --no-mbr
	session --sd sdv1
	image --fat 32 --size 128M
	session --sd sdhc
	board=mega2560
	image --fat 32 --size 128M --no-mbr
	session --sd sdsc
	image --fat 16 --no-mbr --cluster 32768 --size 512M
	session --sd sdhc
}

@test "slow cards, and cards that become ready late" {
	board=m1284p
	image
	session --read-latency 500 --write-latency 3000
	board=mega2560
	image
	session --acmd41 200 --read-latency 90 --write-latency 200
}

@test "bits that flip on the wires" {
	board=m1284p
	image
	session --fault flip=40 --fault flip-write=30
	board=mega2560
	image
	session --fault flip=25
	image
	session --fault max-hz=3000000
}

@test "errors of the card now and then" {
	board=m1284p
	image
	session --fault read-error=50
	image
	session --fault write-crc=20 --fault ncr=8
}

# dies WORDS OPTION...: in a session on a card that fails there are these words, and the machine goes on or halts.
dies() {
	local code=0
	output=$(printf '%s\n' 'cat /etc/motd' ls hello 'echo text >/tmp/x' sync ps halt | timeout 100 "$HOSTBIN/oxsim" --board "$board" \
		--card "$card" --prompt '# ' --max-seconds 60 --quiet "${@:2}" "$TOP/build/$board/kernel.elf" 2>&1 | tr -d '\r') || code=$?
	echo "exit code $code"
	[ "$code" = 0 ] || [ "$code" = 4 ] # nobody can type `halt` on a dead card
	has "$1"
}

@test "cards that die in a session" {
	for board in m1284p mega2560; do
		image
		dies 'the card cannot be read: check it and its wires' --fault mute=150
		dies 'the card cannot be read: check it and its wires' --fault busy=1
		dies 'the card cannot be read: check it and its wires' --fault no-token=90
	done
	board=m1284p image
	board=m1284p dies 'sh: /tmp/x: I/O error' --fault write-error=1
	board=mega2560 image
	board=mega2560 dies 'memory is full, and the card cannot be written' --fault write-error=1 # the shell needs /swap
}

# shared OPTION...: a program that pages beside one that computes: reads are left while the other runs. The same output on any card;
# programs are killed, end and fault while blocks are on their way.
shared() {
	on_card "$board" "$PROGRAMS/bigdata" "$PROGRAMS/busy"
	board --max-seconds 200 "$@" <<-'END'
		./busy & b=$!
		./bigdata 12; echo done $?
		./bigdata 10 >/tmp/1 & ./bigdata 10 >/tmp/2; wait $!; cat /tmp/1 /tmp/2
		./bigdata 40 >/tmp/3 & sleep 1; kill $!; wait $!; echo killed $?
		kill -9 $b; wait $b; echo killed $?
		./bigdata 12; echo done $?
		halt
	END
	[ "$status" = 0 ]
	[ "$(grep -cF "$("$HOSTBIN/oxrun" "$PROGRAMS/bigdata" 12 | tail -n 1)" <<<"$output")" -ge 2 ]
	[ "$(grep -cF "$("$HOSTBIN/oxrun" "$PROGRAMS/bigdata" 10 | tail -n 1)" <<<"$output")" -ge 2 ]
	[ "$(grep -c '^done 0' <<<"$output")" = 2 ]
	has 'killed 143'
	has 'killed 137'
}

@test "reads that are left for other programs: slow cards, damaged blocks, error tokens, late answers" {
	board=m1284p
	shared --read-latency 1500 --write-latency 2500
	shared --read-latency 700 --write-latency 700 --fault flip=30 --fault flip-write=40
	shared --read-latency 1000 --fault read-error=40
	shared --read-latency 20000
	board=mega2560
	shared --read-latency 300 --write-latency 700 --fault read-error=50
}

@test "cards that die while a read is left" {
	for board in m1284p mega2560; do
		on_card "$board" "$PROGRAMS/bigdata" "$PROGRAMS/busy"
		for fault in mute=400 no-token=300 busy=20; do
			output=$(printf '%s\n' './busy &' './bigdata 30' ls halt | timeout 100 "$HOSTBIN/oxsim" --board "$board" --card "$card" \
				--prompt '# ' --max-seconds 60 --quiet --read-latency 1000 --write-latency 1000 --fault "$fault" \
				"$TOP/build/$board/kernel.elf" 2>&1 | tr -d '\r') || [ $? = 4 ]
			echo "$board $fault: $output"
			has 'the card cannot be read: check it and its wires'
		done
	done
}
