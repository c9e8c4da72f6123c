#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf list prints for terminals and for programs, and finds what matches.
. tests/tool/lib.sh

two="$sim --gpu vega20 --gpu sklgt2 --"

# ---------------------------------------------------------------- programs
run 0 $vega "$tool" list
has "a line of list has name, unit and description" "$work/out" \
	$'^amdgpu::TCC.REQ:device=0\trequests\tRequests of all kinds'
lacks "a line of list has three fields" "$work/out" \
	$'^([^\t]*|[^\t]*\t[^\t]*|.*\t.*\t.*\t.*|.*\033.*)$'
lines=$(wc -l < "$work/out")
status "list --json exits with 0" 0 $vega "$tool" list --json
json "list --json describes an AMD GPU, its groups and events" "$work/out" \
	'length == 1 and .[0].driver == "amdgpu" and .[0].index == 0 and
	.[0].address == "0000:03:00.0" and .[0].chip == "Vega 10" and
	([.[0].groups[].events | length] | add) == '"$lines"' and
	all(.[0].groups[]; .event_count == (.events | length) and
	.description != "" and .domain != "") and
	any(.[0].groups[]; .name == "TCC" and .max_active == 4 and
	.instances == 16 and (.exclusive | not) and any(.events[];
	.name == "amdgpu::TCC.REQ:device=0" and .unit == "requests" and
	.type == "uint64" and .kind == "cumulative" and .instances == 16 and
	(.metric | not) and .description != ""))'
run 0 $two "$tool" list --json --groups
json "list --json --groups describes two GPUs without events" "$work/out" \
	'length == 2 and .[0].driver == "i915" and .[1].chip == "Vega 20" and
	any(.[0].groups[]; .name == "RenderBasic" and .exclusive) and
	all(.[].groups[]; has("events") | not)'
run 0 $vega "$tool" list -g 'TCC.*'
same "list -g prints groups with their limits" "$work/out" \
	$'amdgpu::TCC:device=0\t4\t16\t246\tChannels of the second-level cache (L2).'

run 0 $sim --gpu mtlgt2 -- "$tool" list -g 'Ext15?.*'
has "a set that sources disagree about is marked disputed" "$work/out" \
	$'^i915::Ext156:.*\tExtended set 156: .* Disputed: only one source has it\\.$'
lacks "a set that sources agree about is not marked disputed" \
	"$work/out" 'Ext15[^6].*Disputed'

# Their slices are the third and those behind it: the kernel tells so, and the
# tables ask for them.
for gpu in 'acmgt1 7' 'acmgt2 15'; do
	for core in 0 "${gpu#* }"; do
		run 0 $sim --gpu "${gpu% *}" -- "$tool" list "*_XECORE$core"
		has "${gpu% *} has XeCore $core" "$work/out" "_XECORE$core:"
	done
done

# ---------------------------------------------------------------- goldens
# golden GPU KIND ARGUMENT...: all that is printed, as it is kept in a file
golden()
{
	local file=tests/tool/list/$1.$2 name="$1.$2"
	run 0 $sim --strict --time virtual --gpu "$1" -- "$tool" list "${@:3}"
	if diff "$file" "$work/out" > "$work/diff"; then
		ok "list prints $name as kept in its file"
	else
		not_ok "list prints $name as kept in its file" "$work/diff"
	fi
	empty "list prints no message with $name" "$work/err"
}
for gpu in 'vega10 TCC.RETURN_*' 'sklgt2 PMA_Stall.*' 'bmg MediaSet1_SAG.*'; do
	golden "${gpu% *}" text "${gpu#* }"
	golden "${gpu% *}" json --json "${gpu#* }"
	golden "${gpu% *}" groups -M memory
	golden "${gpu% *}" groups.json -M --json memory
done

# ---------------------------------------------------------------- patterns
# matches NUMBER PATTERN...
matches()
{
	local number=$1
	shift
	run 0 $vega "$tool" list "$@"
	if [ "$(cut -f1 "$work/out" | grep -c .)" = "$number" ]; then
		ok "list '$*' finds $number events"
	else
		not_ok "list '$*' finds $number events" "$work/out"
	fi
}
matches 4 'amdgpu::TCC.RETURN_*'
matches 4 'TCC.RETURN_*'
matches 4 'tcc.return_*'
matches 1 'amdgpu::TCC.REQ'
matches 1 'amdgpu::TCC.REQ:device=0'
matches "$lines" '*:device=0'
matches 2 'l2cachehit'
matches 1 'that ask not to keep their line'
matches 4 'TCC_RETURN_*'
matches 1 amdgpu::tcc-req:device=0
matches 1 READ 'tcc.*' bubble
matches 1 requests that\ hit TCC
status "list exits with 125 if nothing matches" \
	125 $vega "$tool" list nosuchthing
