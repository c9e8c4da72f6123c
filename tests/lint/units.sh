#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each listed event of a simulated GPU has a unit, and not merely "events" if
# its description begins with a better one. (The kernel names the units of
# PMUs.)
. tests/papi/lib.sh

for gpu in utils/drmsim/gpus/*.gpu; do
	gpu=$(basename "$gpu" .gpu)
	"$sim" --gpu "$gpu" -- "$BUILD_DIR/bin/drmperf" list -a \
		> "$work/out" 2> "$work/err"
	awk -F'\t' '$2 == ""' "$work/out" > "$work/lacking"
	if [ -s "$work/out" ] && [ ! -s "$work/lacking" ]; then
		ok "$gpu: each listed event has a unit"
	else
		not_ok "$gpu: each listed event has a unit" "$work/lacking"
	fi
	awk -F'\t' -v units="waves threads instructions requests pixels texels \
primitives vertices messages quads tiles fragments samples exports packets \
entries sectors tags rays bytes cycles clocks" '
		BEGIN { count = split(units, list, " ")
			while (count) better[list[count--]] = 1 }
		{ split(tolower($3), words, " ")
			if ($2 == "events" && $1 !~ /::pmu\./ &&
			    words[1] in better) print }' \
		"$work/out" > "$work/vague"
	if [ ! -s "$work/vague" ]; then
		ok "$gpu: no event has a vaguer unit than its description"
	else
		not_ok "$gpu: no event has a vaguer unit than its description" \
			"$work/vague"
	fi
done
finish
