#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Under drmsim --load the numbers of a simulated GPU fit together: those of
# every GPU, every load and all metric groups.
. tests/tool/lib.sh

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

# count GPU LOAD: all metric groups and what is beside them
count()
{
	local groups=default,memory,compute,cache,power
	case $1 in
	mi*) ;;
	pvc*) groups=default,memory,compute ;;
	*) groups=$groups,graphics ;;
	esac
	DRMPERF_DIES=one run 0 $sim --strict --time virtual --load "$2" \
		--gpu "$1" -- "$tool" stat --passes --control none --csv \
		-M $groups -e "$(beside "$1")" -- $sim ctl advance 100ms
}

# count_alone GPU LOAD GROUP: one metric group, which other sets may serve than all
count_alone()
{
	DRMPERF_DIES=one run 0 $sim --strict --time virtual --load "$2" \
		--gpu "$1" -- "$tool" stat --passes --control none --csv \
		-M "$3" -- $sim ctl advance 100ms
}

# check LOAD FILE LINES: the rules that its values break, which are so many lines
# or more
check()
{
	awk -F, -v load="$1" -v lines="$3" '
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
			rule(of <= 100.001, name " is " of " %")
		if (name ~ /^pmu/) {
			engines += of
			share = $column["unit"] == "percent"
		}
	}
	# asked for by its name, a value would be there from then on
	function get(name) { return has(name) ? value[name] : 0 }
	function rule_near(a, b, by, text) {
		rule(near(a, b, by), text ": " a " and " b)
	}
	function at_most(a, b, text) {
		if (has(b)) rule(value[a] <= 1.01 * value[b], text)
	}
	function above_half(name) {
		if (has(name)) rule(value[name] > 50, name " is low")
	}
	# HIT and MISS are all that was asked for, and so are READ and WRITE
	function requests(block) {
		if (!has(block "REQ")) return
		rule(value[block "HIT"] + value[block "MISS"] == \
			value[block "REQ"], block "HIT and MISS are not REQ")
		rule(value[block "READ"] + value[block "WRITE"] == \
			value[block "REQ"], block "READ and WRITE are not REQ")
	}
	END {
		rule(NR >= lines, "few values")
		requests("TCC.")
		requests("GL2C.")
		busy = "oa.GpuBusy"
		if (has("metric.GPU_UTIL")) busy = "metric.GPU_UTIL"
		if (has("metric.GPUBusy")) busy = "metric.GPUBusy"
		busy = value[busy]
		if (has("sensor.gpu-load"))
			rule_near(value["sensor.gpu-load"], busy, 1,
				"the sensor and counters differ")
		else if (engines != "")
			rule_near(share ? engines : \
				100 * engines / value["oa.GpuTime"], busy, 3,
				"engines and counters differ")
		if (has("oa.AvgGpuCoreFrequency") && has("sensor.act-freq"))
			rule_near(value["oa.AvgGpuCoreFrequency"] / 1e6,
				value["sensor.act-freq"], 2, "two clocks")
		active = get("oa.EuActive") + get("oa.EuStall") + \
			get("oa.XveActive") + get("oa.XveStall") + \
			get("oa.XVE_ACTIVE") + get("oa.XVE_STALL")
		rule(active <= busy + 0.1, "units are busier than the GPU")
		at_most("oa.L3Misses", "oa.L3Lookups", "misses and lookups")
		at_most("oa.SamplerTexelMisses", "oa.SamplerTexels",
			"misses and texels")
		at_most("oa.LOAD_STORE_CACHE_HIT",
			"oa.LOAD_STORE_CACHE_ACCESS", "hits and accesses")
		if (has("oa.RasterizedPixels"))
			rule(get("oa.SamplesWritten") + \
				get("oa.EarlyDepthTestFails") <= \
				1.01 * value["oa.RasterizedPixels"],
				"more samples than pixels")
		if (load == "idle")
			rule(busy < 0.1, "is busy " busy " %")
		else
			rule(busy > 50, "is not busy")
		if (load == "memory-bound") {
			above_half("oa.EuStall")
			above_half("oa.XveStall")
			above_half("oa.XVE_STALL")
			above_half("metric.MemUnitStalled")
			for (name in value)
				if (name ~ /Gti(Read|Write)Thr|MEMORY_BYTE|(Fetch|Write)Size/)
					rule(value[name] > 0, name " is 0")
		}
		if (load == "compute-bound") {
			above_half("metric.VALUBusy")
			above_half("oa.EuActive")
			above_half("oa.XveActive")
			above_half("oa.XVE_ACTIVE")
		}
	}' "$2"
}

