#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the six rt-app files here with rt-app on this machine and with schedsim on one of
# two CPUs, and writes what differs to table.txt.  README.md says how to read it.
#
# Needs rt-app, two CPUs that nobody else uses, and the right to real-time policies.
# In the environment: RTAPP (the program), REPEAT (runs of rt-app, of which the median
# counts; 3), TRIES (how often a run is made again at most; 8), SECONDS_EACH (5), TABLE
# (table.txt).
# Ends with 0 if all is within the tolerance, 1 if not, 2 if something could not be run.
set -eu
schedsim=$(realpath "${1:?usage: run.sh SCHEDSIM}")
cd "$(dirname "$0")"
here=$PWD
rtapp=${RTAPP:-rt-app}
repeat=${REPEAT:-3}
tries=${TRIES:-8}
seconds=${SECONDS_EACH:-5}
table=${TABLE:-$here/table.txt}
files='periodic shared-cpu locks fifo deadline chain'
loop_ns=100 # what rt-app is told that a loop takes; run events are scaled to make up
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM

give_up() {
	echo "run.sh: $*" >&2
	exit 2
}

# rt_app FILE FOLDER: its logs are in FOLDER afterwards.
rt_app() {
	mkdir -p "$2"
	(cd "$2" && taskset -c 0,1 "$rtapp" "$1") >"$work/said" 2>&1 ||
		give_up "rt-app failed on $1: $(tail -n 1 "$work/said")"
}

