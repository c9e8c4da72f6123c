#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf record --stream: what the GPU writes in each interval of its clock adds
# up to what counters count, and what does not fit is refused. Time is virtual.
. tests/tool/lib.sh

data=$work/data
# simulate GPU [DOUBT]: what $navi runs from now on
simulate()
{
	printf 'default zero\n' > "$work/scenario"
	[ $# = 1 ] || printf '%s\n' "$2" >> "$work/scenario"
	navi="$sim --strict --time virtual --scenario $work/scenario --gpu $1 --"
}
simulate navi21
advance="$sim ctl advance"

# write_script RATE...: counts for 100 us, between two times of nothing
write_script()
{
	local rate
	{
		echo "$advance 50us"
		printf "$sim ctl set rate '%s'\n" "$@"
		echo "$advance 100us"
		for rate in "$@"; do
			echo "$sim ctl set rate '${rate% *} 0'"
		done
		echo "$advance 50us"
	} > "$work/script"
}
write_script 'SQ.26 3000000' 'GL2C.3 700000000' 'GL2C.43 90000000' \
	'GL2C.99 10000000' 'GL2C.100 20000000' 'GL2C.101 30000000' \
	'TCP.9 250000000' 'CPF.24 1000000000' 'GL1C.14 40000000' \
	'TA.15 800000000' 'SQ.20 2000000' 'SQ_WGP.4 2000000' \
	'SQ_WGP.62 90000000'

# values FILE: name and value of each event of a CSV table
values()
{
	python3 -c '
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print(row["event"], row["value"])' "$1" | sort
}

# sums_match NAME EVENTS...: a stream of all of them and counters, which have
# room for a part of them at a time, count alike
sums_match()
{
	local name=$1 part
	shift
	: > "$work/diff"
	for part in "$@"; do
		run 0 $navi "$tool" stat --csv -o "$work/counted" -e "$part" \
			-- sh "$work/script"
		values "$work/counted"
	done | sort > "$work/counters"
	if run 0 $navi "$tool" record --stream -o "$data" \
		-e "$(IFS=,; echo "$*")" -- sh "$work/script" &&
		run 0 "$tool" report --csv -o "$work/streamed" "$data" &&
		values "$work/streamed" > "$work/sums" &&
		! grep -q ' 0$' "$work/sums" && [ -s "$work/sums" ] &&
		diff "$work/counters" "$work/sums" > "$work/diff"; then
		ok "$name"
	else
		cat "$work/diff" >> "$work/err"
		not_ok "$name" "$work/err"
	fi
}

sums_match "intervals of counters of 32 bits add up to what is counted" \
	amdgpu::GL2C.REQ,amdgpu::TCP.REQ,amdgpu::CPF.CPF_STAT_BUSY,amdgpu::GL1C.REQ,amdgpu::TA.ta_busy
sums_match "intervals of counters of 16 bits add up to what is counted" \
	amdgpu::metric.FetchSize,amdgpu::GL2C.EA_RDREQ_32B,amdgpu::GL2C.EA_RDREQ_64B,amdgpu::GL2C.EA_RDREQ_96B
sums_match "intervals of counters of the SQ add up to what is counted" \
	amdgpu::SQ.WAVE_CYCLES
sums_match "intervals of an instance add up to what is counted there" \
	amdgpu::GL2C.REQ:instance=3,amdgpu::GL2C.MISS

simulate navi10
sums_match "intervals of gfx10.1 add up to what is counted" \
	amdgpu::GL2C.REQ,amdgpu::TCP.REQ,amdgpu::SQ.WAVE_CYCLES,amdgpu::TA.ta_busy
# of engines that have fewer counters than others, too
for gpu in navi31 strix; do
	simulate $gpu
	sums_match "intervals of $gpu add up to what is counted" \
		amdgpu::GL2C.REQ,amdgpu::TCP.REQ,amdgpu::SQ.WAVES,amdgpu::CPF.CPF_STAT_BUSY,amdgpu::GL1C.REQ,amdgpu::TA.ta_busy
	sums_match "intervals of 16 bits of $gpu add up to what is counted" \
		amdgpu::metric.FetchSize,amdgpu::GL2C.EA_RDREQ_32B,amdgpu::GL2C.EA_RDREQ_64B,amdgpu::GL2C.EA_RDREQ_96B
	sums_match "intervals of an engine of $gpu add up to what is counted" \
		amdgpu::TCP.REQ:instance=0,amdgpu::GL2C.REQ
	DRMPERF_UNTESTED=STREAM.SQ_WGP sums_match \
		"intervals of WGPs of $gpu add up to what is counted" \
		amdgpu::SQ_WGP.WAVES,amdgpu::SQ_WGP.INSTS_VALU,amdgpu::TCP.REQ
done

# off until they have been tested: four engines, of which the last has the rest
write_script 'SQ.4 3000000' 'TCC.3 700000000' 'TCC.20 90000000' \
	'TCC.22 20000000' 'TCC.29 50000000' 'TCC.41 60000000' \
	'TCP.5 250000000' 'CPF.23 1000000000' 'TA.15 800000000'
export DRMPERF_UNTESTED="STREAM STREAM.SQ_WGP"
for gpu in vega10 vega20; do
	simulate $gpu
	sums_match "intervals of $gpu add up to what is counted" \
		amdgpu::TCC.REQ,amdgpu::SQ.WAVES,amdgpu::CPF.CPF_STAT_BUSY,amdgpu::TA.ta_busy
	sums_match "intervals of 16 bits of $gpu add up to what is counted" \
		amdgpu::TCC.REQ,amdgpu::TCC.HIT,amdgpu::TCC.MISS \
		amdgpu::TCC.EA_WRREQ,amdgpu::TCC.EA_RDREQ
	sums_match "intervals of an engine of $gpu add up to what is counted" \
		amdgpu::TCP.TCP_TA_ADDR_STALL_CYCLES:instance=0,amdgpu::TCC.REQ:instance=7
done
write_script 'GL2C.3 700000000' 'SQ.19 3000000' 'CPF.24 1000000000' \
	'GL1C.30 40000000' 'TA.15 800000000' 'GL1XC.18 30000000' \
	'TCP.9 250000000' 'GE_SE.4 5000000' 'SQ_WGP.4 2000000'
simulate navi48
sums_match "intervals of gfx12 add up to what is counted" \
	amdgpu::GL2C.REQ,amdgpu::SQ.WAVES,amdgpu::CPF.CPF_STAT_BUSY,amdgpu::GL1C.REQ,amdgpu::TA.ta_busy
sums_match "intervals of blocks of engines of gfx12 add up to what is counted" \
	amdgpu::GL1XC.REQ,amdgpu::TCP.REQ:instance=0,amdgpu::GE_SE.hs_thread_groups,amdgpu::SQ_WGP.WAVES
unset DRMPERF_UNTESTED
write_script 'GL2C.3 700000000' 'GL2C.43 90000000'
simulate navi21

# ------------------------------------------------------------------- the file
few="GL2C.REQ,metric.L2CacheHit"
status "record --stream exits with 0" 0 $navi "$tool" record --stream \
	--every 2000 -o "$data" -e "$few" -- sh "$work/script"
has "record --stream says how long an interval is" "$work/err" \
	'^drmperf record: [0-9]+ intervals of 1\.09. us, of all programs'
run 0 "$tool" report --perfetto "$work/trace" --html "$work/page" "$data"
has "intervals are counters of the trace" "$work/trace" 'GL2C\.REQ'
has "intervals are in the page" "$work/page" 'GL2C\.REQ'
status "record --stream has events of its own" 0 $navi "$tool" record \
	--stream -o "$data" -- sh "$work/script"
run 0 "$tool" report "$data"
has "events of caches and memory have values of their own" "$work/out" \
	'metric\.L0CacheHit' 'metric\.MemUnitBusy' 'metric\.FetchSize'

for gpu in navi31 strix; do
	run 0 $sim --strict --gpu $gpu --time virtual -- "$tool" record \
		--stream -o "$data" -- $advance 100us
	run 0 "$tool" report "$data"
	has "events of its own on $gpu leave those of shaders out" \
		"$work/out" 'metric\.L0CacheHit' 'metric\.FetchSize'
done

# no simulator keeps up with a hundred seconds in one
status "record --stream ends where more is written than can be simulated" 0 \
	$sim --strict --time 100x --gpu navi21 -- \
	"$tool" record --stream -o "$data" -- true

# ------------------------------------------------------------------ refusals
# refused NAME GPU EVENTS CAUSE [WORD...]: record --stream ends with the cause
refused()
{
	local name=$1 gpu=$2 events=$3 cause=$4
	shift 4
	run 125 $sim --strict --time virtual --gpu "$gpu" -- "$@" "$tool" \
		record --stream -o "$data" -e "$events" -- true
	has "$name" "$work/err" "$cause" '^try: '
}
# events BLOCK NUMBER...: so many events of each block, between commas
events()
{
	while [ $# != 0 ]; do
		awk -v block="name=\"$1\"" -v count="$2" '
		/<block / { ours = index($0, block " ") }
		/<list of=/ { events = ours && /"event"/; next }
		events && count && $1 > 1 {
			sub(/:.*/, "", $2)
			printf("%s.%s,", substr(block, 7, length(block) - 7), $2)
			count--
		}' events/amdgpu/gfx10.3.xml
		shift 2
	done | sed 's/,$//'
}
refused "events that do not fit are refused, with their block" navi21 \
	'CPF.CSF_BUSY_FOR_*,CPF.ALWAYS_COUNT,CPF.CPF_STAT_BUSY' 'CPF streams 4 events at once at most, not 7'
refused "blocks that do not stream are named" navi21 GRBM.COUNT \
	'counters of GRBM cannot be streamed'
refused "generations that do not stream are named" mi100 SQ.WAVES \
	'cannot be streamed: how is not known'
for gpu in vega10 navi48; do
	refused "streams of $gpu are off until they have been tested" $gpu \
		SQ.WAVES 'are not streamed: only'
done
refused "blocks of which sources differ are off" navi31 SQ_WGP.WAVES \
	'counters of SQ_WGP are not streamed'
refused "events of other drivers are refused" bmg RenderBasic.GpuCoreClocks \
	'cannot be streamed'
refused "samples have room for so many counters" navi21 \
	"$(events TCP 8 TD 4 TA 4 GL1C 4 CB 4 DB 8 SX 8 SPI 16 PA_SU 16 \
		GL1A 4 PA_SC 4 SQ 16)" \
	'no room for so many counters; TCP has the most'
refused "a stream is refused while counters count" navi21 GL2C.REQ \
	'counts counters on .*, and streams and traces are alone' \
	"$tool" stat -e GRBM.COUNT --
refused "two streams are refused" navi21 GL2C.REQ \
	'streams counters on .*, and streams and traces are alone' \
	"$tool" record --stream -o "$work/other" -e GL2C.MISS --
run 125 $navi "$tool" record --stream -o "$work/other" -e GL2C.REQ -- \
	"$tool" stat -e GRBM.COUNT -- true
has "counters are refused while a stream runs" "$work/err" \
	'streams counters on .*, and streams and traces are alone'
refused "clocks that others hold are refused" navi21 GL2C.REQ \
	'another program holds the clocks' "$tool" clock min-engine --
DRMPERF_CLOCK=default refused "clocks that may change are refused" navi21 \
	GL2C.REQ 'at fixed clocks only'
status "intervals have a greatest length" 129 $navi "$tool" record --stream \
	--every 65536 -a
status "intervals have a least length" 125 $navi "$tool" record --stream \
	--every 31 -o "$data" -e GL2C.REQ -- true
has "the least length is named" "$work/err" 'every 32 to 65535 clocks'
status "--every is for streams" 129 $navi "$tool" record --every 4096 -- true
status "samples and intervals exclude each other" 129 $navi "$tool" record \
	--stream -F 10 -- true

# ------------------------------------------------------------------- kill -9
# What a killed process holds is held until its stream has ended.
cat > "$work/killed" << END
"$tool" record --stream -o "$data" -e GL2C.REQ -- "\$@" 2> /dev/null
ended=\$?
$sim ctl mend
until "$tool" stat -e GL2C.REQ -- $sim ctl advance 1ms 2> "$work/counted"; do
	grep -q 'in use\|keeps the lock' "$work/counted" || exit 99
done
exit \$ended
END
run 137 $navi sh "$work/killed" sh -c 'kill -9 $PPID'
has "a stream whose process was killed has ended before others count" \
	"$work/counted" '^ +[0-9,]+ +requests .*amdgpu::GL2C\.REQ'
lacks "a stream whose process was killed is not left on" "$work/err" \
	'exit status|misused'
# killed_at CALL: before the first, the second ... of such calls, all of them
killed_at()
{
	local i ended=137
	: > "$work/killings"
	for ((i = 1; ended == 137; i++)); do
		$sim --strict --time virtual --scenario "$work/scenario" \
			--gpu navi21 --fault "$1:$i:KILL" -- \
			sh "$work/killed" $sim ctl advance 20us \
			> "$work/out" 2> "$work/err"
		ended=$?
		echo "$1:$i: exit status $ended" >> "$work/killings"
		grep -a '^violation' "$work/err" >> "$work/killings"
	done
	if [ $ended = 0 ] && [ $i -gt 2 ] &&
		! grep -q violation "$work/killings"; then
		ok "a process killed at any $1 leaves no stream on"
	else
		not_ok "a process killed at any $1 leaves no stream on" \
			"$work/killings"
	fi
}
for call in cs wait_cs vm gem_create gem_close bo_list gem_va; do
	killed_at $call
done

finish
