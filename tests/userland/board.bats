#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The sessions of session.smoke and jobs.smoke, and what make smoke runs, on simulated boards, with the images that make builds.

session() { # BOARD
	cd "$BATS_TEST_DIRNAME/../.."
	[ -f "build/$1/octix.img" ] || skip "no image for $1: make image BOARD=$1"
	run build/host/bin/oxsmoke --board "$1" --kernel "build/$1/kernel.elf" "build/$1/octix.img" tests/userland/*.smoke tests/smoke/*.smoke
	[ "$status" = 0 ] || { echo "$output"; false; }
}

@test "a session on m1284p" {
	session m1284p
}

@test "a session on mega2560" {
	session mega2560
}
