#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat --kernels, with the stand-in for HSA, whose program dispatches
# add(float*, int) with 10 waves, 11 and so on in one thread, and plain() with 20
# waves in another one. tests/peers/kfd.sh has programs of HIP.
. tests/tool/lib.sh

program=$BUILD_DIR/tests/hsa/kernels
unset HSA_TOOLS_LIB ROCP_TOOL_LIB ROCP_HSA_INTERCEPT DRMPERF_VERBOSE
if [ ! -e "$BUILD_DIR/lib/libdrmperf-kernels.so" ] || [ ! -x "$program" ]; then
	skip "drmperf stat --kernels counts kernels" \
		"it is not built without the HSA runtime"
	exit 0
fi
# queues see SQ only if their first packet says so
printf 'force-en ignored\ndefault zero\n' > "$work/scenario"
gpu="$sim --strict --time virtual --scenario $work/scenario --gpu vega20 --"

# kernels STATUS OPTION... -- COMMAND...: a library with sanitizers cannot be
# loaded into a program without, so the tool is the plain one
kernels()
{
	local expected=$1
	shift
	# shellcheck disable=SC2086 # several words
	run "$expected" $gpu "$plain" stat --kernels "$@"
}

# ---------------------------------------------------------------- the table
kernels 0 -e SQ_WAVES,GRBM.COUNT,SQ_BUSY_CYCLES -- "$program" 10 5
lacks "stat --kernels exits with 0 for a program of HSA" \
	"$work/err" '^exit status'
has "stat --kernels leaves the output of the program alone" "$work/out" '^done$'
has "kernels have demangled names" "$work/err" '^ add\(float\*, int\)$' \
	'^ plain$'
grep -A6 '^ add(' "$work/err" > "$work/add"
grep -A6 '^ plain$' "$work/err" > "$work/plain"
has "the first kernel has its calls, times and waves" "$work/add" \
	'^ +sum +mean +min +max$' '^   calls +10$' \
	'^   time +[0-9.]+ [mun]?s +[0-9.]+ [mun]?s' \
	'^   SQ_WAVES +145 +14.500 +10 +19  waves$' \
	'^   GRBM_COUNT +[0-9,]+ +[0-9,.]+ +[0-9,]+ +[0-9,]+  cycles$'
has "the second kernel has its calls and waves" "$work/plain" '^   calls +5$' \
	'^   SQ_WAVES +100 +20 +20 +20  waves$'
has "the table says that kernels ran one at a time" "$work/err" \
	'One kernel at a time ran on each GPU' 'seconds elapsed$' \
	'counting the program takes less time, which --passes measures first.$'
kernels 0 -e SQ_WAVES -- "$program" 300 200
has "each of many dispatches by two threads is counted" "$work/err" \
	'^   SQ_WAVES +47,850 +159.500 +10 +309  waves$' \
	'^   SQ_WAVES +4,000 +20 +20 +20  waves$'

kernels 0 -e SQ_WAVES -- sh -c '"$0" 0 100 & "$0" 0 100; wait' "$program"
has "kernels of two processes are not counted at once" "$work/err" \
	'^   SQ_WAVES +4,000 +20 +20 +20  waves$'

# ---------------------------------------------------------------- records
kernels 0 -e SQ_WAVES --csv -- "$program" 2 1
sed 1d "$work/out" > "$work/lines"
has "CSV has a line per dispatch" "$work/out" \
	'^pass,dispatch,kernel,node,queue,pid,tid,grid,workgroup,lds,scratch,vgprs,sgprs,start_ns,end_ns,SQ_WAVES$' \
	'^1,[1-3],"add\(float\*, int\)",1,[01],[0-9]+,[0-9]+,640,64,512,0,4,16,[0-9]+,[0-9]+,10$' \
	'^1,[1-3],plain,1,[01],[0-9]+,[0-9]+,1280,64,512,0,4,16,[0-9]+,[0-9]+,20$'
kernels 0 -e SQ_WAVES -x ';' -o "$work/file" -- "$program" 1 0
has "-x and -o write CSV with another separator to a file" \
	"$work/file" '^pass;dispatch;kernel' \
	';add\(float\*, int\);'
kernels 0 -e SQ_WAVES -x ';' -o "$work/file" --append -- "$program" 2 0
has "--append adds lines to a file of CSV" "$work/file" ';11$'
same "--append writes no second header" \
	"$work/file" "$(grep -v '^pass' "$work/file" |
	cat <(head -1 "$work/file") -)"
kernels 0 -e SQ_WAVES,metric.FETCH_SIZE --json -o "$work/json" -- \
	"$program" 4 2
json "JSON has an element for each dispatch" "$work/json" \
	'(.dispatches | length) == 6 and .passes == 1 and .one_at_a_time and
	([.dispatches[] | select(.kernel == "plain") | .events.SQ_WAVES]
		== [20, 20]) and
	all(.dispatches[]; .end_ns >= .start_ns and .grid % 64 == 0)'
