#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The sessions of session.smoke and jobs.smoke, and what make smoke runs, on simulated boards, with the images that make builds.

session() { # BOARD FILE...
	cd "$BATS_TEST_DIRNAME/../.."
	[ -f "build/$1/octix.img" ] || skip "no image for $1: make image BOARD=$1"
	run build/host/bin/oxsmoke --board "$1" --kernel "build/$1/kernel.elf" "build/$1/octix.img" "${@:2}"
	[ "$status" = 0 ] || { echo "$output"; false; }
}

@test "a session on m1284p" {
	session m1284p tests/userland/*.smoke tests/smoke/*.smoke
}

@test "a session on mega2560" {
	session mega2560 tests/userland/*.smoke tests/smoke/*.smoke
}

@test "a session on nano" {
	session nano tests/userland/session.smoke tests/userland/jobs.smoke tests/smoke/*.smoke
}
