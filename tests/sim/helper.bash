# SPDX-License-Identifier: ISC
# Shared by the suites of this folder. They run the sanitizer build of the simulator, built here when it is
# missing; speed is measured with the normal one.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
bin=$top/build/host-asan/bin
fw=$top/build/tests/sim

build_all() {
	make -s -C "$top" SAN=1 build/host-asan/bin/oxsim build/host-asan/bin/oxsmoke >&2
	make -s -C "$top" SAN= build/host/bin/oxsim >&2
}

# sim BOARD FIRMWARE [options]: runs with standard input as it is; console in $output, exit code in $status,
# summary in the file summary.
sim() {
	local board=$1 name=$2
	shift 2
	[ -e "$fw/$board/$name.elf" ] || make -s -C "$top" "build/tests/sim/$board/$name.elf" >&2
	status=0
	output=$("$bin/oxsim" --board "$board" --max-seconds 20 "$@" "$fw/$board/$name.elf" \
		2>"$BATS_TEST_TMPDIR/summary" | tr -d '\r'; exit "${PIPESTATUS[0]}") || status=$?
	summary=$(cat "$BATS_TEST_TMPDIR/summary")
	echo "$output"
	echo "$summary"
}

# A card of 16 MiB of bytes that do not repeat soon; the same each time.
make_card() {
	seq 1 3000000 | head -c 16777216 >"$1"
}

# 64 KB of junk, the same for the same seed.
junk() {
	seq "$1" 100000 | gzip -n | head -c 65536
}

has() {
	grep -qxF -- "$1" <<<"$output" || { echo "missing line: $1"; return 1; }
}

says() {
	grep -qF -- "$1" <<<"$summary" || { echo "missing in the summary: $1"; return 1; }
}
