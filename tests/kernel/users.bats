#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Users on the kernel as a program of this machine: who may do what, with all modes; set-uid; cards that a PC has made.
# shellcheck disable=SC2030,SC2031,SC2154 # the helper sets the variables, each test its own

load helper

export PATH=$PATH:/usr/sbin MTOOLS_SKIP_CHECK=1 MTOOLSRC=/dev/null

# host OPTION...: boots the card; types standard input.
host() {
	output=$(timeout 600 "$ASAN/test/oxkernel-$board" "$@" "$card" 2>"$T/messages" | tr -d '\r\0') && status=0 || status=$?
	[ "$status" = 0 ] || { echo "$output"; cat "$T/messages"; return 1; }
}

@test "what root keeps private stays private: each call, user and mode, on both boards" {
	for name in m1284p mega2560; do
		on_card "$name" "$TOP/build/tests/systest/systest"
		quick=
		[ "$name" = m1284p ] || [ -n "${TEST_LONG-}" ] || quick=-q # its memory is small: ten times the time
		host --rw --max-seconds 10000 <<-END
			./systest $quick access owners
			halt
		END
		grep -E '^FAILED' <<<"$output" || :
		has " passed, 0 failed, 0 skipped"
		"$OCTIX" image check "$card"
	done
}

@test "set-uid and set-gid count for programs, never for aliases" {
	on_card m1284p "$PROGRAMS/ids"
	"$OCTIX" image put "$card" "$PROGRAMS/ids" /bin/plain
	"$OCTIX" image put --mode 4711 --owner 12:13 "$card" "$PROGRAMS/ids" /bin/suid
	"$OCTIX" image put --mode 2711 --owner 12:13 "$card" "$PROGRAMS/ids" /bin/sgid
	"$OCTIX" image put --mode 4710 --owner 12:13 "$card" "$PROGRAMS/ids" /bin/group
	"$OCTIX" image put --mode 0666 --owner 12:13 "$card" "$PROGRAMS/ids" /bin/none
	"$HOSTBIN/oxpack" --alias /bin/plain -o "$T/alias"
	"$HOSTBIN/oxpack" --alias /bin/suid -o "$T/other"
	"$OCTIX" image put --mode 6755 --owner 12:13 "$card" "$T/alias" /bin
	"$OCTIX" image put "$card" "$T/other" /bin
	host <<-END
		echo A; ./ids 6 5 /bin/plain
		echo B; ./ids 6 5 /bin/suid
		echo C; ./ids 6 5 /bin/sgid
		echo D; ./ids 6 5 /bin/alias
		echo E; ./ids 6 5 /bin/other
		echo F; ./ids 6 5 /bin/group
		echo G; ./ids 13 5 /bin/group
		echo H; /bin/none
		echo I; ./ids 6 5 /sbin/halt
		echo J; ./ids 6 5 /root/ids
		echo K; /bin/suid
		halt
	END
	[ "$(grep -E '^([A-K]|user|/)' <<<"$output" | grep -v '; ')" = "$(
		cat <<-END
			A
			user 5 as 5, group 6 as 6, and back
			B
			user 5 as 12, group 6 as 6, and back
			C
			user 5 as 5, group 6 as 13, and back
			D
			user 5 as 5, group 6 as 6, and back
			E
			user 5 as 5, group 6 as 6, and back
			F
			/bin/group: permission denied
			G
			user 5 as 12, group 13 as 13, and back
			H
			I
			J
			/root/ids: permission denied
			K
			user 0 as 12, group 0 as 0, and back
		END
	)" ] || { echo "$output"; false; }
	has 'none: not executable'
	has 'halt: '
	has 'System halted.'
}

@test "a card that a PC has made mounts and works as before, and belongs to root" {
	on_card m1284p "$PROGRAMS/ids"
	truncate -s 64M "$T/pc.img"
	mkfs.fat -F 16 -s 4 "$T/pc.img" >/dev/null
	fetch /swap >"$T/swap"
	mcopy -i "$T/pc.img" "$T/swap" ::/swap
	mattrib -i "$T/pc.img" +s +h ::/swap
	mmd -i "$T/pc.img" ::/sbin ::/bin ::/etc
	for file in /sbin/init /bin/sh /bin/core /bin/ls /bin/cat /bin/echo /sbin/halt /bin/mkdir; do
		fetch "$file" >"$T/file"
		mcopy -i "$T/pc.img" "$T/file" "::$file"
	done
	mcopy -i "$T/pc.img" "$PROGRAMS/ids" ::/bin/ids
	echo 'from a PC' >"$T/text"
	mcopy -i "$T/pc.img" "$T/text" ::/etc/text
	card=$T/pc.img
	host --save "$T/after.img" <<-END
		cat /etc/text
		echo more >/etc/text
		mkdir /new
		ids
		ids 6 5 /bin/cat /etc/text
		ids 6 5 /bin/cat /swap
		ids 6 5 /bin/mkdir /other
		halt
	END
	has 'from a PC'
	has 'user 0 as 0'
	[ "$(grep -c '^more$' <<<"$output")" = 1 ]
	has '/swap: permission denied'
	has '/other: permission denied'
	fsck.fat -n "$T/after.img"
	[ "$(mtype -i "$T/after.img" ::/etc/text)" = more ]
}

