#!/bin/sh
# SPDX-License-Identifier: ISC
#
# table.sh TABLE: runs the shell scripts of a table under oxrun and compares. A case is a line `$ SCRIPT`, the expected
# output (standard error too), and a line `= STATUS`. With --print it writes the table anew from what it saw.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
oxrun=$root/build/host/bin/oxrun
print=no
[ "$1" = --print ] && { print=yes; shift; }
table=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/tmp" "$work/root/root"
cp -r "$root/build/userland/root/bin" "$root/build/userland/root/sbin" "$work/root/"

run_case() { # SCRIPT: its output and status
	rm -rf "$work/root/w"
	mkdir "$work/root/w"
	(
		cd "$work/root/w" || exit 1
		timeout 20 "$oxrun" --strict --root "$work/root" --argv0 sh --env PATH=/bin:/sbin "$work/root/bin/sh" -c "$1" x p1 </dev/null 2>&1
		echo "= $?"
	) >"$work/seen"
}

cases=0 wrong=0
finish_case() {
	[ -n "$script" ] || return 0
	run_case "$script"
	if [ "$print" = yes ]; then
		printf '$ %s\n' "$script"
		cat "$work/seen"
	elif ! cmp -s "$work/expected" "$work/seen"; then
		echo "wrong: $script"
		diff "$work/expected" "$work/seen"
		wrong=$((wrong + 1))
	fi
	cases=$((cases + 1))
}

script=''
while IFS= read -r line; do
	case $line in
	'$ '*)
		finish_case
		script=${line#'$ '}
		: >"$work/expected"
		;;
	'#'*) [ -n "$script" ] && printf '%s\n' "$line" >>"$work/expected" || [ "$print" = no ] || printf '%s\n' "$line" ;;
	*) printf '%s\n' "$line" >>"$work/expected" ;;
	esac
done <"$table"
finish_case
[ "$print" = yes ] || echo "$cases cases, $wrong wrong"
[ "$wrong" -eq 0 ]
