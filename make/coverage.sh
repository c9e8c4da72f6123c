#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Which share of the lines and branches of each room tests reach: the suites and
# the scripts over the tool, with what is built for it in build/coverage. Those
# by way of PAPI and of other programs are not run.
#
# usage: make/coverage.sh [SUITE]...   SUITE: test_expr, tests/tool/list.sh ...
set -eu

make=${MAKE:-make}
build=build/coverage
report=$build/report
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD

if [ $# = 0 ]; then
	mapfile -t suites < <(find tests -name 'test_*.c' -printf '%f\n' |
		sed 's/\.c$//' | sort)
	mapfile -t scripts < <(ls tests/tool/*.sh | grep -v /lib.sh)
	set -- "${suites[@]}" "${scripts[@]}"
fi
"$make" --no-print-directory -j"${JOBS:-$(nproc)}" BUILD=$build \
	CFLAGS="-O0 -g --coverage" LDFLAGS=--coverage tests
find $build -name '*.gcda' -delete
failed=
for suite in "$@"; do
	case $suite in
	*.sh) program=(bash "$suite") ;;
	*) program=("$build/tests/$suite") ;;
	esac
	if ! BUILD_DIR=$PWD/$build TOP_DIR=$PWD "${program[@]}" \
		> "$build/$(basename "$suite").log" 2>&1 < /dev/null; then
		failed="$failed $suite"
	fi
done

gcovr --root . --object-directory $build --exclude-throw-branches \
	--exclude-unreachable-branches --filter lib/ --filter utils/ \
	--filter components/ --csv $report.csv $build

# filename,line_total,line_covered,line_percent,branch_total,branch_covered,...
printf '%-32s %7s %8s %9s %8s\n' room lines reached branches taken
awk -F, '
	function share(part, whole) {
		return whole ? sprintf("%5.1f%%", 100 * part / whole) : "-"
	}
	function add(room) {
		lines[room] += $column["line_total"]
		reached[room] += $column["line_covered"]
		branches[room] += $column["branch_total"]
		taken[room] += $column["branch_covered"]
	}
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	{
		room = $1
		sub(/\/[^\/]*$/, "", room)
		add(room)
		add("together")
	}
	END {
		for (room in lines)
			printf "%-32s %7d %8s %9d %8s\n", room, lines[room],
				share(reached[room], lines[room]),
				branches[room],
				share(taken[room], branches[room])
	}' $report.csv | sort -k1,1 | sed '/^together/{h;d};${p;x}'
echo "Each file: $report.csv"
if [ -n "$failed" ]; then
	echo "Failed, logs in $build:$failed" >&2
	exit 1
fi
