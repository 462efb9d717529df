#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Looking into images and changing them.

load ../helper

setup_file() {
	export OCTIX_BIN=$ASAN/bin SOURCE_DATE_EPOCH=1767225600
	make_tree "$BATS_FILE_TMPDIR/root"
	for kind in "16" "16 --no-mbr" "32" "32 --no-mbr"; do
		# shellcheck disable=SC2086
		"$OCTIX" image build --root "$BATS_FILE_TMPDIR/root" --fat $kind "$BATS_FILE_TMPDIR/fat${kind// /}.img"
	done
}

setup() {
	IMG=$T/octix.img
	take 16
}

# take KIND: a fresh copy of one of the images.
take() {
	for suffix in '' .sha256 .manifest.json; do
		cp --sparse=always "$BATS_FILE_TMPDIR/fat$1.img$suffix" "$IMG$suffix"
	done
	sed -i "s/fat$1.img/octix.img/" "$IMG.sha256"
}

image() {
	"$OCTIX" image "$@"
}

# unchanged WORDS COMMAND...: it must fail, and the image and the files beside it must stay as they are.
unchanged() {
	local words=$1
	shift
	fails 1 "$words" image "$@"
	cmp "$IMG" "$BATS_FILE_TMPDIR/fat16.img"
	cmp "$IMG.manifest.json" "$BATS_FILE_TMPDIR/fat16.img.manifest.json"
	[ -e "$IMG.sha256" ]
	[ -z "$(find "$T" -name '*.octix-tmp')" ]
}

# unchanged_now: the same against the image as it stands now.
unchanged_now() {
	local before words=$1
	before=$(sum "$IMG")
	shift
	fails 1 "$words" image "$@"
	[ "$(sum "$IMG")" = "$before" ]
}

