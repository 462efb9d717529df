#!/bin/sh
# SPDX-License-Identifier: ISC
#
# userland/profiles.sh BUILD [COUNTS]: runs what users do all day on oxrun and writes userland/sh/profile and userland/core/profile.
# `make profiles` calls it; oxpack lays out /bin/sh and /bin/core by these files. The programs are packed without a
# profile for this, so that the functions are whole. With a folder COUNTS, sh.counts and core.counts are written there instead: how
# often each instruction ran.
set -eu
cd "$(dirname "$0")/.."
build=$1 counts=${2-}
bin=${HOSTBIN:-$build/host/bin}
work=$(mktemp -d "${TMPDIR:-/tmp}/octix-profiles-XXXXXX")
trap 'rm -rf "$work"' EXIT

# A root folder like that of a card.
root=$work/root
mkdir -p "$root/etc" "$root/root" "$root/tmp/a/b"
cp -r "$build/userland/root/." "$root"
cp -r distro/root/etc/. "$root/etc"
printf 'one\ntwo words\n' >"$root/tmp/f"

# Texts like those of the kernel, for ps, free and vmstat: names from its table of fields.
for n in 1 2 3; do mkdir -p "$root/proc/$n"; done
sed -n 's/^FIELD(\([a-z_]*\),.*/\1/p' firmware/kernel/proc.def | while read -r name; do
	printf '%-13s %10s\n' "$name" 1234
done >"$root/proc/stat"
sed -n '/^frame_size/,/^cluster_size/p' "$root/proc/stat" >"$root/proc/meminfo"
for n in 1 2 3; do sed -n '/^pid/,/^name/p' "$root/proc/stat" >"$root/proc/$n/stat"; done
for program in sh core; do
	"$bin/oxpack" --map "$work/$program.map" -o "$work/$program" "$build/userland/elf/$program.elf"
done

record=--record kind=profile to=$work
if [ -n "$counts" ]; then
	record=--counts kind=counts to=$counts
	rm -f "$to/sh.counts" "$to/core.counts"
fi

# run PROGRAM NAME ARGUMENT...: records a run of PROGRAM under this name.
run() {
	program=$1 name=$2
	shift 2
	"$bin/oxrun" "$record" "$to/$program.$kind" --map "$work/$program.map" --root "$root" --argv0 "$name" --env PATH=/bin:/sbin \
		--env HOME=/root "$work/$program" "$@" </dev/null >/dev/null 2>&1 || true
}

# prompt: records a shell on a terminal that is given the lines of standard input.
prompt() {
	cat >"$work/lines"
	script -qec "'$bin/oxrun' $record '$to/sh.$kind' --map '$work/sh.map' --root '$root' --env PATH=/bin:/sbin \
		--env HOME=/root '$work/sh'" /dev/null <"$work/lines" >/dev/null
}

# input COMMAND...: a command of core with text on standard input.
input() {
	name=$1
	shift
	printf 'one\ntwo words\nthree\n' | "$bin/oxrun" "$record" "$to/core.$kind" --map "$work/core.map" --root "$root" \
		--argv0 "$name" "$work/core" "$@" >/dev/null
}

# shellcheck disable=SC2016 # the shell of Octix expands these
scripts() {
	prompt <<-'EOT'
		true
		echo hi
		true
		echo hello world
		cd /tmp
		pwd
		ls
		ls /bin
		cat /etc/motd
		ls /bin | wc
		echo one > f
		cat f
		cp f g
		ls -l
		rm g
		true
		echo $HOME $PATH
		x=5
		echo $x
		cat /etc/motd | head -n 1
		ps
		for i in 1 2 3; do echo $i; done
		test -f f && echo yes
		nosuch
		echo *
		cd
	EOT
	run sh sh -c 'for i in 1 2 3; do if [ $i = 2 ]; then echo two; else echo "not $i"; fi; done'
	run sh sh -c 'x=$(echo captured); case $x in cap*) echo yes ;; *) echo no ;; esac'
	run sh sh -c 'while read a b; do echo "<$a>"; done < /tmp/f'
	run sh sh -c 'i=; while [ "$i" != xxxx ]; do i=x$i; done; echo ${i}y'
	run sh sh -c 'for f in /etc/*; do test -f $f && echo $f; done; ls /bin | wc -l'
	run sh sh -c '(cd /tmp; pwd); true && echo a || echo b'
	cat >"$root/tmp/script" <<-'EOT'
		#!/bin/sh
		# prints a little
		list=
		for i in 1 2 3 4; do
			if [ $i -gt 2 ]; then
				echo large $i
			else
				list="$list $i"
			fi
		done
		echo "list:$list"
		cat /etc/motd | wc -l
		exit 0
	EOT
	run sh sh /tmp/script
}

commands() {
	run core true
	run core echo hi there
	run core ls /bin
	run core ls -l /etc
	run core ls
	run core cat /etc/motd
	run core cp /tmp/f /tmp/a/f
	run core wc /etc/motd
	run core head -n 1 /etc/motd
	run core mv /tmp/a/f /tmp/a/g
	run core rm /tmp/a/g
	run core mkdir /tmp/a/c
	run core rmdir /tmp/a/c
	run core pwd
	run core ps
	run core free
	run core vmstat
	run core env
	run core sleep 0
	run core help
	run core cp -r /tmp/a /tmp/d
	run core rm -r /tmp/d
	input wc
	input wc -l
	input head -n 2
	input cat
}

scripts
commands
[ -z "$counts" ] || exit 0
for program in sh core; do
	sed '1a# SPDX-License-Identifier: ISC\n# made by userland/profiles.sh' "$work/$program.profile" >"userland/$program/profile"
done
