#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tables: of one experiment, and of several result files.
. "$(dirname "$0")/lib.sh"

# the head says what was run
ends 0 ping.json --policy baseline:NO_WA_WEIGHT,latency_ns=7000000 --policy late=sis_short:idle_arm=0 \
	--seed 3 --runs 2 --param work=0.5
prints 'workload   ping.json'
prints 'params     work=0.5'
prints '1n1l4c1t: 4 CPUs, 1 LLC, 1 node'
prints '6.1-lts, HZ 250, preempt voluntary'
prints 'baseline:NO_WA_WEIGHT,latency_ns=7000000: the kernel'
prints 'late = sis_short:idle_arm=0'
prints 'seed       3 to 4, the same for each policy'
prints 'requests of clients'
prints 'tasks server'
prints 'tasks other'

# too few runs for an interval, and enough
prints 'takes --runs 6 or more'
ends 0 ping.json --runs 6 --policy baseline --policy same=baseline
prints 'Medians of 6 runs.'
prints '  equal'
ends 0 ping.json --runs 6 --policy baseline --policy slow=baseline:latency_ns=100000000,NO_WAKEUP_PREEMPTION
grep -qE '%  *\[|% \[' out || fail "no interval is shown: $(cat out)"
prints 'no difference shown'

# ladders run each step
ends 0 ping.json --param work=1..3:3
for work in 1 2 3; do
	prints "params     work=$work"
done

# compare
ends 0 ping.json --runs 6 --output a.json
ends 0 ping.json --runs 6 --output b.json --policy baseline:NO_WAKEUP_PREEMPTION
ends 0 compare a.json a.json
prints 'policy     baseline'
prints 'policy     sis_short'
prints '  equal'
ends 2 compare a.json
says 'schedsim: compare: expected two result files or more, got 1'
ends 2 compare a.json b.json
says 'schedsim: expected results with a case and a policy in common, got none'
ends 0 ping.json --runs 6 --output c.json --policy baseline
ends 0 compare c.json b.json
prints 'against c.json'
prints 'policy     baseline, in b.json baseline:NO_WAKEUP_PREEMPTION'

# what is compared with something else, or with nothing, is said
ends 0 ping.json --runs 8 --duration 20ms --machine 1n1l2c1t --output other.json \
	--policy baseline:NO_WA_WEIGHT --policy sis_short --policy new=baseline
ends 0 compare a.json other.json
prints 'warning    other.json: machine: 1n1l2c1t: 2 CPUs, 1 LLC, 1 node'
prints 'warning    other.json: simulated: 20.0ms, after 10.0ms of warm-up'
prints 'warning    other.json: 6 of 8 runs are compared, those whose seeds all files have'
prints 'warning    a.json: policy baseline is not in other.json'
prints 'warning    other.json: policy new is not in a.json'
ends 0 ping.json --param work=1..2:2 --output steps.json
ends 0 ping.json --param work=1..3:3 --output more.json
ends 0 compare steps.json more.json
prints 'warning    more.json: ping.json with work=3 is not in steps.json'
ends 0 compare a.json a.json
grep -q '^warning' out && fail "a result is warned of beside itself: $(cat out)"
ends 0 ping.json --seed 100 --output d.json --policy baseline
ends 2 compare c.json d.json
says 'schedsim: expected results with a seed in common, got none'
ends 2 compare a.json ping.json
echo >>ping.json
ends 0 ping.json --runs 6 --output e.json --policy baseline
ends 0 compare c.json e.json
prints 'warning    e.json: ping.json is another file than ping.json in c.json'

done_testing
