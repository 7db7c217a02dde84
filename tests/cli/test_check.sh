#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check ends with 0, 1 or 125 and nothing else.
. "$(dirname "$0")/lib.sh"

ends 0 ping.json --runs 2 --param work=1..2:2 --policy baseline \
	--policy x=baseline:NO_WA_WEIGHT --machine 1n1l2c2t --output good.json

# equal
ends 0 check ping.json --against good.json
prints 'good.json: equal results in all 8 runs'
cp ping.json moved.json
ends 0 check moved.json --against good.json -j 2

# different: which figure, and by how much
sed '0,/"ttwu_count": [0-9]*/s//"ttwu_count": 1/' good.json >other.json
ends 1 check ping.json --against other.json
prints 'ping.json with work=1, policy baseline, seed 1: machine.ttwu_count: was 1, is '
prints 'other.json: results differ'

# limits
ends 0 check ping.json --against good.json --limit 'request_latency_ns.p99:+5%,50us'
prints 'good.json: within the limits in all 8 runs'
sed 's/\("request_latency_ns":.*"p99": \)[0-9]*/\11/' good.json >fast.json
ends 1 check ping.json --against fast.json --limit 'request_latency_ns.p99:+5%,1us'
prints 'fast.json: a limit was passed'
ends 0 check ping.json --against fast.json --limit 'request_latency_ns.p99:+5%,100s'
ends 0 check ping.json --against fast.json --limit 'request_latency_ns.p50:0%'

# of operations, by the name that tables have
cat >writes.json <<'END'
{"machine": "1n1l2c1t", "duration": "50ms",
 "cgroups": {"version": 1, "web": {"cpuset.cpus": "0", "cpuset.mems": 0}},
 "tasks": {"web": {"cgroup": "/web", "run": 100, "sleep": 900}},
 "operations": [{"at": "1ms", "every": "5ms", "write":
	{"path": "/web", "file": "cpuset.cpus", "value": ["0-1", "0"]}}]}
END
ends 0 writes.json --policy rebuild_v6_5 --output written.json
ends 0 check writes.json --against written.json --limit 'write cpuset.cpus.latency_ns.p98:0%'
sed 's/\("p98": \)[0-9]*/\11/g' written.json >quick.json
ends 1 check writes.json --against quick.json --limit 'write cpuset.cpus.latency_ns.p98:+5%'
prints 'operations.write cpuset.cpus.latency_ns.p98: was 1ns, is '
ends 0 check writes.json --against quick.json --limit 'write cpuset.cpus.latency_ns.p99:0%'

# cannot judge
ends 125 check
ends 125 check ping.json
says 'schedsim: check: expected --against RESULT.json, got none'
ends 125 check ping.json --against none.json
says 'schedsim: none.json: expected to read it: No such file or directory'
ends 125 check none.json --against good.json
ends 125 check ping.json --against good.json --bogus
ends 125 check ping.json --against good.json --seed 2
ends 125 check ping.json ping.json --against good.json
says 'schedsim: good.json: expected 1 workloads as in the reference, got 2'
ends 125 check ping.json --against good.json --limit nonsense
ends 125 check ping.json --against good.json --limit 'no_such:5%'
ends 125 check ping.json --against good.json --limit 'all.wakeups:5us'
says 'schedsim: --limit: expected a bound in the unit of all.wakeups, got a time'
echo >>moved.json
ends 125 check moved.json --against good.json
grep -q 'moved.json: expected the file of the reference, ping.json with sha256' err ||
	fail "a changed workload is not named: $(cat err)"
for cut in 1 10 100 1000 5000; do
	head -c $cut good.json >half.json
	ends 125 check ping.json --against half.json
done
: >empty.json
ends 125 check ping.json --against empty.json
ends 125 check ping.json --against ping.json

done_testing
