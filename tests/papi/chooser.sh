#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# papi_event_chooser shows exactly what still fits: the same events that the
# library finds to fit one pass with those chosen, each tried by itself.
. tests/papi/lib.sh

cat > "$work/fits.c" << 'END'
#include <drmperf.h>
#include <stdio.h>
#include <string.h>

/* Events that fit beside those of the command line; these do so themselves. */
int
main(int argc, char **argv)
{
	struct drmperf_plan_options options = { .size = sizeof(options),
						.max_passes = 1 };
	struct drmperf_selection chosen[16];
	size_t count = (size_t)argc - 1;
	struct drmperf *drmperf;

	if (count > 15 || drmperf_create(NULL, &drmperf, NULL))
		return 1;
	for (size_t i = 0; i < count; i++) {
		if (drmperf_event_find(drmperf, argv[i + 1], &chosen[i], NULL))
			return 1;
	}
	for (unsigned d = 0; d < drmperf_device_count(drmperf); d++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, d);
		const struct drmperf_event *event;

		if (drmperf_device_open(device, NULL))
			return 1;
		for (size_t i = 0; (event = drmperf_event_at(device, i)); i++) {
			struct drmperf_plan *plan;

			chosen[count].event = event;
			chosen[count].instance = DRMPERF_ALL_INSTANCES;
			if (drmperf_plan_create(drmperf, chosen, count + 1,
						&options, &plan, NULL))
				continue;
			printf("drm:::%s\n", drmperf_event_name(event));
			drmperf_plan_destroy(plan);
		}
	}
	drmperf_destroy(drmperf);
	return 0;
}
END
gcc -O1 -o "$work/fits" "$work/fits.c" -Ilib/include -L"$BUILD_DIR/lib" \
	-ldrmperf -Wl,-rpath,"$BUILD_DIR/lib" > "$work/out" 2>&1 ||
	not_ok "the program that plans each event by itself compiles" \
		"$work/out"

# chooser NAME GPU EVENT...
chooser()
{
	local name=$1 gpu=$2
	shift 2
	$sim --gpu "$gpu" --report "$work/report" -- "$papi/bin/papi_event_chooser" \
		NATIVE "${@/#/drm:::}" > "$work/out" 2>&1
	sed -nE 's/^(drm:::[^[:blank:]]+)[[:blank:]]+0x.*/\1/p' "$work/out" |
		sort -u > "$work/shown"
	$sim --gpu "$gpu" -- "$work/fits" "$@" | sort -u > "$work/fitting"
	if [ "$(wc -l < "$work/fitting")" -gt 100 ] &&
		diff "$work/fitting" "$work/shown" > "$work/diff"; then
		ok "papi_event_chooser shows what fits: $name"
	else
		wc -l "$work/fitting" "$work/shown" >> "$work/diff"
		not_ok "papi_event_chooser shows what fits: $name" "$work/diff"
	fi
}

chooser "a Vega 10 with one event" vega10 amdgpu::SQ.WAVES
has "papi_event_chooser submits nothing" "$work/report" 'submissions=0'
chooser "a Vega 10 with full groups" vega10 amdgpu::TCC.HIT amdgpu::TCC.MISS \
	amdgpu::TCC.REQ amdgpu::TCC.READ amdgpu::GRBM.COUNT \
	amdgpu::GRBM.GUI_ACTIVE amdgpu::metric.VALUBusy
chooser "a Skylake with a metric set" sklgt2 i915::RenderBasic.GpuTime
chooser "a Skylake with any set" sklgt2 i915::oa.GpuBusy
lacks "papi_event_chooser opens no stream" "$work/report" 'kind=perf_open'

# what is refused touches nothing either
$sim --gpu vega10 --report "$work/report" -- "$papi/bin/papi_event_chooser" \
	NATIVE drm:::amdgpu::TCC.HIT drm:::amdgpu::TCC.MISS \
	drm:::amdgpu::TCC.REQ drm:::amdgpu::TCC.READ drm:::amdgpu::TCC.WRITE \
	> "$work/out" 2>&1
has "five events of a group of four are refused" "$work/out" \
	'TCC.WRITE.*can.?t be (counted|added)'
has "papi_event_chooser submits nothing for events that it refuses" \
	"$work/report" 'submissions=0'
finish
