#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Metrics of bytes: on random loads all formulas of one quantity equal the sum
# of requests by their sizes. Where counters contradict each other there is no
# value. What is computed is printed with its formula by stat --verbose and in the
# page of report.
. tests/tool/lib.sh

# The load: a random rate for each of EVENT=NUMBER, within a second and instance,
# and more than all of them for a number without an event, of which they are parts.
draw()
{
	local seed=$1
	shift
	printf '%s\n' "default zero" "clock sclk 1000"
	printf '%s\n' "$@" | awk -F= -v seed="$seed" '
		BEGIN { srand(seed) }
		{ print "rate " $2, int(1000000 * (1 + 8 * rand())) + \
			($1 == "" ? 30000000 : 0) }'
}

# count GPU EVENTS: what 100 ms of the load make, in bytes where it is a size
count()
{
	DRMPERF_DIES=one run 0 $sim --strict --time virtual \
		--scenario "$work/load" --gpu "$1" -- "$tool" stat --csv \
		--control none -e "$2" -- $sim ctl advance 100ms
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{
			name = $column["event"]
			sub(/.*::/, "", name)
			sub(/^metric\./, "", name)
			sub(/:.*/, "", name)
			printf "%s %.3f\n", name, $column["value"] * \
				($column["unit"] == "KiB" ? 1024 : 1)
		}' "$work/out"
}

