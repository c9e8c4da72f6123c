#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# stat and record count all dies of a GPU behind one node: exactly what a
# program launches as HIP does. Where that is impossible they say so.
. tests/tool/lib.sh

machine="$sim --strict --report $work/report --time virtual"

# ------------------------------------------------------ without a program
run 0 $machine --gpu mi300 -- "$tool" list SQ.WAVES
lacks "list marks no event of all dies as one of one die" "$work/out" 'one die'
run 0 $machine --gpu mi300 -- "$tool" list --json TCC.HIT
json "JSON describes an event of all dies as such" "$work/out" \
	'.[0].groups[] | select(.name == "TCC") | (has("dies") | not) and
	(.description | contains("all 8 dies"))'
json "JSON has the number of dies that can be named" "$work/out" \
	'.[0].groups[].events[] | select(.name | endswith("TCC.HIT")) |
	.dies == 8'
run 0 $machine --gpu mi300 -- sh -c "'$tool' list > '$work/list' &&
	'$sim' ctl calls kfd_acquire_vm && '$sim' ctl calls kfd_create_queue"
same "list makes no queue" "$work/out" "0
0"
run 0 $machine --gpu mi300 -- "$tool" info
has "info finds that everything works on all dies" \
	"$work/out" '^everything works$' \
	'^  dies +8, whose counters are summed; :die=0 to :die=7 take one$'
run 0 $machine --gpu mi300 -- sh -c "DRMPERF_DIES=one '$tool' stat \
	-o '$work/table' -e TCC.REQ true && '$sim' ctl calls kfd_create_queue"
same "counting one die makes no queue" "$work/out" 0
has "stat names the die that it counts" "$work/table" 'TCC.REQ  \(die [0-7]\)$'
run 125 $machine --gpu mi300,kfd=off -- "$tool" stat -e TCC.REQ true
has "stat refuses to count a part of a GPU without KFD" \
	"$work/err" 'no compute driver \(KFD\)' \
	'try: count one die with DRMPERF_DIES=one' \
	'echo CPX > current_compute_partition'

# --------------------------------------------------------- with a program
if ! command -v python3 > /dev/null; then
	skip "stat counts the waves of all dies" "there is no python3"
	finish
fi
program="python3 tests/tool/program_of_queue.py"
for gpu in mi300 mi300,dies=6 mi300,partition=dpx mi350 mi350,partition=qpx \
	mi300,partition=cpx; do
	run 0 $machine --gpu $gpu -- "$tool" stat -d 0 --csv -o "$work/csv" \
		-e SQ.WAVES $program 391 3
	has "$gpu: stat counts the waves of all dies" "$work/csv" \
		',amdgpu::SQ.WAVES,.*,4692,'
	has "$gpu: the GPU is left as it was" "$work/report" \
		'grbm_gfx_index=0xe0000000 counters=stopped clock_bit=0'
done
# 391 groups of 4 waves, thrice: one die has a group less than the others
run 0 $machine --gpu mi300 -- "$tool" stat --csv -o "$work/csv" \
	-e SQ.WAVES:die=*,TCC.REQ:die=3:instance=5 $program 391 3
has "stat counts the waves of each die" "$work/csv" \
	',0,amdgpu::SQ.WAVES,,588,' ',6,amdgpu::SQ.WAVES,,588,' \
	',7,amdgpu::SQ.WAVES,,576,' ',3,amdgpu::TCC.REQ,5,'
run 0 $machine --gpu mi300 -- "$tool" stat -o "$work/table" \
	-e SQ.WAVES:die=7,SQ.WAVES $program 391 3
has "the table names the die of an event" "$work/table" \
	'^ +576 .*amdgpu::SQ.WAVES:die=7 ' '^ +4,692 .*amdgpu::SQ.WAVES'
run 0 $machine --gpu mi300 -- "$tool" record -o "$work/file" \
	-e SQ.WAVES:die=7,SQ.WAVES:die=0 $program 391 3
run 0 "$tool" report --csv "$work/file"
has "a recording keeps the die of an event" "$work/out" \
	',7,amdgpu::SQ.WAVES,,' ',0,amdgpu::SQ.WAVES,,'
run 0 "$tool" report "$work/file"
has "report names the die of an event" "$work/out" 'SQ.WAVES:die=7'
run 0 $machine --gpu mi300 -- sh -c "'$tool' serve -I 100 \
	--textfile '$work/page.prom' -e SQ.WAVES,SQ.WAVES:die=7 & server=\$!
	until [ -s '$work/page.prom' ]; do sleep 0.05; done
	$program 391 3
	until grep -q ' 4692$' '$work/page.prom'; do sleep 0.05; done
	cat '$work/page.prom'
	kill \$server; wait \$server"
has "serve has sums over all dies, and a label of one" "$work/out" \
	'^drmperf_amdgpu_sq_waves_total\{device="0",pci="[0-9:.]+"\} 4692$' \
	'^drmperf_amdgpu_sq_waves_total\{device="0",pci="[0-9:.]+",die="7"\} 576$'
# two at once, of which one is killed
run 0 $machine --gpu mi300 -- sh -c "'$tool' stat -o '$work/first' \
	-e SQ.WAVES sh -c 'touch $work/begun; exec sleep 60' & first=\$!
	until [ -e '$work/begun' ]; do sleep 0.1; done
	'$tool' stat --csv -o '$work/csv' -e SQ.WAVES \
		sh -c \"$program 100 1; kill -9 \$first; $program 100 1\""
has "a second stat counts on when the first is killed" "$work/csv" \
	',amdgpu::SQ.WAVES,.*,800,'
run 0 $machine --gpu mi300 -- "$tool" record -o "$work/file" -e SQ.WAVES \
	$program 100 2
run 0 "$tool" report --csv "$work/file"
has "record counts on all dies" "$work/out" '800'
finish
