#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat has the right verdict of every load, on one GPU of each kind of
# rules, with CHECK_DEEP on every GPU. Some values allow no verdict.
. tests/tool/lib.sh

gpus='bonaire vega10 navi21 navi31 navi48 mi200 sklgt2 acmgt3 bmg'
[ -z "${CHECK_DEEP:-}" ] || gpus=$("$sim" --list)

# verdict GPU LOAD [OPTION...]: the verdict's lines, in $work/verdict
verdict()
{
	local gpu=$1 load=$2
	shift 2
	run 0 $sim --strict --time virtual --load "$load" \
		--gpu "$gpu" -- "$tool" stat "$@" -- $sim ctl advance 200ms
	sed -n '/^ verdict/,/^$/p' "$work/err" > "$work/verdict"
}

# What it begins with, by the rules in events/.
expected()
{
	local gpu=$1 load=$2
	case $load-$gpu in
	idle-*) echo 'the GPU was idle \(clear\)$' ;;
	compute-bound-navi48) echo 'the vector units computed .* \(clear\)$' ;;
	compute-bound-navi* | compute-bound-phoenix | compute-bound-strix* | \
		compute-bound-krackan)
		echo 'the GPU probably computed: .* \(a hint\)$' ;;
	compute-bound-*) echo '[a-z ]* computed most of .* \(clear\)$' ;;
	memory-bound-*)
		case $gpu in
		bonaire | polaris* | vega* | navi* | phoenix | strix* | \
			krackan | mi*)
			# reads alone make 60 % of the peak, or nearly
			echo '(the GPU waited for memory: [a-z ]* \(clear\)|'\
'the bandwidth of the memory is the limit \(probable\))$' ;;
		bmg | acmgt1 | dg1 | pvc2) echo 'the bandwidth of the memory is the limit \((clear|probable)\)$' ;;
		*) echo 'threads waited, probably for memory \(a hint\)$' ;;
		esac ;;
	graphics-*) echo 'cannot tell: neither computing nor waiting stands out$' ;;
	esac
}

for gpu in $gpus; do
	for load in idle memory-bound compute-bound graphics; do
		# nothing renders there
		[[ $gpu-$load != pvc*-graphics ]] || continue
		verdict "$gpu" $load
		has "$gpu, $load: the verdict is that of the load" \
			"$work/verdict" "^ verdict: $(expected "$gpu" $load)" \
			'^   \(Gp?u?P?U?_?(Busy|UTIL).* [0-9]+ %' '^   next: '
		[ $load != memory-bound ] ||
			has "$gpu: the memory's peak is known, or why it is not" \
			"$work/err" '^ (memory|roofline): .*bandwidth'
	done
done

# rules about events that no GPU has would never hold
$sim --gpu vega10 --gpu navi31 --gpu navi48 --gpu sklgt2 --gpu acmgt3 \
	--gpu bmg --gpu pvc --gpu nvlp -- "$tool" list > "$work/out"
for driver in amdgpu i915 xe; do
	grep -oE '(any|sum|per)="[^"]*"' events/$driver/verdicts.xml |
		sed 's/.*="//; s/"//' | tr ' ' '\n' | sort -u |
		while read -r name; do
			grep -q "^$driver::$name[:[:space:]]" "$work/out" ||
				echo "$driver::$name"
		done
done > "$work/absent"
empty "each event of a verdict is one of some GPU" "$work/absent"

verdict vega10 memory-bound -M memory
has "reads and writes together are the memory's limit" "$work/verdict" \
	'^ verdict: the bandwidth of the memory is the limit \(probable\)$' \
	'^   \(GPUBusy 99 %, FetchSize \+ WriteSize 80 % of peak, MemUnit'
verdict mi300 memory-bound -M memory
has "waits for memory are only a hint if its peak is an upper bound" \
	"$work/verdict" '^ verdict: the GPU waited for memory: .* \(a hint\)$'
verdict vega10 memory-bound -M power
empty "a group that does not show how busy the GPU is has no verdict" \
	"$work/verdict"
verdict vega10 idle -e amdgpu::metric.GPUBusy
empty "events by their names have no verdict" "$work/verdict"
verdict vega10 memory-bound --raw -M default
empty "raw values have no verdict" "$work/verdict"
verdict vega10 memory-bound --csv -M default
empty "tables for programs have no verdict" "$work/verdict"
verdict vega10 graphics -M memory,default --passes --control none
has "requested metric groups are not suggested as a next step" "$work/verdict" \
	'^   next: drmperf stat -M compute; drmperf stat -M graphics$'
