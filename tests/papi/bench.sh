#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The costs of PAPI and the component, over a library that does next to nothing.
. tests/bench/lib.sh

events=
for device in 0 1; do
	for instance in 0 1 2 3; do
		for event in 0 1 2 3 4 5 6 7; do
			events="$events drm:::amdgpu::SQ.E$event"
			events="$events:device=$device:instance=$instance"
		done
	done
done
echo "PAPI and the component, without the library's share"
# shellcheck disable=SC2086
PAPI_DRM_LIB=$programs/fake/libdrmperf.so.0 umockdev-run \
	-d tests/data/papi/amdgpu.umockdev -- "$programs/cost" $events || failed=1

# As PAPI does it in each program on each machine of a cluster.
offset=$(nm "$papi/lib/libpapi.so" | awk '$3 == "drm_init_component" {
	print $1 }')
if [ -n "$offset" ]; then
	"$sim" -- "$programs/cost" init "$offset" || failed=1
else
	skip "PAPI_library_init is measured" "libpapi.so has no symbols"
fi

# Some 18,000 events: the catalog, PAPI, the component and the simulator. The
# processor's time is less at the mercy of what else runs.
echo "papi_native_avail on two large GPUs"
list()
{
	"$sim" --gpu acmgt3 --gpu vega10 -- "$papi/bin/papi_native_avail" \
		-i drm > "$work/list" || failed=1
}
TIMEFORMAT='%R %U'
times=5
is_short && times=1
list
for ((i = 0; i < times; i++)); do
	{ time list; } 2>> "$work/times"
done
events=$(grep -c '^| drm:::' "$work/list")
read -r real user < <(sort -n "$work/times")
awk -v n="$events" -v real="$real" -v user="$user" 'BEGIN {
	printf "%d events in %.0f ms, %.0f of the processor; for a " \
		"thousand %.1f and %.1f ms\n", n, real * 1e3,
		user * 1e3, real * 1e6 / n, user * 1e6 / n }'
row "papi_native_avail of $events events, processor's time" \
	"$(awk -v user="$user" 'BEGIN { print user * 1e3 }')" ms
row "papi_native_avail, for 1000 events, processor's time" \
	"$(awk -v n="$events" -v user="$user" 'BEGIN { print user * 1e6 / n }')" ms
finish
