#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# README's list of GPUs is what the tables, and what was verified, make of it.
. tests/papi/lib.sh

if ! command -v python3 > "$work/which"; then
	skip "list of GPUs" "no python3"
	finish
fi
if ! PYTHONDONTWRITEBYTECODE=1 python3 events/tools/gpu_list.py \
	> "$work/list" 2> "$work/errors"; then
	not_ok "list of GPUs is made" "$work/errors"
fi
[ -s "$work/list" ] || not_ok "list of GPUs is empty"
sed -n '/^| GPUs |/,/^Known, but without a table:/p' README.md > "$work/readme"
if diff "$work/readme" "$work/list" > "$work/diff"; then
	ok "README has the list that events/tools/gpu_list.py prints"
else
	not_ok "README has the list that events/tools/gpu_list.py prints" \
		"$work/diff"
fi
finish
