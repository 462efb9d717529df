#!/bin/sh
# SPDX-License-Identifier: ISC
#
# posix.sh SCRIPTS: runs scripts with this machine's sh and with Octix's under oxrun, and compares what they print and how they end. What is
# said on standard error is each one's own.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/tmp" "$work/root/w" "$work/root/dev"
: >"$work/root/dev/null"
cp -r "$root/build/userland/root/bin" "$root/build/userland/root/sbin" "$work/root/"

awk -v to="$work/script." '/^#/ && !n { next } /^%%$/ { n++; next } { print > (to sprintf("%03d", n)) }' "$1"

ours() { # SCRIPT
	cd "$work/root/w" || exit
	timeout 60 "$root/build/host/bin/oxrun" --strict --root "$work/root" --argv0 sh --env PATH=/bin:/sbin --env HOME=/ "$work/root/bin/sh" -c "$1" sh 2>"$work/said" </dev/null
}

theirs() { # SCRIPT
	cd "$work/w" || exit
	timeout 60 env -i PATH=/bin:/usr/bin HOME=/ sh -c "$1" sh 2>/dev/null </dev/null
}

n=0 wrong=0
for script in "$work"/script.*; do
	text=$(cat "$script")
	rm -rf "$work/root/w" "$work/w"
	mkdir "$work/root/w" "$work/w"
	(theirs "$text") >"$work/expected"
	echo "= $?" >>"$work/expected"
	(ours "$text") >"$work/seen"
	echo "= $?" >>"$work/seen"
	n=$((n + 1))
	if ! cmp -s "$work/expected" "$work/seen"; then
		wrong=$((wrong + 1))
		echo "--- $text"
		diff "$work/expected" "$work/seen"
		cat "$work/said"
	fi
done
echo "$n scripts, $wrong wrong"
[ "$wrong" = 0 ]
