#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf list: for people, for programs, and what matches.
. tests/tool/lib.sh

two="$sim --gpu vega20 --gpu sklgt2 --"

# ---------------------------------------------------------------- programs
run 0 $vega "$tool" list
has "a line is name, unit, description" "$work/out" \
	$'^amdgpu::TCC.REQ:device=0\trequests\tRequests of all kinds'
lacks "nothing else is in the lines" "$work/out" \
	$'^([^\t]*|[^\t]*\t[^\t]*|.*\t.*\t.*\t.*|.*\033.*)$'
lines=$(wc -l < "$work/out")
status "list --json" 0 $vega "$tool" list --json
json "JSON of an AMD GPU" "$work/out" \
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
json "JSON of two GPUs, groups only" "$work/out" \
	'length == 2 and .[0].driver == "i915" and .[1].chip == "Vega 20" and
	any(.[0].groups[]; .name == "RenderBasic" and .exclusive) and
	all(.[].groups[]; has("events") | not)'
run 0 $vega "$tool" list -g 'TCC.*'
same "groups with their limits" "$work/out" \
	$'amdgpu::TCC:device=0\t4\t16\t246\tChannels of the second-level cache (L2).'

run 0 $sim --gpu mtlgt2 -- "$tool" list -g 'Ext15?.*'
has "a set that sources disagree about" "$work/out" \
	$'^i915::Ext156:.*\tExtended set 156: .* Disputed: only one source has it\\.$'
lacks "and no other" "$work/out" 'Ext15[^6].*Disputed'

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
		ok "$name"
	else
		not_ok "$name" "$work/diff"
	fi
	empty "$name: nothing else" "$work/err"
}
for gpu in 'vega10 TCC.RETURN_*' 'sklgt2 PMA_Stall.*' 'bmg MediaSet2.*'; do
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
		ok "list '$*'"
	else
		not_ok "list '$*' is not $number events" "$work/out"
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
status "what matches nothing" 125 $vega "$tool" list nosuchthing
has "is said" "$work/err" 'no event matches "nosuchthing"'
run 125 $vega "$tool" list --json nosuchthing
json "and is still JSON" "$work/out" '.[0].groups == []'

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
	has "device, group and limits" "$work/out" \
		"^$esc\[1mdevice 0$esc\[0m: Vega 10 \(Radeon RX Vega\), amdgpu at 0000:03:00.0" \
		"^$esc\[1mTCC$esc\[0m  \(4 of 246 at once, 16 instances\)"
	on_terminal 120 NO_COLOR=1 -- "'TCC.READ*'"
	lacks "NO_COLOR" "$work/out" "$esc"
	same "columns" <(grep -o '.*amdgpu::TCC.*' "$work/out") \
	'  amdgpu::TCC.READ:device=0                     requests  Reads that reached the channel.
  amdgpu::TCC.READ_RETURN_TIMEOUT:device=0      events    Time-outs of the read return arbiter.
  amdgpu::TCC.READ_RETURN_FULL_BUBBLE:device=0  cycles    Cycles in which the read return was full and lost a slot.'
	on_terminal 100 TERM=dumb -- "'TCC.READ*'"
	lacks "no colours on a dumb terminal" "$work/out" "$esc"
	has "descriptions are broken where their column ends" "$work/out" \
		'^ {58}and lost a slot\.$'
	on_terminal 70 NO_COLOR=1 -- "'TCC.READ*'"
	has "a narrow one has descriptions below" "$work/out" \
		'^  amdgpu::TCC.READ:device=0 +requests *$' \
		'^      Reads that reached the channel\.$'
	on_terminal 120 -- --json TCC.REQ
	lacks "JSON has no colours" "$work/out" "$esc"
	json "JSON on a terminal" "$work/out" '.[0].groups[0].events | length == 1'
	on_terminal 120 NO_COLOR=1 -- -g
	has "groups alone" "$work/out" '^GRBM  \(.*at once\)$' '^SQ  .*sees queues that allow it\)$' '^    Channels of the'
	lacks "without events" "$work/out" 'amdgpu::'
else
	skip "a terminal" "script(1) cannot make one"
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
			not_ok "'$word' on $gpu lacks $event" "$work/out"
			return
		}
	done
	ok "'$word' on $gpu"
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
run 0 $sim --gpu navi31 -- "$tool" list power
same "sensors are listed before counters" <(head -n 1 "$work/out" | cut -f 1) \
	amdgpu::sensor.gpu-avg-power:device=0
