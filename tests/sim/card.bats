#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The card: start-up, commands, rules that a strict card insists on, faults, image file, areas.

load helper

setup_file() {
	load helper
	build_all
	make_card "$BATS_FILE_TMPDIR/card.img"
}

setup() {
	card=$BATS_FILE_TMPDIR/card.img
}

# all commands; expected: ccs, CSD
basic() {
	sim "$1" sdbasic --sd "$2" --card "$card" </dev/null
	[ "$status" = 0 ]
	has failed=0
	has "ccs=$3"
	has "csd=$4"
	has crc_on=0
	has token=254
	has crc_ok=1
	has write=5
	has same=1
	has multi_crc_ok=3
	has stuff=127
	has stop=0
	has acmd23=0
	has multi_same=1
	has range=64
	has r2=0
	says "1 protocol errors, 0 CRC errors"
	says "beyond the end of the card"
}

@test "SDHC: start, registers, reads, writes; m1284p" { basic m1284p sdhc 1 400e00325b590000001f7f800a4000d5; }
@test "SDSC: start, registers, reads, writes; m1284p" { basic m1284p sdsc 0 000e00325b5983ffedd8ff800a40008d; }
@test "SDHC: mega2560" { basic mega2560 sdhc 1 400e00325b590000001f7f800a4000d5; }
@test "SDSC: mega2560" { basic mega2560 sdsc 0 000e00325b5983ffedd8ff800a40008d; }

@test "a card of version 1 does not know CMD8" {
	sim m1284p sdbasic --sd sdv1 --card "$card" </dev/null
	has failed=0
	has ccs=0
}

@test "latencies cost the time they say" {
	sim m1284p sdbasic --quiet --stats "$BATS_TEST_TMPDIR/a" --card "$card" </dev/null
	sim m1284p sdbasic --quiet --stats "$BATS_TEST_TMPDIR/b" --card "$card" --read-latency 1000 </dev/null
	sim m1284p sdbasic --quiet --stats "$BATS_TEST_TMPDIR/c" --card "$card" --write-latency 2000 </dev/null
	cycles() { sed -n 's/.*"cycles": \([0-9]*\),/\1/p' "$BATS_TEST_TMPDIR/$1"; }
	# six blocks are waited for; 3 writes and the stop token
	d=$(($(cycles b) - $(cycles a)))
	echo "read latency added $d"
	[ $d -gt 110000 ] && [ $d -lt 125000 ]
	d=$(($(cycles c) - $(cycles a)))
	echo "write latency added $d"
	[ $d -gt 155000 ] && [ $d -lt 165000 ]
}

@test "the card is ready at the ACMD41 asked for" {
	for n in 1 2 5; do
		sim m1284p sderror --acmd41 $n --card "$card" <<<r
		has failed=0
		says "card     $((7 + 2 * (n - 2) + 2)) commands"
	done
}

# error LETTER, a line of output, words of the summary
error() {
	sim m1284p sderror --card "$card" --write-latency 1000 <<<"$1"
	has "$2"
	says "$3"
}

@test "faster than 400 kHz before ready: no answer" { error f cmd0=255 "more than 400 kHz"; }
@test "no clocks before CMD0: no answer" { error n cmd0=255 "74 are needed"; }
@test "wrong CRC7 after CMD59" { error 7 r1=8 "CRC7 is 0x55"; }
@test "wrong CRC16 of data after CMD59" {
	error 6 response=11 "0 protocol errors, 1 CRC errors"
	has good=5
}
@test "ACMD41 takes HCS alone" { error a r1=5 "only HCS may be set"; }
@test "ACMD41 without HCS: SDHC is never ready, SDSC is" {
	error h ready=0 commands
	sim m1284p sderror --sd sdsc --card "$card" <<<h
	has ready=1
}
@test "chip select high ends a transaction" { error s after=255 "chip select high in the middle of a data block"; }
@test "reading before the card is ready" { error e r1=5 "CMD17 before the card was ready"; }
@test "a command while the card is busy" { error b r1=0 "CMD13 while the card was busy"; }
@test "an unknown command: illegal, and no protocol error" { error u r1=4 "0 protocol errors"; }

@test "no card in the slot" {
	sim m1284p sderror <<<n
	has cmd0=255
	says "none in the slot"
}

@test "SPI write collision is counted" {
	sim m1284p crash-collide --card "$card" </dev/null
	says "1 write collisions"
}

