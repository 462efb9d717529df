#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The writer. What it refuses is tried with fake devices (tests/image/fake_device.c) and, where that is possible, with a real loop device.

load ../helper

setup() {
	export OCTIX_BIN=$ASAN/bin FAKE_DEVICES=$T/fake
	mkdir -p "$T/root" "$T/fake"
	echo hello >"$T/root/hello"
	IMG=$T/octix.img
	OCTIX_BIN=$HOSTBIN "$OCTIX" image build --root "$T/root" --size 16M --swap 64K "$IMG"
	make_device sdb 20 "usb1/1-1/host0/target0/block"
}

# make_device NAME MINOR(octal) BUS [MIB]: a device that may be written: 20 MiB of noise, removable, unused.
make_device() {
	DEV=$T/$1 SYS=$T/fake/sys/devices/$3/$1
	head -c "${4:-20}M" /dev/urandom >"$DEV"
	chmod "06$2" "$DEV"
	mkdir -p "$SYS/device" "$SYS/holders" "$T/fake/sys/dev/block"
	echo "8:$((8#$2))" >"$SYS/dev"
	echo 1 >"$SYS/removable"
	echo 0 >"$SYS/ro"
	echo $((${4:-20} * 2048)) >"$SYS/size"
	echo 'Test card' >"$SYS/device/model"
	ln -sfn "../../devices/$3/$1" "$T/fake/sys/dev/block/8:$((8#$2))"
	: >"$T/fake/mountinfo"
	: >"$T/fake/swaps"
}

# make_partition N: gives the device a partition with minor number 17.
make_partition() {
	mkdir -p "$SYS/sdb1/holders"
	echo 1 >"$SYS/sdb1/partition"
	echo 8:17 >"$SYS/sdb1/dev"
}

write() {
	"$ASAN/test/oximage-fake" write "$@"
}

# refused WORDS [OPTIONS]: nothing is written.
refused() {
	local before
	before=$(sum "$DEV")
	fails 1 "$1" write --yes "$IMG" "$DEV"
	[ "$(sum "$DEV")" = "$before" ]
}

@test "write: writes a removable device and reads it back" {
	write --yes "$IMG" "$DEV"
	cmp -n 16777216 "$IMG" "$DEV"
	[ "$(stat -c %s "$DEV")" = 20971520 ]
}

@test "write: asks for the name of the device" {
	before=$(sum "$DEV")
	for answer in '' y yes sdc "$DEV"; do
		run write "$IMG" "$DEV" <<<"$answer"
		[ "$status" = 1 ]
		[[ $output == *'Test card, 20 MiB. Everything on it will be lost.'* ]]
		[ "$(sum "$DEV")" = "$before" ]
	done
	write "$IMG" "$DEV" <<<sdb
	cmp -n 16777216 "$IMG" "$DEV"
}

@test "write: USB and SD slots count as removable, eMMC and disks do not" {
	echo 0 >"$SYS/removable"
	write --yes "$IMG" "$DEV"
	make_device mmcblk0 30 mmc_host/mmc0/mmc0:0001/block
	echo 0 >"$SYS/removable"
	echo SD >"$SYS/device/type"
	write --yes "$IMG" "$DEV"
	echo MMC >"$SYS/device/type"
	refused 'neither removable'
	make_device sda 40 pci0000:00/ata1/block
	echo 0 >"$SYS/removable"
	refused 'neither removable'
	rm "$SYS/removable"
	refused 'neither removable'
}

@test "write: refuses what is in use" {
	echo '36 25 8:16 / /media rw - vfat /dev/sdb rw' >"$T/fake/mountinfo"
	refused 'sdb is mounted'
	make_partition
	echo '36 25 8:17 / /media rw - vfat /dev/sdb1 rw' >"$T/fake/mountinfo"
	refused 'sdb1 is mounted'
	echo "36 25 0:33 / /media rw - btrfs $DEV rw" >"$T/fake/mountinfo" # a number of its own
	refused 'is mounted'
	: >"$T/fake/mountinfo"
	printf 'Filename Type\n%s partition 1 0 -2\n' "$DEV" >"$T/fake/swaps"
	refused 'used as swap'
	: >"$T/fake/swaps"
	ln -s nowhere "$SYS/sdb1/holders/dm-0"
	refused 'used by another device'
	rm "$SYS/sdb1/holders/dm-0"
	rm "$T/fake/mountinfo"
	refused 'cannot tell what is mounted'
	: >"$T/fake/mountinfo"
	rm "$SYS/sdb1/dev"
	refused 'no device number'
}

@test "write: refuses partitions, protected, empty and small devices, and other files" {
	echo 1 >"$SYS/ro"
	refused 'write-protected'
	echo 0 >"$SYS/ro"
	echo 0 >"$SYS/size"
	refused 'no card'
	echo 2048 >"$SYS/size"
	refused 'too small'
	echo 40960 >"$SYS/size"
	truncate -s 15M "$DEV" # sysfs says more than there is
	refused 'too small'
	echo 1 >"$SYS/partition"
	refused 'a partition'
	rm "$T/fake/sys/dev/block/8:16"
	refused 'nothing is known'
	chmod 755 "$DEV"
	refused 'not a block device'
	fails 1 'No such file' write --yes "$IMG" "$T/none"
}

@test "write: refuses files that are no image or not the one that was built" {
	echo 'not an image' >"$T/x"
	fails 1 'end of file' write --yes "$T/x" "$DEV"
	printf x | dd of="$IMG" bs=1 seek=9000000 conv=notrunc status=none
	refused 'does not have the sum'
	rm "$IMG.sha256"
	write --yes "$IMG" "$DEV"
}

@test "write: finds a card that loses what was written" {
	export FAKE_LOST_SECTOR=2048
	fails 1 'sector 2048 reads back different' write --yes "$IMG" "$DEV"
}

@test "write: a run that is cut off leaves a card without a first sector" {
	# The limit on file sizes plays a card that fails in the middle.
	run bash -c "trap '' XFSZ; ulimit -f 8192; exec '$ASAN/test/oximage-fake' write --yes '$IMG' '$DEV'"
	[ "$status" = 1 ]
	[[ $output == *'cannot write'* ]]
	cmp -n 512 "$DEV" /dev/zero
}

@test "write: wrong usage" {
	fails 2 'takes an image and a device' write "$IMG"
	fails 2 'wrong option' write --force "$IMG" "$DEV"
}

@test "write: the shipped tool refuses plain files and loop devices, and knows no fake devices" {
	fails 1 'not a block device' "$OCTIX" image write --yes "$IMG" "$DEV"
	run grep -q FAKE_DEVICES "$HOSTBIN/oximage"
	[ "$status" = 1 ]
	loop=$(losetup --find --show "$DEV" 2>/dev/null) || skip 'no loop devices here'
	run "$OCTIX" image write --yes "$IMG" "$loop"
	losetup -d "$loop"
	[ "$status" = 1 ]
	[[ $output == *'neither removable'* || $output == *'nothing is known'* ]] # without a /sys
}
