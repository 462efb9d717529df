#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The kernel's file system on the host (fstool, fsrandom, fsfuzz under the sanitizers) and the SD driver on the simulated
# boards. Images are made by mkfs.fat and mtools, and checked by fsck.fat.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
bin=$top/build/host-asan/test
export PATH=$PATH:/usr/sbin MTOOLS_SKIP_CHECK=1 TZ=UTC LC_ALL=C.UTF-8

setup_file() {
	make -s -C "$top" fs-tests build/host/bin/oxsim >&2
	head -c 100000 /dev/urandom >"$BATS_FILE_TMPDIR/random"
	head -c 4194304 /dev/zero | openssl enc -aes-128-ctr -K 00 -iv 00 2>/dev/null >"$BATS_FILE_TMPDIR/card.img"
	printf 'hello\n' >"$BATS_FILE_TMPDIR/hello"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	random=$BATS_FILE_TMPDIR/random
	hello=$BATS_FILE_TMPDIR/hello
	card=$BATS_FILE_TMPDIR/card.img
}

# format SIZE [options of mkfs.fat]: a.img
format() {
	rm -f a.img
	truncate -s "$1" a.img
	shift
	mkfs.fat "$@" a.img >/dev/null
}

# partition TYPE: puts a.img at sector 64 of b.img, with an MBR
partition() {
	{ dd if=/dev/zero bs=512 count=64; cat a.img; } >b.img 2>/dev/null
	sectors=$(($(stat -c %s a.img) / 512))
	printf "\\x00\\x00\\x00\\x00\\x$1\\x00\\x00\\x00\\x40\\x00\\x00\\x00$(printf '%08x' $sectors |
		sed 's/\(..\)\(..\)\(..\)\(..\)/\\x\4\\x\3\\x\2\\x\1/')" | dd of=b.img bs=1 seek=446 conv=notrunc 2>/dev/null
	printf '\x55\xaa' | dd of=b.img bs=1 seek=510 conv=notrunc 2>/dev/null
}

# fs IMAGE COMMAND...: what fstool answers
fs() {
	image=$1
	shift
	printf '%s\n' "$@" | "$bin/fstool" "$image"
}

# refused TEXT: the image a.img (or b.img) is not mounted, and says why
refused() {
	run fs "${2-a.img}" free
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *$1* ]]
}

clean() {
	fsck.fat -n "$1" >fsck.out || { cat fsck.out; return 1; }
}

# random SEEDS OPERATIONS: on fresh copies of a.img
random() {
	for seed in $1; do
		cp --sparse=always a.img r.img
		"$bin/fsrandom" r.img "$seed" "$2"
		clean r.img
	done
}

@test "a session: names, directories, contents as mtools sees them" {
	format 32M -F 16 -s 4
	mcopy -i a.img "$hello" '::A long file name, with things.text'
	mcopy -i a.img "$hello" ::short.txt
	[ "$(fs a.img 'cat|/a LONG file name, with things.TEXT' 'cat|SHORT.TXT' 'cat|ALONGF~1.TEX')" = "$(cat "$hello" "$hello" "$hello")" ]
	fs a.img 'mkdir|new' 'cd|new' "put|Größe € in einem langen Namen.bin|$random" 'mkdir|sub dir' 'append|sub dir/x|foo' \
		'append|sub dir/x|bar' 'mv|sub dir/x|/Other Name' 'rm|/short.txt' sync >out
	[ -z "$(grep -v '^0$' out)" ]
	clean a.img
	mcopy -n -i a.img '::new/Gr*' back
	cmp back "$random"
	[ "$(mtype -i a.img '::Other Name')" = foobar ]
	[ "$(fs a.img 'ls|/' | tail -n +3)" = "$(printf 'A long file name, with things.text 6\nnew/ 0\nOther Name 6')" ]
}

@test "errors are those of POSIX" {
	format 32M -F 16 -s 4
	run fs a.img 'mkdir|d' 'mkdir|d/e' 'append|f|x' 'cat|nothing' 'mkdir|d' 'rmdir|d' 'rm|d' 'rmdir|f' 'cat|f/x' 'mkdir|no/such' \
		'mv|d|d/e/x' 'mv|f|d' 'mv|d|f' 'append|bad?name|x' 'rmdir|d/.' 'rmdir|/' 'append|d/|x' 'mkdir|dot.' 'extent|d'
	echo "$output"
	[ "$(echo $output)" = "0 0 0 -2 -17 -90 -21 -20 -20 -2 -22 -21 -20 -22 -22 -16 -21 -22 -8" ]
}