fault() {
	sim m1284p sderror --card "$card" --fault "$1" <<<"$2"
	has "$3"
}

@test "fault flip: a bit is wrong and the CRC shows it" {
	fault flip=2 r crc_ok=1
	has crc_ok2=0
}
@test "fault max-hz: errors only above that clock" {
	fault max-hz=5000000 r crc_ok=0
	fault max-hz=10000000 r crc_ok=1
}
@test "fault read-error and error-token" {
	fault read-error=2 r second=8
	has first=254
	sim m1284p sderror --card "$card" --fault read-error=1 --fault error-token=4 <<<r
	has first=4
}
@test "fault no-token: the block never comes" { fault no-token=1 r first=255; }
@test "fault bad-lba" { fault bad-lba=0 r first=8; }
@test "fault write-error" { fault write-error=2 w second=13; }
@test "fault write-crc" { fault write-crc=1 w first=11; }
@test "fault flip-write shows with CRC on" { fault flip-write=1 6 good=11; }
@test "fault busy: the next command is never answered" {
	sim m1284p sderror --card "$card" --fault busy=1 <<<w
	has first=5
	! has second=5
}
@test "fault ignore-cmd0" { fault ignore-cmd0=3 i tries=4; }
@test "fault never-ready" { fault never-ready=1 r failed=41; }
@test "fault mute" { fault mute=3 r failed=55; }
@test "fault crc-always" {
	sim m1284p sderror --card "$card" --fault crc-always=1 <<<w
	has first=5
}
@test "fault stuff" {
	sim m1284p sdbasic --card "$card" --fault stuff=0x3f </dev/null
	has stuff=63
}
@test "fault ncr" {
	sim m1284p sdbasic --card "$card" --fault ncr=8 </dev/null
	has failed=0
	has same=1
}
@test "fault cut: the sectors before it are stored, exit code 6" {
	cp "$card" "$BATS_TEST_TMPDIR/cut.img"
	sim m1284p sderror --rw --card "$BATS_TEST_TMPDIR/cut.img" --fault cut=1 <<<w
	[ "$status" = 6 ]
	! cmp -s -n 512 -i 4096 "$card" "$BATS_TEST_TMPDIR/cut.img"
	cmp -n 512 -i 4608 "$card" "$BATS_TEST_TMPDIR/cut.img"
}

@test "fault reset: the chip starts again, the card stays in the middle of a block" {
	sim m1284p sderror --card "$card" --fault reset=400 --prompt '?' <<<$'r\nr'
	has crc_ok2=1
	[ "$status" = 0 ]
	says "resets   1"
	says "0 protocol errors"
}

@test "the image file is not touched without --rw" {
	cp "$card" "$BATS_TEST_TMPDIR/x.img"
	chmod a-w "$BATS_TEST_TMPDIR/x.img"
	sim m1284p sdbasic --card "$BATS_TEST_TMPDIR/x.img" </dev/null
	has same=1
	cmp "$card" "$BATS_TEST_TMPDIR/x.img"
}

@test "--rw writes the image file, and only the blocks written" {
	cp "$card" "$BATS_TEST_TMPDIR/x.img"
	sim m1284p sdbasic --rw --card "$BATS_TEST_TMPDIR/x.img" </dev/null
	blocks=$(cmp -l "$card" "$BATS_TEST_TMPDIR/x.img" | awk '{ print int(($1 - 1) / 512) }' | sort -un | tr '\n' ' ')
	[ "$blocks" = "100 200 201 " ]
}

@test "an image in use, or of an odd size, is refused with --rw" {
	head -c 1000 "$card" >"$BATS_TEST_TMPDIR/odd.img"
	run "$bin/oxsim" --rw --card "$BATS_TEST_TMPDIR/odd.img" "$fw/m1284p/hello.elf"
	[ "$status" = 2 ]
	[[ $output == *"not a multiple of 512"* ]]
	cp "$card" "$BATS_TEST_TMPDIR/x.img"
	run flock "$BATS_TEST_TMPDIR/x.img" "$bin/oxsim" --rw --card "$BATS_TEST_TMPDIR/x.img" "$fw/m1284p/hello.elf"
	[ "$status" = 2 ]
	[[ $output == *"in use"* ]]
}