# What top shows and nobody believes: the load is not that of a program here.
look()
{
	run 0 $sim --load "$2" --gpu "$1" -- "$tool" top -b -n 1 -s 1
	sed "s/^/$2: /" "$work/err"
	awk -v load="$2" '
	/ vram +0 B / { print load ": " $0 }
	/^Processes/ { getline; if (!/^  none/) print load ": " $0 }
	' "$work/out"
}

# make check counts every third GPU, make check-deep each
for gpu in $("$sim" --list | awk -v every="${EVERY:-3}" 'NR % every == 0'); do
	: > "$work/wrong"
	for load in idle memory-bound compute-bound graphics; do
		# nothing renders there
		[[ $gpu-$load != pvc*-graphics && $gpu-$load != cri-graphics ]] ||
			continue
		if count "$gpu" $load; then
			check $load "$work/out" 9 >> "$work/wrong"
		else
			sed "s/^/$load: /" "$work/err" >> "$work/wrong"
		fi
		group=${load%-bound}
		[[ $load == *-bound ]] || continue
		count_alone "$gpu" $load $group
		check $load "$work/out" 3 | sed "s/^/-M $group: /" \
			>> "$work/wrong"
		# one is enough: the others are made alike
		[ $load != memory-bound ] ||
			look "$gpu" $load >> "$work/wrong"
	done
	empty "$gpu: numbers fit together under every load" "$work/wrong"
done

# values DRIVER: events and what was counted of them, below any driver
values()
{
	awk -F, -v driver="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	sub(driver "::", "", $column["event"]) {
		print $column["event"], $column["value"]
	}' "$work/out"
}

# compare FILE FILE: what differs between two drivers, whose spans of time differ by
# some per cent
compare()
{
	awk 'NR == FNR { of[$1] = $2; next }
	!($1 in of) { print $1 " is not counted under i915"; next }
	{
		by = 0.06 * of[$1]
		if (of[$1] - $2 > by || $2 - of[$1] > by)
			print $1 ": " of[$1] " under i915, " $2 " under xe"
		delete of[$1]
	}
	END { for (name in of) print name " is not counted under xe" }' "$@"
}

# what both drivers drive counts the same under either; make check counts two GPUs
for gpu in $(grep -l '^driver .*i915 xe' utils/drmsim/gpus/*.gpu |
	awk -v every="${EVERY:-6}" 'NR % every == 0'); do
	gpu=$(basename "$gpu" .gpu)
	: > "$work/wrong"
	for load in idle memory-bound compute-bound graphics; do
		group=${load%-bound}
		[ $load != $group ] || group=
		for group in default $group; do
			count_alone "$gpu" $load $group
			values i915 > "$work/i915"
			count_alone "$gpu,driver=xe" $load $group
			check $load "$work/out" 4 >> "$work/wrong"
			values xe > "$work/xe"
			compare "$work/i915" "$work/xe" | sed "s/^/-M $group: /" \
				>> "$work/wrong"
		done
	done
	empty "$gpu counts the same under i915 and xe" "$work/wrong"
done

# other names of GPUs: as people call them, and what they are sold as
sed -n 's/^alias *//p' utils/drmsim/gpus/*.gpu | tr ' ' '\n' > "$work/names"
for name in $(cat "$work/names") mi300x a770 7900xtx; do
	$sim --gpu "$name" -- true 2>> "$work/unknown"
done
empty "drmsim takes each alias of a GPU" "$work/unknown"
("$sim" --list; cat "$work/names") | sort | uniq -d > "$work/twice"
empty "no two GPUs have one name" "$work/twice"

# a scenario goes before the load, and a slip is told
status "drmsim takes a scenario together with a load" \
	0 $sim --time virtual --load idle --gpu vega10 \
	--scenario examples/memory-bound-vega10.scenario -- \
	"$tool" stat --csv -e GPUBusy -- $sim ctl advance 10ms
has "a scenario takes precedence over a load" \
	"$work/out" ',amdgpu::metric.GPUBusy,,99,'
status "drmsim refuses an unknown load" \
	125 $sim --load nosuch --gpu vega10 -- true
has "the error names the unknown load" "$work/err" "has no load 'nosuch'"
status "drmsim takes a load without a GPU" 0 $sim --load idle -- true
if command -v python3 > /dev/null; then
	cp -r utils "$work/utils"
	ln -s "$PWD/events" "$work/events"
	PYTHONDONTWRITEBYTECODE=1 python3 "$work/utils/drmsim/tools/loads.py"
	diff -r utils/drmsim/gpus "$work/utils/drmsim/gpus" > "$work/diff" 2>&1
	empty "loads.py makes the loads" "$work/diff"
else
	skip "loads.py makes the loads" "there is no python3"
fi
finish
