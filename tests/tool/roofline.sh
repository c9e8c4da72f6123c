#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat -M roofline: operations and bytes of the ready-made loads beside the
# roofs of each GPU that counts them, or why that cannot be told.
. tests/tool/lib.sh

# roofline GPU LOAD [OPTION...]: the lines of the roofline, in $work/roofline
roofline()
{
	local gpu=$1 load=$2
	shift 2
	run 0 $sim --strict --time virtual --load "$load" --gpu "$gpu" -- \
		"$tool" stat "$@" -M roofline -- $sim ctl advance 200ms
	sed -n '/^ roofline.*:/,/^$/p' "$work/err" > "$work/roofline"
}

# GPU, load; the first line, and a roof
while IFS='|' read -r gpu load line roof; do
	roofline "$gpu" "$load" --passes
	has "$gpu, $load: the roofline is that of the load" "$work/roofline" \
		"^ roofline: $line\$" "^   $roof\$"
done << 'END'
mi200|memory-bound|0.741 FLOP/byte, 971 GFLOP/s: nearest is the roof bandwidth, at 80 %|vector FP32: 971 GFLOP/s, 4 % of 22.6 TFLOP/s
mi200|compute-bound|541 FLOP/byte, 70.8 TFLOP/s: nearest is the roof vector FP32, at 47 %|matrix FP16: 60.2 TFLOP/s, 33 % of 181 TFLOP/s
mi300|memory-bound|[0-9.]+ FLOP/byte, .*: nearest is the roof bandwidth, at [4-8][0-9] %|bandwidth: .*TB/s, [4-8][0-9] % of 5.32 TB/s
mi300|compute-bound|.* FLOP/byte, .* TFLOP/s: nearest is the roof vector FP32, at 47 %|vector FP32: 38.3 TFLOP/s, 47 % of 81.7 TFLOP/s
mi350|compute-bound|.* FLOP/byte, .* TFLOP/s: nearest is the roof vector FP32, at 47 %|matrix FP6 and FP4: 0 FLOP/s, 0 % of .*
bmg|compute-bound|at most 1566 FLOP/byte, 57.1 TFLOP/s: nearest is the roof vector FP16, at 50 %|vector FP16: at most 14.6 TFLOP/s, 50 % of 29.2 TFLOP/s
lnl|compute-bound|at most .* FLOP/byte, .*FLOP/s: nearest is the roof vector FP16, .*|bandwidth: .* GB/s, its roof is not known
ptl|compute-bound|at most .* FLOP/byte, .*: nearest is the roof vector FP16, .*|matrix BF16: 0 FLOP/s, 0 % of 60.2 TFLOP/s
nvl|compute-bound|at most .* FLOP/byte, .*: nearest is the roof vector FP16, .*|bandwidth: .* GB/s, its roof is not known
nvlp|compute-bound|at most .* FLOP/byte, .*: nearest is the roof vector FP16, .*|matrix: in none of these sums, its operations are not known
nvlp|graphics|at most .* FLOP/byte, .*: nearest is the roof vector FP16, .*|matrix: 0 FLOP/s, its roof is not known
mi200|idle|cannot tell: no floating-point operation of these types was counted|vector FP32: 0 FLOP/s, .*
bmg|idle|cannot tell: no floating-point operation of these types was counted|vector FP32: 0 FLOP/s, .*
END

roofline mi200 compute-bound --passes
has "a roofline of several passes says so" "$work/roofline" \
	'^   \(from 2 passes: each is a run of its own\)$'
roofline mi200 compute-bound
has "one pass makes a roofline without the types that do not fit" \
	"$work/roofline" ': nearest is the roof vector FP32' \
	'^   vector FP64: not counted$'
lacks "a roofline of one pass names no passes" "$work/roofline" 'passes'
roofline mi300 compute-bound
has "the verdict is unknown if not all bytes are counted, with a next step" \
	"$work/roofline" \
	'^ roofline: cannot tell: not all bytes of the memory .*--passes'

cat > "$work/unlike" << END
#!/bin/sh
echo >> "$work/times"
$sim ctl advance \$((\$(wc -l < "$work/times") * 100))ms
END
chmod +x "$work/unlike"
run 0 $sim --time virtual --load compute-bound --gpu mi200 -- "$tool" stat \
	--passes -M roofline -- "$work/unlike"
has "passes that were not alike make no roofline" "$work/err" \
	'^ roofline: cannot tell: the runs of the passes were not alike'

printf 'default zero\nrate SQ.33 40000000000\nrate TCC.38 1000000\n' \
	> "$work/much.scenario"
