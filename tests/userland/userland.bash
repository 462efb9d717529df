# SPDX-License-Identifier: ISC
#
# For the suites of this folder: a private root with the programs, and `ox COMMAND...` to run one under oxrun.

REPO=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
OXRUN=$REPO/build/host/bin/oxrun
CC=$REPO/scripts/octix-cc

make_root() {
	ROOT=$BATS_TEST_TMPDIR/root
	mkdir -p "$ROOT/tmp" "$ROOT/w"
	cp -r "$REPO/build/userland/root/bin" "$REPO/build/userland/root/sbin" "$ROOT/"
	cd "$ROOT/w"
}

# ox NAME ARGUMENTS: the program of that name in /bin or /sbin
ox() {
	local path=$ROOT/bin/$1
	[ -e "$path" ] || path=$ROOT/sbin/$1
	timeout 20 "$OXRUN" --strict --root "$ROOT" --argv0 "$1" --env PATH=/bin:/sbin "$path" "${@:2}"
}

# oxsh TEXT: a line of shell
oxsh() {
	ox sh -c "$1"
}

expect() { # STATUS OUTPUT, after `run`
	if [ "$status" != "$1" ] || [ "$output" != "$2" ]; then
		printf 'status %s, expected %s\n--- expected\n%s\n--- got\n%s\n' "$status" "$1" "$2" "$output"
		return 1
	fi
}
