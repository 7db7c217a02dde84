#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# table.sh SCHEDSIM [POLICY...]: what each operation of this folder walks, and what
# becomes of the bandwidth, under the rebuild policies that schedsim lists.
#
# A cell is the tasks walked ("none": no rebuild was requested; 5x3: 3 in each of 5
# walks), and whether the root domains have what their tasks and servers were promised
# ("kept"), or some have less or more.
set -eu
schedsim=$(realpath "$1")
shift
cd "$(dirname "$0")"
prefix=rebuild_
[ $# -gt 0 ] || set -- $("$schedsim" list policies | sed -n "s/^\($prefix[^ ]*\) .*/\1/p")
options=
for policy in "$@"; do
	options="$options --policy $policy"
done
for workload in ??-*.json; do
	# shellcheck disable=SC2086 # words
	"$schedsim" "$workload" $options --format csv
done | awk -F, -v prefix="$prefix" '
	$2 == "params" || NF != 6 { next }
	{
		name = $1
		sub(/\.json$/, "", name)
		policy = $3
		sub("^" prefix, "", policy)
		figure = $5
		sub(/.*\./, "", figure)
		if (!(name in rows))
			row[rows[name] = nr_rows++] = name
		if (!(policy in columns))
			column[columns[policy] = nr_columns++] = policy
		sum[name, policy, figure] += $6
	}
	$5 ~ /^root_domains\./ {
		span = $5
		sub(/^root_domains\./, "", span)
		sub(/\.[^.]*$/, "", span)
		total[name, policy, span, figure] = $6
		if (!seen[name, policy, span]++)
			spans[name, policy] = spans[name, policy] " " span
	}

	function walked(n, p,   walks, tasks) {
		walks = sum[n, p, "walks"]
		tasks = sum[n, p, "tasks_walked"]
		if (!walks)
			return sum[n, p, "rebuilds_requested"] ? "0" : "none"
		return walks == 1 ? tasks : walks "x" tasks / walks
	}
	# "less" where any root domain has too little, "more" where any has too much
	function fate(n, p,   list, nr, i, diff, less, more) {
		nr = split(spans[n, p], list, " ")
		for (i = 1; i <= nr; i++) {
			diff = total[n, p, list[i], "total_bw_after"] - total[n, p, list[i], "promised_bw_after"]
			less = less || diff < 0
			more = more || diff > 0
		}
		return less || more ? (less ? "less" : "") (more ? (less ? "," : "") "more" : "") : "kept"
	}
	function one_total(n, p, span,   before, after) {
		before = total[n, p, span, "total_bw_before"]
		after = total[n, p, span, "total_bw_after"]
		return span ": " (before == "" ? "new" : before) ", " \
			(after == "" ? "gone" : after " of " total[n, p, span, "promised_bw_after"])
	}
	function totals(n, p,   list, nr, i, text) {
		nr = split(spans[n, p], list, " ")
		for (i = 1; i <= nr; i++)
			text = text (i > 1 ? "; " : "") one_total(n, p, list[i])
		return text
	}
	END {
		printf "%-26s", "tasks walked, total_bw"
		for (c = 0; c < nr_columns; c++)
			printf "  %-11s", column[c]
		for (r = 0; r < nr_rows; r++) {
			printf "\n%-26s", row[r]
			for (c = 0; c < nr_columns; c++)
				printf "  %-11s", walked(row[r], column[c]) " " fate(row[r], column[c])
		}
		print "\n\ntotal_bw of each root domain before, and after of what was promised"
		for (r = 0; r < nr_rows; r++) {
			print row[r]
			nr = 0
			split("", who)
			for (c = 0; c < nr_columns; c++) {
				text = totals(row[r], column[c])
				if (!(text in who))
					line[nr++] = text
				who[text] = who[text] " " column[c]
			}
			for (i = 0; i < nr; i++)
				print "  " line[i] "\n     " who[line[i]]
		}
	}' | sed 's/ *$//'
