#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files appear whole or not at all; what is written is the same every time.
. "$(dirname "$0")/lib.sh"

only() { # exactly these files are there, beside the workload and the captured words
	[ "$(ls -A | grep -vxE 'ping.json|bad.json|out|err' | tr '\n' ' ')" = "$1" ] ||
		fail "expected the files \"$1\", got \"$(ls -A | tr '\n' ' ')\""
}

# twice the same, on however many threads
ends 0 ping.json --runs 3 -j 1 --output one.json --format csv
mv out one.csv
ends 0 ping.json --runs 3 -j 3 --output two.json --format csv
mv out two.csv
cmp one.json two.json || fail "two runs differ in JSON"
cmp one.csv two.csv || fail "two runs differ in CSV"
ends 0 ping.json --runs 3 --format json
cmp out one.json || fail "--format json is not what --output wrote"
ends 0 ping.json --runs 3 --output again.csv
cmp again.csv one.csv || fail "an output named .csv is not CSV"
ends 0 ping.json --seed 2 --format json
cmp -s out one.json && fail "another seed gives the same results"
rm -f one.* two.* again.*

# decisions: every line an object, the results untouched by the watching
ends 0 ping.json --output plain.json
ends 0 ping.json --output watched.json --decisions trace.jsonl
cmp plain.json watched.json || fail "--decisions changes the results"
grep -qv '^{"type": ".*}$' trace.jsonl && fail "a line of the trace is no object"
for type in run wakeup switch_in arrived received request warmup_over; do
	grep -q "^{\"type\": \"$type\"" trace.jsonl || fail "no $type in the trace"
done
rm -f plain.json watched.json trace.jsonl

# a place that cannot be written
ends 2 ping.json --output none/out.json
says 'schedsim: none/out.json: expected to write it: No such file or directory'
ends 2 ping.json --decisions none/out.jsonl
says 'schedsim: none/out.jsonl: expected to write it: No such file or directory'
mkdir folder
ends 2 ping.json --output folder
says 'schedsim: folder: expected to write it: Is a directory'
rmdir folder
"$schedsim" ping.json >/dev/full 2>err
[ $? -eq 2 ] || fail "a full standard output is not reported"
says 'schedsim: standard output: expected to write it: No space left on device'
"$schedsim" ping.json --decisions /dev/full >out 2>err
[ $? -eq 2 ] || fail "a full disk under the trace is not reported"
says 'schedsim: /dev/full: expected to write it: No space left on device'
ends 0 ping.json --output /dev/null --decisions /dev/null

# what is read is not written over, by whatever name
cp ping.json bad.json
ln -s ping.json link
printf '"1n1l2c1t"' >machine.json
printf '{"at_ns": 1}\n' >at.jsonl
sed 's/"poisson", "rate": 4000/"recorded", "file": "at.jsonl"/' ping.json >recorded.json
ends 2 ping.json --output ping.json
says 'schedsim: --output: expected another file than the input ping.json, got "ping.json"'
ends 2 ping.json --output link
ends 2 ping.json --decisions "$PWD/ping.json"
ends 2 ping.json --machine ./machine.json --output machine.json
ends 2 recorded.json --decisions at.jsonl
says 'schedsim: --decisions: expected another file than the input ./at.jsonl, got "at.jsonl"'
sed 's/"params"/"operations": [{"file": "at.jsonl", "governor": {}}], &/' ping.json >recorded.json
ends 2 recorded.json --decisions at.jsonl
says 'schedsim: --decisions: expected another file than the input ./at.jsonl, got "at.jsonl"'
ends 2 ping.json --output new --decisions ./new
says 'schedsim: --decisions: expected another file than --output, got "./new"'
cmp ping.json bad.json || fail "an output was written over the workload"
rm link machine.json at.jsonl recorded.json bad.json
mkfifo pipe
cat pipe >copy.json &
ends 0 ping.json --output pipe --format json
wait $!
cmp out copy.json || fail "what is no plain file is not written to"
[ -p pipe ] || fail "a pipe has become a file"
rm pipe copy.json
only ''

# a run that fails leaves what was there
printf old >out.json
printf '{"tasks": {"t": {"loop": -1, "run": 0}}, "duration": "10ms"}' >bad.json
ends 2 bad.json --output out.json
[ "$(cat out.json)" = old ] || fail "a failed run touched its output"
only 'out.json '

# so does one that is killed
"$schedsim" ping.json --duration 1000s --output out.json --decisions trace.jsonl \
	>/dev/null 2>&1 &
sleep 0.3
kill -9 $!
wait $! 2>/dev/null
[ "$(cat out.json)" = old ] || fail "a killed run touched its output"
only 'out.json '

done_testing
