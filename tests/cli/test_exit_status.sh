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
says 'schedsim: -j: expected a whole number from 1 to 1024, got "0"'
ends 2 ping.json --duration 5
says 'schedsim: --duration: expected a time with its unit such as "250us", got "5"'
ends 2 ping.json --format xml
says 'schedsim: --format: expected text, json or csv, got "xml"'
ends 2 ping.json --param work
says 'schedsim: --param expected NAME=VALUE or NAME=FROM..TO:STEPS, got "work"'
ends 2 ping.json --policy nope
ends 2 ping.json --policy ''
ends 2 ping.json --policy baseline:
ends 2 ping.json --policy baseline --policy baseline
says 'schedsim: --policy baseline: expected a label of its own, got "baseline" twice'
ends 2 ping.json --machine ''
ends 2 ping.json --output same --decisions same
ends 2 ping.json ''

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
ends 0 list machines
prints i7-4790

done_testing
