#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Repeats a finding: prints what its table reads from it, once with each level of costs.
# JOBS simulations at a time; WHOLE=1 prints every figure.
set -eu
names="k2 l stacking neighbours ladder refill idle-arm pairs pairs-costs sis-efficiency heavy-short short-pair tbench tbench-disturbed rebuild-table resume both cpuset-writes cpuset-map walk-cost"
if [ $# -lt 2 ]; then
	echo "usage: run.sh NAME SCHEDSIM [COSTS...]; NAME is one of $names" >&2
	exit 2
fi
name=$1
schedsim=$(realpath "$2")
shift 2
cd "$(dirname "$0")/../.."
here=results/findings
[ "$name" != rebuild-table ] || exec "$here/$name/table.sh" "$schedsim" # of no time
case $name in
cpuset-* | walk-cost) # costs are their input
	exec "$here/cpuset.sh" "$name" "$schedsim"
	;;
esac
[ $# -gt 0 ] || set -- none 100% 50% 200%
jobs=${JOBS:-$(nproc)}
text=$(mktemp)
trap 'rm -f "$text"' EXIT

# Of schedsim's text, the lines whose SECTION/FIGURE or SECTION/FIGURE/STATISTIC match
# $keep, and what they belong to.
kept() {
	if [ -n "${WHOLE:-}" ]; then
		cat
		return
	fi
	awk -v keep="^($keep)\$" '
		/^(workload|Medians|Changes)/ { top = 1 }
		top {
			if (/^(workload|params|simulated|seed|Medians|Changes)/ && said[$1] != $0)
				print
			if (!/^Changes/)
				said[$1] = $0
			if (match($0, /^ +/) && RLENGTH >= 25) {
				print
				top = 0
			}
			next
		}
		/^[^ ]/ { section = $0; shown = 0; next }
		{
			if (/^  [^ ]/) {
				figure = substr($0, 3)
				sub(/   .*/, "", figure)
				named = 0
			}
			key = section "/" figure
			if (match($0, / (count|mean|min|p50|p90|p95|p99|p99\.9|max) /))
				key = key "/" substr($0, RSTART + 1, RLENGTH - 2)
			if (key !~ keep)
				next
			if (!shown++)
				print section
			if (!named++ && /^     /)
				$0 = sprintf("  %-28s", figure) substr($0, 31)
			print
		}'
}

run() { # costs, then schedsim's words; columns come from $policies
	costs=$1
	shift
	echo "== costs $costs"
	for policy in $policies; do
		case $policy in
		*=*:*) set -- "$@" --policy "${policy%%:*}:costs=$costs,${policy#*:}" ;;
		*=*) set -- "$@" --policy "$policy:costs=$costs" ;;
		*) set -- "$@" --policy "$policy=$policy:costs=$costs" ;;
		esac
	done
	"$schedsim" -j "$jobs" "$@" >"$text"
	kept <"$text" | $further
}

# Likewise with rebuild policies, under $wakeup.
rebuild() {
	echo "== wakeups $wakeup"
	for policy in $policies; do
		set -- "$@" --policy "$policy=$wakeup+rebuild_$policy"
	done
	"$schedsim" -j "$jobs" "$@" >"$text"
	kept <"$text"
}

# In place of counts, what was published of idle searches: how many wakeups needed none (target, prev or
# the CPU used before was idle), how many found an idle CPU or needed none, and how many
# wakeups there are to each CPU looked at, a wakeup without a search counted as one.
rates() {
	awk '
		function share(part) { return part > 0 ? 100 * part / wakeups : 0 }
		function line() {
			if (wakeups)
				printf "  fast rate %.1f %%, success %.1f %%, efficiency %.1f %%\n",
					share(wakeups - searches), share(wakeups - failures),
					100 * wakeups / (wakeups - searches + probes)
			wakeups = searches = probes = failures = 0
		}
		/^(workload|params)/ {
			line()
			print
		}
		/^  ttwu / { wakeups = $NF }
		/^  idle searches / { searches = $NF }
		/^  idle probes / { probes = $NF }
		/^  idle search failures / { failures = $NF }
		END { line() }'
}

