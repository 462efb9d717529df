#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Packages in an image: add, remove, list; what is refused; recipes.

load ../helper

setup_file() {
	export OCTIX_BIN=$ASAN/bin SOURCE_DATE_EPOCH=1767225600
	cd "$BATS_FILE_TMPDIR"
	mkdir -p root
	echo hello >root/hello
	"$OCTIX" image build --root root --size 16M --swap 64K base.img
	mkdir -p tools/bin tools/usr/share/tools/deep
	"$HOSTBIN/oxpack" --alias /bin/core -o tools/bin/tool
	seq 1 3000 >tools/usr/share/tools/deep/numbers
	: >tools/usr/share/tools/empty
	pack tools 1.0-1
	mkdir -p extra/etc
	echo x >extra/etc/extra.conf
	pack extra 2.0 tools
}

setup() {
	cd "$T"
	cp --sparse=always "$BATS_FILE_TMPDIR/base.img" x.img
	cp "$BATS_FILE_TMPDIR"/*.oxp .
}

# pack NAME VERSION [DEPENDS [CONFLICTS]]: makes NAME.oxp from the folder NAME.
pack() {
	printf '# recipe\nname=%s\nversion=%s\nlicense=ISC\ndepends=%s\nconflicts=%s\n' "$1" "$2" "${3-}" "${4-}" >"$1.recipe"
	"$ASAN/bin/oxpkg" pack "$1.recipe" "$1" "$1.oxp"
}

pkg() {
	"$OCTIX" pkg --image x.img "$@"
}

# refused WORDS COMMAND...: fails and leaves the image as it is.
refused() {
	local words=$1
	shift
	cp --sparse=always x.img before.img
	fails 1 "$words" pkg "$@"
	cmp x.img before.img
}

@test "pkg: add, list, remove; afterwards the image holds the same files as before" {
	before=$("$OCTIX" image ls -R x.img) free=$("$OCTIX" image info x.img | grep free)
	pkg add tools.oxp
	[ "$(pkg list)" = 'tools 1.0-1' ]
	"$OCTIX" image cat x.img /usr/share/tools/deep/numbers | cmp - "$BATS_FILE_TMPDIR/tools/usr/share/tools/deep/numbers"
	"$OCTIX" image cat x.img /bin/tool | cmp - "$BATS_FILE_TMPDIR/tools/bin/tool"
	tar xOf tools.oxp MANIFEST >manifest
	"$OCTIX" image cat x.img /var/pkg/tools | cmp - manifest
	"$OCTIX" pkg add --image x.img extra.oxp # the option may stand behind, too
	[ "$(pkg list)" = "extra 2.0
tools 1.0-1" ]
	"$OCTIX" image check x.img
	pkg remove extra tools
	[ -z "$(pkg list)" ]
	[ "$("$OCTIX" image ls -R x.img)" = "$before" ]
	[ "$("$OCTIX" image info x.img | grep free)" = "$free" ]
}

@test "pkg: a package is a plain ustar archive, the same each time" {
	[ "$(tar tf tools.oxp)" = "MANIFEST
bin/tool
usr/share/tools/deep/numbers
usr/share/tools/empty" ]
	[ "$(tar tvf tools.oxp | awk '{ print $2 }' | sort -u)" = root/root ]
	cp -R "$BATS_FILE_TMPDIR/tools" tools
	mv tools.oxp first.oxp
	touch -d 2001-02-03 tools/bin/tool
	chmod 600 tools/usr/share/tools/empty
	pack tools 1.0-1
	cmp tools.oxp first.oxp
}

@test "pkg: add is refused for what is installed, missing dependencies, conflicts and files that exist" {
	refused 'needs tools' add extra.oxp
	pkg add extra.oxp tools.oxp # in either order
	refused 'installed already' add tools.oxp
	refused 'is needed by extra' remove tools
	mkdir -p rival/bin
	echo x >rival/bin/rival
	pack rival 1 '' tools
	refused 'conflicts with tools' add rival.oxp
	mkdir -p clash/bin
	echo x >clash/bin/TOOL
	pack clash 1
	refused '/bin/TOOL is in the image already' add clash.oxp
	refused 'is not installed' remove clash
}

@test "pkg: one bad package of several stops all" {
	echo broken >bad.oxp
	refused 'bad.oxp' add tools.oxp bad.oxp
	refused 'none.oxp' add tools.oxp none.oxp
	[ -z "$(pkg list)" ]
}

@test "pkg: remove keeps what was put into a folder of the package, and folders that others own" {
	pkg add tools.oxp
	echo mine >mine
	"$OCTIX" image put x.img mine /usr/share/tools/mine
	pkg remove tools
	[ "$("$OCTIX" image ls x.img /usr/share/tools)" = mine ]
}

@test "pkg: damaged archives are refused" {
	head -c 512 tools.oxp >short.oxp
	refused 'short.oxp' add short.oxp
	size=$(stat -c %s tools.oxp)
	for bytes in 1 511 513 1000 1536 2048 9000 $((size - 5000)); do
		head -c "$bytes" tools.oxp >cut.oxp
		refused 'cut.oxp' add cut.oxp
	done
	: >empty.oxp
	refused 'empty.oxp' add empty.oxp
	gzip -k tools.oxp
	refused 'tools.oxp.gz' add tools.oxp.gz
}

# forge OLD NEW: a package whose manifest was changed with sed.
forge() {
	rm -rf forged
	mkdir forged
	tar xf tools.oxp -C forged
	sed -i "$1" forged/MANIFEST
	# shellcheck disable=SC2046
	(cd forged && tar cf ../forged.oxp --format=ustar MANIFEST $(awk 'NF == 5 && $4 != "dir" { print substr($5, 2) }' MANIFEST) 2>/dev/null) || :
}

@test "pkg: a manifest that does not fit the files, or tries to get out, is refused" {
	forge '/numbers/s/^./x/'
	refused 'not a SHA-256' add forged.oxp
	forge '/numbers/s/^..../0000/'
	refused 'SHA-256 differs' add forged.oxp
	forge '/empty/s/ 0 0644/ 1 0644/'
	refused 'size differs' add forged.oxp
	forge 's/^abi: .*/abi: 999/'
	refused 'made for ABI 999' add forged.oxp
	forge 's,/usr/share/tools/empty,/usr/share/tools/../../../../etc/passwd,'
	refused '..' add forged.oxp
	forge 's,/usr/share/tools/empty,usr/share/tools/empty,'
	refused 'not an absolute path' add forged.oxp
	forge 's,/usr/share/tools/empty,/usr/share/tools//empty,'
	refused 'empty part' add forged.oxp
	forge 's,/usr/share/tools/empty,/var/pkg/other,'
	refused 'belongs to the system' add forged.oxp
	forge 's,/bin/tool,/swap,'
	refused 'system' add forged.oxp
	LC_ALL=C sed '0,/deep.numbers/s,deep/numbers,deep/numberz,' tools.oxp >forged.oxp # in the manifest alone
	refused 'where the manifest says' add forged.oxp
	forge 's/^name: .*/name: ..\/x/'
	refused 'not a package name' add forged.oxp
	forge 's/^version: .*/version:/'
	refused 'not a version' add forged.oxp
	forge '/^license/d'
	refused 'license' add forged.oxp
	forge 's/ 0755 program / 0755 device /'
	refused 'unknown kind' add forged.oxp
	forge 's/ 0644 file \(.*numbers\)/ 0644 program \1/'
	refused 'not an Octix program' add forged.oxp
}