# owned IMAGE ANSWER PATH...: user, group and mode of each path.
owned() {
	[ "$(fs "$1" "${@:3}" | tr '\n' ' ')" = "$2 " ] || { fs "$1" "${@:3}"; return 1; }
}

@test "owners and modes lie in creation times, and stay there" {
	for kind in '32M -F 16 -s 4' '64M -F 32 -s 1'; do
		# shellcheck disable=SC2086
		format $kind
		[ -z "$(fs a.img 'mkdir|home' 'chmod|home|1777' 'user|5:6' 'umask|27' "put|home/file|$hello" 'mkdir|home/d' 'user|0:0' \
			'append|home/A long name that is root.s|x' 'chmod|home/A long name that is root.s|4511' sync | grep -v '^0$')" ]
		owned a.img '0:0 1777 5:6 640 5:6 750 0:0 4511 0:0 755' 'own|home' 'own|home/file' 'own|home/d' \
			'own|home/A long name that is root.s' 'own|/'
		clean a.img
		[ -z "$(fs a.img 'mv|home/file|other' 'mv|home/d|moved' 'append|other|more' 'chown|moved|254:0' sync | grep -v '^0$')" ]
		owned a.img '5:6 640 254:0 750 0:0 1777 0 254:0 750 0:0 755' 'own|other' 'own|moved' 'own|moved/../home' 'cd|moved' 'own|.' 'own|..'
		clean a.img
		# what mtools does to the card changes no owner; what it makes has none, and is root's
		mmd -i a.img ::pc ::moved/sub
		mcopy -i a.img "$hello" ::pc/file
		mren -i a.img ::other ::renamed
		owned a.img '0:0 755 0:0 755 0:0 755 5:6 640 254:0 750' 'own|pc' 'own|pc/file' 'own|moved/sub' 'own|renamed' 'own|moved'
		mattrib -i a.img +r ::pc/file ::renamed
		owned a.img '0:0 555 5:6 440' 'own|pc/file' 'own|renamed'
		[ "$(fs a.img 'chmod|renamed|666' 'own|renamed')" = "$(printf '0\n5:6 666')" ]
		clean a.img
	done
}

@test "who may change owners and modes" {
	format 32M -F 16 -s 4
	fs a.img 'chmod|/|777' 'append|f|x' 'mkdir|d' 'user|5:6' 'chmod|f|777' 'chown|d|5:6' 'touch|f|0x3c210000' 'user|0:0' 'chown|f|5:6' 'user|5:6' \
		'chmod|f|6711' 'chown|f|5:6' 'chown|f|9:6' 'chown|f|5:9' 'user|5:7' 'chmod|f|6711' 'own|f' 'touch|f|0x3c210000' 'stat|f' 'chmod|none|1' >out
	cat out
	[ "$(cat out | tr '\n' ' ')" = "-1 0 0 -1 -1 -1 0 0 0 -1 -1 0 5:6 4711 0 104711 1 1262304000 -2 " ]
}

@test "a running program's file is not changed" {
	format 32M -F 16 -s 4
	fs a.img "put|p|$hello" sync
	run fs a.img 'busy|2' 'append|p|x' 'rm|p' "put|p|$hello" 'append|q|x' 'mv|q|p' 'mv|p|r' 'busy|0' 'rm|r'
	echo "$output"
	[ "$(echo $output)" = "-26 -26 -26 0 -26 0 0" ]
}

@test "a removed directory is no place to work in" {
	format 32M -F 16 -s 4
	run fs a.img 'mkdir|d' 'cd|d' 'rmdir|/d' 'append|x|y' 'ls|.' 'pwd' 'cd|..' 'cd|/' 'pwd'
	echo "$output"
	[ "$(echo $output)" = "0 0 0 -2 -2 ? -2 0 /" ]
}

# In both, every write of a call is refused in turn; the last call's are all made.

@test "a truncate whose write is refused: the file is as it was, or as it should be" {
	format 32M -F 16 -s 4
	[ "$(echo $(fs a.img "put|f|$random" sync))" = "0 0" ]
	for size in 0 600 97000; do
		head -c $size "$random" >short
		for n in 1 2 3 4; do # directory entry, FAT 2, FAT 1
			cp --sparse=always a.img r.img
			fs r.img "refuse|$n" "truncate|f|$size" 'refuse|0' sync >out
			[ "$(echo $(cat out))" = "$([ $n = 4 ] && echo 0 || echo -5) 0" ]
			clean r.img
			mcopy -n -o -i r.img ::f back
			cmp back "$([ $n = 1 ] && echo "$random" || echo short)"
		done
	done
}

