#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# rgp_check.py, by which tests judge captures for AMD's Radeon GPU Profiler, takes
# a valid one, and refuses one with any field wrong.
. tests/tool/lib.sh

if ! command -v python3 > /dev/null; then
	skip "the checker of captures refuses each wrong field" \
		"there is no python3"
	exit 0
fi
PYTHONDONTWRITEBYTECODE=1 python3 tests/tool/rgp_check_selftest.py \
	"$work/capture.rgp" > "$work/told" 2>&1 ||
	echo "not ok the checker of captures is tested" >> "$work/told"
cat "$work/told"
! grep -q '^not ok' "$work/told" || failed=1
finish