verdict mi200 graphics
has "metric groups that the GPU lacks are no next step" "$work/verdict" \
	'^   next: drmperf stat -M memory; drmperf stat -M compute$'
for gpu in vega10 mi200; do
	verdict $gpu compute-bound -M compute
	lacks "there is no step after the only one" "$work/verdict" '^   next'
	has "$gpu: instructions fit how busy the units are" "$work/err" \
		'^ compute: 8[34] % of peak vector instructions' \
		' 88.0  % +amdgpu::metric.VALUBusy'
done
run 0 $sim --time virtual --load memory-bound --gpu vega10 --gpu sklgt2 -- \
	"$tool" stat -d all --json -M memory,default --passes --control none -- \
	$sim ctl advance 200ms
json "JSON has the verdicts with what they follow from" "$work/out" \
	'[.verdicts[] | [.device, .name, .sure]] == [
		[0, "memory", "a hint"], [1, "memory-bandwidth", "probable"]] and
	.verdicts[0].from[1].per == "i915::oa.GpuBusy" and
	(.verdicts[1].from[1] | .of_peak and .value > 79 and .value < 80 and
		.events == ["amdgpu::metric.FetchSize",
			"amdgpu::metric.WriteSize"]) and
	.verdicts[1].next == "drmperf stat -M cache"'
run 0 $sim --time virtual --load memory-bound --gpu vega10 -- "$tool" stat \
	--json -e GPUBusy -- $sim ctl advance 200ms
json "JSON has no verdicts of events by their names" "$work/out" \
	'.verdicts == []'
verdict vega10 memory-bound --passes --control none -M default,memory
has "a verdict is drawn from one of several passes" "$work/verdict" \
	'^ verdict: the bandwidth of the memory is the limit'
verdict vega20 memory-bound --passes -M memory,default
has "a verdict takes values of several passes together, and says so" \
	"$work/verdict" \
	'^ verdict: the bandwidth of the memory is the limit' \
	'FetchSize \+ WriteSize 80 % of peak' \
	'^   \(from [23] passes together: each is a run of its own\)$'
cat > "$work/unlike" << END
#!/bin/sh
echo >> "$work/times"
$sim ctl advance \$((\$(wc -l < "$work/times") * 100))ms
END
chmod +x "$work/unlike"
run 0 $sim --time virtual --load memory-bound --gpu vega20 -- "$tool" stat \
	--passes -M memory,default -- "$work/unlike"
has "passes that were not alike are not taken together" "$work/err" \
	'the runs were not alike' '^ verdict: '
lacks "a verdict of passes that were not alike is of one" "$work/err" \
	'passes together'
verdict vega10 memory-bound -r 3 -M default
has "a verdict of several runs is that of their means" "$work/verdict" \
	'^ verdict: the GPU waited for memory' '^   \(GPUBusy 99 %'

run 0 $sim --time virtual --load memory-bound --gpu vega10 --gpu sklgt2 -- \
	"$tool" stat -d all -- $sim ctl advance 200ms
has "each GPU has its own verdict" "$work/err" \
	'^ verdict of GPU 0: threads waited' \
	'^ verdict of GPU 1: the GPU waited for memory'

# the command processor makes the share of the time, SQ.WAVES is 0
printf 'default zero\nrate GRBM.2 0.9/clock\nrate CPF.0 1/clock\nrate CPF.23 0.9/clock\n' \
	> "$work/unseen.scenario"
run 0 $sim --time virtual --gpu vega10 --scenario "$work/unseen.scenario" -- \
	"$tool" stat -- $sim ctl advance 1s
has "work that no counter sees allows no verdict" "$work/err" \
	'^ verdict: cannot tell: the work is in queues' \
	'^   \(GPUBusy 90 %, SQ.WAVES 0\)$'
printf 'default zero\nrate GRBM.2 0.9/clock\nrate CPF.0 1/clock\nrate CPF.23 0.9/clock\nrate TCC.41 600000000\n' \
	> "$work/more.scenario"
run 0 $sim --time virtual --gpu vega10 --scenario "$work/more.scenario" -- \
	"$tool" stat -- $sim ctl advance 1s
has "stat remarks on more traffic than the memory can carry" "$work/err" \
	'FetchSize:device=0 is [0-9]+ % of what the GPU can do, which cannot be'