# plain TEXT: base64 as crypt writes it, as bytes.
plain() {
	local text=${1//./+}
	while [ $((${#text} % 4)) != 0 ]; do text=$text=; done
	base64 -d <<<"$text"
}

@test "passwd, su, id, ls -l: a guest on the kernel of this machine" {
	on_card m1284p
	printf 'open sesame\nopen sesame\n' >"$T/word"
	printf 'open sesame\n' >"$T/once"
	"$OCTIX" image put "$card" "$T/word" "$T/once" /tmp
	host --save "$T/after.img" <<-'END'
		echo guest:x:5:100:A guest:/home/guest:/bin/sh >>/etc/passwd
		echo other:x:6:100:Another:/:/bin/sh >>/etc/passwd
		mkdir /home/guest
		chown guest:users /home/guest
		chmod go-rwx /home/guest
		passwd guest </tmp/word
		su guest -c id
		su guest -c 'whoami; echo $HOME; echo text >/home/guest/file; umask 077; echo text >/home/guest/mine; chmod 4711 /home/guest/file'
		su guest -c "cat /etc/shadow; ls /root; rm /etc/motd; kill 1; halt; chown root /home/guest/file; passwd other"
		su other -c "ls /home/guest; cat /home/guest/file; su guest -c id </tmp/word"
		su other -c "su guest -c whoami </tmp/once"
		ls -l /home/guest /etc/shadow
		chgrp 7 /home/guest/mine
		chown other:root /home/guest/file
		ls -l /home/guest
		halt
	END
	grep -v '^# ' <<<"$output" | tail -n +3 >"$T/said"
	diff "$T/said" - <<-'END'
		Welcome to Octix. `help` lists the commands, `halt` stops the machine.
		New password: 
		Once more: 
		uid=5(guest) gid=100(users)
		guest
		/home/guest
		cat: /etc/shadow: permission denied
		ls: /root: permission denied
		rm: /etc/motd: permission denied
		sh: 1: not permitted
		halt: halt: not permitted
		chown: /home/guest/file: not permitted
		passwd: other: only root may
		ls: /home/guest: permission denied
		cat: /home/guest/file: permission denied
		Password: 
		uid=5(guest) gid=100(users)
		Password: 
		guest
		-rw------- root     root           87 2026-01-01 00:00 /etc/shadow
		/home/guest:
		-rws--x--x guest    users           5 2026-01-01 00:00 file
		-rw------- guest    users           5 2026-01-01 00:00 mine
		-rwx--x--x other    root            5 2026-01-01 00:00 file
		-rw------- guest    7               5 2026-01-01 00:00 mine
		System halted.
	END
	IFS='$' read -r user method rounds salt hash < <("$OCTIX" image cat "$T/after.img" /etc/shadow)
	[ "$user $method" = 'guest: pbkdf2-sha256' ] && [ "$rounds" -ge 100 ] && [ ${#salt} = 16 ]
	[ "$(plain "${hash%:}" | od -An -tx1)" = "$(openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt 'pass:open sesame' \
		-kdfopt "hexsalt:$(plain "$salt" | od -An -tx1 | tr -d ' \n')" -kdfopt "iter:$rounds" -binary PBKDF2 | od -An -tx1)" ]
}

@test "login on the board, once root has a password: wrong ones wait, the right one takes a few seconds" {
	on_card m1284p
	smoke <<-'END'
		limit 60s
		$ passwd
		pause 1s
		...
		> sesame
		pause 1s
		...
		> sesame
		...
		$ exit
		~ ^login: root
		> root
		pause 1s
		> wrong
		pause 8s
		...
		= Login incorrect
		> root
		pause 1s
		> sesame
		pause 4500ms
		...
		$ whoami; echo $HOME $0
		root
		/root -sh
		$ halt
		System halted.
		halts
	END
}
