# SPDX-License-Identifier: ISC
# shellcheck shell=sh
#
# Sourced by fetch and build: reads recipes and names the cache. The caller sets `top`.
#
# A recipe is a file of NAME=VALUE lines, in this order: name, version, summary, site (Debian), source (the source package), license,
# license_file (in the sources), depends, conflicts, then one `sha256=SUM FILE` for each file of the source package. A package
# of our own has no site, source and sums; its sources lie in its folder.

cache=${OCTIX_CACHE:-$top/build/cache}/sources

# field RECIPE NAME: the value, or nothing.
field() {
	sed -n "s/^$2=//p" "$1/recipe"
}

# missing_sources RECIPE: the files of the source package that are not in the cache with the right sum.
missing_sources() {
	field "$1" sha256 | while read -r sum file; do
		echo "$sum  $cache/$file" | sha256sum --check --status 2>/dev/null || echo "$file"
	done
}
