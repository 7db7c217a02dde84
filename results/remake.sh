#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the references of the shipped workloads anew, and the README's examples, with
# the schedsim given.
# After a change that is meant to move them; say why in the commit.
set -eu
schedsim=$(realpath "${1:?usage: remake.sh SCHEDSIM}")
cd "$(dirname "$0")/.."
for file in workloads/*.json; do
	name=$(basename "$file" .json)
	set -- --duration 200ms \
		--policy baseline --policy sis_short --policy sis_short_skip_weight
	case $name in
	schema) continue ;;
	suspend-resume)
		set -- --duration 300ms --param deadline=10 --policy rebuild_v5_4 \
			--policy rebuild_v3 --policy rebuild_v6_5 --policy rebuild_v6_15
		;;
	redis-cpuset)
		set -- --duration 200ms --policy baseline+rebuild_v5_4 \
			--policy sis_short_skip_weight+rebuild_v6_5
		;;
	esac
	"$schedsim" "$file" --warmup 50ms "$@" --output "results/$name.json" >/dev/null
done
replace() { # name of a block of the README; its new text is the input
	{
		sed "/^<!-- $1 -->\$/q" README.md
		echo
		sed '/./s/^/    /; s/ *$//'
		echo
		sed -n "/^<!-- end of $1 -->\$/,\$p" README.md
	} >README.new
	mv README.new README.md
}
{
	"$schedsim" workloads/redis-proxy.json | sed -n '1,/^  wakeup to run/p' | sed '$d'
	echo '  ...'
} | replace output
"$schedsim" workloads/cpuset-writes.json --policy rebuild_v5_4 --policy rebuild_v6_5 |
	grep -A 8 '^ *rebuild_v5_4 ' | replace "rebuild output"
