#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf record --user-events writes samples as a tracepoint, to a file that is
# as strict as the kernel's.
. tests/tool/lib.sh

# the file's stand-in is loaded into the tool, which has no sanitizer then
tool=$plain
export DRMPERF_EVENTS=tests/tool/metrics.xml
fake=$BUILD_DIR/tests/libtestuserevents.so
data=$work/data

# trace EXPECTED VARIABLE=VALUE... -- OPTION... -- COMMAND...: what the file got
# in $work/events
trace()
{
	local expected=$1 variables=()
	shift
	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	: > "$work/events"
	# shellcheck disable=SC2016
	run "$expected" $vega env TEST_EVENTS="$work/events" "${variables[@]}" \
		sh -c 'LD_PRELOAD=$0:$LD_PRELOAD exec "$@"' "$fake" \
		"$tool" record --user-events -o "$data" "$@"
}

events=amdgpu::TCC.REQ,metric.PerClock,sensor.gpu-temp
# samples after a second of GPU time, taken as soon as the file has grown
cat > "$work/load" << END
"$sim" ctl advance 1s
[ -z "\$1" ] || until grep -Eq "\$1" "$work/events"; do sleep 0.05; done
END
trace 0 TEST_TRACED=1 -- -e $events -- \
	sh "$work/load" 'value=16000 .*name=amdgpu::TCC.REQ|^refused'
has "a count is that of the time since the sample before" "$work/events" \
	'^time_ns=[0-9]+ length_ns=1000000000 value=16000 divisor=1 device=0 instance=-1 name=amdgpu::TCC.REQ unit=requests$'
has "values that are no integers are thousandths" "$work/events" \
	' value=2 divisor=1000 .* name=amdgpu::metric.PerClock unit=ratio$'
has "a sensor has its value" "$work/events" \
	' value=45000 divisor=1 .* name=amdgpu::sensor.gpu-temp unit=mdegC$'
lacks "the kernel refuses nothing" "$work/events" '^refused'
run 0 "$tool" report --json "$data"
json "the recording has the samples, too" "$work/out" \
	'[.events[] | .value][0] == 16000'

trace 0 TEST_TRACED=lost -- -e $events -- sh "$work/load"
lacks "a write that no tracer takes is no error" "$work/err" \
	'tracepoint|exit status'

trace 0 -- -e $events -- sh "$work/load"
empty "nothing is written while the tracepoint is not traced" "$work/events"

trace 125 TEST_OPEN_ERROR=13 -- -e $events -- true
has "no permission for tracefs has a remedy" "$work/err" \
	'^drmperf record: cannot make a tracepoint in /sys/kernel/tracing/user_events_data: Permission denied$' \
	'^try: run it as root, or '
trace 125 TEST_OPEN_ERROR=2 -- -e $events -- true
has "a kernel without user_events has a remedy" "$work/err" \
	'user_events_data: No such file' \
	'^try: this needs Linux 6.4 with CONFIG_USER_EVENTS, and tracefs'
trace 125 TEST_REGISTER_ERROR=98 -- -e $events -- true
has "a tracepoint of other fields has a remedy" "$work/err" \
	'^try: end other versions of drmperf'
trace 125 TEST_REGISTER_ERROR=22 -- -e $events -- true
has "a kernel with another interface has a remedy" "$work/err" \
	'^try: this needs Linux 6.4'
finish
