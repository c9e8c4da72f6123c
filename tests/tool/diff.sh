#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf report --diff compares two measurements side by side.
. tests/tool/lib.sh

events=TCC.REQ,GPUBusy
# stat NAME RUNS TIME EVENTS: a document of JSON
stat_json()
{
	$vega "$tool" stat --json -o "$work/$1.json" -r "$2" -e "$4" -- \
		$sim ctl advance "$3" 2> "$work/err" || cat "$work/err"
}
stat_json a 3 1s $events,sensor.gpu-temp
stat_json b 2 1100ms $events,SQ.WAVES
stat_json single 1 500ms $events
$vega "$tool" record -o "$work/c.data" -e TCC.REQ -- $sim ctl advance 500ms \
	2> /dev/null
if "$tool" report --diff "$work/a.json" "$work/a.json" 2>&1 |
	grep -q 'without libyaml'; then
	skip "report --diff compares two files" \
		"drmperf was built without libyaml"
	finish
fi

# diffed NAME A B PATTERN...: in the table of A and B
diffed()
{
	local name=$1 a=$2 b=$3
	shift 3
	status "$name: report --diff exits with 0" \
		0 "$tool" report --diff "$work/$a" "$work/$b"
	has "$name" "$work/out" "$@"
}
diffed "runs that differ by more than their spread are marked beyond" \
	a.json b.json \
	'^ +16,000 requests +17,600 requests +\+10\.0 % +beyond +amdgpu::TCC.REQ:device=0$'
has "an event that one side lacks is a dash" "$work/out" \
	'^ +45\.0 degC +- +n/a +amdgpu::sensor.gpu-temp:device=0$' \
	'^ +- +0 waves +n/a +amdgpu::SQ.WAVES:device=0$'
has "files are named with their commands, and the time is compared" \
	"$work/out" '^ A: .*/a.json \(.* advance 1s\)$' \
	'^ B: .*/b.json \(.* advance 1100ms\)$' '% +seconds elapsed$'
has "the last column but one is explained" "$work/out" 'beyond: they do not$'
diffed "the same file has no changes" a.json a.json \
	'^ +16,000 requests +16,000 requests +0\.0 % +amdgpu::TCC.REQ:device=0$'
lacks "no change is beyond or within a spread" "$work/out" ' (beyond|within)'
diffed "a file of one run has no spread" a.json single.json \
	'^ +16,000 requests +8,000 requests +-50\.0 % +\? +amdgpu::TCC.REQ:device=0$' \
	'^ \?: one run does not tell'
diffed "a recording is compared with a file of stat" c.data single.json \
	'^ +8,000 requests +8,000 requests +0\.0 % +amdgpu::TCC.REQ:device=0$'
jq '.events |= map(if .run == 2 then .value *= 1.2 else . end)' \
	"$work/a.json" > "$work/wide.json"
diffed "runs that overlap are marked within" wide.json b.json \
	'^ .* within +amdgpu::TCC.REQ:device=0$'

# A sample has to be taken before the rate changes, which each is a submission.
cat > "$work/faster" << END
submissions() { $sim ctl report | grep -o 'submissions=[0-9]*'; }
$sim ctl advance 300ms
before=\$(submissions)
while [ "\$(submissions)" = "\$before" ]; do sleep 0.01; done
$sim ctl set rate 'TCC.3 2000'
$sim ctl advance 200ms
END
$vega "$tool" record -o "$work/d.data" -F 100 -e TCC.REQ,GPUBusy -- \
	sh "$work/faster" 2> /dev/null
$vega "$tool" record -o "$work/c.data" -F 100 -e TCC.REQ,GPUBusy -- \
	$sim ctl advance 500ms 2> /dev/null
diffed "recordings are compared by their means and by what 95 % do not exceed" \
	c.data d.data \
	'^ +8,000 requests +11,200 requests +\+40\.0 % +\? +amdgpu::TCC.REQ:device=0$' \
	'^ +16\.0 k/s +32\.0 k/s +\+100\.0 % +p95 of amdgpu::TCC.REQ:device=0$' \
	'^ +0\.0 % +0\.0 % +0\.0 % +\?? +amdgpu::metric.GPUBusy:device=0$' \
	'^ +0\.0 % +0\.0 % +0\.0 % +p95 of amdgpu::metric.GPUBusy:device=0$'
status "report --diff --html writes a page of two recordings" \
	0 "$tool" report --diff --html "$work/page.html" \
	"$work/c.data" "$work/d.data"
if command -v python3 > /dev/null; then
	status "the page of two recordings is well formed" \
		0 parse_xml "$work/page.html"
fi
has "a page has changes of what 95 % do not exceed" "$work/page.html" \
	'^<tr><td>p95 of amdgpu::TCC.REQ:device=0</td><td>16\.0 k/s</td>.*</tr>$'

# text of others reaches neither the terminal nor the page as it is
jq '.command = ["\u001b[31m<b>x"] | .events[0].event = "a\u001b[0m<i>"' \
	"$work/a.json" > "$work/evil.json"
diffed "control characters of a file are replaced" evil.json a.json \
	'\(\?\[31m<b>x\)$' 'a\?\[0m<i>'
status "report --diff --html writes a page" \
	0 "$tool" report --diff --html "$work/page.html" \
	"$work/evil.json" "$work/b.json"
has "a page has the table" "$work/page.html" '<td>17,600 requests' '&lt;i>'
lacks "a page escapes the elements in a file" "$work/page.html" '<b>x|<i>'
if command -v python3 > /dev/null; then
	status "the page is well formed whatever is in the file" \
		0 parse_xml "$work/page.html"
else
	skip "the page is well formed" "there is no python3"
fi

# refused NAME STATUS PATTERN ARGUMENT...
refused()
{
	local name=$1 expected=$2 pattern=$3
	shift 3
	run "$expected" "$tool" report --diff "$@"
	has "$name" "$work/err" "$pattern"
	lacks "$name: its status is $expected" "$work/err" '^exit status'
}
echo '{"events": [1,' > "$work/cut.json"
echo '{"rows": []}' > "$work/other.json"
echo '{"events": [{"value": 1}]}' > "$work/nameless.json"
refused "JSON that was cut is refused" 125 'cut.json is no JSON: .* in line' \
	"$work/a.json" "$work/cut.json"
refused "JSON of another kind is refused" \
	125 'other.json is neither a recording nor' \
	"$work/a.json" "$work/other.json"
refused "an event without a name is refused" 125 'an event has no name' \
	"$work/nameless.json" "$work/a.json"
refused "a missing file is refused" 125 'No such file' "$work/a.json" /nothing
refused "a single file is refused" 129 'compares two files' "$work/a.json"
refused "a third file is refused" 129 'too many files' a b c
refused "--csv is refused with --diff" \
	129 'goes with --html and -o only' --csv a b

finish
