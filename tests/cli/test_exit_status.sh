#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Exit status and message of what can go wrong before anything runs.
. "$(dirname "$0")/lib.sh"

ends 0 ping.json
ends 0 run ping.json
ends 0 -j2 -s7 -r2 ping.json
prints 'seed       7 to 8'
ends 0 ping.json --duration=20ms -w 1ms
ends 0 --help
prints '[+NAME[:SETTING,...]]'
prints workloads/README.md
ends 0 check --help
ends 0 --version
ends 0 validate ping.json
prints "ping.json: valid"

# arguments
ends 2
says 'schedsim: run: expected a workload file, got none; see --help'
ends 2 --no-such-option ping.json
says 'schedsim: unknown option --no-such-option'
ends 2 ping.json --seed
says 'schedsim: missing argument for --seed'
ends 2 ping.json --seed -1
says 'schedsim: --seed: expected a whole number from 0 to 9007199254739991, got "-1"'
ends 2 ping.json --seed 99999999999999999999999
ends 2 ping.json --runs 0
says 'schedsim: --runs: expected a whole number from 1 to 1000, got "0"'
ends 2 ping.json -j 0
says 'schedsim: --jobs: expected a whole number from 1 to 1024, got "0"'
ends 2 ping.json --duration 5
says 'schedsim: --duration: expected a time with its unit such as "250us", got "5"'
ends 2 ping.json --duration 0s
says 'schedsim: --duration: expected a time above 0, got "0s"'
ends 2 ping.json --duration 9007199254740992ns
says 'schedsim: --duration: expected a time of less than 2^53 ns, got "9007199254740992ns"'
ends 0 validate ping.json --duration 9007199254740991ns --warmup 9007199254740991ns
ends 2 ping.json --warmup 10000000s
ends 2 ping.json --format xml
says 'schedsim: --format: expected text, json or csv, got "xml"'
ends 2 ping.json --param work
says 'schedsim: --param: expected NAME=VALUE or NAME=FROM..TO:STEPS, got "work"'
ends 2 ping.json --param work=1..0:3 --param work=2
says 'schedsim: --param: expected each parameter once, got "work" again'
sed 's/work\*150us/150us\/work/' ping.json >divide.json
ends 2 divide.json --param work=1..0:3
says 'schedsim: --param work=0: divide.json: tasks.server.run: division by 0 in "150us/work"'
ends 2 ping.json --policy nope
ends 2 ping.json --policy ''
ends 2 ping.json --policy baseline:
ends 2 ping.json --policy baseline --policy baseline
says 'schedsim: --policy baseline: expected a label of its own, got "baseline" twice'
ends 2 ping.json --machine ''
ends 2 ping.json --output same --decisions same
ends 2 ping.json ''
ends 2 ping.json --output ''
says 'schedsim: --output: expected the name of a file, got ""'
ends 2 ping.json --decisions ''
says 'schedsim: --decisions: expected the name of a file, got ""'

