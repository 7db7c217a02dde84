#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Repeats a finding: prints its table, once with each level of costs.
set -eu
if [ $# -lt 2 ]; then
	echo "usage: run.sh k2|l|stacking|ladder|idle-arm|pairs|heavy-short|short-pair|tbench SCHEDSIM [COSTS...]" >&2
	exit 2
fi
name=$1
schedsim=$(realpath "$2")
shift 2
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- none 100% 50% 200%

run() { # costs, then schedsim's words; policies come from $policies
	costs=$1
	shift
	echo "== costs $costs"
	for policy in $policies; do
		case $policy in
		*:*) set -- "$@" --policy "$policy,costs=$costs" ;;
		*) set -- "$@" --policy "$policy=$policy:costs=$costs" ;;
		esac
	done
	"$schedsim" -j "$(nproc)" "$@"
}

all="baseline sis_short sis_short_skip_weight skip_weight sis_short_no_idle_arm"
here=results/findings
for costs in "$@"; do
	policies="$all"
	case $name in
	k2) run "$costs" "$here/k2.json" --runs 30 ;;
	l)
		run "$costs" "$here/l.json" --runs 30 --param flips=0..18:2
		run "$costs" "$here/l.json" --runs 30 --param flips=0..18:2 --duration 10s
		;;
	stacking) run "$costs" "$here/stacking.json" --runs 20 ;;
	ladder)
		for load in 0.5 0.6 0.7 0.8 0.85 0.9 0.94 0.98; do
			run "$costs" workloads/redis-proxy.json --runs 20 --duration 400ms --param load=$load
		done
		;;
	idle-arm)
		policies="sis_short_no_idle_arm sis_short"
		run "$costs" "$here/redis-nosync.json" --runs 20 --param load=0.85 --duration 300ms
		;;
	pairs)
		policies="baseline sis_short"
		run "$costs" "$here/pairs.json" --runs 6 --param pairs=4..16:13
		;;
	heavy-short) run "$costs" workloads/heavy-short-sleep.json workloads/heavy-short-nice.json --runs 20 ;;
	tbench)
		policies="baseline baseline:NO_WA_WEIGHT"
		run "$costs" "$here/tbench.json" --runs 6
		;;
	short-pair) run "$costs" workloads/short-pair.json --runs 20 ;;
	*)
		echo "run.sh: no finding of the name $name" >&2
		exit 2
		;;
	esac
done