run 0 $sim --gpu vega10 -- "$tool" list "gpu busy"
same "an event of that name is listed before other events" \
	<(head -n 1 "$work/out" | cut -f 1) amdgpu::metric.GPUBusy:device=0
run 125 $sim --gpu vega10 -- "$tool" list "cache nonsense"
has "each of several words has to be there" "$work/err" 'no event matches'
env -u DRMPERF_EVENTS $sim --gpu vega10 -- "$tool" list > "$work/out"
has "metrics come first" <(head -n 1 "$work/out") '^amdgpu::metric\.'

# ---------------------------------------------------------------- metric sets
skl="$sim --gpu sklgt2 --"
run 0 $skl "$tool" list EuActive
same "a counter of many sets is there once" "$work/out" \
$'i915::oa.EuActive:device=0\tpercent\tShare of clocks in which an EU executed instructions. [in RenderBasic, ComputeBasic, RenderPipeProfile and 15 other sets]'
run 0 $skl "$tool" list GtiReadThroughput
has "two or three sets are all named" "$work/out" \
	'\[in RenderBasic, ComputeBasic and ComputeL3Cache\]$'
run 0 $skl "$tool" list Vdbox0Busy
has "as is one" "$work/out" '\[in GpuBusyness\]$'
for options in 'RenderBasic.EuActive' 'RenderBasic EuActive' '-a EuActive'; do
	# shellcheck disable=SC2086
	run 0 $skl "$tool" list $options
	has "that of one set: $options" "$work/out" \
		$'^i915::RenderBasic.EuActive:device=0\tpercent\t[^[]*$'
done
run 0 $skl "$tool" list
lacks "no set is listed where none is asked for" "$work/out" \
	'^i915::(RenderBasic|ComputeBasic|TestOa)\.'
has "but what is no set's" "$work/out" '^i915::pmu\.' '^i915::sensor\.'
cut -f1 "$work/out" | sort | uniq -d > "$work/twice"
empty "and each name once" "$work/twice"
run 0 $skl "$tool" list -a
cut -f1 "$work/out" | sed -n 's/^i915::[A-Z][A-Za-z0-9_]*\.//p' | sort -u \
	> "$work/of-sets"
run 0 $skl "$tool" list
cut -f1 "$work/out" | sed -n 's/^i915::oa\.//p' | sort | diff - \
	"$work/of-sets" > "$work/missing"
empty "all that a set has is there" "$work/missing"
run 0 $skl "$tool" list --json EuActive
json "JSON has each set's, and the sets" "$work/out" \
	'any(.[0].groups[]; .name == "RenderBasic") and
	any(.[0].groups[].events[]; .name == "i915::oa.EuActive:device=0" and
	.sets[0] == "RenderBasic" and (.sets | length) == 18)'
run 0 $sim --gpu bmg -- "$tool" list 'oa*.GpuTime'
has "sets of another unit are not its own" "$work/out" \
	'^xe::oa.GpuTime.*\[in RenderBasic, ' '^xe::oam.GpuTime.* \[in MediaSet2\]$' \
	'^xe::oam2.GpuTime.* \[in MediaSet1\]$'
run 0 $sim --gpu bmg -- "$tool" list XVE_ACTIVE
has "of xe, too" "$work/out" $'^xe::oa.XVE_ACTIVE:device=0\tpercent\t.*\\[in '

# ---------------------------------------------------------------- names
# sold GPU CHIP: how the chip is called, and what it is sold as
sold()
{
	run 0 $sim --gpu "$1" -- "$tool" info
	has "$1 is $2" "$work/out" "^  chip +$2\$"
}
sold mi300 'Aqua Vanjaram \(Instinct MI300X\)'
sold navi48 'Navi 48 \(Radeon RX 9070 XT\)'
sold acmgt3 'DG2-G10 \(Arc A770\)'
sold vega12 'Vega 12'
run 0 $sim --gpu mi300 -- "$tool" list --json -g
json "JSON tells it" "$work/out" '.[0].product == "Instinct MI300X"'
run 0 $sim --gpu vega12 -- "$tool" list --json -g
json "if it is known" "$work/out" '.[0] | has("product") | not'