requests="requests of requests/(throughput|pending at the end|request latency/(p50|p99|p99.9))"
policies="baseline sis_short sis_short_skip_weight skip_weight sis_short_no_idle_arm"
keep="$requests"
further="cat"
wakeup=baseline
for costs in "$@"; do
	case $name in
	k2 | l)
		policies="baseline sis_short skip_weight"
		flips=
		[ "$name" = k2 ] || flips="--param flips=0..18:2"
		run "$costs" "$here/$name.json" --runs 30 $flips
		if [ "$costs" = none ]; then
			run none "$here/$name.json" --runs 30 --duration 10s $flips
		fi
		;;
	stacking) # the best points of search.txt, with seeds that no search used
		policies="baseline skip_weight"
		for point in "0 10000" "1 10000" "2 10000" "4 9000"; do
			run "$costs" "$here/stacking.json" --seed 101 --runs 20 \
				--param free="${point% *}" --param rate="${point#* }"
		done
		run "$costs" "$here/stacking.json" --seed 201 --runs 20 --duration 10s
		;;
	neighbours) # the best points of the proxy in search.txt
		policies="baseline skip_weight"
		for point in "0.5 32" "0.65 16"; do
			run "$costs" workloads/redis-proxy.json --seed 101 --runs 20 \
				--warmup 500ms --duration 500ms \
				--param load="${point% *}" --param neighbour="${point#* }"
		done
		run "$costs" workloads/redis-proxy.json --seed 101 --runs 20 \
			--warmup 500ms --duration 3s --param load=0.5 --param neighbour=32
		;;
	ladder)
		run "$costs" workloads/redis-proxy.json --runs 20 --duration 200ms --param load=0.5..0.98:13
		;;
	refill)
		[ "$costs" != none ] || continue # no refills there
		keep="$requests|all tasks/(CPU time|cache refill)|tasks .*/cache refill|machine/migrations(, .*)?"
		for policy in baseline sis_short sis_short_skip_weight skip_weight; do
			policies="no_refill=$policy:migration_llc_ns=0 $policy"
			run "$costs" workloads/redis-proxy.json --runs 20 --duration 150ms --param load=0.5..0.9:3
		done
		;;
	idle-arm)
		policies="sis_short_no_idle_arm sis_short"
		run "$costs" "$here/redis-nosync.json" --runs 20 --param load=0.85 --duration 150ms
		;;
	pairs)
		policies="baseline sis_short"
		keep="all tasks/activations"
		run "$costs" "$here/pairs.json" --runs 20 --duration 60ms --param pairs=8..16:9
		;;
	pairs-costs) # without single costs, and with few
		case $costs in
		100%) settings="select_to_enqueue_ns=0 wakeup_ipi_ns=0 migration_llc_ns=0 idle_c1_exit_ns=0,idle_c1e_exit_ns=0 context_switch_ns=0" ;;
		none) settings="select_to_enqueue_ns=300 select_to_enqueue_ns=300,wakeup_ipi_ns=1000" ;;
		*) continue ;;
		esac
		keep="all tasks/activations"
		for setting in $settings; do
			echo "with $setting"
			policies="baseline=baseline:$setting sis_short=sis_short:$setting"
			run "$costs" "$here/pairs.json" --runs 20 --duration 60ms --param pairs=11..13:3
		done
		;;
	sis-efficiency)
		policies="prop=baseline:NO_SIS_UTIL,SIS_PROP"
		further=rates
		keep="machine/(ttwu|idle searches|idle probes|idle search failures)"
		run "$costs" "$here/sis-efficiency.json" --runs 6 --param pairs=14..112:8
		run "$costs" "$here/pairs.json" --machine 1n1l56c2t --runs 6 --warmup 20ms \
			--duration 30ms --param pairs=14..112:8
		run "$costs" workloads/schbench.json --machine 1n1l56c2t --runs 6 --duration 2s \
			--param workers=28 --param messengers=1..8:8
		;;
	heavy-short)
		policies="baseline sis_short sis_short_skip_weight skip_weight"
		keep="tasks heavy/(wakeup latency|run delay)/(count|p99|max)|tasks heavy/activations"
		run "$costs" workloads/heavy-short-sleep.json workloads/heavy-short-nice.json --runs 20
		;;
	short-pair)
		policies="baseline sis_short sis_short_no_idle_arm"
		keep="tasks p[io]ng/(wakeup latency|run delay)/(count|p50|p99|max)|tasks p[io]ng/activations"
		run "$costs" workloads/short-pair.json --runs 20
		;;
	tbench | tbench-disturbed)
		policies="compared=baseline not_compared=baseline:NO_WA_WEIGHT"
		keep="all tasks/(run delay|wakeup latency)/(p99|p99.9|max)|tasks client/activations|machine/(affine attempts|affine placed|migrations)"
		ladder=
		[ "$name" = tbench ] || ladder="--param hogs=0..2:3"
		run "$costs" "$here/$name.json" --runs 20 $ladder
		;;
	resume) # the cost of a visit is what the claim is about; other levels say no more
		[ "$costs" = 100% ] || continue
		keep="operations: (suspend|resume)/(latency|walk)/(count|min|p50|p99|max)|operations: (suspend|resume)/(domains built|walks|tasks walked|bandwidth.*|refused.*)|root domain.*|tasks ui/timer overrun/(count|p50|max)"
		for setting in deadline=0 deadline=10 beside=10; do
			policies="v4_15 v5_4 v3 v3_guard v6_5 v6_15 v6_19"
			rebuild workloads/suspend-resume.json --runs 20 --param $setting
		done
		;;
	both)
		[ "$costs" = 100% ] || continue
		keep="$requests|requests of requests/request latency/max|operations: .*/(call|lock wait|walk)/(p50|max)"
		policies="v5_4 v6_5"
		for wakeup in baseline sis_short_skip_weight; do
			rebuild workloads/redis-cpuset.json --runs 20
		done
		;;
	*)
		echo "run.sh: expected one of $names, got $name" >&2
		exit 2
		;;
	esac
done
