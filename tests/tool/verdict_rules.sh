#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every rule of the verdicts is right where it should be, and near it, where too
# little is known, the verdict is "cannot tell".
. tests/tool/lib.sh

if ! command -v python3 > /dev/null; then
	skip "every rule of the verdicts is asked" "there is no python3"
	exit 0
fi
PYTHONDONTWRITEBYTECODE=1 python3 tests/tool/verdict_rules.py "$sim" "$tool" \
	"$work" > "$work/told" || echo "not ok the rules are asked" >> "$work/told"
cat "$work/told"
! grep -q '^not ok' "$work/told" || failed=1
finish
