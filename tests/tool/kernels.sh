#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf stat --kernels, with the stand-in for HSA, whose program dispatches
# add(float*, int) with 10 waves, 11 and so on in one thread, and plain() with 20
# waves in another one. tests/peers/kfd.sh has programs of HIP.
. tests/tool/lib.sh

program=$BUILD_DIR/tests/hsa/kernels
unset HSA_TOOLS_LIB ROCP_TOOL_LIB ROCP_HSA_INTERCEPT DRMPERF_VERBOSE
if [ ! -e "$BUILD_DIR/lib/libdrmperf-kernels.so" ] || [ ! -x "$program" ]; then
	skip "drmperf stat --kernels" "it is not built without the HSA runtime"
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
lacks "a program of HSA is counted" "$work/err" '^exit status'
has "it runs as it does by itself" "$work/out" '^done$'
has "kernels have demangled names" "$work/err" '^ add\(float\*, int\)$' \
	'^ plain$'
grep -A6 '^ add(' "$work/err" > "$work/add"
grep -A6 '^ plain$' "$work/err" > "$work/plain"
has "calls, times and waves of the first kernel" "$work/add" \
	'^ +sum +mean +min +max$' '^   calls +10$' \
	'^   time +[0-9.]+ [mun]?s +[0-9.]+ [mun]?s' \
	'^   SQ_WAVES +145 +14.500 +10 +19  waves$' \
	'^   GRBM_COUNT +[0-9,]+ +[0-9,.]+ +[0-9,]+ +[0-9,]+  cycles$'
has "and of the second" "$work/plain" '^   calls +5$' \
	'^   SQ_WAVES +100 +20 +20 +20  waves$'
has "it is said that kernels take turns" "$work/err" \
	'One kernel at a time ran on each GPU' 'seconds elapsed$'
kernels 0 -e SQ_WAVES -- "$program" 300 200
has "many dispatches of two threads" "$work/err" \
	'^   SQ_WAVES +47,850 +159.500 +10 +309  waves$' \
	'^   SQ_WAVES +4,000 +20 +20 +20  waves$'

# ---------------------------------------------------------------- records
kernels 0 -e SQ_WAVES --csv -- "$program" 2 1
sed 1d "$work/out" > "$work/lines"
has "CSV has a line per dispatch" "$work/out" \
	'^pass,dispatch,kernel,node,queue,pid,tid,grid,workgroup,lds,scratch,vgprs,sgprs,start_ns,end_ns,SQ_WAVES$' \
	'^1,[1-3],"add\(float\*, int\)",1,[01],[0-9]+,[0-9]+,640,64,512,0,4,16,[0-9]+,[0-9]+,10$' \
	'^1,[1-3],plain,1,[01],[0-9]+,[0-9]+,1280,64,512,0,4,16,[0-9]+,[0-9]+,20$'
kernels 0 -e SQ_WAVES -x ';' -o "$work/file" -- "$program" 1 0
has "with another separator, in a file" "$work/file" '^pass;dispatch;kernel' \
	';add\(float\*, int\);'
kernels 0 -e SQ_WAVES -x ';' -o "$work/file" --append -- "$program" 2 0
has "which may go on" "$work/file" ';11$'
same "with one head" "$work/file" "$(grep -v '^pass' "$work/file" |
	cat <(head -1 "$work/file") -)"
kernels 0 -e SQ_WAVES,metric.FETCH_SIZE --json -o "$work/json" -- \
	"$program" 4 2
json "JSON has each dispatch" "$work/json" \
	'(.dispatches | length) == 6 and .passes == 1 and .one_at_a_time and
	([.dispatches[] | select(.kernel == "plain") | .events.SQ_WAVES]
		== [20, 20]) and
	all(.dispatches[]; .end_ns >= .start_ns and .grid % 64 == 0)'
json "and each kernel" "$work/json" \
	'[.kernels[] | select(.kernel == "add(float*, int)")][0] |
	.calls == 4 and .time_ns.count == 4 and
	(.events[0] | .event == "SQ_WAVES" and .sum == 46 and .mean == 11.5 and
		.min == 10 and .max == 13 and .unit == "waves") and
	.events[1].event == "FETCH_SIZE"'

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
picks "kernels by their name" "10 11 12 13" --kernel '^add\(' -- "$program" 4 2
picks "at its end" "20 20" --kernel 'n$' -- "$program" 4 2
picks "not the first ones" "12 13" --kernel add --skip 2 -- "$program" 4 2
picks "not the last ones" "10 11 12" --kernel add --limit 3 -- "$program" 5 2
picks "some between" "11 12" --kernel add --skip 1 --limit 2 -- "$program" 5 2