# the same word on both: a metric of AMD, a counter of any set of Intel
status "a metric's bare name" 0 $vega "$tool" stat -e L2CacheHit -- true
has "on AMD" "$work/err" 'amdgpu::metric.L2CacheHit'
status "a counter's bare name" 0 $sim --time virtual --gpu sklgt2 -- \
	"$tool" stat -e GpuBusy,EuActive -- true
has "on Intel" "$work/err" 'i915::oa.GpuBusy' 'i915::oa.EuActive'

# ---------------------------------------------------------------- dies
run 0 $sim --gpu mi300,kfd=off -- "$tool" list 'TCC.HIT'
has "an event of one die says so" "$work/out" \
	'^amdgpu::TCC.HIT:device=0	.* \(one die, of up to 8\)$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list SQ.WAVES_EQ
has "nor that it is of some queues alone" "$work/out" \
	'^amdgpu::SQ.* \(one die, of up to 8; in queues that allow it\)$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list -M cache
has "as in metric groups" "$work/out" 'metric.L2CacheHit:.* \(one die, of up to 8\)$'
run 0 $sim --gpu vega10 -- "$tool" list SQ.WAVES_EQ
has "with all of the GPU's dies it is of some queues" "$work/out" \
	'threads\. \(in queues that allow it\)$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list gfx-sclk
has "what is of the whole GPU does not" "$work/out" 'gfx-sclk.*[^)]$'
run 0 $sim --gpu mi300,kfd=off -- "$tool" list --json TCC.HIT
json "nor does JSON leave it out" "$work/out" \
	'.[0].groups[] | select(.name == "TCC") | .dies == 8'
run 0 $sim --gpu vega10 -- "$tool" list TCC.HIT
has "nor where there are no others" "$work/out" 'in the cache\.$'

# ---------------------------------------------------------------- hidden
export DRMPERF_STATE=$work/state
run 0 $vega "$tool" list EA
has "what is not offered is told when asked for" "$work/err" \
	'the events of EA are not offered on Vega 10: .*ends in a hang$'
run 125 $vega "$tool" list EA_REQUESTS nosuch
has "also where nothing else is found" "$work/err" 'events of EA are' \
	'no event matches "EA_REQUESTS" and the rest'
run 0 $vega "$tool" list TCC
empty "and not where it is not" "$work/err"
run 0 $vega "$tool" selftest --stage 0
for results in "$DRMPERF_STATE"/*; do
	printf 'FAIL hidden.EA\nHANG hidden.SDMA\n' >> "$results"
done
run 0 $vega "$tool" list amdgpu::EA 'SDM[A]'
has "a self-test has found why" "$work/err" \
	'of EA .*selftest has found that it does not count right' \
	'of SDMA .*selftest has found that counting it hangs this GPU$'
run 125 $vega "$tool" stat -e SDMA.CYCLE -- true
has "who counts it is told the same" "$work/err" 'counting it hangs this GPU'
run 0 env DRMPERF_UNTESTED=EA $vega "$tool" list EA.SARB
empty "what is offered has no reason" "$work/err"
unset DRMPERF_STATE

# ---------------------------------------------------------------- trouble
status "no GPU" 125 $sim -- "$tool" list
has "no GPU is said" "$work/err" 'no supported GPU'
status "one of two GPUs may not be opened" 125 \
	$sim --gpu vega10,node-mode=0000 --gpu sklgt2 -- "$tool" list
has "and has a remedy" "$work/err" 'device 1: no permission' '^remedy: '
has "while the other is listed" "$work/out" 'i915::oa.GpuTime:device=0'
status "two patterns of which one matches nothing" 125 $vega "$tool" list TCC nosuch
has "are said" "$work/err" 'no event matches "TCC" and the rest'
status "two metric groups" 129 $vega "$tool" list -M memory power
has "are too many" "$work/err" 'one metric group at most' '^try: drmperf list --help'
status "an unknown option" 129 $vega "$tool" list --bogus
status "list --help" 0 "$tool" list --help
has "tells the options" "$work/out" '^usage: drmperf list' '--groups' '--json'
if [ -w /dev/full ]; then
	$vega "$tool" list > /dev/full 2> "$work/err"
	[ $? = 125 ] && ok "a full disk" || not_ok "a full disk" "$work/err"
else
	skip "a full disk" "there is no /dev/full"
fi
finish
