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

# Preloaded into any program: nothing there may stand in for what that has. What
# PAPI's component looks for, from its source, and what libsde tells PAPI.
{
	grep -o 'dlsym( *handle, *"sde_ti_[a-z_]*"' \
		"$papi/tree/src/components/sde/sde.c" | grep -o 'sde_ti_[a-z_]*'
	echo papi_sde_check_overflow_status
} | sort > "$work/wanted"
nm -D --defined-only "$BUILD_DIR/lib/libdrmperf-sde.so" | awk '{print $3}' |
	sort > "$work/exported"
if diff -u "$work/wanted" "$work/exported" > "$work/diff"; then
	ok "libdrmperf-sde exports what PAPI looks for, and nothing else"
else
	not_ok "libdrmperf-sde exports what PAPI looks for, and nothing else" \
		"$work/diff"
fi
readelf -dW "$BUILD_DIR/lib/libdrmperf-sde.so" | grep NEEDED > "$work/needed"
lacks "libdrmperf-sde brings no library along" "$work/needed" 'drm|expat|pfm'

kd=$BUILD_DIR/lib/libdrmperf-kd.so.0
if [ -e "$kd" ]; then
	grep -ohE '\bkd[A-Z][A-Za-z]+\(' components/kd/include/KD/*.h |
		tr -d '(' | sort -u > "$work/declared"
	nm -D --defined-only "$kd" | awk '{print $3}' | sort > "$work/exported"
	if diff -u "$work/declared" "$work/exported" > "$work/diff"; then
		ok "libdrmperf-kd exports what its headers declare, and nothing else"
	else
		not_ok "libdrmperf-kd exports what its headers declare, and nothing else" \
			"$work/diff"
	fi
else
	skip "exports of libdrmperf-kd" "it is not built without libproc2"
fi

nm -D --defined-only "$BUILD_DIR"/papi/lib/libpapi.so.*.* |
	awk 'NF > 1 && $NF ~ /[Dd][Rr][Mm]/ {print $NF}' > "$work/out"
if [ -s "$work/out" ]; then
	not_ok "libpapi shows nothing of the component" "$work/out"
else
	ok "libpapi shows nothing of the component"
fi

# Objects that can be written to; what only the loader writes, to put addresses
# into tables, lies in .data.rel.ro and is protected after that. The lock of
# libpfm4, whose state is the process's, has to be the process's, too; what
# fork() calls gets no argument, so it can only find variables; and a signal's
# handler has to know what its thread was doing.
objdump -t "$BUILD_DIR/libdrmperf.a" > "$work/objects" ||
	not_ok "the library's objects can be read"
awk '/file format/ {file = $1}
		$0 ~ / O / || /\*COM\*/ {
			for (i = 2; i < NF; i++)
				if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM)/ &&
				    $i !~ /^\.data\.rel\.ro/ &&
				    $NF != "pfm_lock" &&
				    file !~ /^(fork_close|inside)\.o/)
					print file, $NF
		}' "$work/objects" > "$work/written"
if [ -s "$work/written" ]; then
	not_ok "the library has no writable data" "$work/written"
else
	ok "the library has no writable data"
fi
finish
