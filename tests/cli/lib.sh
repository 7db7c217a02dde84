# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of the command line share; sourced with the program's path as $1.
set -u
schedsim=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

cat >ping.json <<'EOF'
{
	"machine": "1n1l4c1t", "duration": "40ms", "warmup": "10ms",
	"params": {"work": 1},
	"channels": {"in": 2},
	"sources": {"clients": {"arrivals": "poisson", "rate": 4000, "to": "in",
		"select": "round_robin"}},
	"tasks": {
		"server": {"instance": 2, "loop": -1, "recv": {"ref": "in"},
			"run": "=work*150us", "reply": ""},
		"other": {"instance": 5, "loop": -1, "run": 700, "sleep": 300}
	}
}
EOF

fail() {
	echo "FAILED: $*" >&2
	failed=1
}

# ends STATUS ARGS...: the program ends with that; its words are in out and err.
ends() {
	expected=$1
	shift
	"$schedsim" "$@" >out 2>err
	status=$?
	[ "$status" -eq "$expected" ] ||
		fail "schedsim $*: ended with $status, expected $expected: $(cat err)"
}

# says TEXT: stderr is that line alone.
says() {
	[ "$(cat err)" = "$1" ] || fail "expected the message \"$1\", got \"$(cat err)\""
}

# prints TEXT: stdout holds it.
prints() {
	grep -qF -- "$1" out || fail "expected \"$1\" on stdout, got: $(head -c 2000 out)"
}

done_testing() {
	exit $failed
}
