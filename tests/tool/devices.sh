#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The name of an event or of a metric group, and -d, choose the GPU that a
# command counts on machines with several.
. tests/tool/lib.sh

# any user may count on both
hybrid="$sim --time virtual --gpu sklgt2,perf-stream-paranoid=0 --gpu vega10 --"
refused="$sim --unprivileged --time virtual --gpu sklgt2 --gpu vega10 --"
three="$sim --time virtual --gpu sklgt2,perf-stream-paranoid=0 --gpu vega10
	--gpu navi31 --"

# counted NAME MACHINE EVENT... -- ARGUMENT...: stat prints a line for each of
# the events, in this order, and no other
counted()
{
	local name=$1 machine=$2 expected=
	shift 2
	while [ "$1" != -- ]; do
		expected+="$1"$'\n'
		shift
	done
	shift
	run 0 $machine "$tool" stat --csv "$@" -- true
	awk -F, '/::/ { print $6 ":device=" $4 ($7 == "" ? "" : ":instance=" $7) }' \
		"$work/out" > "$work/events"
	grep '^exit status' "$work/err" >> "$work/events"
	same "$name" "$work/events" "${expected%$'\n'}"
}

# ------------------------------------------------ names without a driver
counted "a bare name means the GPU that alone has the event" "$hybrid" \
	amdgpu::TCC.HIT:device=1 amdgpu::SQ.WAVES:device=1 \
	amdgpu::metric.L2CacheHit:device=1 i915::oa.GpuBusy:device=0 \
	-- -e TCC.HIT,SQ_WAVES,L2CacheHit,GpuBusy
counted "a bare name means the GPU that may count it" "$refused" \
	amdgpu::metric.GPUBusy:device=1 -- -e GpuBusy
counted "a name means the one of two GPUs of a driver that has the event" \
	"$sim --time virtual --gpu vega10 --gpu navi31 --" \
	amdgpu::GL2C.REQ:device=1 -- -e amdgpu::GL2C.REQ
counted "a pattern finds the GPU that has its events" "$three" \
	amdgpu::GL2C.REQ:device=2 -- -e 'GL2C.R[E]Q'
counted "names and patterns are found in any case" "$hybrid" \
	amdgpu::TCC.HIT:device=1 amdgpu::metric.L2CacheHit:device=1 \
	amdgpu::TCC.MISS:device=1 -- -e tcc_hit,METRIC.l2cachehit,'tcc.mis*'
counted "a bare name of an Intel GPU is found in any case" "$hybrid" \
	i915::oa.EuActive:device=0 -- -e euactive
counted "a bare name takes :device=*" "$three" amdgpu::SQ.WAVES:device=1 \
	amdgpu::SQ_WGP.WAVES:device=2 -- -e 'SQ_WAVES:device=*'
counted "a name in ROCm's spelling takes :instance=*" \
	"$sim --time virtual --gpu vega10 --" \
	$(for i in {0..15}; do echo "amdgpu::TCC.HIT:device=0:instance=$i"; done) \
	-- -e 'TCC_HIT:instance=*'
run 125 $hybrid "$tool" stat -e TCC.HITS -- true
has "an unknown name gets the nearest event of any GPU" \
	"$work/err" 'Vega 10 has no event "TCC.HITS"$' \
	'did you mean amdgpu::TCC.HIT'
for command in record split papi 'serve --once' ; do
	case $command in
	record) arguments="-o $work/data -e TCC.HIT -- true" ;;
	split) arguments=TCC.HIT ;;
	papi) arguments="-e TCC.HIT -- env" ;;
	serve*) arguments="--textfile $work/page -e TCC.HIT" ;;
	esac
	status "$command takes a bare name on a machine of two vendors" 0 \
		$hybrid "$tool" $command $arguments
done
echo 'pmc: TCC_HIT SQ_WAVES' > "$work/pmc.txt"
counted "a pmc file needs no driver either" "$hybrid" \
	amdgpu::TCC.HIT:device=1 amdgpu::SQ.WAVES:device=1 -- -i "$work/pmc.txt"

# ---------------------------------------------------------- metric groups
run 0 $refused "$tool" stat --csv -- true
has "the default group is that of the GPU that may be counted" "$work/out" \
	',1,,amdgpu::metric.GPUBusy,'
run 0 $hybrid "$tool" stat --csv -M MEMORY -- true
has "a metric group is found in any case" "$work/out" ',0,,i915::oa\.'
run 125 $hybrid "$tool" stat -M nonsense -- true
has "the error for an unknown metric group names the GPU and -d" "$work/err" \
	'GPU 0, Skylake GT2 \(.*\), has no metric group "nonsense"; it has ' \
	'^try: -d, which chooses another GPU'