# where NAME: whether it can be gone to, and up from there; the directory that leads to; what its file f holds.
where() {
	# shellcheck disable=SC2046
	echo $(fs r.img "cd|$1" 'cd|..' pwd "cat|/$1/f")
}

@test "a rename of a directory whose write is refused: it has one name, and its .. is that name's" {
	format 32M -F 16 -s 4
	[ -z "$(fs a.img 'mkdir|a' 'mkdir|b' 'mkdir|a/d' 'mkdir|b/there' 'append|a/d/f|text' sync | grep -v '^0$')" ]
	for to in b/there b/new; do
		moved=0
		for n in 1 2 3 4 5 6 7; do
			cp --sparse=always a.img r.img
			result=$(fs r.img "refuse|$n" "mv|a/d|$to" 'refuse|0' sync | head -n 1)
			echo "$to, write $n: $result"
			fsck.fat -n r.img >fsck.out || [ "$(grep -c . fsck.out)" = "$(grep -c 'fsck.fat 4\|Reclaimed 1 unused\|Leaving filesystem\|r.img: ' fsck.out)" ] ||
				{ cat fsck.out; return 1; }
			if [ "$(where "$to")" = '0 0 /b text' ]; then
				[ "$(where a/d)" = '-2 0 / -2' ]
				moved=$((moved + 1))
			else
				[ "$result" = -5 ]
				[ "$(where a/d)" = '0 0 /a text' ]
				[ "$(where "$to")" = "$([ $to = b/new ] && echo '-2 0 / -2' || echo '0 0 /b -2')" ]
			fi
		done
		[ "$result" = 0 ]
		[ $moved -gt 4 ] && [ $moved -lt 7 ]
	done
}

@test "forty names that begin alike" {
	format 32M -F 16 -s 1
	for i in $(seq 40); do echo "append|The same beginning $i|$i"; done >script
	"$bin/fstool" a.img <script >out
	[ -z "$(grep -v '^0$' out)" ]
	clean a.img
	[ "$(mdir -b -i a.img ::/ | wc -l)" = 40 ]
	[ "$(fs a.img 'cat|the same beginning 33')" = 33 ]
}

@test "full: ENOSPC, and room again after deleting" {
	format 4M -F 16 -s 1
	head -c 6000000 /dev/zero >big
	run fs a.img "put|big|$PWD/big" free 'rm|big' 'append|x|y' sync
	echo "$output"
	[ "$(echo $output)" = "-28 0 0 0 0" ]
	clean a.img
}

@test "contiguous or not" {
	format 32M -F 16 -s 4
	fs a.img "put|a|$random" "put|b|$hello" 'truncate|a|200000' sync
	[ "$(fs a.img 'extent|b')" -gt 0 ]
	[ "$(fs a.img 'extent|a')" = -8 ]
}

@test "with an MBR, without, odd reserved sectors, one FAT" {
	format 20M -F 16 -s 4 -R 37
	mcopy -i a.img "$hello" ::x
	for type in 01 04 06 0b 0c 0e; do
		partition $type
		[ "$(fs b.img 'cat|x')" = hello ]
	done
	format 40M -F 32 -s 1 -f 1
	mcopy -i a.img "$hello" ::x
	[ "$(fs a.img 'cat|x')" = hello ]
	format 40M -F 32 -s 1 -f 1
	random "1" 300
}

@test "every cluster size from 512 bytes to 32 KiB" {
	for spc in 1 2 4 8 16 32 64; do
		format $((5000 * spc / 2 + 200))K -F 16 -s $spc
		random "1" 300
	done
}

# sectors OFFSET BYTES N: sets the number of sectors in the boot sector, as many bytes little endian
sectors() {
	for i in $(seq 0 $(($2 - 1))); do
		printf "\\x$(printf '%02x' $(($3 >> (8 * i) & 255)))"
	done | dd of=a.img bs=1 seek="$1" conv=notrunc 2>/dev/null
}

@test "the type follows from the number of clusters" {
	format 3M -F 16 -s 1
	total=$((6144 - $(fs a.img free) + 4085))
	sectors 19 2 $((total - 1))
	refused FAT12
	sectors 19 2 $total
	[ "$(fs a.img free)" = 4085 ]
	format $((66048 * 512)) -F 16 -s 1
	total=$((66048 - $(fs a.img free) + 65524))
	truncate -s 33M a.img
	sectors 32 4 $total
	[ "$(fs a.img free)" = 65524 ]
	sectors 32 4 $((total + 1))
	refused "damaged"
	format 40M -F 32 -s 1
	total=$((40 * 2048 - $(fs a.img free) + 65524)) # one cluster holds the root
	sectors 32 4 $((total - 1))
	refused "too few clusters"
	sectors 32 4 $total
	[ "$(fs a.img free)" = 65524 ]
}