has "the error names the pattern that matches nothing" \
	"$work/err" 'no event matches "nosuchthing"'
run 125 $vega "$tool" list --json nosuchthing
json "list --json prints JSON if nothing matches" \
	"$work/out" '.[0].groups == []'

# ---------------------------------------------------------------- terminal
# on_terminal COLUMNS [VARIABLE=VALUE]... -- ARGUMENT...
on_terminal()
{
	local columns=$1 variables=
	shift
	while [ "$1" != -- ]; do
		variables="$variables $1"
		shift
	done
	shift
	script -qec "stty cols $columns; \
		TERM=xterm $variables $(echo $vega) '$tool' list $*" /dev/null \
		< /dev/null 2>&1 | tr -d '\r' > "$work/out"
}
if has_terminals; then
	esc=$'\033'
	on_terminal 120 -- TCC.READ
	has "list on a terminal prints device, group and limits" "$work/out" \
		"^$esc\[1mdevice 0$esc\[0m: Vega 10 \(Radeon RX Vega\), amdgpu at 0000:03:00.0" \
		"^$esc\[1mTCC$esc\[0m  \(4 of 246 at once, 16 instances\)"
	on_terminal 120 NO_COLOR=1 -- "'TCC.READ*'"
	lacks "NO_COLOR turns colours off" "$work/out" "$esc"
	same "list on a terminal aligns its columns" \
		<(grep -o '.*amdgpu::TCC.*' "$work/out") \
	'  amdgpu::TCC.READ:device=0                     requests  Reads that reached the channel.
  amdgpu::TCC.READ_RETURN_TIMEOUT:device=0      events    Time-outs of the read return arbiter.
  amdgpu::TCC.READ_RETURN_FULL_BUBBLE:device=0  cycles    Cycles in which the read return was full and lost a slot.'
	on_terminal 100 TERM=dumb -- "'TCC.READ*'"
	lacks "a dumb terminal gets no colours" "$work/out" "$esc"
	has "descriptions are wrapped within their column" "$work/out" \
		'^ {58}and lost a slot\.$'
	on_terminal 70 NO_COLOR=1 -- "'TCC.READ*'"
	has "a narrow terminal gets descriptions on lines of their own" \
		"$work/out" \
		'^  amdgpu::TCC.READ:device=0 +requests *$' \
		'^      Reads that reached the channel\.$'
	on_terminal 120 -- --json TCC.REQ
	lacks "JSON has no colours" "$work/out" "$esc"
	json "list --json prints JSON on a terminal" \
		"$work/out" '.[0].groups[0].events | length == 1'
	on_terminal 120 NO_COLOR=1 -- -g
	has "list -g on a terminal prints groups with their limits" \
		"$work/out" '^GRBM  \(.*at once\)$' '^SQ  .*sees queues that allow it\)$' '^    Channels of the'
	lacks "list -g on a terminal prints no events" "$work/out" 'amdgpu::'
else
	skip "list prints for a terminal" "script(1) cannot make one"
fi

