# SPDX-License-Identifier: ISC
#
# For all BATS suites: where things are. Tools run under the sanitizers where those were built.
# shellcheck shell=bash disable=SC2034,SC2154 # used by the suites; set by run

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
OCTIX=$TOP/scripts/octix
HOSTBIN=$TOP/build/host/bin
ASAN=$TOP/build/host-asan
PATH=$PATH:/usr/sbin:/sbin
T=${BATS_TEST_TMPDIR-}

# sum FILE: tells contents apart (b2sum is several times faster than sha256sum).
sum() {
	b2sum <"$1"
}

# make_program FILE [BYTES]: something that begins like an OXE program.
make_program() {
	mkdir -p "$(dirname "$1")"
	{ printf 'OXE\032'; head -c "$((${2:-3000} - 4))" /dev/zero | tr '\0' x; } >"$1"
}

# make_tree FOLDER: a small tree for images, the same each time.
make_tree() {
	make_program "$1/bin/one" 5000
	make_program "$1/bin/two" 513
	make_program "$1/sbin/init" 20000
	mkdir -p "$1/etc" "$1/usr/share/doc"
	echo hello >"$1/etc/motd"
	echo 'A long name' >"$1/etc/A long name.text"
	echo mixed >"$1/etc/Mixed.txt"
	echo dot >"$1/etc/.profile"
	: >"$1/etc/empty"
	seq 1 5000 >"$1/usr/share/doc/numbers"
}

# fails STATUS WORDS COMMAND...: the command ends with that status and says that on standard error.
fails() {
	local want=$1 words=$2
	shift 2
	run "$@"
	if [ "$status" != "$want" ]; then
		echo "status $status, wanted $want: $*"
		echo "$output"
		return 1
	fi
	case $output in
	*"$words"*) ;;
	*)
		echo "'$words' not in: $output"
		return 1
		;;
	esac
}
