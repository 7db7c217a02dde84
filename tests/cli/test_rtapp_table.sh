#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of results/rt-app, with programs in rt-app's place that say what they are
# told to: no timing of a real one is looked at.
command -v taskset >/dev/null || exit 77
run=$(realpath "$(dirname "$0")/../../results/rt-app/run.sh")
. "$(dirname "$0")/lib.sh"
schedsim=$(realpath "$schedsim")

# $1: us that a turn of the measurement takes; what comes for another file is in $2
fake() {
	cat >fake <<-EOF
	#!/bin/sh
	case \$1 in
	*measure.json)
		echo '   0 0 $1 0 0 0 0 0 100000 0 0' >rt-app-cpu0-0.log
		exit
		;;
	esac
	cp "\$1" "$work/last.json"
	"$schedsim" "\$1" --machine 1n1l2c1t --policy baseline --rtapp-logs . >/dev/null
	for log in *.log; do
		$2
		echo '   0 0 0 0 0 0 0 0 0 0 0' >>"\$log" # the turn that the end cut short
	done
	EOF
	chmod +x fake
}

table() { # the table in table.txt, by the program fake
	RTAPP="$work/fake" REPEAT=1 SECONDS_EACH=1 TABLE="$work/table.txt" sh "$run" "$schedsim" \
		>out 2>err
}

# a machine on which a loop takes what rt-app is told: the same, everywhere
fake 100000 ''
table || fail "what is the same differs: $(cat out err)"
[ "$(grep -c '+0.0%' table.txt)" -eq 14 ] || fail "expected 14 tasks: $(cat table.txt)"
grep -qE '[+-][0-9.]*[1-9][0-9.]*%' table.txt && fail "what is the same differs: $(cat table.txt)"
grep -q '"run": 4000, "resume"' last.json || fail "a run is not what it was: $(cat last.json)"
# 1 s in turns of 20 ms, of which the last one ends with the run
grep -q '^periodic    work              49        49   +0.0%     245.' table.txt ||
	fail "expected 49 turns of 5 ms: $(grep periodic table.txt)"
# turns of 10, 10, 10 and 15 ms: the fourth of each 45 ms is late
grep -q '^shared-cpu  late .* 22        22   +0.0%$' table.txt ||
	fail "expected 22 late turns: $(grep late table.txt)"

# on one where it takes a fifth, runs ask for five times as many loops
fake 20000 ''
table
grep -q '"run": 20000, "resume"' last.json || fail "a run is not scaled: $(cat last.json)"

# one turn in ten is missing
fake 100000 'sed -i 0~10d "$log"'
table && fail "turns that are missing are not seen: $(cat out)"
grep -q '^fifo .*  beyond$' table.txt || fail "no word of them: $(cat table.txt)"

# the machine gets slower by 2 % with each measurement: no run counts
cat >fake <<EOF
#!/bin/sh
case \$1 in
*measure.json)
	echo x >>"$work/measured"
	us=\$((98000 + 2000 * \$(wc -l <"$work/measured")))
	echo "   0 0 \$us 0 0 0 0 0 100000 0 0" >rt-app-cpu0-0.log
	;;
esac
EOF
TRIES=2 table
[ $? -eq 2 ] || fail "a machine whose speed changes is believed"
grep -q 'periodic: a loop took 104.000 ns before and 106.000 ns after' err ||
	fail "its speed is not told: $(cat err)"

printf '#!/bin/sh\necho no such right\nexit 1\n' >fake
table
[ $? -eq 2 ] || fail "a failure of rt-app is not told"
grep -q 'no such right' err || fail "its reason is not told: $(cat err)"

done_testing
