#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The README shows what its command prints, up to the line where it breaks off.
set -u
schedsim=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
sed -n '/^<!-- output -->$/,/^<!-- end of output -->$/s/^    //p' README.md |
	sed '$d' >"$work/shown"
[ -s "$work/shown" ] || exit 1
"$schedsim" workloads/redis-proxy.json | sed 's/ *$//' | grep -v '^$' |
	head -n "$(wc -l <"$work/shown")" >"$work/printed"
diff "$work/shown" "$work/printed" && exit 0
echo "README.md shows other output; results/remake.sh SCHEDSIM puts this one there" >&2
exit 1
