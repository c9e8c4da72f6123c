#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks of a job that count events of OA metric sets: those of one set on one
# GPU all at once, each the whole GPU's counts; others are refused in words of
# MPI.
. tests/tool/lib.sh
. tests/tool/ranks.sh

gpu=skl
: > "$work/scenario"
one=i915::TestOa.GpuTime@,i915::TestOa.GpuCoreClocks@,i915::TestOa.Counter1@
two=i915::TestOa.GpuTime@,i915::TestOa.Counter1@,i915::TestOa.Counter3@
other=i915::RenderBasic.GpuTime@
# the clock, and what counts the half of it
exact='
	/GpuTime/ { time = $8 }
	/Clocks|Counter1/ { if (clocks && $8 != clocks) wrong = 1; clocks = $8 }
	/Counter3/ { if ($8 > clocks / 2 + 1 || $8 < clocks / 2 - 1) wrong = 1 }
	/RenderBasic/ { clocks = 1 }
	END { exit wrong || !clocks || time < 1000000 }'

all_kinds()
{
	local kind=$1 refused
	job "$kind" 1 $one
	exact "$kind: the same events on one GPU" $ranks
	left_as_found "$kind: the same events"
	job "$kind" 1 $one $two
	exact "$kind: other events of the set" $ranks
	left_as_found "$kind: other events"
	job "$kind" 4 $one $two $one $other
	exact "$kind: a GPU for every fourth rank" $ranks
	left_as_found "$kind: four GPUs"

	# whoever comes first counts
	job "$kind" 1 $one $other
	refused=$(grep -lx 125 "$work"/status.* | wc -l)
	exact "$kind: another set" 8
	cat "$work"/said.* > "$work/all"
	[ "$refused" = 8 ] || not_ok "$kind: $refused are refused" "$work/all"
	has "$kind: why, in words of MPI" "$work/all" \
		'rank [0-9]+ of your job \(pid [0-9]+\) counts metric set' \
		'on /dev/dri/renderD128, and a GPU counts one set' \
		'give each rank a GPU of its own by :device='
	left_as_found "$kind: another set"

	killed "$kind: ranks that die" "$kind" $one $two
	left_as_found "$kind: ranks that die"
}

run_kinds
finish