# agree GPU METRICS SUM EVENT=NUMBER...: the metrics are the sum, of events that
# have a factor each
agree()
{
	local gpu=$1 metrics=$2 sum=$3 seed metric names
	shift 3
	names=$(printf '%s\n' "$sum" | sed 's/\*[-0-9]*//g; s/+/,/g')
	for seed in 1 2 3; do
		draw $seed "$@" > "$work/load"
		for metric in ${metrics//,/ }; do
			count "$gpu" "$metric,$names" | awk -v sum="$sum" \
				-v metric="$metric" -v seed=$seed '
			{ value[$1] = $2 }
			END {
				count = split(sum, parts, "+")
				while (count) {
					split(parts[count--], part, "*")
					wanted += value[part[1]] * part[2]
				}
				off = value[metric] - wanted
				if (!(wanted > 1e6) || off > 2048 || off < -2048)
					print metric, "is", value[metric] + 0, \
						"and not", wanted, "seed", seed
			}'
		done
	done > "$work/differ"
	[ ! -s "$work/differ" ] || cat "$work/err" >> "$work/differ"
	if [ -s "$work/differ" ]; then
		not_ok "$gpu: $metrics equal $sum" "$work/differ"
	else
		ok "$gpu: $metrics equal $sum"
	fi
}

agree vega10 FETCH_SIZE,FetchSize "TCC.EA_RDREQ*64+TCC.EA_RDREQ_32B*-32" \
	=TCC.41 EA_RDREQ_32B=TCC.42
agree vega10 WRITE_SIZE,WriteSize "TCC.EA_WRREQ*32+TCC.EA_WRREQ_64B*32" \
	=TCC.29 EA_WRREQ_64B=TCC.30
agree mi200 FETCH_SIZE,FetchSize "TCC.EA_RDREQ*64+TCC.EA_RDREQ_32B*-32" \
	=TCC.38 EA_RDREQ_32B=TCC.39
agree mi300 FETCH_SIZE,FetchSize,TCC_EA_READBW \
	"TCC.EA0_RDREQ*64+TCC.BUBBLE*64+TCC.EA0_RDREQ_32B*-32" \
	=TCC.38 BUBBLE=TCC.56 EA0_RDREQ_32B=TCC.39
agree mi300 WRITE_SIZE,WriteSize "TCC.EA0_WRREQ*32+TCC.EA0_WRREQ_64B*32" \
	=TCC.26 EA0_WRREQ_64B=TCC.27
agree mi350 FETCH_SIZE,FetchSize \
	"TCC.EA0_RDREQ_32B*32+TCC.EA0_RDREQ_64B*64+TCC.EA0_RDREQ_128B*128" \
	32B=TCC.43 64B=TCC.44 128B=TCC.45
for gpu in navi10=89 navi21=99 navi31=99 strix=99; do
	id=${gpu#*=}
	agree ${gpu%=*} FETCH_SIZE,FetchSize "GL2C.EA_RDREQ_32B*32\
+GL2C.EA_RDREQ_64B*64+GL2C.EA_RDREQ_96B*96+GL2C.EA_RDREQ_128B*128" \
		32B=GL2C.$id 64B=GL2C.$((id + 1)) 96B=GL2C.$((id + 2)) \
		128B=GL2C.$((id + 3))
done
for gpu in navi10=75=76 navi21=83=85 navi31=83=85 strix=83=85; do
	id=${gpu#*=}
	agree ${gpu%%=*} WRITE_SIZE,WriteSize \
		"GL2C.MC_WRREQ*32+GL2C.EA_WRREQ_64B*32" \
		=GL2C.${id%=*} 64B=GL2C.${id#*=}
done
agree navi48 FETCH_SIZE,FetchSize "GL2C.EA_RDREQ_32B*32+GL2C.EA_RDREQ_64B*64\
+GL2C.EA_RDREQ_128B*128+GL2C.EA_RDREQ_256B*256" \
	32B=GL2C.146 64B=GL2C.147 128B=GL2C.148 256B=GL2C.149
agree navi48 WRITE_SIZE,WriteSize "GL2C.EA_WRREQ_32B*32+GL2C.EA_WRREQ_64B*64\
+GL2C.EA_WRREQ_128B*128+GL2C.EA_WRREQ_256B*256" \
	32B=GL2C.113 64B=GL2C.114 128B=GL2C.115 256B=GL2C.116

# More large requests than requests: what is left for those of 64 bytes would be
# negative, and the rest of the sum a plausible number.
printf '%s\n' "default zero" "busy gui 50" "rate TCC.38 1000000" \
	"rate TCC.56 2500000" "rate TCC.26 1000000" "rate TCC.27 2000000" \
	> "$work/load"
for metric in FETCH_SIZE FetchSize TCC_EA_READBW WRITE_SIZE MemWrites32B \
	BANDWIDTH_EA; do
	DRMPERF_DIES=one run 0 $sim --strict --time virtual \
		--scenario "$work/load" --gpu mi300 -- "$tool" stat -e $metric \
		-- $sim ctl advance 100ms
	has "$metric has no value where a difference in it is negative" \
		"$work/err" "^ +n/a .*$metric"
done
run 0 $sim --gpu mi300 -- "$tool" list FETCH_SIZE
has "the description of a metric says when it has no value" "$work/out" \
	'N/a where TCC_EA0_RDREQ_sum is less than'

# ---------------------------------------------------------------- said
vega="$sim --strict --time virtual --gpu vega10 --"
advance="$sim ctl advance 100ms"
run 0 $vega "$tool" stat -e amdgpu::SQ.WAVES,GPUBusy,MemUnitBusy -v -- $advance
grep ' = ' "$work/err" > "$work/formulas"
same "stat -v prints the formula of each metric and of no counter" \
	"$work/formulas" " amdgpu::metric.GPUBusy = \
min(CPF.CPF_STAT_BUSY, CPF.ALWAYS_COUNT) / CPF.ALWAYS_COUNT * 100
 amdgpu::metric.MemUnitBusy = max(TA.ta_busy:instance=0, \
TA.ta_busy:instance=1, ..., TA.ta_busy:instance=63) / CPF.CPF_STAT_BUSY * 100"
run 0 $vega "$tool" stat -e GPUBusy -- $advance
grep " = " "$work/err" > "$work/formulas"
empty "stat without -v prints no formula" "$work/formulas"
run 0 $vega "$tool" stat -e GPUBusy --json --verbose -- $advance
has "stat --json --verbose has formulas by event" "$work/out" \
	'"formulas": ."amdgpu::metric.GPUBusy:device=0": "min.CPF.CPF_STAT_BUSY, '
run 0 $sim --time virtual --gpu icl -- "$tool" stat -v \
	-e oa.GtiReadThroughput -- $advance
grep " = " "$work/err" > "$work/formulas"
same "stat -v prints the formula of the metric set that has counted" \
	"$work/formulas" \
	" i915::oa.GtiReadThroughput = ComputeL3Cache.B2 * 64"
run 0 $sim --time virtual --gpu adl -- "$tool" stat -v -e oa.EuActive \
	-- $advance
lacks "an event of any set is not of one that extrapolates" "$work/err" \
	'Coarse'
run 0 $vega "$tool" record -e amdgpu::SQ.WAVES,GPUBusy -o "$work/data" -- $advance
run 0 "$tool" report --html "$work/page" "$work/data"
grep -c '<br/>= ' "$work/page" > "$work/formulas"
same "the page has one formula of a counter and a metric" "$work/formulas" 1
has "the page has the formula of a metric below its description" "$work/page" \
	'<br/>= .*CPF.CPF_STAT_BUSY, .*CPF.ALWAYS_COUNT \* 100'
finish