@test "what cannot be mounted is named" {
	truncate -s 4M a.img
	refused "no file system found"
	printf 'xxxEXFAT   ' | dd of=a.img conv=notrunc 2>/dev/null
	refused "exFAT found; reformat the card as FAT32"
	partition 07
	refused exFAT b.img
	printf 'xxxNTFS    ' | dd of=a.img conv=notrunc 2>/dev/null
	refused NTFS
	rm a.img
	truncate -s 4M a.img
	printf '\x53\xef' | dd of=a.img bs=1 seek=1080 conv=notrunc 2>/dev/null
	refused "ext found"
	partition 83
	refused "ext found" b.img
	partition ee
	refused GPT b.img
	format 64M -F 32 -S 4096
	refused "sectors other than 512"
	format 600M -F 16 -s 128
	refused "clusters over 32 KiB"
	format 32M -F 16
	truncate -s 20M a.img
	refused "larger than the card"
}

@test "random operations, FAT16" {
	format 4M -F 16 -s 1
	random "1 2 3" 3000
	format 32M -F 16 -s 4
	random "4 5 6" 3000
}

@test "random operations, FAT32" {
	format 40M -F 32 -s 1
	random "7 8 9" 2000
	format 300M -F 32 -s 8
	random "10 11" 2000
}

@test "damaged boot sectors, FATs and directories" {
	for options in "3M -F 16 -s 1" "20M -F 16 -s 4" "36M -F 32 -s 1"; do
		format $options
		mmd -i a.img ::d1 ::d1/d2 '::d1/d2/a long directory name'
		for n in a b c; do
			mcopy -i a.img "$random" "::$n.txt"
			mcopy -i a.img "$hello" "::d1/long name of file $n.text"
			mcopy -i a.img "$hello" "::d1/d2/long name of file $n.text"
		done
		timeout 120 "$bin/fsfuzz" a.img 1 500
	done
}

@test "capacity from CSD registers" {
	"$bin/sdcsd"
}

# sd BOARD [options of oxsim]: the driver's test firmware
sd() {
	board=$1
	shift
	run timeout 100 "$top/build/host/bin/oxsim" --quiet --board "$board" --card "$card" --max-seconds 60 "$@" \
		"$top/build/tests/fs/$board/sddriver.elf" </dev/null
	echo "$output"
}

has() {
	grep -qx "$1" <<<"${output//$'\r'/}" || { echo "missing: $1"; return 1; }
}

value() {
	sed -n "s/^$1=//p" <<<"$output"
}

@test "SD driver: SDHC, SDSC and version 1 cards on both boards" {
	for board in m1284p mega2560; do
		for kind in sdhc sdsc sdv1; do
			sd $board --sd $kind
			for line in init=0 read=0 write=0 first_same=1 second_same=1 half_same=1 half_zero=1 flush=0 wrong=0 refused=0 \
				divider=2; do
				has $line
			done
		done
	done
}

@test "SD driver: a block in less than 10,000 cycles" {
	sd m1284p
	[ "$(value read_cycles)" -lt 10000 ]
	[ "$(value write_cycles)" -lt 10000 ]
}

@test "SD driver: damaged transfers are repeated, slow wires get a slower bus" {
	for fault in flip=7 flip-write=5 write-crc=4 ignore-cmd0=3 crc-always=1 ncr=8; do
		sd m1284p --fault $fault
		has init=0
		has wrong=0
		has refused=0
	done
	sd m1284p --fault max-hz=3000000
	has wrong=0
	has refused=0
	has divider=8
}

@test "SD driver: cards that fail are reported in time" {
	sd m1284p --fault never-ready=1
	has init=3
	[ "$(value init_ms)" -lt 2500 ]
	sd m1284p --fault mute=60
	has wrong=0
	[ "$(value refused)" = 30 ]
	for fault in busy=5 no-token=4; do
		sd m1284p --fault $fault
		has wrong=0
		[ "$(value refused)" -gt 3 ]
		[ "$(value many_ms)" -lt 8000 ]
	done
	sd m1284p --fault read-error=9 # the second try is good
	has refused=0
	has wrong=0
	sd m1284p --fault read-error=1
	[ "$(value refused)" -gt 20 ]
	sd m1284p --fault write-error=4
	has refused=25
}

@test "SD driver: no card" {
	run timeout 60 "$top/build/host/bin/oxsim" --quiet --max-seconds 10 "$top/build/tests/fs/m1284p/sddriver.elf" </dev/null
	has init=1
	[[ $output == *"no SD card answers"* ]]
}