@test "put, get, ls, cat and rm on FAT16 and FAT32, with and without MBR" {
	for kind in 16 16--no-mbr 32 32--no-mbr; do
		take "$kind"
		seq 1 20000 >"$T/numbers"
		make_program "$T/prog" 12345
		image put "$IMG" "$T/numbers" "$T/prog" /home
		image put "$IMG" "$T/prog" "/home/Another program with a long name"
		image get "$IMG" /home/numbers "$T/back"
		cmp "$T/numbers" "$T/back"
		image cat "$IMG" "/home/another program with a LONG name" | cmp - "$T/prog"
		[ "$(image ls "$IMG" /home)" = "numbers
prog
Another program with a long name" ]
		image check "$IMG"
		image mkdir -p "$IMG" /a/b/c
		image put "$IMG" "$T/numbers" /a/b/c/
		fails 1 'not empty' image rm "$IMG" /a
		image rm -r "$IMG" /a
		image rm "$IMG" /home/numbers /home/prog "/home/Another program with a long name"
		[ -z "$(image ls "$IMG" /home)" ]
		image check "$IMG"
	done
}

@test "owners and modes: of a new image, of put and mkdir" {
	for kind in 16 32; do
		take "$kind"
		make_program "$T/prog" 1234
		echo text >"$T/text"
		[ "$(image ls -l "$IMG" / | sed -n 's/^\(.*\)   *[0-9]* 2026.* \(root\|tmp\|home\|swap\)/\1 \2/p' | tr -s ' ')" = "$(printf \
			'%s\n' '-rw------- 0 0 swap' 'drwx------ 0 0 root/' 'drwxr-xr-x 0 0 home/' 'drwxrwxrwt 0 0 tmp/')" ]
		image put "$IMG" "$T/prog" "$T/text" /home
		image put --mode 4750 --owner 12:34 "$IMG" "$T/prog" /home/own
		image put --owner 254 "$IMG" "$T/text" /home/mine
		image mkdir -p --mode 1700 --owner 7 "$IMG" /home/a/b
		image put "$IMG" "$T/text" /home/own # keeps both
		[ "$(image ls -lR "$IMG" /home | sed 's/ *[0-9]* 20..-..-.. ..:.. / /' | tr -s ' ')" = "$(printf '%s\n' '-rwxr-xr-x 0 0 prog' \
			'-rw-r--r-- 0 0 text' '-rwsr-x--- 12 34 own' '-rw-r--r-- 254 254 mine' 'drwx-----T 7 7 a/' 'drwx-----T 7 7 a/b/')" ]
		image check "$IMG"
		fails 2 'octal number' image put --mode 8 "$IMG" "$T/text" /home
		fails 2 'octal number' image put --mode 17777 "$IMG" "$T/text" /home
		fails 2 'from 0 to 254' image put --owner 255 "$IMG" "$T/text" /home
		fails 2 'USER or USER:GROUP' image put --owner 1: "$IMG" "$T/text" /home
		fails 2 'no meaning' image rm --mode 1 "$IMG" /home/text
	done
}

@test "after put and rm everything is as free as before" {
	free=$(image info "$IMG" | grep free)
	image put "$IMG" "$BATS_FILE_TMPDIR/root/usr/share/doc/numbers" /home/x
	[ "$(image info "$IMG" | grep free)" != "$free" ]
	image rm "$IMG" /home/x
	[ "$(image info "$IMG" | grep free)" = "$free" ]
}

@test "mtools and fsck.fat agree with what put wrote" {
	seq 1 3000 >"$T/n"
	for name in lower UPPER Mixed.txt lower.TXT UPPER.txt '.hidden' 'two.dots.tar.gz' 'with blank' 'exactly8.abc' 'ümlaut' '~tilde' \
		'a+b,c;d=e[f]' 'thirteenchars' 'twentysixcharactersinaname'; do
		image put "$IMG" "$T/n" "/home/$name"
	done
	mkdir "$T/out"
	mcopy -i "$IMG@@1M" '::/home/*' "$T/out/"
	[ "$(find "$T/out" -type f | wc -l)" = 14 ]
	for f in "$T/out"/*; do cmp "$f" "$T/n"; done
	[ -f "$T/out/Mixed.txt" ] && [ -f "$T/out/lower.TXT" ] && [ -f "$T/out/UPPER" ] && [ -f "$T/out/two.dots.tar.gz" ]
}

@test "a folder grows over many files, and shrinks" {
	for i in $(seq 1 300); do echo "$i" >"$T/a rather long file name $i"; done
	image put "$IMG" "$T"/a* /tmp
	[ "$(image ls "$IMG" /tmp | wc -l)" = 300 ]
	[ "$(image cat "$IMG" '/tmp/a rather long file name 217')" = 217 ]
	image check "$IMG"
	image rm -r "$IMG" /tmp
	image check "$IMG"
}

@test "the root folder of FAT16 has an end, and says so" {
	for i in $(seq 1 200); do : >"$T/a rather long file name $i"; done
	unchanged 'no space' put "$IMG" "$T"/a* /
}

@test "put replaces a file of the same name, and renews the files beside the image" {
	echo new >"$T/motd"
	image put "$IMG" "$T/motd" /etc/motd
	[ "$(image cat "$IMG" /etc/motd)" = new ]
	(cd "$T" && sha256sum --check --status octix.img.sha256)
	grep -q '"tools": ' "$IMG.manifest.json"
	rm "$IMG.sha256" "$IMG.manifest.json"
	image put "$IMG" "$T/motd" /etc/motd
	[ ! -e "$IMG.sha256" ]
}

@test "failing changes leave the image untouched" {
	echo x >"$T/x"
	truncate -s 60M "$T/large"
	unchanged 'No such file' put "$IMG" "$T/none" /home/x
	unchanged 'no space' put "$IMG" "$T/large" /home/large
	unchanged 'no directory' put "$IMG" "$T/x" /none/x
	unchanged 'no directory' put "$IMG" "$T/x" "$T/large" /none
	unchanged "'motd' exists, and FAT does not tell it from 'MOTD'" put "$IMG" "$T/x" /etc/MOTD
	unchanged 'belongs to the kernel' put "$IMG" "$T/x" /swap
	unchanged 'belongs to the kernel' rm "$IMG" /swap
	unchanged 'is a file' mkdir -p "$IMG" /etc/motd/x
	unchanged 'exists' mkdir "$IMG" /etc
	unchanged 'no such file' rm "$IMG" /none
	unchanged 'device on PCs' put "$IMG" "$T/x" /home/aux
	unchanged 'device on PCs' put "$IMG" "$T/x" /home/com1.txt
	unchanged "allows no '?'" put "$IMG" "$T/x" '/home/a?b'
	unchanged "end in a dot" put "$IMG" "$T/x" '/home/a.'
	unchanged 'not a file name' put "$IMG" "$T/x" /home/..
	unchanged 'root directory stays' rm -r "$IMG" /
	unchanged 'not a regular file' put "$IMG" "$T" /home/x
	unchanged 'too long' put "$IMG" "$T/x" "/home/$(head -c 300 /dev/zero | tr '\0' n)"
}

@test "usage errors end with 2" {
	fails 2 'subcommand is missing' "$OCTIX_BIN/oximage"
	fails 2 'unknown subcommand' image frobnicate
	fails 2 'too few' image put "$IMG" /x
	fails 2 'wrong option' image rm -z "$IMG" /x
	fails 2 'too many' image info "$IMG" "$IMG"
	for sub in info ls cat get put rm mkdir check write build; do
		image "$sub" --help | grep -q '^usage: octix image'
	done
}

# fill: leaves free pieces of 1 MiB, and a small one at the end.
fill() {
	for i in $(seq 1 57); do head -c 1M /dev/zero >"$T/fill$i"; done
	image put "$IMG" "$T"/fill* /tmp
	seq -f /tmp/fill%g 2 2 57 | xargs "$OCTIX" image rm "$IMG"
}

@test "a program that finds no room in one piece is refused; another file is not" {
	fill
	make_program "$T/prog" 3500000
	unchanged_now 'in one piece' put "$IMG" "$T/prog" /home/prog
	tr x y <"$T/prog" | tail -c +5 >"$T/data"
	image put "$IMG" "$T/data" /home/data
	image cat "$IMG" /home/data | cmp - "$T/data"
	image info "$IMG" | grep -q '1 files in more than one piece'
}

@test "the checker finds a fragmented program" {
	fill
	make_program "$T/prog" 3500000
	mcopy -i "$IMG@@1M" "$T/prog" ::/home/prog # mtools does not care
	fails 1 '/home/prog: fragmented' image check "$IMG"
	echo x >"$T/x"
	fails 1 'left as it was' image put "$IMG" "$T/x" /home/x
}

# poke OFFSET BYTES: overwrites bytes of the image (offset into the volume, which begins at 1 MiB).
poke() {
	printf '%b' "$2" | dd of="$IMG" bs=1 seek=$((1048576 + $1)) conv=notrunc status=none
}

@test "the checker finds broken chains, cross-links, lost clusters and FATs that differ" {
	reserved=$(od -An -tu2 -j$((1048576 + 14)) -N2 "$IMG") size=$(od -An -tu2 -j$((1048576 + 22)) -N2 "$IMG")
	fat=$((reserved * 512)) second=$(((reserved + size) * 512))
	first=$(mshowfat -i "$IMG@@1M" ::/usr/share/doc/numbers | sed 's/.*<\([0-9]*\)-.*/\1/')
	poke $((fat + 40000)) '\x01'
	fails 1 'two copies differ' image check "$IMG"
	take 16
	for copy in $fat $second; do poke $((copy + 2 * first)) '\x00\x00'; done
	fails 1 'broken cluster chain' image check "$IMG"
	take 16
	for copy in $fat $second; do poke $((copy + 2 * first)) "\\x$(printf %02x $((first % 256)))\\x$(printf %02x $((first / 256)))"; done
	fails 1 'shares clusters' image check "$IMG"
	take 16
	for copy in $fat $second; do poke $((copy + 2 * 30000)) '\xff\xff'; done
	fails 1 'belong to no file' image check "$IMG"
}

@test "images that are none are refused by name" {
	: >"$T/empty"
	fails 1 'end of file' image info "$T/empty"
	head -c 1M /dev/zero >"$T/zeros"
	fails 1 'neither an MBR nor' image info "$T/zeros"
	fails 1 'No such file' image ls "$T/none"
	truncate -s 8M "$T/fat12" && mkfs.fat -F 12 "$T/fat12" >/dev/null
	fails 1 'FAT12' image info "$T/fat12"
	truncate -s 512M "$T/big" && mkfs.fat -F 16 -s 128 "$T/big" >/dev/null
	fails 1 'at most 32 KiB' image info "$T/big"
	truncate -s 30M "$IMG"
	fails 1 'truncated' image info "$IMG"
	take 16
	printf '\xeb\x76\x90EXFAT   ' | dd of="$T/zeros" conv=notrunc status=none
	fails 1 'exFAT' image info "$T/zeros"
}

@test "random damage never crashes the tools" {
	echo x >"$T/x"
	for seed in $(seq 1 "${FUZZ_SEEDS:-8}"); do
		cp --sparse=always "$BATS_FILE_TMPDIR/fat$((seed % 2 ? 16 : 32)).img" "$IMG"
		"$ASAN/test/bend" "$IMG" "$seed" 40 $((1 << 20)) 90 $((3500 << 10)) 700000 $((4 << 20)) 16384 $((6 << 20)) 4096 $((6300 << 10)) 65536
		for command in "check $IMG" "ls -lR $IMG" "info $IMG" "rm -r $IMG /usr" "put $IMG $T/x /etc/x"; do
			# shellcheck disable=SC2086
			run timeout 20 "$OCTIX" image $command
			if [ "$status" -gt 2 ]; then echo "seed $seed: $command: $output"; return 1; fi
		done
	done
}

@test "killed at any time, an edit leaves the old image or the new one" {
	head -c 8M /dev/urandom >"$T/data"
	cp --sparse=always "$IMG" "$T/new.img"
	image put "$T/new.img" "$T/data" /home/data
	old=0 new=0
	for ms in 1 5 12 20 30 40 50 60 80 100 120 150 200; do
		"$OCTIX_BIN/oximage" put "$IMG" "$T/data" /home/data 2>/dev/null &
		pid=$!
		sleep "0.$(printf %03d "$ms")"
		kill -9 "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
		if cmp -s "$IMG" "$T/new.img"; then
			new=$((new + 1))
			take 16
		else
			cmp "$IMG" "$BATS_FILE_TMPDIR/fat16.img"
			old=$((old + 1))
		fi
		[ ! -e "$IMG.sha256" ] || [ "$new" != 0 ] || (cd "$T" && sha256sum --check --status octix.img.sha256)
	done
	image put "$IMG" "$T/data" /home/data
	cmp "$IMG" "$T/new.img"
	echo "# $old times the old image, $new times the new one"
}

@test "many edits at the same time all arrive" {
	for i in $(seq 1 12); do
		echo "$i" >"$T/file$i"
		image put "$IMG" "$T/file$i" /home &
	done
	wait
	[ "$(image ls "$IMG" /home | wc -l)" = 12 ]
	image check "$IMG"
	(cd "$T" && sha256sum --check --status octix.img.sha256)
}

@test "a locked image is waited for, and a symbolic link stays one" {
	echo x >"$T/x"
	flock "$IMG" sleep 1 &
	sleep 0.1
	ln -s octix.img "$T/link"
	image put "$T/link" "$T/x" /home/x
	wait
	[ -L "$T/link" ]
	[ "$(image cat "$IMG" /home/x)" = x ]
}