# ---------------------------------------------------------------- words
# finds GPU WORD EVENT...: what people call it leads to what the tables call it
finds()
{
	local gpu=$1 word=$2 event
	shift 2
	# the tables that are installed, and no other
	env -u DRMPERF_EVENTS $sim --gpu "$gpu" -- "$tool" list "$word" \
		> "$work/out" 2> "$work/err"
	for event; do
		grep -q "::$event:device=0	" "$work/out" || {
			not_ok "'$word' finds its events on $gpu (no $event)" \
				"$work/out"
			return
		}
	done
	ok "'$word' finds its events on $gpu"
}
finds vega10 bandwidth metric.FetchSize metric.WriteSize
finds sklgt2 bandwidth oa.GtiReadThroughput
finds mi200 hbm TCC.EA_RDREQ
finds sklgt2 DRAM oa.GtiReadThroughput
finds vega10 vram sensor.vram-usage
finds mi200 flops metric.MfmaFlops SQ.INSTS_VALU
finds acmgt3 flops oa.XveFpuFlt32
finds vega10 "hit rate" metric.L2CacheHit
finds vega10 "miss rate" TCC.MISS
finds vega10 utilization metric.GPUBusy sensor.gpu-load
finds sklgt2 utilisation pmu.rcs0-busy
finds vega10 occupancy SQ.LEVEL_WAVES
finds vega10 frequency sensor.gfx-sclk
finds vega10 energy sensor.gpu-avg-power
finds vega10 "cache hit" metric.L2CacheHit TCC.HIT
finds bmg "cache hit" oa.LOAD_STORE_CACHE_HIT
finds vega10 "gpu busy" metric.GPUBusy
finds vega10 "dram throughput" metric.FetchSize metric.WriteSize
finds navi31 "dram throughput" metric.FetchSize metric.WriteSize
finds bmg "dram throughput" oa.GPU_MEMORY_BYTE_READ
finds vega10 warp SQ.WAVES
finds sklgt2 ipc oa.EuAvgIpcRate
# words of other vendors' tools, on one GPU of each kind of tables
while read -r gpu cache occupancy dram ipc flops warp; do
	finds $gpu "cache hit" $cache
	finds $gpu occupancy $occupancy
	finds $gpu "dram throughput" $dram
	finds $gpu ipc $ipc
	finds $gpu flops $flops
	finds $gpu warp $warp
done << END
vega10 metric.L2CacheHit SQ.LEVEL_WAVES metric.FetchSize SQ.INSTS_VALU metric.VALUInsts SQ.WAVES
navi31 metric.L2CacheHit metric.OccupancyPercent metric.WriteSize SQ_WGP.INSTS_VALU metric.VALUInsts metric.WAVE_DEP_WAIT
mi300 metric.L2CacheHit metric.OccupancyPercent metric.FetchSize SQ.INSTS_VALU metric.MfmaFlops SQ.WAVES
sklgt2 oa.L3Bank00IcHits oa.EuThreadOccupancy oa.GtiReadThroughput oa.EuAvgIpcRate oa.PsEuBothFpuActive oa.CsThreads
acmgt3 oa.L3_HIT_L3BANK0 oa.XveThreadOccupancy oa.GtiReadThroughput oa.XveAvgIpcRate oa.XveFpuEmActive oa.CsThreads
bmg oa.L3_HIT oa.XVE_THREADS_OCCUPANCY_ALL oa.GPU_MEMORY_BYTE_READ oa.XVE_INST_EXECUTED_ALU0_ALL oa.XVE_INST_EXECUTED_FP32 oa.XVE_STALL
END
run 0 $sim --gpu navi31 -- "$tool" list power
same "sensors are listed before counters" <(head -n 1 "$work/out" | cut -f 1) \
	amdgpu::sensor.gpu-avg-power:device=0
run 0 $sim --gpu vega10 -- "$tool" list "gpu busy"
same "an event whose name is searched for is listed first" \
	<(head -n 1 "$work/out" | cut -f 1) amdgpu::metric.GPUBusy:device=0
run 125 $sim --gpu vega10 -- "$tool" list "cache nonsense"
has "each of several words has to match" "$work/err" 'no event matches'
env -u DRMPERF_EVENTS $sim --gpu vega10 -- "$tool" list > "$work/out"
has "list prints metrics first" <(head -n 1 "$work/out") '^amdgpu::metric\.'

# ---------------------------------------------------------------- metric sets
skl="$sim --gpu sklgt2 --"
run 0 $skl "$tool" list EuActive
same "a counter of many sets is listed once" "$work/out" \
$'i915::oa.EuActive:device=0\tpercent\tShare of clocks in which an EU executed instructions. [in RenderBasic, ComputeBasic, RenderPipeProfile and 16 other sets]'
run 0 $skl "$tool" list GtiReadThroughput
has "two to four sets are all named" "$work/out" \
	'\[in RenderBasic, ComputeBasic, ComputeL3Cache and RenderDX1x\]$'
run 0 $skl "$tool" list Vdbox0Busy
has "a single set is named" "$work/out" '\[in GpuBusyness\]$'
for options in 'RenderBasic.EuActive' 'RenderBasic EuActive' '-a EuActive'; do
	# shellcheck disable=SC2086
	run 0 $skl "$tool" list $options
	has "list shows the event of one set: $options" "$work/out" \
		$'^i915::RenderBasic.EuActive:device=0\tpercent\t[^[]*$'