json "JSON has the statistics of each kernel" "$work/json" \
	'[.kernels[] | select(.kernel == "add(float*, int)")][0] |
	.calls == 4 and .time_ns.count == 4 and
	(.events[0] | .event == "SQ_WAVES" and .sum == 46 and .mean == 11.5 and
		.min == 10 and .max == 13 and .unit == "waves") and
	.events[1].event == "FETCH_SIZE"'

run 0 "$tool" report --html "$work/page" "$work/json"
status "the page of kernels is well-formed" 0 python3 -c \
	"import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" \
	"$work/page"
tr -d '\n' < "$work/page" > "$work/line"
has "the page has the kernels of stat --json, with links" "$work/line" \
	'<a href="#kernel[01]">add\(float\*, int\)</a></td><td>4</td>' \
	'id="kernel[01]">plain</h2>.*<td>SQ_WAVES</td><td>40</td><td>20</td><td>20</td><td>20</td><td>waves</td>' \
	'<td>46</td><td>11.500</td><td>10</td><td>13</td>' \
	'<td>FETCH_SIZE</td>' 'One kernel at a time'
echo '{ "events": [] }' > "$work/other"
status "report --html refuses other JSON" 125 "$tool" report \
	--html "$work/page" "$work/other"
has "the error says what report --html takes" "$work/err" \
	'not what drmperf stat --kernels --json writes'

# registers ISA CODE VGPRS SGPRS: of a kernel with this code
registers()
{
	HSA_STANDIN_ISA=$1 HSA_STANDIN_CODE=$2 kernels 0 -e SQ_WAVES --json \
		-o "$work/json" -- "$program" 1 0
	json "a kernel $2 of $1 has $3 VGPRs and $4 SGPRs" "$work/json" \
		".dispatches[0] | .vgprs == $3 and .sgprs == $4"
}

# 9 granules of vector registers, 6 of scalar ones
registers gfx906 148:0 36 48
registers gfx90a 148:0 72 48
registers gfx942 148:0 72 48
registers gfx950 148:0 72 48
# waves of 64, and of 32
registers gfx1030 8:0 36 128
registers gfx1030 8:400 72 128
registers gfx1100 8:400 72 128
registers gfx1201 8:400 72 128
registers gfx1250 8:400 null null

# ---------------------------------------------------------------- filters
# picks NAME WAVES OPTION...: the waves of what is counted, in order
picks()
{
	local name=$1 waves=$2
	shift 2
	kernels 0 -e SQ_WAVES --csv -o "$work/picked" "$@"
	sed '1d; s/.*,//' "$work/picked" > "$work/waves"
	# shellcheck disable=SC2086 # one a line
	same "$name" "$work/waves" "$(printf '%s\n' $waves)"
}
picks "--kernel picks kernels by their name" \
	"10 11 12 13" --kernel '^add\(' -- "$program" 4 2
picks "--kernel matches the end of a name" \
	"20 20" --kernel 'n$' -- "$program" 4 2
picks "--skip leaves out the first dispatches" \
	"12 13" --kernel add --skip 2 -- "$program" 4 2
picks "--limit leaves out the last dispatches" \
	"10 11 12" --kernel add --limit 3 -- "$program" 5 2
picks "--skip and --limit pick dispatches in between" \
	"11 12" --kernel add --skip 1 --limit 2 -- "$program" 5 2

# ---------------------------------------------------------------- passes
events=SQ_WAVES,TCC.HIT,TCC.MISS,TCC.REQ,TCC.READ,TCC.WRITE
kernels 125 -e $events -- "$program" 2 1
has "events of two passes are refused" "$work/err" 'take 2 passes, not 1' \
	'--passes'
kernels 0 -e $events --passes -- "$program" 2 1
has "--passes runs the command again" "$work/err" 'pass 2 of 2' \
	'^   calls +2$' '^   SQ_WAVES +21 ' '^   TCC_WRITE +0 +0 +0 +0 '
has "--passes runs the command without counting first" "$work/err" \
	'a run without counting$' ' seconds elapsed without counting$' \
	' seconds elapsed in all passes, [0-9.]+ in each$'
same "each run of --passes writes the output of the program" "$work/out" \
	"$(printf 'done\n%.0s' 1 2 3)"
kernels 0 -e SQ_WAVES --passes --json -o "$work/json" -- "$program" 2 1
json "JSON has the times with and without counting" "$work/json" \
	'.passes == 1 and .seconds > 0 and .seconds_uncounted > 0'
run 0 "$tool" report --html "$work/page" "$work/json"
has "the page has the times with and without counting" "$work/page" \
	'<p>[0-9.]+ seconds, and [0-9.]+ of a run without counting[.]'