@test "pkg: links and extra files in the archive are refused" {
	mkdir forged
	tar xf tools.oxp -C forged
	(cd forged && echo x >more && tar cf ../forged.oxp --format=ustar MANIFEST bin/tool usr/share/tools/deep/numbers usr/share/tools/empty more)
	refused 'more than the manifest' add forged.oxp
	(cd forged && ln -sf /etc/passwd usr/share/tools/empty && tar cf ../forged.oxp --format=ustar MANIFEST bin/tool \
		usr/share/tools/deep/numbers usr/share/tools/empty)
	refused 'empty' add forged.oxp
	(cd forged && tar cf ../forged.oxp --format=ustar bin/tool MANIFEST)
	refused 'does not begin with a manifest' add forged.oxp
}

@test "pkg: a program of another ABI is refused" {
	mkdir -p old/bin
	cp "$BATS_FILE_TMPDIR/tools/bin/tool" old/bin/old
	printf '\x63' | dd of=old/bin/old bs=1 seek=6 conv=notrunc status=none
	run pack old 1
	[ "$status" = 1 ]
	[[ $output == *'broken header'* ]]
	"$ASAN/test/bend" --crc old/bin/old
	run pack old 1
	[ "$status" = 1 ]
	[[ $output == *'made for another Octix'* ]]
}

@test "pkg: a full image refuses a package and stays as it is" {
	head -c 9M /dev/zero >zeros
	"$OCTIX" image put x.img zeros /home/zeros
	mkdir -p large/usr
	head -c 3M /dev/urandom >large/usr/noise
	pack large 1
	refused 'no free space' add large.oxp
}

