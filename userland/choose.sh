#!/bin/sh
# SPDX-License-Identifier: ISC
#
# userland/choose.sh BUILD BOARD [oxchoose options]: tells what each opcode is worth for the userland, the corner tests of C (which
# make much use of the C library) and the bench programs. `make choose` calls it. All run on oxrun, which counts; the shell and the
# commands do what profiles.sh has them do, and weigh as much as all others together. Programs that only boot runs count by their bytes.
set -eu
cd "$(dirname "$0")/.."
build=$1 board=$2
shift 2
bin=${HOSTBIN:-$build/host/bin}
work=$(mktemp -d "${TMPDIR:-/tmp}/octix-choose-XXXXXX")
trap 'rm -rf "$work"' EXIT

# counted ELF: runs it.
counted() {
	name=${1##*/}
	name=${name%%.*}
	"$bin/oxpack" --map "$work/map" -o "$work/oxe" "$1"
	timeout 300 "$bin/oxrun" --map "$work/map" --counts "$work/$name.counts" "$work/oxe" >/dev/null
	programs="$programs $1:$work/$name.counts"
}

userland/profiles.sh "$build" "$work"
programs=
for name in jumps long64 soft structs tables varargs; do
	scripts/octix cc --stack=16384 --elf="$work/$name.elf" -o "$work/oxe" "tests/vm/corners/$name.c"
	counted "$work/$name.elf"
done
for elf in "$build"/bench/*.plain.elf; do
	counted "$elf"
done
for name in init hello; do
	programs="$programs $build/userland/elf/$name.elf"
done
# shellcheck disable=SC2086 # a list
"$bin/oxchoose" --kernel "$build/$board/kernel.elf" "$@" $programs --weight 9 "$build/userland/elf/sh.elf:$work/sh.counts" \
	"$build/userland/elf/core.elf:$work/core.counts"
