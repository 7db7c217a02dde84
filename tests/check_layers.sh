#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of sim/<layer>/ includes its own layer, lower ones and include/ only.
set -u
cd "$(dirname "$0")/.." || exit 2

rank() {
	case $1 in
	base) echo 1 ;;
	engine) echo 2 ;;
	model) echo 3 ;;
	sched) echo 4 ;;
	wakeup | cpuset) echo 5 ;;
	workload) echo 6 ;;
	report) echo 7 ;;
	*) echo 8 ;;
	esac
}

bad=0
for file in $(find sim include -name '*.[ch]' -o -name '*.def' | sort); do
	case $file in
	sim/*/*) layer=${file#sim/} layer=${layer%%/*} ;;
	sim/*) layer=main ;;
	*) layer=include ;;
	esac
	for used in $(sed -n 's/^#include "\([a-z_]*\)\/.*/\1/p' "$file" | sort -u); do
		[ "$used" = schedsim ] && continue
		if [ "$layer" = include ]; then
			echo "$file: include/ may not include $used/"
			bad=1
		elif [ "$used" != "$layer" ] && [ "$(rank "$used")" -ge "$(rank "$layer")" ]; then
			echo "$file: $layer may not include $used/"
			bad=1
		fi
	done
done
exit $bad
