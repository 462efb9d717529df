#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# What the README says works: its `sh` blocks are run one after the other, in a folder that looks like the top of the tree. What is
# interactive gets its input from a pipe. Links and goals that it names exist.

load helper

# blocks FILE: the sh blocks as one script.
blocks() {
	awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$1"
}

@test "README: its command blocks run" {
	cd "$T"
	for item in "$TOP"/*; do ln -s "$item" .; done
	blocks README.md >script
	grep -q 'make run' script
	cat >prelude <<-'END'
	set -eu
	# These tests are a part of make test; everything was built before they run.
	make() { [ "$1" != test ] || return 0; command make "$@"; }
	END
	# Somebody types at what is interactive.
	{ cat prelude && sed 's/^\(make run\|scripts.octix sim\)/echo halt | \1/' script; } >all
	timeout 300 sh all </dev/null >log 2>&1 || { tail -n 30 log; false; }
	grep -q '^Octix ' log          # make run booted
	grep -q 'greetings, world' log # octix run
	grep -q 'hello from the PC' log
	grep -q 'figlet 2' log
	[ "$(grep -c 'System halted' log)" = 2 ] # make run, octix sim
	"$OCTIX" image check large.img
}

@test "README and ARCHITECTURE: links lead somewhere" {
	cd "$TOP"
	for link in $(sed -n 's/.*](\([A-Za-z/.]*\)).*/\1/p' README.md ARCHITECTURE.md); do
		[ -e "$link" ] || { echo "$link"; false; }
	done
}

@test "ARCHITECTURE: the folders it names exist, and all folders are named" {
	cd "$TOP"
	for folder in firmware/* userland/*; do
		[ ! -d "$folder" ] || grep -q -e "$folder" -e "\`$(basename "$folder")\`" ARCHITECTURE.md || { echo "$folder"; false; }
	done
	for folder in $(sed -n '/^| folder/,/^$/s/^| \(`[^|]*\) |.*/\1/p' ARCHITECTURE.md | grep -o '[a-z0-9]*/[a-z0-9/]*'); do
		[ -d "$folder" ] || { echo "$folder"; false; }
	done
}
