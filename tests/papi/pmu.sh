#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# PAPI lists the kernel's PMUs of GPUs with units, and counts them in one
# EventSet with what the GPU's own units count.
. tests/papi/lib.sh

# unit EVENT UNITS: of the event, in papi_native_avail's words
unit()
{
	"$sim" --gpu "$kind" -- "$papi/bin/papi_native_avail" -i "$1" \
		> "$work/out" 2>&1
	has "$kind: $1 is described" "$work/out" "^\| $1 " \
		"Units: $2 "
}

# value EVENT: as papi_command_line printed it
value()
{
	awk -v e="$1" '$1 == e && $2 == ":" {print $3}' "$work/out"
}

# together EVENT...: all in one EventSet, and all of them count
together()
{
	local event names=
	"$sim" --gpu "$kind" --scenario "$work/scenario" -- \
		"$papi/bin/papi_command_line" "$@" > "$work/out" 2>&1
	for event in "$@"; do
		[ "$(value "$event")" -gt 0 ] 2> "$work/err" ||
			names="$names $event"
	done
	[ -z "$names" ] && ok "$kind: one EventSet counts all" ||
		not_ok "$kind: one EventSet counts all (no value of$names)" \
			"$work/out"
}

kind=skl
cat > "$work/scenario" <<'END'
engine-busy rcs0 50
engine-busy vcs0 25
END
i=drm:::i915
"$sim" --gpu skl -- "$papi/bin/papi_native_avail" -i pmu > "$work/out" 2>&1
has "skl: PMU events are listed" "$work/out" "$i::pmu.rcs0-busy" \
	"$i::pmu.rc6-residency" "$i::pmu.actual-frequency"
unit $i::pmu.rcs0-busy ns
unit $i::pmu.actual-frequency cycles
unit $i::pmu.interrupts events
together $i::pmu.rcs0-busy $i::pmu.vcs0-busy $i::RenderBasic.GpuTime \
	$i::RenderBasic.GpuCoreClocks
# twice the time, but for a moment
awk -v r="$(value $i::pmu.rcs0-busy)" -v v="$(value $i::pmu.vcs0-busy)" \
	'BEGIN {exit !(r > 1.99 * v && r < 2.01 * v)}' &&
	ok "skl: values are of one moment" ||
	not_ok "skl: values are of one moment" "$work/out"

kind=vega20
echo 'df-rate cake0_pcsout_txdata 125M' > "$work/scenario"
a=drm:::amdgpu
unit $a::pmu.cake0_pcsout_txdata events
together $a::pmu.cake0_pcsout_txdata $a::pmu.xgmi_link1_data_outbound \
	$a::GRBM.COUNT
"$sim" --gpu vega20 -- "$papi/bin/papi_command_line" \
	$a::pmu.cake{0,1}_pcsout_tx{data,meta} $a::pmu.xgmi_link0_data_outbound \
	> "$work/out" 2>&1
has "vega20: the fabric counts four at once" "$work/out" \
	'Failed adding: .*xgmi_link0_data_outbound'

# ---------------------------------------------------------------- of CPUs
"$sim" --gpu skl -- "$papi/bin/papi_native_avail" -i TASK-CLOCK \
	> "$work/out" 2>&1
lacks "CPU events are not listed" "$work/out" 'drm:::perf'
"$sim" --gpu skl -- env PAPI_DRM_VERBOSE=1 "$papi/bin/papi_command_line" \
	drm:::perf::TASK-CLOCK > "$work/out" 2>&1
has "CPU events are PAPI's own business" "$work/out" 'Failed adding' \
	"component perf_event"

"$sim" --gpu skl --unprivileged -- env PAPI_DRM_VERBOSE=1 \
	"$papi/bin/papi_command_line" $i::pmu.rcs0-busy > "$work/out" 2>&1
has "the error for missing permission names sysctl and capability" "$work/out" \
	'kernel.perf_event_paranoid=0' 'CAP_PERFMON'
finish