@test "pkg: random damage to a package is refused, and never crashes the tool" {
	for seed in $(seq 1 "${FUZZ_SEEDS:-12}"); do
		cp tools.oxp bent.oxp
		"$ASAN/test/bend" bent.oxp "$seed" $((seed % 4 + 1)) 0 1536 1536 $(($(stat -c %s tools.oxp) - 1536))
		cp --sparse=always "$BATS_FILE_TMPDIR/base.img" x.img
		run timeout 20 "$OCTIX" pkg --image x.img add bent.oxp
		if [ "$status" -gt 1 ]; then echo "seed $seed: $output"; return 1; fi
	done
}

@test "pkg: killed at any time, add leaves the old image or the new one" {
	cp --sparse=always x.img new.img
	"$OCTIX" pkg --image new.img add tools.oxp
	for ms in 1 5 10 15 20 30 40 60 80 100; do
		"$OCTIX_BIN/oxpkg" --image x.img add tools.oxp 2>/dev/null &
		pid=$!
		sleep "0.$(printf %03d "$ms")"
		kill -9 "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
		cmp -s x.img new.img || cmp x.img "$BATS_FILE_TMPDIR/base.img"
		cp --sparse=always "$BATS_FILE_TMPDIR/base.img" x.img
	done
	pkg add tools.oxp
	cmp x.img new.img
}

@test "pkg: wrong usage" {
	fails 2 '--image is missing' "$OCTIX" pkg list
	fails 2 'unknown subcommand' pkg frobnicate
	fails 2 'which package' pkg add
	fails 2 'takes no arguments' pkg list x
	fails 1 'No such file' "$OCTIX" pkg --image none.img list
	"$OCTIX" pkg --help | grep -q '^usage: octix pkg'
	fails 1 'no recipe' "$OCTIX" pkg build "$T"
	fails 2 'usage' "$OCTIX" pkg build
}

@test "pkg: a recipe without its sources says what to do" {
	export OCTIX_CACHE=$T/cache
	fails 1 "run 'make fetch'" "$OCTIX" pkg build "$TOP/distro/packages/figlet" "$T"
	mkdir -p cache/sources
	echo wrong >cache/sources/figlet_2.2.5.orig.tar.gz
	fails 1 'figlet_2.2.5.orig.tar.gz' "$OCTIX" pkg build "$TOP/distro/packages/figlet" "$T"
}

@test "pkg: a package of our own is built from its folder, the same twice" {
	mkdir recipe
	cat >recipe/recipe <<-'END'
	# SPDX-License-Identifier: ISC
	name=greet
	version=1.0
	license=ISC
	depends=
	conflicts=
	END
	cat >recipe/greet.c <<-'END'
	#include <stdio.h>
	int main(void) { puts("greetings"); }
	END
	cat >recipe/build <<-'END'
	#!/bin/sh
	set -eu
	"$OCTIX" cc -o greet.oxe greet.c
	install -D greet.oxe "$DESTDIR/bin/greet"
	install -m 4711 greet.oxe "$DESTDIR/bin/sgreet"
	install -D -m 600 greet.c "$DESTDIR/usr/share/greet/source"
	END
	chmod +x recipe/build
	OCTIX_BIN=$HOSTBIN "$OCTIX" pkg build recipe one
	OCTIX_BIN=$HOSTBIN TZ=Asia/Tokyo "$OCTIX" pkg build recipe two
	cmp one/greet-1.0.oxp two/greet-1.0.oxp
	pkg add one/greet-1.0.oxp
	"$OCTIX" image get x.img /bin/greet greet
	[ "$("$HOSTBIN/oxrun" greet)" = greetings ]
	[ "$("$OCTIX" image ls -lR x.img / | awk '/greet/ { print $1, $2, $3, $NF }')" = "$(printf '%s\n' '-rwxr-xr-x 0 0 bin/greet' \
		'-rwsr-xr-x 0 0 bin/sgreet' 'drwxr-xr-x 0 0 usr/share/greet/' '-rw-r--r-- 0 0 usr/share/greet/source' '-rw-r--r-- 0 0 var/pkg/greet')" ]
}

@test "pkg: figlet, from Debian's source, draws a banner" {
	package=$(ls "$TOP"/build/packages/figlet-*.oxp) || skip 'figlet is not built'
	tar xf "$package"
	run "$HOSTBIN/oxrun" bin/figlet -d "$T/usr/share/figlet" Octix
	[ "$status" = 0 ]
	diff - <(echo "$output" | sed 's/ *$//') <<-'END'
	  ___       _   _
	 / _ \  ___| |_(_)_  __
	| | | |/ __| __| \ \/ /
	| |_| | (__| |_| |>  <
	 \___/ \___|\__|_/_/\_\

	END
}