for gpu in sklgt2:HD.Graphics.530 "chv:unknown chip"; do
	run 125 $sim --fault open:1+:EACCES --gpu ${gpu%%:*} -- "$tool" stat \
		-M nonsense -- true
	has "a GPU that may not be opened is called ${gpu#*:}" "$work/err" \
		"GPU 0, ${gpu#*:}, has no metric group"
done

# -------------------------------------------------------------------- -d
counted "-d all counts on each GPU that has the event" "$three" \
	amdgpu::metric.GPUBusy:device=1 amdgpu::metric.GPUBusy:device=2 \
	-- -d all -e metric.GPUBusy
counted "-d takes a list" "$three" amdgpu::metric.GPUBusy:device=1 \
	amdgpu::metric.GPUBusy:device=2 -- -d 1,2 -e metric.GPUBusy
counted "-d given twice adds up, and takes nodes and addresses" "$three" \
	amdgpu::metric.GPUBusy:device=1 amdgpu::metric.GPUBusy:device=2 \
	-- -d card1 -d /dev/dri/renderD130 -e metric.GPUBusy
third=$($three "$tool" list -j GL2C.REQ | jq -r '.[] |
	select(.index == 2) | .address')
for gpu in 2 card2 renderD130 "$third" "${third#0000:}"; do
	counted "-d finds the third GPU by ${gpu:-an address}" "$three" \
		amdgpu::GL2C.REQ:device=2 -- -d "$gpu" -e GL2C.REQ
done
run 125 $three "$tool" stat -d 0,1 -e GL2C.REQ -- true
has "-d refuses an event of another GPU" "$work/err" \
	'has no event "GL2C.REQ"'
run 125 $three "$tool" stat -d 0,card7 -e GpuBusy -- true
has "-d refuses a name of no GPU" "$work/err" 'there is no device "card7"'

# ---------------------------------------------------------------- header
run 0 $three "$tool" stat -e GL2C.REQ -- true
has "the header names the GPU, its product, and the GPUs that are left out" \
	"$work/err" '^ GPU 2: Navi 31 \(Radeon RX 7900 .*\)$' \
	'^ Not counted: GPU 0, 1 \(-d chooses GPUs, -d all counts each\)$'
run 0 $three "$tool" stat -d all -e GpuBusy -- true
has "the header names each GPU that is counted" "$work/err" \
	'^ GPU 0: Skylake GT2 \(HD Graphics 530\)$' '^ GPU 1: Vega 10 '
lacks "-d all leaves no GPU out" "$work/err" 'Not counted'

# ---------------------------------------------------------------- clocks
rdna="$sim --time virtual --load compute-bound --gpu strix --"
line='counting holds the clocks of GPU 0: engine 1100 MHz \(2813 before\), memory 1600 MHz \(2000 before\)$'
run 0 $rdna "$tool" stat -e GL2C.REQ -- true
has "stat prints the clocks that counting holds, and those before" \
	"$work/err" " $line"
run 0 $rdna "$tool" stat -e sensor.gfx-sclk -- true
lacks "sensors hold no clocks" "$work/err" 'counting holds'
run 0 $sim --time virtual --gpu vega10 -- "$tool" stat -e TCC.REQ -- true
lacks "counters that need no clock mode hold no clocks" "$work/err" \
	'counting holds'
run 0 $rdna "$tool" stat --csv -e GL2C.REQ -- true
has "CSV has the clocks in columns of their own" "$work/out" \
	'engine_held_hz,engine_before_hz,memory_held_hz,memory_before_hz$' \
	'device,no,1100000000,2813000000,1600000000,2000000000$'
run 0 $rdna "$tool" stat --json -e GL2C.REQ -- true
json "JSON has the clocks in members of their own" "$work/out" \
	'.events[0] | .engine_held_hz == 1100000000 and
	.memory_before_hz == 2000000000'
run 0 $rdna "$tool" record -o "$work/data" -e GL2C.REQ -- true
has "record prints the clocks that counting holds" "$work/err" \
	"drmperf record: $line"
run 0 "$tool" report "$work/data"
has "report prints the clocks that counting held" "$work/out" " $line"
run 0 "$tool" report --csv "$work/data"
has "CSV of a recording has the clocks that counting held" "$work/out" \
	'device,no,1100000000,2813000000,1600000000,2000000000$'
run 0 "$tool" report --html "$work/page.html" "$work/data"
has "a page has the clocks that counting held" "$work/page.html" \
	'<p>Counting held its clocks: engine 1100 MHz \(2813 before\), memory '

run 0 $rdna "$tool" top -b -n 2 -e GL2C.REQ
has "top prints the clocks that counting holds" "$work/out" \
	'counting holds the clocks: engine 1100 MHz \(2813 before\)'
run 0 $rdna "$tool" serve --once --textfile "$work/page.prom" -e GL2C.REQ
has "Prometheus gets the clocks that counting holds, and those before" \
	"$work/page.prom" '^# TYPE drmperf_held_clock_hertz gauge$' \
	'^drmperf_held_clock_hertz\{.*clock="engine",when="held"\} 1100000000$' \
	'^drmperf_held_clock_hertz\{.*clock="memory",when="before"\} 2000000000$'

# --------------------------------------------------------------- remarks
sed '/^rate SQ.4 /d; s/TA.15 0.96/TA.15 20/' \
	examples/memory-bound-vega10.scenario > "$work/scenario"
unseen="$sim --time virtual --scenario $work/scenario --gpu vega10 --"
run 0 $unseen "$tool" stat -e GPUBusy,SQ.WAVES -- $sim ctl advance 1s
has "the star is explained below the table" "$work/err" \
	'^ \* sees graphics, and compute work only in queues whose owner allows'
has "a zero that contradicts a busy GPU gets a cause and a remedy" "$work/err" \
	'SQ.WAVES:device=0 is 0 although the GPU was busy for 99 % of the time:$' \
	'Count events without$'
run 0 $unseen "$tool" stat -e GPUBusy,LDSBankConflict -- $sim ctl advance 1s
lacks "a share that may well be 0 gets no remark" "$work/err" 'although'
run 0 $unseen "$tool" stat -e GPUBusy,TCC.REQ -- $sim ctl advance 1s
lacks "no star is explained where there is none" "$work/err" '\*'
lacks "a zero of an event that sees all work gets no remark" "$work/err" \
	'although'
run 0 $unseen "$tool" stat -e MemUnitBusy -- $sim ctl advance 1s
has "a share above 100 % gets a cause and a remedy" "$work/err" \
	'MemUnitBusy:device=0 is [0-9]+ %, which cannot be:$' \
	'Count for longer,$'
run 0 $unseen "$tool" record -o "$work/data" -e MemUnitBusy -- \
	$sim ctl advance 1s
run 0 "$tool" report "$work/data"
has "report explains a share above 100 %" "$work/out" \
	'MemUnitBusy is [0-9]+ %, which cannot be:$' \
	'Count for longer,$'
run 0 $sim --scenario "$work/scenario" --gpu vega10 -- "$tool" top -b -n 3 \
	-s 50 -e MemUnitBusy
has "top explains a share above 100 %" "$work/out" \
	'metric.MemUnitBusy \* is [0-9]+ %, which cannot be: probably another'

# ------------------------------------------------- the GPUs that a command uses
# used NAME GPUS OPENED DEVICE... -- ARGUMENT...: a command that opens these
# nodes gives lines of these devices, and of no other
used()
{
	local name=$1 gpus=() gpu devices= opened=$3 pause
	for gpu in $2; do
		gpus+=(--gpu "$gpu")
	done
	shift 3
	while [ "$1" != -- ]; do
		devices+="$1"$'\n'
		shift
	done
	shift
	# how soon stat looks what the command has opened is up to the machine
	for pause in 0.4 3 24; do
		run 0 $sim --strict --time virtual "${gpus[@]}" -- "$tool" \
			stat --csv "$@" -- env pause=$pause \
			bash -c "$opened sleep $pause"
		grep '^exit status' "$work/err" > "$work/devices"
		awk -F, '/::/ && $4 != "" { print $4 }' "$work/out" |
			sort -nu >> "$work/devices"
		[ "$(cat "$work/devices")" != "${devices%$'\n'}" ] || break
	done
	same "$name" "$work/devices" "${devices%$'\n'}"
}
first='exec 3<> /dev/dri/renderD128;' second='exec 4<> /dev/dri/renderD129;'
used "of two GPUs the one that the command opens is shown" "vega10 vega10" \
	"$second" 1 -- -e SQ.WAVES
used "of two GPUs both are shown if the command opens both" "vega10 vega10" \
	"$first $second" 0 1 -- -e SQ.WAVES
used "of two GPUs the first is shown if the command opens none" \
	"vega10 vega10" "" 0 -- -e SQ.WAVES
used "the GPU of a child counts as that of the command" "vega10 vega10" \
	"(exec 5<> /dev/dri/renderD129; sleep \$pause) &" 1 -- -M memory
used "the default group is counted on the GPU that the command opens" \
	"sklgt2 vega10 vega20" 'exec 3<> /dev/dri/renderD130;' 2 --
used "a GPU that an event names is shown in any case" "vega10 vega10" \
	"$second" 0 1 -- -e SQ.WAVES:device=0,SQ.BUSY_CYCLES
used "an event of one GPU is shown in any case" "sklgt2 vega10" \
	"$first" 1 -- -e TCC.HIT
used "-d all shows all GPUs" "vega10 vega10" "$second" 0 1 -- -d all -e SQ.WAVES
used "-a counts one GPU" "vega10 vega10" "$second" 0 -- -a -e SQ.WAVES
for generation in navi10 navi21 navi31 strix navi48; do
	used "$generation waits for the command to open it" "$generation $generation" \
		"$second" 1 -- -e GRBM.COUNT
done
json_of_intervals()
{
	jq -s "$1" "$work/out" > "$work/jq" 2>&1
}
run 0 $sim --strict --gpu vega10 --gpu vega10 -- "$tool" stat --json -I 100 \
	-e GRBM.COUNT -- bash -c "until [ -s '$work/out' ]; do sleep 0.02; done
	$second
	until grep -q '\"device\": *1' '$work/out'; do sleep 0.02; done"
json_of_intervals '[.[].device] | first == 0 and last == 1'
same "intervals are of the GPU that the command has opened by then" \
	"$work/jq" true

run 0 $sim --strict --gpu navi31 --gpu navi31 -- "$tool" stat -e GRBM.COUNT \
	-- bash -c "$second
	until $sim ctl report | grep -q 'submissions=[1-9]'; do sleep 0.02; done"
has "the clocks of the GPU in use are held" "$work/err" \
	'holds the clocks of GPU 1:' '^ Not shown: GPU 0: '
lacks "the clocks of the other GPU are not held" "$work/err" 'clocks of GPU 0'
has "an event of the GPU in use is counted" "$work/err" \
	'^ +[1-9][0-9,]+  cycles .*GRBM.COUNT:device=1'
status "stat fails if all GPUs wait and the command opens none" \
	125 $sim --strict \
	--time virtual --gpu navi31 --gpu navi31 -- "$tool" stat -e GRBM.COUNT \
	-- true
has "the error says that nothing was counted, and has a remedy" "$work/err" \
	'nothing was counted: counting lowers' '^try: .*-d'
busy="$tool stat -d 0 -e GRBM.COUNT -- sh -c"
# inner OPENED: a stat next to one that counts GPU 0, in $work/inner
inner()
{
	local pause
	for pause in 0.4 3 24; do
		run 0 env DRMPERF_SHARE=0 $sim --gpu vega10 --gpu vega10 -- \
			$busy "$tool stat -e SQ.WAVES \
				-- bash -c '$1 sleep $pause' 2> $work/inner
			echo \$? >> $work/inner"
		! grep -q 'SQ.WAVES:device=1' "$work/inner" || break
	done
}
inner "$second"
has "a GPU that another process counts costs the command's GPU no value" \
	"$work/inner" '  waves .*SQ.WAVES:device=1' '^0$'
inner "$first $second"
has "the command's GPU that another process counts is n/a, with the reason" \
	"$work/inner" ' n/a  waves .*device=0' '  waves .*SQ.WAVES:device=1' \
	'WAVES:device=0 is n/a: .*in use by pid [0-9]+ \(drmperf stat\)' '^125$'
run 0 $sim --gpu vega10 --gpu vega20 -- "$tool" record -o "$work/data" \
	-e GRBM.COUNT -- sleep 0.2
run 0 "$tool" report --csv "$work/data"
has "record writes all GPUs" "$work/out" '^0\b|,0,' 'GRBM.COUNT'
same "an event of two GPUs is two rows of a report" \
	<(grep -c 'GRBM.COUNT' "$work/out") 2
run 0 $sim --gpu sklgt2,perf-stream-paranoid=0 --gpu navi31 -- "$tool" record \
	-o "$work/data" -- sleep 0.2
has "record leaves out a GPU whose clocks it would lower" "$work/err" \
	'not recorded: GPU 1 \(-d chooses GPUs\)'

# ------------------------------------------------------------------ list
run 0 $sim --gpu navi31 -- "$tool" list SQ_WAVES
has "list shows the event that stat -e counts" "$work/out" \
	'^amdgpu::SQ_WGP.WAVES:device=0'
finish
