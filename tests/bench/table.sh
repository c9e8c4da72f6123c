#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The table of what benchmarks have measured: their rows (row.h) among whatever
# else stands in the files. What could not be measured stands below it.
#
# Ends with 1 if a goal is missed for which reasons.tsv has no reason, or by more
# than that explains; with 2 if a row is malformed or there is none. With
# BENCH_SHORT in the environment no goal is held.
#
# usage: table.sh [FILE]...
exec awk -F '\t' -v short="${BENCH_SHORT:+1}" -v reasons="${0%/*}/reasons.tsv" '
function number(text)
{
	return text ~ /^[0-9]+([.][0-9]+)?(e[+-][0-9]+)?$/
}
function figure(value)
{
	return value < 1000 ? sprintf("%.3g", value) : sprintf("%.0f", value)
}
# WHAT, the ratio up to which the reason holds, and the reason
BEGIN {
	while ((getline line < reasons) > 0) {
		if (line ~ /^#/ || split(line, part, "\t") != 3)
			continue
		explained[part[1]] = part[2]
		reason[part[1]] = part[3]
	}
}
function trimmed(text)
{
	sub(/^ +/, "", text)
	return text
}
function note_missed(name, measured, peer)
{
	name = trimmed(name) ", beside " peer
	if (!(name in reason) || measured > explained[name])
		missed++
	else if (!short && !(name in told)) {
		why[++whys] = "NO: " name ": " reason[name]
		told[name] = 1
	}
}
/^skip / { skipped[++skips] = $0 }
$1 != "row" { next }
NF != 7 || !number($4) || ($5 != "-" && !number($6)) ||
		($7 != "-" && !number($7)) {
	print FILENAME ":" FNR ": not a row: " $0
	malformed = 1
	next
}
{
	rows++
	what[rows] = $2
	ours[rows] = figure($4) " " $3
	theirs[rows] = ratio[rows] = goal[rows] = met[rows] = "-"
	if ($5 != "-")
		theirs[rows] = figure($6) " " $5
	if ($5 != "-" && $6 > 0)
		ratio[rows] = sprintf("%.2f", $4 / $6)
	if ($5 != "-" && $7 != "-") {
		goal[rows] = sprintf("<= %.2f", $7)
		met[rows] = $4 <= $6 * $7 ? "yes" : "NO"
		if (met[rows] == "NO")
			note_missed($2, $4 / $6, $5)
	}
	if (short)
		met[rows] = "-"
}
END {
	if (malformed)
		exit 2
	if (!rows && !skips) {
		print "no row"
		exit 2
	}
	line = "%-52s %15s  %-24s %6s  %-8s %s\n"
	printf line, "what", "ours", "peer or limit", "ratio", "goal", "met"
	for (i = 1; i <= rows; i++)
		printf line, what[i], ours[i], theirs[i], ratio[i], goal[i],
			met[i]
	for (i = 1; i <= whys; i++)
		print why[i]
	for (i = 1; i <= skips; i++)
		print skipped[i]
	exit !short && missed > 0
}' "$@"
