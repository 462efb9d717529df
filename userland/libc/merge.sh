#!/bin/sh
# SPDX-License-Identifier: ISC
#
# merge.sh PREFIX PICOLIBC OUT OBJECTS: picolibc's archive without the members that define what our objects define,
# and our objects. One archive leaves no question of link order (libc.a finds its own sbrk first otherwise).
set -eu

prefix=$1 picolibc=$2 out=$3
shift 3

defined() {
	"${prefix}nm" -A --defined-only "$@" 2>/dev/null | awk '$(NF-1) ~ /^[TDBRVWCA]$/ { print $0 }'
}

new=$out.$$
trap 'rm -f "$new"' EXIT
"${prefix}objcopy" -D --strip-debug "$picolibc" "$new"
ours=$(defined "$@" | awk '{ print $NF }')
replaced=$(defined "$picolibc" | OURS=$ours awk '
	BEGIN { n = split(ENVIRON["OURS"], name, "\n"); for (i = 1; i <= n; i++) ours[name[i]] = 1 }
	$NF in ours { split($1, part, ":"); print part[2] }' | sort -u)
# shellcheck disable=SC2086 # one word a member
"${prefix}ar" d "$new" $replaced
"${prefix}ar" qcsD "$new" "$@"
mv "$new" "$out"
