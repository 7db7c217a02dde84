#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh SCHEDSIM MAKE_WORKLOAD one|all [FIRST [LAST]]: runs the workloads of seeds
# FIRST to LAST (1 to 100) with --check, under a policy that the seed chooses; each
# on one of five topologies, or each on all of them.  Ends at the first that fails.
set -eu
schedsim=$1 make_workload=$2 on=$3 first=${4:-1} last=${5:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

policies='baseline sis_short sis_short_skip_weight skip_weight sis_short_no_idle_arm
	sis_cache baseline:costs=none'
machines='1n1l1c1t smp4 smt8 llc2x4 numa16'

pick() { # number, words: the word of that number, modulo how many there are
	number=$1
	shift
	shift $((number % $#))
	echo "$1"
}

try() { # seed machine
	policy=$(pick "$1" $policies)
	"$make_workload" "$1" "$2" >"$work/workload.json"
	status=0
	timeout 60 "$schedsim" run "$work/workload.json" --check --policy "$policy" \
		--seed "$1" >"$work/out" 2>"$work/err" || status=$?
	if [ $status -ne 0 ]; then
		echo "seed $1 on $2 under $policy: exit status $status" >&2
		grep '^schedsim: ' "$work/err" >&2 || cat "$work/err" >&2
		exit 1
	fi
}

seed=$first
while [ "$seed" -le "$last" ]; do
	case $on in
	one) try "$seed" "$(pick "$seed" $machines)" ;;
	all) for machine in $machines; do try "$seed" "$machine"; done ;;
	esac
	seed=$((seed + 1))
done
