#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The README shows what its commands print, the first up to the line where it breaks off.
set -u
schedsim=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
shown() { # name of the block
	sed -n "/^<!-- $1 -->\$/,/^<!-- end of $1 -->\$/s/^    //p" README.md
}
shown output | sed '$d' >"$work/shown"
[ -s "$work/shown" ] || exit 1
"$schedsim" workloads/redis-proxy.json | sed 's/ *$//' | grep -v '^$' |
	head -n "$(wc -l <"$work/shown")" >"$work/printed"
shown "rebuild output" >"$work/rebuilds"
[ -s "$work/rebuilds" ] || exit 1
cat "$work/rebuilds" >>"$work/shown"
"$schedsim" workloads/cpuset-writes.json --policy rebuild_v5_4 --policy rebuild_v6_5 |
	grep -A 8 '^ *rebuild_v5_4 ' | sed 's/ *$//' >>"$work/printed"
diff "$work/shown" "$work/printed" && exit 0
echo "README.md shows other output; results/remake.sh SCHEDSIM puts this one there" >&2
exit 1