# A volume with a swap file and a directory, without or within an MBR partition; the sectors that sdbasic uses are put
# where the areas are: a volume with its data area at sector 100 and one cluster a sector.
volume() {
	local img=$1 start=$2 bits=$3 reserved=$4
	rm -f "$img"
	truncate -s 48M "$img"
	local kib=40000
	[ "$bits" = 32 ] || kib=16000
	mkfs.fat -F "$bits" -s 1 -R "$reserved" -r 16 --offset "$start" --invariant "$img" $kib >/dev/null 2>&1
	export MTOOLS_SKIP_CHECK=1
	head -c 2048 /dev/zero >"$BATS_TEST_TMPDIR/f"
	mcopy -i "$img@@$((start * 512))" "$BATS_TEST_TMPDIR/f" ::swap
	mmd -i "$img@@$((start * 512))" ::dir
	mcopy -i "$img@@$((start * 512))" "$BATS_TEST_TMPDIR/f" ::dir/file
	if [ "$start" != 0 ]; then
		partition "$start" | dd of="$img" bs=1 seek=446 conv=notrunc status=none
		printf '\125\252' | dd of="$img" bs=1 seek=510 conv=notrunc status=none
	fi
}

# The first entry of a partition table: type 0x0c, from sector $1.
partition() {
	printf '\0\0\0\0\014\0\0\0'
	printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))\\0\\0"
	printf '\200\070\001\0'
}

# area IMAGE LBA: the area of a block, learned by a write and a read of it.
area() {
	sim m1284p sdarea --quiet --stats "$BATS_TEST_TMPDIR/stats" --card "$1" <<<"$2" >/dev/null
	sed -n 's/.*"read": {"total": 1, //p' "$BATS_TEST_TMPDIR/stats" | tr -d '"}' | tr ',' '\n' |
		sed -n 's/^ *\([a-z]*\): 1$/\1/p'
}

areas() {
	local start=$1 bits=$2 fat root data
	volume "$BATS_TEST_TMPDIR/v.img" "$start" "$bits" 32
	fat=$((start + 32))
	root=$(mdir_root "$start" "$bits")
	data=$((root + 1))
	echo "fat $fat root $root"
	[ "$(area "$BATS_TEST_TMPDIR/v.img" "$start")" = other ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" $fat)" = fat ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" $((root - 1)))" = fat ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" "$root")" = dir ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" "$data")" = swap ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" $((data + 3)))" = swap ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" $((data + 4)))" = dir ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" $((data + 5)))" = file ]
	[ "$(area "$BATS_TEST_TMPDIR/v.img" $((data + 9000)))" = file ]
}

# Sector of the root directory: after both FATs.
mdir_root() {
	local boot fat_sectors
	boot=$(od -An -tu2 -j $(($1 * 512 + 22)) -N2 "$BATS_TEST_TMPDIR/v.img")
	fat_sectors=$boot
	[ "$2" = 16 ] || fat_sectors=$(od -An -tu4 -j $(($1 * 512 + 36)) -N4 "$BATS_TEST_TMPDIR/v.img")
	echo $(($1 + 32 + 2 * fat_sectors))
}

@test "areas: FAT16 in a partition" { areas 2048 16; }
@test "areas: FAT32 in a partition" { areas 2048 32; }
@test "areas: FAT32 without partition table" { areas 0 32; }

@test "areas: a broken file system gives no crash" {
	volume "$BATS_TEST_TMPDIR/v.img" 0 32 32
	for seed in 1 2 3 4 5 6 7 8; do
		cp "$BATS_TEST_TMPDIR/v.img" "$BATS_TEST_TMPDIR/w.img"
		root=$(mdir_root 0 32)
		# junk over FAT and directories, boot sector kept
		junk $seed | dd of="$BATS_TEST_TMPDIR/w.img" bs=512 seek=$((seed % 2 ? 32 : root)) conv=notrunc status=none
		sim m1284p sdarea --card "$BATS_TEST_TMPDIR/w.img" <<<1000
		[ "$status" = 0 ]
	done
}

@test "marks: cycle and blocks so far" {
	sim m1284p sdarea --marks "$BATS_TEST_TMPDIR/m" --card "$card" <<<77
	cat "$BATS_TEST_TMPDIR/m"
	[ "$(cut -f1,5,6 "$BATS_TEST_TMPDIR/m" | tr '\t\n' '  ')" = "mark read written 1 0 0 2 1 0 " ]
}