lacks "more traffic than the memory can carry allows no verdict" \
	"$work/err" '^ verdict'
printf 'default zero\nrate GRBM.2 0.6/clock\nrate CPF.0 1/clock\nrate CPF.23 0.6/clock\n%s\n' \
	'rate SQ.4 1000' > "$work/part.scenario"
run 0 $sim --time virtual --gpu vega10 --scenario "$work/part.scenario" -- \
	"$tool" stat -- $sim ctl advance 1s
has "a GPU with gaps was not kept busy" "$work/err" \
	'^ verdict: the GPU had work for a part of the time only \(clear\)$' \
	'^   next: drmperf record'

# ---------------------------------------------------------------- recordings
# recorded OPTION...: the verdict's lines by report, in $work/verdict; options
# of drmsim up to --, then of record
recorded()
{
	local machine=()
	while [ "$1" != -- ]; do
		machine+=("$1")
		shift
	done
	shift
	run 0 $sim --strict --time virtual "${machine[@]}" -- "$tool" record \
		-o "$work/data" "$@" -- $sim ctl advance 400ms
	run 0 "$tool" report "$work/data"
	sed -n '/^ verdict/,/^$/p' "$work/out" > "$work/verdict"
}

for gpu in vega10 navi31 sklgt2 acmgt3 bmg; do
	for load in idle memory-bound compute-bound; do
		recorded --load $load --gpu $gpu --
		has "$gpu, $load: report has the verdict of the load" \
			"$work/verdict" "^ verdict: $(expected $gpu $load)" \
			'^   \(Gp?u?P?U?_?(Busy|UTIL).* [0-9]+ %' '^   next: '
	done
done
recorded --load idle --gpu vega10 -- -e GPUBusy
empty "events by their names have no verdict in a report" "$work/verdict"
echo 'rate TCC.41 600000000' > "$work/reads.scenario"
recorded --load memory-bound --gpu vega10 --scenario "$work/reads.scenario" -- \
	-M memory
empty "report has no verdict for more traffic than the memory can carry" \
	"$work/verdict"
recorded --load memory-bound --gpu vega10 -- -M memory
has "report knows what the memory can carry" "$work/verdict" \
	'^ verdict: the bandwidth of the memory is the limit \(probable\)$' \
	'^   \(GPUBusy 99 %, FetchSize \+ WriteSize 80 % of peak, MemUnit'
run 0 "$tool" report --html "$work/page" "$work/data"
has "a page has a line at the peak" "$work/page" \
	'<line class="peak" x2="1000" y1="[0-9.]+"' '>peak 484 GB/s</text>$'
recorded --load memory-bound --gpu vega10 --gpu sklgt2 -- -d all
has "report has the verdict of each GPU" "$work/verdict" \
	'^ verdict of GPU 0: threads waited' \
	'^ verdict of GPU 1: the GPU waited for memory'
run 0 "$tool" report --json "$work/data"
json "JSON of a report has the verdicts" "$work/out" \
	'[.verdicts[] | [.device, .name, .sure]] == [
		[0, "memory", "a hint"], [1, "memory", "clear"]] and
	.verdicts[0].from[1].per == "i915::oa.GpuBusy"'
run 0 "$tool" report --html "$work/page" "$work/data"
has "a page has the verdicts above its plots" "$work/page" \
	'<b>GPU 0: threads waited, probably for memory</b> \(a hint\)' \
	'<p>GpuBusy 99 %, EuStall 68 % of GpuBusy' \
	'<p>Next: drmperf stat -M memory; drmperf stat -M cache</p>'
# where it was killed: there is no end, and half a record perhaps
head -c $(($(stat -c %s "$work/data") - 3)) "$work/data" > "$work/cut"
run 0 "$tool" report "$work/cut"
has "a recording that was cut off has verdicts" "$work/out" \
	'^ verdict of GPU 1: the GPU waited for memory'

cp -r events "$work/events"
sed -i 's/below="5"/below="five"/' "$work/events/amdgpu/verdicts.xml"
DRMPERF_EVENTS=$work/events run 0 $sim --time virtual --load idle \
	--gpu vega10 -- "$tool" stat -- true
has "stat reports a malformed table of verdicts, and prints values" \
	"$work/err" 'no verdict: .*verdicts.xml:[0-9]+' 'amdgpu::metric.GPUBusy'
finish