# ---------------------------------------------------------------- passes
events=SQ_WAVES,TCC.HIT,TCC.MISS,TCC.REQ,TCC.READ,TCC.WRITE
kernels 125 -e $events -- "$program" 2 1
has "events of two passes are refused" "$work/err" 'take 2 passes, not 1' \
	'--passes'
kernels 0 -e $events --passes -- "$program" 2 1
has "with --passes the command is run again" "$work/err" 'pass 2 of 2' \
	'^   calls +2$' '^   SQ_WAVES +21 ' '^   TCC_WRITE +0 +0 +0 +0 '
printf 'pmc: SQ_WAVES TCC_HIT\npmc: TCC_MISS\n' > "$work/input"
kernels 0 -i "$work/input" -- "$program" 2 1
has "files of rocprof" "$work/err" '^   TCC_MISS +0 '
kernels 0 --pmc SQ_WAVES -- "$program" 2 1
has "the option of rocprofv3" "$work/err" '^   SQ_WAVES +21 '

# ---------------------------------------------------------------- programs
kernels 137 -e SQ_WAVES -- "$program" 4 2 dies
lacks "the status of a program that dies is passed on" "$work/err" \
	'^exit status'
has "what it has counted is printed" "$work/err" '^   SQ_WAVES +46 ' \
	'^   SQ_WAVES +40 '
kernels 0 -e SQ_WAVES -- "$program" 4 2 nameless
has "kernels without names are one" "$work/err" '^ \(no name\)$' \
	'^   calls +6$' '^   SQ_WAVES +86 '
kernels 125 -e SQ_WAVES -- "$program" 4 2 dumb
has "a program without kernels" "$work/err" 'no kernel was counted: .* none$'
kernels 125 -e SQ_WAVES --kernel nothing -- "$program" 4 2
has "none that matches" "$work/err" 'none that --kernel and --skip let through'
kernels 125 -e SQ_WAVES -- true
has "a program without HSA" "$work/err" 'has not begun HSA'
kernels 7 -e SQ_WAVES -- sh -c 'exit 7'
lacks "its own failure comes first" "$work/err" '^exit status'
kernels 127 -e SQ_WAVES -- /nonexistent
has "no program" "$work/err" 'cannot run /nonexistent'
HSA_TOOLS_LIB=/other kernels 0 -e SQ_WAVES -- sh -c 'echo "$HSA_TOOLS_LIB"'
has "other tools of HSA stay" "$work/out" '^/other /.*/librocprofiler64.so.1$'
TMPDIR=$work/none kernels 125 -e SQ_WAVES -- "$program" 1 1
has "no place for a file" "$work/err" 'No such file or directory'
mkdir "$work/tmp"
TMPDIR=$work/tmp kernels 0 -e SQ_WAVES -- "$program" 1 1
rmdir "$work/tmp" 2> "$work/err"
absent "no file is left" "$work/tmp"

# ---------------------------------------------------------------- misuse
# refuses NAME STATUS PATTERN OPTION...
refuses()
{
	local name=$1 expected=$2 pattern=$3
	shift 3
	# shellcheck disable=SC2086 # several words
	status "$name: status" "$expected" $gpu "$plain" stat "$@"
	has "$name" "$work/err" "$pattern"
}
refuses "no regular expression" 129 '--kernel \(: ' --kernels --kernel '(' \
	-e SQ_WAVES -- true
refuses "filters of nothing" 129 'are for --kernels' --limit 3 -e SQ_WAVES -- true
refuses "intervals" 129 'does without' --kernels -I 10 -e SQ_WAVES -- true
refuses "no events" 129 'needs events' --kernels -- true
refuses "no command" 129 'counts the kernels of a command' --kernels -a \
	-e SQ_WAVES
refuses "one instance" 125 'instance=1 cannot be counted per kernel' --kernels \
	-e TCC.HIT:instance=1 -- true
refuses "CPU events" 125 'task-clock.* cannot be counted per kernel' --kernels \
	-e task-clock,SQ_WAVES -- true
status "no AMD GPU: status" 125 $sim --strict --gpu skl -- "$plain" stat \
	--kernels -e SQ_WAVES -- true
has "no AMD GPU" "$work/err" 'needs an AMD GPU'
finish
