#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmsim --load: whatever a simulated GPU is said to do, its numbers fit
# together. Every GPU, every load, all metric groups.
. tests/tool/lib.sh

# once: it is the simulator that is looked at
[ -z "${TOOL:-}" ] || finish

# what is counted beside the groups, in other units of the same things
beside()
{
	case $1 in
	navi* | phoenix | strix* | krackan)
		echo GL2C.HIT,GL2C.MISS,GL2C.REQ,GL2C.READ,GL2C.WRITE ;;
	bonaire | polaris* | vega* | mi*)
		echo TCC.HIT,TCC.MISS,TCC.REQ,TCC.READ,TCC.WRITE ;;
	*)
		echo 'pmu.[rc]cs0-busy*' ;;
	esac
}

# any machine: under xe only real time passes; the rules hold for any length
count()
{
	local time=virtual groups=default,memory,compute,cache,power command
	case $1 in
	bmg | lnl | ptl) time=real ;;
	esac
	case $1 in
	mi*) ;;
	*) groups=$groups,graphics ;;
	esac
	command="$sim ctl advance 100ms"
	[ $time = virtual ] || command="sleep 0.02"
	DRMPERF_DIES=one run 0 $sim --strict --time $time --load "$2" \
		--gpu "$1" -- "$tool" stat --passes --control none --csv \
		-M $groups -e "$(beside "$1")" -- $command
}

# The rules that its values break, of the load that is told.
check()
{
	awk -F, -v load="$1" '
	function rule(so, text) { if (!so) print load ": " text }
	function has(name) { return name in value }
	function near(a, b, by) { return a - b <= by && b - a <= by }
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{
		name = $column["event"]
		sub(/.*::/, "", name)
		of = $column["value"]
		if (of !~ /^[0-9]/) next
		value[name] = of
		if ($column["unit"] == "percent")
			rule(of >= 0 && of <= 100.001, name " is " of " %")
		if (name ~ /^pmu/) {
			engines += of
			share = $column["unit"] == "percent"
		}
	}
	END {
		rule(NR > 8, "few values")
		for (block = 0; block < 2; block++) {
			b = block ? "GL2C." : "TCC."
			if (!has(b "REQ")) continue
			rule(value[b "HIT"] + value[b "MISS"] == value[b "REQ"], b "HIT and MISS are not REQ")
			rule(value[b "READ"] + value[b "WRITE"] == value[b "REQ"], b "READ and WRITE are not REQ")
		}
		busy = has("metric.GPUBusy") ? value["metric.GPUBusy"] : has("metric.GPU_UTIL") ? value["metric.GPU_UTIL"] : value["oa.GpuBusy"]
		if (has("sensor.gpu-load"))
			rule(near(value["sensor.gpu-load"], busy, 1), "the sensor says " value["sensor.gpu-load"] " % and counters " busy)
		else if (engines != "")
			rule(near(share ? engines : 100 * engines / value["oa.GpuTime"], busy, 3), "engines are busy for " engines " and the GPU " busy " %")
		if (has("oa.AvgGpuCoreFrequency") && has("sensor.act-freq"))
			rule(near(value["oa.AvgGpuCoreFrequency"] / 1e6, value["sensor.act-freq"], 2), "two clocks")
		active = has("oa.EuActive") ? value["oa.EuActive"] + value["oa.EuStall"] : has("oa.XveActive") ? value["oa.XveActive"] + value["oa.XveStall"] : value["oa.XVE_ACTIVE"] + value["oa.XVE_STALL"]
		rule(!has("oa.GpuBusy") || active <= busy + 0.1, "execution units are busier than the GPU")
		rule(!has("oa.L3Lookups") || value["oa.L3Misses"] <= value["oa.L3Lookups"], "more misses than lookups")
		rule(value["oa.SamplerTexelMisses"] <= value["oa.SamplerTexels"], "more misses than texels")
		rule(value["oa.LOAD_STORE_CACHE_HIT"] <= value["oa.LOAD_STORE_CACHE_ACCESS"], "more hits than accesses")
		rule(!has("oa.RasterizedPixels") || value["oa.SamplesWritten"] + value["oa.EarlyDepthTestFails"] <= 1.01 * value["oa.RasterizedPixels"], "more samples than pixels")
		if (load == "idle") {
			rule(busy < 0.1, "is busy " busy " %")
		} else {
			rule(busy > 50, "is not busy")
		}
		if (load == "memory-bound") {
			rule(!has("oa.EuStall") || value["oa.EuStall"] > 50, "execution units do not wait")
			rule(!has("metric.MemUnitStalled") || value["metric.MemUnitStalled"] > 50, "memory units do not wait")
		}
		if (load == "compute-bound") {
			rule(!has("metric.VALUBusy") || value["metric.VALUBusy"] > 50, "vector units are idle")
			rule(!has("oa.EuActive") || value["oa.EuActive"] > 50, "execution units are idle")
		}
	}' "$2"
}

for gpu in $("$sim" --list); do
	: > "$work/wrong"
	for load in idle memory-bound compute-bound graphics; do
		if count "$gpu" $load; then
			check $load "$work/out" >> "$work/wrong"
		else
			sed "s/^/$load: /" "$work/err" >> "$work/wrong"
		fi
	done
	empty "$gpu: numbers fit together under every load" "$work/wrong"
done

# a scenario goes before the load, and a slip is told
status "a scenario beside it" 0 $sim --time virtual --load idle --gpu vega10 \
	--scenario utils/examples/memory-bound-vega10.scenario -- \
	"$tool" stat --csv -e GPUBusy -- $sim ctl advance 10ms
has "goes before it" "$work/out" ',amdgpu::metric.GPUBusy,,99,'
status "an unknown load" 125 $sim --load nosuch --gpu vega10 -- true
has "is told" "$work/err" "has no load 'nosuch'"
status "no GPU" 0 $sim --load idle -- true
if command -v python3 > /dev/null; then
	cp -r utils "$work/utils"
	ln -s "$PWD/events" "$work/events"
	PYTHONDONTWRITEBYTECODE=1 python3 "$work/utils/drmsim/tools/loads.py"
	diff -r utils/drmsim/gpus "$work/utils/drmsim/gpus" > "$work/diff" 2>&1
	empty "loads.py makes the loads" "$work/diff"
else
	skip "loads made anew" "there is no python3"
fi
finish
