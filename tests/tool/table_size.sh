#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A table of twice the size takes twice the instructions to read, of every kind
# that test_size knows; so does the next one, and the next. Instructions are
# counted by callgrind, the same number each time.
. tests/papi/lib.sh

if ! command -v valgrind > "$work/which"; then
	skip "twice the table takes twice the instructions" \
		"valgrind is not installed"
	finish
fi

# What is not proportional to the size shows at small sizes, hence the slack:
# twice the size would take four times the instructions if it were its square.
slack=1.5

# count KIND BYTES: instructions
count()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		"$BUILD_DIR/tests/test_size" "$1" "$2" 2>&1 |
		awk '/Collected :/ { print $4 }'
}

# check KIND
check()
{
	local kind=$1 counts=() size
	for size in 8000 16000 32000 64000; do
		counts+=("$(count "$kind" $size)")
	done
	echo "${counts[@]}" > "$work/counts"
	# without what it takes whatever the size is
	if awk -v slack=$slack 'NF == 4 {
		fine = $3 - $2 <= slack * 2 * ($2 - $1) &&
			$4 - $3 <= slack * 2 * ($3 - $2) }
		END { exit !fine }' "$work/counts"; then
		ok "twice the table takes twice the instructions: $kind"
	else
		not_ok "twice the table takes twice the instructions: $kind" \
			"$work/counts"
	fi
}

"$BUILD_DIR/tests/test_size" kinds > "$work/kinds"
while read -r kind; do
	check "$kind"
	[ -z "${SHOW:-}" ] || cat "$work/counts"
done < "$work/kinds"
finish
