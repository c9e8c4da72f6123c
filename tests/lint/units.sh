#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Whatever is listed of a GPU that can be simulated has a unit.
. tests/papi/lib.sh

for gpu in utils/drmsim/gpus/*.gpu; do
	gpu=$(basename "$gpu" .gpu)
	"$sim" --gpu "$gpu" -- "$BUILD_DIR/bin/drmperf" list -a \
		> "$work/out" 2> "$work/err"
	awk -F'\t' '$2 == ""' "$work/out" > "$work/lacking"
	if [ -s "$work/out" ] && [ ! -s "$work/lacking" ]; then
		ok "$gpu: whatever is listed has a unit"
	else
		not_ok "$gpu: whatever is listed has a unit" "$work/lacking"
	fi
done
finish
