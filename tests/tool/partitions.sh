#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands show MI300 in its partition modes.
. tests/tool/lib.sh

advance="$sim ctl advance"
mode=/sys/bus/pci/devices/0000:03:00.0/current_compute_partition
cpx="$sim --time virtual --gpu mi300,partition=cpx --"

run 0 $cpx "$tool" info
has "info lists each partition with its GPU" "$work/out" \
	'^device 0: amdgpu at 0000:03:00.0, partition 0$' \
	'^  node +/dev/dri/renderD128, may be opened$' \
	'^device 7: amdgpu at 0000:03:00.0, partition 7$' \
	'^  node +/dev/dri/renderD135, may be opened$' '^everything works$'
lacks "info lists no other device" "$work/out" '^device 8'

# The mode is switched: each die is a device, and then all of them are one again.
run 0 $sim --gpu mi300 -- sh -c "'$tool' info > '$work/before'; \
	echo CPX > $mode; '$tool' info > '$work/after'; \
	echo SPX > $mode; exec '$tool' info"
has "a GPU of eight dies is one device" "$work/before" \
	'^device 0: amdgpu at 0000:03:00.0$' '^everything works$'
has "all partitions count after the mode was switched" "$work/after" \
	'^device 7: amdgpu at 0000:03:00.0, partition 7$' '^everything works$'
has "a GPU that is no longer partitioned is one device" "$work/out" \
	'^device 0: amdgpu at 0000:03:00.0$' '^everything works$'

run 0 $sim --gpu mi300,partition=cpx -- "$tool" list --json TCC.HIT
json "JSON has the partition of each device" "$work/out" \
	'map(.partition) == [range(8)] and all(.[]; .address == "0000:03:00.0")'
run 0 $sim --gpu mi300,partition=cpx -- "$tool" list TCC.HIT
has "list marks an event of a partition" "$work/out" \
	'^amdgpu::TCC.HIT:device=3	.* \(partition 3 alone\)$'
run 0 $sim --gpu mi300,partition=cpx -- "$tool" list gfx-sclk
has "a sensor of the whole GPU does not name a partition" "$work/out" \
	'gfx-sclk.*[^)]$'

# named TEXT PARTITION: a GPU that is named so is that partition
named()
{
	status "stat -d $1 exits with 0" \
		0 $cpx "$tool" stat -d "$1" -e TCC.HIT -- \
		$advance 1ms
	has "stat -d $1 counts partition $2 and says so" "$work/err" \
		"  \\(partition $2\\)\$"
}
named 0 0
named 5 5
named 0000:03:00.0 0
named 03:00.0/0 0
named 0000:03:00.0/6 6
run 125 $cpx "$tool" stat -d 03:00.0/8 -e TCC.HIT -- true
has "a partition that the mode lacks is refused" "$work/err" \
	'there is no device "03:00.0/8"'
run 125 $sim --gpu vega10 -- "$tool" stat -d 03:00.0/0 -e TCC.HIT -- true
has "a GPU without partitions has no partition 0" "$work/err" \
	'there is no device "03:00.0/0"'

# ------------------------------------------- where nobody asks for counters
mi="$sim --time virtual --gpu mi300,kfd=off --"
left='counters of GPU 0 are left out: each would be that of one die, of up to 8'
status "stat without events exits with 0 on a GPU of eight dies" \
	0 $mi "$tool" stat -- \
	$advance 10ms
has "stat prints values of the kernel, and why there are no counters" \
	"$work/err" "$left" 'amdgpu::sensor.gfx-sclk$' \
	'amdgpu::sensor.gpu-load$' 'amdgpu::fdinfo.engine-compute$'
lacks "stat prints no counter of a part" "$work/err" 'GRBM|SQ\.|metric\.'
status "record without events exits with 0 on a GPU of eight dies" 0 \
	$sim --gpu mi300,kfd=off -- "$tool" record -o "$work/data" -- sleep 0.1
has "record says why there are no counters" "$work/err" "$left"
run 0 "$tool" report "$work/data"
has "record has recorded values of the kernel" "$work/out" 'sensor.gpu-load'
run 125 $mi "$tool" stat -M default -- true
has "stat refuses a requested metric group of a GPU with several dies" "$work/err" 'dies are behind'
status "stat without events exits with 0 if one die is requested" \
	0 env DRMPERF_DIES=one $mi \
	"$tool" stat -- $advance 10ms
has "stat counts the requested die" "$work/err" 'SQ.WAVES.*\(die'

run 0 $sim --gpu mi300,partition=cpx -- "$tool" vk -d 6 -- \
	sh -c 'echo "gpu $DRMPERF_GPU"'
has "vk -d passes the partition to a program" "$work/out" \
	'^gpu 0000:03:00.0/6$'
