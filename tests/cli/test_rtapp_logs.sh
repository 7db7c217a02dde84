#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the logs of one run and of several go.
. "$(dirname "$0")/lib.sh"

cat >timers.json <<'EOF'
{
	"machine": "1n1l1c1t", "params": {"runs": 1},
	"tasks": {
		"a": {"loop": 3, "run": "=runs*100us", "timer": {"ref": "unique", "period": 1000}},
		"b": {"instance": 2, "loop": 2, "run": 100, "sleep": 500}
	}
}
EOF

logs() { # the folder $1 holds exactly the files $2
	[ "$(cd "$1" && find . -type f | sort | tr '\n' ' ')" = "$2" ] ||
		fail "expected the logs \"$2\" in $1, got \"$(cd "$1" && find . | tr '\n' ' ')\""
}

three='rt-app-a-0.log rt-app-b-1.log rt-app-b-2.log'
in_folders() { # the three logs in each of the folders given
	for folder in "$@"; do
		for name in $three; do
			printf './%s%s ' "$folder" "$name"
		done
	done
}

# one run: in the folder itself, which need not be there, and the figures untouched
ends 0 timers.json --policy baseline --output plain.json
ends 0 timers.json --policy baseline --output logged.json --rtapp-logs new/one
cmp plain.json logged.json || fail "--rtapp-logs changes the results"
logs new/one "$(in_folders '')"
[ "$(grep -vc '^#' new/one/rt-app-a-0.log)" -eq 3 ] || fail "a did not turn three times"
[ "$(grep -vc '^#' new/one/rt-app-b-2.log)" -eq 2 ] || fail "b did not turn twice"

# with the decision trace, too
ends 0 timers.json --policy baseline --rtapp-logs both --decisions trace.jsonl
diff -r new/one both >/dev/null || fail "--decisions changes the logs"
[ -s trace.jsonl ] || fail "--rtapp-logs hides the decisions"

# several: a level for what there are several of, the same on any number of threads
ends 0 timers.json --rtapp-logs policies
logs policies "$(in_folders baseline/ sis_short/)"
ends 0 timers.json --policy baseline --runs 2 --seed 7 --rtapp-logs seeds
logs seeds "$(in_folders seed-7/ seed-8/)"
ends 0 timers.json --policy baseline --param runs=1..2:2 --rtapp-logs steps
logs steps "$(in_folders timers,runs=1/ timers,runs=2/)"
cmp -s steps/timers,runs=1/rt-app-a-0.log steps/timers,runs=2/rt-app-a-0.log &&
	fail "two steps have one log"
cp timers.json other.json
ends 0 timers.json other.json --policy baseline --policy a/b=sis_short -r 2 -j 1 \
	--rtapp-logs all
ends 0 timers.json other.json --policy baseline --policy a/b=sis_short -r 2 -j 3 \
	--rtapp-logs again
diff -r all again >/dev/null || fail "logs depend on the number of threads"
[ -s other.json ] && [ -s all/other/a_b/seed-2/rt-app-b-2.log ] ||
	fail "expected a log in all/other/a_b/seed-2, got: $(find all -type d | tr '\n' ' ')"

# what cannot be
ends 2 timers.json ./timers.json --policy baseline --rtapp-logs twice
says 'schedsim: --rtapp-logs: expected workloads and policies of different names, got two runs for twice/timers'
[ -e twice ] && fail "a refused run made its folder"
ends 2 timers.json --policy baseline --rtapp-logs timers.json
says 'schedsim: timers.json: policy baseline, seed 1: timers.json: expected a folder, or to make one: Not a directory'
ends 2 timers.json --policy baseline --rtapp-logs ''
says 'schedsim: --rtapp-logs: expected the name of a folder, got ""'

# a run that fails, or is killed, leaves what was there
mkdir kept
printf old >kept/rt-app-t-0.log
printf '{"tasks": {"t": {"phases": {"a": {"run": 9}, "b": {"loop": -1, "run": 0}}}}, "duration": "10ms"}' >bad.json
ends 2 bad.json --policy baseline --rtapp-logs kept
printf '{"machine": "1n1l1c1t", "tasks": {"t": {"run": 100, "sleep": 100}}, "duration": "100000s"}' >long.json
"$schedsim" long.json --policy baseline --rtapp-logs kept >/dev/null 2>&1 &
sleep 0.3
kill -9 $!
wait $! 2>/dev/null
[ "$(cat kept/rt-app-t-0.log)" = old ] || fail "a run without an end touched the logs"
logs kept './rt-app-t-0.log '

done_testing
