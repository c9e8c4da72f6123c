#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ROCm's lists of counters as its users write them: an event that sums the one
# before it, and the groups that real GPUs counted in one pass.
#
# DRMPERF_FACTS   a folder with amdgpu/accepted-groups-GPU.txt
. tests/tool/lib.sh

mi="$sim --gpu mi200 --"
status "a sum behind its level" 0 \
	$mi "$tool" split SQ_INST_LEVEL_VMEM,SQ_ACCUM_PREV_HIRES
same "one pass, with the level and its sum" "$work/out" \
"1 pass, proved fewest
pass 1:
  amdgpu::SQ.INST_LEVEL_VMEM:device=0
  amdgpu::metric.SQ_INST_LEVEL_VMEM_ACCUM:device=0"
status "a sum anywhere" 0 $mi "$tool" split GRBM_COUNT \
	amdgpu::SQ.INST_LEVEL_VMEM:device=0:accumulate
has "that is the same" "$work/out" 'metric.SQ_INST_LEVEL_VMEM_ACCUM:device=0$'
status "no sum without a level" 125 $mi "$tool" split SQ_ACCUM_PREV_HIRES
has "that tells what to write" "$work/err" 'remedy: put :accumulate behind'
status "no sum of what is no level" 125 $mi "$tool" split SQ_WAVES:accumulate
has "that tells why" "$work/err" 'SQ.WAVES cannot be summed'
status "no sum behind what is no level" 125 \
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
		not_ok "all groups that a real $2 counted" "$work/refused"
	else
		ok "all groups that a real $2 counted"
	fi
}

accepted=$(ls "${DRMPERF_FACTS:-/nowhere}"/amdgpu/accepted-groups-*.txt \
	2> "$work/ls")
[ -n "$accepted" ] || skip "groups that real GPUs accepted" \
	"DRMPERF_FACTS names no folder with accepted-groups-GPU.txt"
for file in $accepted; do
	gpu=${file##*accepted-groups-}
	groups "$file" "${gpu%.txt}"
done
finish
