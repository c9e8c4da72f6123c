#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The fault sweep in full, several drivers at a time, and the sum of its tables.
#
# SWEEP_DRIVER="amdgpu vega10" and SWEEP_ONLY=malloc take less.
set -u

suite=$BUILD_DIR/tests/test_sweep
out=$BUILD_DIR/sweep
rm -rf "$out"
mkdir -p "$out"
export SWEEP=full suite out

# libdrm prints what it does not get
one()
{
	local log=$out/${1// /-}
	SWEEP_DRIVER=$1 "$suite" > "$log.log" 2> "$log.err"
	cat "$log.log"
}
export -f one

"$suite" --list | grep -Fx -- "${SWEEP_DRIVER-$("$suite" --list)}" |
	xargs -d '\n' -P "$(nproc)" -I{} bash -c 'one "$1"' - {}

cat "$out"/*.log | awk '
	$3 == "all" { injected += $5; unharmed += $6; refused += $7
		      restored += $8; again += $9; libdrm += $10; wrong += $11 }
	/^not ok/ { failed++ }
	/^ok/ { passed++ }
	END { printf "\n%d faults: %d did no harm, %d were told, " \
		     "%d ended in libdrm, %d went wrong; the GPU was put " \
		     "back after %d, a second life was right after %d\n",
		     injected, unharmed, refused, libdrm, wrong, restored, again
	      exit !passed || failed }'
