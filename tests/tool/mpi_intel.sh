#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks of a job count events of OA metric sets: those of one set on one GPU all
# at once, and each has the whole GPU's counts. Others are refused in words of
# MPI.
. tests/tool/lib.sh
. tests/tool/ranks.sh

# machine GPU DRIVER CLOCKS SOME: what is counted there: events that count the
# clock, and one that counts the half of it, or all again
machine()
{
	local test=$2::TestOa
	gpu=$1
	one=$test.GpuTime@,$test.GpuCoreClocks@,$test.$3@
	two=$test.GpuTime@,$test.$3@,$test.$4@
	other=$2::RenderBasic.GpuTime@
}

: > "$work/scenario"
exact='
	/GpuTime/ { time = $8 }
	/Clocks|Counter1|XECORE/ {
		if (clocks && $8 != clocks) wrong = 1
		clocks = $8
	}
	/Counter3/ { if ($8 > clocks / 2 + 1 || $8 < clocks / 2 - 1) wrong = 1 }
	/RenderBasic/ { clocks = 1 }
	END { exit wrong || !clocks || time < 1000000 }'

all_kinds()
{
	local kind=$1 name="$gpu: $1" refused
	job "$kind" 1 $one
	exact "$name: all ranks count the same events on one GPU" $ranks
	left_as_found "$name: the same events"
	job "$kind" 1 $one $two
	exact "$name: all ranks count different events of a set" $ranks
	left_as_found "$name: other events"
	job "$kind" 4 $one $two $one $other
	exact "$name: all ranks count on four GPUs" $ranks
	left_as_found "$name: four GPUs"

	# whoever comes first counts
	job "$kind" 1 $one $other
	refused=$(grep -lx 125 "$work"/status.* | wc -l)
	exact "$name: half of the ranks count if two sets are wanted" 8
	cat "$work"/said.* > "$work/all"
	[ "$refused" = 8 ] || not_ok \
		"$name: half of the ranks fail (not $refused)" "$work/all"
	has "$name: the refusal is in words of MPI" "$work/all" \
		'rank [0-9]+ of your job \(pid [0-9]+\) counts metric set' \
		'on /dev/dri/renderD128, and a GPU counts one set' \
		'give each rank a GPU of its own by :device='
	left_as_found "$name: another set"

	killed "$name: ranks that die" "$kind" $one $two
	left_as_found "$name: ranks that die"
}

machine skl i915 Counter1 Counter3
run_kinds
machine bmg xe TEST_EVENT1_CYCLES_XECORE0 TEST_EVENT1_CYCLES_XECORE1
run_kinds
finish
