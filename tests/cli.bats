#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The command line, the makefile's help, and rules that hold for all files of the tree.

load helper

# sources: the files of the tree, as Git has them, or all of them outside of a clone.
sources() {
	cd "$TOP"
	git ls-files 2>/dev/null || find . -path ./build -prune -o -type f -print
}

@test "octix: help, version, and every subcommand has --help" {
	"$OCTIX" help | grep -q 'Exit codes'
	[ "$("$OCTIX" --version)" = "octix $(cat "$TOP/distro/version")" ]
	for sub in $("$OCTIX" help | sed -n 's/^  \([a-z]*\)  *[a-z].*: .*\|^  \([a-z]*\)  *[a-z].*/\1\2/p' | grep -v help); do
		run "$OCTIX" "$sub" --help
		[ "$status" = 0 ] || { echo "$sub: $output"; false; }
		[[ ${output,,} == *usage:* ]] || { echo "$sub: $output"; false; }
	done
}

@test "octix: works from any folder and through a symbolic link" {
	cd /
	ln -s "$OCTIX" "$T/octix"
	"$T/octix" image --help | grep -q 'build'
	fails 1 'No such file' "$T/octix" image info "$T/none.img"
}

@test "octix: an unknown subcommand is usage, a tool that is not built is code 7" {
	fails 2 "no subcommand 'frobnicate'" "$OCTIX" frobnicate
	export OCTIX_BIN=$T/none
	fails 7 'make host' "$OCTIX" image info x.img
	fails 7 'make host' "$OCTIX" image build "$T/x.img"
	fails 7 'make host' "$OCTIX" sim
	fails 7 'make host' "$OCTIX" pkg list
}

@test "make help lists every goal, with a line for each" {
	cd "$TOP"
	make -s help >"$T/help"
	for goal in $(sed -n 's/^\.PHONY:\(.*\)/\1/p' Makefile image/image.mk distro/distro.mk | tr ' ' '\n' | grep '^[a-z]'); do
		grep -q "^  $goal  *[A-Z]" "$T/help" || { echo "$goal"; false; }
	done
	# and no goal without a rule
	for goal in $(awk '/^  / { print $1 }' "$T/help"); do
		make -n -s "$goal" DEV=/dev/null REF=HEAD >/dev/null 2>&1 || { echo "$goal"; false; }
	done
}

@test "make refuses unknown boards and profiles by name" {
	cd "$TOP"
	fails 2 "no board 'z80'; there are: m1284p mega2560 nano" make -s help BOARD=z80
	fails 2 "no profile 'none'" make -s help PROFILE=none
}

@test "deps is quick when nothing is missing, and names what is" {
	start=$(date +%s%N)
	"$TOP/scripts/deps"
	echo "# took $((($(date +%s%N) - start) / 1000000)) ms (wanted: below 200)"
	[ "$("$TOP/scripts/deps" --list | wc -l)" -ge 20 ]
	# A machine that can't install: another user, no sudo, and a dpkg that knows nothing.
	mkdir "$T/bin"
	printf '#!/bin/sh\necho "installed gcc-avr 1:4.9.0"\n' >"$T/bin/dpkg-query"
	printf '#!/bin/sh\nexit 1\n' >"$T/bin/sudo"
	printf '#!/bin/sh\necho 1000\n' >"$T/bin/id"
	chmod +x "$T/bin"/*
	PATH=$T/bin:$PATH run "$TOP/scripts/deps"
	[ "$status" = 1 ]
	[[ $output == *"gcc-avr                      wanted 5.4.0    found 1:4.9.0"* ]] || { echo "$output"; false; }
	[[ $output == *"mtools                       wanted 4.0.32   found none"* ]] || { echo "$output"; false; }
}

@test "shell scripts are clean under shellcheck" {
	cd "$TOP"
	list=$(sources | while read -r f; do
		[ ! -f "$f" ] || ! head -n 1 "$f" | grep -q '^#!/bin/sh' || echo "$f"
	done)
	[ "$(echo "$list" | wc -l)" -gt 5 ]
	# shellcheck disable=SC2086
	shellcheck -x $list
}

@test "every file says its licence" {
	cd "$TOP"
	sources | grep -v -e '^LICENSE$' -e '^.gitignore$' -e '^distro/root/' -e '^distro/version$' -e '\.patch$' -e '^tests/.*/limits$' \
		-e '\.expected$' -e '\.md$' -e '\.clang-format$' | while read -r f; do
		[ ! -f "$f" ] || head -n 3 "$f" | grep -q 'SPDX-License-Identifier: ISC' || echo "$f"
	done >"$T/without"
	cat "$T/without"
	[ ! -s "$T/without" ]
}

@test "make: the image follows profile and options" {
	cd "$TOP"
	# In a folder of its own, so that the image others test stays as it is.
	mkdir "$T/tree"
	for item in "$TOP"/*; do [ "$(basename "$item")" = build ] || ln -s "$item" "$T/tree"; done
	cp -R --sparse=always build "$T/tree/build"
	cd "$T/tree"
	image=build/m1284p/octix.img
	make -s all
	"$OCTIX" pkg --image $image list | grep -q figlet
	make -s all PROFILE=minimal
	[ -z "$("$OCTIX" pkg --image $image list)" ]
	make -s all PROFILE=minimal IMAGEFLAGS='--fat 32'
	"$OCTIX" image info $image | grep -q FAT32
	before=$(stat -c %Y.%i $image)
	make -s all PROFILE=minimal IMAGEFLAGS='--fat 32'
	[ "$(stat -c %Y.%i $image)" = "$before" ] # nothing to do
}

@test "make install: octix works from where it was installed" {
	cd "$TOP"
	make --no-print-directory install DESTDIR="$T/root" PREFIX=/opt/octix
	cd "$T"
	printf '#include <stdio.h>\nint main(void) { return puts("installed") < 0; }\n' >p.c
	root/opt/octix/bin/octix cc -o p p.c
	[ "$(root/opt/octix/bin/octix run p)" = installed ]
	root/opt/octix/bin/octix image build own.img
	root/opt/octix/bin/octix image check own.img
}

@test "make flash: calls avrdude for the board, and says what is wrong before that" {
	cd "$TOP"
	mkdir "$T/bin"
	printf '#!/bin/sh\necho "avrdude $*"\n' >"$T/bin/avrdude"
	chmod +x "$T/bin/avrdude"
	touch "$T/port"
	PATH=$T/bin:$PATH run make --no-print-directory flash PORT="$T/port"
	[ "$status" = 0 ]
	[[ $output == *"avrdude -q -p m1284p -c arduino -b 115200 -P $T/port -U flash:w:build/m1284p/kernel.hex:i"* ]]
	PATH=$T/bin:$PATH run make --no-print-directory flash BOARD=mega2560 PORT="$T/port"
	[[ $output == *"-p m2560 -c wiring -b 115200 -D -P $T/port -U flash:w:build/mega2560/kernel.hex:i"* ]]
	run make --no-print-directory flash
	[ "$status" = 2 ]
	[[ $output == *"say where the board is"* ]]
	run make --no-print-directory flash PORT="$T/none"
	[ "$status" = 2 ]
	[[ $output == *"there is no $T/none"* ]]
}
