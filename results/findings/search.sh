#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Searches for where leaving out the comparison of loads (skip_weight) helps most, and
# prints all points, best first.  The metric is the ratio of the p99s, baseline over
# skip_weight, where throughputs are equal to 1 %; other points come after those.
# Costs none; the median of the seeds.  876 runs; JOBS at a time.
set -eu
if [ $# -ne 1 ]; then
	echo "usage: search.sh SCHEDSIM" >&2
	exit 2
fi
schedsim=$(realpath "$1")
cd "$(dirname "$0")/../.."
here=results/findings
csv=$(mktemp --suffix .csv)
found=$(mktemp)
trap 'rm -f "$csv" "$found"' EXIT

try() { # number of seeds, workload, schedsim's words
	seeds=$1
	shift
	"$schedsim" -j "${JOBS:-$(nproc)}" "$@" --runs "$seeds" --output "$csv" \
		--policy baseline=baseline:costs=none \
		--policy skip_weight=skip_weight:costs=none >/dev/null
	awk -F, -v workload="$(basename "$1")" '
		function median(list, n, sorted, i, j, x) {
			n = split(list, sorted, " ")
			for (i = 2; i <= n; i++) {
				x = sorted[i] + 0
				for (j = i - 1; j > 0 && sorted[j] + 0 > x; j--)
					sorted[j + 1] = sorted[j]
				sorted[j + 1] = x
			}
			return (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2
		}
		NR == 1 { next }
		{
			figure = $(NF - 1)
			seed = $(NF - 2)
			policy = $(NF - 3)
			point = $2
			for (i = 3; i < NF - 3; i++)
				point = point " " $i
			gsub(/"/, "", point)
		}
		figure ~ /\.throughput_per_s$/ { rate[point, policy, seed] = $NF }
		figure ~ /\.request_latency_ns\.p99$/ {
			p99[point, policy, seed] = $NF
			points[point] = 1
			seeds[seed] = 1
		}
		END {
			for (point in points) {
				ratio = change = base = skip = ""
				for (seed in seeds) {
					b = p99[point, "baseline", seed]
					s = p99[point, "skip_weight", seed]
					base = base " " b
					skip = skip " " s
					ratio = ratio " " b / s
					change = change " " rate[point, "skip_weight", seed] / rate[point, "baseline", seed] - 1
				}
				c = 100 * median(change)
				printf "%d %.1f %.3f %.3f %+.1f %s %s\n", (c >= -1 && c <= 1), median(ratio),
					median(base) / 1e6, median(skip) / 1e6, c, workload, point
			}
		}' "$csv" >>"$found"
}

# Neighbours on the other CPUs and on the waker's, load, and bursts.
for rate in 10000 11000 11500 12000; do
	for batch in 4 8 16; do
		try 3 $here/stacking.json --param free=0 --param hogs=6..12:4 --param hogs0=1..2:2 \
			--param rate=$rate --param batch=$batch
	done
done
# The weight of the group of the short tasks.
for shares in 2048 8192 32768; do
	try 2 $here/l.json --duration 1s --param shares=$shares --param hogs=4..8:2 \
		--param rate=9000..11000:3 --param batch=4..8:2
done
# Neighbours that may use any CPU.
for free in 1 2 4; do
	try 2 $here/stacking.json --param free=$free --param hogs0=1..2:2 --param rate=9000..10000:2
done
# The proxy with such neighbours.
for batch in 2 8 32; do
	try 2 workloads/redis-proxy.json --duration 150ms --param load=0.5..0.8:3 \
		--param neighbour=16..48:3 --param batch=$batch
done

echo "p99 ratio, p99 of baseline and of skip_weight in ms, change of throughput in %, point"
sort -k1,1nr -k2,2nr "$found" | awk '
	!$1 && !apart++ { print "throughputs not equal to 1 %:" }
	{ $1 = ""; print substr($0, 2) }'
echo "points $(wc -l <"$found"), with a ratio of 10 and more: $(awk '$1 && $2 >= 10' "$found" | wc -l), of 100 and more: $(awk '$1 && $2 >= 100' "$found" | wc -l)"