printf 'pmc: SQ_WAVES TCC_HIT\npmc: TCC_MISS\n' > "$work/input"
kernels 0 -i "$work/input" -- "$program" 2 1
has "--kernels reads files of rocprof" "$work/err" '^   TCC_MISS +0 '
kernels 0 --pmc SQ_WAVES -- "$program" 2 1
has "--kernels takes --pmc, the option of rocprofv3" \
	"$work/err" '^   SQ_WAVES +21 '

# ---------------------------------------------------------------- programs
kernels 137 -e SQ_WAVES -- "$program" 4 2 dies
lacks "the status of a program that dies is passed on" "$work/err" \
	'^exit status'
has "kernels of a program that dies are printed" \
	"$work/err" '^   SQ_WAVES +46 ' \
	'^   SQ_WAVES +40 '
# many more than what its queues hold
kernels 0 -e SQ_WAVES -- "$program" 150 100 hurries
has "kernels that the program does not wait for are counted" "$work/err" \
	'^   SQ_WAVES +12,675 ' '^   SQ_WAVES +2,000 '
kernels 0 -e SQ_WAVES -- "$program" 4 2 nameless
has "kernels without names are counted as one" "$work/err" '^ \(no name\)$' \
	'^   calls +6$' '^   SQ_WAVES +86 '
kernels 125 -e SQ_WAVES -- "$program" 4 2 dumb
has "the error says that a program had no kernel" \
	"$work/err" 'no kernel was counted: .* none$'
kernels 125 -e SQ_WAVES --kernel nothing -- "$program" 4 2
has "the error says that no kernel passed the filters" \
	"$work/err" 'none that --kernel and --skip let through'
kernels 125 -e SQ_WAVES -- true
has "the error says that a program did not use HSA" \
	"$work/err" 'has not begun HSA'
kernels 7 -e SQ_WAVES -- sh -c 'exit 7'
lacks "a failure of the command sets the exit status" "$work/err" '^exit status'
kernels 127 -e SQ_WAVES -- /nonexistent
has "the error names a program that does not exist" \
	"$work/err" 'cannot run /nonexistent'
HSA_TOOLS_LIB=/other kernels 0 -e SQ_WAVES -- sh -c 'echo "$HSA_TOOLS_LIB"'
has "other tools in HSA_TOOLS_LIB stay" \
	"$work/out" '^/other /.*/librocprofiler64.so.1$'
TMPDIR=$work/none kernels 125 -e SQ_WAVES -- "$program" 1 1
has "a missing TMPDIR is an error" "$work/err" 'No such file or directory'
mkdir "$work/tmp"
cat > "$work/kill" << END
"$plain" stat --kernels -e SQ_WAVES -- sh -c 'kill -KILL \$PPID'
exit \$?
END
TMPDIR=$work/tmp status "a command kills its stat --kernels" 137 $gpu \
	sh "$work/kill"
TMPDIR=$work/tmp kernels 0 -e SQ_WAVES -- "$program" 1 1
rmdir "$work/tmp" 2> "$work/err"
absent "no temporary file is left, nor one of a stat that was killed" \
	"$work/tmp"

# ---------------------------------------------------------------- misuse
# refuses NAME STATUS PATTERN OPTION...
refuses()
{
	local name=$1 expected=$2 pattern=$3
	shift 3
	# shellcheck disable=SC2086 # several words
	status "$name: stat exits with $expected" \
		"$expected" $gpu "$plain" stat "$@"
	has "$name" "$work/err" "$pattern"
}
refuses "--kernel refuses a malformed regular expression" \
	129 '--kernel \(: ' --kernels --kernel '(' \
	-e SQ_WAVES -- true
refuses "filters are refused without --kernels" \
	129 'are for --kernels' --limit 3 -e SQ_WAVES -- true
refuses "--kernels refuses intervals" \
	129 'does without' --kernels -I 10 -e SQ_WAVES -- true
refuses "--kernels refuses an empty selection of events" \
	129 'needs events' --kernels -- true
refuses "--kernels refuses to run without a command" \
	129 'counts the kernels of a command' --kernels -a \
	-e SQ_WAVES
refuses "--kernels refuses a single instance" \
	125 'instance=1 cannot be counted per kernel' --kernels \
	-e TCC.HIT:instance=1 -- true
refuses "--kernels refuses CPU events" \
	125 'task-clock.* cannot be counted per kernel' --kernels \
	-e task-clock,SQ_WAVES -- true
status "--kernels exits with 125 without an AMD GPU" \
	125 $sim --strict --gpu skl -- "$plain" stat \
	--kernels -e SQ_WAVES -- true
has "the error says that --kernels needs an AMD GPU" \
	"$work/err" 'needs an AMD GPU'
finish
