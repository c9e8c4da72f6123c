#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# PAPI counts sensors and fdinfo in one EventSet with counters and PMUs, with
# the values of the scenario.
. tests/papi/lib.sh

amd=drm:::amdgpu
intel=drm:::i915

cat > "$work/amd" << 'END'
default zero
rate SQ.4 1000
clock sclk 1234
sensor load 37
sensor temp 61500
sensor power 143
sensor vddgfx 1056
memory vram-used 3000000000
client-busy gfx 10
client-memory vram 4194304
END
# 100 ms, four shader engines; each file of this process is busy for 10 ms
amd_events="$amd::SQ.WAVES=400 $amd::GRBM.COUNT=123400000
	$amd::sensor.gfx-sclk=1234 $amd::sensor.gpu-load=37
	$amd::sensor.gpu-temp=61500 $amd::sensor.gpu-avg-power=143
	$amd::sensor.vddgfx=1056 $amd::sensor.vram-usage=3000000000
	$amd::fdinfo.engine-gfx%10000000 $amd::fdinfo.memory-vram%4194304"

cat > "$work/intel" << 'END'
gpu-clock 777
requested-frequency 901
rc6 25
client-busy rcs 10
END
# an open stream keeps the GPU awake, and waiting for it takes some time
intel_events="$intel::RenderBasic.GpuTime+ $intel::sensor.act-freq=777
	$intel::sensor.cur-freq=901 $intel::sensor.rc6-residency=0
	$intel::pmu.rcs0-busy+ $intel::fdinfo.engine-render+"
idle_events="$intel::sensor.act-freq=777 $intel::sensor.rc6-residency=100000000
	$intel::fdinfo.engine-render%40000000"

# count KIND SCENARIO MILLISECONDS EVENT...
count()
{
	local kind=$1 scenario=$2
	shift 2
	echo "# $kind"
	"$sim" --strict --time virtual --scenario "$work/$scenario" \
		--gpu "$kind" -- "$programs/mixed" "$@" || failed=1
}
# shellcheck disable=SC2086
count vega10 amd 100 $amd_events
# shellcheck disable=SC2086
count vega20 amd 100 $amd_events $amd::pmu.xgmi_link0_data_outbound+
# shellcheck disable=SC2086
count skl intel 100 $intel_events
# shellcheck disable=SC2086
count skl intel 400 $idle_events

# ---------------------------------------------------------------- listed
# units KIND: "EVENT UNITS" a line, into $work/out
units()
{
	"$sim" --gpu "$1" -- "$papi/bin/papi_native_avail" -i drm --noqual |
		awk '$2 ~ /^drm:::/ { event = $2 }
			$2 == "Units:" { print event, $3 }' > "$work/out"
}
units vega10
has "papi_native_avail lists sensors and fdinfo of AMD with units" "$work/out" \
	"$amd::sensor.gfx-sclk MHz" "$amd::sensor.gfx-mclk MHz" \
	"$amd::sensor.stable-pstate-gfx-sclk MHz" \
	"$amd::sensor.gpu-load percent" "$amd::sensor.gpu-temp mdegC" \
	"$amd::sensor.gpu-avg-power W" "$amd::sensor.vddgfx mV" \
	"$amd::sensor.vram-usage bytes" "$amd::sensor.gtt-total bytes" \
	"$amd::fdinfo.engine-gfx ns" "$amd::fdinfo.memory-vram bytes"
lacks "a dGPU has no VDDNB" "$work/out" vddnb
units skl
has "papi_native_avail lists sensors and fdinfo of Intel with units" \
	"$work/out" \
	"$intel::sensor.act-freq MHz" "$intel::sensor.rc6-residency ns" \
	"$intel::fdinfo.engine-render ns" \
	"$intel::fdinfo.resident-system0 bytes"

# ---------------------------------------------------------------- cost
# Sensors ask the kernel and fdinfo is text to be read, but nothing allocates.
"$sim" --gpu vega10 -- "$programs/read_cost" any any 0 $amd::sensor.gpu-temp \
	$amd::sensor.vram-usage $amd::fdinfo.engine-gfx || failed=1
"$sim" --gpu skl -- "$programs/read_cost" any any 0 $intel::sensor.act-freq \
	$intel::sensor.rc6-residency $intel::fdinfo.engine-render || failed=1
finish
