# SPDX-License-Identifier: BSD-3-Clause
# What scripts that measure share: sourced.
. tests/papi/lib.sh

# row WHAT OURS UNIT [WHOSE THEIRS [MOST]]: a line of the table, as row.h has it
row()
{
	printf 'row\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$3" "$2" "${4:--}" \
		"${5:--}" "${6:--}"
}

is_short()
{
	[ -n "${BENCH_SHORT:-}" ]
}