# ns that a loop of rt-app takes just now, with three places: the median of many runs on
# each CPU, before which nobody but the hypervisor comes.
measure_loop() {
	cat >"$work/measure.json" <<-EOF
	{"tasks": {
		"cpu0": {"cpus": [0], "loop": 1, "phases": {"p": {"loop": 20, "run": 100000}}},
		"cpu1": {"cpus": [1], "loop": 1, "delay": 500000,
			"phases": {"p": {"loop": 20, "run": 100000}}}},
	"global": {"duration": 2, "calibration": $loop_ns, "log_size": 1,
		"default_policy": "SCHED_FIFO"}}
	EOF
	rm -rf "$work/measure"
	rt_app "$work/measure.json" "$work/measure"
	# run is in us; each was 100000 us / loop_ns loops
	awk '!/^#/ && $9 == 100000 { print $3 }' "$work"/measure/*.log | sort -n |
		awk -v loop_ns="$loop_ns" '{ us[NR] = $1 }
			END { if (NR) printf "%.3f", us[int((NR + 1) / 2)] * loop_ns / 100000 }'
}

# The file for rt-app: told a calibration, with each run event as long as it is to be.
scaled() {
	awk -v loop_ns="$loop_ns" -v ns="$2" -v seconds="$seconds" '{
		rest = $0
		line = ""
		while (match(rest, /"run[0-9]*": [0-9]+/)) {
			event = substr(rest, RSTART, RLENGTH)
			colon = index(event, ":")
			line = line substr(rest, 1, RSTART - 1) substr(event, 1, colon) \
				sprintf(" %.0f", substr(event, colon + 1) * loop_ns / ns)
			rest = substr(rest, RSTART + RLENGTH)
		}
		line = line rest
		sub(/"calibration": "CPU0"/, "\"calibration\": " loop_ns, line)
		sub(/"duration": [0-9]+/, "\"duration\": " seconds, line)
		print line
	}' "$1"
}

# sums WHO CUT LOG...: "TASK WHO activations run_us missed"; no timer: missed is "-".
# @CUT: the last row is of a turn that the end cut short, which rt-app logs all the same.
sums() {
	who=$1
	cut=$2
	shift 2
	for log in "$@"; do
		task=$(basename "$log" .log)
		task=${task#rt-app-}
		awk -v who="$who" -v cut="$cut" -v task="${task%-*}" '
			!/^#/ { n++; run[n] = $3; late[n] = $8 < 0; timer = timer || $10 > 0 }
			END {
				n -= n && cut
				for (i = 1; i <= n; i++) { sum += run[i]; missed += late[i] }
				print task, who, n + 0, sum + 0, timer ? missed + 0 : "-"
			}' "$log"
	done
}

# One line for each task from those sums: the medians of the real runs, the simulated one,
# and whether they agree within 2 %, or by one turn where they are counted.
compare() {
	awk -v file="$1" '
		function median(list, nr,    i, j, t, a) {
			nr = split(list, a, " ")
			for (i = 2; i <= nr; i++)
				for (j = i; j > 1 && a[j] + 0 < a[j - 1] + 0; j--) {
					t = a[j]; a[j] = a[j - 1]; a[j - 1] = t
				}
			return a[int((nr + 1) / 2)] + 0
		}
		function cell(real, sim, scale, near,    change, off) {
			change = real ? (sim - real) * 100 / real : sim ? 100 : 0
			off = change < 0 ? -change : change
			if (off > 2 && (sim - real > near || real - sim > near))
				bad = 1
			return sprintf(" %9.*f %9.*f %+6.1f%%", scale > 1, real / scale,
				scale > 1, sim / scale, change)
		}
		!($1 in seen) { seen[$1] = 1; order[++nr] = $1 }
		$2 == "real" { n[$1] = n[$1] " " $3; run[$1] = run[$1] " " $4; late[$1] = late[$1] " " $5 }
		$2 == "simulated" { sn[$1] = $3; srun[$1] = $4; slate[$1] = $5 }
		END {
			for (i = 1; i <= nr; i++) {
				t = order[i]
				bad = 0
				row = sprintf("%-11s %-10s", file, t)
				row = row cell(median(n[t]), sn[t], 1, 1)
				row = row cell(median(run[t]), srun[t], 1000, 0)
				if (slate[t] == "-")
					row = row sprintf(" %9s %9s %7s", "-", "-", "-")
				else
					row = row cell(median(late[t]), slate[t], 1, 1)
				print row (bad ? "  beyond" : "")
			}
		}'
}

# Whether the machine was as fast after a run as before it, within 1 %.
is_steady() {
	awk -v before="$1" -v after="$2" 'BEGIN {
		change = after / before - 1
		exit !(change < 0.01 && change > -0.01)
	}'
}

# real FILE RUN: rt-app's logs are in $work/FILE/RUN.  A run during which the machine's
# speed changed says nothing of the file, and is made again.
real() {
	for _ in $(seq "$tries"); do
		before=$(measure_loop)
		[ -n "$before" ] || give_up "expected logs of rt-app, got none"
		scaled "$1.json" "$before" >"$work/real.json"
		rm -rf "${work:?}/$1/$2"
		rt_app "$work/real.json" "$work/$1/$2"
		after=$(measure_loop)
		if is_steady "$before" "$after"; then
			echo "$before" >>"$work/loops"
			return
		fi
		echo "$1: a loop took $before ns before and $after ns after" >>"$work/discarded"
	done
	give_up "expected a machine of steady speed, got: $(tail -n 1 "$work/discarded")"
}

command -v "$rtapp" >/dev/null || give_up "expected rt-app, got none"
: >"$work/loops"
: >"$work/discarded"
{
	echo "rt-app: $(uname -sr), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
		"median of $repeat runs of $seconds s"
	echo "schedsim: $("$schedsim" --version | head -n 1), 1n1l2c1t"
	echo
	printf '%-22s %27s %27s %27s\n' '' activations 'run time, ms' 'missed periods'
	printf '%-11s %-10s' file task
	for _ in 1 2 3; do
		printf ' %9s %9s %7s' real simulated change
	done
	echo
} >"$work/table"
for file in $files; do
	"$schedsim" "$file.json" --machine 1n1l2c1t --policy baseline --duration "${seconds}s" \
		--rtapp-logs "$work/$file/simulated" >/dev/null || give_up "schedsim failed on $file.json"
	for i in $(seq "$repeat"); do
		real "$file" "$i"
		sums real 1 "$work/$file/$i"/*.log
	done >"$work/sums"
	sums simulated 0 "$work/$file"/simulated/*.log >>"$work/sums"
	compare "$file" <"$work/sums" >>"$work/table"
done
sort -n "$work/loops" | awk -v discarded="$(wc -l <"$work/discarded")" '
	NR == 1 { least = $1 }
	END { printf "\n%s to %s ns a loop; %d runs discarded\n", least, $1, discarded }' \
	>>"$work/table"
sed -i 's/ *$//' "$work/table"
cat "$work/table"
cp "$work/table" "$table"
! grep -q ' beyond$' "$table"