run 0 $sim --time virtual --gpu mi200 --scenario "$work/much.scenario" -- \
	"$tool" stat --passes -M roofline -- $sim ctl advance 1s
has "more operations than the GPU can do give no verdict" "$work/err" \
	'^ roofline: cannot tell: more was counted than the GPU can do$'

run 125 $sim --gpu vega10 -- "$tool" stat -M roofline -- true
has "a GPU that does not count operations by type is refused with a cause" \
	"$work/err" 'Vega 10.* has no metric group "roofline"' \
	'^cause: this GPU has no counters of floating-point operations' \
	'^try: -M compute, which'
run 0 $sim --time virtual --load memory-bound --gpu mi200 -- "$tool" stat \
	-M default -- $sim ctl advance 100ms
lacks "metric groups other than compute print no roofline" "$work/err" 'roofline'

run 0 $sim --time virtual --load memory-bound --gpu mi200 --gpu bmg -- "$tool" \
	stat -d all --json --passes -M roofline -- $sim ctl advance 200ms
json "JSON has a roofline of each GPU" "$work/out" \
	'(.rooflines | length) == 2 and (.rooflines[0] |
		.device == 0 and .passes == 2 and .nearest == "bandwidth" and
		.percent > 79 and .percent < 81 and (.at_most | not) and
		(.intensity - .operations / .bytes | fabs) < 1e-6 and
		([.roofs[] | select(.of == "bytes")] | length) == 1 and
		([.roofs[] | select(.name == "vector FP32")][0] |
			.per_second > 9e11 and .peak > 2.2e13 and
			.percent < 5 and .of == "operations")) and
	(.rooflines[1] | .device == 1 and .at_most and
		[.roofs[] | select(.of == "bytes")][0].peak == 456000000000)'
run 0 $sim --time virtual --load idle --gpu mi200 -- "$tool" stat \
	--json --passes -M roofline -- $sim ctl advance 200ms
json "JSON says why nothing can be told" "$work/out" \
	'.rooflines[0] | .percent == null and (has("nearest") | not) and
		(.reason | startswith("no floating-point operation"))'

# ---------------------------------------------------------------- recordings
# the first has some samples, each of which is a submission
cat > "$work/mi200.samples" << END
until $sim ctl report | grep -q 'submissions=\([4-9]\|[1-9][0-9]\)'; do
	sleep 0.05
done
END
echo 'sleep 0.3' > "$work/lnl.samples"
for gpu in mi200 lnl; do
	run 0 $sim --load memory-bound --gpu $gpu -- "$tool" record \
		-o "$work/$gpu.data" -M roofline -- sh "$work/$gpu.samples"
	run 0 "$tool" report --html "$work/$gpu.html" "$work/$gpu.data"
	status "$gpu: the page is well formed" 0 python3 -c \
		'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' \
		"$work/$gpu.html"
done
has "a page draws roofs and a point of each interval" "$work/mi200.html" \
	'<h2>Roofline of GPU 0</h2>' '^<p>0.741 FLOP/byte, 97[0-9] GFLOP/s: nearest' \
	'rotate.-[0-9.]+.*>memory: 1.64 TB/s</text>' \
	'>vector FP32: 22.6 TFLOP/s</text>' '>matrix FP16, matrix BF16: 181 TF' \
	'<circle class="mean".*<title>0.741 FLOP/byte, 97[0-9] GFLOP/s</title>'
has "a page has several points" \
	<(grep -c 'circle class="point"' "$work/mi200.html") '^([2-9]|[0-9]{2,})$'
has "a page says that the memory's roof is not known" "$work/lnl.html" \
	'^<p>At most .*The roof of the memory is not known' \
	'>vector FP16: 7.99 TFLOP/s</text>'
lacks "a page draws no roof of a memory that is not known" "$work/lnl.html" \
	'rotate'
run 0 "$tool" report "$work/mi200.data"
has "report prints the roofline of a recording" "$work/out" \
	'^ roofline: 0.741 FLOP/byte, .* roof bandwidth, at 80 %$' \
	'^   vector FP64: not counted$'
run 0 "$tool" report --json "$work/mi200.data"
json "JSON of a recording has the roofline" "$work/out" \
	'.rooflines[0] | .nearest == "bandwidth" and .percent > 75'
run 0 $sim --load memory-bound --gpu mi200 -- "$tool" record \
	-o "$work/other.data" -M memory -- sleep 0.1
run 0 "$tool" report --html "$work/other.html" "$work/other.data"
lacks "a page of other events has no roofline" "$work/other.html" 'Roofline'
