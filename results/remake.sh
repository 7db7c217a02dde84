#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the references of the shipped workloads anew, and the README's example, with
# the schedsim given.
# After a change that is meant to move them; say why in the commit.
set -eu
schedsim=$(realpath "${1:?usage: remake.sh SCHEDSIM}")
cd "$(dirname "$0")/.."
for file in workloads/*.json; do
	name=$(basename "$file" .json)
	[ "$name" = schema ] && continue
	"$schedsim" "$file" --warmup 50ms --duration 200ms \
		--policy baseline --policy sis_short --policy sis_short_skip_weight \
		--output "results/$name.json" >/dev/null
done
{
	sed '/^<!-- output -->$/q' README.md
	echo
	"$schedsim" workloads/redis-proxy.json | sed -n '1,/^  wakeup to run/p' |
		sed '$d; /./s/^/    /; s/ *$//'
	printf '      ...\n\n'
	sed -n '/^<!-- end of output -->$/,$p' README.md
} >README.new
mv README.new README.md
