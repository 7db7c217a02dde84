#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Repeats the findings on writes to cpusets.  Ten seeds unless SEEDS says otherwise, JOBS
# simulations at a time.  Times are in ms: the median of the seeds, and in brackets the
# interval that holds it with 95 % confidence.
set -eu
usage="usage: cpuset.sh cpuset-writes|cpuset-map|walk-cost SCHEDSIM"
if [ $# -ne 2 ]; then
	echo "$usage" >&2
	exit 2
fi
schedsim=$(realpath "$2")
cd "$(dirname "$0")"
csv=$(mktemp --suffix .csv)
mutex_csv=$(mktemp)
trap 'rm -f "$csv" "$mutex_csv"' EXIT
open=cpuset-open.json
bursts=cpuset-bursts.json
writes=4000 # of each run

v4_15="--policy v4_15=rebuild_v4_15"
walk_mutex="--policy v5_4_mutex=rebuild_v5_4:lock=mutex"
walk="--policy v5_4=rebuild_v5_4"
count_rwsem="--policy v6_5_rwsem=rebuild_v6_5:lock=percpu_rwsem"
count="--policy v6_5=rebuild_v6_5"
list="--policy dl_list=rebuild_dl_list"

simulate() { # schedsim's words
	"$schedsim" "$@" --jobs "${JOBS:-$(nproc)}" --runs "${SEEDS:-10}" --output "$csv" \
		>/dev/null
}

# Reads the seeds' figures of writes into list[policy, figure].
read_figures='
	function sorted(policy, figure, n, i, j, x) {
		n = split(list[policy, figure], s, " ")
		for (i = 2; i <= n; i++) {
			x = s[i] + 0
			for (j = i - 1; j > 0 && s[j] + 0 > x; j--)
				s[j + 1] = s[j]
			s[j + 1] = x
		}
		return n
	}
	function median(policy, figure, n) {
		n = sorted(policy, figure)
		return (s[int((n + 1) / 2)] + s[int(n / 2) + 1]) / 2
	}
	# Of the binomial distribution with n trials of 1/2: how many samples lie outside.
	function outside(n, k, p, sum) {
		p = 0.5 ^ n
		for (k = 0; 2 * (sum += p) <= 0.05; k++)
			p *= (n - k) / (k + 1)
		return k
	}
	function with_interval(policy, figure, n, k) {
		n = sorted(policy, figure)
		k = outside(n)
		if (!k)
			return sprintf("%.1f", median(policy, figure) / 1e6)
		return sprintf("%.1f [%.1f, %.1f]", median(policy, figure) / 1e6,
			       s[k] / 1e6, s[n + 1 - k] / 1e6)
	}
	function total(policy, figure, n, i, x) {
		n = split(list[policy, figure], s, " ")
		for (i = 1; i <= n; i++)
			x += s[i]
		return x
	}
	$(NF - 1) ~ /^operations\.write cpuset\.cpus\./ {
		figure = substr($(NF - 1), 30)
		policy = $(NF - 3)
		if (!(policy in seen)) {
			seen[policy] = 1
			policies[++nr] = policy
		}
		list[policy, figure] = list[policy, figure] " " $NF
	}
'

# A line for each policy: percentiles of $2 (latency_ns or call_ns), and of what it is
# made, on average.
percentiles() { # first column, figure
	awk -F, -v row="$1" -v time="$2" "$read_figures"'
	function mean(policy, figure) {
		return median(policy, figure ".mean") / 1e6
	}
	END {
		for (i = 1; i <= nr; i++) {
			p = policies[i]
			lock = mean(p, "lock_wait_ns")
			rcu = mean(p, "grace_period_ns")
			work = mean(p, "service_ns")
			printf "%-5s %-10s %6d  %-19s %-22s %-22s %-22s %7.2f %6.2f %6.2f %6.2f\n",
			       row, p, total(p, "done"),
			       with_interval(p, time ".p50"), with_interval(p, time ".p98"),
			       with_interval(p, time ".p99"), with_interval(p, time ".p99.9"),
			       work, lock, rcu,
			       (median(p, time ".p99") - median(p, time ".p50")) / 1e6 / \
			       (median(p, "service_ns.p50") / 1e6)
		}
	}' "$csv"
}

heading() { # what the first column is
	printf "%-5s %-10s %6s  %-19s %-22s %-22s %-22s %7s %6s %6s %6s\n" "$1" policy writes \
		p50 p98 p99 p99.9 service lock RCU "p99-p50"
}

rates() {
	echo "Writes at random: latency by writes a second.  Then the means of service, of waits for"
	echo "locks and for RCU, and p99 - p50 as multiples of the median service."
	heading rate
	for rate in 0.2 0.5 1 2 4 8; do
		seconds=$(awk "BEGIN { print $writes / $rate }")
		# shellcheck disable=SC2086
		simulate $open --param rate=$rate --duration "${seconds}s" \
			$v4_15 $walk_mutex $walk $count_rwsem $count $list
		percentiles $rate latency_ns
	done
}

added() {
	echo "What the walk adds: one write in 20 s, with a mutex, against the same writes of v4_15."
	printf "%-7s %12s  %s\n" tasks "tasks x cost" "added to p50 and to the mean"
	for tasks in 1000 10000 25000 50000 100000; do
		# shellcheck disable=SC2086
		simulate $open --param rate=0.05 --duration 40000s --param population=$tasks \
			$v4_15 $walk_mutex
		awk -F, -v tasks=$tasks "$read_figures"'
		function less(figure) {
			return (median("v5_4_mutex", figure) - median("v4_15", figure)) / 1e6
		}
		END {
			printf "%-7d %12.2f  %.2f %.2f\n", tasks, tasks * 1140 / 1e6,
			       less("call_ns.p50"), less("call_ns.mean")
		}' "$csv"
	done
}

in_bursts() {
	echo "One writer in bursts: calls by writes in a burst; columns as above."
	heading burst
	for burst in 10 50 100 200; do
		# shellcheck disable=SC2086
		simulate $bursts --param burst=$burst --duration 8000s \
			$v4_15 $walk_mutex $walk $count_rwsem $count $list
		percentiles $burst call_ns
	done
}

# Sums over all seeds.
account() { # first column
	awk -F, -v row="$1" "$read_figures"'
	function sum(figure) {
		return total(p, "above_target" figure)
	}
	END {
		for (i = 1; i <= nr; i++) {
			p = policies[i]
			printf "%-24s %-10s %6d %6.2f %6d %6d %9.1f %9.1f %8.1f %9.1f %6.1f\n",
			       row, p, total(p, "done"),
			       100 * (1 - sum("") / total(p, "done")), sum(""), sum("_by_service"),
			       sum("_call_ns") / 1e6, sum("_service_ns") / 1e6,
			       sum("_lock_wait_ns") / 1e6, sum("_grace_period_ns") / 1e6,
			       sum("_rest_ns") / 1e6
		}
	}' "$csv"
}

accounts() {
	echo "Calls above 7 ms, of all seeds together: how many, how many of them by their service"
	echo "alone, and what all their calls are made of (ms)."
	printf "%-24s %-10s %6s %6s %6s %6s %9s %9s %8s %9s %6s\n" writes policy number "<=7 %" \
		above itself calls service lock RCU rest
	for rate in 1 8; do
		# shellcheck disable=SC2086
		simulate $open --param rate=$rate --duration $((writes / rate))s $count_rwsem $count
		account "at random, $rate/s"
	done
	for burst in 10 50 100 200; do
		# shellcheck disable=SC2086
		simulate $bursts --param burst=$burst --duration 8000s $count_rwsem $count
		account "bursts of $burst"
		# shellcheck disable=SC2086
		simulate $bursts --param burst=$burst --duration 4000s --param second=1 \
			$count_rwsem $count
		account "bursts of $burst, 2 writers"
	done
}

# Columns of the map for one grace period.  "all": each reported figure is met within 15 %,
# and 98 % to the percent; "near": only the share is as far off as 15 %.
cell() {
	awk -F, "$read_figures"'
	function ms(policy, stat) {
		return median(policy, "call_ns." stat) / 1e6
	}
	function worst(is, reported, x) {
		x = is / reported - 1
		x = x < 0 ? -x : x
		if (x > far)
			far = x
	}
	END {
		within = 100 * (1 - total("v6_5_rwsem", "above_target") / \
				total("v6_5_rwsem", "done"))
		worst(ms("v4_15", "p50"), 3)
		worst(ms("v4_15", "p99"), 7)
		worst(ms("v5_4", "p50"), 60)
		if (ms("v5_4", "p99") < 100)
			worst(ms("v5_4", "p99"), 100)
		worst(within, 98)
		mark = far > 0.15 ? "-" : within >= 97.5 && within < 98.5 ? "all" : "near"
		printf "  %5.1f %5.1f %5.1f %3.0f %-4s", ms("v5_4", "p50"), ms("v5_4", "p99"), within,
		       100 * far, mark
	}' "$csv"
}

beginning() { # writers, burst
	awk -F, -v writers="$1" -v burst="$2" "$read_figures"'
	END {
		printf "%7d %5d %6d  %4.2f %4.2f", writers, burst, total("v4_15", "done"),
		       median("v4_15", "call_ns.p50") / 1e6, median("v4_15", "call_ns.p99") / 1e6
	}' "$csv"
}

# 40 bursts of each writer in a run at least, lest most runs see no two of them meet.
of_burst() { # writers, burst, schedsim's words
	writers=$1
	burst=$2
	shift 2
	simulate $bursts --param burst="$burst" --duration $((burst > 50 ? 80 * burst : 4000))s \
		--param second=$((writers > 1)) --param third=$((writers > 2)) \
		--param fourth=$((writers > 3)) "$@"
}

map() {
	echo "Calls: p50 and p99 under v4_15 and, for each grace period (ms), under v5_4, and how many"
	echo "percent take at most 7 ms under v6_5_rwsem.  Reported: 3 and 7 ms; 60 and more than 100;"
	echo "98 %.  off is by how many percent the worst of them is missed."
	printf "%20s  %-9s" "" v4_15
	for rcu in 0 20-50 40-100; do
		printf "  %-27s" "RCU $rcu"
	done
	printf "\n%7s %5s %6s  %4s %4s" writers burst writes p50 p99
	for rcu in 0 20-50 40-100; do
		printf "  %5s %5s %5s %3s %-4s" p50 p99 "<=7 %" off ""
	done
	echo
	for writers in 1 2 3 4; do
		for burst in 1 2 5 10 20 50 75 100 200 500; do
			# shellcheck disable=SC2086
			of_burst $writers $burst $v4_15
			cp "$csv" "$mutex_csv"
			beginning "$writers" "$burst"
			for rcu in 0-0 20-50 40-100; do
				# shellcheck disable=SC2086
				of_burst $writers $burst --param "rcu_from=${rcu%-*}ms" \
					--param "rcu_to=${rcu#*-}ms" $walk $count_rwsem
				cat "$mutex_csv" >>"$csv"
				cell
			done
			echo
		done
	done
}

# The simulator's own time and memory are of this machine, and of all of a run.
walk_cost() {
	echo "A write in 100 s for 10000 s under v5_4 with a mutex, by tasks that sleep: the median of the"
	echo "calls in ms, and what schedsim took."
	printf "%8s %12s %10s %8s %6s\n" tasks "tasks walked" p50 seconds MiB
	for tasks in 1000 10000 100000 1000000; do
		# shellcheck disable=SC2086
		"$(command -v time)" -f "%e %M" -o "$csv.time" "$schedsim" $open --duration 10000s \
			--param rate=0.01 --param population=$tasks $walk_mutex --output "$csv" >/dev/null
		awk -F, -v tasks=$tasks -v used="$(cat "$csv.time")" "$read_figures"'
		END {
			split(used, u, " ")
			printf "%8d %12d %10.2f %8.2f %6d\n", tasks,
			       total("v5_4_mutex", "tasks_walked") / total("v5_4_mutex", "done"),
			       median("v5_4_mutex", "call_ns.p50") / 1e6, u[1], u[2] / 1024
		}' "$csv"
		rm "$csv.time"
	done
}

case $1 in
cpuset-writes)
	added
	echo
	rates
	echo
	in_bursts
	echo
	accounts
	;;
cpuset-map) map | sed 's/ *$//' ;;
walk-cost) walk_cost ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