done
run 0 $skl "$tool" list
lacks "no set is listed if none is requested" "$work/out" \
	'^i915::(RenderBasic|ComputeBasic|TestOa)\.'
has "events of no set are listed" "$work/out" '^i915::pmu\.' '^i915::sensor\.'
cut -f1 "$work/out" | sort | uniq -d > "$work/twice"
empty "list prints no name twice" "$work/twice"
run 0 $skl "$tool" list -a
cut -f1 "$work/out" | sed -n 's/^i915::[A-Z][A-Za-z0-9_]*\.//p' | sort -u \
	> "$work/of-sets"
run 0 $skl "$tool" list
cut -f1 "$work/out" | sed -n 's/^i915::oa\.//p' | sort | diff - \
	"$work/of-sets" > "$work/missing"
empty "each event of a set is listed as one of any set" "$work/missing"
run 0 $skl "$tool" list --json EuActive
json "JSON has the sets of an event, and each set" "$work/out" \
	'any(.[0].groups[]; .name == "RenderBasic") and
	any(.[0].groups[].events[]; .name == "i915::oa.EuActive:device=0" and
	.sets[0] == "RenderBasic" and (.sets | length) == 19)'
run 0 $sim --gpu bmg -- "$tool" list 'oa*.GpuTime'
has "an event of any set names the sets of its own unit" "$work/out" \
	'^xe::oa.GpuTime.*\[in RenderBasic, ' \
	'^xe::oam.GpuTime.* \[in MediaSet2 and MediaSet1_SCMI0\]$' \
	'^xe::oam2.GpuTime.* \[in MediaSet1 and MediaSet2_SCMI1\]$' \
	'^xe::oamg.GpuTime.* \[in MediaSet1_SAG\]$'
run 0 $sim --gpu bmg -- "$tool" list XVE_ACTIVE
has "an event of xe names its sets" \
	"$work/out" $'^xe::oa.XVE_ACTIVE:device=0\tpercent\t.*\\[in '

# ---------------------------------------------------------------- names
# sold GPU CHIP: how the chip is called, and what it is sold as
sold()
{
	run 0 $sim --gpu "$1" -- "$tool" info
	has "info shows $1 as $2" "$work/out" "^  chip +$2\$"
}
sold mi300 'Aqua Vanjaram \(Instinct MI300X\)'
sold navi48 'Navi 48 \(Radeon RX 9070 XT\)'
sold acmgt3 'DG2-G10 \(Arc A770\)'
sold vega12 'Vega 12'
run 0 $sim --gpu mi300 -- "$tool" list --json -g
json "JSON has the product of a GPU" \
	"$work/out" '.[0].product == "Instinct MI300X"'
run 0 $sim --gpu vega12 -- "$tool" list --json -g
json "JSON has no product for a GPU of unknown product" \
	"$work/out" '.[0] | has("product") | not'

# the same word on both: a metric of AMD, a counter of any set of Intel
status "stat takes the bare name of a metric" \
	0 $vega "$tool" stat -e L2CacheHit -- true
has "a bare name means a metric on AMD" "$work/err" 'amdgpu::metric.L2CacheHit'
status "stat takes the bare name of a counter" \
	0 $sim --time virtual --gpu sklgt2 -- \
	"$tool" stat -e GpuBusy,EuActive -- true
has "a bare name means a counter of any set on Intel" \
	"$work/err" 'i915::oa.GpuBusy' 'i915::oa.EuActive'

# ---------------------------------------------------------------- dies
run 0 $sim --gpu mi300,kfd=off -- "$tool" list 'TCC.HIT'
has "list marks an event of one die" "$work/out" \
	'^amdgpu::TCC.HIT:device=0	.* \(one die, of up to 8\)$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list SQ.WAVES_EQ
has "list marks an event of one die and of some queues" "$work/out" \
	'^amdgpu::SQ.* \(one die, of up to 8; in queues that allow it\)$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list -M cache
has "list -M marks an event of one die" \
	"$work/out" 'metric.L2CacheHit:.* \(one die, of up to 8\)$'
run 0 $sim --gpu vega10 -- "$tool" list SQ.WAVES_EQ
has "list marks an event of some queues" "$work/out" \
	'threads\. \(in queues that allow it\)$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list gfx-sclk
