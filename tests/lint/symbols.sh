#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the library shows to the world is a list that somebody has looked at,
# and what it keeps to itself is not written to after the start.
. tests/papi/lib.sh

library=$BUILD_DIR/lib/libdrmperf.so.0
nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' |
	sed 's/@.*//' | sort > "$work/exported"
if diff -u tests/symbols.txt "$work/exported" > "$work/diff"; then
	ok "exported symbols are those of tests/symbols.txt"
else
	not_ok "exported symbols are those of tests/symbols.txt" "$work/diff"
fi

grep -oE '\bdrmperf_[a-z0-9_]+\(' lib/include/drmperf.h | tr -d '(' | sort -u \
	> "$work/declared"
if diff -u "$work/declared" tests/symbols.txt > "$work/diff"; then
	ok "every function of drmperf.h is exported, and nothing else"
else
	not_ok "every function of drmperf.h is exported, and nothing else" \
		"$work/diff"
fi

nm -D --defined-only "$BUILD_DIR"/papi/lib/libpapi.so.*.* |
	grep -iE 'drm' > "$work/out"
if [ -s "$work/out" ]; then
	not_ok "libpapi shows nothing of the component" "$work/out"
else
	ok "libpapi shows nothing of the component"
fi

# data and bss of the library's objects
nm "$BUILD_DIR/libdrmperf.a" 2> /dev/null |
	awk '/^[^ ].*:$/ {file = $1} $2 ~ /^[bBdDC]$/ {print file, $3}' \
	> "$work/written"
if [ -s "$work/written" ]; then
	not_ok "the library has no writable data" "$work/written"
else
	ok "the library has no writable data"
fi
finish