# options that mean one thing, twice
for option in seed=1 runs=1 jobs=1 duration=5ms warmup=5ms machine=smt8 format=csv output=x decisions=x; do
	ends 2 ping.json --$option "--$option"
	value=${option#*=}
	says "schedsim: --${option%%=*}: expected it once, got \"$value\" and \"$value\""
done
ends 2 ping.json -j2 --jobs 2
ends 125 check ping.json --against x --against x
says 'schedsim: --against: expected it once, got "x" and "x"'

# a message is one line, and does nothing to a terminal
ends 2 "$(printf 'none\n\033[2J.json')"
says 'schedsim: none??[2J.json: expected to read it: No such file or directory'

sed 's/"tasks"/"about": "two\\nlines", "tasks"/' ping.json >lines.json
ends 0 lines.json
prints 'about      two lines'
ends 2 ping.json --policy "$(printf 'a\nb=baseline')"

# senders that nobody keeps up with end in a message, not in want of memory
cat >flood.json <<'EOF'
{"duration": "10s", "channels": {"in": 1}, "tasks": {"t": {"recv": "in", "run": 1}},
 "sources": {"s": {"arrivals": "fixed", "interval": "1ms", "batch": 900000, "to": "in"}}}
EOF
ends 2 flood.json --policy baseline
says 'schedsim: flood.json: policy baseline, seed 1: channels.in: expected receivers that keep up, got more than 4000000 messages that wait'

# a deadlock is told
cat >deadlock.json <<'EOF'
{"tasks": {"a": {"loop": 1, "lock": "m", "run": 10, "lock1": "n", "unlock": "n"},
 "b": {"loop": 1, "lock": "n", "run": 10, "lock1": "m", "unlock": "m"}, "c": {"loop": 1, "run": 5}}}
EOF
ends 0 deadlock.json --runs 2
prints 'warning    policy baseline, seed 1: 2 threads wait for ever, with nothing left that could wake: a-0 and others'
[ "$(grep -c ^warning out)" -eq 1 ] || fail "a deadlock is told more than once: $(cat out)"

# nor does a clock end that tasks or operations run into
cat >late.json <<'EOF'
{"tasks": {"t": {"loop": 2, "run": 1, "sleep": "9007199254740991ns"}}}
EOF
ends 2 late.json --policy baseline
says 'schedsim: late.json: policy baseline, seed 1: expected tasks and operations that end within 2^54 ns, 208 days, or a "duration"'
sed 's/"loop": 2/"loop": 1/' late.json >early.json
ends 0 early.json --policy baseline
cat >later.json <<'EOF'
{"tasks": {"t": {"loop": 1, "run": 1}},
 "operations": [{"at": "1ms", "every": "9007199254740991ns", "count": 3000, "governor": {}}]}
EOF
ends 2 later.json --policy baseline
says 'schedsim: later.json: policy baseline, seed 1: expected tasks and operations that end within 2^54 ns, 208 days, or a "duration"'

# a warm-up may be longer than what is measured
ends 0 ping.json --duration 5ms
prints 'simulated  5.00ms, after 10.0ms of warm-up'

# what is not there yet is refused by its name, and not offered
ends 2 ping.json --html page.html
says 'schedsim: --html: not available yet'
ends 2 ping.json --trace trace.dat
says 'schedsim: --trace: not available yet'
ends 2 import trace.dat
says 'schedsim: import: not available yet'
ends 0 --help
grep -qE 'html|--trace|import' out && fail "--help offers what is not available"

# input
ends 2 none.json
says 'schedsim: none.json: expected to read it: No such file or directory'
ends 2 .
says 'schedsim: .: expected to read it: Is a directory'
printf '{"tasks": {' >half.json
ends 2 half.json
printf '\377\376\000\001garbage' >garbage.json
ends 2 garbage.json
: >empty.json
ends 2 empty.json
head -c 100000 /dev/zero >zeros.json
ends 2 zeros.json
ends 2 validate half.json

# list
ends 2 list
ends 2 list polices
says 'schedsim: list: expected what to list, got "polices"; the nearest is "policies"'
for what in policies features tunables machines metrics limits kernels costs; do
	ends 0 list $what
	[ -s out ] || fail "list $what is empty"
done
ends 0 list policies
prints sis_short
prints rebuild_v5_4
prints '    resume=none'
ends 0 ping.json --policy x=rebuild_v5_4:lock=mutex --policy sis_short+rebuild_v3
prints 'x = rebuild_v5_4:lock=mutex: the kernel'
prints 'sis_short+rebuild_v3: '
ends 2 ping.json --policy rebuild_v3+rebuild_v5_4
says 'schedsim: --policy rebuild_v3+rebuild_v5_4: expected one rebuild policy at most, got "rebuild_v5_4"'
# the texts stand below each other, however long a name is
ends 0 list limits kernels
awk 'NF { i = match($0, /[^ ]  +[^ ]/); at = i + RLENGTH - 1 }
	NF && !first { first = at } !NF { first = 0 } NF && at != first { exit 1 }' out ||
	fail "list limits is ragged: $(cut -c1-60 out)"
ends 0 list machines
prints i7-4790

done_testing