has "list does not mark a sensor of the whole GPU" "$work/out" 'gfx-sclk.*[^)]$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list --json TCC.HIT
json "JSON has the number of dies of a group" "$work/out" \
	'.[0].groups[] | select(.name == "TCC") | .dies == 8'
run 0 $sim --gpu vega10 -- "$tool" list TCC.HIT
has "list marks no event as of one die on a GPU of one die" \
	"$work/out" 'in the cache\.$'

# ---------------------------------------------------------------- hidden
export DRMPERF_STATE=$work/state
run 0 $vega "$tool" list EA
has "list explains why events are not offered" "$work/err" \
	'the events of EA are not offered on Vega 10: .*ends in a hang$'
run 125 $vega "$tool" list EA_REQUESTS nosuch
has "list explains events that are not offered if nothing matches" \
	"$work/err" 'events of EA are' \
	'no event matches "EA_REQUESTS" and the rest'
run 125 $sim --gpu hsw -- "$tool" stat -e RenderBalance.GpuBusy -- true
has "the error for a set of Intel's that is not offered says why" \
	"$work/err" \
	'events of RenderBalance are not offered on Haswell: no registers' \
	'^try: use RenderBasic, which has'
cat > "$work/own.xml" << END
<events driver="i915" generation="hsw"><set name="RenderBalance" description="Own."
guid="01234567-89ab-cdef-0123-456789abcdef"><mux>9888: 0</mux>
<counter name="Own" unit="events" type="uint64" kind="cumulative" expression="C0"
>Own.</counter></set></events>
END
DRMPERF_EVENTS=$work/own.xml run 0 $sim --gpu hsw -- "$tool" list RenderBalance
has "a table of one's own offers a set that was hidden" "$work/out" \
	'i915::RenderBalance.Own'
empty "a set that is offered is not called hidden" "$work/err"
run 0 $vega "$tool" list TCC
empty "list is silent about events that are not asked for" "$work/err"
run 0 $vega "$tool" selftest --stage 0
for results in "$DRMPERF_STATE"/*; do
	printf 'FAIL hidden.EA\nHANG hidden.SDMA\n' >> "$results"
done
run 0 $vega "$tool" list amdgpu::EA 'SDM[A]'
has "list shows the self-test's results of events" "$work/err" \
	'of EA .*selftest has found that it does not work right' \
	'of SDMA .*selftest has found that it hangs this GPU$'
run 125 $vega "$tool" stat -e SDMA.CYCLE -- true
has "stat shows the self-test's result of an event" \
	"$work/err" 'it hangs this GPU'
run 0 env DRMPERF_UNTESTED=EA $vega "$tool" list EA.SARB
empty "list gives no reason for events that are offered" "$work/err"
unset DRMPERF_STATE

# ---------------------------------------------------------------- trouble
status "list exits with 125 without a GPU" 125 $sim -- "$tool" list
has "the error says that there is no supported GPU" \
	"$work/err" 'no supported GPU'
status "list exits with 125 if one of two GPUs may not be opened" 125 \
	$sim --gpu vega10,node-mode=0000 --gpu sklgt2 -- "$tool" list
has "list has a remedy for a GPU that may not be opened" \
	"$work/err" 'device 1: no permission' '^try: '
has "list shows the GPU that may be opened" \
	"$work/out" 'i915::oa.GpuTime:device=0'
status "list exits with 125 if one of two patterns matches nothing" \
	125 $vega "$tool" list TCC nosuch
has "the error names the patterns of which one matches nothing" \
	"$work/err" 'no event matches "TCC" and the rest'
status "list -M refuses two metric groups" \
	129 $vega "$tool" list -M memory power
has "the error says that list takes one metric group" \
	"$work/err" 'one metric group at most' '^try: drmperf list --help'
status "list refuses an unknown option" 129 $vega "$tool" list --bogus
status "list --help exits with 0" 0 "$tool" list --help
has "list --help lists the options" \
	"$work/out" '^usage: drmperf list' '--groups' '--json'
if [ -w /dev/full ]; then
	$vega "$tool" list > /dev/full 2> "$work/err"
	[ $? = 125 ] && ok "list exits with 125 if the disk is full" ||
		not_ok "list exits with 125 if the disk is full" "$work/err"
	status "drmsim --help exits with 125 if the disk is full" \
		125 sh -c "$sim --help > /dev/full"
else
	skip "list exits with 125 if the disk is full" "there is no /dev/full"
fi
finish
