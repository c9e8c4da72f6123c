#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The kernel's lock of profilers decides which compute queues stat, record and
# papi see: they say so, are refused, or need no lock for their events.
. tests/tool/lib.sh

# kernel LOCK: a GPU of such a kernel
kernel()
{
	echo "$sim --strict --time virtual --report $work/report --gpu mi200,kfd-profiler=$1 --"
}
refusal='another profiler \(rocprofiler\) counts on this GPU'

for lock in upstream dkms; do
	run 0 $(kernel $lock) "$tool" stat -o "$work/table" -e SQ.WAVES true
	has "$lock: stat sees all queues" "$work/table" \
		'\(\* in all queues\):$' '^ \* sees all queues, of all processes'
	run 0 $(kernel $lock) "$tool" stat --json -e SQ.WAVES true
	json "$lock: JSON says that all queues are seen" \
		"$work/out" '.queues == "all"'
	run 0 $(kernel $lock) "$tool" info
	has "$lock: info says that all queues are seen" "$work/out" \
		'^  queues +stat and record count in all compute queues$'
	run 0 $(kernel $lock) "$tool" record -o "$work/file" -e SQ.WAVES true
	has "$lock: record says that all queues are seen" "$work/err" \
		'^drmperf record: events of GPU 0 see all queues'
	run 0 "$tool" report "$work/file"
	has "$lock: report says that all queues were seen" "$work/out" \
		'system wide \(\* in all queues\),'
done
run 0 "$tool" report -I 1 "$work/file"
has "the table of intervals says that all queues were seen" "$work/out" \
	'event \(\* in all queues\)$'
run 0 "$tool" report --json "$work/file"
json "JSON of a recording says that all queues were seen" "$work/out" \
	'.queues == "all"'
run 0 "$tool" report --html "$work/page" "$work/file"
has "a page says that all queues were seen" "$work/page" \
	'SQ.WAVES, for which all queues were made to count'
run 0 $(kernel upstream) "$tool" papi -e SQ.WAVES true
has "papi says which queues events see" "$work/err" \
	'^drmperf papi: events of GPU 0 see all queues'
run 0 $(kernel off) "$tool" stat -o "$work/table" -e SQ.WAVES true
has "without a lock stat sees queues that allow it" "$work/table" \
	'\(\* in queues that allow it\):$' '^ \* sees graphics, and compute'
run 0 $(kernel off) "$tool" stat --json -e SQ.WAVES true
json "without a lock JSON says that queues have to allow it" \
	"$work/out" '.queues == "allowed"'
run 0 $(kernel off) "$tool" stat --json -e GRBM.COUNT true
json "JSON says nothing where all queues are seen anyway" "$work/out" \
	'has("queues") | not'
run 0 $(kernel off) "$tool" info
has "without a lock info says what is missing, with a remedy" "$work/out" \
	'^  queues +events of shaders count only in compute queues that' \
	'^ +the kernel has no lock of profilers' '^ +try: use a kernel'
run 0 $(kernel off) "$tool" record -o "$work/file" -e SQ.WAVES true
lacks "record prints nothing about queues without a lock" "$work/err" 'queues'
run 0 "$tool" report "$work/file"
has "report says that queues had to allow it" "$work/out" \
	'\(\* in queues that allow it\),'

# of events that see all work nobody asks KFD
run 0 $(kernel upstream) sh -c "'$tool' stat -o '$work/table' -e GRBM.COUNT true &&
	'$tool' list > '$work/list' && '$sim' ctl calls kfd_get_version"
same "counting events that see all work, and listing, do not open KFD" "$work/out" 0

# two of ours share the counters, and need not share the lock
run 0 $(kernel upstream) "$tool" stat -o "$work/first" -e SQ.WAVES \
	"$tool" stat -o "$work/second" -e SQ.WAVES true
has "the first of two stats has the lock" "$work/first" 'sees all queues'
has "the second of two stats counts without the lock" "$work/second" \
	'\(\* in queues that allow it\):$'

if ! command -v python3 > /dev/null; then
	skip "stat is refused next to another profiler" "there is no python3"
	finish
fi
other="python3 tests/tool/profiler.py"
for command in stat record; do
	run 1 $(kernel upstream) $other "$tool" $command -o "$work/file" \
		-e SQ.WAVES true
	has "$command is refused next to another profiler" "$work/err" \
		"$refusal" 'try: end it'
done
run 1 $(kernel upstream) $other "$tool" papi -e SQ.WAVES true
has "papi is refused next to another profiler" "$work/err" "$refusal"
run 0 $(kernel upstream) $other "$tool" stat -o "$work/table" \
	-e GRBM.COUNT true
lacks "events that see all work are counted next to another profiler" \
	"$work/err" .
run 0 $(kernel upstream) $other "$tool" info
has "info names the other profiler" "$work/out" "$refusal"
run 0 $(kernel upstream) sh -c "$other --die; \
	'$tool' stat -o '$work/table' -e SQ.WAVES true"
has "a profiler that is killed has no lock" "$work/table" 'sees all queues'
finish
