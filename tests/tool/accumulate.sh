#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ROCm's lists of counters as its users write them: an event that sums the one
# before it, and the groups that real GPUs counted in one pass.
#
# DRMPERF_FACTS   a folder with amdgpu/accepted-groups-GPU.txt
. tests/tool/lib.sh

mi="$sim --gpu mi200 --"
status "split accepts a sum right after its level" 0 \
	$mi "$tool" split SQ_INST_LEVEL_VMEM,SQ_ACCUM_PREV_HIRES
same "a level and its sum take one pass" "$work/out" \
"1 pass, proved fewest
pass 1:
  amdgpu::SQ.INST_LEVEL_VMEM:device=0
  amdgpu::metric.SQ_INST_LEVEL_VMEM_ACCUM:device=0"
status "split accepts :accumulate at any place of a list" \
	0 $mi "$tool" split GRBM_COUNT \
	amdgpu::SQ.INST_LEVEL_VMEM:device=0:accumulate
has ":accumulate is the same event as the sum after its level" \
	"$work/out" 'metric.SQ_INST_LEVEL_VMEM_ACCUM:device=0$'
status "a sum without a level is refused" \
	125 $mi "$tool" split SQ_ACCUM_PREV_HIRES
has "the error for a sum without a level has a remedy" \
	"$work/err" 'try: put :accumulate behind'
status ":accumulate behind an event that is no level is refused" \
	125 $mi "$tool" split SQ_WAVES:accumulate
has "the error says which event cannot be summed" \
	"$work/err" 'SQ.WAVES cannot be summed'
status "a sum after an event that is no level is refused" 125 \
	$mi "$tool" split SQ_WAVES,SQ_ACCUM_PREV_HIRES

# groups FILE GPU: each line of the file is one pass
groups()
{
	local line
	: > "$work/refused"
	while read -r line; do
		case $line in ''|'#'*) continue ;; esac
		# shellcheck disable=SC2086
		run 0 "$sim" --gpu "$2" -- "$tool" split $line
		grep -q '^1 pass' "$work/out" && continue
		{
			echo "$line"
			head -n 2 "$work/err"
		} >> "$work/refused"
	done < "$1"
	if [ -s "$work/refused" ]; then
		not_ok "each group that a real $2 counted takes one pass" \
			"$work/refused"
	else
		ok "each group that a real $2 counted takes one pass"
	fi
}

accepted=$(ls "${DRMPERF_FACTS:-/nowhere}"/amdgpu/accepted-groups-*.txt \
	2> "$work/ls")
[ -n "$accepted" ] || skip "each group that real GPUs counted takes one pass" \
	"DRMPERF_FACTS names no folder with accepted-groups-GPU.txt"
for file in $accepted; do
	gpu=${file##*accepted-groups-}
	groups "$file" "${gpu%.txt}"
done
finish
