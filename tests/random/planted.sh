#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# planted.sh MAKE_WORKLOAD: plants one bug after the other in a copy of the tree and
# demands that the random workloads find each.  Says which of them did, and how.
set -eu
make_workload=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/tree"
cp -r "$top/CMakeLists.txt" "$top/include" "$top/sim" "$work/tree"
cmake -S "$work/tree" -B "$work/build" -DBUILD_TESTING=OFF >/dev/null

missed=0
plant() { # what file sed-script
	sed "$3" "$top/$2" >"$work/tree/$2"
	if cmp -s "$top/$2" "$work/tree/$2"; then
		echo "$1: expected a place for it in $2, found none" >&2
		exit 2
	fi
	cmake --build "$work/build" --parallel 2 >/dev/null
	if "$top/tests/random/run.sh" "$work/build/schedsim" "$make_workload" one \
		>"$work/found" 2>&1; then
		echo "$1: not found" >&2
		missed=1
	else
		echo "$1: found by"
		sed 's/^schedsim: [^:]*: /  /' "$work/found"
	fi
	cp "$top/$2" "$work/tree/$2"
}

plant 'h_nr_running does not count down' sim/sched/fair.c \
	'/^\t\tcfs_rq->h_nr_running--;$/d'
plant 'the fiftieth wakeup is dropped' sim/sched/ttwu.c \
	'/^\tif (t->state != TASK_INTERRUPTIBLE/i\
	static int woken; if (++woken == 50) return true;'
plant 'a chosen CPU is never told' sim/sched/ttwu.c \
	's/^\t\tdriver->send_ipi(driver->data, rq);$/\t\t;/'
plant 'a message wakes nobody' sim/workload/channels.c \
	'/^\t\tthread_wake(t, by, wake_flags);$/d'
plant 'a reservation stays where its task was' sim/sched/dl_bandwidth.c \
	'/^void dl_bandwidth_migrate/,/^}/{/sub_rq_bw/d;}'
plant "a group's load does not follow its queues'" sim/sched/fair_group.c \
	'/^void update_tg_load_avg/,/^}/{/tg->load_avg +=/d;}'
plant 'timers stay on a CPU that goes off' sim/workload/cpu_power.c \
	'/^\tmove_timers(c);$/d'
exit $missed
